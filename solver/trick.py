"""Who wins a trick, and what may be played to it: the one resolver that all games share.

Tricks of one card a seat are described by the cards played so far in order, the led card first, and the trump suit.
`anti` turns trumps into anti-trumps, which lose to any card of another suit (Antikoziris). Velnio tuzinas, where a
trick is several cards deep and nobody follows suit, has `covers`.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cards import Card, Holding, Suit, each, of_suit, single, suit_of


def winner(cards: Sequence[Card], trump: Suit, *, anti: bool = False) -> int:
    """The place, counted from the leader, of the card that wins the trick."""
    ruling = _ruling_suit(cards, trump, anti)
    return cards.index(max(card for card in cards if suit_of(card) == ruling))


def _ruling_suit(cards: Sequence[Card], trump: Suit, anti: bool) -> Suit:
    """The suit whose highest card wins.

    Trumps if any was played, else the led suit; with anti-trumps the first other suit that was played, and the
    anti-trumps themselves only among themselves.
    """
    suits = [suit_of(card) for card in cards]
    if anti:
        return next((suit for suit in suits if suit != trump), trump)
    return trump if trump in suits else suits[0]


def playable(
    hand: Holding,
    cards: Sequence[Card],
    trump: Suit,
    *,
    must_trump: bool = True,
    beat: bool = False,
    anti: bool = False,
) -> Holding:
    """The cards of a hand that may be played to a trick.

    Follow suit; else, with `must_trump`, play a trump; else anything. `beat`: of the cards one has to play, one that
    beats the trick so far if there is one; a free discard is free.

    Anti-trumps with `must_trump` have one rule more: when an anti-trump was led and a card of another suit has
    already been played, who has no anti-trump must play that (first such) suit.
    """
    if not cards:
        return hand
    owed = _owed(hand, cards, trump, must_trump, anti)
    if not owed:
        return hand
    better = _beating(owed, cards, trump, anti) if beat else 0
    return better or owed


def _owed(hand: Holding, cards: Sequence[Card], trump: Suit, must_trump: bool, anti: bool) -> Holding:
    """The cards one has to play; none where the discard is free."""
    led = suit_of(cards[0])
    following = of_suit(hand, led)
    if following or not must_trump:
        return following
    if anti and led == trump:
        ruling = _ruling_suit(cards, trump, anti)
        return of_suit(hand, ruling)
    return of_suit(hand, trump)


def _beating(owed: Holding, cards: Sequence[Card], trump: Suit, anti: bool) -> Holding:
    """Those of the cards that would win the trick as it stands."""
    place = len(cards)
    return sum(single(card) for card in each(owed) if winner([*cards, card], trump, anti=anti) == place)


def beats(card: Card, other: Card, trump: Suit) -> bool:
    """Does a card beat another one laid before it: a higher card of the same suit, or a trump on a non-trump?"""
    if suit_of(card) == suit_of(other):
        return card > other
    return suit_of(card) == trump


def covers(cards: Holding, top: Holding, trump: Suit) -> bool:
    """Is there a one-to-one pairing in which each of the cards beats its partner on top?

    Non-trumps can only be paired within their suit, so each of them needs a lower card of that suit on top. What is
    left over on top must be beaten by trumps: any will do, except that trumps on top need higher ones.
    """
    size = cards.bit_count()
    if size != top.bit_count():
        return False
    if size == 1:
        return beats(cards.bit_length() - 1, top.bit_length() - 1, trump)
    for suit in range(4):
        ours, theirs = of_suit(cards, suit), of_suit(top, suit)
        needed = theirs if suit == trump else ours
        if _matched(ours, theirs) < needed.bit_count():
            return False
    return True


def _matched(ours: Holding, theirs: Holding) -> int:
    """The most pairs in which a card of ours is higher than one of theirs, all of one suit."""
    pairs = 0
    higher = list(each(ours))
    for card in each(theirs):
        if higher and higher[0] > card:
            higher.pop(0)
            pairs += 1
    return pairs
