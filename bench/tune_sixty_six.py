"""The hill climb that found the weights of the move ordering of Sixty-six: `python -m bench.tune_sixty_six`.

It changes a few weights at a time and keeps what makes the search trees of its own random deals smaller; no benchmark
uses these deals. Every improvement is printed, in the form in which src_ext/_sixty_six_race.pxi has the weights.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from solver import _sixty_six as kernel

from . import deals, hill_climb

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


def main() -> None:
    """The command."""
    given = hill_climb.parser("Sixty-six", 400).parse_args()
    rows = deals.rows(deals.draws(f"tune sixty_six {given.seed}", deals.dealt("sixty_six", 2), 0, given.deals))
    random = Random(given.seed)
    hill_climb.climb(
        kernel.get_weights(),
        lambda weights, most: cost(weights, rows, most),
        lambda weights: changed(weights, random),
        lambda total: (total / len(rows)) ** (1 / _FLATTENING),
        given.seconds,
    )


if __name__ == "__main__":
    main()
