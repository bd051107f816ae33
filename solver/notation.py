"""Positions and moves as text: between the keys of a position file and the facts and moves of `game`.

Reading checks form: keys, types, cards of the deck, nothing twice. What the facts mean together is the game's to judge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NoReturn, TypeVar

from .cards import NO_TRUMP, UNSEEN, Card, CardError, CardText, Holding, Suit, count, each, quoted, single
from .game import (
    BID,
    CLAIM,
    CLOSE,
    EXCHANGE,
    MARRIAGE,
    PASS,
    PLAY,
    SEATS,
    TRUMP,
    TUCK,
    Contract,
    Game,
    Hand,
    Move,
    Pile,
    RuleError,
    Setup,
    find_game,
    read_rules,
    trump_name,
    write_rules,
)

T = TypeVar("T")

NOTATIONS: Final = ("en", "lt")
MOST: Final = 10_000
"""The largest number a position may name; scores and tricks are far below."""
_COMMON: Final = ("game", "rules", "hands", "plays", "seat", "match", "notation", "gone")


class PositionError(ValueError):
    """A text that is no position: one sentence that names file, line and key, and quotes the value.

    reason: the sentence alone. key: the position file's key, `""` if the trouble is with the whole.
    source, line: the file and the line in it, `""` and 0 if it came from elsewhere.
    """

    def __init__(self, reason: str, key: str = "", source: str = "", line: int = 0) -> None:
        self.reason, self.key, self.source, self.line = reason, key, source, line
        place = f"{source}:{line}" if line else source
        super().__init__(": ".join(part for part in (place, key, reason) if part))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.key, self.source, self.line)

    def at(self, source: str, line: int = 0) -> PositionError:
        """The same error, with the place it was found."""
        return PositionError(self.reason, self.key, source, line)


@dataclass(frozen=True)
class Fields:
    """A position file's content after reading.

    text: how its cards are written. gone: cards out of play that everyone has seen. match: the score so far by seat.
    """

    game: Game[Any]
    text: CardText
    setup: Setup
    plays: tuple[str, ...] = ()
    seat: int | None = None
    match: tuple[int, ...] | None = None
    gone: Holding = 0


# ---- JSON ---------------------------------------------------------------------------------------------------------


def decoded(raw: bytes) -> str:
    """UTF-8 bytes as text. Raises PositionError."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = quoted(raw[error.start : error.start + 1])
        raise PositionError(f"{found} at byte {error.start} is not UTF-8; expected UTF-8 text") from error


def read_json(raw: str | bytes) -> Any:
    """JSON text as Python objects, taking nothing that is only nearly JSON: no NaN, no key twice.

    Raises PositionError.
    """
    text = decoded(raw) if isinstance(raw, bytes) else raw
    with readable():
        try:
            return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            near = quoted(text[error.pos : error.pos + 20])
            place = f"line {error.lineno} column {error.colno}"
            raise PositionError(f"is not JSON: {error.msg} at {place}, near {near}") from error


@contextmanager
def readable() -> Iterator[None]:
    """Raises PositionError where a reader of texts gives up: at what is nested without end, at numbers without end."""
    try:
        yield
    except PositionError:
        raise
    except RecursionError as error:
        raise PositionError("is nested too deeply; expected a position") from error
    except ValueError as error:
        raise PositionError("has a number too long to read") from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise PositionError(f"{quoted(twice)} comes twice", twice[:60])
    return table


def _no_constant(name: str) -> NoReturn:
    raise PositionError(f"{name} is no number that a position can have")


# ---- reading ------------------------------------------------------------------------------------------------------


def read_fields(data: object) -> Fields:
    """Reads the keys of a position. Raises PositionError."""
    try:
        return _Reader(_table(data, "")).fields()
    except RuleError as error:
        raise PositionError(str(error), error.key) from error


def _wrong(value: object, expected: str, key: str) -> NoReturn:
    raise PositionError(f"{quoted(value)} is not {expected}", key)


def _table(value: object, key: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        _wrong(value, "an object with a position's keys" if not key else "an object", key)
    return value


def _list(value: object, key: str) -> list[object]:
    return value if isinstance(value, list) else _wrong(value, "a list", key)


def _string(value: object, key: str) -> str:
    return value if isinstance(value, str) else _wrong(value, "a text", key)


def _number(value: object, key: str) -> int:
    if type(value) is not int or not -MOST <= value <= MOST:
        _wrong(value, f"a whole number up to {MOST}", key)
    return value


def _natural(value: object, key: str) -> int:
    number = _number(value, key)
    return number if number >= 0 else _wrong(value, "a whole number from 0", key)


def _flag(value: object, key: str) -> bool:
    return value if isinstance(value, bool) else _wrong(value, "true or false", key)


class _Reader:
    """Reads one position: the game first, since its deck says how cards read."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self.data = data
        if "game" not in data:
            raise PositionError('the key "game" is missing', "game")
        kind = find_game(_string(data["game"], "game"))
        notation = data.get("notation", NOTATIONS[0])
        if notation not in NOTATIONS:
            _wrong(notation, 'a notation; expected "en" or "lt"', "notation")
        hands = _table(data.get("hands", {}), "hands")
        if not hands:
            raise PositionError('the key "hands" is missing or empty: expected the cards of every seat', "hands")
        self.players = self._count_seats(hands)
        self.game = kind(self.players, read_rules(kind, data.get("rules", {})))
        self.text = CardText(self.game.deck, str(notation))
        self._check_keys()

    def _count_seats(self, hands: Mapping[str, object]) -> int:
        wanted = SEATS[: len(hands)]
        for seat in hands:
            if seat.upper() not in wanted or seat == "":
                expected = " ".join(wanted)
                raise PositionError(
                    f"{quoted(seat)} is not a seat; expected {expected} for {len(hands)} hands", "hands"
                )
        if len({seat.upper() for seat in hands}) < len(hands):
            raise PositionError("a seat comes twice", "hands")
        return len(hands)

    def _check_keys(self) -> None:
        allowed = {*_COMMON, "leader", "won", *self.game.keys}
        for key in self.data:
            if key not in allowed:
                listing = ", ".join(sorted(allowed))
                raise PositionError(f"{quoted(key)} is not a key of {self.game.title}; its keys are {listing}", key)

    def fields(self) -> Fields:
        readers: dict[str, Callable[[object, str], Any]] = {
            "leader": self._seat,
            "won": self._naturals,
            "contract": self._contract,
            "slots": self._slots,
            "trump": self._suit,
            "first": self._holding,
            "piles": self._piles,
            "stock": self._stock,
            "points": self._naturals,
            "pending": self._naturals,
            "closed_by": self._seat,
            "claims": _flag,
        }
        facts = {key: read(self.data[key], key) for key, read in readers.items() if key in self.data}
        setup = Setup(hands=self._hands(), **facts)
        gone = self._holding(self.data["gone"], "gone") if "gone" in self.data else 0
        self._check_cards(setup, gone)
        return Fields(
            game=self.game,
            text=self.text,
            setup=setup,
            plays=self._plays(),
            seat=self._seat(self.data["seat"], "seat") if "seat" in self.data else None,
            match=self._match(self.data["match"], "match") if "match" in self.data else None,
            gone=gone,
        )

    # -- values

    def _seat(self, value: object, key: str) -> int:
        wanted = SEATS[: self.players]
        if not isinstance(value, str) or len(value) != 1 or value.upper() not in wanted:
            _wrong(value, f"a seat; expected one of {' '.join(wanted)}", key)
        return wanted.index(value.upper())

    def _by_seat(self, value: object, key: str) -> dict[int, object]:
        return {self._seat(seat, key): entry for seat, entry in _table(value, key).items()}

    def _naturals(self, value: object, key: str) -> tuple[int, ...]:
        given = {seat: _natural(entry, f"{key}.{SEATS[seat]}") for seat, entry in self._by_seat(value, key).items()}
        return tuple(given.get(seat, 0) for seat in range(self.players))

    def _match(self, value: object, key: str) -> tuple[int, ...]:
        given = {seat: _number(entry, f"{key}.{SEATS[seat]}") for seat, entry in self._by_seat(value, key).items()}
        return tuple(given.get(seat, 0) for seat in range(self.players))

    def _suit(self, value: object, key: str) -> Suit:
        return self._cards(self.text.suit, value, key)

    def _trump(self, value: object, key: str) -> Suit:
        if isinstance(value, str) and value.upper() == "NT":
            return NO_TRUMP
        return self._suit(value, key)

    def _read_holding(self, value: object, key: str) -> tuple[Holding, int]:
        return self._cards(self.text.read_holding, value, key)

    def _cards(self, read: Callable[[str], T], value: object, key: str) -> T:
        try:
            return read(_string(value, key))
        except CardError as error:
            raise PositionError(str(error), key) from error

    def _holding(self, value: object, key: str) -> Holding:
        known, unseen = self._read_holding(value, key)
        return _wrong(value, "a holding of named cards", key) if unseen else known

    def _hands(self) -> tuple[Hand, ...]:
        given = self._by_seat(self.data["hands"], "hands")
        return tuple(self._hand(given[seat], f"hands.{SEATS[seat]}") for seat in range(self.players))

    def _hand(self, value: object, key: str) -> Hand:
        known, unseen = self._read_holding(value, key)
        wholly_unseen = isinstance(value, str) and value.strip() == "?"
        return Hand(known, None if wholly_unseen else unseen)

    def _contract(self, value: object, key: str) -> Contract:
        table = _table(value, key)
        for name in table:
            if name not in ("declarer", "bid", "trump"):
                raise PositionError(f"{quoted(name)} is not of a contract; expected declarer, bid, trump", key)
        for name in ("declarer", "trump"):
            if name not in table:
                raise PositionError(f"the contract lacks its {name}", f"{key}.{name}")
        return Contract(
            declarer=self._seat(table["declarer"], f"{key}.declarer"),
            bid=_natural(table["bid"], f"{key}.bid") if "bid" in table else None,
            trump=self._trump(table["trump"], f"{key}.trump"),
        )

    def _slots(self, value: object, key: str) -> tuple[int, ...]:
        slots = [0] * 7
        for name, left in _table(value, key).items():
            if len(name) != 1 or name not in "0123456":
                raise PositionError(f"{quoted(name)} cannot be announced; expected 0 to 6 tricks", key)
            slots[int(name)] = _natural(left, f"{key}.{name}")
        return tuple(slots)

    def _piles(self, value: object, key: str) -> tuple[tuple[Pile, ...], ...]:
        given = self._by_seat(value, key)
        return tuple(
            tuple(
                self._pile(pile, f"{key}.{SEATS[seat]}") for pile in _list(given.get(seat, []), f"{key}.{SEATS[seat]}")
            )
            for seat in range(self.players)
        )

    def _pile(self, value: object, key: str) -> Pile:
        parts = _string(value, key).split("/")
        if len(parts) > 2:
            _wrong(value, 'a pile; expected its face-up card and the one under it, such as "SA/H7"', key)
        cards = [self._cards(self.text.read, part, key) for part in parts]
        return Pile(*cards)

    def _stock(self, value: object, key: str) -> tuple[Card, ...]:
        return tuple(self._cards(self.text.read, card, key) for card in _list(value, key))

    def _plays(self) -> tuple[str, ...]:
        return tuple(
            _string(move, f"plays[{at}]") for at, move in enumerate(_list(self.data.get("plays", []), "plays"))
        )

    # -- all cards together

    def _check_cards(self, setup: Setup, gone: Holding) -> None:
        places: dict[Card, str] = {}
        for place, card in _placed(setup, gone):
            if card == UNSEEN:
                continue
            if card in places:
                name = self.text.write(card)
                raise PositionError(f"the card {name} is in {places[card]} and in {place}: each card comes once", place)
            places[card] = place
        unseen = unseen_places(setup)
        left = len(self.game.deck) - len(places)
        if unseen > left:
            raise PositionError(
                f"{unseen} cards are unseen, but only {left} of the deck of {len(self.game.deck)} are not named",
                "hands",
            )


def _placed(setup: Setup, gone: Holding) -> Iterable[tuple[str, Card]]:
    """Every card of a position with the key it stands under."""
    for seat, hand in enumerate(setup.hands):
        yield from ((f"hands.{SEATS[seat]}", card) for card in each(hand.known))
    for seat, piles in enumerate(setup.piles or ()):
        for pile in piles:
            yield from ((f"piles.{SEATS[seat]}", card) for card in pile if card is not None)
    yield from (("stock", card) for card in setup.stock or ())
    yield from (("gone", card) for card in each(gone))


def named_cards(setup: Setup, gone: Holding) -> Holding:
    """All cards that a position names."""
    named = 0
    for _, card in _placed(setup, gone):
        named |= 0 if card == UNSEEN else single(card)
    return named


def unseen_places(setup: Setup) -> int:
    """How many places of hands, piles and stock hold a card that is not named; hands that are just "?" count as one."""
    hands = sum(1 if hand.unseen is None else hand.unseen for hand in setup.hands)
    return hands + sum(card == UNSEEN for _, card in _placed(setup, 0))


# ---- moves --------------------------------------------------------------------------------------------------------


def read_move(text: str, cards: CardText) -> Move:
    """Reads a move such as "SQ", "H9 HJ", "tuck S4", "bid 3 H". Raises PositionError."""
    try:
        return _read_move(text.split(), cards)
    except (CardError, ValueError) as error:
        expected = 'such as "SA", "H9 HJ", "tuck S4", "marriage SQ", "exchange", "close", "bid 3", "pass", "trump H"'
        raise PositionError(f"{quoted(text)} is not a move; expected one {expected}") from error


def _read_move(words: list[str], cards: CardText) -> Move:
    kind = words[0].lower() if words else ""
    rest = words[1:]
    if kind in (EXCHANGE, CLOSE, PASS, CLAIM) and not rest:
        return Move(kind)
    if kind == BID and len(rest) in (1, 2):
        trump = _read_trump(rest[1], cards) if len(rest) == 2 else None
        return Move(BID, bid=_digit(rest[0]), trump=trump)
    if kind == TRUMP and len(rest) == 1:
        return Move(TRUMP, trump=cards.suit(rest[0]))
    played, unseen = cards.read_holding(" ".join(rest if kind in (TUCK, MARRIAGE) else words))
    if kind == TUCK and (played or unseen):
        return Move(TUCK, played, unseen)
    if unseen or not played or (kind == MARRIAGE and count(played) != 1):
        raise ValueError(words)
    return Move(MARRIAGE if kind == MARRIAGE else PLAY, played)


def _digit(text: str) -> int:
    if text not in tuple("0123456789"):
        raise ValueError(text)
    return int(text)


def _read_trump(text: str, cards: CardText) -> Suit:
    return NO_TRUMP if text.upper() == "NT" else cards.suit(text)


@lru_cache(maxsize=1 << 16)
def write_move(move: Move, cards: CardText) -> str:
    """A move as text, its cards in listed order; remembered, since the same moves come again and again."""
    words = [] if move.kind == PLAY else [move.kind]
    words += [cards.write(card) for card in each(move.cards)] + ["?"] * move.unseen
    if move.bid is not None:
        words.append(str(move.bid))
    if move.trump is not None:
        words.append(trump_name(move.trump))
    return " ".join(words)


# ---- writing ------------------------------------------------------------------------------------------------------


def write_fields(fields: Fields) -> dict[str, object]:
    """The keys of a position file, in the order people read them; what is the default is left out."""
    setup, text = fields.setup, fields.text
    written: dict[str, object] = {"game": fields.game.name}
    rules = write_rules(fields.game)
    if rules:
        written["rules"] = rules
    if text.notation != NOTATIONS[0]:
        written["notation"] = text.notation
    if fields.seat is not None:
        written["seat"] = SEATS[fields.seat]
    written |= _write_setup(setup, text)
    if fields.gone:
        written["gone"] = text.write_holding(fields.gone)
    if fields.match is not None:
        written["match"] = _by_seat_letter(fields.match)
    if fields.plays:
        written["plays"] = list(fields.plays)
    return written


def _write_setup(setup: Setup, text: CardText) -> dict[str, object]:
    writers: dict[str, Callable[[Any], object]] = {
        "contract": _write_contract,
        "slots": lambda slots: {str(tricks): left for tricks, left in enumerate(slots)},
        "trump": trump_name,
        "hands": lambda hands: _by_seat_letter([_write_hand(hand, text) for hand in hands]),
        "first": text.write_holding,
        "piles": lambda piles: _by_seat_letter([[_write_pile(pile, text) for pile in row] for row in piles]),
        "stock": lambda stock: [text.write(card) for card in stock],
        "leader": lambda seat: SEATS[seat],
        "won": _by_seat_letter,
        "points": _by_seat_letter,
        "pending": _by_seat_letter,
        "closed_by": lambda seat: SEATS[seat],
        "claims": bool,
    }
    given = {"hands", *setup.given()}
    return {key: write(getattr(setup, key)) for key, write in writers.items() if key in given}


def _by_seat_letter(entries: Iterable[object]) -> dict[str, object]:
    return {SEATS[seat]: entry for seat, entry in enumerate(entries)}


def _write_hand(hand: Hand, text: CardText) -> str:
    return "?" if hand.unseen is None else text.write_holding(hand.known, hand.unseen)


def _write_pile(pile: Pile, text: CardText) -> str:
    return "/".join(text.write(card) for card in pile if card is not None)


def _write_contract(contract: Contract) -> dict[str, object]:
    bid = {} if contract.bid is None else {"bid": contract.bid}
    return {"declarer": SEATS[contract.declarer], **bid, "trump": trump_name(contract.trump)}
