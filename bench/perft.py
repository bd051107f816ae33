"""Counts of move sequences: the fastest check that a kernel plays by the rules, and how fast it makes moves."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from solver.game import Game
from solver.position import Position
from solver.search import kernel, packed

from . import deals
from .deals import Draw

FILE = Path(__file__).with_name("perft.json")
ENOUGH = 3_000_000
"""Sequences that make a count; no depth is taken that has more than some tens of times as many."""

DRAWS: dict[str, Draw] = {
    "antikoziris 3": deals.antikoziris,
    "piramide 2": deals.piramide(2),
    "piramide 3": deals.piramide(3),
    "piramide 4": deals.piramide(4),
    "preferans 3": deals.preferans,
    "bridge 4": deals.bridge,
    "atspek 2": deals.atspek(2),
    "atspek 3": deals.atspek(3),
    "atspek 4": deals.atspek(4),
    "sixty_six 2": deals.dealt("sixty_six", 2),
    "sixty_six 3": deals.dealt("sixty_six", 3),
    "schnapsen 2": deals.dealt("sixty_six", 2, "schnapsen"),
    "schnapsen ending": deals.schnapsen_ending,
    "velnio_tuzinas 2": deals.dealt("velnio_tuzinas", 2),
    "velnio_tuzinas 3": deals.dealt("velnio_tuzinas", 3),
    "velnio_tuzinas 4": deals.dealt("velnio_tuzinas", 4),
    "velnio_tuzinas 8": deals.dealt("velnio_tuzinas", 8),
}


@dataclass(frozen=True)
class Perft:
    """How many sequences of `depth` moves a position has."""

    position: dict[str, Any]
    depth: int
    sequences: int


class Counter:
    """Counts by the kernel of a position's game."""

    def __init__(self, game: Game[Any], state: Any) -> None:
        module = kernel(type(game))
        assert module is not None
        self.solver = module.Solver(1)
        self.row = packed(game, state, game.pov(state))[0]

    def count(self, depth: int) -> int:
        """The number of sequences of so many moves."""
        return int(self.solver.perft(np.ascontiguousarray(self.row), depth))


def count(game: Game[Any], state: Any, depth: int) -> int:
    """The same by the readable rules, slowly."""
    moves = game.moves(state)
    if depth <= 1:
        return len(moves) if depth else 1
    return sum(count(game, game.play(state, move), depth - 1) for move in moves)


def drawn(name: str, enough: int = ENOUGH) -> Perft:
    """The first deal of a kind, counted as deep as makes enough sequences, or to its end."""
    [(game, state)] = deals.draws(name, DRAWS[name], 0, 1)
    counter = Counter(game, state)
    depth, found = 1, counter.count(1)
    while found < enough and (deeper := counter.count(depth + 1)):
        depth, found = depth + 1, deeper
    return Perft(Position(game, state).to_dict(), depth, found)


def read(file: Path = FILE) -> dict[str, Perft]:
    """The counts in a file, by name."""
    return {name: Perft(**entry) for name, entry in json.loads(file.read_text()).items()}


def write(counts: dict[str, Perft], file: Path = FILE) -> None:
    """Writes counts, one a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(vars(entry))}" for name, entry in counts.items()]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def recounted(expected: Perft) -> tuple[int, float]:
    """The number of sequences now, and the processor time of the count."""
    position = Position.from_dict(expected.position)
    counter = Counter(position.game, position.state)
    start = time.process_time()
    found = counter.count(expected.depth)
    return found, time.process_time() - start
