"""The hill climb that found the weights of the move ordering of Atspėk: `python -m bench.tune_atspek`.

It changes a few weights at a time and keeps what makes the search trees of its own random deals smaller; no benchmark
uses these deals. Every improvement is printed, table by table, as src_ext/_atspek.pyx has them: LEADS and REPLIES, for
two players, or with `--many` those for three and four.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from solver import _atspek as kernel

from . import deals, hill_climb

Tables = dict[str, list[list[int]]]
"""What `kernel.set_ordering` takes: for each kind of card a row, for each thing that counts a weight."""

_STEPS = {0: 80, 4: 80, 7: 80}
"""The largest step for a place in a row; 30 for the others."""
_FLATTENING = 0.6
"""Exponent of the nodes of a deal: below 1, so that a few hard deals do not decide everything."""
_SLACK = 3
"""How many times the nodes that the least cost stands for a trial may take: it is below the true mean of the nodes."""


def ending(players: int, tricks: int) -> deals.Draw:
    """A deal in which so many tricks have been played at random."""
    dealt = deals.atspek(players)

    def draw(random: Random) -> deals.Deal:
        game, state = dealt(random)
        for _ in range(tricks * players):
            state = game.play(state, random.choice(game.moves(state)))
        return game, state

    return draw


def drawn(seed: int, count: int, many: bool) -> NDArray[np.int64]:
    """The deals of a seed, packed; with `many` half of them of three players, half of four."""
    parts = [(3, 1, count // 2), (4, 0, count - count // 2)] if many else [(2, 2, count)]
    return np.concatenate(
        [
            deals.rows(deals.draws(f"tune atspek {seed} {players}", ending(players, tricks), 0, number))
            for players, tricks, number in parts
        ]
    )


def nodes_a_deal(total: float, count: int) -> float:
    """From a cost of so many deals to the nodes of a deal."""
    return float((total / count) ** (1 / _FLATTENING))


def cost(tables: Tables, rows: NDArray[np.int64], most: float) -> float:
    """What the search of all rows costs; infinity if that takes far more nodes than `most` stands for."""
    kernel.set_ordering(**tables)
    limit = 0 if most == float("inf") else int(_SLACK * nodes_a_deal(most, len(rows)) * len(rows))
    _, done, nodes = kernel.Solver(16).values(rows, nodes=limit)
    return float(((nodes + 20.0) ** _FLATTENING).sum()) if done.all() else float("inf")


def changed(tables: Tables, random: Random) -> Tables:
    """The tables with one to three of the weights of one of them moved."""
    name = random.choice(list(tables))
    table = [list(row) for row in tables[name]]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        row = random.choice(table)
        place = random.randrange(len(row))
        row[place] += random.choice((-1, 1)) * random.randint(1, _STEPS.get(place, 30))
    return {**tables, name: table}


def main() -> None:
    """The command."""
    parser = hill_climb.parser("Atspėk", 120)
    parser.add_argument("--many", action="store_true", help="the weights for three and four players, not those for two")
    given = parser.parse_args()
    rows = drawn(given.seed, given.deals, given.many)
    random = Random(given.seed)
    tables = {"many": kernel.MANY} if given.many else {"leads": kernel.LEADS, "replies": kernel.REPLIES}
    hill_climb.climb(
        {name: [list(row) for row in table] for name, table in tables.items()},
        lambda tables, most: cost(tables, rows, most),
        lambda tables: changed(tables, random),
        lambda total: nodes_a_deal(total, len(rows)),
        given.seconds,
    )


if __name__ == "__main__":
    main()
