"""Bids, announcements and trumps with all cards open: what each leads to when everybody goes on as well as he can.

The auction is small, so it is searched whole: every seat maximises its own deal score (max^n), and at its end stands
the exact value of the play.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .game import BID, PASS, TRUMP, Game, Move, trump_name
from .reference import max_n_order
from .search import Limit, Solved, objective_of, solve


@dataclass
class Declaring:
    """The search of one deal's phase before the play.

    nodes: search nodes of all plays solved so far.
    """

    game: Game[Any]
    limit: Limit | None = None
    nodes: int = 0
    _plays: dict[tuple[int, ...], Solved] = field(default_factory=dict)
    _outlooks: dict[Any, tuple[int, ...]] = field(default_factory=dict)

    def solve(self, state: Any) -> Solved:
        """Every declaration's value for the one who speaks, in the game's `declaring_unit`, and the line from it on."""
        seat = self._speaker(state)
        outlooks = {move: self.outlook(self.game.play(state, move)) for move in self.game.moves(state)}
        value = max(outlook[seat] for outlook in outlooks.values())
        moves = {move: outlook[seat] for move, outlook in outlooks.items()}
        return Solved(objective_of(self.game), value, moves, self._line(state), self.nodes)

    def outlook(self, state: Any) -> tuple[int, ...]:
        """What the deal is worth to every seat from here on."""
        if self.game.actor(state) is None:
            return self.game.score(state)
        if not self.game.declaring_phase(state):
            return self.game.declared(state, self._play_value(state))
        if state not in self._outlooks:
            seat = self._speaker(state)
            choices = [self.outlook(self.game.play(state, move)) for move in self.game.moves(state)]
            self._outlooks[state] = max(choices, key=lambda outlook: max_n_order(outlook, seat))
        return self._outlooks[state]

    def trump_of(self, state: Any, bid: Move) -> str | None:
        """The suit that the bidder would name if all others passed; None where that is not a further move."""
        seat = self._speaker(state)
        after = self.game.play(state, bid)
        while self.game.declaring_phase(after):
            moves = self.game.moves(after)
            if moves[0].kind == TRUMP:
                worth = {move.trump: self.outlook(self.game.play(after, move))[seat] for move in moves}
                return next(trump_name(trump) for trump in worth if worth[trump] == max(worth.values()))
            after = self.game.play(after, Move(PASS))
        return None

    def points_of(self, state: Any, move: Move) -> int:
        """The deal score of the one who names trumps, where values count tricks."""
        after = self.game.play(state, move)
        return self.game.scores_for(after, self._play_value(after))[self._speaker(state)]

    def _speaker(self, state: Any) -> int:
        seat = self.game.actor(state)
        assert seat is not None
        return seat

    def _play_value(self, state: Any) -> int:
        value = self._play(state).value
        assert isinstance(value, int)
        return value

    def _play(self, state: Any) -> Solved:
        """The play solved, once for all contracts that it does not depend on."""
        row = tuple(self.game.packed(state, self.game.pov(state)))
        if row not in self._plays:
            self._plays[row] = solve(self.game, state, limit=self.limit)
            self.nodes += self._plays[row].nodes
        return self._plays[row]

    def _line(self, state: Any) -> list[Move]:
        line: list[Move] = []
        while self.game.actor(state) is not None and self.game.declaring_phase(state):
            best = self.outlook(state)
            line.append(
                next(move for move in self.game.moves(state) if self.outlook(self.game.play(state, move)) == best)
            )
            state = self.game.play(state, line[-1])
        return line + (self._play(state).line if self.game.actor(state) is not None else [])


def extras(search: Declaring, state: Any, move: Move) -> dict[str, Any]:
    """What an answer says of a declaration beside its value."""
    if move.kind == TRUMP and search.game.declaring_unit != "score":
        return {"points": search.points_of(state, move)}
    if move.kind == BID and move.trump is None:
        return {"trump": search.trump_of(state, move)}
    return {}
