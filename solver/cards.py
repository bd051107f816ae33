"""Cards, decks and holdings.

A *card* is a number, ``16 * suit + strength``: suits are numbered S H D C = 0..3, and the strength counts from the
lowest rank of the deck upwards **in the deck's own order**. So of two cards of a suit the larger number is the higher
card in every game, whether ten or king comes next to the ace.

A *holding* is a set of cards as an ``int`` with bit ``card`` set: one lane of 16 bits a suit, as the kernels have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Final, TypeAlias

Card: TypeAlias = int
Suit: TypeAlias = int
Holding: TypeAlias = int

SUITS: Final = "SHDC"
SYMBOLS: Final = "♠♥♦♣"
NATURAL: Final = "AKQJT98765432"
NO_TRUMP: Final = -1
"""Stands for "no trumps" wherever a trump suit is expected."""
UNSEEN: Final = -1
"""Stands for a card that cannot be seen, wherever a single card is expected."""

LANE: Final = 16
LANE_BITS: Final = (1 << LANE) - 1
_LOWEST: Final = sum(1 << LANE * suit for suit in range(len(SUITS)))
"""The lowest card of each suit."""

_LITHUANIAN: Final = {"A": "T", "K": "K", "Q": "D", "J": "V", "T": "10"}
"""Tūzas, karalius, dama, valetas; the ten is written out, since T is the ace."""


_SUIT_LETTERS: Final = {
    letter: suit for suit in range(len(SUITS)) for letter in (SUITS[suit], SUITS[suit].lower(), SYMBOLS[suit])
}


def quoted(value: object, most: int = 60) -> str:
    """A value as it is quoted in error sentences, cut to at most so many characters."""
    if isinstance(value, str) and len(value) > most:
        value = value[:most] + "…"
    text = repr(value)
    return text if len(text) <= 2 * most else text[:most] + "…"


class CardError(ValueError):
    """A text that is no card, suit or holding of the deck; the sentence quotes it and says what was expected."""


def suit_of(card: Card) -> Suit:
    """The suit of a card, 0..3."""
    return card // LANE


def strength_of(card: Card) -> int:
    """How many ranks of the deck lie below this card."""
    return card % LANE


def single(card: Card) -> Holding:
    """The holding of just this card."""
    return 1 << card


def holding(cards: Iterable[Card]) -> Holding:
    """The set of these cards."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def of_suit(held: Holding, suit: Suit) -> Holding:
    """The cards of one suit in a holding; none for ``NO_TRUMP``."""
    return held & (LANE_BITS << LANE * suit) if suit >= 0 else 0


def count(held: Holding) -> int:
    """How many cards a holding has."""
    return held.bit_count()


def each(held: Holding) -> Iterator[Card]:
    """The cards of a holding in listed order: suits S H D C, high to low."""
    return iter(
        _high_to_low(0, held & LANE_BITS)
        + _high_to_low(1, held >> LANE & LANE_BITS)
        + _high_to_low(2, held >> 2 * LANE & LANE_BITS)
        + _high_to_low(3, held >> 3 * LANE & LANE_BITS)
    )


@cache
def _high_to_low(suit: Suit, lane: int) -> tuple[Card, ...]:
    """The cards of a suit, given as the bits of its lane; remembered, since there are few thousand lanes."""
    return tuple(LANE * suit + strength for strength in reversed(range(LANE)) if lane >> strength & 1)


def listed(cards: Iterable[Card]) -> list[Card]:
    """Cards in listed order, suits S H D C and high to low; unseen ones last."""
    return sorted(cards, key=lambda card: (card == UNSEEN, suit_of(card), -card))


@dataclass(frozen=True)
class Deck:
    """The cards of a game.

    ranks: one letter a rank, high to low in the game's own order, of ``AKQJT98765432``.
    """

    ranks: str

    @property
    def cards(self) -> Holding:
        """All cards of the deck."""
        return ((1 << len(self.ranks)) - 1) * _LOWEST

    def __len__(self) -> int:
        return len(SUITS) * len(self.ranks)

    def shuffled(self, random: Random) -> list[Card]:
        """All cards in an order drawn at random: the generator's `shuffle` of the listed order."""
        cards = list(each(self.cards))
        random.shuffle(cards)
        return cards

    def card(self, suit: str, rank: str) -> Card:
        """The card of a suit letter and a rank letter, such as ``"S", "A"``."""
        return LANE * SUITS.index(suit) + len(self.ranks) - 1 - self.ranks.index(rank)

    def rank(self, card: Card) -> str:
        """The rank letter of a card."""
        return self.ranks[len(self.ranks) - 1 - strength_of(card)]


@dataclass(frozen=True)
class CardText:
    """Reads and writes the cards of one deck, in English (``"en"``) or Lithuanian (``"lt"``) ranks.

    Letters are read in any case, suits also as ♠ ♥ ♦ ♣, the ten also as ``10``.
    """

    deck: Deck
    notation: str = "en"

    @cached_property
    def _ranks(self) -> dict[str, str]:
        """From a rank as it is read to its letter; those of all decks, so that a wrong deck gets its own sentence."""
        if self.notation == "lt":
            return {_LITHUANIAN.get(rank, rank): rank for rank in NATURAL}
        return {**{rank: rank for rank in NATURAL}, "10": "T"}

    def write(self, card: Card) -> str:
        """A card as text: ``"SA"``, ``"HT"`` (``"ST"``, ``"H10"`` in Lithuanian); an unseen one as ``"?"``."""
        return "?" if card == UNSEEN else SUITS[suit_of(card)] + self._write_rank(card)

    def _write_rank(self, card: Card) -> str:
        return self._rank_texts[strength_of(card)]

    @cached_property
    def _rank_texts(self) -> list[str]:
        """How the ranks are written, from the lowest."""
        return [self._rank_text(rank) for rank in reversed(self.deck.ranks)]

    def _rank_text(self, rank: str) -> str:
        return _LITHUANIAN.get(rank, rank) if self.notation == "lt" else rank

    def write_holding(self, held: Holding, unseen: int = 0) -> str:
        """A holding grouped by suit, then its unseen cards: ``"SAKT HQ9 ? ?"``."""
        groups = [
            SUITS[suit] + "".join(self._write_rank(card) for card in each(of_suit(held, suit)))
            for suit in range(len(SUITS))
            if of_suit(held, suit)
        ]
        return " ".join(groups + ["?"] * unseen)

    def write_cards(self, cards: Iterable[Card]) -> str:
        """Cards one by one, in the order given: ``"H9 HJ"``."""
        return " ".join(self.write(card) for card in cards)

    def suit(self, text: str) -> Suit:
        """Reads a suit letter or symbol. Raises CardError."""
        found = _suit(text.strip())
        if found is None:
            raise CardError(f"{quoted(text)} is not a suit; expected one of S H D C or ♠ ♥ ♦ ♣")
        return found

    def read(self, text: str) -> Card:
        """Reads one card, ``?`` for an unseen one. Raises CardError."""
        cards = self.read_cards(text)
        if len(cards) != 1:
            raise CardError(f"{quoted(text)} is not one card; expected a suit and a rank such as {self._example()}")
        return cards[0]

    def read_holding(self, text: str) -> tuple[Holding, int]:
        """Reads a holding: its named cards and the number of its unseen ones. Raises CardError."""
        cards = self.read_cards(text)
        return holding(card for card in cards if card != UNSEEN), cards.count(UNSEEN)

    def read_cards(self, text: str) -> list[Card]:
        """Reads cards grouped by suit or one by one, in the order written.

        In Lithuanian ``D`` is a suit and a rank, so there a suit stands first in its group and groups are separated
        by spaces. Raises CardError on anything that is no card of the deck and on a card that comes twice.
        """
        cards: list[Card] = []
        for group in text.split():
            for card in self._group(group):
                if card != UNSEEN and card in cards:
                    raise CardError(f"{quoted(text)} has the card {self.write(card)} twice")
                cards.append(card)
        return cards

    def _group(self, group: str) -> Iterator[Card]:
        suit: Suit | None = None
        fresh = False  # a suit was read and no rank since
        at = 0
        while at < len(group):
            if group[at] == "?" and not fresh:
                yield UNSEEN
                at += 1
                continue
            found = _suit(group[at]) if self.notation == "en" or at == 0 or group[at] in SYMBOLS else None
            if found is not None and not fresh:
                suit, fresh = found, True
                at += 1
                continue
            length = 2 if group[at : at + 2] == "10" else 1
            yield self._card(suit, group[at : at + length], group)
            at += length
            fresh = False
        if fresh:
            raise CardError(
                f"{quoted(group)} ends with a suit that has no rank; expected cards such as {self._example()}"
            )

    def _card(self, suit: Suit | None, text: str, group: str) -> Card:
        rank = self._ranks.get(text.upper())
        if suit is None or rank is None:
            raise CardError(
                f"{quoted(group)} is not a holding: {quoted(text)} is no {'suit' if suit is None else 'rank'};"
                f" expected cards such as {self._example()}"
            )
        if rank not in self.deck.ranks:
            ranks = " ".join(map(self._rank_text, self.deck.ranks))
            raise CardError(f"{quoted(SUITS[suit] + text.upper())} is not in this game's deck, whose ranks are {ranks}")
        return self.deck.card(SUITS[suit], rank)

    def _example(self) -> str:
        """Some cards of this deck, quoted, for error sentences."""
        high, low = self.deck.ranks[0], self.deck.ranks[-1]
        return repr(self.write_holding(holding([self.deck.card("S", high), self.deck.card("H", low)])))


def _suit(letter: str) -> Suit | None:
    """The suit a letter or symbol stands for."""
    return _SUIT_LETTERS.get(letter)
