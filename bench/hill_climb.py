"""Better ordering weights by changing a few at a time and keeping what makes search trees smaller."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import TypeVar

Weights = TypeVar("Weights")


def climb(
    weights: Weights,
    cost: Callable[[Weights, float], float],
    changed: Callable[[Weights], Weights],
    nodes: Callable[[float], float],
    seconds: float,
) -> Weights:
    """The best weights found in a time; each improvement is printed.

    cost: of weights, infinity as soon as it is more than the second argument. changed: weights to try instead of those
    given, which stay as they are. nodes: from a cost to the nodes of a deal.
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


def parser(game: str, deals: int) -> argparse.ArgumentParser:
    """What the command line of every such program takes: deals, seconds, seed. deals: unless others are asked for."""
    made = argparse.ArgumentParser(description=f"Tunes the move ordering of {game} on random deals.")
    made.add_argument("--deals", type=int, default=deals, help=f"how many ({deals})")
    made.add_argument("--seconds", type=float, default=1200, help="how long (1200)")
    made.add_argument("--seed", type=int, default=1, help="of deals and changes (1)")
    return made
