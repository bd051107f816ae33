"""Teaches the networks that `master` judges moves by, by self-play, and writes their weights.

    python tools/train_network.py velnio_tuzinas --deals 3000000 --write solver/data/network_velnio_tuzinas.npz
    python tools/train_network.py atspek --deals 3000000 --write solver/data/network_atspek.npz

Deals, judgements and slopes are the kernels' affair (src_ext/_judge.pxi); here the weights follow the slopes, by Adam
(Kingma and Ba 2015). The same seed gives the same network whatever the number of threads, on the same machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from math import sqrt
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from solver.game import find_game
from solver.judgement import JUDGED, packed
from solver.search import kernel

PARTS: Final = 8
"""Parts of a step that may be played at the same time, each with slopes of its own."""
DEALS: Final = 8
"""Deals in a part."""
RATE: Final = 0.001
"""Of learning, in the first half; then it falls evenly."""
ASTRAY: Final = (0.1, 0.02)
"""How often any move is made, at first and in the end; it falls evenly."""
TRACE: Final = 0.8
"""Lambda."""
_FORGETS: Final = (0.9, 0.999)
_SHOWN: Final = 1000
"""Steps between two lines of what was reached."""

Floats = NDArray[np.float32]


def begun(module: ModuleType, seed: int) -> Floats:
    """Random weights to begin with."""
    random = np.random.default_rng(seed)
    spreads = {"first": 0.12, "second": sqrt(2 / module.HIDDEN), "third": 0.1}
    parts = [spreads.get(name, 0) * random.standard_normal(shape) for name, shape in module.LAYERS.items()]
    return np.concatenate([part.ravel() for part in parts]).astype(np.float32)


class Adam:
    """Weights that follow slopes."""

    def __init__(self, weights: Floats) -> None:
        self.weights = weights
        self.means, self.squares = np.zeros_like(weights), np.zeros_like(weights)
        self.steps = 0

    def follow(self, slope: NDArray[np.floating[Any]], rate: float) -> None:
        """One step down the slope; changes the weights."""
        self.steps += 1
        self.means += (1 - _FORGETS[0]) * (slope - self.means)
        self.squares += (1 - _FORGETS[1]) * (slope * slope - self.squares)
        spread = np.sqrt(self.squares / (1 - _FORGETS[1] ** self.steps))
        self.weights -= rate / (1 - _FORGETS[0] ** self.steps) * self.means / (spread + 1e-8)


def played(
    module: ModuleType, weights: Floats, seeds: Sequence[int], astray: float, executor: Executor
) -> tuple[Floats, int, float]:
    """The slopes of the deals of a step, the moves made, and the sum of their squared errors in units."""

    def part(seed: int) -> tuple[Floats, int, float]:
        slopes = np.zeros_like(weights)
        return slopes, *module.self_play(weights, slopes, seed, DEALS, astray, TRACE)

    slopes, moves, errors = zip(*executor.map(part, seeds), strict=True)
    return sum(slopes), sum(moves), sum(errors)


def taught(module: ModuleType, weights: Floats, deals: int, seed: int, threads: int) -> Iterator[tuple[int, float]]:
    """Changes the weights, and yields after each step the moves that were made and the sum of their squared errors."""
    adam = Adam(weights)
    steps = max(1, deals // (PARTS * DEALS))
    with ThreadPoolExecutor(threads) as executor:
        for step in range(steps):
            done = step / steps
            seeds = np.random.SeedSequence([seed, step]).generate_state(PARTS, np.uint64).tolist()
            astray = ASTRAY[0] + (ASTRAY[1] - ASTRAY[0]) * done
            slopes, moves, errors = played(module, weights, seeds, astray, executor)
            adam.follow(slopes / moves, RATE * min(1, 2 * (1 - done)))
            yield moves, errors


@click.command(help="Teach a network by self-play.")
@click.argument("game", type=click.Choice(sorted(JUDGED)))
@click.option("--deals", default=3_000_000, show_default=True, help="To be played.")
@click.option("--threads", default=1, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--write", type=click.Path(path_type=Path), help="Put the weights into this file.")
def main(game: str, deals: int, threads: int, seed: int, write: Path | None) -> None:
    """The command."""
    module = kernel(find_game(game))
    assert module is not None
    weights = begun(module, seed)
    moves, error = 0, 0.0
    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task("deals", total=deals)
        for step, (made, off) in enumerate(taught(module, weights, deals, seed, threads), 1):
            moves, error = moves + made, error + off
            progress.advance(bar, PARTS * DEALS)
            if step % _SHOWN == 0:
                click.echo(f"{PARTS * DEALS * step:,} deals: off by {module.UNIT * sqrt(error / moves):.3f} points")
                moves, error = 0, 0.0
    if write is not None:
        layers: dict[str, Any] = packed(module, weights)
        np.savez_compressed(write, **layers)


if __name__ == "__main__":
    main()
