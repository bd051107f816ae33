"""The choices that there were in Atspėk, by the hands of layouts: what `logit` needs to say how likely plays are.

A seat plays from its hand or from the tops of its piles, which everybody sees. Of a hand all cards are there from the
beginning, so what it was before each move follows from what it is now. The trump was named from two of the first
seat's cards; which ones nobody else knows, so of the hand that he had then two are drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .cards import Holding, Suit, count, holding, strength_of, suit_of
from .game import PLAY, Game, Move
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
    has_lower,
    length,
    strengths,
    suits,
    taking,
)
from .position import Position

SIZES: Final = {
    "trump": (4, 11),
    "lead": (73, 49, 33, 33, 13),
    "reply": (73, 97, 65, 37, 17),
}
"""By situation, for each aspect the number of its categories."""

_RANKS: Final = 9
_FIRST: Final = 2
"""The cards from which the trump is named."""


def choices(position: Position, seat: int, hands: NDArray[np.int64], random: np.random.Generator) -> Iterator[Choice]:
    """A seat's moves, the last one first, with hands as they may have been. hands: its present ones, int64[n]."""
    game: Any = position.game
    held = as_hands(hands, game.deck)
    gone = gone_before(position)
    for at in reversed(range(len(position.moves))):
        before, move = position.states[at], position.moves[at]
        if game.actor(before) != seat:
            continue
        if move.kind == PLAY:
            held |= as_hands([move.cards & ~game.face_up(before)], game.deck)
            yield _Scene(game, before, seat, gone[at], held).choice(place(game, move))
        elif move.trump is not None and not before.unseen[seat]:
            yield _naming(as_hands([before.hands[seat]], game.deck), move.trump)
    start = position.start
    whole = count(start.hands[seat]) + start.unseen[seat] == game.layout.hand
    if seat == 0 and whole and start.trump is not None:
        yield _naming(_some(held, _FIRST, random), start.trump)


def place(game: Game[Any], move: Move) -> int:
    """The column of a card."""
    return column(move.cards.bit_length() - 1, len(game.deck.ranks))


def _some(held: Hands, size: int, random: np.random.Generator) -> Hands:
    """So many cards of each hand, drawn at random."""
    scores = (random.random(held.shape) * held).reshape(len(held), -1)
    least = np.sort(scores, axis=1)[:, -size, None]
    return held & (scores >= least).reshape(held.shape)


def _naming(held: Hands, trump: Suit) -> Choice:
    """The trump that was named from the cards, by how many there are of each suit and the best of them."""
    rank = np.arange(held.shape[2]) + _RANKS - held.shape[2]
    cards = held.sum(axis=2)
    return Choice("trump", [aspect(cards), aspect((held * (rank + 1)).max(axis=2))], cards >= 0, trump)


class _Scene:
    """What a seat saw when it played, with each of many hands."""

    def __init__(self, game: Any, state: Any, seat: int, gone: Holding, held: Hands) -> None:
        self.game, self.state, self.seat = game, state, seat
        tops = holding(pile.top for pile in state.piles[seat] if pile)
        self.available = held | as_hands([tops], game.deck)
        self.out = ~(self.available | as_hands([gone], game.deck))
        self.others = as_hands([game.face_up(state) & ~tops], game.deck)
        self.ranks = held.shape[2]
        self.rank = strengths(self.ranks) + _RANKS - self.ranks
        self.trumps = (suits(self.ranks) == state.trump).astype(np.int64)

    def choice(self, made: int) -> Choice:
        """The cards that might be played, of which one was."""
        if not self.state.trick:
            return Choice("lead", self._lead(), flat(self.available), made)
        legal = following(flat(self.available), self.state.trick, self.state.trump)
        return Choice("reply", self._reply(legal), legal, made)

    def _lead(self) -> list[Codes]:
        boss, source, stage = 1 - has_higher(self.out), self._source(), self._stage()
        least, most = 1 - has_lower(self.available), 1 - has_higher(self.available)
        beaten = has_higher(self.others)
        return [
            aspect(self.rank + 9 * self.trumps + 18 * boss + 36 * beaten),
            aspect(source + 3 * self.trumps + 6 * boss + 12 * stage),
            aspect(length(self.available) + 4 * self.trumps + 8 * least + 16 * most),
            aspect(boss + 2 * beaten + 4 * self.trumps + 8 * stage),
            aspect(source + 3 * least + 6 * most),
        ]

    def _reply(self, legal: Hands) -> list[Codes]:
        trick, stage, source = self.state.trick, self._stage(), self._source()
        takes = taking(trick, self.state.trump, self.ranks)
        follows: NDArray[np.bool_] = suits(self.ranks) == suit_of(trick[0])
        relation = np.where(takes, np.where(follows, 2, 3), follows)
        least = np.where(takes, self._least(legal & takes), self._least(legal & ~takes))
        able = np.asarray((legal & takes).any(axis=1, keepdims=True))
        return [
            aspect(self.rank + 9 * relation + 36 * self.trumps),
            aspect(source + 3 * relation + 12 * least + 24 * stage),
            aspect(relation + 4 * least + 8 * able + 16 * stage),
            aspect(self.rank + 9 * least + 18 * self.trumps),
            aspect(length(self.available) + 4 * least + 8 * able),
        ]

    def _least(self, cards: Hands) -> Codes:
        """1 for cards that are no higher than any other of their suit among those."""
        return 1 - has_lower(cards.reshape(len(cards), 4, self.ranks))

    def _source(self) -> Codes:
        """0 for cards of the hand, 1 for the last card of a pile, 2 for one that lies on another: int64[cards]."""
        source = np.zeros((4, self.ranks), dtype=np.int64)
        for pile in self.state.piles[self.seat]:
            if pile:
                source[suit_of(pile.top), strength_of(pile.top)] = 1 if pile.under is None else 2
        return source.reshape(-1)

    def _stage(self) -> int:
        """How much the seat has still to play: up to 4 cards, 8, 12, or more; 0 to 3."""
        piled = sum(1 + (pile.under is not None) for pile in self.state.piles[self.seat] if pile)
        cards: int = piled + count(self.state.hands[self.seat]) + self.state.unseen[self.seat]
        return min(3, (cards - 1) // 4)
