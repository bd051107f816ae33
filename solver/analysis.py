"""What is the best move, and how much better than the rest."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, TypeAlias

from .declaring import Declaring, extras
from .game import SEATS, Game, Move, Phrase, RuleError
from .position import Position
from .reference import max_n_order
from .search import PARANOID, Limit, Solved, solve, wants_most

Value: TypeAlias = int | tuple[int, ...]


@dataclass(frozen=True)
class MoveValue:
    """One legal move and what it is worth.

    move: as text. value: in the analysis' unit, for its pov; with `max_n` one for each seat. points: the expected deal
    score, where trumps are named and the value counts tricks. trump: the suit to name when the bid wins the auction.
    """

    move: str
    value: Value
    points: int | None = None
    trump: str | None = None


@dataclass(frozen=True)
class Analysis:
    """Every legal move of a position with its value, best first.

    game: its name. to_move: the seat, None when the deal is over. pov: the seat for which values are counted.
    unit: what they count. objective: minimax, paranoid or max_n. exact: is the value proved. value: of the position.
    best: all moves that are optimal. moves: all legal moves, best first, in listed order among equals.
    line: the best continuation. nodes: search nodes. seconds: time taken. words: the value for people.
    """

    game: str
    to_move: str | None
    pov: str
    unit: str
    objective: str
    exact: bool
    value: Value
    best: list[str]
    moves: list[MoveValue]
    line: list[str]
    nodes: int
    seconds: float
    words: Phrase

    def to_dict(self) -> dict[str, object]:
        """The answer as FORMAT has it, ready for JSON."""
        moves = [{name: entry for name, entry in vars(move).items() if entry is not None} for move in self.moves]
        return {name: moves if name == "moves" else entry for name, entry in vars(self).items() if name != "words"}


def analyse(position: Position, *, objective: str = PARANOID, limit: Limit | None = None) -> Analysis:
    """Every legal move of an open position with its exact value.

    Before the play the moves are bids, announcements or trumps. Raises RuleError for a position that is not open or
    too large to be solved, LimitMet, and ValueError for an objective there is not.
    """
    if not position.is_open:
        raise RuleError("some cards are unseen, and this position can only be analysed with all cards open", "hands")
    begun = time.perf_counter()
    game, state = position.game, position.state
    declaring = position.actor is not None and game.declaring_phase(state)
    search = Declaring(game, limit)
    solved = search.solve(state) if declaring else solve(game, state, objective, limit)
    ranked = _ranked(game, state, solved)
    return Analysis(
        game=game.name,
        to_move=None if position.actor is None else SEATS[position.actor],
        pov=SEATS[game.pov(state)],
        unit=game.declaring_unit if declaring else game.unit,
        objective=solved.objective,
        exact=True,
        value=solved.value,
        best=[position.write(move) for move in _optimal(game, state, solved, ranked)],
        moves=[
            MoveValue(position.write(move), solved.moves[move], **(extras(search, state, move) if declaring else {}))
            for move in ranked
        ],
        line=[position.write(move) for move in solved.line],
        nodes=solved.nodes,
        seconds=round(time.perf_counter() - begun, 6),
        words=_words(game, state, solved.value),
    )


def _rank(game: Game[Any], state: Any, value: Value) -> tuple[int, ...]:
    """How the one to move ranks a value: more is better."""
    if isinstance(value, tuple):
        seat = game.actor(state)
        assert seat is not None
        return max_n_order(value, seat)
    return (value if game.declaring_phase(state) or wants_most(game, state) else -value,)


def _ranked(game: Game[Any], state: Any, solved: Solved) -> list[Move]:
    """All moves, best first, in listed order among equals."""
    return sorted(solved.moves, key=lambda move: _rank(game, state, solved.moves[move]), reverse=True)


def _optimal(game: Game[Any], state: Any, solved: Solved, ranked: list[Move]) -> list[Move]:
    """Those of the moves that are as good as the first; none when the deal is over."""
    return [
        move for move in ranked if _rank(game, state, solved.moves[move]) == _rank(game, state, solved.moves[ranked[0]])
    ]


def _words(game: Game[Any], state: Any, value: Value) -> Phrase:
    """The value for people, with max_n that of the pov."""
    return game.worth(state, value[game.pov(state)] if isinstance(value, tuple) else value)
