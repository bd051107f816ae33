"""Looks for better ordering weights of the Atspėk kernel by a hill climb on search nodes.

    python -m bench.tune_atspek SECONDS [SEED] [many]

Deals come from the seed and are none that a benchmark uses (those have seeds below 1000). Prints the weights when done,
to be copied into src_ext/_atspek.pyx. `many`: the weights for three and four players, else those for two.
"""

from __future__ import annotations

import sys
import time
from random import Random

import numpy as np
from numpy.typing import NDArray

from solver import _atspek as kernel
from solver.games.atspek import Atspek
from solver.search import packed

Weights = list[list[int]]
STEPS = {0: 80, 4: 80, 7: 80}
"""The largest step for a place in a row; 30 for the others."""


def endings(random: Random, players: int, tricks: int, number: int) -> NDArray[np.int64]:
    """Deals in which this many tricks have been played at random."""
    game, rows = Atspek(players), []
    for _ in range(number):
        state = game.deal(random)
        state = game.play(state, random.choice(game.moves(state)))
        for _ in range(tricks * players):
            state = game.play(state, random.choice(game.moves(state)))
        rows.append(packed(game, state, game.pov(state)))
    return np.concatenate(rows)


def cost(rows: NDArray[np.int64], limit: int) -> float:
    """A mean of the nodes in which the hardest deals do not count for everything."""
    _, done, nodes = kernel.Solver(16).values(rows, nodes=limit)
    return float(np.mean((nodes + 20.0) ** 0.6) ** (1 / 0.6)) if done.all() else float("inf")


def varied(weights: Weights, random: Random) -> Weights:
    """One to three of the weights a little different."""
    changed = [list(row) for row in weights]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        row = random.choice(changed)
        place = random.randrange(len(row))
        row[place] += random.choice((-1, 1)) * random.randint(1, STEPS.get(place, 30))
    return changed


def climb(seconds: float, seed: int, many: bool) -> None:
    """Keeps every change that makes the tree smaller, until the time is up."""
    random = Random(seed)
    rows = (
        np.concatenate([endings(random, 3, 1, 40), endings(random, 4, 0, 40)]) if many else endings(random, 2, 2, 120)
    )
    tables = [[list(row) for row in table] for table in (kernel.LEADS, kernel.REPLIES, kernel.MANY)]
    least, end = float("inf"), time.monotonic() + seconds
    nodes = 0
    while time.monotonic() < end:
        tried = list(tables)
        if least < float("inf"):
            which = 2 if many else random.randrange(2)
            tried[which] = varied(tables[which], random)
        kernel.set_ordering(*tried)
        found = cost(rows, nodes)
        if found < least:
            least, tables = found, tried
            nodes = int(3 * least * len(rows))
            print(f"{least:.0f}", flush=True)
    print(*tables, sep="\n")


if __name__ == "__main__":
    climb(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000, "many" in sys.argv)
