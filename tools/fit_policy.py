"""Fits how `expert` moves, and writes the weights that `solver.policy` goes by.

    python tools/fit_policy.py sixty_six --deals 750 --played 66.jsonl --write solver/data/policy_sixty_six.npz

`expert` plays against itself; the deals are kept, and those that are there already are not played again. The weights
of the conditional logit are those of the greatest likelihood with a Gaussian prior, found by Adam (Kingma and Ba
2015). The table is of deals that the weights were not fitted to: the mean logarithm of how likely the moves made are
by the policy, and if all legal ones were equally likely.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from solver import players, policy_sixty_six
from solver.position import Position

GAMES: Final[dict[str, Any]] = {"sixty_six": policy_sixty_six}
"""The modules that say what there was to choose."""
SAMPLES: Final = 20
"""Layouts for a move."""
FIRST: Final = 1_000_000
"""The seed of the first deal."""
KEPT_OUT: Final = 0.1
"""The share of the deals that are for the table alone."""
PRIOR: Final = 1.0
"""The precision of the prior of each weight."""
STEPS: Final = 400
RATE: Final = 0.05
_FORGETS: Final = (0.9, 0.999)

Weights = list[NDArray[np.float64]]


class Choices(NamedTuple):
    """Moves of one situation. codes: by aspect, int64[n, moves]. legal: bool[n, moves]. made: int64[n]."""

    codes: list[NDArray[np.int64]]
    legal: NDArray[np.bool_]
    made: NDArray[np.int64]


def played(game: str, deals: int, path: Path) -> list[Position]:
    """The deals in a file, which gets those that are missing."""
    known = path.read_text("utf-8").splitlines() if path.exists() else []
    with path.open("a", encoding="utf-8") as book:
        for seed in track(range(FIRST + len(known), FIRST + deals), "deals", console=Console(stderr=True)):
            position = Position.deal(game, seed=seed)
            seated = [players.create("expert", seed=2 * seed + seat, samples=SAMPLES) for seat in range(2)]
            while position.actor is not None:
                position.play(seated[position.actor].choose(position.observe(position.actor)))
            known.append(position.to_text())
            book.write(known[-1] + "\n")
    return [Position.from_text(line) for line in known[:deals]]


def gathered(game: str, deals: Sequence[Position]) -> dict[str, Choices]:
    """All moves with more than one choice, by situation, each with the hand that made it."""
    found = defaultdict(list)
    for deal in deals:
        for seat in range(deal.players):
            present = np.array([deal.state.hands[seat]])
            for choice in GAMES[game].choices(deal, seat, present, np.random.default_rng(0)):
                if choice.legal.sum() > 1:
                    found[choice.situation].append(choice)
    return {
        situation: Choices(
            [np.concatenate(codes) for codes in zip(*(choice.aspects for choice in some), strict=True)],
            np.concatenate([choice.legal for choice in some]),
            np.array([choice.made for choice in some]),
        )
        for situation, some in found.items()
    }


def chances(weights: Weights, found: Choices) -> NDArray[np.float64]:
    """How likely every move is: float64[n, moves]."""
    utilities = sum(table[codes] for table, codes in zip(weights, found.codes, strict=True))
    likely = np.exp(utilities - np.max(utilities, axis=1, keepdims=True)) * found.legal
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def fitted(found: Choices, sizes: Sequence[int]) -> Weights:
    """The weights under which the moves made are likeliest."""
    weights, means, squares = ([np.zeros(size) for size in sizes] for _ in range(3))
    made = np.arange(found.legal.shape[1]) == found.made[:, None]
    for step in range(1, STEPS + 1):
        excess = (chances(weights, found) - made).ravel()
        rate = RATE if step <= STEPS // 2 else RATE / 5
        for at, size in enumerate(sizes):
            slope = np.bincount(found.codes[at].ravel(), excess, size) + PRIOR * weights[at]
            slope /= len(made)
            means[at] += (1 - _FORGETS[0]) * (slope - means[at])
            squares[at] += (1 - _FORGETS[1]) * (slope**2 - squares[at])
            spread = np.sqrt(squares[at] / (1 - _FORGETS[1] ** step))
            weights[at] -= rate * means[at] / (1 - _FORGETS[0] ** step) / (spread + 1e-8)
    return weights


def judged(weights: Weights, found: Choices) -> tuple[float, float]:
    """The mean logarithms of the chances of the moves made, by the policy and if all were equally likely."""
    by_policy = chances(weights, found)[np.arange(len(found.made)), found.made]
    return float(np.log(by_policy).mean()), float(-np.log(found.legal.sum(axis=1)).mean())


@click.command(help="Fit how expert moves.")
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--deals", default=1000, show_default=True, help="How many are fitted to, or kept out.")
@click.option("--played", "book", type=click.Path(path_type=Path), required=True, help="Where they are kept.")
@click.option("--write", type=click.Path(path_type=Path), help="Put the weights into this file.")
def main(game: str, deals: int, book: Path, write: Path | None) -> None:
    """The command."""
    known = played(game, deals, book)
    cut = round(len(known) * (1 - KEPT_OUT))
    ours, others = gathered(game, known[:cut]), gathered(game, known[cut:])
    weights = {situation: fitted(ours[situation], sizes) for situation, sizes in GAMES[game].SIZES.items()}
    table = Table("situation", "moves", "policy", "uniform")
    for situation, found in others.items():
        policy, uniform = judged(weights[situation], found)
        table.add_row(situation, str(len(found.made)), f"{policy:.3f}", f"{uniform:.3f}")
    Console().print(table)
    if write is not None:
        named: dict[str, Any] = {
            f"{situation} {at}": np.round(part, 2).astype(np.float32)
            for situation, some in weights.items()
            for at, part in enumerate(some)
        }
        np.savez_compressed(write, **named)


if __name__ == "__main__":
    main()
