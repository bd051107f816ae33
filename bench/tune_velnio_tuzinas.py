"""The hill climb that found the weights of the move ordering of Velnio tuzinas: `python -m bench.tune_velnio_tuzinas`.

It changes a few weights at a time and keeps what makes the search trees of its own random deals smaller (two players,
who wins); no benchmark uses these deals. Every improvement is printed, in the order in which the kernel's source,
src_ext/_velnio_tuzinas.pyx, has the weights.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from solver import _velnio_tuzinas as kernel

from . import deals, hill_climb

_QUESTION = 77
"""The word of a row that asks for the sign alone when it is 1."""


def cost(weights: list[int], rows: NDArray[np.int64], most: float) -> float:
    """Nodes that the search of all rows takes; infinity when that is more than `most`."""
    kernel.set_weights(weights)
    _, done, nodes = kernel.Solver(4).values(rows, nodes=int(most) if most < float("inf") else 0)
    return float(nodes.sum()) if done.all() else float("inf")


def changed(weights: list[int], random: Random) -> list[int]:
    """The weights with one or two of them moved, or all cards of a kind, the higher ones, or all tricks together."""
    trial = [float(weight) for weight in weights]
    kind = random.random()
    if kind < 0.6:
        for place in random.sample(range(len(trial)), random.choice([1, 1, 2])):
            trial[place] += random.gauss(0, 8)
    elif kind < 0.85:
        first, last = random.choice([(0, 13), (13, 26)])
        step = random.gauss(0, 10)
        for place in range(random.randrange(first, last), last):
            trial[place] += step
    else:
        factor = random.uniform(0.7, 1.4)
        for place in range(26, 32):
            trial[place] *= factor
    return [round(weight) for weight in trial]


def main() -> None:
    """The command."""
    given = hill_climb.parser("Velnio tuzinas", 100).parse_args()
    drawn = deals.draws(f"tune velnio_tuzinas {given.seed}", deals.dealt("velnio_tuzinas", 2), 0, given.deals)
    rows = deals.rows(drawn)
    rows[:, _QUESTION] = 1
    random = Random(given.seed)
    hill_climb.climb(
        kernel.get_weights(),
        lambda weights, most: cost(weights, rows, most),
        lambda weights: changed(weights, random),
        lambda total: total / len(rows),
        given.seconds,
    )


if __name__ == "__main__":
    main()
