"""What a game is: moves, options, the facts a position starts from, and the protocol that every game fulfils.

A game is one file in `games/`, a subclass of `Game` that registers itself by being there. Its *state* is an immutable
named tuple, so playing gives a new state and taking back is forgetting it. A state may be seen through somebody's
eyes: then `unseen` counts the cards of each hand that cannot be named, and single cards are `UNSEEN`.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar

from .cards import LANE, NO_TRUMP, SUITS, UNSEEN, Card, Deck, Holding, Suit, count, each, quoted

SEATS: Final = "ABCDEFGH"

PLAY: Final = "play"
TUCK: Final = "tuck"
MARRIAGE: Final = "marriage"
EXCHANGE: Final = "exchange"
CLOSE: Final = "close"
BID: Final = "bid"
PASS: Final = "pass"
TRUMP: Final = "trump"
CLAIM: Final = "claim"


class RuleError(ValueError):
    """Facts or moves that the rules do not allow; the sentence quotes them and says what was expected.

    key: the position file's key the sentence is about, `""` where there is none.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


class Move(NamedTuple):
    """Anything a player does.

    kind: one of PLAY, TUCK, MARRIAGE, EXCHANGE, CLOSE, BID, PASS, TRUMP, CLAIM.
    cards: the cards played, tucked, or led with a marriage.
    unseen: how many cards were tucked that the viewer did not see.
    bid: the tricks bid or announced.
    trump: the trump suit named, also with an announcement; `NO_TRUMP` for none.
    """

    kind: str
    cards: Holding = 0
    unseen: int = 0
    bid: int | None = None
    trump: Suit | None = None


_KIND_ORDER: Final = {EXCHANGE: 0, CLOSE: 1, MARRIAGE: 2, PLAY: 3, TUCK: 3}


def listed_moves(moves: Sequence[Move]) -> list[Move]:
    """Moves of the play in listed order: exchange, close, marriages, then by size, by suits S H D C and high to low.

    A tuck comes after the cover with the same cards.
    """

    return sorted(moves, key=_listed_place)


@cache
def _listed_place(move: Move) -> tuple[object, ...]:
    """By what a move is put in order; remembered, since the same moves come again and again."""
    cards = [(card // 16, -card) for card in each(move.cards)]
    return _KIND_ORDER[move.kind], len(cards), cards, move.kind == TUCK


def plays(cards: Holding) -> list[Move]:
    """A move for each single card, in listed order."""
    return [_PLAYS[card] for card in each(cards)]


_PLAYS: Final = tuple(Move(PLAY, 1 << card) for card in range(len(SUITS) * LANE))


# ---- what a position starts from ----------------------------------------------------------------------------------


class Hand(NamedTuple):
    """A hand as it is written in a position: its named cards and how many more there are.

    unseen: None if the hand is just "?", its size following from the rules.
    """

    known: Holding = 0
    unseen: int | None = 0

    @property
    def size(self) -> int:
        """Its number of cards; a hand that is just "?" must have been sized before."""
        return count(self.known) + (self.unseen or 0)


class Pile(NamedTuple):
    """An Atspėk pile: the face-up card and the one under it.

    under: None if there is nothing under, `UNSEEN` if it cannot be seen.
    """

    top: Card
    under: Card | None = None


class Contract(NamedTuple):
    """Who plays, for how many tricks (None where the game has no bids), and with which trumps."""

    declarer: int
    bid: int | None
    trump: Suit


@dataclass(frozen=True)
class Setup:
    """The facts a position file gives, after reading; every game takes those it knows and rejects the others.

    Where the file is silent the value is None, and the rules say what holds.
    Per-seat tuples have one entry a seat.
    """

    hands: tuple[Hand, ...]
    leader: int | None = None
    won: tuple[int, ...] | None = None
    contract: Contract | None = None
    slots: tuple[int, ...] | None = None
    trump: Suit | None = None
    first: Holding | None = None
    piles: tuple[tuple[Pile, ...], ...] | None = None
    stock: tuple[Card, ...] | None = None
    points: tuple[int, ...] | None = None
    pending: tuple[int, ...] | None = None
    closed_by: int | None = None
    claims: bool | None = None

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)

    def given(self) -> set[str]:
        """The names of the facts that are given."""
        return {name for name, fact in vars(self).items() if fact is not None}


def remove(
    hands: tuple[Holding, ...], unseen: tuple[int, ...], seat: int, cards: Holding
) -> tuple[tuple[Holding, ...], tuple[int, ...]]:
    """Hands and unseen counts after a seat has parted with cards: named ones, or else some of its unseen ones."""
    missing = count(cards & ~hands[seat])
    return replaced(hands, seat, hands[seat] & ~cards), (
        replaced(unseen, seat, unseen[seat] - missing) if missing else unseen
    )


T = TypeVar("T")


def replaced(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """A tuple with one entry replaced."""
    return (*items[:place], item, *items[place + 1 :])


# ---- options ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """One rule option, as field metadata of a game's Rules.

    doc: what it decides. expects: what values it takes, in words. values: these values as JSON, or examples where they
    are more than a few. read: from JSON to the field's value; it raises ValueError for anything else. write: back.
    """

    doc: str
    expects: str
    values: Sequence[object]
    read: Callable[[object], Any]
    write: Callable[[Any], object] = lambda value: value


def option(default: Any, *others: Any, doc: str) -> Any:
    """A dataclass field that takes one of a few values, the default first."""
    values = (default, *others)

    def read(value: object) -> object:
        for allowed in values:
            if value == allowed and type(value) is type(allowed):
                return allowed
        raise ValueError(value)

    expects = " or ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)
    return dataclasses.field(default=default, metadata={"option": Option(doc, expects, values, read)})


def free_option(
    default: Any,
    *,
    doc: str,
    expects: str,
    examples: Sequence[object],
    read: Callable[[object], Any],
    write: Callable[[Any], object],
) -> Any:
    """A dataclass field whose values are more than a few."""
    return dataclasses.field(default=default, metadata={"option": Option(doc, expects, examples, read, write)})


def options(rules: type[Any]) -> dict[str, Option]:
    """The options of a Rules class by name."""
    return {field.name: field.metadata["option"] for field in dataclasses.fields(rules) if "option" in field.metadata}


# ---- words --------------------------------------------------------------------------------------------------------


class Phrase(NamedTuple):
    """A sentence for people: a template in English, which is also the key to its translations, and what it names."""

    template: str
    values: Mapping[str, object]


def say(template: str, **values: object) -> Phrase:
    """A phrase: ``say("{seat} takes {tricks} tricks", seat="A", tricks=3)``."""
    return Phrase(template, values)


# ---- the protocol -------------------------------------------------------------------------------------------------


class State(Protocol):
    """What the states of all games have in common.

    hands: the named cards of each seat. unseen: how many more each holds that cannot be named.
    """

    @property
    def hands(self) -> tuple[Holding, ...]:
        """By seat."""

    @property
    def unseen(self) -> tuple[int, ...]:
        """By seat."""


S = TypeVar("S", bound=State)


class Tally(NamedTuple):
    """The score of a match so far, by player (not by seat: the deal moves on).

    scores: what each player has. deals: how many deals were played.
    """

    scores: tuple[int, ...]
    deals: int = 0


Y = TypeVar("Y", bound=Tally)


class Game(ABC, Generic[S]):
    """The rules of one game for a number of players and a choice of options.

    rules: an instance of `Rules`. players: the number of seats. Raises RuleError for a number of players the game is
    not played with.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    seats: ClassVar[tuple[int, ...]]
    """The numbers of players it is played with."""
    unit: ClassVar[str]
    """What values count: tricks, score, eyes or margin."""
    declaring_unit: ClassVar[str] = "score"
    """What the values of bids, announcements and trumps count."""
    keys: ClassVar[frozenset[str]]
    """The position file's keys that this game has, beside those that every game has."""
    kernel: ClassVar[str | None] = None
    """The compiled module that solves it, without its underscore; None: the reference search alone."""
    usual_samples: ClassVar[int] = 1000
    """How many layouts are solved where cards are unseen and nobody says how many."""
    horizon_word: ClassVar[int | None] = None
    """Where a packed row takes the number of tricks after which its kernel estimates, 0 for none; None: nowhere."""
    two_sided: ClassVar[bool] = False
    """Do all the others play together against one side at any number of players?"""
    Rules: ClassVar[type[Any]]
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    """By name, the options that a preset changes."""

    def __init__(self, players: int, rules: Any = None) -> None:
        if players not in self.seats:
            allowed = ", ".join(map(str, self.seats))
            raise RuleError(f"{self.title} is played by {allowed} players, not by {players}", "hands")
        self.players = players
        self.rules = self.Rules() if rules is None else rules

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.name, self.players, self.rules))

    # -- cards and phases

    @property
    @abstractmethod
    def deck(self) -> Deck:
        """The cards it is played with."""

    @abstractmethod
    def deal(self, random: Random, tally: Any = None, first: int = 0) -> S:
        """A fresh deal in a match that stands at `tally`, with player number `first` in seat A."""

    @abstractmethod
    def start(self, setup: Setup) -> S:
        """The state that a position's facts describe. Raises RuleError where they contradict the rules."""

    @abstractmethod
    def setup(self, state: S) -> Setup:
        """The facts that describe a state between two tricks, or before the play."""

    @abstractmethod
    def actor(self, state: S) -> int | None:
        """The seat to move; None when the deal is over."""

    @abstractmethod
    def declaring_phase(self, state: S) -> bool:
        """Is the state before the play: trumps to be named, an auction, an announcement?"""

    @abstractmethod
    def moves(self, state: S) -> list[Move]:
        """The legal moves of the seat to move, in listed order, with its named cards."""

    @abstractmethod
    def play(self, state: S, move: Move) -> S:
        """The state after a legal move."""

    def choices(self, state: S, seat: int) -> Holding | None:
        """The cards of which the seat to move plays one, where that is all it can do; else None."""
        return None

    def legal(self, state: S, move: Move) -> bool:
        """Is a move one of `moves`?"""
        seat = self.actor(state)
        choices = None if seat is None else self.choices(state, seat)
        if choices is None:
            return move in self.moves(state)
        return count(move.cards) == 1 and move == Move(PLAY, move.cards & choices)

    def further_moves(self) -> list[Move]:
        """Every move that there can be beside playing a single card, in a fixed order; see `adapters.encoding`.

        A play or tuck of cards=0 stands for the whole hand, where more than two cards are always all of it.
        """
        return []

    # -- what is seen

    def shown(self, state: S, move: Move) -> Holding:
        """The cards that a move shows the seat to hold."""
        return move.cards

    def obliged(self, state: S) -> bool:
        """May the rules forbid the one to move some of his cards? If not, his moves tell nothing of the others."""
        return True

    def looks(self, state: S, seat: int) -> bool:
        """Does a seat see its own hand?"""
        return True

    def face_up(self, state: S) -> Holding:
        """The cards that lie open before the seats."""
        return 0

    def on_table(self, state: S) -> Setup:
        """The facts of a state as far as somebody can see them, leaving out what is still to be dealt."""
        return self.setup(state)

    def view_from(self, states: Sequence[S]) -> int:
        """The place among a position's states from which its observations start; those before must not be told."""
        return 0

    @abstractmethod
    def played(self, state: S) -> int:
        """How many seats have played to the current trick."""

    def check_fields(self, setup: Setup) -> None:
        """Raises RuleError for a fact that this game does not know."""
        strange = setup.given() - self.keys - {"hands", "leader", "won"}
        if strange:
            key = min(strange)
            raise RuleError(f"{self.title} has no {quoted(key)}", key)

    # -- values

    @abstractmethod
    def pov(self, state: S) -> int:
        """The seat for which values are counted: the declarer, or the seat to move."""

    def side(self, state: S, seat: int) -> frozenset[int]:
        """The seats that play together with a seat, itself among them: all others but the pov where it is two-sided."""
        return frozenset({seat})

    @abstractmethod
    def value(self, state: S, seat: int) -> int:
        """What a finished deal is worth, in `unit`, with this seat as the pov."""

    @abstractmethod
    def succeeds(self, state: S, seat: int, value: int) -> bool:
        """Does a seat's side get what it plays for, if the play from this state on ends with that value for the pov?"""

    def sign(self, state: S) -> int:
        """1 if the pov wants a large value, -1 if it wants a small one."""
        return 1

    @abstractmethod
    def score(self, state: S) -> tuple[int, ...]:
        """The deal score of a finished deal by seat."""

    def score_range(self) -> tuple[int, int]:
        """The lowest and the highest deal score there can be; only asked for libraries that want to know it."""
        raise NotImplementedError

    def scores_for(self, state: S, value: int) -> tuple[int, ...]:
        """The deal score by seat if the play from this state on ends with that value.

        Only asked of games that have a phase before the play.
        """
        raise NotImplementedError

    def later(self, state: S) -> float | None:
        """What the match's further deals are worth to the declarer after his declaration.

        None where that does not depend on what he declared.
        """
        return None

    def declared(self, state: S, value: int) -> tuple[int, ...]:
        """What a declaration brought each seat, in `declaring_unit`, if the play after it ends with that value.

        Default, the deal score.
        """
        return self.scores_for(state, value)

    def packed(self, state: S, pov: int) -> list[int]:
        """The row of numbers that the kernel takes: its meaning stands at the head of the kernel's source."""
        raise NotImplementedError

    def kernel_plays(self, state: S) -> bool:
        """Do the kernel's moves, and its end of the deal, agree with the rules from this state on?"""
        return not self.declaring_phase(state)

    def scored(self, state: S, tally: Sequence[int]) -> tuple[int, ...]:
        """The deal score by seat after the kernel has played from this state to the end.

        tally: by seat, as the kernel's `Mover` gives it.
        """
        raise NotImplementedError

    def ends_at_once(self, state: S) -> dict[Move, int]:
        """The moves that end the deal by what everybody can see, with their values: no kernel need search them."""
        return {}

    def tricks_left(self, state: S) -> int:
        """At most so many tricks are still to be played."""
        stock = len(getattr(state, "stock", ()))
        cards = sum(map(count, state.hands)) + sum(state.unseen) + stock
        return -(-cards // self.players)

    def usual_horizon(self, state: S) -> int:
        """How many tricks are looked ahead where many layouts are solved; 0: to the end of the deal."""
        return 0

    # -- words

    def worth(self, state: S, value: int) -> Phrase:
        """A value of this state in words."""
        return say("{seat}: {value} {unit}", seat=SEATS[self.pov(state)], value=value, unit=self.unit)

    # -- matches

    def new_match(self) -> Tally:
        """The score before the first deal."""
        return Tally((0,) * self.players)

    @abstractmethod
    def count(self, tally: Any, state: S, first: int) -> Tally:
        """The match score after a finished deal in which player number `first` sat in seat A."""

    @abstractmethod
    def winners(self, tally: Any) -> tuple[int, ...]:
        """The player who has won the match; nobody while it goes on."""

    def by_player(self, scores: Sequence[int], first: int) -> list[int]:
        """Scores by seat as scores by player, player number `first` sitting in seat A."""
        return [scores[(player - first) % self.players] for player in range(self.players)]


def sole_leader(scores: Sequence[int], goal: int) -> tuple[int, ...]:
    """The player with the highest score once somebody has reached the goal; nobody while it is tied."""
    best = max(scores)
    leaders = [player for player, score in enumerate(scores) if score == best]
    return tuple(leaders) if best >= goal and len(leaders) == 1 else ()


# ---- checks that games share --------------------------------------------------------------------------------------


def even_hands(setup: Setup, seats: Sequence[int], most: int) -> int:
    """The number of cards each of the seats holds; hands that are just "?" do not count.

    Raises RuleError if they differ or are more than the game deals. With every hand just "?", it is the full number.
    """
    sizes = {seat: setup.hands[seat].size for seat in seats if setup.hands[seat].unseen is not None}
    for seat, size in sizes.items():
        if size > most:
            raise RuleError(f"{SEATS[seat]} holds {size} cards; a hand has at most {most}", f"hands.{SEATS[seat]}")
    if len(set(sizes.values())) > 1:
        listing = ", ".join(f"{SEATS[seat]} {size}" for seat, size in sizes.items())
        raise RuleError(
            f"between two tricks all hands have the same number of cards, but these have {listing}", "hands"
        )
    return next(iter(sizes.values()), most)


def sized(setup: Setup, seats: Sequence[int], size: int) -> tuple[tuple[Holding, ...], tuple[int, ...]]:
    """Known cards and unseen counts by seat, hands that are just "?" having that size; seats out of play have none."""
    known = tuple(hand.known for hand in setup.hands)
    unseen = tuple(
        0 if seat not in seats else size - count(hand.known) if hand.unseen is None else hand.unseen
        for seat, hand in enumerate(setup.hands)
    )
    return known, unseen


def hands_of(state: State) -> tuple[Hand, ...]:
    """The hands of a state as a position writes them."""
    return tuple(Hand(known, unseen) for known, unseen in zip(state.hands, state.unseen, strict=True))


def seen_stock(stock: Sequence[Card]) -> list[Card]:
    """The stock cards that can be named."""
    return [card for card in stock if card != UNSEEN]


# ---- registry -----------------------------------------------------------------------------------------------------


@cache
def registry() -> dict[str, type[Game[Any]]]:
    """Every game by name, found by looking into `solver.games`."""
    package = importlib.import_module(".games", __package__)
    found: dict[str, type[Game[Any]]] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        for item in vars(importlib.import_module(f".games.{module}", __package__)).values():
            if isinstance(item, type) and issubclass(item, Game) and hasattr(item, "name"):
                found[item.name] = item
    return found


def find_game(name: str) -> type[Game[Any]]:
    """The game of that name or alias, in any case. Raises RuleError."""
    wanted = name.strip().lower()
    for game in registry().values():
        if wanted in (game.name, *game.aliases):
            return game
    known = ", ".join(sorted(registry()))
    raise RuleError(f"there is no game {quoted(name)}; the games are {known}", "game")


def find_table(name: str, players: int | None = None, rules: object = None) -> Game[Any]:
    """The game of that name or alias, as it is played at a table. Raises RuleError.

    players: default, the fewest it is played by. rules: as in a position file; default, the usual ones.
    """
    kind = find_game(name)
    return kind(kind.seats[0] if players is None else players, read_rules(kind, {} if rules is None else rules))


def read_rules(game: type[Game[Any]], text: object) -> Any:
    """The rules of a game from the position file's `rules`: a preset's name, or options by name. Raises RuleError."""
    given = {"preset": text} if isinstance(text, str) else text
    if not isinstance(given, Mapping):
        raise RuleError(f"rules are a preset's name or an object of options, not {quoted(text)}", "rules")
    given = dict(given)
    values = _preset(game, given.pop("preset")) if "preset" in given else {}
    known = options(game.Rules)
    for name, value in given.items():
        if name not in known:
            choice = ", ".join(known) or "none"
            raise RuleError(f"{game.title} has no option {quoted(name)}; its options are {choice}", f"rules.{name}")
        try:
            values[name] = known[name].read(value)
        except (ValueError, TypeError) as error:
            raise RuleError(
                f"{quoted(value)} is no value of the option {name!r}; expected {known[name].expects}", f"rules.{name}"
            ) from error
    return game.Rules(**values)


def _preset(game: type[Game[Any]], name: object) -> dict[str, object]:
    if not isinstance(name, str) or name not in game.presets:
        choice = ", ".join(game.presets) or "none"
        raise RuleError(f"{game.title} has no preset {quoted(name)}; its presets are {choice}", "rules.preset")
    return dict(game.presets[name])


def write_rules(game: Game[Any]) -> dict[str, object]:
    """The options that differ from the default, as a position file has them."""
    base = game.Rules(**game.presets.get(getattr(game.rules, "preset", ""), {}))
    written: dict[str, object] = {"preset": base.preset} if getattr(base, "preset", "") else {}
    for name, known in options(game.Rules).items():
        value = getattr(game.rules, name)
        if value != getattr(base, name):
            written[name] = known.write(value)
    return written


def trump_name(trump: Suit | None) -> str:
    """A suit letter, or NT; None stands for no name at all."""
    return "" if trump is None else "NT" if trump == NO_TRUMP else SUITS[trump]
