"""Makes the table of what open slots of a pyramid are worth, which the package ships as solver/data/pyramid.npz.

    python tools/make_pyramid.py solver/data/pyramid.npz

See `solver.pyramid` for what the numbers mean.
"""

from __future__ import annotations

from itertools import product
from typing import IO, Any, Final

import click
import numpy as np
from numpy.typing import NDArray
from rich.progress import Progress

from solver.declaring import Declaring
from solver.game import Hand, Setup, find_game, find_table
from solver.games.piramide import HAND, PYRAMID, SCORES
from solver.position import Position
from solver.sampling import Layouts

_SHAPE: Final = tuple(left + 1 for left in PYRAMID)


def solve_pyramid(hands: NDArray[np.float64]) -> NDArray[np.float64]:
    """V of every pyramid, from the values float64[n, 7] of n random hands by bid."""
    values = np.zeros(_SHAPE)
    pyramids = sorted(product(*(range(size) for size in _SHAPE)), key=sum)
    for slots in pyramids[1:]:
        open_bids = [bid for bid, left in enumerate(slots) if left]
        later = [values[tuple(left - (tricks == bid) for tricks, left in enumerate(slots))] for bid in open_bids]
        values[slots] = (hands[:, open_bids] + later).max(axis=1).mean()
    return values


def hand_values(table: str, players: int, seed: int, samples: int) -> NDArray[np.float64]:
    """What one random hand is expected to score by bid, float64[7], each with its best trumps."""
    game = find_table("piramide", players, {"score_table": table})
    dealt = Position.deal("piramide", players, seed=seed).state.hands[0]
    others = (Hand(0, HAND),) * (players - 1)
    position = Position(game, game.start(Setup((Hand(dealt), *others))), seat=0)
    layouts = Layouts(position)
    drawn = layouts.sample(samples, seed)
    search = Declaring(game, lambda state: layouts.rows(drawn, state=state), 0)
    best = np.full(HAND + 1, -np.inf)
    for move, scores in search.moves(position.state).items():
        assert move.bid is not None
        best[move.bid] = max(best[move.bid], scores[:, 0].mean())
    return best


def with_error(hands: NDArray[np.float64], parts: int = 10) -> tuple[NDArray[np.float64], float]:
    """V of every pyramid, and the standard error of the whole one's, from the spread over parts of the hands."""
    whole = [solve_pyramid(part)[PYRAMID] for part in np.array_split(hands, parts)]
    return solve_pyramid(hands), float(np.std(whole, ddof=1) / np.sqrt(parts))


@click.command(help="Make the table of what pyramids are worth, by sampling random hands.")
@click.argument("output", type=click.File("wb"))
@click.option(
    "--hands",
    "size",
    type=click.IntRange(min=10),
    default=1000,
    show_default=True,
    help="Random hands for each number of players.",
)
@click.option("--samples", default=100, show_default=True, help="Layouts for each hand.")
@click.option("--seed", default=0, show_default=True)
def main(output: IO[bytes], size: int, samples: int, seed: int) -> None:
    """Writes the table for every score table and number of players."""
    made: dict[str, Any] = {}
    variants = list(product(SCORES, find_game("piramide").seats))
    with Progress() as progress:
        task = progress.add_task("hands", total=size * len(variants))
        for table, players in variants:
            hands = []
            for number in range(size):
                hands.append(hand_values(table, players, seed + number, samples))
                progress.advance(task)
            made[f"{table}{players}"], made[f"{table}{players}_error"] = with_error(np.array(hands))
    np.savez_compressed(output, **made)


if __name__ == "__main__":
    main()
