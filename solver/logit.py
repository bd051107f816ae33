"""How `expert` was seen to move, as a conditional logit: what a move is as likely as with each of many hands.

Of the moves that a hand allows each has a *utility*, the sum of a weight for every *aspect* of it, such as the rank of
the card together with what it would do to the trick; the chances are as the exponentials of the utilities (McFadden
1974). An aspect is an array of category numbers, one a move, by hand where it depends on that; 0 is the category of
the moves that the aspect is not about. The weights are shipped as data, and `tools/fit_policy.py` fits them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import trick
from .cards import LANE, Card, Deck, Holding, Suit, strength_of, suit_of
from .game import MARRIAGE, PLAY
from .position import Position

Hands = NDArray[np.bool_]
"""By hand, suit and rank, the lowest first: bool[n, 4, ranks]; or without the suits apart, bool[n, cards]."""
Codes = NDArray[np.int64]
"""An aspect: the category of every move, int64[n or 1, moves]."""

BLUNDER: Final = 0.1
"""How often any legal move is made, whatever the policy says: so nothing is ever ruled out."""


class Choice(NamedTuple):
    """A move, and what else it might have been with each of the hands that may have made it.

    situation: a name, whose moves have weights of their own. aspects: see `Codes`. legal: bool[n, moves]. made: the
    place of the move.
    """

    situation: str
    aspects: Sequence[Codes]
    legal: Hands
    made: int


def log_chances(game: str, choice: Choice) -> NDArray[np.float64]:
    """How likely the move is with each hand, as a logarithm: float64[n]."""
    utilities = np.zeros(choice.legal.shape)
    for at, codes in enumerate(choice.aspects):
        utilities += _weights(game)[f"{choice.situation} {at}"][codes]
    likely = np.exp(utilities - utilities.max(axis=1, keepdims=True)) * choice.legal
    chances = likely[:, choice.made] / likely.sum(axis=1)
    return np.asarray(np.log((1 - BLUNDER) * chances + BLUNDER / choice.legal.sum(axis=1)))


@cache
def _weights(game: str) -> dict[str, NDArray[np.float64]]:
    """By situation and number of the aspect, the weights of its categories."""
    with resources.files(__package__).joinpath("data", f"policy_{game}.npz").open("rb") as stream:
        data = np.load(stream)
        return {name: data[name].astype(np.float64) for name in data.files}


# ---- hands and aspects --------------------------------------------------------------------------------------------


def as_hands(holdings: NDArray[np.int64] | Sequence[Holding], deck: Deck) -> Hands:
    """Holdings as bool[n, 4, ranks]."""
    shifts = LANE * np.arange(4)[:, None] + np.arange(len(deck.ranks))
    return (np.asarray(holdings, dtype=np.int64)[:, None, None] >> shifts & 1).astype(np.bool_)


def flat(hands: Hands) -> Hands:
    """Hands without the suits apart."""
    return hands.reshape(len(hands), -1)


def gone_before(position: Position) -> list[Holding]:
    """Before each move, the cards that have been played or lie out of play for all to see; and in the end."""
    gone = [position.gone]
    for move in position.moves:
        gone.append(gone[-1] | (move.cards if move.kind in (PLAY, MARRIAGE) else 0))
    return gone


@cache
def suits(ranks: int) -> NDArray[np.int64]:
    """The suit of every card of a deck with so many ranks."""
    return np.repeat(np.arange(4), ranks)


@cache
def strengths(ranks: int) -> NDArray[np.int64]:
    """The strength of every card of such a deck."""
    return np.tile(np.arange(ranks), 4)


def column(card: Card, ranks: int) -> int:
    """The place of a card among all cards of such a deck."""
    return suit_of(card) * ranks + strength_of(card)


def taking(lying: Sequence[Card], trump: Suit, ranks: int) -> NDArray[np.bool_]:
    """Which cards would take the trick as it lies: bool[cards]."""
    best = lying[trick.winner(lying, trump)]
    higher = (suits(ranks) == suit_of(best)) & (strengths(ranks) > strength_of(best))
    return np.asarray(higher | ((suits(ranks) == trump) & (suit_of(best) != trump)))


def following(cards: Hands, lying: Sequence[Card], trump: Suit) -> Hands:
    """The cards of each hand that may be played by who follows suit, else trumps: bool[n, cards]."""
    suit = suits(cards.shape[1] // 4)
    return if_any(cards & (suit == suit_of(lying[0])), if_any(cards & (suit == trump), cards))


def has_higher(hands: Hands) -> Codes:
    """For every card, 1 if there is a higher one of its suit among the cards of each hand: int64[n, cards]."""
    above = np.zeros_like(hands)
    above[:, :, :-1] = np.logical_or.accumulate(hands[:, :, :0:-1], axis=2)[:, :, ::-1]
    return flat(above).astype(np.int64)


def length(hands: Hands) -> Codes:
    """For every card, how many others of its suit each hand has, up to 3; as if it had the card: int64[n, cards]."""
    return np.repeat(np.clip(hands.sum(axis=2), 1, 4) - 1, hands.shape[2], axis=1)


def if_any(wanted: Hands, others: Hands) -> Hands:
    """The wanted cards of each hand, or if it has none of them the others: bool[n, cards]."""
    return np.where(wanted.any(axis=1, keepdims=True), wanted, others)


def aspect(cards: Codes, further: Codes | None = None) -> Codes:
    """An aspect from categories that are counted from 0, of cards and of further moves; -1 is for none."""
    parts = [np.atleast_2d(part) for part in (cards, further) if part is not None]
    rows = max(map(len, parts))
    return np.asarray(1 + np.concatenate([np.broadcast_to(part, (rows, part.shape[1])) for part in parts], axis=1))
