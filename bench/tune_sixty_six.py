"""The hill climb that found the weights of the move ordering of Sixty-six: `python -m bench.tune_sixty_six`.

It changes a few weights at a time and keeps what makes the search trees of its own random deals smaller; no benchmark
uses these deals. Every improvement is printed, in the form in which src_ext/_sixty_six_race.pxi has the weights.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import numpy as np
from numpy.typing import NDArray

from solver import _sixty_six as kernel

from . import deals

_BLOCK = 25
"""Deals between two looks at whether a trial can still succeed."""
_FLATTENING = 0.85
"""Exponent of the nodes of a deal: below 1, so that a few hard deals do not decide everything."""


def cost(weights: list[int], rows: NDArray[np.int64], most: float) -> float:
    """What the search of all rows costs; infinity as soon as that is more than `most`."""
    kernel.set_weights(weights)
    solver = kernel.Solver(1)
    total = 0.0
    for start in range(0, len(rows), _BLOCK):
        nodes = solver.values(rows[start : start + _BLOCK])[2]
        total += float((nodes.astype(float) ** _FLATTENING).sum())
        if total > most:
            return float("inf")
    return total


def changed(weights: list[int], random: Random) -> list[int]:
    """The weights with one to four of them moved by up to half."""
    trial = list(weights)
    for place in random.sample(range(len(trial)), random.choice([1, 1, 1, 2, 3, 4])):
        step = max(8, abs(trial[place]) / 3) * random.choice([0.25, 0.5, 1, 1.5])
        trial[place] += random.choice([-1, 1]) * int(step)
    return trial


def climb(rows: NDArray[np.int64], seconds: float, random: Random) -> list[int]:
    """The best weights found in a time, from those now in force."""
    weights = kernel.get_weights()
    best = cost(weights, rows, float("inf"))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        trial = changed(weights, random)
        found = cost(trial, rows, best)
        if found < best:
            best, weights = found, trial
            print(f"{(best / len(rows)) ** (1 / _FLATTENING):.0f} nodes", weights, flush=True)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description="Tunes the move ordering of Sixty-six on random deals.")
    parser.add_argument("--deals", type=int, default=400, help="how many (400)")
    parser.add_argument("--seconds", type=float, default=1200, help="how long (1200)")
    parser.add_argument("--seed", type=int, default=1, help="of deals and changes (1)")
    options = parser.parse_args()
    drawn = deals.draws(f"tune sixty_six {options.seed}", deals.dealt("sixty_six", 2), 0, options.deals)
    climb(deals.rows(drawn), options.seconds, Random(options.seed))


if __name__ == "__main__":
    main()
