"""Cards and holdings as bit sets, and their text in both notations, with a sentence for everything that is no card."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cards import (
    NATURAL,
    NO_TRUMP,
    SUITS,
    SYMBOLS,
    UNSEEN,
    CardError,
    CardText,
    Deck,
    Holding,
    count,
    each,
    holding,
    listed,
    of_suit,
    quoted,
    single,
    strength_of,
    suit_of,
)

NATURAL_DECK = Deck(NATURAL)
TEN_NEXT_TO_ACE = Deck("ATKQJ9")
DECKS = [NATURAL_DECK, TEN_NEXT_TO_ACE, Deck("AKQJT987"), Deck("AKQJT9"), Deck("A")]

decks = st.sampled_from(DECKS)
texts = st.builds(CardText, decks, st.sampled_from(["en", "lt"]))


def cards_of(text: CardText) -> st.SearchStrategy[list[int]]:
    """Different cards of a text's deck, in any order."""
    return st.lists(st.sampled_from(list(each(text.deck.cards))), unique=True)


text_and_cards = texts.flatmap(lambda text: st.tuples(st.just(text), cards_of(text)))


# ---- cards, holdings, decks ---------------------------------------------------------------------------------------


def test_a_card_is_suit_and_strength_in_the_decks_own_order() -> None:
    for deck in DECKS:
        for suit, letter in enumerate(SUITS):
            for strength, rank in enumerate(reversed(deck.ranks)):
                card = deck.card(letter, rank)
                assert card == 16 * suit + strength
                assert (suit_of(card), strength_of(card), deck.rank(card)) == (suit, strength, rank)
    assert TEN_NEXT_TO_ACE.card("H", "T") > TEN_NEXT_TO_ACE.card("H", "K")
    assert NATURAL_DECK.card("H", "T") < NATURAL_DECK.card("H", "K")


@pytest.mark.parametrize("deck", DECKS)
def test_a_deck_has_every_rank_of_four_suits(deck: Deck) -> None:
    assert len(deck) == count(deck.cards) == 4 * len(deck.ranks)
    expected = [letter + rank for letter in SUITS for rank in deck.ranks]
    assert [CardText(deck).write(card) for card in each(deck.cards)] == expected


@given(st.sets(st.sampled_from(list(each(NATURAL_DECK.cards)))))
def test_holdings_are_sets_of_cards(cards: set[int]) -> None:
    held = holding(cards)
    assert count(held) == len(cards)
    assert set(each(held)) == cards
    assert list(each(held)) == sorted(cards, key=lambda card: (suit_of(card), -card)) == listed(cards)
    assert held == sum(single(card) for card in cards)
    for suit in range(4):
        assert set(each(of_suit(held, suit))) == {card for card in cards if suit_of(card) == suit}
    assert of_suit(held, NO_TRUMP) == 0


def test_unseen_cards_are_listed_last() -> None:
    low, high = NATURAL_DECK.card("S", "2"), NATURAL_DECK.card("C", "A")
    assert listed([UNSEEN, high, UNSEEN, low]) == [low, high, UNSEEN, UNSEEN]


def test_a_shuffle_follows_its_generator() -> None:
    once, again = (NATURAL_DECK.shuffled(Random(7)) for _ in range(2))
    assert once == again != NATURAL_DECK.shuffled(Random(8))
    assert listed(once) == list(each(NATURAL_DECK.cards)) != once


# ---- text ---------------------------------------------------------------------------------------------------------


@given(text_and_cards, st.integers(0, 3))
def test_holdings_round_trip(case: tuple[CardText, list[int]], unseen: int) -> None:
    text, cards = case
    held = holding(cards)
    assert text.read_holding(text.write_holding(held, unseen)) == (held, unseen)


@given(text_and_cards, st.data())
def test_cards_one_by_one_round_trip_in_order(case: tuple[CardText, list[int]], data: st.DataObject) -> None:
    text, cards = case
    mixed = data.draw(st.permutations([*cards, UNSEEN, UNSEEN]))
    assert text.read_cards(text.write_cards(mixed)) == mixed
    for card in mixed:
        assert text.read(text.write(card)) == card


@given(text_and_cards, st.data())
def test_any_case_symbols_and_spelled_out_tens_read_the_same(
    case: tuple[CardText, list[int]], data: st.DataObject
) -> None:
    text, cards = case
    written = text.write_holding(holding(cards))
    if text.notation == "en" and data.draw(st.booleans()):
        written = written.replace("T", "10")
    if data.draw(st.booleans()):
        written = " ".join(SYMBOLS[SUITS.index(group[0])] + group[1:] for group in written.split())
    if data.draw(st.booleans()):
        written = written.lower()
    if text.notation == "en" and data.draw(st.booleans()):
        written = written.replace(" ", "")
    assert text.read_holding(written) == (holding(cards), 0)


@given(texts, st.text(alphabet="SHDCshdc♠♥♦♣AKQJTVD1098765432? \tźX", max_size=12))
def test_any_text_is_read_or_refused_with_a_sentence_that_quotes(text: CardText, written: str) -> None:
    try:
        cards = text.read_cards(written)
    except CardError as error:
        sentence = str(error)
        if "is not in this game's deck" in sentence:
            suit_and_rank = sentence.split("'")[1]
            assert suit_and_rank[0] in SUITS and suit_and_rank[1:] in written.upper()
        else:
            assert any(sentence.startswith(quoted(part)) for part in (written, *written.split()))
        return
    named = [card for card in cards if card != UNSEEN]
    assert len(set(named)) == len(named)
    assert text.read_cards(text.write_cards(cards)) == cards


def test_examples_in_english() -> None:
    text = CardText(NATURAL_DECK)
    held = holding(text.read_cards("SA SK ST HQ H9 CJ"))
    assert text.write_holding(held) == "SAKT HQ9 CJ"
    assert text.read_holding("SAKT HQ9 CJ") == text.read_holding("cj,h9q,skta".replace(",", " ")) == (held, 0)
    assert text.read_holding("♠AK10♥Q9♣J") == (held, 0)
    assert text.read("H10") == text.read("HT") == text.read("ht") == NATURAL_DECK.card("H", "T")
    assert text.read_holding("SA ? ? ?") == text.read_holding("SA???") == (NATURAL_DECK.cards & held & 1 << 12, 3)
    assert text.read_holding("") == (0, 0)
    assert text.read("?") == UNSEEN


def test_examples_in_lithuanian() -> None:
    text, english = CardText(NATURAL_DECK, "lt"), CardText(NATURAL_DECK)
    for written, meant in [("ST", "SA"), ("SK", "SK"), ("SD", "SQ"), ("SV", "SJ"), ("S10", "ST"), ("DD", "DQ")]:
        assert text.read(written) == english.read(meant)
        assert text.write(english.read(meant)) == written
    held = english.read_holding("SAKT HQ9 DQJ CJ")[0]
    assert text.write_holding(held, 2) == "STK10 HD9 DDV CV ? ?"
    assert text.read_holding("♠tk10 hd9 ddv ♣v") == (held, 0)
    # A symbol cannot be a rank, so it may start a suit within a group; the letter D there is the queen.
    assert text.read_holding("♠D♦D") == (english.read_holding("SQ DQ")[0], 0)
    assert text.read_holding("SDV") == (english.read_holding("SQJ")[0], 0)


@pytest.mark.parametrize("letters", ["SHDC", "shdc", "♠♥♦♣"])
def test_suits(letters: str) -> None:
    assert [CardText(NATURAL_DECK).suit(f" {letter} ") for letter in letters] == [0, 1, 2, 3]


# ---- sentences ----------------------------------------------------------------------------------------------------

SIX = CardText(Deck("AKQJT9"))
LITHUANIAN = CardText(Deck("AKQJT9"), "lt")


@pytest.mark.parametrize("written", ["", "X", "SS", "NT", "10", "spades"])
def test_no_suit(written: str) -> None:
    with pytest.raises(CardError) as caught:
        SIX.suit(written)
    assert str(caught.value) == f"{written!r} is not a suit; expected one of S H D C or ♠ ♥ ♦ ♣"


@pytest.mark.parametrize("written", ["", "SA SK", "SAK", "? ?"])
def test_not_one_card(written: str) -> None:
    with pytest.raises(CardError) as caught:
        SIX.read(written)
    assert str(caught.value) == f"{written!r} is not one card; expected a suit and a rank such as 'SA H9'"


@pytest.mark.parametrize(
    ("text", "written", "sentence"),
    [
        (SIX, "SA HK SA", "'SA HK SA' has the card SA twice"),
        (SIX, "SAKA", "'SAKA' has the card SA twice"),
        (SIX, "S10T", "'S10T' has the card ST twice"),
        (LITHUANIAN, "S10 ♠10", "'S10 ♠10' has the card S10 twice"),
        (SIX, "S", "'S' ends with a suit that has no rank; expected cards such as 'SA H9'"),
        (SIX, "SA H", "'H' ends with a suit that has no rank; expected cards such as 'SA H9'"),
        (SIX, "A", "'A' is not a holding: 'A' is no suit; expected cards such as 'SA H9'"),
        (SIX, "?A", "'?A' is not a holding: 'A' is no suit; expected cards such as 'SA H9'"),
        (SIX, "SX", "'SX' is not a holding: 'X' is no rank; expected cards such as 'SA H9'"),
        (SIX, "S?", "'S?' is not a holding: '?' is no rank; expected cards such as 'SA H9'"),
        (SIX, "SH", "'SH' is not a holding: 'H' is no rank; expected cards such as 'SA H9'"),
        (SIX, "S1", "'S1' is not a holding: '1' is no rank; expected cards such as 'SA H9'"),
        (LITHUANIAN, "SA", "'SA' is not a holding: 'A' is no rank; expected cards such as 'ST H9'"),
        (LITHUANIAN, "STHT", "'STHT' is not a holding: 'H' is no rank; expected cards such as 'ST H9'"),
        (SIX, "S7", "'S7' is not in this game's deck, whose ranks are A K Q J T 9"),
        (LITHUANIAN, "♠7", "'S7' is not in this game's deck, whose ranks are T K D V 10 9"),
        (CardText(Deck("AKQJ")), "s10", "'S10' is not in this game's deck, whose ranks are A K Q J"),
    ],
)
def test_no_holding(text: CardText, written: str, sentence: str) -> None:
    with pytest.raises(CardError) as caught:
        text.read_holding(written)
    assert str(caught.value) == sentence
    assert isinstance(caught.value, ValueError)


def test_quotations_are_cut() -> None:
    assert quoted("S7") == "'S7'"
    assert quoted(7) == "7"
    assert quoted("x" * 60) == repr("x" * 60)
    assert quoted("x" * 61) == repr("x" * 60 + "…")
    assert quoted(list(range(1000)), 10) == "[0, 1, 2, …"
    with pytest.raises(CardError) as caught:
        SIX.read("S" + "X" * 10**6)
    assert len(str(caught.value)) < 300


def test_a_holding_takes_its_cards_from_its_lane_only() -> None:
    everything: Holding = NATURAL_DECK.cards
    lanes = [of_suit(everything, suit) for suit in range(4)]
    assert [lane >> 16 * suit for suit, lane in enumerate(lanes)] == [0x1FFF] * 4
