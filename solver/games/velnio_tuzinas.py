"""Velnio tuzinas ("devil's dozen"), by Albinas Borisevičius (1979): tricks several cards deep, first to 13 points.

52 cards, three each; the next card is turned up as trump indicator and put under the stock. A lead is 1, 2 or 3 cards
of one suit or of one rank, and everybody else plays as many. Nobody follows suit: a player *covers*, beating every card
now on top, or *tucks* his cards under the trick, where they take no part. The last to cover takes the trick, or its
leader if nobody did, for 1, 2 or 4 points. Then all draw as many cards as they played, as long as a round is complete.

Where the rules are silent:

- The taker's 13th point ends the deal and the match before anybody draws. A trick has one taker, so one player wins.
- Scores run on from deal to deal, so a state has the running score, and so has `score`; what a deal brought is the
  difference between the tallies before and after it. Tricks are not counted: a position's `won` changes nothing.
- The indicator lies open, so as long as there is a stock its last card can be named, and it is of the trump suit.
- A position's stock is what whole rounds leave of it, or [], which says as much of a rest that cannot be drawn; while
  it lasts for another round all hands are full.
- Nobody sees what is tucked, so what a hand keeps after a hidden tuck cannot be named any longer, not even the
  indicator that it was seen to draw: it may be under the trick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any, Final, NamedTuple

from ..cards import (
    NATURAL,
    NO_TRUMP,
    SUITS,
    UNSEEN,
    Card,
    Deck,
    Holding,
    Suit,
    count,
    each,
    holding,
    single,
    strength_of,
    suit_of,
)
from ..game import (
    PLAY,
    SEATS,
    TUCK,
    Game,
    Move,
    Phrase,
    RuleError,
    Setup,
    Tally,
    even_hands,
    hands_of,
    listed_moves,
    option,
    remove,
    replaced,
    say,
    sized,
    trump_name,
)
from ..trick import covers

HAND: Final = 3
GOAL: Final = 13
"""The points that win the match at once."""
POINTS: Final = (0, 1, 2, 4)
"""What a trick of 1, 2 or 3 cards is worth."""
MOST: Final = GOAL - 1 + max(POINTS)
"""The highest score there can be."""


@dataclass(frozen=True)
class Rules:
    """The options of Velnio tuzinas."""

    tucked: str = option("hidden", "open", doc="Does nobody see tucked cards, or everybody?")


class State(NamedTuple):
    """A deal of Velnio tuzinas.

    hands, unseen: see `game.State`.
    stock: the next card to be drawn first, the indicator last.
    points: the running match score by seat.
    trump: the trump suit.
    leader: who leads, or led, the current trick.
    size: the number of cards led to it; 0 before the lead.
    top: the cards now on top: the lead, or the last cover.
    holder: whose cards are on top; the leader before the lead.
    played: how many seats have played to it.
    """

    hands: tuple[Holding, ...]
    unseen: tuple[int, ...]
    stock: tuple[Card, ...]
    points: tuple[int, ...]
    trump: Suit
    leader: int = 0
    size: int = 0
    top: Holding = 0
    holder: int = 0
    played: int = 0


class VelnioTuzinas(Game[State]):
    """The rules of Velnio tuzinas."""

    name = "velnio_tuzinas"
    title = "Velnio tuzinas"
    aliases = ("devils_dozen",)
    seats = (2, 3, 4, 5, 6, 7, 8)
    unit = "margin"
    keys = frozenset({"trump", "stock", "points"})
    kernel = "velnio_tuzinas"
    Rules = Rules
    usual_samples = 200
    horizon_word = 78

    @property
    def deck(self) -> Deck:
        return Deck(NATURAL)

    def deal(self, random: Random, tally: Any = None, first: int = 0) -> State:
        cards = self.deck.shuffled(random)
        dealt = HAND * self.players
        hands = tuple(holding(cards[HAND * seat : HAND * (seat + 1)]) for seat in range(self.players))
        indicator = cards[dealt]
        scores = (0,) * self.players if tally is None else tally.scores
        points = tuple(scores[(first + seat) % self.players] for seat in range(self.players))
        return State(hands, (0,) * self.players, (*cards[dealt + 1 :], indicator), points, suit_of(indicator))

    # -- start

    def start(self, setup: Setup) -> State:
        self.check_fields(setup)
        leader = setup.leader or 0
        if leader >= self.players:
            raise RuleError(f"{SEATS[leader]} has no cards and cannot lead", "leader")
        points = self._points(setup)
        stock = self._stock(setup)
        size = even_hands(setup, range(self.players), HAND)
        if size < HAND and len(stock) >= self.players and max(points) < GOAL:
            raise RuleError(
                f"the hands have {size} cards and the stock {len(stock)};"
                f" expected full hands of {HAND} while there is a stock card for every player",
                "hands",
            )
        known, unseen = sized(setup, range(self.players), size)
        return State(known, unseen, stock, points, self._trump(setup, stock), leader, holder=leader)

    def _points(self, setup: Setup) -> tuple[int, ...]:
        points = setup.points or (0,) * self.players
        for seat, have in enumerate(points):
            if not 0 <= have <= MOST:
                raise RuleError(f"{have} is no score; expected 0 to {MOST} points", f"points.{SEATS[seat]}")
        if sum(have >= GOAL for have in points) > 1:
            listing = ", ".join(f"{SEATS[seat]} {have}" for seat, have in enumerate(points) if have >= GOAL)
            raise RuleError(f"the first to have {GOAL} points has won, but these have {listing}", "points")
        return points

    def _stock(self, setup: Setup) -> tuple[Card, ...]:
        if setup.stock is None:
            raise RuleError(f"{self.title} needs the stock, the indicator last; [] if it is exhausted", "stock")
        size, full = len(setup.stock), len(self.deck) - HAND * self.players
        if size > full or (size and (full - size) % self.players):
            raise RuleError(
                f"the stock has {size} cards; expected {full} less whole rounds of {self.players}, or none",
                "stock",
            )
        return setup.stock

    def _trump(self, setup: Setup, stock: tuple[Card, ...]) -> Suit:
        trump = setup.trump
        if trump == NO_TRUMP:
            raise RuleError("NT is not allowed: there is always a trump suit", "trump")
        if not stock:
            if trump is None:
                raise RuleError("with the stock exhausted the trump suit must be given", "trump")
            return trump
        if stock[-1] == UNSEEN:
            raise RuleError("the stock's last card is the indicator, which everyone sees: expected its name", "stock")
        shown = suit_of(stock[-1])
        if trump not in (None, shown):
            raise RuleError(
                f"the trump suit {trump_name(trump)} is not that of the indicator, the stock's last card:"
                f" expected {SUITS[shown]}",
                "trump",
            )
        return shown

    def setup(self, state: State) -> Setup:
        return Setup(
            hands=hands_of(state), leader=state.leader, trump=state.trump, stock=state.stock, points=state.points
        )

    # -- play

    def declaring_phase(self, state: State) -> bool:
        return False

    def actor(self, state: State) -> int | None:
        if max(state.points) >= GOAL or not (state.played or any(state.hands) or any(state.unseen)):
            return None
        return (state.leader + state.played) % self.players

    def moves(self, state: State) -> list[Move]:
        seat = self.actor(state)
        if seat is None:
            return []
        hand = state.hands[seat]
        if not state.played:
            return listed_moves([Move(PLAY, cards) for size in range(1, HAND + 1) for cards in leads(hand, size)])
        answers = list(subsets(hand, state.size))
        covering = [Move(PLAY, cards) for cards in answers if covers(cards, state.top, state.trump)]
        return listed_moves([*covering, *(Move(TUCK, cards) for cards in answers)])

    def further_moves(self) -> list[Move]:
        cards = self.deck.cards
        pairs = list(subsets(cards, 2))
        return [
            *(Move(PLAY, pair) for pair in pairs),
            Move(PLAY),
            *(Move(TUCK, card) for card in subsets(cards, 1)),
            *(Move(TUCK, pair) for pair in pairs),
            Move(TUCK),
        ]

    def play(self, state: State, move: Move) -> State:
        seat = self.actor(state)
        assert seat is not None and move.kind in (PLAY, TUCK)
        hands, unseen = _parted(state, seat, move)
        after = state._replace(hands=hands, unseen=unseen, played=state.played + 1)
        if move.kind == PLAY:
            after = after._replace(size=count(move.cards), top=move.cards, holder=seat)
        return after if after.played < self.players else self._taken(after)

    def _taken(self, state: State) -> State:
        """After the last play to a trick: its holder takes it, and if that does not end the deal all draw."""
        taker = state.holder
        points = replaced(state.points, taker, state.points[taker] + POINTS[state.size])
        after = state._replace(points=points, leader=taker, size=0, top=0, played=0)
        if points[taker] >= GOAL:
            return after
        for _ in range(state.size):
            after = self._round_drawn(after)
        return after

    def _round_drawn(self, state: State) -> State:
        """After everybody drew a card, the leader first; unchanged if there is not one for everybody."""
        if len(state.stock) < self.players:
            return state
        hands, unseen = list(state.hands), list(state.unseen)
        for turn, card in enumerate(state.stock[: self.players]):
            seat = (state.leader + turn) % self.players
            if card == UNSEEN:
                unseen[seat] += 1
            else:
                hands[seat] |= single(card)
        return state._replace(hands=tuple(hands), unseen=tuple(unseen), stock=state.stock[self.players :])

    def played(self, state: State) -> int:
        return state.played

    # -- values

    def pov(self, state: State) -> int:
        seat = self.actor(state)
        return state.leader if seat is None else seat

    def value(self, state: State, seat: int) -> int:
        points = [min(have, GOAL) for have in state.points]
        return points[seat] - max(points[:seat] + points[seat + 1 :])

    def succeeds(self, state: State, seat: int, value: int) -> bool:
        return value > 0

    def score(self, state: State) -> tuple[int, ...]:
        return state.points

    def scored(self, state: State, tally: Sequence[int]) -> tuple[int, ...]:
        return tuple(tally)

    def score_range(self) -> tuple[int, int]:
        return 0, MOST

    def worth(self, state: State, value: int) -> Phrase:
        seat = SEATS[self.pov(state)]
        if value > 0:
            return say("{seat} ends {value} ahead of the best opponent", seat=seat, value=value)
        if value < 0:
            return say("{seat} ends {value} behind the best opponent", seat=seat, value=-value)
        return say("{seat} ends level with the best opponent", seat=seat)

    def obliged(self, state: State) -> bool:
        """Nobody has to follow suit."""
        return False

    def usual_horizon(self, state: State) -> int:
        """To the end with two players; with more, as far as a layout takes milliseconds, a trick begun included."""
        tricks = {2: 0, 3: 5, 4: 3, 8: 1}.get(self.players, 2)
        if state.played:
            tricks = max(1, tricks - 1)
        return tricks if tricks < self.tricks_left(state) else 0

    def packed(self, state: State, pov: int) -> list[int]:
        seats, stock = 8, 52
        return [
            *state.hands,
            *[0] * (seats - self.players),
            len(state.stock),
            *state.stock,
            *[-1] * (stock - len(state.stock)),
            *state.points,
            *[0] * (seats - self.players),
            state.leader,
            self.players,
            state.trump,
            state.size,
            state.top,
            state.holder,
            state.played,
            pov,
            *[0] * 11,
        ]

    # -- match

    def count(self, tally: Any, state: State, first: int) -> Tally:
        return Tally(tuple(self.by_player(state.points, first)), tally.deals + 1)

    def winners(self, tally: Any) -> tuple[int, ...]:
        return tuple(player for player, score in enumerate(tally.scores) if score >= GOAL)


def subsets(hand: Holding, size: int) -> Iterator[Holding]:
    """Every choice of so many cards of a hand."""
    return map(holding, combinations(each(hand), size))


def leads(hand: Holding, size: int) -> Iterator[Holding]:
    """Every choice of so many cards that are all of one suit or all of one rank."""
    for cards in combinations(each(hand), size):
        if size == 1 or len(set(map(suit_of, cards))) == 1 or len(set(map(strength_of, cards))) == 1:
            yield holding(cards)


def _parted(state: State, seat: int, move: Move) -> tuple[tuple[Holding, ...], tuple[int, ...]]:
    """Hands and unseen counts without the cards of a move; after a tuck that nobody saw the rest has no names."""
    hands, unseen = remove(state.hands, state.unseen, seat, move.cards)
    if not move.unseen:
        return hands, unseen
    left = count(hands[seat]) + unseen[seat] - move.unseen
    return replaced(hands, seat, 0), replaced(unseen, seat, left)
