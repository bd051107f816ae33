"""The trick resolver, held against the rules spelled out card by card, and the worked examples of the originals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cards import NATURAL, NO_TRUMP, Card, CardText, Deck, Holding, each, holding
from solver.trick import beats, covers, playable, winner

TEXT = CardText(Deck(NATURAL))
SMALL = list(each(Deck("AKQJ").cards))
"""Few ranks, so that suits meet often."""

suits = st.integers(0, 3)
trumps = st.integers(NO_TRUMP, 3)
obligations = st.fixed_dictionaries({name: st.booleans() for name in ("must_trump", "beat", "anti")})
cards_in_order = st.lists(st.sampled_from(SMALL), unique=True, min_size=1, max_size=8)


def cards(text: str) -> list[Card]:
    return TEXT.read_cards(text)


def held(text: str) -> Holding:
    return holding(cards(text))


def texts(held: Holding) -> set[str]:
    return {TEXT.write(card) for card in each(held)}


# ---- the rules again, spelled out ---------------------------------------------------------------------------------


def spelled_out_winner(trick: list[Card], trump: int, anti: bool) -> int:
    """Card by card: what is the best so far, and does the next one beat it?"""
    best = 0
    for place, card in enumerate(trick):
        same_suit = card // 16 == trick[best] // 16
        takes_over = trick[best] // 16 == trump if anti else card // 16 == trump
        if card > trick[best] if same_suit else takes_over:
            best = place
    return best


def spelled_out_playable(
    hand: list[Card], trick: list[Card], trump: int, *, must_trump: bool, beat: bool, anti: bool
) -> list[Card]:
    """Sentence by sentence as the rules have it."""
    if not trick:
        return hand
    led = trick[0] // 16
    obligations = [led]
    if must_trump:
        if anti and led == trump:
            obligations += [card // 16 for card in trick if card // 16 != trump][:1]
        else:
            obligations.append(trump)
    for suit in obligations:
        owed = [card for card in hand if card // 16 == suit]
        if owed:
            winning = [card for card in owed if spelled_out_winner([*trick, card], trump, anti) == len(trick)]
            return winning if beat and winning else owed
    return hand


def spelled_out_covers(ours: Sequence[Card], top: Sequence[Card], trump: int) -> bool:
    """Is there any order of ours in which each card beats the one across?"""

    def stronger(card: Card, other: Card) -> bool:
        return card > other if card // 16 == other // 16 else card // 16 == trump

    return len(ours) == len(top) and any(
        all(stronger(card, other) for card, other in zip(order, top, strict=True)) for order in permutations(ours)
    )


@given(cards_in_order, trumps, st.booleans())
def test_winner(trick: list[Card], trump: int, anti: bool) -> None:
    assert winner(trick, trump, anti=anti) == spelled_out_winner(trick, trump, anti)


@pytest.mark.parametrize("trump", range(NO_TRUMP, 4))
@pytest.mark.parametrize("anti", [False, True])
def test_winner_of_every_short_trick(trump: int, anti: bool) -> None:
    for trick in permutations(SMALL, 3):
        assert winner(trick, trump, anti=anti) == spelled_out_winner(list(trick), trump, anti)


@given(cards_in_order, st.integers(0, 3), trumps, obligations)
def test_playable(mixed: list[Card], played: int, trump: int, options: dict[str, bool]) -> None:
    trick, hand = mixed[:played], mixed[played:]
    found = playable(holding(hand), trick, trump, **options)
    assert found == holding(spelled_out_playable(hand, trick, trump, **options))
    assert bool(found) == bool(hand)


@given(st.sampled_from(SMALL), st.sampled_from(SMALL), trumps)
def test_one_card_beats_another_if_it_covers_it(card: Card, other: Card, trump: int) -> None:
    assert beats(card, other, trump) == spelled_out_covers([card], [other], trump)


@given(cards_in_order, st.integers(1, 4), st.integers(1, 4), trumps)
def test_covers(mixed: list[Card], size: int, top_size: int, trump: int) -> None:
    ours, top = mixed[:size], mixed[size : size + top_size]
    assert covers(holding(ours), holding(top), trump) == spelled_out_covers(ours, top, trump)


@pytest.mark.parametrize("trump", range(4))
def test_covers_every_pair(trump: int) -> None:
    for ours in combinations(SMALL, 2):
        for top in combinations([card for card in SMALL if card not in ours], 2):
            assert covers(holding(ours), holding(top), trump) == spelled_out_covers(ours, top, trump)


def test_covers_many_triples() -> None:
    """Half of them of two suits, where most can be paired."""
    random = Random(1)
    found = []
    for turn in range(20_000):
        six = random.sample(SMALL[: 8 if turn % 2 else None], 6)
        trump = random.randrange(2)
        found.append(spelled_out_covers(six[:3], six[3:], trump))
        assert covers(holding(six[:3]), holding(six[3:]), trump) == found[-1]
    assert 500 < sum(found) < 19_500


# ---- one rule at a time -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        ("H9 HJ HA", "S", 2),
        ("H9 SA CA", "D", 0),
        ("HA S2 HK", "S", 1),
        ("HA S2 S3", "S", 2),
        ("HA SA CA", "NT", 0),
    ],
)
def test_highest_trump_else_highest_of_the_led_suit(trick: str, trump: str, place: int) -> None:
    suit = NO_TRUMP if trump == "NT" else TEXT.suit(trump)
    assert winner(cards(trick), suit) == place


HAND = "SK S3 H7 CA C2"


@pytest.mark.parametrize(
    ("trick", "options", "legal"),
    [
        ("", {}, "SK S3 H7 CA C2"),
        ("S9", {}, "SK S3"),  # follow; no duty to beat
        ("D9", {}, "H7"),  # else trump
        ("D9", {"must_trump": False}, "SK S3 H7 CA C2"),
        ("S9", {"beat": True}, "SK"),
        ("SA", {"beat": True}, "SK S3"),  # none beats: follow all the same
        ("S9 H2", {"beat": True}, "SK S3"),  # trumped already: nothing of the led suit beats
        ("D9 H2", {"beat": True}, "H7"),
        ("D9 H8", {"beat": True}, "H7"),  # must trump, even too low
        ("D9", {"beat": True, "must_trump": False}, "SK S3 H7 CA C2"),  # a free discard is free
    ],
)
def test_obligations_with_hearts_trumps(trick: str, options: dict[str, bool], legal: str) -> None:
    assert texts(playable(held(HAND), cards(trick), TEXT.suit("H"), **options)) == set(legal.split())


def test_without_a_trump_or_the_led_suit_anything_goes() -> None:
    assert playable(held("SK C2"), cards("D9"), TEXT.suit("H"), beat=True) == held("SK C2")
    assert playable(held("SK C2"), cards("D9"), NO_TRUMP, beat=True) == held("SK C2")


# ---- the examples of the originals --------------------------------------------------------------------------------

DIAMONDS = TEXT.suit("D")
LED = cards("DJ HT")
"""Antikoziris: anti-trumps diamonds, A led ♦V, B without diamonds beats it with ♥10."""


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        ("DA D9 HA SA", "DA D9"),  # C plays diamonds if he has one
        ("HA H9 SA CA", "HA H9"),  # else hearts
        ("SA CA", "SA CA"),  # and only then any other
    ],
)
def test_antikoziris_example_what_c_may_play(hand: str, legal: str) -> None:
    assert playable(held(hand), LED, DIAMONDS, anti=True) == held(legal)


@pytest.mark.parametrize(
    ("card", "place"),
    [
        ("HA", 2),  # a higher heart takes the trick
        ("H9", 1),  # a lower one,
        ("SA", 1),  # another suit,
        ("DA", 1),  # or an anti-trump leave it to B
    ],
)
def test_antikoziris_example_who_takes_the_trick(card: str, place: int) -> None:
    assert winner([*LED, *cards(card)], DIAMONDS, anti=True) == place


def test_anti_trumps_among_themselves_and_on_a_plain_lead() -> None:
    assert winner(cards("DJ DA D9"), DIAMONDS, anti=True) == 1
    assert winner(cards("S9 DA D9"), DIAMONDS, anti=True) == 0
    assert winner(cards("S9 HA SJ"), DIAMONDS, anti=True) == 2
    # The first other suit is what counts, not the last.
    assert winner(cards("DJ HT SA"), DIAMONDS, anti=True) == 1
    # Who cannot follow a plain lead must play an anti-trump; B may throw anything on a lead of anti-trumps.
    assert playable(held("D9 HA"), cards("S9"), DIAMONDS, anti=True) == held("D9")
    assert playable(held("HA SA"), cards("DJ"), DIAMONDS, anti=True) == held("HA SA")
    assert playable(held("HA SA"), LED, DIAMONDS, anti=True, must_trump=False) == held("HA SA")


def test_velnio_example() -> None:
    """Trumps diamonds: ♥9 ♥V ♥T, covered by ♥10 ♥K ♦4, covered by ♥D ♦10 ♦5."""
    lead, first, second = held("H9 HJ HA"), held("HT HK D4"), held("HQ DT D5")
    assert covers(first, lead, DIAMONDS)
    assert covers(second, first, DIAMONDS)
    # The cover has to be beaten, not the lead.
    assert covers(held("HQ D3 D2"), lead, DIAMONDS)
    assert not covers(held("HQ D3 D2"), first, DIAMONDS)
    assert not covers(held("HQ ST D5"), first, DIAMONDS)


@pytest.mark.parametrize(
    ("ours", "top", "expected"),
    [
        ("H9 D2", "H8 HA", True),  # the trump takes the ace, the nine the eight
        ("D2 D3", "H8 HA", True),
        ("D2 D3", "H8 D4", False),  # trumps on trumps must be higher
        ("D2 D5", "H8 D4", True),
        ("HA C2", "H8 H9", False),  # one card beats one card
        ("HA HK HQ", "HJ HT", False),  # as many cards
        ("SA SK", "HJ HT", False),
        ("D5 S9", "DA S8", False),  # the ace of trumps cannot be beaten
    ],
)
def test_covers_with_diamonds_trumps(ours: str, top: str, expected: bool) -> None:
    assert covers(held(ours), held(top), DIAMONDS) == expected
