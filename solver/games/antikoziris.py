"""Antikoziris, by Albinas Borisevičius (1983): whist for few tricks, where trumps lose to everything.

Three play, 24 cards (9 to A), eight each; with four the dealer, who sits to the right of A, sits out in turn. Bids
from weakest to strongest are 4, 3, 2, 1, 8, 0: at most so many tricks, but 8 is all of them. The highest bidder names
the anti-trump suit and leads; the other two defend together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from ..cards import NO_TRUMP, Deck
from ..game import (
    BID,
    PASS,
    SEATS,
    TRUMP,
    Contract,
    Move,
    Phrase,
    RuleError,
    Tally,
    free_option,
    option,
    say,
    sole_leader,
)
from ._hands_only import HandsOnly, State

HAND: Final = 8
BIDS: Final = (4, 3, 2, 1, 8, 0)
"""Bids from weakest to strongest."""
ALL_TRICKS: Final = 8
"""The bid to take every trick."""
GOAL: Final = 300
"""The match score to reach."""


class Row(NamedTuple):
    """What one contract scores.

    made, failed: for the declarer. under: for him, each trick below the contract. defence: for each defender, every
    trick the declarer took, or in the contract to take all every trick the defenders took.
    """

    made: int
    under: int
    failed: int
    defence: int


ScoreTable: TypeAlias = tuple[tuple[int, Row], ...]
"""By contract, in the order of `BIDS`."""

STANDARD: Final[ScoreTable] = tuple((bid, Row(10 * unit, unit, -10 * unit, unit)) for unit, bid in enumerate(BIDS, 1))
"""The original's table is lost. Known is its one example, contract 2 made with 1 trick: 30 + 3, and 3 for each
defender. So the row of contract 2 is known but for `failed`; the other rows continue it."""


def _read_table(value: object) -> ScoreTable:
    if value == "standard":
        return STANDARD
    if not isinstance(value, Mapping) or set(value) != {str(bid) for bid in BIDS}:
        raise ValueError(value)
    rows = {bid: value[str(bid)] for bid in BIDS}
    for row in rows.values():
        if not isinstance(row, list) or len(row) != 4 or not all(type(points) is int for points in row):
            raise ValueError(value)
    return tuple((bid, Row(*row)) for bid, row in rows.items())


def _write_table(table: ScoreTable) -> object:
    return {str(bid): list(row) for bid, row in table}


@dataclass(frozen=True)
class Rules:
    """The options of Antikoziris. cap: a match score, or "none"."""

    all_pass: str = option(
        "redeal", "force_first", doc="If all pass: no play and the deal passes on, or A must play for 4."
    )
    score_table: ScoreTable = free_option(
        STANDARD,
        doc="Points by contract.",
        expects='"standard", or for each contract "4" "3" "2" "1" "8" "0" a list [made, under, failed, defence]',
        examples=("standard", {str(bid): [12 + bid, 1, bid - 15, 2] for bid in BIDS}),
        read=_read_table,
        write=_write_table,
    )
    cap: object = option(275, "none", doc="The match score from which a player gets nothing for defending.")


class Antikoziris(HandsOnly):
    """The rules of Antikoziris."""

    name = "antikoziris"
    title = "Antikoziris"
    aliases = ("antitrump",)
    seats = (3, 4)
    unit = "tricks"
    keys = frozenset({"contract"})
    Rules = Rules
    hand_size = HAND
    anti = True

    @property
    def seated(self) -> range:
        return range(3)

    @property
    def deck(self) -> Deck:
        return Deck("AKQJT9")

    def deal(self, random: Random, tally: Any = None, first: int = 0) -> State:
        return State(self.shuffled_hands(random), (0,) * self.players, won=(0,) * self.players)

    def check_contract(self, contract: Contract) -> None:
        super().check_contract(contract)
        if contract.bid not in BIDS:
            raise RuleError(f"{contract.bid} is no bid; expected one of 4, 3, 2, 1, 8, 0", "contract.bid")
        if contract.trump == NO_TRUMP:
            raise RuleError("NT is not allowed: the declarer always names a suit", "contract.trump")

    # -- auction

    def high_bid(self, state: State) -> tuple[int, int] | None:
        """The seat that bid last, and its bid."""
        for seat, bid in reversed(_calls(state.bids)):
            if bid is not None:
                return seat, bid
        return (0, BIDS[0]) if self.rules.all_pass == "force_first" and self._all_passed(state) else None

    def _all_passed(self, state: State) -> bool:
        return state.bids == (None, None, None)

    def _auction_over(self, state: State) -> bool:
        passes = state.bids.count(None)
        return passes == 3 or state.bids[-1:] == (0,) or (passes == 2 and len(state.bids) > 2)

    def speaker(self, state: State) -> int | None:
        if not self._auction_over(state):
            return _next_bidder(_calls(state.bids))
        high = self.high_bid(state)
        return None if high is None else high[0]

    def declarations(self, state: State) -> list[Move]:
        if self._auction_over(state):
            return [Move(TRUMP, trump=suit) for suit in range(4)]
        high = self.high_bid(state)
        stronger = BIDS if high is None else BIDS[BIDS.index(high[1]) + 1 :]
        return [*(Move(BID, bid=bid) for bid in stronger), Move(PASS)]

    def further_moves(self) -> list[Move]:
        bids = [Move(BID, bid=bid) for bid in BIDS]
        return [*bids, Move(PASS), *(Move(TRUMP, trump=suit) for suit in range(4))]

    def declare(self, state: State, move: Move) -> State:
        if move.kind != TRUMP:
            return state._replace(bids=(*state.bids, move.bid))
        high = self.high_bid(state)
        assert high is not None and move.trump is not None
        return state._replace(contract=Contract(high[0], high[1], move.trump), leader=high[0])

    # -- values

    def sign(self, state: State) -> int:
        return 1 if state.contract is None or state.contract.bid == ALL_TRICKS else -1

    def utilities(self, state: State) -> list[int]:
        sign = self.sign(state)
        return [sign * tricks for tricks in range(HAND + 1)]

    def value(self, state: State, seat: int) -> int:
        return self.taken(state)

    def made(self, bid: int, tricks: int) -> bool:
        """Has a declarer with so many tricks made his contract?"""
        return tricks == ALL_TRICKS if bid == ALL_TRICKS else tricks <= bid

    def succeeds(self, state: State, seat: int, value: int) -> bool:
        assert state.contract is not None and state.contract.bid is not None
        return self.made(state.contract.bid, value) == (seat == state.contract.declarer)

    def score(self, state: State) -> tuple[int, ...]:
        if state.contract is None:
            return (0,) * self.players
        return self.scores_for(state, self.taken(state))

    def score_range(self) -> tuple[int, int]:
        scores = [0]
        for bid, row in self.rules.score_table:
            scores += [row.failed, row.made, row.made + row.under * bid, row.defence * HAND]
        return min(scores), max(scores)

    def scores_for(self, state: State, value: int) -> tuple[int, ...]:
        contract = state.contract
        assert contract is not None and contract.bid is not None
        row = dict(self.rules.score_table)[contract.bid]
        declarer = row.made + row.under * (contract.bid - value) if self.made(contract.bid, value) else row.failed
        defence = row.defence * (HAND - value if contract.bid == ALL_TRICKS else value)
        points = [defence if seat in self.seated else 0 for seat in range(self.players)]
        points[contract.declarer] = declarer
        return tuple(points)

    def worth(self, state: State, value: int) -> Phrase:
        if state.contract is None or state.contract.bid is None:
            return say("{seat} scores {value} points", seat=SEATS[self.pov(state)], value=value)
        made = "declarer {seat} takes {value} of 8 tricks: contract {bid} made, {points} points"
        beaten = "declarer {seat} takes {value} of 8 tricks: contract {bid} beaten, {points} points"
        return say(
            made if self.made(state.contract.bid, value) else beaten,
            seat=SEATS[state.contract.declarer],
            value=value,
            bid=state.contract.bid,
            points=self.scores_for(state, value)[state.contract.declarer],
        )

    # -- match

    def count(self, tally: Any, state: State, first: int) -> Tally:
        points = self.by_player(self.score(state), first)
        declarer = (first + self.declarer(state)) % self.players
        cap = self.rules.cap
        scores = tuple(
            have if player != declarer and isinstance(cap, int) and have >= cap else have + more
            for player, (have, more) in enumerate(zip(tally.scores, points, strict=True))
        )
        return Tally(scores, tally.deals + 1)

    def winners(self, tally: Any) -> tuple[int, ...]:
        return sole_leader(tally.scores, GOAL)


@cache
def _calls(bids: tuple[int | None, ...]) -> tuple[tuple[int, int | None], ...]:
    """The calls of an auction with the seats that made them: in turn, leaving out who has passed.

    Remembered, since there are few auctions: every bid is higher than the one before.
    """
    if not bids:
        return ()
    before = _calls(bids[:-1])
    return (*before, (_next_bidder(before), bids[-1]))


@cache
def _next_bidder(calls: tuple[tuple[int, int | None], ...]) -> int:
    """The seat whose turn it is; if all have passed, the last."""
    if not calls:
        return 0
    passed = {seat for seat, bid in calls if bid is None}
    after = calls[-1][0]
    order = [(after + step) % 3 for step in (1, 2, 3)]
    return next((seat for seat in order if seat not in passed), after)
