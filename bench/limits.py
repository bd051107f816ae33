"""How soon a search ends after its limit of time, and after Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solver.game import Game, registry
from solver.search import MAX_N, PARANOID, Limit, LimitMet, objective_of, packed, packed_values, solve

ALLOWED: Final = 0.3
"""Seconds that a search may take."""
LATE_AFTER_LIMIT: Final = 0.05
LATE_AFTER_INTERRUPT: Final = 0.1
"""How many seconds later it must have ended."""
_DEALS: Final = 32
_REPEATS: Final = 1 << 12
"""So often these deals are solved in turn, which no kernel does in the time allowed."""


class Ended(RuntimeError):
    """The search was over before its time, so there was nothing to stop."""


@dataclass(frozen=True)
class Search:
    """A search that does not end by itself in the time allowed: one deal by max^n, or very many deals in a batch."""

    game: Game[Any]
    objective: str

    @property
    def title(self) -> str:
        """The game, its players and the objective."""
        return f"{self.game.title}, {self.game.players} players, {self.objective}"

    def run(self, limit: Limit) -> None:
        """Searches until it is stopped."""
        try:
            if self.objective == MAX_N:
                exact = solve(self.game, self.state(0), MAX_N, limit).depth is None
            else:
                packed_values(type(self.game), self.rows, limit=limit)
                exact = True
        except LimitMet:
            exact = False
        if exact:
            raise Ended(f"{self.title}: it was over before it could be stopped")

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The batch."""
        states = map(self.state, range(_DEALS))
        rows = [packed(self.game, state, self.game.pov(state)) for state in states]
        return np.tile(np.concatenate(rows), (_REPEATS, 1))

    def state(self, seed: int) -> Any:
        """A random deal in the play."""
        random = Random(seed)
        state = self.game.deal(random)
        while self.game.declaring_phase(state):
            state = self.game.play(state, random.choice(self.game.moves(state)))
        return state


def searches() -> Iterator[Search]:
    """Every game that is dealt, every number of players, and every objective."""
    for kind in registry().values():
        for game in map(kind, kind.seats if kind.name != "plain" else ()):
            for objective in dict.fromkeys((objective_of(game, PARANOID), objective_of(game, MAX_N))):
                yield Search(game, objective)


def lateness_after_limit(search: Search) -> float:
    """Seconds from the end of the time allowed to the end of the search."""
    search.run(Limit(time=0.01))  # what is loaded and dealt for the first time is no part of it
    begun = time.perf_counter()
    search.run(Limit(time=ALLOWED))
    return time.perf_counter() - begun - ALLOWED


def lateness_after_interrupt(search: Search) -> float:
    """Seconds from Ctrl-C, after the time allowed, to the end of the search."""
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        pressed = time.perf_counter()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(ALLOWED, press)
    timer.start()
    try:
        search.run(Limit(time=100 * ALLOWED))
    except KeyboardInterrupt:
        pass  # nothing had been found that could be answered
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    return time.perf_counter() - pressed
