"""Piramidė: announcements, exact tricks, both score tables, the pyramid, and the original's score sheet."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from solver.cards import NO_TRUMP, CardText, Deck, Holding, count, each
from solver.game import BID, PLAY, Contract, Hand, Move, RuleError, Setup, find_game, read_rules, write_rules
from solver.games._hands_only import State
from solver.games.piramide import PYRAMID, Piramide, Rules, Tally

TEXT = CardText(Deck("AKQJT9"))
PLAYERS = (2, 3, 4)
LINEAR = Rules(score_table="linear")
NOTHING = (0,) * 7


def held(text: str) -> Holding:
    return TEXT.read_holding(text)[0]


def hand(text: str) -> Hand:
    return Hand(0, None) if text == "?" else Hand(*TEXT.read_holding(text))


def started(hands: str, playing: Contract | None, **others: Any) -> tuple[Piramide, State]:
    """A position; hands are separated by slashes."""
    setup = Setup(hands=tuple(map(hand, hands.split("/"))), contract=playing, **others)
    game = Piramide(setup.players)
    return game, game.start(setup)


def played(game: Piramide, state: State, *cards: str) -> State:
    """The state after cards, each of which must be legal."""
    for card in cards:
        made = Move(PLAY, held(card))
        assert made in game.moves(state), f"{card} is not legal"
        state = game.play(state, made)
    return state


def legal(game: Piramide, state: State) -> str:
    return " ".join(TEXT.write_cards(each(made.cards)) for made in game.moves(state))


def finished(game: Piramide, bid: int, tricks: int, slots: tuple[int, ...] = PYRAMID) -> State:
    """The end of a deal in which A announced `bid` and took so many tricks."""
    nothing = (0,) * game.players
    won = (tricks, 6 - tricks, *nothing[2:])
    return State(nothing, nothing, 0, (), won, Contract(0, bid, 2), slots=slots)


# ---- the deal and the announcement --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_deal(players: int) -> None:
    game = Piramide(players)
    state = game.deal(Random(5))
    dealt = [card for cards in state.hands for card in each(cards)]
    assert [count(cards) for cards in state.hands] == [6] * players
    assert len(set(dealt)) == 6 * players and len(game.deck) == 24
    assert state.slots == (1, 2, 3, 4, 3, 2, 1) and sum(state.slots) == 16
    assert game.actor(state) == game.pov(state) == 0
    assert game.declaring_phase(state)


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(players: int) -> None:
    with pytest.raises(RuleError, match=f"Piramidė is played by 2, 3, 4 players, not by {players}"):
        Piramide(players)


def test_announcements_are_tricks_with_a_suit_or_no_trumps() -> None:
    game = Piramide(3)
    state = game.deal(Random(5))
    expected = [Move(BID, bid=tricks, trump=trump) for tricks in range(7) for trump in (0, 1, 2, 3, NO_TRUMP)]
    assert game.moves(state) == expected


def test_only_what_the_pyramid_leaves_may_be_announced() -> None:
    game = Piramide(2)
    slots = (0, 1, 0, 0, 0, 0, 1)
    state = game.deal(Random(5), Tally((0, 0), 9, (0, 0), (PYRAMID, slots)), first=1)
    assert state.slots == slots
    assert {made.bid for made in game.moves(state)} == {1, 6}
    state = game.play(state, Move(BID, bid=6, trump=3))
    assert state.slots == (0, 1, 0, 0, 0, 0, 0)
    assert state.contract == Contract(0, 6, 3)


def test_the_declarer_leads() -> None:
    game = Piramide(3)
    state = game.play(game.deal(Random(5)), Move(BID, bid=2, trump=1))
    assert game.actor(state) == state.leader == 0
    assert len(game.moves(state)) == 6
    assert [sorted(game.side(state, seat)) for seat in range(3)] == [[0], [1, 2], [1, 2]]
    assert game.two_sided and game.unit == "score" and game.sign(state) == 1


# ---- the play -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trump", "choices"),
    [("S", "SK S9"), ("D", "DJ"), ("C", "SK S9 HT DJ"), ("NT", "SK S9 HT DJ")],
)
def test_follow_else_trump_else_anything(trump: str, choices: str) -> None:
    suit = NO_TRUMP if trump == "NT" else TEXT.suit(trump)
    game, state = started("CA CK CQ CJ/SK S9 HT DJ", Contract(0, 3, suit))
    assert legal(game, played(game, state, "CA")) == choices


def test_follow_without_having_to_beat() -> None:
    game, state = started("SQ CK/SA S9", Contract(0, 1, TEXT.suit("C")))
    assert legal(game, played(game, state, "SQ")) == "SA S9"


@pytest.mark.parametrize(("trump", "taker"), [("D", 2), ("H", 1), ("NT", 0)])
def test_the_highest_trump_takes_the_trick_or_the_highest_of_the_led_suit(trump: str, taker: int) -> None:
    suit = NO_TRUMP if trump == "NT" else TEXT.suit(trump)
    game, state = started("SQ/HA/D9", Contract(0, 1, suit))
    state = played(game, state, "SQ", "HA", "D9")
    assert state.won == tuple(int(seat == taker) for seat in range(3))
    assert state.leader == taker and game.actor(state) is None


# ---- scores -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "points"), [(Rules(), [10, 9, 7, 4, 0, -5, -11]), (LINEAR, [10, 8, 6, 4, 2, 0, -2])])
def test_both_score_tables(rules: Rules, points: list[int]) -> None:
    game = Piramide(3, rules)
    for bid in range(7):
        for tricks in range(7):
            state = finished(game, bid, tricks)
            assert game.value(state, 0) == points[abs(bid - tricks)]
            assert game.score(state) == (points[abs(bid - tricks)], 0, 0)
        assert game.utilities(finished(game, bid, 0)) == [points[abs(bid - tricks)] for tricks in range(7)]


def test_the_examples_of_the_original_that_its_score_sheet_bears_out() -> None:
    game = Piramide(2)
    for bid, tricks, points in [(5, 5, 10), (5, 2, 4), (5, 0, -5), (6, 4, 7), (5, 4, 9), (3, 3, 10)]:
        assert game.points(bid, tricks) == points


def test_the_score_sheet_of_the_original() -> None:
    """Six with 4 tricks, five with 4 and with none, three with 3: 7 + 9 - 5 + 10 = 21."""
    game = Piramide(2)
    tally = game.new_match()
    for bid, tricks in [(6, 4), (5, 4), (5, 0), (3, 3)]:
        state = game.deal(Random(1), tally, first=1)
        announced = game.play(state, Move(BID, bid=bid, trump=1))
        end = finished(game, bid, tricks, announced.slots)
        tally = game.count(tally, end, first=1)
    assert tally == Tally((0, 21), 4, (0, 1), (PYRAMID, (1, 2, 3, 3, 3, 0, 0)))


def test_the_others_do_not_score() -> None:
    assert Piramide(4).score(finished(Piramide(4), 0, 6)) == (-11, 0, 0, 0)


@pytest.mark.parametrize("rules", [Rules(), LINEAR])
def test_success_is_exactly_the_tricks_announced_or_not(rules: Rules) -> None:
    game = Piramide(3, rules)
    for tricks in range(7):
        state = finished(game, 4, tricks)
        exact = tricks == 4
        assert [game.succeeds(state, seat, game.value(state, 0)) for seat in range(3)] == [exact, not exact, not exact]


def test_values_in_words() -> None:
    game = Piramide(2)
    state = finished(game, 3, 3)
    worded = [game.worth(state, value) for value in (10, 4, -11)] + [game.worth(game.deal(Random(1)), 6)]
    assert [phrase.template.format(**phrase.values) for phrase in worded] == [
        "declarer A takes exactly 3 tricks: 10 points",
        "declarer A is 3 off his 3 tricks: 4 points",
        "declarer A is 6 off his 3 tricks: -11 points",
        "A scores 6 points",
    ]


# ---- matches ------------------------------------------------------------------------------------------------------


def test_nobody_wins_before_all_pyramids_are_full() -> None:
    game = Piramide(2)
    assert game.winners(Tally((90, 10), 31, (3, 0), (NOTHING, (0, 0, 0, 0, 0, 0, 1)))) == ()
    assert game.winners(Tally((90, 10), 32, (3, 0), (NOTHING, NOTHING))) == (0,)


@pytest.mark.parametrize(
    ("scores", "tens", "winners"),
    [
        ((50, 60, 40), (9, 0, 0), (1,)),  # the total comes first
        ((60, 60, 40), (2, 5, 9), (1,)),  # then full tens
        ((60, 60, 60), (5, 2, 5), (0, 2)),
        ((-5, -7, -9), (0, 0, 0), (0,)),
    ],
)
def test_highest_total_and_ties_by_full_tens(
    scores: tuple[int, ...], tens: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    assert Piramide(3).winners(Tally(scores, 48, tens, (NOTHING,) * 3)) == winners


def test_full_tens_are_counted_for_the_declaring_player() -> None:
    game = Piramide(3, LINEAR)
    tally = game.count(game.new_match(), finished(game, 2, 2, (1, 2, 2, 4, 3, 2, 1)), first=2)
    assert tally == Tally((0, 0, 10), 1, (0, 0, 1), (PYRAMID, PYRAMID, (1, 2, 2, 4, 3, 2, 1)))
    tally = game.count(tally, finished(game, 2, 3), first=0)
    assert (tally.scores, tally.tens) == ((8, 0, 10), (0, 0, 1))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rules", [Rules(), LINEAR])
def test_whole_random_matches_are_16_deals_a_player(players: int, rules: Rules) -> None:
    game = Piramide(players, rules)
    random, tally, first = Random(players), game.new_match(), 0
    while not game.winners(tally):
        state = game.deal(random, tally, first)
        while game.actor(state) is not None:
            if not game.played(state):
                assert game.start(game.setup(state)) == state
            state = game.play(state, random.choice(game.moves(state)))
        assert sum(state.won) == 6
        tally = game.count(tally, state, first)
        first = (first + 1) % players
    assert tally.deals == 16 * players
    assert tally.slots == (NOTHING,) * players


# ---- options and positions ----------------------------------------------------------------------------------------


def test_names_and_options() -> None:
    assert find_game("pyramid") is find_game("Piramidė") is find_game("piramide") is Piramide
    assert Piramide(2).rules.score_table == "triangular"
    game = Piramide(2, read_rules(Piramide, {"score_table": "linear"}))
    assert game.rules == LINEAR and write_rules(game) == {"score_table": "linear"}
    assert write_rules(Piramide(2)) == {}
    with pytest.raises(
        RuleError, match="'other' is no value of the option 'score_table'; expected triangular or linear"
    ):
        read_rules(Piramide, {"score_table": "other"})


PLAYING = Contract(1, 2, NO_TRUMP)


def test_what_a_position_leaves_out() -> None:
    game, state = started("SA SK/HA HK/?", PLAYING, won=(1, 2, 0))
    assert (state.leader, state.won, state.slots, state.unseen) == (1, (1, 2, 0), PYRAMID, (0, 0, 2))
    assert game.setup(state).slots is None
    game, state = started("SA SK/HA HK", PLAYING, leader=0, slots=(0, 0, 0, 1, 0, 0, 0))
    assert (state.leader, state.slots) == (0, (0, 0, 0, 1, 0, 0, 0))
    assert game.start(game.setup(state)) == state
    game, state = started("SAKQJT9/?", None)
    assert (state.contract, state.unseen) == (None, (0, 6))


@pytest.mark.parametrize(
    ("hands", "changes", "key", "sentence"),
    [
        ("SAKQJT9 HA/?", {}, "hands.A", "A holds 7 cards; a hand has at most 6"),
        (
            "SA SK/HA",
            {},
            "hands",
            "between two tricks all hands have the same number of cards, but these have A 2, B 1",
        ),
        ("SA SK/HA HK", {"won": (3, 2)}, "won", "5 tricks won and 2 cards in each hand are more than the 6 dealt"),
        (
            "SA SK/HA HK",
            {"contract": Contract(0, 7, 1)},
            "contract.bid",
            "7 cannot be announced; expected 0 to 6 tricks",
        ),
        (
            "SA SK/HA HK",
            {"contract": Contract(0, None, 1)},
            "contract.bid",
            "None cannot be announced; expected 0 to 6 tricks",
        ),
        ("SA SK/HA HK", {"slots": (2, 0, 0, 0, 0, 0, 0)}, "slots.0", "0 can be announced 0 to 1 times, not 2"),
        ("SA SK/HA HK", {"slots": (0, 0, 0, -1, 0, 0, 0)}, "slots.3", "3 can be announced 0 to 4 times, not -1"),
        ("?/?", {"contract": None, "slots": NOTHING}, "slots", "the pyramid is full: nothing is left to announce"),
        (
            "SA SK/HA HK",
            {"contract": None},
            "",
            "without a contract nothing has been played: expected full hands, no leader, nothing won",
        ),
        ("SA SK/HA HK", {"stock": ()}, "stock", "Piramidė has no 'stock'"),
    ],
)
def test_contradictions(hands: str, changes: dict[str, Any], key: str, sentence: str) -> None:
    setup = replace(Setup(hands=tuple(map(hand, hands.split("/"))), contract=PLAYING), **changes)
    with pytest.raises(RuleError) as caught:
        Piramide(2).start(setup)
    assert (str(caught.value), caught.value.key) == (sentence, key)


def test_cards_of_unseen_hands_are_played_from_them() -> None:
    game, state = started("SA SK/?", PLAYING, leader=0)
    state = game.play(played(game, state, "SA"), Move(PLAY, held("S9")))
    assert (state.unseen, state.won) == ((0, 1), (1, 0))


@pytest.mark.parametrize(("rules", "table"), [(Rules(), [9, 10, 9, 7]), (LINEAR, [8, 10, 8, 6])])
def test_packed_row(rules: Rules, table: list[int]) -> None:
    """The row counts the tricks to come: A has one of his two, and may take three more."""
    game = Piramide(2, rules)
    setup = Setup(hands=(hand("SA SK SQ"), hand("HA HK HQ")), contract=Contract(0, 2, NO_TRUMP), won=(1, 2), leader=1)
    row = game.packed(game.start(setup), 0)
    leader, players, trump, flags, side, taken = 1, 2, -1, 0, 0b01, 0
    assert row[:7] == [held("SA SK SQ"), held("HA HK HQ"), 0, 0, -1, -1, -1]
    assert row[7:13] == [leader, players, trump, flags, side, taken]
    assert list(row[13].to_bytes(8, "little", signed=True)[:4]) == table
