"""A row of the suite: one kind of deal, the question asked of it, and how fast the answer is meant to come."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.game import Game
from solver.search import kernel

from . import deals
from .deals import Draw

WARMING = 1 << 20
"""Number of the first deal that only warms a table."""


@dataclass(frozen=True)
class Row:
    """One kind of deal and the question asked of it.

    name: on the command line, and the seed of the deals. title: in the table. draw: how one deal is drawn.
    target: microseconds a deal that are aimed at; or the rival, by name, that is to be no faster.
    slow: milliseconds a deal rather than microseconds, so that a quick run takes few of them.
    sign: is it asked only who wins (Velnio tuzinas)? kind: the seed, where two rows share their deals.
    """

    name: str
    title: str
    draw: Draw
    target: float | str
    slow: bool = False
    sign: bool = False
    kind: str = ""

    @property
    def passes(self) -> int:
        """How many times one measurement solves the deals, each time with a table that has not seen them."""
        return 1 if self.slow else 10

    @property
    def warming(self) -> int:
        """How many other deals a table sees first, so that its memory is there as in the midst of a long batch."""
        return 10 if self.slow else 500

    def rows(self, first: int, count: int) -> NDArray[np.int64]:
        """Deals number first, first + 1, ... as packed positions."""
        drawn = deals.rows(deals.draws(self.kind or self.name, self.draw, first, count))
        return deals.asking_sign(drawn) if self.sign else drawn

    @property
    def game(self) -> type[Game[Any]]:
        """The game that is played."""
        [(game, _)] = deals.draws(self.name, self.draw, 0, 1)
        return type(game)

    def solver(self, table_mb: float = 64) -> Any:
        """A new solver of its kernel. table_mb: of its table; the default is the kernels'."""
        module = kernel(self.game)
        assert module is not None
        return module.Solver(table_mb)


ROWS = (
    Row("antikoziris", "Antikoziris 3x8, fewest tricks", deals.antikoziris, 110),
    Row("piramide4", "Piramidė 4x6, score", deals.piramide(4), 35),
    Row("piramide3", "Piramidė 3x6, score", deals.piramide(3), 16),
    Row("preferans", "Preferans 3x10", deals.preferans, 150),
    Row("atspek", "Atspėk, 2 players", deals.atspek(2), 7_000, slow=True),
    Row("sixty_six", "Sixty-six, 2 players, whole stock", deals.dealt("sixty_six", 2), 10_000, slow=True),
    Row(
        "velnio_sign",
        "Velnio tuzinas, 2 players, who wins",
        deals.dealt("velnio_tuzinas", 2),
        6_000,
        slow=True,
        sign=True,
        kind="velnio",
    ),
    Row(
        "velnio_margin",
        "Velnio tuzinas, 2 players, margin",
        deals.dealt("velnio_tuzinas", 2),
        20_000,
        slow=True,
        kind="velnio",
    ),
    Row("schnapsen", "Schnapsen, 5 cards each, no stock", deals.schnapsen_ending, 20),
    Row("bridge", "Bridge, one trump suit, 13 tricks", deals.bridge, "dds_value", slow=True),
)


@cache
def by_name() -> dict[str, Row]:
    """All rows by name."""
    return {row.name: row for row in ROWS}
