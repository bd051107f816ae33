"""Bids, announcements and trumps: what each leads to when everybody goes on as well as he can.

The auction is small, so it is searched whole, every seat for its own deal score (max^n). At its end stands the exact
value of the play in each of the given layouts, one where all cards are open.

What is assumed of bidding with unseen cards: the seat that asks chooses what is best on average over the layouts, now
and later; the others bid as if they saw all cards. So a high bid of theirs is made wherever it can be, and passing is
worth what the score sheet gives when the others go on so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .game import BID, PASS, TRUMP, Game, Move, trump_name
from .search import Limit, Solvers, value_table

_FAR: float = 1e6
"""More than any deal score: weighs a seat's own score against those of others that break ties."""


class Declaring:
    """The search of one deal's phase before the play, over n layouts.

    rows: the packed rows int64[n, WIDTH] of a state after the last declaration. asker: the seat that does not see the
    layouts. nodes: search nodes so far. Raises LimitMet as soon as a play cannot be solved within the limit.
    """

    def __init__(
        self,
        game: Game[Any],
        rows: Callable[[Any], NDArray[np.int64]],
        asker: int,
        *,
        threads: int = 1,
        limit: Limit | None = None,
    ) -> None:
        self.game = game
        self.rows = rows
        self.asker = asker
        self.limit = limit or Limit()
        self.solvers = Solvers(type(game), threads=threads, table_mb=self.limit.table_mb)
        self.nodes = 0
        self._plays: dict[bytes, NDArray[np.int32]] = {}
        self._outlooks: dict[Any, NDArray[np.float64]] = {}

    def moves(self, state: Any) -> dict[Move, NDArray[np.float64]]:
        """By declaration, what the deal is worth to every seat in every layout: float64[n, seats]."""
        return {move: self.outlook(self.game.play(state, move)) for move in self.game.moves(state)}

    def outlook(self, state: Any) -> NDArray[np.float64]:
        """What the deal is worth to every seat from here on, in the game's `declaring_unit`: float64[n, seats]."""
        if state not in self._outlooks:
            self._outlooks[state] = self._outlook(state)
        return self._outlooks[state]

    def _outlook(self, state: Any) -> NDArray[np.float64]:
        seat = self.game.actor(state)
        if seat is None:
            return np.array([self.game.score(state)], dtype=np.float64)
        if not self.game.declaring_phase(state):
            return self._by_seat(state, self.game.declared)
        choices = np.stack(np.broadcast_arrays(*self.moves(state).values()))
        order = _order(choices, seat)
        if seat == self.asker:
            chosen = choices[order.mean(axis=1).argmax()]
        else:
            chosen = np.take_along_axis(choices, order.argmax(axis=0)[None, :, None], axis=0)[0]
        return np.asarray(chosen, dtype=np.float64)

    def scores(self, state: Any) -> NDArray[np.float64]:
        """The deal score of every seat in every layout when the play begins here: float64[n, seats]."""
        return self._by_seat(state, self.game.scores_for)

    def values(self, state: Any) -> NDArray[np.int32]:
        """The value of the play that begins here, for its pov, in every layout: int32[n]."""
        rows = self.rows(state)
        key = rows[:1].tobytes()  # contracts that do not change the play share its solution
        if key not in self._plays:
            table = value_table(self.solvers, rows, limit=self.limit)
            self._plays[key] = table.values
            self.nodes += table.nodes
        return np.int32(self.game.sign(state)) * self._plays[key]

    def _by_seat(self, state: Any, worth: Callable[[Any, int], tuple[int, ...]]) -> NDArray[np.float64]:
        found, places = np.unique(self.values(state), return_inverse=True)
        return np.array([worth(state, int(value)) for value in found], dtype=np.float64)[places]

    def line(self, state: Any) -> list[Move]:
        """The best declarations until the play begins, or the deal is passed out; for a single layout."""
        line: list[Move] = []
        while self.game.actor(state) is not None and self.game.declaring_phase(state):
            best = self.outlook(state)
            line.append(next(move for move, found in self.moves(state).items() if np.array_equal(found, best)))
            state = self.game.play(state, line[-1])
        return line

    # -- what is told beside the value

    def contract_of(self, state: Any, bid: Move) -> Any:
        """The state in which the play begins if all others pass this bid, the bidder's best trumps named.

        None for a pass, and where the bid names the trumps itself the state after it.
        """
        if bid.kind == PASS:
            return None
        after = self.game.play(state, bid)
        while self.game.declaring_phase(after):
            moves = self.game.moves(after)
            passes = moves[0].kind != TRUMP
            after = self.game.play(after, Move(PASS) if passes else self._best_trump(after, moves))
        return after

    def _best_trump(self, state: Any, moves: list[Move]) -> Move:
        seat = self.game.actor(state)
        return max(moves, key=lambda move: self.outlook(self.game.play(state, move))[:, seat].mean())


def _order(choices: NDArray[np.float64], seat: int) -> NDArray[np.float64]:
    """How a seat ranks outlooks, float64[choices, n]: its own score first, then a small best opponent."""
    others = np.delete(choices, seat, axis=2)
    return np.asarray(choices[:, :, seat] * _FAR - others.max(axis=2), dtype=np.float64)


def names_trump(move: Move, contract: Any) -> str | None:
    """The suit that a bid's contract would be played in, where the bid does not say so itself."""
    return trump_name(contract.contract.trump) if move.kind == BID and move.trump is None else None
