"""What Antikoziris, Piramidė and plain share: every card is in a hand, and one side plays against the rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from .. import trick
from ..cards import Card, Holding, holding
from ..game import (
    PLAY,
    SEATS,
    Contract,
    Game,
    Move,
    RuleError,
    Setup,
    even_hands,
    hands_of,
    plays,
    remove,
    replaced,
    sized,
)


class State(NamedTuple):
    """A deal of a hands-only game.

    hands, unseen: see `game.State`.
    leader: who leads, or led, the current trick.
    trick: the cards played to it so far, in order.
    won: tricks taken by seat.
    contract: None until the trumps are named.
    bids: the auction so far, None for a pass (Antikoziris).
    slots: how many times the declarer may still announce each number of tricks (Piramidė).
    """

    hands: tuple[Holding, ...]
    unseen: tuple[int, ...]
    leader: int = 0
    trick: tuple[Card, ...] = ()
    won: tuple[int, ...] = ()
    contract: Contract | None = None
    bids: tuple[int | None, ...] = ()
    slots: tuple[int, ...] = ()


class HandsOnly(Game[State]):
    """The play of such a game: tricks of one card a seat, until the hands are empty."""

    kernel = "plain"
    two_sided = True
    must_trump = True
    beat = False
    anti = False

    @property
    def seated(self) -> range:
        """The seats that play; a dealer who sits out comes behind them."""
        return range(self.players)

    @property
    def hand_size(self) -> int:
        """The number of cards that each seat is dealt."""
        return len(self.deck) // len(self.seated)

    def shuffled_hands(self, random: Random) -> tuple[Holding, ...]:
        """Hands of `hand_size` by seat, drawn at random; empty where cards run out, as for one who sits out."""
        cards, size = self.deck.shuffled(random), self.hand_size
        return tuple(holding(cards[size * seat : size * (seat + 1)]) for seat in range(self.players))

    # -- start

    def start(self, setup: Setup) -> State:
        self.check_fields(setup)
        size = even_hands(setup, self.seated, self.hand_size)
        known, unseen = sized(setup, self.seated, size)
        contract = setup.contract
        if contract is not None:
            self.check_contract(contract)
        elif setup.leader is not None or setup.won is not None or size != self.hand_size:
            raise RuleError("without a contract nothing has been played: expected full hands, no leader, nothing won")
        leader = setup.leader
        if leader is None:
            leader = contract.declarer if contract is not None else 0
        if leader not in self.seated:
            raise RuleError(f"{SEATS[leader]} has no cards and cannot lead", "leader")
        won = setup.won or (0,) * self.players
        self._check_sitting_out(setup, won)
        if min(won) < 0:
            raise RuleError(f"{min(won)} is no number of tricks; expected 0 or more", "won")
        if sum(won) + size > self.hand_size:
            raise RuleError(
                f"{sum(won)} tricks won and {size} cards in each hand are more than the {self.hand_size} dealt", "won"
            )
        return State(known, unseen, leader, (), won, contract, (), setup.slots or ())

    def _check_sitting_out(self, setup: Setup, won: tuple[int, ...]) -> None:
        for seat in range(len(self.seated), self.players):
            hand = setup.hands[seat]
            if hand.known or hand.unseen:
                raise RuleError(f"{SEATS[seat]} sits out; expected no cards, not {hand.size}", f"hands.{SEATS[seat]}")
            if won[seat]:
                raise RuleError(f"{SEATS[seat]} sits out; expected no tricks, not {won[seat]}", f"won.{SEATS[seat]}")

    def check_contract(self, contract: Contract) -> None:
        """Raises RuleError for a contract that the rules do not have."""
        if contract.declarer not in self.seated:
            raise RuleError(f"{SEATS[contract.declarer]} has no cards and cannot be declarer", "contract.declarer")

    def setup(self, state: State) -> Setup:
        playing = state.contract is not None
        return Setup(
            hands=hands_of(state),
            leader=state.leader if playing else None,
            won=state.won if playing else None,
            contract=state.contract,
            slots=state.slots or None,
        )

    # -- play

    def actor(self, state: State) -> int | None:
        if state.contract is None:
            return self.speaker(state)
        if not state.trick and not any(state.hands) and not any(state.unseen):
            return None
        return (state.leader + len(state.trick)) % len(self.seated)

    def declaring_phase(self, state: State) -> bool:
        return state.contract is None

    def speaker(self, state: State) -> int | None:
        """The seat to bid, announce or name trumps; None if the deal has been passed out."""
        return 0

    def moves(self, state: State) -> list[Move]:
        seat = self.actor(state)
        if seat is None:
            return []
        choices = self.choices(state, seat)
        return self.declarations(state) if choices is None else plays(choices)

    def choices(self, state: State, seat: int) -> Holding | None:
        if state.contract is None:
            return None
        return trick.playable(
            state.hands[seat],
            state.trick,
            state.contract.trump,
            must_trump=self.must_trump,
            beat=self.beat,
            anti=self.anti,
        )

    def declarations(self, state: State) -> list[Move]:
        """The moves before the play."""
        raise NotImplementedError

    def play(self, state: State, move: Move) -> State:
        if state.contract is None:
            return self.declare(state, move)
        seat = self.actor(state)
        assert seat is not None and move.kind == PLAY
        hands, unseen = remove(state.hands, state.unseen, seat, move.cards)
        cards = (*state.trick, move.cards.bit_length() - 1)
        seats = len(self.seated)
        leader, won = state.leader, state.won
        if len(cards) == seats:
            leader = (leader + trick.winner(cards, state.contract.trump, anti=self.anti)) % seats
            won = replaced(won, leader, won[leader] + 1)
            cards = ()
        return State(hands, unseen, leader, cards, won, state.contract, state.bids, state.slots)

    def played(self, state: State) -> int:
        return len(state.trick)

    def declare(self, state: State, move: Move) -> State:
        """The state after a bid, announcement or trump."""
        raise NotImplementedError

    # -- values

    def declarer(self, state: State) -> int:
        """The declarer; before there is one, whoever speaks."""
        if state.contract is not None:
            return state.contract.declarer
        speaker = self.speaker(state)
        return 0 if speaker is None else speaker

    def pov(self, state: State) -> int:
        return self.declarer(state)

    def side(self, state: State, seat: int) -> frozenset[int]:
        declaring = self.declaring(state)
        return declaring if seat in declaring else frozenset(self.seated) - declaring

    def declaring(self, state: State) -> frozenset[int]:
        """The declarer's side."""
        return frozenset({self.declarer(state)})

    def taken(self, state: State) -> int:
        """The tricks of the declarer's side so far."""
        return sum(state.won[seat] for seat in self.declaring(state))

    def utilities(self, state: State) -> list[int]:
        """For each number of tricks of the declarer's side, what it is worth to it: more is better."""
        raise NotImplementedError

    def scored(self, state: State, tally: Sequence[int]) -> tuple[int, ...]:
        won = (before + since for before, since in zip(state.won, padded(tally, self.players, 0), strict=True))
        return self.score(state._replace(won=tuple(won)))

    def packed(self, state: State, pov: int) -> list[int]:
        contract = state.contract
        assert contract is not None
        seats = len(self.seated)
        # The kernel's table ends at 15 tricks, so those already won are left out of the count.
        utilities = tuple(self.utilities(state)[self.taken(state) :][:16])
        return [
            *state.hands[:seats],
            *[0] * (4 - seats),
            *padded(state.trick, 3, -1),
            state.leader,
            seats,
            contract.trump,
            (not self.must_trump) | self.beat << 1 | self.anti << 2,
            sum(1 << seat for seat in self.declaring(state)),
            0,
            *_words(utilities),
            0,
        ]


@cache
def _words(utilities: tuple[int, ...]) -> tuple[int, ...]:
    """Sixteen utilities as the kernel has them, those that are missing being 0."""
    table = bytes(utility & 0xFF for utility in padded(utilities, 16, 0))
    return tuple(int.from_bytes(table[half : half + 8], "little", signed=True) for half in (0, 8))


def padded(items: Sequence[Any], size: int, filler: Any) -> list[Any]:
    """A list brought to a size."""
    return [*items, *[filler] * (size - len(items))]
