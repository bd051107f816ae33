"""Moves as numbers and observations as vectors, one encoding for all libraries.

**Actions.** The numbering depends on the game, its number of players and its options alone. With `D` cards in the deck:

- 0 to D - 1: playing the single card of that number, suits S H D C and low to high within a suit;
- then what else the game has, see `Encoding.moves`: in Atspėk four trumps, in Antikoziris six bids, pass and four
  trumps, in Piramidė 35 announcements, in Sixty-six the marriages, exchange, close and claim, in Velnio tuzinas the
  pairs, the whole hand, and all of it again as tucks.

A hand of Velnio tuzinas has three cards, so three cards played or tucked are always all that there are: one number each
instead of 22,100. That is the only number whose cards depend on the hand.

**Vectors.** What a seat sees and remembers, as float32 in named blocks (`Encoding.blocks`), P players:

| block | shape | what it says |
|---|---|---|
| seat, actor | P each | whose eyes; who is to move, nobody when the deal is over |
| hand, recalled, gone | D each | the seat's cards; what `recalled` gives; cards that all know to be out of play |
| played | P, D | when each card was shown, by whom: n / 128 for the n-th move, negative if it was tucked |
| called | P, C | when each of the C moves that do not play or tuck cards was made, by whom, counted alike |
| table | P, D | the current trick, -1 for a tuck |
| drawn, indicator, stock | D, D, 1 | place in the first stock / D, of cards drawn; the stock's last; its size / D |
| tops, unders | P, M, D each | the M piles of each seat when they were dealt, so far as they have been seen |
| lying | P, D | face-up cards of piles now |
| declarer, bid, trump | P, bids, 5 | of the contract; the last trump is none |
| won, points, pending, match | P each | tricks / 16; points / 66; marriages that wait / 100; the match's score / 100 |
| slots | 7 | in Piramidė how often each number may still be announced, / 4 |
| closed_by, flags | P, 2 | who closed; was the trick led with a marriage, must 66 points be claimed |

A block that a game cannot fill is not there. Two observations that differ have different vectors: every move that was
seen is there with its number, and a tuck that was not is the seat's in turn whose number is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..cards import (
    LANE,
    LANE_BITS,
    NO_TRUMP,
    SUITS,
    UNSEEN,
    Card,
    CardText,
    Holding,
    count,
    each,
    holding,
    strength_of,
    suit_of,
)
from ..game import PLAY, TUCK, Game, Move
from ..notation import write_move
from ..position import Position
from ..search import KINDS, code_of, move_of

WHOLE: Final = 3
"""So many cards are numbered as "the whole hand"."""
_TIMES: Final = 128
"""More moves than any deal has."""
_NO_TRUMP_PLACE: Final = 4
_NUMBERS: Final = {"won": 16, "points": 66, "pending": 100, "slots": 4}
"""Facts of a state that are numbers by seat, or by what is announced, and by what they are divided."""

Vector = NDArray[np.float32]


class _Lane(dict[int, tuple[int, ...]]):
    """The numbers of a suit's cards by the bits of its lane, ascending; worked out when they are first asked for."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first

    def __missing__(self, lane: int) -> tuple[int, ...]:
        self[lane] = tuple(self.first + strength for strength in range(LANE) if lane >> strength & 1)
        return self[lane]


class Encoding:
    """The encoding of one game at one table; see the module for the numbers and vectors.

    moves: the move of each action, with no cards where it is the whole hand. blocks: the named blocks of a vector in
    order, with their shapes.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self._text = CardText(game.deck)
        singles = [Move(PLAY, 1 << card) for card in sorted(each(game.deck.cards))]
        self.moves: tuple[Move, ...] = (*singles, *game.further_moves())
        self._actions = {move: action for action, move in enumerate(self.moves)}
        calls = [move for move in self.moves if move.kind not in (PLAY, TUCK)]
        self._calls = {move: place for place, move in enumerate(calls)}
        self._codes = [code_of(move) if move.kind in KINDS and not _whole(move) else 0 for move in self.moves]
        self._coded = {code: action for action, code in enumerate(self._codes) if code}
        self._wholes = {action for action, move in enumerate(self.moves) if _whole(move)}
        self._lanes = [(LANE * suit, _Lane(suit * len(game.deck.ranks))) for suit in range(len(SUITS))]
        self.blocks = dict(self._shapes())
        self._size = sum(map(prod, self.blocks.values()))

    # -- actions

    @property
    def num_actions(self) -> int:
        """How many there are."""
        return len(self.moves)

    def action(self, move: Move) -> int:
        """The number of a move. Raises KeyError for one that the game does not have, such as a tuck nobody saw."""
        action = self._actions.get(move)
        if action is None:
            action = self._actions[move._replace(cards=0) if count(move.cards) == WHOLE else move]
        return action

    def move(self, action: int, state: Any) -> Move:
        """The move of a number, for the seat to move in that state, whose cards must be named.

        Only the whole hand depends on the state. Raises IndexError.
        """
        move = self.moves[action]
        if action not in self._wholes:
            return move
        seat = self.game.actor(state)
        assert seat is not None
        return move._replace(cards=state.hands[seat])

    def legal(self, state: Any) -> list[int]:
        """The numbers of the legal moves, ascending; none when the deal is over."""
        seat = self.game.actor(state)
        return [] if seat is None else self.legal_for(state, seat)

    def legal_for(self, state: Any, seat: int) -> list[int]:
        """The same for a seat that is known to be to move."""
        choices = self.game.choices(state, seat)
        if choices is None:
            return sorted(map(self.action, self.game.moves(state)))
        legal: list[int] = []
        for shift, lane in self._lanes:
            legal += lane[choices >> shift & LANE_BITS]
        return legal

    def moved(self, mover: Any, action: int) -> int:
        """Makes a move in the kernel, by a `Mover`; gives the seat to move then, -1 when the deal is over.

        Raises ValueError for one that is not legal.
        """
        code = self._codes[action]
        if not code:  # the whole hand
            code = next((code for code in mover.moves() if self.action(move_of(code)) == action), 0)
        seat: int = mover.play(code)
        return seat

    def legal_in(self, mover: Any) -> list[int]:
        """The same as `legal` for a deal that the kernel plays."""
        codes = mover.moves()
        try:
            return sorted(map(self._coded.__getitem__, codes))
        except KeyError:  # a hand that has not been met as a whole
            self._coded |= {code: self.action(move_of(code)) for code in codes}
            return sorted(map(self._coded.__getitem__, codes))

    def text(self, action: int) -> str:
        """An action in words that do not depend on the state: as in position files, or "whole hand"."""
        move = self.moves[action]
        words = write_move(move, self._text)
        return f"{words} whole hand".strip() if action in self._wholes else words

    # -- observations

    @property
    def tensor_shape(self) -> tuple[int]:
        """The length of a vector, as numpy has shapes."""
        return (self._size,)

    def tensor(self, observation: Position, recalled: Holding = 0) -> Vector:
        """What a seat sees and remembers, as a vector: float32[tensor_shape].

        observation: a `Position.observe`. recalled: what an earlier view showed, see `recalled`.
        """
        vector = np.zeros(self._size, np.float32)
        self.fill(self.split(vector), observation, recalled)
        return vector

    def split(self, vector: Vector) -> dict[str, Vector]:
        """The blocks of a vector by name, as views into it."""
        ends = np.cumsum([prod(shape) for shape in self.blocks.values()])[:-1]
        parts = np.split(vector, ends)
        return {name: part.reshape(shape) for (name, shape), part in zip(self.blocks.items(), parts, strict=True)}

    def fill(self, blocks: dict[str, Vector], observation: Position, recalled: Holding = 0) -> None:
        """Writes a vector, whose blocks are all 0; see `tensor`. Raises ValueError for an open position."""
        seat = observation.seat
        if seat is None:
            raise ValueError("a position with open cards is nobody's observation")
        state = observation.state
        actor = self.game.actor(state)
        blocks["seat"][seat] = 1
        if actor is not None:
            blocks["actor"][actor] = 1
        self._mark(blocks["hand"], state.hands[seat])
        self._mark(blocks["recalled"], recalled)
        self._mark(blocks["gone"], observation.gone)
        blocks["match"][:] = np.array(observation.match or 0) / 100
        self._fill_history(blocks, observation)
        self._fill_trick(blocks["table"], observation)
        if "stock" in blocks:
            self._fill_stock(blocks, observation.start.stock, state.stock)
        if "tops" in blocks:
            self._fill_piles(blocks, observation)
        self._fill_score(blocks, state)

    def fill_dealt(self, blocks: dict[str, Vector], seat: int, hand: Holding) -> None:
        """The same while the cards come out: the hand as far as the seat has it."""
        blocks["seat"][seat] = 1
        self._mark(blocks["hand"], hand)

    def _shapes(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The blocks that the game can fill."""
        game, seats, cards = self.game, self.game.players, len(self.game.deck)
        yield from {"seat": (seats,), "actor": (seats,), "hand": (cards,), "recalled": (cards,)}.items()
        yield from {"gone": (cards,), "match": (seats,), "played": (seats, cards)}.items()
        yield from {"called": (seats, len(self._calls)), "table": (seats, cards)}.items()
        yield "trump", (5,)
        if game.unit != "margin":  # where points run on nobody counts tricks
            yield "won", (seats,)
        if "contract" in game.keys:
            yield from {"declarer": (seats,), "bid": (game.hand_size + 1,)}.items()  # type: ignore[attr-defined]
        if "slots" in game.keys:
            yield "slots", (7,)
        if "stock" in game.keys:
            yield from {"drawn": (cards,), "indicator": (cards,), "stock": (1,)}.items()
        if "piles" in game.keys:
            piles = (seats, game.layout.piles, cards)  # type: ignore[attr-defined]
            yield from {"tops": piles, "unders": piles, "lying": (seats, cards)}.items()
        if "points" in game.keys:
            yield "points", (seats,)
        if "closed_by" in game.keys:
            yield from {"pending": (seats,), "closed_by": (seats,), "flags": (2,)}.items()

    def _place(self, card: Card) -> int:
        """Where a card stands among all cards of the deck."""
        return suit_of(card) * len(self.game.deck.ranks) + strength_of(card)

    def _mark(self, block: Vector, cards: Holding, value: float = 1) -> None:
        for card in each(cards):
            block[self._place(card)] = value

    def _fill_history(self, blocks: dict[str, Vector], observation: Position) -> None:
        for at, (state, move) in enumerate(zip(observation.states, observation.moves, strict=False), 1):
            seat = self.game.actor(state)
            assert seat is not None
            self._mark(blocks["played"][seat], move.cards, -at / _TIMES if move.kind == TUCK else at / _TIMES)
            if move in self._calls:
                blocks["called"][seat, self._calls[move]] = at / _TIMES

    def _fill_trick(self, block: Vector, observation: Position) -> None:
        begun = len(observation.moves) - self.game.played(observation.state)
        for state, move in zip(observation.states[begun:], observation.moves[begun:], strict=False):
            seat = self.game.actor(state)
            assert seat is not None
            self._mark(block[seat], move.cards, -1 if move.kind == TUCK else 1)

    def _fill_stock(self, blocks: dict[str, Vector], first: Sequence[Card], now: Sequence[Card]) -> None:
        for place, card in enumerate(first, 1):
            if card != UNSEEN:
                blocks["drawn"][self._place(card)] = place / len(self.game.deck)
        if now:
            blocks["indicator"][self._place(now[-1])] = 1
        blocks["stock"][:] = len(now) / len(self.game.deck)

    def _fill_piles(self, blocks: dict[str, Vector], observation: Position) -> None:
        first = next((state.piles for state in observation.states if any(state.piles)), ())
        for seat, piles in enumerate(first):
            for place, pile in enumerate(piles):
                for name, card in (("tops", pile and pile.top), ("unders", pile and pile.under)):
                    if card not in (None, UNSEEN):
                        blocks[name][seat, place, self._place(card)] = 1
        for seat, piles in enumerate(observation.state.piles):
            self._mark(blocks["lying"][seat], holding(pile.top for pile in piles if pile and pile.top != UNSEEN))

    def _fill_score(self, blocks: dict[str, Vector], state: Any) -> None:
        contract = getattr(state, "contract", None)
        trump = contract.trump if contract is not None else getattr(state, "trump", None)
        if trump is not None:
            blocks["trump"][_NO_TRUMP_PLACE if trump == NO_TRUMP else trump] = 1
        if contract is not None:
            blocks["declarer"][contract.declarer] = 1
            if contract.bid is not None:
                blocks["bid"][contract.bid] = 1
        for name, most in _NUMBERS.items():
            if name in blocks:
                blocks[name][:] = np.array(getattr(state, name)) / most
        if "closed_by" in blocks:
            if state.closed_by is not None:
                blocks["closed_by"][state.closed_by] = 1
            blocks["flags"][:] = state.married, state.claims


def recalled(position: Position, seat: int) -> Holding:
    """The cards that a seat saw in an earlier view and that its observation now does not single out.

    In Atspėk who named the trump saw two cards of his hand first; nothing is forgotten anywhere else.
    """
    began = position.game.view_from(position.states)
    return position.before(began - 1).observe(seat).state.hands[seat] if began else 0


def lead(scores: Sequence[int]) -> list[float]:
    """How much more each seat scored than the others on average, which adds up to 0 over the table."""
    total, others = sum(scores), len(scores) - 1
    return [score - (total - score) / others for score in scores]


def _whole(move: Move) -> bool:
    """Does the action stand for the whole hand?"""
    return move.kind in (PLAY, TUCK) and not move.cards
