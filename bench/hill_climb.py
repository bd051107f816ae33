"""Better ordering weights by changing a few at a time and keeping what makes search trees smaller."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable


def climb(
    weights: list[int],
    cost: Callable[[list[int], float], float],
    changed: Callable[[list[int]], list[int]],
    nodes: Callable[[float], float],
    seconds: float,
) -> list[int]:
    """The best weights found in a time; each improvement is printed.

    cost: of weights, infinity as soon as it is more than the second argument. changed: weights to try instead of those
    given. nodes: from a cost to the nodes of a deal.
    """
    best = cost(weights, float("inf"))
    print(f"{nodes(best):.0f} nodes", weights, flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        trial = changed(weights)
        found = cost(trial, best)
        if found < best:
            best, weights = found, trial
            print(f"{nodes(best):.0f} nodes", weights, flush=True)
    return weights


def options(game: str, deals: int) -> argparse.Namespace:
    """What the command line of such a program says: deals, seconds, seed."""
    parser = argparse.ArgumentParser(description=f"Tunes the move ordering of {game} on random deals.")
    parser.add_argument("--deals", type=int, default=deals, help=f"how many ({deals})")
    parser.add_argument("--seconds", type=float, default=1200, help="how long (1200)")
    parser.add_argument("--seed", type=int, default=1, help="of deals and changes (1)")
    return parser.parse_args()
