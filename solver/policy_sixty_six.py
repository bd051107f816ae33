"""The choices that there were in Sixty-six, by the hands of layouts: what `logit` needs to say how likely plays are.

Of a layout the opponent's present hand is known, but not when he drew which of its cards. All ways are equally likely,
and one is drawn at random, going back from the present: of the cards that he held after a draw, apart from those that
everybody knew then, each is the one he drew with equal chances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .cards import UNSEEN, Deck, Holding, count, each, strength_of, suit_of
from .game import CLOSE, EXCHANGE, MARRIAGE, PLAY, Game, Move
from .games.sixty_six import GOAL, POINTS
from .logit import (
    Choice,
    Codes,
    Hands,
    as_hands,
    aspect,
    column,
    flat,
    following,
    gone_before,
    has_higher,
    if_any,
    length,
    strengths,
    suits,
    taking,
)
from .position import Position

_LEAD: Final = (83, 33, 7, 37, 56, 69)
_REPLY: Final = (193, 7, 33, 49, 49, 41, 49)
SIZES: Final = {"lead": _LEAD, "reply": _REPLY, "late lead": _LEAD, "late reply": _REPLY}
"""By situation, for each aspect the number of its categories. Late is when no cards are drawn any more."""

_RANKS: Final = 6
_POINTS: Final = np.array(sorted(POINTS.values()))
"""By rank, from the lowest: a higher one has more."""
_GROUPS: Final = np.array([0, 0, 1, 1, 2, 3])
"""By rank: nines and jacks, queens and kings, tens, aces."""
_DECLARED: Final = 6
"""Moves beside the cards, which come first: a marriage of each suit, exchanging, closing."""


def choices(position: Position, seat: int, hands: NDArray[np.int64], random: np.random.Generator) -> Iterator[Choice]:
    """A seat's moves, the last one first, with hands as they may have been. hands: its present ones, int64[n]."""
    deck = position.game.deck
    held = as_hands(hands, deck)
    gone = gone_before(position)
    for at in reversed(range(len(position.moves))):
        before, move = position.states[at], position.moves[at]
        _give_back(held, seat, position.states[at : at + 2], deck, random)
        if position.game.actor(before) == seat:
            _take_back(held, before, move, position.game)
            if move.kind in (PLAY, MARRIAGE, EXCHANGE, CLOSE):
                scene = _Scene(position.game, before, seat, gone[at], held)
                yield scene.choice(place(position.game, move))


def place(game: Game[Any], move: Move) -> int:
    """The column of a move."""
    ranks = len(game.deck.ranks)
    cards = len(game.deck)
    if move.kind in (EXCHANGE, CLOSE):
        return cards + 4 + int(move.kind == CLOSE)
    card = move.cards.bit_length() - 1
    return cards + suit_of(card) if move.kind == MARRIAGE else column(card, ranks)


def _give_back(held: Hands, seat: int, states: Sequence[Any], deck: Deck, random: np.random.Generator) -> None:
    """Takes the card out of the hands that a seat drew between two states, if it drew one."""
    before, after = states
    if len(after.stock) == len(before.stock):
        return
    players = len(before.hands)
    drawn = before.stock[(seat - after.leader) % players]
    if drawn != UNSEEN:
        held[:, suit_of(drawn), strength_of(drawn)] = False
        return
    known = as_hands([after.hands[seat]], deck)
    scores = (random.random(held.shape) * (held & ~known)).reshape(len(held), -1)
    held.reshape(len(held), -1)[np.arange(len(held)), scores.argmax(axis=1)] = False


def _take_back(held: Hands, before: Any, move: Move, game: Any) -> None:
    """Puts a move's card back into the hands, and the indicator back under the stock."""
    if move.kind == EXCHANGE:
        indicator = before.stock[-1]
        held[:, suit_of(indicator), strength_of(indicator)] = False
        held[:, before.trump, 0] = True
    elif move.kind in (PLAY, MARRIAGE):
        for card in each(game.shown(before, move)):
            held[:, suit_of(card), strength_of(card)] = True


class _Scene:
    """What a seat saw when it moved, with each of many hands."""

    def __init__(self, game: Any, state: Any, seat: int, gone: Holding, held: Hands) -> None:
        self.game, self.state, self.seat = game, state, seat
        self.held, self.cards = held, flat(held)
        self.ranks = held.shape[2]
        self.gone = as_hands([gone], game.deck)
        self.rank = strengths(self.ranks) + _RANKS - self.ranks
        self.group, self.points = _GROUPS[self.rank], _POINTS[self.rank]
        self.suit = suits(self.ranks)
        self.trumps = (self.suit == state.trump).astype(np.int64)
        self.drawing = game.is_open(state)

    def choice(self, made: int) -> Choice:
        """The moves that there were, of which one was made."""
        replying = bool(self.state.trick)
        legal = [self._playable(), self._nothing()] if replying else [self.cards, self._declarable()]
        aspects = self._reply() if replying else self._lead()
        name = ("" if self.drawing else "late ") + ("reply" if replying else "lead")
        return Choice(name, aspects, np.concatenate(legal, axis=1), made)

    # -- what may be done

    def _nothing(self) -> Hands:
        return np.zeros((len(self.held), _DECLARED), dtype=np.bool_)

    def _declarable(self) -> Hands:
        legal = self._nothing()
        legal[:, :4] = self._pairs()
        if self.drawing:
            may_exchange = bool(self.state.won[self.seat]) or self.game.schnapsen
            legal[:, 4] = self.held[:, self.state.trump, 0] & may_exchange
            legal[:, 5] = self.game.rules.closing != "none"
        return legal

    def _pairs(self) -> Hands:
        """By suit, are king and queen in hand?"""
        return np.asarray(self.held[:, :, -3] & self.held[:, :, -4])

    def _playable(self) -> Hands:
        if self.drawing:
            return self.cards
        lying, trump = self.state.trick, self.state.trump
        allowed = following(self.cards, lying, trump)
        return if_any(allowed & taking(lying, trump, self.ranks), allowed) if self.game.schnapsen else allowed

    # -- aspects

    def _lead(self) -> list[Codes]:
        kind, group = self.rank + 6 * self.trumps, self.group + 4 * self.trumps
        boss, trumps_held, stage, standing = self._boss(), self._trumps_held(), self._stage(), self._standing()
        dear = np.minimum(self.held[:, :, -2:].sum(axis=(1, 2)), 4)[:, None]
        married = (np.arange(4) == self.state.trump) + 2 * standing
        return [
            _joined(kind + 12 * boss + 24 * self._closer(), np.array([[*(72 + married), 80, 81]])),
            _joined(group + 8 * length(self.held)),
            _joined(self._partnered() + 3 * (self.rank == 3)),
            _joined(kind + 12 * stage),
            _joined(group + 8 * trumps_held, _closing(40 + trumps_held + 5 * stage)),
            _joined(boss + 2 * self.trumps + 4 * standing + 16 * stage, _closing(48 + dear + 5 * standing)),
        ]

    def _reply(self) -> list[Codes]:
        led, takes = self.state.trick[0], taking(self.state.trick, self.state.trump, self.ranks)
        follows = self.suit == suit_of(led)
        relation = np.where(takes, np.where(follows, 2, 3), follows)
        led_rank = strength_of(led) + _RANKS - self.ranks
        led_group, led_trump = int(_GROUPS[led_rank]), int(suit_of(led) == self.state.trump)
        lying = sum(int(_POINTS[strength_of(card) + _RANKS - self.ranks]) for card in self.state.trick)
        reaches = takes & (self.state.points[self.seat] + lying + self.points >= GOAL)
        led_dear = int(led_group >= 2)
        return [
            _joined(self.rank + 6 * relation + 24 * led_group + 96 * led_trump),
            _joined(self._partnered() + 3 * takes),
            _joined(self.group + 4 * self.trumps + 8 * length(self.held)),
            _joined(self.rank + 6 * self._boss() + 12 * relation),
            _joined(relation + 4 * (self.group >= 2) + 8 * led_dear + 16 * self._stage()),
            _joined(relation + 4 * self._trumps_held() + 20 * led_dear),
            _joined(reaches + 2 * takes + 4 * self._closer() + 12 * self._standing()),
        ]

    def _boss(self) -> Codes:
        """1 if all higher cards of the suit are gone or in one's own hand."""
        return 1 - has_higher(~(self.held | self.gone))

    def _trumps_held(self) -> Codes:
        """Up to 4; for all moves alike."""
        return np.asarray(np.minimum(self.held[:, self.state.trump].sum(axis=1), 4)[:, None])

    def _partnered(self) -> Codes:
        """1 for a king or queen whose partner is in hand, 2 if they are trumps."""
        paired = np.repeat(self._pairs(), self.ranks, axis=1) & np.isin(self.rank, (2, 3))
        return np.asarray(paired * (1 + self.trumps))

    def _stage(self) -> int:
        """How far the deal has gone, 0 to 2: while cards are drawn by the stock, afterwards by the hand."""
        if self.drawing:
            draws = len(self.state.stock) // self.game.players
            return 0 if draws > 3 else 1 if draws > 1 else 2
        cards: int = count(self.state.hands[self.seat]) + self.state.unseen[self.seat]
        return min(max(4 - cards, 0), 2)

    def _closer(self) -> int:
        """0 if nobody has closed, 1 if the seat itself has, 2 if somebody else."""
        closer = self.state.closed_by
        return 0 if closer is None else 1 if closer == self.seat else 2

    def _standing(self) -> int:
        """How many points the seat has: below 17, 34, 51, or from there on; 0 to 3."""
        return min(3, int(self.state.points[self.seat]) // 17)


def _closing(codes: Codes) -> Codes:
    """Categories of closing alone, by hand."""
    return np.concatenate([np.full((len(codes), _DECLARED - 1), -1), codes], axis=1)


def _joined(cards: Codes, declared: Codes | None = None) -> Codes:
    """An aspect of cards and of the other moves, by default not about these."""
    return aspect(cards, np.full((1, _DECLARED), -1) if declared is None else declared)
