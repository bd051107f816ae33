"""Piramidė, by Albinas Borisevičius (1979): announce your tricks, then take exactly so many.

24 cards (9 to A), six each; with two or three players the rest is out of play and unseen. A is declarer: from his own
six cards he announces 0 to 6 tricks and trumps, a suit or none, and leads. The others play together against him and
do not score. Over the match every player fills his pyramid of 16 announcements.

The original gives 8 and 9 points for being one trick off. The default table follows the score sheet of the original,
whose 7 + 9 - 5 + 10 make 21; `linear` is what the author published elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import Any, Final, NamedTuple

from ..cards import NO_TRUMP, Deck
from ..game import BID, SEATS, Contract, Move, Phrase, RuleError, Setup, option, replaced, say
from ..pyramid import pyramid
from ._hands_only import HandsOnly, State

HAND: Final = 6
PYRAMID: Final = (1, 2, 3, 4, 3, 2, 1)
"""How many times 0, 1, ... 6 tricks must be announced: 16 announcements."""
SCORES: Final = {
    "triangular": tuple(10 - off * (off + 1) // 2 for off in range(HAND + 1)),
    "linear": tuple(10 - 2 * off for off in range(HAND + 1)),
}
"""Points by how many tricks the declarer was off."""
FULL: Final = 10
ANNOUNCEMENTS: Final = tuple(
    tuple(Move(BID, bid=tricks, trump=trump) for trump in (0, 1, 2, 3, NO_TRUMP)) for tricks in range(HAND + 1)
)
"""By tricks announced, with each trump."""


@dataclass(frozen=True)
class Rules:
    """The options of Piramidė."""

    score_table: str = option(
        "triangular",
        "linear",
        doc="Points for being 0, 1, 2 ... tricks off: 10 9 7 4 0 -5 -11, or 10 8 6 4 2 0 -2.",
    )


class Tally(NamedTuple):
    """A match so far, by player. tens: his full tens. slots: what he may still announce."""

    scores: tuple[int, ...]
    deals: int
    tens: tuple[int, ...]
    slots: tuple[tuple[int, ...], ...]


class Piramide(HandsOnly):
    """The rules of Piramidė."""

    name = "piramide"
    title = "Piramidė"
    aliases = ("pyramid", "piramidė")
    seats = (2, 3, 4)
    unit = "score"
    keys = frozenset({"contract", "slots"})
    Rules = Rules
    hand_size = HAND

    @property
    def deck(self) -> Deck:
        return Deck("AKQJT9")

    def deal(self, random: Random, tally: Any = None, first: int = 0) -> State:
        slots = PYRAMID if tally is None else tally.slots[first]
        return State(self.shuffled_hands(random), (0,) * self.players, won=(0,) * self.players, slots=slots)

    def start(self, setup: Setup) -> State:
        state = super().start(setup)
        slots = PYRAMID if setup.slots is None else setup.slots
        for tricks, left in enumerate(slots):
            if not 0 <= left <= PYRAMID[tricks]:
                raise RuleError(
                    f"{tricks} can be announced 0 to {PYRAMID[tricks]} times, not {left}", f"slots.{tricks}"
                )
        if state.contract is None and not any(slots):
            raise RuleError("the pyramid is full: nothing is left to announce", "slots")
        return state._replace(slots=slots)

    def setup(self, state: State) -> Setup:
        return replace(super().setup(state), slots=None if state.slots == PYRAMID else state.slots)

    def check_contract(self, contract: Contract) -> None:
        super().check_contract(contract)
        if contract.bid is None or not 0 <= contract.bid <= HAND:
            raise RuleError(f"{contract.bid} cannot be announced; expected 0 to {HAND} tricks", "contract.bid")

    # -- announcement

    def declarations(self, state: State) -> list[Move]:
        return [move for left, moves in zip(state.slots, ANNOUNCEMENTS, strict=True) if left for move in moves]

    def further_moves(self) -> list[Move]:
        return list(chain(*ANNOUNCEMENTS))

    def declare(self, state: State, move: Move) -> State:
        assert move.bid is not None and move.trump is not None
        slots = replaced(state.slots, move.bid, state.slots[move.bid] - 1)
        return state._replace(contract=Contract(0, move.bid, move.trump), slots=slots)

    # -- values

    def points(self, bid: int, tricks: int) -> int:
        """The deal score for announcing `bid` and taking `tricks`."""
        return SCORES[self.rules.score_table][abs(bid - tricks)]

    def utilities(self, state: State) -> list[int]:
        assert state.contract is not None and state.contract.bid is not None
        scores, bid = SCORES[self.rules.score_table], state.contract.bid
        return [scores[abs(bid - tricks)] for tricks in range(HAND + 1)]

    def value(self, state: State, seat: int) -> int:
        assert state.contract is not None and state.contract.bid is not None
        return self.points(state.contract.bid, self.taken(state))

    def succeeds(self, state: State, seat: int, value: int) -> bool:
        return (value == FULL) == (seat == self.declarer(state))

    def score(self, state: State) -> tuple[int, ...]:
        return self.scores_for(state, self.value(state, 0))

    def score_range(self) -> tuple[int, int]:
        return min(SCORES[self.rules.score_table]), FULL

    def scores_for(self, state: State, value: int) -> tuple[int, ...]:
        return replaced((0,) * self.players, self.declarer(state), value)

    def later(self, state: State) -> float | None:
        return pyramid(self.rules.score_table, self.players).later(state.slots)

    def worth(self, state: State, value: int) -> Phrase:
        if state.contract is None:
            return say("{seat} scores {value} points", seat=SEATS[self.pov(state)], value=value)
        off = SCORES[self.rules.score_table].index(value)
        names = {"seat": SEATS[state.contract.declarer], "bid": state.contract.bid, "off": off, "value": value}
        if off == 0:
            return say("declarer {seat} takes exactly {bid} tricks: {value} points", **names)
        return say("declarer {seat} is {off} off his {bid} tricks: {value} points", **names)

    # -- match

    def new_match(self) -> Any:
        nothing = (0,) * self.players
        return Tally(nothing, 0, nothing, (PYRAMID,) * self.players)

    def count(self, tally: Any, state: State, first: int) -> Any:
        points = self.by_player(self.score(state), first)
        player = (first + self.declarer(state)) % self.players
        return Tally(
            tuple(have + more for have, more in zip(tally.scores, points, strict=True)),
            tally.deals + 1,
            replaced(tally.tens, player, tally.tens[player] + (points[player] == FULL)),
            replaced(tally.slots, player, state.slots),
        )

    def winners(self, tally: Any) -> tuple[int, ...]:
        """The highest total once all pyramids are full; ties go to whoever has more full tens, and stay if equal."""
        if any(any(slots) for slots in tally.slots):
            return ()
        ranking = list(zip(tally.scores, tally.tens, strict=True))
        return tuple(player for player, result in enumerate(ranking) if result == max(ranking))
