"""A position: a deal, the moves made since, and whose eyes it is seen through."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from random import Random
from typing import Any, NamedTuple

from .cards import SUITS, UNSEEN, CardText, Holding, count, each, holding, of_suit, quoted
from .game import SEATS, TUCK, Game, Hand, Move, Phrase, Pile, RuleError, Setup, find_table, replaced
from .notation import Fields, PositionError, named_cards, read_fields, read_json, read_move, write_fields, write_move


class IllegalMove(PositionError):
    """A move that the rules do not allow here; the sentence says which they do."""


class _View(NamedTuple):
    """What a seat was shown last: the facts of the start as it knew them, the state it was, and the view itself.

    held: every card that the seat has had until then. turned: every card that has lain open.
    """

    setup: Setup
    state: Any
    view: Position
    held: Holding
    turned: Holding


@dataclass(frozen=True)
class Outcome:
    """How a finished deal ended.

    value: for the pov, in `unit`. score: the deal score by seat. words: the same as a phrase.
    """

    value: int
    unit: str
    score: tuple[int, ...]
    words: Phrase


class Position:
    """A deal and the moves made since, in python-chess manners: `legal_moves`, `play`, `undo`, `observe`.

    Moves are texts as in position files: "SA", "tuck S4 S3", "bid 3 H". Positions are equal if they have the same
    rules, start, moves and viewer. Hashing is by the same facts, so do not play on while a position is a key.

    game: the rules. seat: whose eyes it is seen through, None for an open one. match: the match score by seat.
    gone: cards out of play that everyone has seen.
    """

    def __init__(
        self,
        game: Game[Any],
        start: Any,
        *,
        seat: int | None = None,
        match: tuple[int, ...] | None = None,
        gone: Holding = 0,
        notation: str = "en",
    ) -> None:
        self.game = game
        self.seat = seat
        self.match = match
        self.gone = gone
        self.text = CardText(game.deck, notation)
        self._states: list[Any] = [start]
        self._moves: list[Move] = []
        self._loose: list[Holding] = [game.deck.cards & ~named_cards(game.setup(start), gone)]
        self._barred: list[tuple[Holding, ...]] = [(0,) * game.players]
        self._views: list[_View | None] = [None] * game.players

    # -- making positions

    @classmethod
    def from_dict(cls, data: object) -> Position:
        """A position from the keys of a position file. Raises PositionError (a ValueError)."""
        fields = read_fields(data)
        try:
            start = fields.game.start(fields.setup)
        except RuleError as error:
            raise PositionError(str(error), error.key) from error
        position = cls(
            fields.game,
            start,
            seat=fields.seat,
            match=fields.match,
            gone=fields.gone,
            notation=fields.text.notation,
        )
        for at, move in enumerate(fields.plays):
            try:
                position.play(move)
            except PositionError as error:
                raise PositionError(error.reason, f"plays[{at}]") from error
        return position

    @classmethod
    def from_text(cls, text: str) -> Position:
        """A position from JSON text. Raises PositionError."""
        return cls.from_dict(read_json(text))

    @classmethod
    def deal(cls, game: str, players: int | None = None, *, rules: object = None, seed: int | None = None) -> Position:
        """A fresh random deal, every card open; the same seed deals the same cards. Raises RuleError.

        players: default, the smallest number the game is played by. rules: as in a position file.
        """
        table = find_table(game, players, rules)
        return cls(table, table.deal(Random(seed)))

    # -- reading

    @property
    def state(self) -> Any:
        """The game's own state now."""
        return self._states[-1]

    @property
    def start(self) -> Any:
        """The game's own state before the first of `plays`."""
        return self._states[0]

    @property
    def states(self) -> Sequence[Any]:
        """The states from the start until now, one more than there are moves."""
        return self._states

    @property
    def moves(self) -> Sequence[Move]:
        """The moves made since the start."""
        return self._moves

    @property
    def plays(self) -> list[str]:
        """The moves made since the start, as text."""
        return [self.write(move) for move in self._moves]

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.game.players

    @property
    def actor(self) -> int | None:
        """The seat to move; None when the deal is over."""
        return self.game.actor(self.state)

    @property
    def is_open(self) -> bool:
        """Is every card of every hand, pile and stock named, also after tucks that nobody saw?"""
        if any(self.state.unseen):
            return False
        setup = self.game.setup(self.start)
        if any(hand.unseen for hand in setup.hands) or UNSEEN in (setup.stock or ()):
            return False
        return not any(UNSEEN in pile for piles in setup.piles or () for pile in piles)

    @property
    def unseen(self) -> Holding:
        """The cards of the deck that cannot be placed: in unseen hands, piles and stock, or out of play.

        Those of a hand that was known in part are among them once it has tucked cards that nobody saw.
        """
        return self._loose[-1]

    @property
    def barred(self) -> tuple[Holding, ...]:
        """By seat, the cards it cannot hold: its moves would not have been legal with them, or another had them."""
        return self._barred[-1]

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves in listed order; none when the deal is over.

        Raises RuleError if the one to move holds cards that cannot be seen.
        """
        seat = self.actor
        if seat is None:
            return []
        if self.state.unseen[seat]:
            raise RuleError(f"{SEATS[seat]} is to move, and his cards are not seen")
        return [self.write(move) for move in self.game.moves(self.state)]

    @property
    def outcome(self) -> Outcome | None:
        """How the deal ended; None while it goes on."""
        if self.actor is not None:
            return None
        value = self.game.value(self.state, self.game.pov(self.state))
        return Outcome(value, self.game.unit, self.game.score(self.state), self.game.worth(self.state, value))

    # -- moving

    def read(self, text: str) -> Move:
        """A move from text. Raises PositionError."""
        return read_move(text, self.text)

    def write(self, move: Move) -> str:
        """A move as text."""
        return write_move(move, self.text)

    def play(self, move: str | Move) -> None:
        """Makes a move. Raises IllegalMove, saying what would have been legal."""
        made = self.read(move) if isinstance(move, str) else move
        seat = self.actor
        if seat is None:
            raise IllegalMove(f"{quoted(self.write(made))} comes after the deal is over")
        if not self._allowed(seat, made):
            raise IllegalMove(self._illegal(seat, made))
        self._make(made)

    def _make(self, move: Move) -> None:
        """Makes a move that is known to be legal."""
        game, state = self.game, self.state
        seat = game.actor(state)
        assert seat is not None
        shown, lost = game.shown(state, move), self._lost(seat, move)
        self._barred.append(self._barred_after(seat, move, shown, lost))
        self._loose.append(self.unseen & ~shown | lost)
        self._states.append(game.play(state, move))
        self._moves.append(move)

    def _allowed(self, seat: int, move: Move) -> bool:
        """Is a move legal, or may it be, where cards of the hand are not seen?

        Naming the cards that the move shows, or for cards tucked unseen any that could lie there, gives a hand for
        which the rules decide. Its other cards, still unseen, could only forbid more.
        """
        may_hold = self.unseen & ~self.barred[seat]
        named_first = [*each(self.state.hands[seat] & ~move.cards), *each(may_hold & ~move.cards)]
        stand_ins = holding(named_first[: move.unseen])
        shown = self.game.shown(self.state, move) | stand_ins
        if shown & ~self.state.hands[seat] & ~may_hold:
            return False
        named = self._naming(seat, shown)
        return named is not None and self.game.legal(named, move._replace(cards=move.cards | stand_ins, unseen=0))

    def _naming(self, seat: int, cards: Holding) -> Any:
        """The state with these cards named in a seat's hand; None if it has not so many unseen ones."""
        state = self.state
        missing = cards & ~state.hands[seat]
        left = state.unseen[seat] - count(missing)
        if left < 0:
            return None
        return state._replace(
            hands=replaced(state.hands, seat, state.hands[seat] | missing), unseen=replaced(state.unseen, seat, left)
        )

    def _barred_after(self, seat: int, move: Move, shown: Holding, lost: Holding) -> tuple[Holding, ...]:
        """What a move tells: any single card that would have made it illegal is not among the seat's unseen ones.

        That is all it tells, since the rules here forbid a move for the sake of one card that could be played instead.
        """
        state, barred = self.state, self.barred
        if lost:
            return tuple(cards if at == seat else cards | lost for at, cards in enumerate(barred))
        remaining = state.unseen[seat] - count(shown & ~state.hands[seat])
        if not remaining or move.unseen or not self.game.obliged(state):
            return barred
        told = self._forbidding(seat, move, shown, self.unseen & ~shown & ~barred[seat])
        return replaced(barred, seat, barred[seat] | told) if told else barred

    def _forbidding(self, seat: int, move: Move, shown: Holding, cards: Holding) -> Holding:
        """Those of the cards that would each make a legal move illegal if the seat held it.

        More cards forbid more: where a move is legal with all of them in hand, none of them forbids it.
        """
        game, state = self.game, self.state
        hand = state.hands[seat] | shown

        def forbids(more: Holding) -> bool:
            return not game.legal(state._replace(hands=replaced(state.hands, seat, hand | more)), move)

        if not cards or not forbids(cards):
            return 0
        suits = [of_suit(cards, suit) for suit in range(len(SUITS))]
        return holding(
            card for suited in suits if suited and forbids(suited) for card in each(suited) if forbids(1 << card)
        )

    def _lost(self, seat: int, move: Move) -> Holding:
        """The named cards of a hand that a tuck nobody saw may have taken: he still has them, or they are gone."""
        return self.state.hands[seat] & ~move.cards if move.unseen else 0

    def _illegal(self, seat: int, move: Move) -> str:
        legal = [self.write(choice) for choice in self.game.moves(self.state)]
        choice = f"legal were {', '.join(legal)}" if legal else "his cards are not seen"
        if self.state.unseen[seat]:
            choice += f", or what his {self.state.unseen[seat]} unseen cards allow"
        return f"{quoted(self.write(move))} is not legal for {SEATS[seat]}; {choice}"

    def undo(self) -> str:
        """Takes the last move back and returns it. Raises IndexError if there is none."""
        if not self._moves:
            raise IndexError("no move has been made since the start of the position")
        self._states.pop()
        self._loose.pop()
        self._barred.pop()
        return self.write(self._moves.pop())

    def copy(self) -> Position:
        """A position that can be played on by itself."""
        twin = object.__new__(Position)
        twin.__dict__ |= {
            name: value.copy() if isinstance(value, list) else value for name, value in vars(self).items()
        }
        return twin

    def before(self, at: int) -> Position:
        """A copy as it stood before move number `at` since the start, from 0."""
        twin = self.copy()
        while len(twin.moves) > at:
            twin.undo()
        return twin

    # -- views

    def observe(self, seat: int | str) -> Position:
        """The position as a seat sees it now: what it cannot know is unseen, and `seat` is set.

        Two deals that the seat cannot tell apart give equal observations. Raises RuleError for a seat out of range.
        """
        eyes = _seat_number(seat, self.players)
        since = self.game.view_from(self._states)
        last = self._last_view(eyes, since)
        held, turned = (last.held, last.turned) if last else (0, 0)
        for state in self._states[since + len(last.view.moves) if last else since :]:
            held |= state.hands[eyes]
            turned |= self.game.face_up(state)
        setup = self._masked(eyes, since, held, turned)
        if last and last.setup == setup:
            view = last.view.copy()
        else:
            view = Position(self.game, self.game.start(setup), seat=eyes, gone=self.gone)
        view.match, view.text = self.match, self.text
        new = slice(since + len(view.moves), None)
        for state, move in zip(self._states[new], self._moves[new], strict=False):
            view._make(self._seen_move(eyes, state, move))
        self._views[eyes] = _View(setup, self.state, view, held, turned)
        return view.copy()

    def _last_view(self, eyes: int, since: int) -> _View | None:
        """What a seat was shown last, if nothing has been taken back since and it starts at the same place."""
        last = self._views[eyes]
        at = since + len(last.view.moves) if last else len(self._states)
        return last if at < len(self._states) and last and self._states[at] is last.state else None

    def _masked(self, eyes: int, since: int, held: Holding, turned: Holding) -> Setup:
        """The facts of the start, named as far as a seat knows them now.

        Hands of others stay unseen, since nobody can tell a card dealt from one drawn. A stock card is known to who
        drew it, having `held` it, a card under a pile once it was `turned` up.
        """
        setup = self.game.on_table(self._states[since])
        own = self.game.looks(self.state, eyes)
        return replace(
            setup,
            hands=tuple(hand if at == eyes and own else Hand(0, hand.size) for at, hand in enumerate(setup.hands)),
            piles=setup.piles and tuple(tuple(_masked_pile(pile, turned) for pile in piles) for piles in setup.piles),
            stock=setup.stock
            and (
                *(card if card != UNSEEN and held >> card & 1 else UNSEEN for card in setup.stock[:-1]),
                setup.stock[-1],
            ),
        )

    def _seen_move(self, eyes: int, state: Any, move: Move) -> Move:
        if move.kind != TUCK or self.game.actor(state) == eyes or self.game.rules.tucked == "open":
            return move
        return Move(TUCK, unseen=count(move.cards) + move.unseen)

    # -- text

    def in_notation(self, notation: str) -> Position:
        """The same position with its cards written in another notation, "en" or "lt"."""
        twin = self.copy()
        twin.text = CardText(self.game.deck, notation)
        return twin

    def to_dict(self) -> dict[str, object]:
        """The keys of a position file that reads back as an equal position."""
        setup = self.game.setup(self.start)
        return write_fields(Fields(self.game, self.text, setup, tuple(self.plays), self.seat, self.match, self.gone))

    def to_text(self) -> str:
        """The position as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def _facts(self) -> tuple[object, ...]:
        return self.game, self.start, tuple(self._moves), self.seat, self.match, self.gone

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def __repr__(self) -> str:
        return f"Position.from_text({self.to_text()!r})"

    def __str__(self) -> str:
        return diagram(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(diagram(self))}</pre>"


def _masked_pile(pile: Pile, turned: Holding) -> Pile:
    """A pile whose lower card is named only if it has been turned up; the upper one is always seen."""
    if pile.under is None or pile.under == UNSEEN or turned >> pile.under & 1:
        return pile
    return pile._replace(under=UNSEEN)


def _seat_number(seat: int | str, players: int) -> int:
    number = seat if isinstance(seat, int) else SEATS.find(seat.upper()) if len(seat) == 1 else -1
    if not 0 <= number < players:
        raise RuleError(f"{quoted(seat)} is not a seat; expected one of {' '.join(SEATS[:players])}", "seat")
    return number


def diagram_facts(position: Position) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """What lies on the table now: facts that concern all by key, and facts by key and seat, in reading order.

    The current trick is the fact "trick"; what everybody knows by heart (game, notation, empty tricks) is left out.
    """
    game, text = position.game, position.text
    fields = Fields(
        game, text, game.setup(position.state), seat=position.seat, match=position.match, gone=position.gone
    )
    keys = write_fields(fields)
    facts: dict[str, str] = {}
    by_seat: dict[str, dict[str, str]] = {}
    for key, value in keys.items():
        if isinstance(value, dict) and key not in ("contract", "slots", "rules"):
            by_seat[key] = {seat: _flat(entry) for seat, entry in value.items()}
        elif isinstance(value, dict) and key == "contract":
            facts[key] = " ".join(map(str, value.values()))
        elif key not in ("game", "notation"):
            facts[key] = _flat(value)
    trick = position.moves[len(position.moves) - game.played(position.state) :]
    if trick:
        facts["trick"] = "  ".join(position.write(move) for move in trick)
    return facts, by_seat


def diagram(position: Position) -> str:
    """The table as text: the facts, every seat's cards, the trick so far, and who is to move."""
    facts, by_seat = diagram_facts(position)
    lines = [f"{position.game.title}, {position.players} players"]
    lines += [f"{key}: {value}" for key, value in facts.items()]
    for seat in SEATS[: position.players]:
        lines.append(f"{seat}  " + "  ".join(f"{key} {entries[seat]}" for key, entries in by_seat.items()))
    actor = position.actor
    lines.append("the deal is over" if actor is None else f"{SEATS[actor]} to move")
    return "\n".join(lines)


def _flat(value: object) -> str:
    """A position file's value on one line."""
    if isinstance(value, dict):
        return " ".join(f"{key} {_flat(entry)}" for key, entry in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value)) or "-"
    return str(value) or "-"
