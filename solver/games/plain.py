"""Plain: the play of any trick-taking game that differs only in its obligations, such as Preferans, Whist or Bridge.

Hands only, of any deck up to 52 cards and 2 to 4 players; there is no deal, no auction and no match. One side, the
declarer's, plays against the rest, and the value is the tricks it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from ..cards import NATURAL, Deck
from ..game import SEATS, Contract, Phrase, RuleError, Setup, Tally, free_option, option, say
from ._hands_only import HandsOnly, State


def _read_ranks(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    ranks = value.upper().replace("10", "T").replace(" ", "")
    if not ranks or len(set(ranks)) < len(ranks) or not set(ranks) <= set(NATURAL):
        raise ValueError(value)
    return ranks


def _read_side(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(value)
    side = tuple(tuple(SEATS[:4]).index(str(seat).upper()) for seat in value)
    if len(set(side)) < len(side):
        raise ValueError(value)
    return tuple(sorted(side))


@dataclass(frozen=True)
class Rules:
    """The options of plain. side: empty for the declarer alone."""

    ranks: str = free_option(
        NATURAL,
        doc="The ranks of the deck, high to low.",
        expects="some of AKQJT98765432, each once",
        examples=(NATURAL, "AKQJT987", "AKQJT9"),
        read=_read_ranks,
        write=str,
    )
    void: str = option("trump", "any", doc="What one must play who cannot follow: a trump if he has one, or anything.")
    beat: bool = option(False, True, doc="Must the cards one has to play beat the trick if they can?")
    side: tuple[int, ...] = free_option(
        (),
        doc="The seats that play together with the declarer; default: the declarer alone.",
        expects='a list of seats such as ["A", "C"]',
        examples=(["A"], ["B"], ["A", "C"], ["B", "D"], ["A", "B", "C"]),
        read=_read_side,
        write=lambda side: [SEATS[seat] for seat in side],
    )
    trump_power: str = option("high", "anti", doc="Do trumps win over other suits, or lose to them (Antikoziris)?")


class Plain(HandsOnly):
    """The rules of plain."""

    name = "plain"
    title = "Plain"
    seats = (2, 3, 4)
    unit = "tricks"
    keys = frozenset({"contract"})
    Rules = Rules

    def __init__(self, players: int, rules: Any = None) -> None:
        super().__init__(players, rules)
        if any(seat >= players for seat in self.rules.side):
            listing = ", ".join(SEATS[seat] for seat in self.rules.side)
            raise RuleError(f"the side {listing} does not fit {players} players", "rules.side")
        if len(self.rules.side) == players:
            raise RuleError("the side has every seat; expected somebody to play against", "rules.side")
        self.must_trump = self.rules.void == "trump"
        self.beat = self.rules.beat
        self.anti = self.rules.trump_power == "anti"

    @property
    def deck(self) -> Deck:
        return Deck(self.rules.ranks)

    def deal(self, random: Random, tally: Any = None, first: int = 0) -> State:
        """Equal hands, and A plays with trumps drawn at random: there are no rules that say more."""
        hands = self.shuffled_hands(random)
        declarer = self.rules.side[0] if self.rules.side else 0
        contract = Contract(declarer, None, random.randrange(4))
        return State(hands, (0,) * self.players, declarer, won=(0,) * self.players, contract=contract)

    def start(self, setup: Setup) -> State:
        if setup.contract is None:
            raise RuleError("plain needs a contract that names the declarer and the trump suit, or NT", "contract")
        return super().start(setup)

    def check_contract(self, contract: Contract) -> None:
        super().check_contract(contract)
        if self.rules.side and contract.declarer not in self.rules.side:
            raise RuleError(f"declarer {SEATS[contract.declarer]} is not of the side that the rules name", "rules.side")
        if contract.bid is not None and not 0 <= contract.bid <= self.hand_size:
            raise RuleError(f"{contract.bid} is not a number of tricks from 0 to {self.hand_size}", "contract.bid")

    def declaring(self, state: State) -> frozenset[int]:
        return frozenset(self.rules.side) or super().declaring(state)

    def utilities(self, state: State) -> list[int]:
        return list(range(self.hand_size + 1))

    def value(self, state: State, seat: int) -> int:
        return self.taken(state)

    def succeeds(self, state: State, seat: int, value: int) -> bool:
        """The contract made or beaten; without one, more tricks than the others."""
        bid = state.contract.bid if state.contract is not None else None
        made = 2 * value > self.hand_size if bid is None else value >= bid
        return made == (seat in self.declaring(state))

    def score(self, state: State) -> tuple[int, ...]:
        return self.scores_for(state, self.taken(state))

    def score_range(self) -> tuple[int, int]:
        return 0, self.hand_size

    def scores_for(self, state: State, value: int) -> tuple[int, ...]:
        declaring = self.declaring(state)
        return tuple(value if seat in declaring else sum(state.won) - value for seat in self.seated)

    def worth(self, state: State, value: int) -> Phrase:
        side = "".join(SEATS[seat] for seat in sorted(self.declaring(state)))
        bid = state.contract.bid if state.contract is not None else None
        if bid is None:
            return say("{side} takes {value} of {total} tricks", side=side, value=value, total=self.hand_size)
        outcome = "{side} takes {value} tricks: contract {bid} made"
        if value < bid:
            outcome = "{side} takes {value} tricks: contract {bid} down {short}"
        return say(outcome, side=side, value=value, bid=bid, short=bid - value)

    def count(self, tally: Any, state: State, first: int) -> Tally:
        """Tricks add up; there is no match that anybody could win."""
        points = self.by_player(self.score(state), first)
        return Tally(tuple(have + more for have, more in zip(tally.scores, points, strict=True)), tally.deals + 1)

    def winners(self, tally: Any) -> tuple[int, ...]:
        return ()
