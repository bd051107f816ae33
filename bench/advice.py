"""How long advice takes where cards are unseen: the questions people ask, with two threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from solver import Analysis, Limit, Position, analyse, suggest_bid, suggest_trump
from solver.sampling import Layouts

THREADS: Final = 2
LAYOUTS_DRAWN: Final = 1 << 20


@dataclass(frozen=True)
class Question:
    """What is asked, in how many layouts, and how many seconds it may take."""

    name: str
    ask: Callable[..., Analysis]
    game: str
    contract: dict[str, Any] | None
    samples: int
    target: float

    def position(self, seed: int) -> Position:
        """A random deal as the seat that speaks first sees it."""
        dealt = Position.deal(self.game, seed=seed).observe(0)
        if self.contract is None:
            return dealt
        return Position.from_dict({**dealt.to_dict(), "contract": self.contract})

    def seconds(self, seed: int) -> float:
        """How long the answer takes, on the clock on the wall."""
        position = self.position(seed)
        begun = time.perf_counter()
        self.ask(position, limit=Limit(samples=self.samples), threads=THREADS)
        return time.perf_counter() - begun


QUESTIONS: Final = (
    Question("Antikoziris, lead", analyse, "antikoziris", {"declarer": "A", "bid": 2, "trump": "H"}, 2000, 1.0),
    Question("Piramidė, announcement", suggest_bid, "piramide", None, 1000, 2.0),
    Question("Atspėk, trump", suggest_trump, "atspek", None, 200, 10.0),
    Question("Sixty-six, lead", analyse, "sixty_six", None, 50, 10.0),
    Question("Velnio tuzinas, lead", analyse, "velnio_tuzinas", None, 500, 5.0),
)


def layouts_a_second(seed: int = 0) -> float:
    """How many layouts of an Antikoziris deal at its first trick one thread draws in a second."""
    layouts = Layouts(QUESTIONS[0].position(seed))
    layouts.sample(1)
    begun = time.perf_counter()
    layouts.sample(LAYOUTS_DRAWN, seed)
    return LAYOUTS_DRAWN / (time.perf_counter() - begun)
