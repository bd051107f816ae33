"""Sixty-six, two or three players, each for himself; and its two-handed sister Schnapsen as a preset.

24 cards, A 10 K Q J 9 of 11, 10, 4, 3, 2, 0 points, six each; the next card is turned up as trump indicator and lies at
the bottom of the stock. While cards are drawn anything may be played; with the stock exhausted or closed one follows
suit, else trumps. Marriages score 20, in trumps 40. The first to have 66 points says "Gana!" and covers eyes.

Decided here:

- The announcement is taken as automatic. In match play (`State.claims`) it is the player's own act, for which he must
  be on lead: a right claim wins as things stand then, a wrong one loses, and each opponent covers one eye. Who does not
  claim may do so whenever he is on lead again. Two announcements need no claim: of 66 reached by a marriage, which is
  said aloud with its points, and by the last trick, after which nobody leads.
- A closer's wrong claim is a failed closing; otherwise it would be the cheap way out of one.
- Under `all_tricks` the first trick that the closer loses fails him, whatever points he or its taker has then; if
  he takes them all he wins without 66 points too.
- A failed closing lets every opponent cover the penalty, also one who has no trick or only one of them reached 66.
- A closer who wins is scored as things stand at the end, in Schnapsen as they stood at the closing; whether any
  opponent had a trick, for the penalty, is always a question of the closing.
- Pending marriage points are no points yet: they count neither towards 66 nor for the losers.
- A king and queen may be led without announcing them. Exchanging and closing can both be done before one lead.
- The indicator of a closed stock is turned over but not forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

from .. import trick
from ..cards import NO_TRUMP, SUITS, UNSEEN, Card, Deck, Holding, Suit, count, holding, single, suit_of
from ..game import (
    CLAIM,
    CLOSE,
    EXCHANGE,
    MARRIAGE,
    PLAY,
    SEATS,
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
    plays,
    remove,
    replaced,
    say,
    sized,
    sole_leader,
    trump_name,
)

GOAL: Final = 66
HALF: Final = 33
"""Losers who together stay below it cost themselves a second eye."""
POINTS: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
DECK: Final = Deck("ATKQJ9")
SCHNAPSEN_DECK: Final = Deck("ATKQJ")
MOST_POINTS: Final = 4 * sum(POINTS.values()) + 3 * 20 + 40
"""All cards and all marriages."""
MOST_PENDING: Final = 3 * 20 + 40
SCHNAPSEN: Final = "schnapsen"
CLOSINGS: Final = ("all_tricks", "reach_66", "none")


@dataclass(frozen=True)
class Rules:
    """The options of Sixty-six. preset: "schnapsen" for the rules that are no options."""

    marriage_lead: str = option("queen", "either", doc="Which card of a marriage is led.")
    closing: str = option(
        *CLOSINGS, doc="What the closer must do: take every remaining trick or reach 66 first, or just reach 66 first."
    )
    closing_penalty: object = option(
        "standard", 1, 2, 3, doc="Eyes for a failed closing; standard: 2, or 3 if no opponent had a trick."
    )
    match_eyes: int = option(8, 7, doc="The eyes that win the match.")
    preset: str = ""


class State(NamedTuple):
    """A deal of Sixty-six.

    hands, unseen: see `game.State`.
    stock: next card to be drawn first, the indicator last; a closed stock keeps its cards.
    leader: who leads, or led, the current trick.
    trick: the cards played to it so far, in order. married: was its lead a marriage?
    won: tricks taken by seat.
    points, pending: counted points, and marriage points that wait for a trick, by seat.
    closed_by: who closed the stock. closed_points, closed_won: what each of his opponents had then; his own are 0.
    claims: must 66 points be claimed to count? claimed_by: who said "Gana!", rightly or not.
    """

    hands: tuple[Holding, ...]
    unseen: tuple[int, ...]
    stock: tuple[Card, ...]
    trump: Suit
    leader: int = 0
    trick: tuple[Card, ...] = ()
    married: bool = False
    won: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    pending: tuple[int, ...] = ()
    closed_by: int | None = None
    closed_points: tuple[int, ...] = ()
    closed_won: tuple[int, ...] = ()
    claims: bool = False
    claimed_by: int | None = None


class SixtySix(Game[State]):
    """The rules of Sixty-six and Schnapsen."""

    name = "sixty_six"
    title = "Sixty-six"
    aliases = ("66", "sesiasdesimt_sesi")
    seats = (2, 3)
    unit = "eyes"
    keys = frozenset({"trump", "stock", "points", "pending", "closed_by", "claims"})
    kernel = "sixty_six"
    Rules = Rules
    usual_samples = 100
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        SCHNAPSEN: {"preset": SCHNAPSEN, "marriage_lead": "either", "closing": "reach_66", "match_eyes": 7},
    }

    def __init__(self, players: int, rules: Any = None) -> None:
        super().__init__(players, rules)
        if self.schnapsen and players != 2:
            raise RuleError(f"Schnapsen is played by 2 players, not by {players}", "hands")

    @property
    def schnapsen(self) -> bool:
        """20 cards, five each; one must beat; exchanging needs no trick; a closer's win counts as of the closing."""
        return bool(self.rules.preset == SCHNAPSEN)

    @property
    def deck(self) -> Deck:
        return SCHNAPSEN_DECK if self.schnapsen else DECK

    @property
    def hand_size(self) -> int:
        """The cards of a full hand."""
        return 5 if self.schnapsen else 6

    @property
    def full_stock(self) -> int:
        """The cards of the stock before the first draw."""
        return len(self.deck) - self.players * self.hand_size

    # -- deal and start

    def deal(self, random: Random, tally: Any = None, first: int = 0) -> State:
        cards = self.deck.shuffled(random)
        size = self.hand_size
        hands = tuple(holding(cards[size * seat : size * (seat + 1)]) for seat in range(self.players))
        indicator, *under = cards[size * self.players :]
        state = self._fresh(hands, (0,) * self.players, (*under, indicator), suit_of(indicator))
        return state._replace(claims=tally is not None)

    def _fresh(
        self, hands: tuple[Holding, ...], unseen: tuple[int, ...], stock: tuple[Card, ...], trump: Suit
    ) -> State:
        nothing = (0,) * self.players
        return State(
            hands,
            unseen,
            stock,
            trump,
            won=nothing,
            points=nothing,
            pending=nothing,
            closed_points=nothing,
            closed_won=nothing,
        )

    def start(self, setup: Setup) -> State:
        """See `Game.start`. With a closed stock, points and tricks are taken for those at the closing."""
        self.check_fields(setup)
        stock = self._stock(setup)
        size = self._hand_size(setup, stock)
        known, unseen = sized(setup, range(self.players), size)
        state = self._fresh(known, unseen, stock, self._trump(setup, stock))._replace(
            leader=self._leader(setup),
            won=setup.won or (0,) * self.players,
            claims=bool(setup.claims),
        )
        state = state._replace(points=self._points(setup, state), pending=self._pending(setup, state))
        return state if setup.closed_by is None else self._start_closed(state, setup.closed_by)

    def _stock(self, setup: Setup) -> tuple[Card, ...]:
        if setup.stock is None:
            raise RuleError(f"{self.title} needs the stock, the indicator last; [] if it is exhausted", "stock")
        size = len(setup.stock)
        if size > self.full_stock or size % self.players:
            raise RuleError(
                f"the stock has {size} cards; expected at most {self.full_stock}, and as many draws for every player",
                "stock",
            )
        return setup.stock

    def _hand_size(self, setup: Setup, stock: tuple[Card, ...]) -> int:
        """The number of cards in each hand. Raises RuleError if it does not go with the stock and the tricks won."""
        size = even_hands(setup, range(self.players), self.hand_size)
        draws = (self.full_stock - len(stock)) // self.players
        won = sum(setup.won or ())
        if all(hand.unseen is None for hand in setup.hands):
            size = min(self.hand_size, self.hand_size + draws - won)
        if stock and setup.closed_by is None and size != self.hand_size:
            raise RuleError(f"while the stock is open every hand has {self.hand_size} cards, not {size}", "hands")
        if size < 0 or won + size > self.hand_size + draws:
            raise RuleError(
                f"{won} tricks won are too many: each player has been dealt {self.hand_size} cards, has drawn {draws}"
                f" and holds {max(size, 0)}",
                "won",
            )
        return size

    def _trump(self, setup: Setup, stock: tuple[Card, ...]) -> Suit:
        if stock and stock[-1] == UNSEEN:
            raise RuleError("the stock's last card is the indicator, which everyone sees: expected its name", "stock")
        shown = suit_of(stock[-1]) if stock else None
        trump = shown if setup.trump is None else setup.trump
        if trump is None:
            raise RuleError("the trump suit is missing; expected one of S H D C", "trump")
        if trump == NO_TRUMP:
            raise RuleError("NT is not allowed: there is always a trump suit", "trump")
        if shown not in (None, trump):
            raise RuleError(
                f"the trump suit {trump_name(trump)} is not that of the indicator, the stock's last card: expected"
                f" {SUITS[suit_of(stock[-1])]}",
                "trump",
            )
        return trump

    def _leader(self, setup: Setup) -> int:
        leader = setup.leader or 0
        if leader not in range(self.players):
            raise RuleError(f"there is no seat {leader} among {self.players} players to lead", "leader")
        return leader

    def _points(self, setup: Setup, state: State) -> tuple[int, ...]:
        points = setup.points or (0,) * self.players
        if min(points) < 0 or sum(points) > MOST_POINTS:
            raise RuleError(
                f"the points {list(points)} are impossible; cards and marriages make {MOST_POINTS} at most", "points"
            )
        for seat, have in enumerate(points):
            if have and not state.won[seat]:
                raise RuleError(
                    f"{SEATS[seat]} has {have} points but no trick; points count with a trick in won, marriages wait in"
                    " pending",
                    f"points.{SEATS[seat]}",
                )
        if not state.claims and sum(have >= GOAL for have in points) > 1:
            listing = ", ".join(f"{SEATS[seat]} {have}" for seat, have in enumerate(points) if have >= GOAL)
            raise RuleError(f"the first to have {GOAL} points has won, but these have {listing}", "points")
        return points

    def _pending(self, setup: Setup, state: State) -> tuple[int, ...]:
        pending = setup.pending or (0,) * self.players
        for seat, waiting in enumerate(pending):
            if waiting % 20 or not 0 <= waiting <= MOST_PENDING:
                raise RuleError(
                    f"{waiting} cannot be pending; expected marriages of 20 and 40", f"pending.{SEATS[seat]}"
                )
            if waiting and state.won[seat]:
                raise RuleError(
                    f"{SEATS[seat]} has a trick, so the marriage points {waiting} are counted, not pending",
                    f"pending.{SEATS[seat]}",
                )
        return pending

    def _start_closed(self, state: State, closer: int) -> State:
        if closer not in range(self.players):
            raise RuleError(f"there is no seat {closer} among {self.players} players to close", "closed_by")
        if self.rules.closing == "none":
            raise RuleError("the rules have no closing, so nobody closed the stock", "closed_by")
        if not state.stock:
            raise RuleError(f"{SEATS[closer]} cannot have closed an exhausted stock", "closed_by")
        if self.rules.closing == "all_tricks" and state.leader != closer:
            raise RuleError(
                f"{SEATS[closer]} closed and takes every trick or fails, so he leads, not {SEATS[state.leader]}",
                "leader",
            )
        return self._close(state, closer)

    def setup(self, state: State) -> Setup:
        """See `Game.setup`.

        A position has no words for what stood at a closing: what stands now is taken for it. Under `all_tricks` that
        is the same until the deal is over.
        """
        return Setup(
            hands_of(state),
            leader=state.leader,
            won=state.won,
            trump=state.trump,
            stock=state.stock,
            points=state.points,
            pending=state.pending if any(state.pending) else None,
            closed_by=state.closed_by,
            claims=state.claims or None,
        )

    # -- play

    def declaring_phase(self, state: State) -> bool:
        return False

    def actor(self, state: State) -> int | None:
        if self.eyes(state) is not None:
            return None
        return (state.leader + len(state.trick)) % self.players

    def is_open(self, state: State) -> bool:
        """Are cards still drawn?"""
        return bool(state.stock) and state.closed_by is None

    def moves(self, state: State) -> list[Move]:
        seat = self.actor(state)
        if seat is None:
            return []
        choices = self.choices(state, seat)
        if choices is not None:
            return plays(choices)
        hand = state.hands[seat]
        moves = [*self._stock_moves(state, seat), *self._marriages(hand), *plays(hand)]
        return [*listed_moves(moves), *([Move(CLAIM)] if state.claims else [])]

    def choices(self, state: State, seat: int) -> Holding | None:
        if not state.trick:
            return None
        hand = state.hands[seat]
        return trick.playable(hand, state.trick, state.trump, beat=self.schnapsen) if self.obliged(state) else hand

    def _stock_moves(self, state: State, seat: int) -> list[Move]:
        """Exchange and closing, which do not end the turn."""
        if not self.is_open(state):
            return []
        moves = []
        if state.hands[seat] & self.exchanged(state) and (state.won[seat] or self.schnapsen):
            moves.append(Move(EXCHANGE))
        if self.rules.closing != "none":
            moves.append(Move(CLOSE))
        return moves

    def exchanged(self, state: State) -> Holding:
        """The card that is swapped for the indicator: the lowest trump."""
        return single(self.deck.card(SUITS[state.trump], self.deck.ranks[-1]))

    def further_moves(self) -> list[Move]:
        closing = [] if self.rules.closing == "none" else [Move(CLOSE)]
        return [*self._marriages(self.deck.cards), Move(EXCHANGE), *closing, Move(CLAIM)]

    def _marriages(self, hand: Holding) -> list[Move]:
        led = "KQ" if self.rules.marriage_lead == "either" else "Q"
        return [
            Move(MARRIAGE, single(self.deck.card(suit, rank)))
            for suit in SUITS
            if not self.pair(SUITS.index(suit)) & ~hand
            for rank in led
        ]

    def pair(self, suit: Suit) -> Holding:
        """King and queen of a suit."""
        return _pair(self.deck, suit)

    def play(self, state: State, move: Move) -> State:
        seat = self.actor(state)
        assert seat is not None
        if move.kind == CLAIM:
            return state._replace(claimed_by=seat)
        if move.kind == CLOSE:
            return self._close(state, seat)
        if move.kind == EXCHANGE:
            return self._exchange(state, seat)
        assert move.kind in (PLAY, MARRIAGE)
        if move.kind == MARRIAGE:
            state = self._announce(state, seat, suit_of(move.cards.bit_length() - 1))
        return self._put(state, seat, move.cards)

    def _close(self, state: State, seat: int) -> State:
        return state._replace(
            closed_by=seat,
            closed_points=replaced(state.points, seat, 0),
            closed_won=replaced(state.won, seat, 0),
        )

    def _exchange(self, state: State, seat: int) -> State:
        lowest = self.exchanged(state)
        hands, unseen = remove(state.hands, state.unseen, seat, lowest)
        hands, unseen = _taken_up(hands, unseen, seat, state.stock[-1])
        return state._replace(hands=hands, unseen=unseen, stock=(*state.stock[:-1], lowest.bit_length() - 1))

    def _announce(self, state: State, seat: int, suit: Suit) -> State:
        """The state with a marriage's points; everybody has seen its two cards then."""
        pair = self.pair(suit)
        missing = count(pair & ~state.hands[seat])
        state = state._replace(
            hands=replaced(state.hands, seat, state.hands[seat] | pair),
            unseen=replaced(state.unseen, seat, state.unseen[seat] - missing),
            married=True,
        )
        bonus = 40 if suit == state.trump else 20
        if state.won[seat]:
            return state._replace(points=replaced(state.points, seat, state.points[seat] + bonus))
        return state._replace(pending=replaced(state.pending, seat, state.pending[seat] + bonus))

    def _put(self, state: State, seat: int, card: Holding) -> State:
        """The state with a card on the table, and if it is the trick's last, with the trick taken and cards drawn."""
        hands, unseen = remove(state.hands, state.unseen, seat, card)
        state = state._replace(hands=hands, unseen=unseen, trick=(*state.trick, card.bit_length() - 1))
        if len(state.trick) < self.players:
            return state
        taker = (state.leader + trick.winner(state.trick, state.trump)) % self.players
        worth = sum(POINTS[self.deck.rank(played)] for played in state.trick) + state.pending[taker]
        return self._drawn(
            state._replace(
                leader=taker,
                trick=(),
                married=False,
                won=replaced(state.won, taker, state.won[taker] + 1),
                points=replaced(state.points, taker, state.points[taker] + worth),
                pending=replaced(state.pending, taker, 0),
            )
        )

    def _drawn(self, state: State) -> State:
        """The state after everybody drew a card, the leader first, if the stock is open."""
        if not self.is_open(state):
            return state
        hands, unseen = state.hands, state.unseen
        for turn, card in enumerate(state.stock[: self.players]):
            hands, unseen = _taken_up(hands, unseen, (state.leader + turn) % self.players, card)
        return state._replace(hands=hands, unseen=unseen, stock=state.stock[self.players :])

    def played(self, state: State) -> int:
        return len(state.trick)

    def obliged(self, state: State) -> bool:
        """While the stock is open anything may be played."""
        return bool(state.trick) and not self.is_open(state)

    def shown(self, state: State, move: Move) -> Holding:
        """A marriage shows king and queen, whichever is led; an exchange shows the lowest trump."""
        if move.kind == MARRIAGE:
            return self.pair(suit_of(move.cards.bit_length() - 1))
        return self.exchanged(state) if move.kind == EXCHANGE else move.cards

    # -- the end of the deal

    def eyes(self, state: State) -> tuple[int, ...] | None:
        """The eyes that each seat covers; None while the deal goes on."""
        closer, claimer = state.closed_by, state.claimed_by
        if claimer is not None and state.points[claimer] < GOAL:
            return self._all_but(claimer, self.penalty(state) if claimer == closer else 1)
        winner = self._winner(state)
        if closer is not None and self._failed(state, closer, winner):
            return self._all_but(closer, self.penalty(state))
        if winner is None:
            return None
        return replaced((0,) * self.players, winner, self._winning_eyes(state, winner))

    def _all_but(self, loser: int, eyes: int) -> tuple[int, ...]:
        return replaced((eyes,) * self.players, loser, 0)

    def _winner(self, state: State) -> int | None:
        """Who has said "Gana!", or with the cards played out has the last trick, closings apart."""
        for seat, points in enumerate(state.points):
            if points >= GOAL and self._announced(state, seat):
                return seat
        out = not state.trick and not any(state.hands) and not any(state.unseen)
        return state.leader if out else None

    def _announced(self, state: State, seat: int) -> bool:
        """Has a seat with 66 points said so?"""
        if not state.claims:
            return True
        return state.claimed_by == seat or (state.married and seat == state.leader)

    def _failed(self, state: State, closer: int, winner: int | None) -> bool:
        if self.rules.closing == "all_tricks":
            return state.leader != closer
        return winner is not None and (winner != closer or state.points[closer] < GOAL)

    def penalty(self, state: State) -> int:
        """The eyes that each opponent covers after a failed closing."""
        if self.rules.closing_penalty != "standard":
            return int(self.rules.closing_penalty)
        return 2 if any(state.closed_won) else 3

    def _winning_eyes(self, state: State, winner: int) -> int:
        at_closing = self.schnapsen and state.closed_by is not None
        points, won = (state.closed_points, state.closed_won) if at_closing else (state.points, state.won)
        if not sum(won) - won[winner]:
            return 3
        return 2 if sum(points) - points[winner] < HALF else 1

    # -- values

    def pov(self, state: State) -> int:
        seat = self.actor(state)
        return state.leader if seat is None else seat

    def value(self, state: State, seat: int) -> int:
        eyes = self.score(state)
        return eyes[seat] or -max(eyes)

    def succeeds(self, state: State, seat: int, value: int) -> bool:
        return value > 0

    def score(self, state: State) -> tuple[int, ...]:
        eyes = self.eyes(state)
        assert eyes is not None
        return eyes

    def kernel_plays(self, state: State) -> bool:
        """The kernel ends the deal at 66 points, claimed or not."""
        return not state.claims

    def scored(self, state: State, tally: Sequence[int]) -> tuple[int, ...]:
        return tuple(max(0, eyes) for eyes in tally)

    def score_range(self) -> tuple[int, int]:
        return 0, 3

    def ends_at_once(self, state: State) -> dict[Move, int]:
        """The claim, whose value nobody need guess: a player has counted his points."""
        seat = self.actor(state)
        claim = Move(CLAIM)
        if seat is None or claim not in self.moves(state):
            return {}
        return {claim: self.value(self.play(state, claim), seat)}

    def packed(self, state: State, pov: int) -> list[int]:
        seats, most_stock = 3, 12
        beyond = [0] * (seats - self.players)
        closed = state.closed_by is not None
        unclaimed = GOAL - 1 if state.claims else max(state.points)
        points = (min(have, unclaimed) for have in state.points)  # 66 that nobody has claimed do not end the deal
        return [
            *(*state.hands, *beyond),
            len(state.stock),
            *(*state.stock, *[-1] * (most_stock - len(state.stock))),
            *(*points, *beyond),
            *(*state.pending, *beyond),
            *(*state.won, *beyond),
            *(*state.trick, *[-1] * (seats - 1 - len(state.trick))),
            state.leader,
            self.players,
            state.trump,
            -1 if state.closed_by is None else state.closed_by,
            self._flags,
            CLOSINGS.index(self.rules.closing),
            0 if self.rules.closing_penalty == "standard" else self.rules.closing_penalty,
            pov,
            _lanes(state.closed_points) if closed else 0,
            _lanes(state.closed_won) if closed else 0,
            int(state.married),
            0,
            0,
        ]

    @property
    def _flags(self) -> int:
        """The rules in bits: marriage with either card, Schnapsen's obligations, exchange without a trick, no nines."""
        return int(self.rules.marriage_lead == "either") | (2 | 4 | 8 if self.schnapsen else 0)

    def worth(self, state: State, value: int) -> Phrase:
        seat, eyes = SEATS[self.pov(state)], abs(value)
        if value > 0:
            return say("{seat} wins the deal and covers eyes: {eyes}", seat=seat, eyes=eyes)
        return say("{seat} loses the deal, eyes against: {eyes}", seat=seat, eyes=eyes)

    # -- match

    def count(self, tally: Any, state: State, first: int) -> Tally:
        eyes = self.by_player(self.score(state), first)
        return Tally(tuple(have + more for have, more in zip(tally.scores, eyes, strict=True)), tally.deals + 1)

    def winners(self, tally: Any) -> tuple[int, ...]:
        return sole_leader(tally.scores, self.rules.match_eyes)


@cache
def _pair(deck: Deck, suit: Suit) -> Holding:
    return holding(deck.card(SUITS[suit], rank) for rank in "KQ")


def _taken_up(
    hands: tuple[Holding, ...], unseen: tuple[int, ...], seat: int, card: Card
) -> tuple[tuple[Holding, ...], tuple[int, ...]]:
    """Hands and unseen counts after a seat took up a card, named or not."""
    if card == UNSEEN:
        return hands, replaced(unseen, seat, unseen[seat] + 1)
    return replaced(hands, seat, hands[seat] | single(card)), unseen


def _lanes(numbers: tuple[int, ...]) -> int:
    """Small numbers by seat, sixteen bits each."""
    return sum(number << 16 * seat for seat, number in enumerate(numbers))
