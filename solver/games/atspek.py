"""Atspėk! ("Guess!"), recorded by Albinas Borisevičius from Boris Jurkaitis: half of the cards lie in piles of two.

Two play with 32 cards (7 to A), three or four with 36 (6 to A), each for himself. Everybody gets two cards; from his
own two A guesses the trump suit. Then each gets his piles, one face-down card with one face-up card on it, and the
rest of his hand, and A leads. One follows suit, else trumps, with hand cards and face-up pile cards alike. When a
pile's top card is played the card under it is turned up at once; nobody knew it before, its owner included.

Decided here: who has nothing but face-down cards of the suit led, or face-down trumps, does not hold it; the trump is
a suit, never no-trump; the last trick is worth no more than the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from .. import trick
from ..cards import UNSEEN, Card, Deck, Holding, Suit, count, each, holding, single
from ..game import (
    PLAY,
    SEATS,
    TRUMP,
    Game,
    Hand,
    Move,
    Phrase,
    Pile,
    RuleError,
    Setup,
    Tally,
    hands_of,
    plays,
    remove,
    replaced,
    say,
    sole_leader,
)

FIRST: Final = 2
"""The cards that each seat gets before the trump is named."""
GOAL: Final = 12
"""The match score to reach."""
MOST_PILES: Final = 6

Piles: TypeAlias = tuple[tuple[Pile | None, ...], ...]
"""By seat. A pile that has been played out leaves None, so that the others keep their places."""


class Layout(NamedTuple):
    """What each seat is dealt, and how many tricks of an even share are not worth a point."""

    ranks: str
    hand: int
    piles: int
    free: int

    @property
    def cards(self) -> int:
        """The cards of each seat, which is also the number of tricks."""
        return self.hand + 2 * self.piles


LAYOUTS: Final = {
    2: Layout("AKQJT987", 4, 6, 8),
    3: Layout("AKQJT9876", 4, 4, 4),
    4: Layout("AKQJT9876", 3, 3, 2),
}
"""By number of players."""


@dataclass(frozen=True)
class Rules:
    """Atspėk has no options."""


class Rest(NamedTuple):
    """What is dealt after the trump has been named: the further hand cards, and the piles."""

    hands: tuple[Holding, ...]
    piles: Piles


class State(NamedTuple):
    """A deal of Atspėk.

    hands, unseen: see `game.State`; until the trump is named, the two first cards of each seat.
    piles: see `Piles`; none until the trump is named.
    leader: who leads, or led, the current trick.
    trick: the cards played to it so far, in order.
    won: tricks taken by seat.
    trump: None until A has named it.
    rest: until then, what the shuffle has fixed and nobody sees; None if it is not known here.
    """

    hands: tuple[Holding, ...]
    unseen: tuple[int, ...]
    piles: Piles
    leader: int = 0
    trick: tuple[Card, ...] = ()
    won: tuple[int, ...] = ()
    trump: Suit | None = None
    rest: Rest | None = None


class Atspek(Game[State]):
    """The rules of Atspėk."""

    name = "atspek"
    title = "Atspėk"
    aliases = ("guess", "atspėk")
    seats = (2, 3, 4)
    unit = "tricks"
    declaring_unit = "tricks"
    keys = frozenset({"trump", "piles", "first"})
    kernel = "atspek"
    Rules = Rules
    usual_samples = 200

    @property
    def layout(self) -> Layout:
        """What each seat is dealt with this number of players."""
        return LAYOUTS[self.players]

    @property
    def deck(self) -> Deck:
        return Deck(self.layout.ranks)

    # -- deal and start

    def deal(self, random: Random, tally: Any = None, first: int = 0) -> State:
        cards = iter(self.deck.shuffled(random))
        everybody = range(self.players)
        begun = tuple(holding(next(cards) for _ in range(FIRST)) for _ in everybody)
        under = [[next(cards) for _ in everybody] for _ in range(self.layout.piles)]
        tops = [[next(cards) for _ in everybody] for _ in range(self.layout.piles)]
        piles = tuple(
            tuple(Pile(top[seat], card[seat]) for top, card in zip(tops, under, strict=True)) for seat in everybody
        )
        further = tuple(holding(next(cards) for _ in range(self.layout.hand - FIRST)) for _ in everybody)
        return self._before_trump(begun, Rest(further, piles))

    def _before_trump(self, begun: tuple[Holding, ...], rest: Rest | None) -> State:
        """The state in which A is to name the trump; what is missing of anybody's two first cards is unseen."""
        unseen = tuple(FIRST - count(cards) for cards in begun)
        nothing = (0,) * self.players
        return State(begun, unseen, ((),) * self.players, won=nothing, rest=rest)

    def start(self, setup: Setup) -> State:
        """See `Game.start`.

        Without a trump the hands are the two first cards, and nothing else is known; or the whole deal is given, and
        in `first` which two cards A saw, or which two everybody saw: where that is not said, their two highest.
        """
        self.check_fields(setup)
        if setup.trump is None:
            return self._start_before_trump(setup)
        if setup.trump not in range(4):
            raise RuleError("NT is not allowed: the trump is always a suit", "trump")
        if setup.first is not None:
            raise RuleError("first is for deals in which the trump has not been named yet", "first")
        if setup.piles is None:
            raise RuleError("the trump is named, so the piles have been dealt: expected what is left of them", "piles")
        left = self._cards_left(setup, setup.piles)
        known = tuple(hand.known for hand in setup.hands)
        unseen = tuple(left - count(known[seat]) - _piled(setup.piles[seat]) for seat in range(self.players))
        leader = setup.leader or 0
        if leader not in range(self.players):
            raise RuleError(f"there is no seat {leader} among {self.players} players to lead", "leader")
        won = setup.won or (0,) * self.players
        if sum(won) + left > self.layout.cards:
            raise RuleError(
                f"{sum(won)} tricks won and {left} cards left to each seat are more than the {self.layout.cards} dealt",
                "won",
            )
        return State(known, unseen, setup.piles, leader, (), won, setup.trump)

    def _start_before_trump(self, setup: Setup) -> State:
        if setup.leader is not None or setup.won is not None:
            raise RuleError(
                "before the trump is named nothing has been played: expected no leader and nothing won",
                "won" if setup.leader is None else "leader",
            )
        if setup.piles is not None:
            return self._start_open(setup, setup.piles)
        if setup.first is not None:
            raise RuleError("first goes with a whole deal, hands and piles; expected no first", "first")
        for seat, hand in enumerate(setup.hands):
            if hand.unseen is not None and hand.size != FIRST:
                raise RuleError(
                    f"before the trump is named {SEATS[seat]} has {FIRST} cards, not {hand.size}",
                    f"hands.{SEATS[seat]}",
                )
        return self._before_trump(tuple(hand.known for hand in setup.hands), None)

    def _start_open(self, setup: Setup, piles: tuple[tuple[Pile, ...], ...]) -> State:
        """The whole deal is known before the trump is named."""
        hands = tuple(hand.known for hand in setup.hands)
        if self._cards_left(setup, piles) != self.layout.cards or not _all_named(setup.hands, piles):
            raise RuleError(
                f"without a trump the piles are either not given or go with a whole deal of {self.layout.cards} named"
                " cards each",
                "piles",
            )
        given = setup.first or 0
        begun = tuple(given & hand or holding(list(each(hand))[:FIRST]) for hand in hands)
        if not given & hands[0] or given & ~sum(hands) or any(count(cards) != FIRST for cards in begun):
            raise RuleError(f"first is the {FIRST} cards from which A names the trump; they are in his hand", "first")
        further = tuple(hand & ~cards for hand, cards in zip(hands, begun, strict=True))
        return self._before_trump(begun, Rest(further, piles))

    def _cards_left(self, setup: Setup, piles: tuple[tuple[Pile, ...], ...]) -> int:
        """How many cards each seat has to play. Raises RuleError if the seats differ, or have too much."""
        self._check_most(setup, piles)
        left = {
            SEATS[seat]: hand.size + _piled(piles[seat])
            for seat, hand in enumerate(setup.hands)
            if hand.unseen is not None
        }
        if len(set(left.values())) > 1:
            listing = ", ".join(f"{name} {cards}" for name, cards in left.items())
            raise RuleError(
                f"between two tricks all seats have as many cards, hand and piles together, but these have {listing}",
                "hands",
            )
        cards = next(iter(left.values()), self.layout.cards - sum(setup.won or ()))
        self._check_hands(setup, piles, cards)
        return cards

    def _check_most(self, setup: Setup, piles: tuple[tuple[Pile, ...], ...]) -> None:
        """Raises RuleError if a seat has more piles, or a hand more cards, than are dealt."""
        for name, hand, own in zip(SEATS, setup.hands, piles, strict=False):
            if len(own) > self.layout.piles:
                raise RuleError(f"{name} has {len(own)} piles; a seat has at most {self.layout.piles}", f"piles.{name}")
            if hand.unseen is not None and hand.size > self.layout.hand:
                raise RuleError(
                    f"{name} holds {hand.size} cards; a hand has at most {self.layout.hand}", f"hands.{name}"
                )

    def _check_hands(self, setup: Setup, piles: tuple[tuple[Pile, ...], ...], cards: int) -> None:
        """Raises RuleError if a seat's hand cannot be what its piles leave of so many cards."""
        for seat, hand in enumerate(setup.hands):
            size = cards - _piled(piles[seat])
            if not count(hand.known) <= size <= self.layout.hand:
                raise RuleError(
                    f"{SEATS[seat]} has {cards} cards left, {_piled(piles[seat])} of them in piles, which leaves {size}"
                    f" for a hand of at most {self.layout.hand}",
                    f"hands.{SEATS[seat]}",
                )

    def setup(self, state: State) -> Setup:
        if state.trump is not None:
            left = tuple(tuple(pile for pile in piles if pile is not None) for piles in state.piles)
            return Setup(hands_of(state), leader=state.leader, won=state.won, trump=state.trump, piles=left)
        if state.rest is None:
            return Setup(hands_of(state))
        hands = tuple(Hand(begun | more) for begun, more in zip(state.hands, state.rest.hands, strict=True))
        piles = tuple(tuple(pile for pile in piles if pile is not None) for piles in state.rest.piles)
        return Setup(hands, first=sum(state.hands), piles=piles)

    # -- play

    def actor(self, state: State) -> int | None:
        if state.trump is not None and not state.trick and not self._cards_out(state):
            return None
        return (state.leader + len(state.trick)) % self.players

    def _cards_out(self, state: State) -> bool:
        """Has anybody a card left to play?"""
        return any(state.hands) or any(state.unseen) or any(map(any, state.piles))

    def declaring_phase(self, state: State) -> bool:
        return state.trump is None

    def played(self, state: State) -> int:
        return len(state.trick)

    def moves(self, state: State) -> list[Move]:
        seat = self.actor(state)
        if seat is None:
            return []
        choices = self.choices(state, seat)
        return self.further_moves() if choices is None else plays(choices)

    def choices(self, state: State, seat: int) -> Holding | None:
        if state.trump is None:
            return None
        return trick.playable(self.available(state, seat), state.trick, state.trump)

    def further_moves(self) -> list[Move]:
        return [Move(TRUMP, trump=suit) for suit in range(4)]

    def available(self, state: State, seat: int) -> Holding:
        """The named cards that a seat can reach: its hand and the face-up cards of its piles."""
        tops = 0
        for pile in state.piles[seat]:
            if pile and pile.top != UNSEEN:
                tops |= single(pile.top)
        return state.hands[seat] | tops

    def play(self, state: State, move: Move) -> State:
        if state.trump is None:
            assert move.kind == TRUMP and move.trump is not None
            return self._dealt_out(state, move.trump)
        seat = self.actor(state)
        assert seat is not None and move.kind == PLAY
        return self._finish_trick(self._part_with(state, seat, move.cards.bit_length() - 1))

    def _dealt_out(self, state: State, trump: Suit) -> State:
        """The state after A has named the trump: everybody has his piles and the rest of his hand."""
        if state.rest is None:
            unseen = tuple(self.layout.hand - count(hand) for hand in state.hands)
            piles = ((Pile(UNSEEN, UNSEEN),) * self.layout.piles,) * self.players
            return state._replace(unseen=unseen, piles=piles, trump=trump)
        hands = tuple(begun | more for begun, more in zip(state.hands, state.rest.hands, strict=True))
        return state._replace(hands=hands, piles=state.rest.piles, trump=trump, rest=None)

    def _part_with(self, state: State, seat: int, card: Card) -> State:
        """The state with a seat's card on the table, taken off its pile, whose next card is turned up, or from hand.

        A card that lies on none of the piles that can be seen comes from the hand.
        """
        table = (*state.trick, card)
        for place, pile in enumerate(state.piles[seat]):
            if pile and pile.top == card:
                left = None if pile.under is None else Pile(pile.under)
                piles = replaced(state.piles, seat, replaced(state.piles[seat], place, left))
                return state._replace(piles=piles, trick=table)
        hands, unseen = remove(state.hands, state.unseen, seat, single(card))
        return state._replace(hands=hands, unseen=unseen, trick=table)

    def _finish_trick(self, state: State) -> State:
        if len(state.trick) < self.players:
            return state
        assert state.trump is not None
        taker = (state.leader + trick.winner(state.trick, state.trump)) % self.players
        return state._replace(trick=(), leader=taker, won=replaced(state.won, taker, state.won[taker] + 1))

    # -- what is seen

    def shown(self, state: State, move: Move) -> Holding:
        """Cards off the piles were seen before."""
        card = move.cards.bit_length() - 1
        return 0 if any(pile and pile.top == card for pile in state.piles[self.actor(state) or 0]) else move.cards

    def on_table(self, state: State) -> Setup:
        return self.setup(state._replace(rest=None))

    def looks(self, state: State, seat: int) -> bool:
        """Nobody but A needs his two first cards, so nobody else has looked at them yet when the trump is named."""
        return state.trump is not None or seat == 0

    def face_up(self, state: State) -> Holding:
        tops = 0
        for piles in state.piles:
            for pile in piles:
                if pile and pile.top != UNSEEN:
                    tops |= single(pile.top)
        return tops

    def view_from(self, states: Sequence[State]) -> int:
        """Once the trump is named everybody sees his whole hand, of which the two first cards are just a part."""
        return 1 if len(states) > 1 and states[0].trump is None else 0

    # -- values

    def pov(self, state: State) -> int:
        seat = self.actor(state)
        return state.leader if seat is None else seat

    def value(self, state: State, seat: int) -> int:
        return state.won[seat]

    def points(self, tricks: int) -> int:
        """The deal score for so many tricks: one point for each from the 9th, 5th or 3rd on."""
        return max(0, tricks - self.layout.free)

    def score(self, state: State) -> tuple[int, ...]:
        return tuple(self.points(tricks) for tricks in state.won)

    def scored(self, state: State, tally: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(self.points, tally))

    def score_range(self) -> tuple[int, int]:
        return 0, self.points(self.layout.cards)

    def declared(self, state: State, value: int) -> tuple[int, ...]:
        """A's tricks, which say more than his points: no more than half the tricks score nothing."""
        return replaced((0,) * self.players, 0, value)

    def succeeds(self, state: State, seat: int, value: int) -> bool:
        return self.points(value) > 0

    def scores_for(self, state: State, value: int) -> tuple[int, ...]:
        """The deal score of the pov who ends with that many tricks; how the others share the rest is left open."""
        return replaced((0,) * self.players, self.pov(state), self.points(value))

    def packed(self, state: State, pov: int) -> list[int]:
        assert state.trump is not None
        nobody = [0] * (max(self.seats) - self.players)
        return [
            *state.hands,
            *nobody,
            *(word for piles in state.piles for word in _pile_words(piles)),
            *[-1] * (MOST_PILES * len(nobody)),
            *state.trick,
            *[-1] * (max(self.seats) - 1 - len(state.trick)),
            state.leader,
            self.players,
            state.trump,
            *state.won,
            *nobody,
            pov,
            0,
        ]

    def worth(self, state: State, value: int) -> Phrase:
        return say(
            "{seat} takes {value} of {total} tricks: {points} points",
            seat=SEATS[self.pov(state)],
            value=value,
            total=self.layout.cards,
            points=self.points(value),
        )

    # -- match

    def count(self, tally: Any, state: State, first: int) -> Tally:
        points = self.by_player(self.score(state), first)
        return Tally(tuple(have + more for have, more in zip(tally.scores, points, strict=True)), tally.deals + 1)

    def winners(self, tally: Any) -> tuple[int, ...]:
        return sole_leader(tally.scores, GOAL)


def _piled(piles: tuple[Pile, ...]) -> int:
    """How many cards lie in piles."""
    return sum(1 if pile.under is None else 2 for pile in piles)


def _all_named(hands: tuple[Hand, ...], piles: tuple[tuple[Pile, ...], ...]) -> bool:
    """Is every card named?"""
    return not any(hand.unseen for hand in hands) and all(
        UNSEEN not in pile for seat_piles in piles for pile in seat_piles
    )


def _pile_words(piles: tuple[Pile | None, ...]) -> Iterator[int]:
    """A seat's piles as the kernel has them: card on top, and eight bits up the card under it or 255."""
    for pile in (*piles, *[None] * (MOST_PILES - len(piles))):
        if pile is None:
            yield -1
        else:
            yield pile.top | (255 if pile.under is None else pile.under) << 8
