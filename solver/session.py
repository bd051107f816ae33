"""A match between a person and players: whose turn it is, what was played, hints, taking back, saving.

Everything that happens is told as facts and moves; how it looks is the terminal's affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from . import players
from .analysis import Analysis, analyse
from .game import SEATS, RuleError
from .match import Deal, Match, RecordError, player_seed
from .position import Position
from .search import Limit

PERSON: Final = 0
"""The person is player number 0; the deal moves on, so his seat changes."""
YOU: Final = "you"
_HINT: Final = Limit(time=1.0)


class Played(NamedTuple):
    """A move as it was made, and the seat that made it."""

    seat: int
    move: str


class Session:
    """A match in progress.

    match: as far as it has been played. Raises ValueError for a level there is not.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.others = [
            players.from_text(name, player_seed(match.seed, at)) for at, name in enumerate(match.names) if at
        ]

    @property
    def position(self) -> Position:
        """The deal at hand, every card open. Only while the match goes on."""
        assert self.match.position is not None
        return self.match.position

    @property
    def seat(self) -> int:
        """The person's seat in the deal at hand."""
        return (PERSON - self.match.first) % self.match.game.players

    @property
    def is_persons_turn(self) -> bool:
        """Is the person to move?"""
        return self.match.actor == PERSON

    def seen(self) -> Position:
        """The deal at hand as the person sees it."""
        return self.position.observe(self.seat)

    def names(self) -> dict[str, str]:
        """Who sits where, by seat letter."""
        seats = range(self.match.game.players)
        return {SEATS[seat]: self.match.names[(seat + self.match.first) % len(seats)] for seat in seats}

    # -- playing

    def others_move(self) -> Played:
        """Lets the player whose turn it is move, and tells what he did. Not on the person's turn."""
        seat = self.position.actor
        assert seat is not None and self.match.actor
        move = self.others[self.match.actor - 1].choose(self.position.observe(seat))
        self.match.step(move)
        return Played(seat, move)

    def play(self, text: str) -> str:
        """Makes the person's move, given as text or by its number among the legal ones; the move as it was made.

        Raises PositionError, saying what would have been legal.
        """
        legal = self.position.legal_moves
        move = legal[int(text) - 1] if text.isdecimal() and 0 < int(text) <= len(legal) else text
        made = self.position.write(self.position.read(move))
        self.match.step(made)
        return made

    def undo(self) -> bool:
        """Takes back to the person's last choice; False if he has not made one in this deal."""
        before = self._last_choice()
        if before is not None:
            self.match.position = before
        return before is not None

    def _last_choice(self) -> Position | None:
        game = self.match.game
        turns = [at for at, state in enumerate(self.position.states[:-1]) if game.actor(state) == self.seat]
        return self.position.before(turns[-1]) if turns else None

    @property
    def finished(self) -> Deal | None:
        """The deal before the one at hand; None in the first."""
        return self.match.deals[-1] if self.match.deals else None

    # -- advice

    def hint(self) -> Analysis:
        """What the person should do, by what he can know. Raises LimitMet if there is no time to tell."""
        return analyse(self.seen(), limit=_HINT)

    def why(self) -> tuple[str, Analysis] | None:
        """The person's last choice and the advice he would have got before it; None if he has not made one.

        Raises LimitMet.
        """
        before = self._last_choice()
        if before is None:
            return None
        return self.position.plays[len(before.moves)], analyse(before.observe(self.seat), limit=_HINT)

    # -- saving

    def save(self, path: str | Path) -> None:
        """Writes the match's record to a file. Raises RuleError if it cannot."""
        try:
            self.match.save(path)
        except OSError as error:
            raise RuleError(f"{str(path)!r} cannot be written: {error.strerror}") from error

    @classmethod
    def load(cls, path: str | Path) -> Session:
        """Goes on with a saved match. Raises RuleError for a file that is none, or that has no place for a person."""
        try:
            match = Match.load(path)
        except OSError as error:
            raise RuleError(f"{str(path)!r} cannot be read: {error.strerror}") from error
        except (RecordError, UnicodeDecodeError) as error:
            raise RuleError(f"{str(path)!r} is not a saved match: {error}") from error
        if match.names[PERSON] != YOU:
            raise RuleError(f"{str(path)!r} is a match of {', '.join(match.names)}, not one of yours")
        return cls(match)


def levels_for(seats: int, levels: Sequence[str]) -> tuple[str, ...]:
    """The names of a match's players: the person, then the levels in order, the last of them for all who are left."""
    return (YOU, *(levels[min(at, len(levels) - 1)] for at in range(seats - 1)))
