"""Layouts of unseen cards: counts and enumeration against brute force, errors, rows for the kernels, histories."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import comb, factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import any_move, deal_at, each_game, label, random_for
from hidden import brute_force, find_view, history, small_views

from solver import _layouts
from solver.cards import count
from solver.game import Game, RuleError, find_game, read_rules
from solver.position import Position
from solver.sampling import HAND, OUT, STOCK, UNDER, Layouts

PUBLISHED = [json.loads(line) for line in (Path(__file__).parent / "data" / "hidden.jsonl").read_text().splitlines()]
VARIANTS: list[Game[Any]] = [
    find_game(name)(players, read_rules(find_game(name), rules))
    for name, players, rules in [
        ("plain", 3, {"ranks": "AKQJ", "beat": True}),
        ("plain", 3, {"ranks": "AKQJ", "void": "any"}),
        ("plain", 4, {"ranks": "AKQJ", "trump_power": "anti"}),
        ("sixty_six", 3, {"closing": "reach_66", "marriage_lead": "either"}),
        ("velnio_tuzinas", 2, {"tucked": "open"}),
    ]
]


def all_layouts(layouts: Layouts) -> np.ndarray[Any, Any]:
    """Every layout in one array."""
    return np.concatenate(list(layouts.enumerate()))


def positions_on_the_way(game: Game[Any], seed: int) -> list[Position]:
    """What the seat to move sees at some moments of a deal played at random."""
    random = random_for(game, seed)
    position = Position(game, deal_at(game, random))
    views = []
    while position.actor is not None:
        if not game.declaring_phase(position.state) and random.random() < 0.3:
            views.append(position.observe(position.actor))
        position.play(any_move(game, position.state, random))
    return views


# ---- against brute force ------------------------------------------------------------------------------------------


def check_against_brute_force(view: Position) -> None:
    expected = brute_force(view)
    layouts = Layouts(view)
    states = list(layouts.states(all_layouts(layouts)))
    assert layouts.count == len(states) == len(expected), view
    assert set(states) == expected, view


@each_game()
def test_layouts_are_what_brute_force_finds(game: Game[Any]) -> None:
    for view in small_views(game, 15):
        check_against_brute_force(view)


@pytest.mark.parametrize("game", VARIANTS, ids=label)
def test_layouts_are_what_brute_force_finds_with_other_rules(game: Game[Any]) -> None:
    for view in small_views(game, 15):
        check_against_brute_force(view)


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: str(case["id"]))
def test_count_of_published_views(case: dict[str, Any]) -> None:
    layouts = Layouts(Position.from_dict(case["position"]))
    assert layouts.count == case["answer"]["layouts"]
    assert len({tuple(layout) for layout in all_layouts(layouts).tolist()}) == layouts.count


def test_count_of_fresh_deals() -> None:
    deal = Position.deal("antikoziris", seed=1)
    assert Layouts(deal.observe("A")).count == comb(16, 8)
    deal = Position.deal("piramide", 3, seed=1)
    assert Layouts(deal.observe("A")).count == comb(18, 6) * comb(12, 6)
    deal = Position.deal("sixty_six", 2, seed=1)
    assert Layouts(deal.observe("B")).count == comb(17, 6) * factorial(11)
    deal = Position.deal("velnio_tuzinas", 8, seed=1)
    assert Layouts(deal.observe("A")).count == factorial(48) // 6**7
    deal = Position.deal("plain", 4, seed=1)
    assert Layouts(deal.observe("A")).count == factorial(39) // factorial(13) ** 3


def test_atspek_before_the_piles_are_dealt() -> None:
    view = Position.deal("atspek", 2, seed=1).observe("A")
    view.play("trump H")
    layouts = Layouts(view)
    assert layouts.count == factorial(30) // (2 * factorial(4))
    for state in layouts.states(layouts.sample(20, 1)):
        named = Position(view.game, state)
        assert named.is_open and not named.unseen
        assert count(state.hands[0]) == 4 and not view.state.hands[0] & ~state.hands[0]


# ---- what is drawn ------------------------------------------------------------------------------------------------


@each_game()
def test_drawn_layouts_have_a_legal_history(game: Game[Any]) -> None:
    for seed in range(3):
        for view in positions_on_the_way(game, seed):
            layouts = Layouts(view)
            for state in layouts.states(layouts.sample(5, seed)):
                assert history(view, state).state == state


@each_game()
def test_rows_are_the_packed_states(game: Game[Any]) -> None:
    for view in [view for seed in range(2) for view in positions_on_the_way(game, seed)]:
        layouts = Layouts(view)
        for number in (1, 80):  # fewer and more than there are places for unseen cards
            drawn = layouts.sample(number, 1)
            for pov in range(game.players):
                rows = layouts.rows(drawn, pov)
                assert rows.dtype == np.int64 and rows.flags.c_contiguous
                expected = [game.packed(state, pov) for state in layouts.states(drawn)]
                assert rows.tolist() == expected
            assert layouts.rows(drawn).tolist() == layouts.rows(drawn, game.pov(view.state)).tolist()


def test_states_and_rows_of_another_state_with_the_same_unseen_cards() -> None:
    view = Position.deal("piramide", 3, seed=2).observe("A")
    layouts = Layouts(view)
    drawn = layouts.sample(3, 5)
    after = view.copy()
    after.play("bid 2 S")
    assert layouts.rows(drawn, state=after.state).tolist() == Layouts(after).rows(drawn).tolist()
    assert list(layouts.states(drawn, after.state)) == list(Layouts(after).states(drawn))
    after.play(after.legal_moves[0])
    after.play(after.write(next(move for move in view.game.moves(next(layouts.states(drawn, after.state))))))
    with pytest.raises(ValueError, match="lie in other places"):
        layouts.rows(drawn, state=after.state)


def test_a_layout_depends_on_seed_and_number_alone() -> None:
    for view in (
        Position.deal("velnio_tuzinas", 8, seed=1).observe("C"),
        find_view(find_game("velnio_tuzinas")(2), lambda view: len(Layouts(view)._cases) > 1),
    ):
        layouts = Layouts(view)
        whole = layouts.sample(1000, 7)
        parts = [(first, min(37, 1000 - first)) for first in range(0, 1000, 37)]
        with ThreadPoolExecutor(4) as threads:
            drawn = list(threads.map(lambda part, layouts=layouts: layouts.sample(part[1], 7, part[0]), parts))
        assert np.array_equal(whole, np.concatenate(drawn))
        assert np.array_equal(whole, Layouts(view).sample(1000, 7))
        assert not np.array_equal(whole, layouts.sample(1000, 8))
        assert np.array_equal(whole, layouts.sample(1000, 7 + 2**64))
        assert layouts.sample(0, 7).shape == (0, len(layouts.slots))


def test_enumeration_comes_in_blocks_when_asked_for() -> None:
    layouts = Layouts(Position.deal("velnio_tuzinas", 8, seed=1).observe("C"))
    blocks = layouts.enumerate(10)
    first, second = next(blocks), next(blocks)
    assert first.shape == second.shape == (10, len(layouts.slots))
    assert len(np.unique(np.concatenate([first, second]), axis=0)) == 20
    assert np.array_equal(next(layouts.enumerate(20)), np.concatenate([first, second]))


def test_slots() -> None:
    view = Position.deal("sixty_six", 2, seed=1).observe("A")
    slots = Layouts(view).slots
    assert [(slot.kind, slot.size, slot.single) for slot in slots] == [(HAND, 6, False)] + [(STOCK, 1, True)] * 11
    position = Position.deal("atspek", 2, seed=1)
    position.play("trump S")
    slots = Layouts(position.observe("A")).slots
    assert [slot.kind for slot in slots] == [HAND] + [UNDER] * 12
    slots = Layouts(Position.deal("piramide", 2, seed=1).observe("A")).slots
    assert [(slot.kind, slot.size) for slot in slots] == [(HAND, 6), (OUT, 12)]


def test_an_open_position_is_its_only_layout() -> None:
    for name in ("piramide", "antikoziris"):
        position = Position.deal(name, seed=3)
        layouts = Layouts(position)
        assert layouts.count == 1
        assert list(layouts.states(layouts.sample(2, 1))) == [position.state] * 2


# ---- weights ------------------------------------------------------------------------------------------------------


def test_weights() -> None:
    layouts = Layouts(Position.deal("piramide", 3, seed=2).observe("A"))
    drawn = layouts.sample(50, 1)
    weights = layouts.weights(drawn, lambda state: float(state.hands[1] & 1))
    assert weights.dtype == np.float64
    assert weights.tolist() == [state.hands[1] & 1 for state in layouts.states(drawn)]
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="is no weight; expected a finite number from 0"):
            layouts.weights(drawn, lambda state, wrong=wrong: wrong)
    with pytest.raises(ValueError, match="all 50 layouts have weight 0"):
        layouts.weights(drawn, lambda state: 0.0)


# ---- contradictions -----------------------------------------------------------------------------------------------


def piramide(hands: list[str], plays: str, gone: str, trump: str = "S") -> Position:
    return Position.from_dict(
        {
            "game": "piramide",
            "contract": {"declarer": "A", "bid": 1, "trump": trump},
            "hands": dict(zip("ABCD", hands, strict=False)),
            "plays": plays.split(),
            "gone": gone,
        }
    )


def test_a_seat_that_can_hold_too_few_cards() -> None:
    """B, out of hearts and spades, needs two of the five unseen cards, all but one of which are hearts and spades."""
    view = piramide(["HA SA SK", "? ? ?"], "HA C9", "HK HQ HJ DAKQJT9 CAKQJT SQJ")
    with pytest.raises(RuleError) as caught:
        Layouts(view)
    assert str(caught.value) == (
        "B must have 2 of the unseen cards, but by the moves made he holds none of ST9 HT9, which leaves none"
    )
    assert caught.value.key == "hands.B"


def test_seats_that_together_can_hold_too_few_cards() -> None:
    """Each of them could have the two diamonds."""
    view = piramide(["HA SA SK", "? ? ?", "? ? ?"], "HA C9 CT", "HKQJ DAKQJ CAKQJ SQJT9")
    assert count(view.unseen) == 4
    with pytest.raises(RuleError) as caught:
        Layouts(view)
    assert str(caught.value) == (
        "B and C must have 4 of the unseen cards, but by the moves made they hold none of HT9, which leaves DT9"
    )


def test_more_places_than_cards() -> None:
    position = Position.deal("piramide", 4, seed=1)
    start = position.start._replace(hands=(0, *position.start.hands[1:]), unseen=(7, 0, 0, 0))
    with pytest.raises(RuleError, match="7 cards of hands, piles and stock are unseen, but there are only 6"):
        Layouts(Position(position.game, start))


def test_face_up_cards_must_be_named() -> None:
    view = Position.deal("atspek", 2, seed=1).observe("A")
    view.play("trump H")
    view.play(view.game.moves(view.state)[0])
    with pytest.raises(RuleError, match="A has a face-up pile card that everyone sees: expected its name") as caught:
        Layouts(view)
    assert caught.value.key == "piles.A"


def test_the_indicator_must_be_named() -> None:
    facts = {"game": "sixty_six", "trump": "H", "hands": {"A": "SAKQJT9", "B": "?"}, "stock": ["?"] * 12}
    with pytest.raises(ValueError, match="the indicator, which everyone sees: expected its name"):
        Position.from_dict(facts)


# ---- tucks that nobody saw ----------------------------------------------------------------------------------------


def velnio(hands: dict[str, str], plays: list[str], stock: list[str], gone: str = "") -> Position:
    return Position.from_dict(
        {
            "game": "velnio_tuzinas",
            "hands": hands,
            "trump": "S",
            "stock": stock,
            "plays": plays,
            "gone": gone,
        }
    )


DIAMONDS_AND_CLUBS = "DAKQJT98765432 CAKQJT98765432"


def test_an_indicator_that_may_have_been_tucked() -> None:
    """B drew the ace of spades; he has it or tucked it, and A cannot."""
    view = velnio(
        {"A": "H2 H3 H4", "B": "? ? ?"},
        ["H2", "tuck ?", "H3", "tuck ?"],
        ["H7", "SA"],
        "SK " + DIAMONDS_AND_CLUBS,
    )
    assert not view.state.hands[1] and view.state.unseen[1] == 2
    check_against_brute_force(view)
    ace = view.game.deck.card("S", "A")
    assert view.unseen >> ace & 1 and view.barred[0] >> ace & 1 and not view.barred[1] >> ace & 1
    layouts = Layouts(view)
    assert [slot.kind for slot in layouts.slots] == [HAND, OUT]
    held = [layout[0] >> ace & 1 for layout in all_layouts(layouts).tolist()]
    others = count(view.unseen) - 1
    assert sum(held) == comb(others, 1) and len(held) == comb(others, 1) + comb(others, 2)


def test_a_hand_with_an_indicator_can_be_tucked_whole() -> None:
    view = velnio({"A": "H2 H3 H4", "B": "S2 S3 S4"}, ["H4", "tuck S2"], ["H7", "SA"]).observe("A")
    for move in ("H2 H3 H7", "tuck ? ? ?"):
        view.play(move)
    assert view.state.unseen == (0, 0)
    assert Layouts(view).count == 1


def test_a_card_that_may_have_been_tucked_can_still_be_played_by_its_owner_only() -> None:
    plays = ["H2", "tuck ?", "H3", "tuck ?"]
    view = velnio({"A": "H2 H3 H4", "B": "? ? ?"}, plays, ["H7", "SA"])
    with pytest.raises(ValueError, match="not legal for A"):
        view.play("SA")
    view.play("H4")
    view.play("SA")
    assert view.state.unseen[1] == 1
    assert Layouts(view).count == count(view.unseen)


@pytest.mark.parametrize(
    ("hand", "plays", "stock"),
    [
        ("SA SK ?", ["H2", "tuck ?"], []),  # one of the two at least is kept
        ("SA SK ?", ["H2", "tuck ?", "H3", "H9"], []),  # and one at most, as the nine was the third card
        ("SA SK ?", ["H2", "tuck ?", "H3", "H9"], ["D2", "?", "D3", "SQ"]),  # unless that was drawn
        ("SA SK ?", ["H2", "tuck ?", "H3 H4", "H9 H7"], ["D2", "?", "D3", "SQ"]),
        ("SA SK SQ", ["H2 H3", "tuck ? ?"], []),
        ("SA SK SQ", ["H2", "tuck ?", "H3", "tuck ?"], []),
        ("SA ? ?", ["H2", "tuck ?", "H3", "tuck ?"], ["D2", "SQ"]),  # the indicator joins the doubtful cards
        ("SA ? ?", ["H2", "tuck ?", "H3", "SA"], []),
        ("SA SK ?", ["H2 H3", "tuck ? ?"], ["D2", "SQ"]),
    ],
)
def test_doubtful_cards_of_a_hand(hand: str, plays: list[str], stock: list[str]) -> None:
    named = " ".join(["DAKQJT9876", "CAKQJT98765432", "HAKQJT", "SJT98765"])
    view = velnio({"A": "H2 H3 H4", "B": hand}, plays, stock, named)
    check_against_brute_force(view)


def test_tucks_that_do_not_add_up() -> None:
    view = velnio({"A": "H2 H3 H4", "B": "SA SK SQ"}, ["H2", "tuck ?", "H3", "H9"], [])
    with pytest.raises(RuleError, match="what B had before a tuck that nobody saw leaves no room for the cards played"):
        Layouts(view)


def test_after_a_tuck_that_nobody_saw_a_position_is_not_open() -> None:
    view = velnio({"A": "H2 H3 H4", "B": "SA SK SQ"}, ["H2"], [])
    assert view.is_open
    view.play("tuck ?")
    assert not view.is_open
    assert Layouts(view).count == 3


# ---- the kernel ---------------------------------------------------------------------------------------------------


def test_random_numbers_are_philox() -> None:
    """The known answers published with Random123."""
    assert _layouts.random_block([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    digits_of_pi = [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0]
    assert _layouts.random_block(*digits_of_pi) == [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]


def table(**changes: Any) -> dict[str, Any]:
    """Three cards in two classes; the first class gives its card to either group."""
    arguments: dict[str, Any] = {
        "cards": np.array([1, 2, 3], np.int8),
        "class_sizes": np.array([1, 2], np.int32),
        "slot_sizes": np.array([1, 2], np.int32),
        "group_sizes": np.array([1, 1], np.int32),
        "columns": np.array([0, 1], np.int32),
        "single": np.array([1, 0], np.uint8),
        "states": np.array([0, 2, 3, 4], np.int32),
        "counts": np.array([[1, 0], [0, 1], [0, 2], [1, 1]], np.int32),
        "targets": np.array([1, 2, 3, 3], np.int32),
        "limits": np.array([[1], [3], [1], [1]], np.uint64),
        "width": 2,
    }
    return arguments | changes


def test_sampler() -> None:
    drawn = _layouts.Sampler(**table()).sample(np.arange(300, dtype=np.int64), 1)
    assert {tuple(layout) for layout in drawn.tolist()} == {(1, 12), (2, 10), (3, 6)}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"cards": np.array([1, 2, 2], np.int8)}, "different numbers"),
        ({"cards": np.array([1, 2, 64], np.int8)}, "different numbers"),
        ({"cards": np.array([-1, 2, 3], np.int8)}, "different numbers"),
        ({"class_sizes": np.array([1, 1], np.int32)}, "take all cards"),
        ({"class_sizes": np.array([0, 3], np.int32)}, "must not be empty"),
        ({"slot_sizes": np.array([1, 1], np.int32)}, "take all cards"),
        ({"group_sizes": np.array([1], np.int32)}, "take all cards"),
        ({"columns": np.array([0, 0], np.int32)}, "a column of its own"),
        ({"columns": np.array([0, 2], np.int32)}, "must be below 2"),
        ({"width": 1}, "must be below 1"),
        ({"single": np.array([0, 1], np.uint8)}, "has one card"),
        ({"states": np.array([0, 2, 3], np.int32)}, "no transitions from state 2"),
        ({"states": np.array([0, 2, 3, 9], np.int32)}, "no transitions from state 2"),
        ({"counts": np.array([[1, 0], [0, 1], [0, 2], [0, 2]], np.int32)}, "cannot take"),
        ({"counts": np.array([[1, 0], [1, 0], [0, 2], [1, 1]], np.int32)}, "cannot take|different things"),
        ({"targets": np.array([1, 1, 3, 3], np.int32)}, "stands for different things"),
        ({"targets": np.array([1, 7, 3, 3], np.int32)}, "no transitions from state 7"),
        ({"limits": np.array([[3], [3], [1], [1]], np.uint64)}, "must rise"),
        ({"limits": np.array([[0], [3], [1], [1]], np.uint64)}, "must rise"),
        ({"limits": np.zeros((4, 0), np.uint64)}, "1 to 16 limbs"),
        ({"limits": np.array([[1], [3], [1]], np.uint64)}, "every transition"),
    ],
)
def test_sampler_refuses_tables_that_do_not_add_up(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        _layouts.Sampler(**table(**changes))


def test_weights_of_several_limbs() -> None:
    """A choice between weights of 1, 2^64 and 2^70: the first never comes, the second once in 65 times."""
    weights = [1, 2**64, 2**70]
    sums = [sum(weights[: end + 1]) for end in range(3)]
    limits = np.array([[number >> 64, number % 2**64] for number in sums], np.uint64)
    chosen = _layouts.choose(limits, np.arange(65_000, dtype=np.int64), 3)
    amounts = np.bincount(chosen, minlength=3)
    assert amounts[0] == 0 and abs(amounts[1] - 1000) < 120
    assert all(one < other for one, other in pairwise(sums))
