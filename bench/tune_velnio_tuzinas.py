"""The hill climb that found the weights of the move ordering of Velnio tuzinas: `python -m bench.tune_velnio_tuzinas`.

It changes a few weights at a time and keeps what makes the search trees of its own random deals smaller (two players,
who wins); no benchmark uses these deals. Every improvement is printed, in the order in which the kernel's source,
src_ext/_velnio_tuzinas.pyx, has the weights.
"""

from __future__ import annotations

import argparse
import time
from random import Random

import numpy as np
from numpy.typing import NDArray

from solver import _velnio_tuzinas as kernel

from . import deals

_QUESTION = 77
"""The word of a row that asks for the sign alone when it is 1."""


def cost(weights: list[int], rows: NDArray[np.int64], most: int) -> int | None:
    """Nodes that the search of all rows takes; None when that is more than `most`."""
    kernel.set_weights(weights)
    _, done, nodes = kernel.Solver(4).values(rows, nodes=most)
    return int(nodes.sum()) if done.all() else None


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


def climb(rows: NDArray[np.int64], seconds: float, random: Random) -> list[int]:
    """The best weights found in a time, from those now in force."""
    weights = kernel.get_weights()
    best = cost(weights, rows, 0)
    assert best is not None
    print(f"{best / len(rows):.0f} nodes", weights, flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        trial = changed(weights, random)
        found = cost(trial, rows, best)
        if found is not None and found < best:
            best, weights = found, trial
            print(f"{best / len(rows):.0f} nodes", weights, flush=True)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description="Tunes the move ordering of Velnio tuzinas on random deals.")
    parser.add_argument("--deals", type=int, default=100, help="how many (100)")
    parser.add_argument("--seconds", type=float, default=1200, help="how long (1200)")
    parser.add_argument("--seed", type=int, default=1, help="of deals and changes (1)")
    options = parser.parse_args()
    drawn = deals.draws(f"tune velnio_tuzinas {options.seed}", deals.dealt("velnio_tuzinas", 2), 0, options.deals)
    rows = deals.rows(drawn)
    rows[:, _QUESTION] = 1
    climb(rows, options.seconds, Random(options.seed))


if __name__ == "__main__":
    main()
