"""Velnio tuzinas: every rule and option, what a state seen through somebody's eyes does, and positions."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.cards import NATURAL, NO_TRUMP, UNSEEN, CardText, Deck, Holding, count, each, holding, single, suit_of
from solver.game import (
    PLAY,
    TUCK,
    Hand,
    Move,
    RuleError,
    Setup,
    Tally,
    find_game,
    listed_moves,
    read_rules,
    write_rules,
)
from solver.games.velnio_tuzinas import Rules, State, VelnioTuzinas, leads
from solver.position import Position

TEXT = CardText(Deck(NATURAL))
PLAYERS = VelnioTuzinas.seats


def held(text: str) -> Holding:
    return TEXT.read_holding(text)[0]


def hand(text: str) -> Hand:
    return Hand(0, None) if text == "?" else Hand(*TEXT.read_holding(text))


def facts(hands: str, stock: str = "", trump: str | None = "D", **others: Any) -> Setup:
    """Facts of a position; hands are separated by slashes."""
    return Setup(
        hands=tuple(map(hand, hands.split("/"))),
        stock=tuple(TEXT.read_cards(stock)),
        trump=None if trump is None else TEXT.suit(trump),
        **others,
    )


def started(hands: str, stock: str = "", trump: str | None = "D", **others: Any) -> tuple[VelnioTuzinas, State]:
    setup = facts(hands, stock, trump, **others)
    game = VelnioTuzinas(setup.players)
    return game, game.start(setup)


def move(text: str) -> Move:
    tucked = text.startswith("tuck ")
    cards, unseen = TEXT.read_holding(text.removeprefix("tuck "))
    return Move(TUCK if tucked else PLAY, cards, unseen)


def played(game: VelnioTuzinas, state: State, *moves: str) -> State:
    """The state after moves, each of which must be legal."""
    for text in moves:
        assert move(text) in game.moves(state), f"{text} is not legal"
        state = game.play(state, move(text))
    return state


def texts(moves: list[Move]) -> list[str]:
    return [("tuck " if made.kind == TUCK else "") + TEXT.write_cards(each(made.cards)) for made in moves]


# ---- the deal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_deal(players: int) -> None:
    game = VelnioTuzinas(players)
    state = game.deal(Random(1))
    in_order = game.deck.shuffled(Random(1))
    assert [count(cards) for cards in state.hands] == [3] * players
    assert sorted([*(card for cards in state.hands for card in each(cards)), *state.stock]) == sorted(in_order)
    # The card after the hands is turned up and lies under the stock; its suit is trumps.
    assert state.stock == (*in_order[3 * players + 1 :], in_order[3 * players])
    assert state.trump == suit_of(state.stock[-1])
    assert game.actor(state) == state.leader == 0
    assert state.points == state.unseen == (0,) * players
    assert not game.declaring_phase(state)


def test_a_deal_goes_on_from_the_match_score() -> None:
    tally = Tally((5, 0, 12), 4)
    assert VelnioTuzinas(3).deal(Random(1), tally, first=2).points == (12, 5, 0)
    assert VelnioTuzinas(3).deal(Random(1), tally).points == (5, 0, 12)


@pytest.mark.parametrize("players", [0, 1, 9])
def test_two_to_eight_play(players: int) -> None:
    with pytest.raises(RuleError, match=f"Velnio tuzinas is played by 2, 3, 4, 5, 6, 7, 8 players, not by {players}"):
        VelnioTuzinas(players)


# ---- leads --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "legal"),
    [
        ("S2 H5 DA", ["S2", "H5", "DA"]),
        ("H9 HJ S9", ["S9", "HJ", "H9", "S9 H9", "HJ H9"]),
        ("H9 HJ HA", ["HA", "HJ", "H9", "HA HJ", "HA H9", "HJ H9", "HA HJ H9"]),
        ("SJ HJ CJ", ["SJ", "HJ", "CJ", "SJ HJ", "SJ CJ", "HJ CJ", "SJ HJ CJ"]),
        ("D4 D2 S4", ["S4", "D4", "D2", "S4 D4", "D4 D2"]),
    ],
)
def test_a_lead_is_of_one_suit_or_of_one_rank(cards: str, legal: list[str]) -> None:
    game, state = started(f"{cards}/C3 C6 C8")
    assert texts(game.moves(state)) == legal


@given(st.sets(st.sampled_from(list(each(Deck(NATURAL).cards))), min_size=3, max_size=3), st.integers(1, 3))
def test_leads_are_all_choices_of_one_suit_or_one_rank(cards: set[int], size: int) -> None:
    found = list(leads(holding(cards), size))
    choices = [bits for bits in range(8) if bits.bit_count() == size]
    ordered = sorted(cards)
    expected = set()
    for bits in choices:
        chosen = [card for at, card in enumerate(ordered) if bits >> at & 1]
        if all(card // 16 == chosen[0] // 16 for card in chosen) or all(card % 16 == chosen[0] % 16 for card in chosen):
            expected.add(holding(chosen))
    assert set(found) == expected and len(found) == len(expected)


# ---- covers and tucks ---------------------------------------------------------------------------------------------


def test_nobody_has_to_follow_suit_to_trump_or_to_cover() -> None:
    game, state = started("H9 C2 C3/HA D2 S4")
    state = played(game, state, "H9")
    assert texts(game.moves(state)) == ["tuck S4", "HA", "tuck HA", "D2", "tuck D2"]


def test_a_tuck_comes_right_after_the_cover_with_the_same_cards() -> None:
    game, state = started("H9 H2 C3/HA HJ D2")
    state = played(game, state, "H9 H2")
    expected = ["HA HJ", "tuck HA HJ", "HA D2", "tuck HA D2", "HJ D2", "tuck HJ D2"]
    assert texts(game.moves(state)) == expected
    assert game.moves(state) == listed_moves(game.moves(state)[::-1])


def test_everybody_plays_as_many_cards_as_were_led() -> None:
    for lead, sizes in [("HJ", {1}), ("HJ H9", {2}), ("HA HJ H9", {3})]:
        game, state = started("H9 HJ HA/S2 S3 S4/D2 D3 D4")
        state = played(game, state, lead)
        for _ in range(2):
            assert {count(made.cards) for made in game.moves(state)} == sizes
            state = game.play(state, game.moves(state)[0])


def test_a_triple_needs_a_triple_cover() -> None:
    game, state = started("H9 HJ HA/HT HK D4", "S2 S3 S4 D5")
    state = played(game, state, "H9 HJ HA")
    assert texts(game.moves(state)) == ["HK HT D4", "tuck HK HT D4"]


def test_the_cards_on_top_have_to_be_beaten_and_not_the_lead() -> None:
    game, state = started("H3 S2 S3/HT C2 C3/H5 HJ D2", "")
    state = played(game, state, "H3", "HT")
    assert texts(game.moves(state)) == ["HJ", "tuck HJ", "tuck H5", "D2", "tuck D2"]


ORIGINAL = ("H9 HJ HA/HT HK D4/SK CK C2/HQ DT D5", "C3 C4 C5 C6 C7 C8 C9 CT CJ CQ SA S4 S5 S6 S7 D3")
"""The original's example, trumps diamonds: A leads ♥9 ♥V ♥T, B covers, C cannot, D covers B's cards."""


def test_the_example_of_the_original() -> None:
    game, state = started(*ORIGINAL)
    state = played(game, state, "H9 HJ HA", "HT HK D4")
    assert (game.actor(state), state.holder, state.size, state.top) == (2, 1, 3, held("HT HK D4"))
    assert texts(game.moves(state)) == ["tuck SK CK C2"]
    state = played(game, state, "tuck SK CK C2")
    assert (state.holder, state.top) == (1, held("HT HK D4"))
    state = played(game, state, "HQ DT D5")
    assert state.points == (0, 0, 0, 4)
    # D draws first, then A, B, C, one card a round for three rounds.
    assert state.hands == tuple(map(held, ("C4 C8 CQ", "C5 C9 SA", "C6 CT S4", "C3 C7 CJ")))
    assert TEXT.write_cards(state.stock) == "S5 S6 S7 D3"
    assert (game.actor(state), state.leader, state.size, state.top, state.played) == (3, 3, 0, 0, 0)


@pytest.mark.parametrize(
    ("moves", "taker"),
    [
        (("H3", "tuck C3", "tuck S2", "tuck S5"), 0),  # nobody covered: the leader
        (("H3", "HT", "tuck S2", "tuck S5"), 1),
        (("H3", "HT", "HJ", "tuck S5"), 2),  # the last to cover
        (("H3", "tuck C3", "HJ", "tuck S5"), 2),
        (("H3", "tuck HT", "tuck HJ", "H4"), 3),  # tucked cards take no part
        (("H3", "HT", "tuck HJ", "D2"), 3),
    ],
)
def test_the_last_to_cover_takes_the_trick_or_else_its_leader(moves: tuple[str, ...], taker: int) -> None:
    game, state = started("H3 C6 C7/HT C2 C3/S2 HJ S3/D2 H4 S5")
    state = played(game, state, *moves)
    assert state.points == tuple(int(seat == taker) for seat in range(4))
    assert game.actor(state) == state.leader == state.holder == taker


@pytest.mark.parametrize(("lead", "points"), [("HA", 1), ("HA HK", 2), ("HA HK HQ", 4)])
def test_a_trick_of_one_two_or_three_cards_is_worth_1_2_or_4(lead: str, points: int) -> None:
    game, state = started("HA HK HQ/C2 C3 C4", points=(3, 5))
    state = played(game, state, lead)
    assert game.play(state, game.moves(state)[-1]).points == (3 + points, 5)


# ---- drawing ------------------------------------------------------------------------------------------------------


def test_all_draw_in_turn_as_many_rounds_as_cards_were_played() -> None:
    game, state = started("H2 H3 H4/C7 C8 C9/SA SK SQ", "S2 S3 S4 S5 S6 S7 D8", leader=1)
    state = played(game, state, "C7 C8", "tuck SA SK", "tuck H2 H3")
    assert [TEXT.write_holding(cards) for cards in state.hands] == ["S74 H4", "S52 C9", "SQ63"]
    assert TEXT.write_cards(state.stock) == "D8"


def test_a_round_is_drawn_only_if_the_stock_has_a_card_for_everybody() -> None:
    game, state = started("H2 H3 H4/C7 C8 C9/SA SK SQ", "S2 S3 S4 D8")
    state = played(game, state, "H2 H3", "tuck C7 C8", "tuck SA SK")
    assert [TEXT.write_holding(cards) for cards in state.hands] == ["S2 H4", "S3 C9", "SQ4"]
    assert TEXT.write_cards(state.stock) == "D8"
    # What is left stays undrawn, and the hands are played out.
    state = played(game, state, "H4", "tuck S3", "tuck SQ", "S2", "tuck C9", "S4")
    assert TEXT.write_cards(state.stock) == "D8"
    assert state.points == (3, 0, 1)
    assert game.actor(state) is None and game.moves(state) == []
    assert game.start(game.setup(state)) == state


def test_small_hands_allow_small_leads() -> None:
    game, state = started("HA HK/C2 C3")
    assert texts(game.moves(state)) == ["HA", "HK", "HA HK"]


# ---- the end ------------------------------------------------------------------------------------------------------


def test_thirteen_points_end_the_deal_at_once() -> None:
    game, state = started("HA HK HQ/C2 C3 C4", "S2 S3 S4 D8", points=(11, 12))
    state = played(game, state, "HA HK", "tuck C2 C3")
    assert state.points == (13, 12)
    assert game.actor(state) is None and game.moves(state) == []
    # Nobody draws any more, so the hands are smaller than the stock would allow.
    assert [TEXT.write_holding(cards) for cards in state.hands] == ["HQ", "C4"]
    assert len(state.stock) == 4
    assert game.pov(state) == 0
    assert game.start(game.setup(state)) == state


def test_a_finished_deal_is_seen_from_who_took_the_last_trick() -> None:
    game, state = started("C2/HA", points=(0, 12), leader=1)
    state = played(game, state, "HA", "tuck C2")
    assert game.actor(state) is None
    assert (game.pov(state), game.value(state, 1)) == (1, 13)


def test_twelve_points_do_not() -> None:
    game, state = started("HA HK HQ/C2 C3 C4", "S2 S3 S4 D8", points=(10, 12))
    assert game.actor(played(game, state, "HA HK", "tuck C2 C3")) == 0


@pytest.mark.parametrize(
    ("points", "values"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((3, 5, 1), (-2, 2, -4)),
        ((13, 5, 12), (1, -8, -1)),
        ((16, 12, 0), (1, -1, -13)),  # each is counted up to 13
        ((0, 15, 0), (-13, 13, -13)),
    ],
)
def test_the_value_is_the_margin_over_the_best_opponent(points: tuple[int, ...], values: tuple[int, ...]) -> None:
    game, state = started("//", points=points)
    assert game.actor(state) is None
    assert tuple(game.value(state, seat) for seat in range(3)) == values
    assert game.score(state) == points


def test_success_is_to_be_ahead_at_the_end() -> None:
    game, state = started("HA/HK")
    assert [game.succeeds(state, 0, margin) for margin in (-1, 0, 1)] == [False, False, True]


def test_each_plays_for_himself_and_wants_much() -> None:
    game, state = started("HA/HK/HQ", leader=1)
    assert game.pov(state) == 1
    assert game.pov(played(game, state, "HK")) == 2
    assert game.side(state, 2) == {2}
    assert game.sign(state) == 1
    assert not game.two_sided
    assert game.unit == "margin"


def test_values_in_words() -> None:
    game, state = started("HA/HK", leader=1)
    worded = [game.worth(state, value) for value in (4, 0, -3)]
    assert [phrase.template.format(**phrase.values) for phrase in worded] == [
        "B ends 4 ahead of the best opponent",
        "B ends level with the best opponent",
        "B ends 3 behind the best opponent",
    ]


# ---- matches ------------------------------------------------------------------------------------------------------


def test_scores_run_on_from_deal_to_deal() -> None:
    game, state = started("//", points=(2, 9, 4))
    tally = game.count(Tally((4, 1, 7), 3), state, first=1)
    assert tally == Tally((4, 2, 9), 4)
    assert game.winners(tally) == ()


@pytest.mark.parametrize(("scores", "winners"), [((12, 12), ()), ((12, 13), (1,)), ((16, 0), (0,)), ((0, 0), ())])
def test_thirteen_points_win_the_match(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert VelnioTuzinas(2).winners(Tally(scores, 1)) == winners


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("tucked", ["hidden", "open"])
def test_whole_random_matches(players: int, tucked: str) -> None:
    game = VelnioTuzinas(players, Rules(tucked=tucked))
    for seed in range(6):
        random, tally, first = Random(seed), game.new_match(), 0
        while not game.winners(tally):
            state = game.deal(random, tally, first)
            while game.actor(state) is not None:
                if not game.played(state):
                    assert game.start(game.setup(state)) == state
                moves = game.moves(state)
                assert moves == listed_moves(list(dict.fromkeys(moves)))
                state = game.play(state, random.choice(moves))
            assert game.start(game.setup(state)) == state
            before, tally = tally, game.count(tally, state, first)
            assert sum(tally.scores) > sum(before.scores)
            first = (first + 1) % players
        assert max(tally.scores) >= 13 > sorted(tally.scores)[-2]
        assert tally.scores[game.winners(tally)[0]] == max(tally.scores)


# ---- through somebody's eyes --------------------------------------------------------------------------------------


def test_tucks_that_nobody_saw_come_out_of_the_unseen_cards() -> None:
    game, state = started("H9 HJ HA/? ? ?/?", "? ? ? ? ? ? D3", "D")
    assert state.unseen == (0, 3, 3)
    state = game.play(played(game, state, "HJ H9"), move("tuck ? ?"))
    assert (state.unseen, state.holder, game.actor(state)) == ((0, 1, 3), 0, 2)
    state = game.play(state, move("HQ HT"))
    # C covered and draws first; all draw two unseen cards.
    assert (state.points, state.leader) == ((0, 0, 2), 2)
    assert (state.hands, state.unseen) == ((held("HA"), 0, 0), (2, 3, 3))
    assert state.stock == (TEXT.read("D3"),)
    assert game.start(game.setup(state)) == state


def test_moves_are_those_with_named_cards() -> None:
    game, state = started("H9 HJ ?/?", "? ? ? D3")
    assert texts(game.moves(state)) == ["HJ", "H9", "HJ H9"]
    state = game.play(state, move("HJ"))
    assert game.moves(state) == []
    named = state._replace(hands=(state.hands[0], held("HK S2")), unseen=(1, 1))
    assert texts(game.moves(named)) == ["tuck S2", "HK", "tuck HK"]


def test_drawing_names_what_the_viewer_saw() -> None:
    game, state = started("H9 HJ HA/?", "S2 D3")
    state = game.play(played(game, state, "HA"), move("tuck ?"))
    assert state.hands == (held("H9 HJ S2"), held("D3"))
    assert state.unseen == (0, 2)


def test_after_a_hidden_tuck_the_rest_of_the_hand_has_no_names() -> None:
    """B was seen to draw the indicator; once he has tucked a card it may be that one."""
    game, state = started("H9 HJ HA/D3 ? ?")
    state = game.play(played(game, state, "HA"), move("tuck ?"))
    assert (state.hands[1], state.unseen[1]) == (0, 2)
    for cards in ("SA", "S5"):
        state = game.play(state, game.moves(state)[0])
        state = game.play(state, move(f"tuck {cards}"))
    assert state.unseen == (0, 0) and game.actor(state) is None


def test_a_hidden_tuck_of_a_whole_hand_leaves_nothing() -> None:
    game, state = started("H9 HJ HA/D3 ? ?")
    state = game.play(played(game, state, "HA HJ H9"), move("tuck ? ? ?"))
    assert (state.hands, state.unseen) == ((0, 0), (0, 0))
    assert game.actor(state) is None


def test_open_tucks_name_their_cards() -> None:
    game, state = started("H9 HJ HA/D3 ? ?")
    state = game.play(played(game, state, "HA"), move("tuck S4"))
    assert (state.hands[1], state.unseen[1]) == (held("D3"), 1)


def after_the_indicator(*moves: str, **rules: str) -> Position:
    """Trumps diamonds: A has taken a trick, and B has drawn the indicator ♦3 with the last round."""
    position = Position.from_dict(
        {
            "game": "velnio_tuzinas",
            "rules": rules,
            "trump": "D",
            "hands": {"A": "H9 HJ HA", "B": "S2 S3 S4"},
            "stock": ["C2", "D3"],
        }
    )
    for made in ("HA", "tuck S2", *moves):
        position.play(made)
    return position


def test_who_sees_tucked_cards() -> None:
    hidden, shown = after_the_indicator(), after_the_indicator(tucked="open")
    assert hidden.observe("A").plays == ["HA", "tuck ?"]
    assert hidden.observe("B").plays == shown.observe("A").plays == shown.observe("B").plays == ["HA", "tuck S2"]
    # The indicator lay open, so A knows that B has it.
    assert hidden.observe("A").state.hands == (held("H9 HJ C2"), held("D3"))
    assert hidden.observe("B").state.hands == (0, held("S3 S4 D3"))


@pytest.mark.parametrize(
    "moves",
    [
        ("H9", "tuck D3", "HJ", "tuck S3", "C2", "tuck S4"),
        ("H9", "tuck S3", "HJ", "D3", "S4", "tuck C2"),
        ("HJ H9", "tuck S4 D3", "C2", "tuck S3"),
        ("HJ H9", "tuck S4 S3", "C2", "D3"),
    ],
)
def test_a_view_after_a_hidden_tuck_that_may_have_been_the_indicator(moves: tuple[str, ...]) -> None:
    position = after_the_indicator(*moves[:2])
    assert position.observe("A").state.hands[1] == 0
    for made in moves[2:]:
        position.play(made)
        view = position.observe("A")
        assert view.state.points == position.state.points and view.actor == position.actor
    assert position.actor is None and view.state.unseen == (0, 0)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_seats_view_has_the_same_table(players: int) -> None:
    """Played side by side, a deal and a seat's view of it agree on all that lies open."""
    game = VelnioTuzinas(players)
    for seed in range(20):
        random = Random(seed)
        eyes = random.randrange(players)
        state = game.deal(random)
        view = masked(state, eyes)
        while game.actor(state) is not None:
            seat = game.actor(state)
            made = random.choice(game.moves(state))
            seen = Move(TUCK, unseen=count(made.cards)) if made.kind == TUCK and seat != eyes else made
            state, view = game.play(state, made), game.play(view, seen)
            view = named_draws(view, state, eyes)
            assert game.actor(view) == game.actor(state)
            assert state[3:] == view[3:] and len(view.stock) == len(state.stock)
            assert [count(cards) + more for cards, more in zip(view.hands, view.unseen, strict=True)] == [
                count(cards) for cards in state.hands
            ]
            if not game.played(view):
                assert game.start(game.setup(view)) == view
        assert not any(view.unseen) or max(state.points) >= 13


def masked(state: State, eyes: int) -> State:
    """A fresh deal as a seat sees it."""
    return state._replace(
        hands=tuple(cards if seat == eyes else 0 for seat, cards in enumerate(state.hands)),
        unseen=tuple(0 if seat == eyes else 3 for seat in range(len(state.hands))),
        stock=(*[UNSEEN] * (len(state.stock) - 1), state.stock[-1]),
    )


def named_draws(view: State, state: State, eyes: int) -> State:
    """The view after its seat has looked at what it drew."""
    return view._replace(
        hands=tuple(state.hands[eyes] if seat == eyes else cards for seat, cards in enumerate(view.hands)),
        unseen=tuple(0 if seat == eyes else more for seat, more in enumerate(view.unseen)),
    )


# ---- positions ----------------------------------------------------------------------------------------------------


def test_an_exhausted_stock_may_be_left_empty() -> None:
    """With three players one card is left over, which nobody will draw."""
    _, state = started("HA/C2/C3", "D8")
    assert state.stock == (TEXT.read("D8"),)
    assert started("HA/C2/C3")[1] == state._replace(stock=())


def test_what_a_position_leaves_out() -> None:
    game, state = started("H9 HJ HA/C2 C3 C4", "S2 S3 S4 D8", trump=None)
    assert state.trump == TEXT.suit("D")
    assert (state.leader, state.points) == (0, (0, 0))
    assert game.start(game.setup(state)) == state
    # Tricks are not counted, whatever the position says of them.
    assert started("H9 HJ HA/C2 C3 C4", "S2 S3 S4 D8", won=(2, 3))[1] == state


def test_a_hand_that_is_just_unseen_is_as_large_as_the_others() -> None:
    assert started("H9 HJ/?")[1].unseen == (0, 2)
    assert started("?/?")[1].unseen == (3, 3)


FULL = "H9 HJ HA/C2 C3 C4"
STOCK = "S2 S3 S4 D8"


@pytest.mark.parametrize(
    ("setup", "key", "sentence"),
    [
        (facts("H9 HJ HA HK/C2 C3 C4 C5"), "hands.A", "A holds 4 cards; a hand has at most 3"),
        (
            facts("H9 HJ/C2 C3 C4"),
            "hands",
            "between two tricks all hands have the same number of cards, but these have A 2, B 3",
        ),
        (
            facts("H9 HJ/C2 C3", "S2 D8"),
            "hands",
            "the hands have 2 cards and the stock 2;"
            " expected full hands of 3 while there is a stock card for every player",
        ),
        (
            facts(FULL, "S2 S3 D8"),
            "stock",
            "the stock has 3 cards; expected 46 less whole rounds of 2, or none",
        ),
        (
            facts(FULL, " ".join(["?"] * 47) + " D8"),
            "stock",
            "the stock has 48 cards; expected 46 less whole rounds of 2, or none",
        ),
        (
            replace(facts(FULL), stock=None),
            "stock",
            "Velnio tuzinas needs the stock, the indicator last; [] if it is exhausted",
        ),
        (
            facts(FULL, "S2 S3 D8 ?"),
            "stock",
            "the stock's last card is the indicator, which everyone sees: expected its name",
        ),
        (
            facts(FULL, STOCK, "H"),
            "trump",
            "the trump suit H is not that of the indicator, the stock's last card: expected D",
        ),
        (facts(FULL, trump=None), "trump", "with the stock exhausted the trump suit must be given"),
        (
            replace(facts(FULL, STOCK), trump=NO_TRUMP),
            "trump",
            "NT is not allowed: there is always a trump suit",
        ),
        (facts(FULL, STOCK, points=(-1, 0)), "points.A", "-1 is no score; expected 0 to 16 points"),
        (facts(FULL, STOCK, points=(0, 17)), "points.B", "17 is no score; expected 0 to 16 points"),
        (
            facts(FULL, STOCK, points=(13, 14)),
            "points",
            "the first to have 13 points has won, but these have A 13, B 14",
        ),
        (facts(FULL, STOCK, leader=2), "leader", "C has no cards and cannot lead"),
        (facts(FULL, STOCK, pending=(20, 0)), "pending", "Velnio tuzinas has no 'pending'"),
    ],
)
def test_contradictions(setup: Setup, key: str, sentence: str) -> None:
    with pytest.raises(RuleError) as caught:
        VelnioTuzinas(2).start(setup)
    assert (str(caught.value), caught.value.key) == (sentence, key)


def test_a_finished_position_may_have_any_even_hands() -> None:
    game, state = started("H9/C2", STOCK, points=(16, 12))
    assert game.actor(state) is None


@pytest.mark.parametrize(("players", "left"), [(2, 46), (3, 43), (8, 28)])
def test_full_stocks(players: int, left: int) -> None:
    game = VelnioTuzinas(players)
    setup = game.setup(game.deal(Random(3)))
    assert setup.stock is not None and len(setup.stock) == left
    assert game.start(setup) == game.deal(Random(3))


def test_names_and_options() -> None:
    assert find_game("devils_dozen") is find_game("Velnio_Tuzinas") is VelnioTuzinas
    assert VelnioTuzinas(2).rules.tucked == "hidden"
    for value in ("hidden", "open"):
        game = VelnioTuzinas(2, read_rules(VelnioTuzinas, {"tucked": value}))
        assert game.rules.tucked == value
        assert write_rules(game) == ({"tucked": "open"} if value == "open" else {})
    with pytest.raises(RuleError, match="'shown' is no value of the option 'tucked'; expected hidden or open"):
        read_rules(VelnioTuzinas, {"tucked": "shown"})


# ---- the kernel's row ---------------------------------------------------------------------------------------------


def test_packed_row() -> None:
    game, state = started(*ORIGINAL, points=(1, 2, 3, 4), leader=1)
    state = played(game, state, "HT HK", "tuck SK CK")
    row = game.packed(state, 3)
    assert len(row) == 88
    assert row[:8] == [held("H9 HJ HA"), held("D4"), held("C2"), held("HQ DT D5"), 0, 0, 0, 0]
    assert row[8] == 16
    assert row[9:25] == list(state.stock) and row[25:61] == [-1] * 36
    assert row[61:69] == [1, 2, 3, 4, 0, 0, 0, 0]
    leader, players, trump, size, top, holder, seats_played, pov = 1, 4, 2, 2, held("HT HK"), 1, 2, 3
    assert row[69:77] == [leader, players, trump, size, top, holder, seats_played, pov]
    assert row[77:] == [0] * 11


def test_a_full_table_fits_the_row() -> None:
    game = VelnioTuzinas(8)
    state = game.deal(Random(1))
    row = game.packed(state, 7)
    assert len(row) == 88 and row[:8] == list(state.hands) and row[61:69] == [0] * 8
    assert all(single(card) < 1 << 63 for card in state.stock)
