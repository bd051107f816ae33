"""Atspėk: the deal, the guess, piles, scoring, matches, and positions that say what a state is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solver.cards import NO_TRUMP, UNSEEN, CardText, count, each
from solver.game import PLAY, TRUMP, Game, Hand, Move, Pile, RuleError, Setup, Tally, find_game
from solver.games.atspek import Atspek, State
from solver.notation import PositionError
from solver.position import IllegalMove, Position

TABLE = {2: (32, 6, 4, 16), 3: (36, 4, 4, 12), 4: (36, 3, 3, 9)}
"""By number of players: cards of the deck, piles, cards in hand, cards in all of each."""

ENDING: dict[str, Any] = {
    "game": "atspek",
    "trump": "H",
    "hands": {"A": "SA", "B": "S9 D7"},
    "piles": {"A": ["SK/H7", "D8"], "B": ["HQ/S8"]},
    "won": {"A": 5, "B": 7},
}


def ending(**changes: object) -> Position:
    return Position.from_dict(ENDING | changes)


def cards(game: Game[Any], text: str) -> int:
    return CardText(game.deck).read_holding(text)[0]


def card(game: Game[Any], text: str) -> int:
    return CardText(game.deck).read(text)


def random_deal(players: int, seed: int) -> tuple[Atspek, list[State]]:
    """A game and the states of a deal played at random."""
    game, random = Atspek(players), Random(seed)
    states = [game.deal(random)]
    while game.actor(states[-1]) is not None:
        states.append(game.play(states[-1], random.choice(game.moves(states[-1]))))
    return game, states


def named(state: State) -> list[int]:
    """Every card of a state, piles included."""
    piles = state.rest.piles if state.rest else state.piles
    hands = (*state.hands, *(state.rest.hands if state.rest else ()))
    return [card for hand in hands for card in each(hand)] + [
        card for row in piles for pile in row if pile for card in pile if card is not None
    ]


# ---- deal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", TABLE)
def test_deal(players: int) -> None:
    deck, piles, hand, each_has = TABLE[players]
    game = Atspek(players)
    state = game.deal(Random(3))
    assert len(game.deck) == deck
    assert [count(begun) for begun in state.hands] == [2] * players
    assert sorted(named(state)) == sorted(set(named(state)))
    assert len(named(state)) == players * each_has

    dealt = game.play(state, Move(TRUMP, trump=1))
    assert [count(held) for held in dealt.hands] == [hand] * players
    assert [len(row) for row in dealt.piles] == [piles] * players
    assert all(pile.under is not None for row in dealt.piles for pile in row)
    assert all(begun & ~held == 0 for begun, held in zip(state.hands, dealt.hands, strict=True))
    assert sorted(named(dealt)) == sorted(named(state))
    assert game.actor(dealt) == 0


def test_deals_differ_and_repeat() -> None:
    game = Atspek(3)
    assert game.deal(Random(1)) == game.deal(Random(1)) != game.deal(Random(2))


@pytest.mark.parametrize("players", [1, 5])
def test_numbers_of_players(players: int) -> None:
    with pytest.raises(RuleError, match=f"2, 3, 4 players, not by {players}"):
        Atspek(players)


def test_names() -> None:
    assert find_game("Atspek") is find_game("guess") is Atspek


# ---- naming the trump ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", TABLE)
def test_a_names_a_suit(players: int) -> None:
    game = Atspek(players)
    state = game.deal(Random(0))
    assert game.declaring_phase(state)
    assert game.actor(state) == game.pov(state) == 0
    assert game.moves(state) == [Move(TRUMP, trump=suit) for suit in range(4)]
    dealt = game.play(state, Move(TRUMP, trump=2))
    assert not game.declaring_phase(dealt)
    assert dealt.trump == 2
    assert all(move.kind == PLAY for move in game.moves(dealt))


def test_trump_named_from_two_cards_alone() -> None:
    position = Position.from_dict({"game": "atspek", "hands": {"A": "SA HT", "B": "?"}})
    assert position.legal_moves == ["trump S", "trump H", "trump D", "trump C"]
    state = position.game.play(position.state, Move(TRUMP, trump=0))
    assert state.hands == (cards(position.game, "SA HT"), 0)
    assert state.unseen == (2, 4)
    assert state.piles == ((Pile(UNSEEN, UNSEEN),) * 6,) * 2
    assert position.game.start(position.game.setup(state)) == state


def test_play_among_unseen_cards() -> None:
    """A card that lies on no pile that can be seen comes from the hand."""
    game = Atspek(2)
    state = game.play(game.start(Setup((Hand(0, 2), Hand(0, None)))), Move(TRUMP, trump=0))
    after = game.play(state, Move(PLAY, cards(game, "SA")))
    assert after.unseen == (3, 4)
    assert after.trick == (card(game, "SA"),)


def test_nobody_but_a_looks_before_the_trump_is_named() -> None:
    game = Atspek(3)
    state = game.deal(Random(0))
    dealt = game.play(state, Move(TRUMP, trump=2))
    assert [game.looks(state, seat) for seat in range(3)] == [True, False, False]
    assert [game.looks(dealt, seat) for seat in range(3)] == [True] * 3
    assert game.view_from([state]) == 0
    assert game.view_from([state, dealt]) == 1
    assert game.view_from([dealt, dealt]) == 0


def test_scores_for_trumps() -> None:
    game = Atspek(3)
    assert game.declaring_unit == "tricks"
    assert game.scores_for(game.deal(Random(0)), 7) == (3, 0, 0)


# ---- play ---------------------------------------------------------------------------------------------------------


def test_lead_is_free_over_hand_and_piles() -> None:
    assert ending().legal_moves == ["SA", "SK", "D8"]


def test_card_under_is_turned_up_at_once() -> None:
    position = ending()
    position.play("SK")
    assert position.state.piles[0][0] == Pile(card(position.game, "H7"))
    assert position.game.face_up(position.state) == cards(position.game, "H7 D8 HQ")
    position.play("S9")
    assert position.legal_moves == ["SA", "H7", "D8"]


def test_played_out_pile_leaves_its_place() -> None:
    position = ending()
    position.play("D8")
    assert position.state.piles[0] == (Pile(card(position.game, "SK"), card(position.game, "H7")), None)
    assert position.game.setup(position.state).piles[0] == position.state.piles[0][:1]


@pytest.mark.parametrize(
    ("hand", "piles", "legal"),
    [
        ("S9 D7", ["HQ/S8"], ["S9"]),
        ("D7 C8", ["S7/H8"], ["S7"]),
        ("D7 C7", ["HQ/S8"], ["HQ"]),
        ("D7 H8", ["HQ/S8"], ["HQ", "H8"]),
        ("D7", ["C7/S8", "C8"], ["D7", "C8", "C7"]),
        ("D7", ["C7/H8", "C8"], ["D7", "C8", "C7"]),
        ("SA D7", ["SQ/S8"], ["SA", "SQ"]),
    ],
    ids=[
        "follow from hand",
        "follow from a pile",
        "trump from a pile",
        "trump with either",
        "face-down suit does not count",
        "face-down trump does not count",
        "no need to beat",
    ],
)
def test_follow_else_trump(hand: str, piles: list[str], legal: list[str]) -> None:
    others = {"A": "SJ", "B": hand}
    position = ending(hands=others, piles={"A": ["SK/H7", "D8"], "B": piles})
    position.play("SK")
    assert position.legal_moves == legal


def test_face_down_card_cannot_be_played() -> None:
    with pytest.raises(IllegalMove, match="'H7' is not legal for A; legal were SA, SK, D8"):
        ending().play("H7")


def test_winner_takes_and_leads() -> None:
    position = ending()
    for move in ("D8", "D7", "SA", "S9"):
        position.play(move)
    assert position.state.won == (7, 7)
    assert position.actor == 0
    position.play("SK")
    assert position.legal_moves == ["HQ"]
    position.play("HQ")
    assert position.state.won == (7, 8)
    assert position.legal_moves == ["S8"]


def test_four_play_in_turn() -> None:
    hands = {"A": "S6", "B": "D6", "C": "H7", "D": "H8"}
    position = Position.from_dict({"game": "atspek", "trump": "H", "hands": hands, "piles": {}, "leader": "C"})
    seats = []
    while position.actor is not None:
        seats.append(position.actor)
        position.play(position.legal_moves[0])
    assert seats == [2, 3, 0, 1]
    assert position.state.won == (0, 0, 0, 1)


def test_shown_cards_come_from_the_hand() -> None:
    position = ending()
    shown = {move: position.game.shown(position.state, position.read(move)) for move in ("SA", "SK")}
    assert shown == {"SA": cards(position.game, "SA"), "SK": 0}


# ---- scoring ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "tricks", "points"),
    [
        (2, 8, 0),
        (2, 9, 1),
        (2, 11, 3),
        (2, 16, 8),
        (2, 3, 0),
        (3, 4, 0),
        (3, 5, 1),
        (3, 6, 2),
        (4, 2, 0),
        (4, 3, 1),
        (4, 9, 7),
    ],
)
def test_points(players: int, tricks: int, points: int) -> None:
    assert Atspek(players).points(tricks) == points


def test_score_of_a_deal() -> None:
    position = Position.from_dict(ENDING | {"hands": {"A": "", "B": ""}, "piles": {}, "won": {"A": 5, "B": 11}})
    assert position.outcome is not None
    assert position.outcome.score == (0, 3)
    assert [position.game.value(position.state, seat) for seat in (0, 1)] == [5, 11]
    assert position.legal_moves == []


def test_three_may_all_score() -> None:
    game = Atspek(3)
    state = game.start(Setup((Hand(),) * 3, won=(1, 5, 6), trump=0, piles=((),) * 3))
    assert game.score(state) == (0, 1, 2)


def test_worth_in_words() -> None:
    position = ending(leader="B")
    phrase = position.game.worth(position.state, 11)
    assert phrase.template.format(**phrase.values) == "B takes 11 of 16 tricks: 3 points"


# ---- match --------------------------------------------------------------------------------------------------------


def test_points_go_to_players_not_seats() -> None:
    game = Atspek(3)
    state = game.start(Setup((Hand(),) * 3, won=(1, 5, 6), trump=0, piles=((),) * 3))
    assert game.count(Tally((1, 1, 1), 4), state, first=2) == Tally((2, 3, 1), 5)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [((11, 11, 3), ()), ((12, 11, 3), (0,)), ((12, 14, 3), (1,)), ((13, 5, 13), ()), ((15, 5, 13), (0,))],
)
def test_first_to_twelve(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert Atspek(3).winners(Tally(scores)) == winners


@pytest.mark.parametrize("players", TABLE)
@pytest.mark.parametrize("seed", range(5))
def test_random_matches(players: int, seed: int) -> None:
    game, random = Atspek(players), Random(seed)
    tally: Any = game.new_match()
    while not game.winners(tally):
        first = tally.deals % players
        state = game.deal(random, tally, first)
        while game.actor(state) is not None:
            state = game.play(state, random.choice(game.moves(state)))
        assert sum(state.won) == TABLE[players][3]
        tally = game.count(tally, state, first)
    (winner,) = game.winners(tally)
    assert tally.scores[winner] == max(tally.scores) >= 12


# ---- positions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", TABLE)
@pytest.mark.parametrize("seed", range(10))
def test_setup_is_the_inverse_of_start(players: int, seed: int) -> None:
    """Up to the places of piles that are gone, which a position does not have."""
    game, states = random_deal(players, seed)
    for state in states:
        if not state.trick:
            left = tuple(tuple(pile for pile in row if pile) for row in state.piles)
            assert game.start(game.setup(state)) == state._replace(piles=left)


@pytest.mark.parametrize("players", TABLE)
def test_setup_of_a_view(players: int) -> None:
    game, states = random_deal(players, 7)
    for state in states[1:]:
        if not state.trick:
            unseen = tuple(count(hand) for hand in state.hands[1:])
            piles = tuple(
                tuple(Pile(pile.top, UNSEEN if pile.under is not None else None) for pile in row if pile)
                for row in state.piles
            )
            view = state._replace(hands=(state.hands[0], *[0] * (players - 1)), unseen=(0, *unseen), piles=piles)
            assert game.start(game.setup(view)) == view


@pytest.mark.parametrize("seed", range(5))
def test_positions_as_text(seed: int) -> None:
    position = Position.deal("atspek", 3, seed=seed)
    random = Random(seed)
    assert Position.from_text(position.to_text()) == position
    while position.actor is not None:
        position.play(random.choice(position.legal_moves))
    assert Position.from_text(position.to_text()) == position


OPEN: dict[str, Any] = {
    "game": "atspek",
    "hands": {"A": "S7 HA C9 D8", "B": "SA SK SQ SJ"},
    "first": "HA C9",
    "piles": {
        "A": ["ST/S9", "S8/H7", "H8/H9", "HT/HJ", "HQ/HK", "D7/D9"],
        "B": ["DT/DJ", "DQ/DK", "DA/C7", "C8/CT", "CJ/CQ", "CK/CA"],
    },
}


def test_open_deal_before_the_trump() -> None:
    position = Position.from_dict(OPEN)
    game = position.game
    assert position.state.hands == (cards(game, "HA C9"), cards(game, "SA SK"))
    assert position.legal_moves == ["trump S", "trump H", "trump D", "trump C"]
    position.play("trump D")
    assert (
        position.state
        == Position.from_dict({key: value for key, value in OPEN.items() if key != "first"} | {"trump": "D"}).state
    )


def test_first_may_name_everybodys_cards() -> None:
    position = Position.from_dict(OPEN | {"first": "HA C9 SQ SJ"})
    assert position.state.hands[1] == cards(position.game, "SQ SJ")


def test_size_of_a_hand_that_is_just_unseen() -> None:
    assert ending(hands={"A": "SA", "B": "?"}).state.unseen == (0, 2)
    assert ending(hands={"A": "?", "B": "?"}).state.unseen == (1, 2)


@pytest.mark.parametrize(
    ("changes", "key", "reason"),
    [
        ({"hands": {"A": "SA", "B": "S9"}}, "hands", "A 4, B 3"),
        ({"hands": {"A": "SA SQ SJ ST S7", "B": "S9 D7"}}, "hands.A", "A holds 5 cards; a hand has at most 4"),
        ({"hands": {"A": "?", "B": "S9 D7"}, "piles": {"A": [], "B": ["HQ/S8", "C7"]}}, "hands.A", "leaves 5"),
        ({"hands": {"A": "?", "B": "S9"}, "piles": {"A": ["HQ/S8"]}}, "hands.A", "leaves -1"),
        ({"piles": {"A": ["SK", "D8", "D9", "DT", "DJ", "DQ", "DK"]}}, "piles.A", "A has 7 piles"),
        ({"won": {"A": 13}}, "won", "13 tricks won and 4 cards left"),
        ({"first": "SA"}, "first", "has not been named"),
        ({"contract": {}}, "contract", "is not a key of Atspėk"),
        ({"trump": "NT"}, "trump", "is not a suit"),
    ],
)
def test_contradictions(changes: dict[str, object], key: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason) as raised:
        ending(**changes)
    assert raised.value.key == key


@pytest.mark.parametrize(
    ("changes", "key", "reason"),
    [
        ({"first": None}, "first", "the 2 cards from which A names the trump"),
        ({"first": "HA"}, "first", "the 2 cards"),
        ({"first": "HA SA"}, "first", "the 2 cards"),
        ({"first": "HA C9 S7"}, "first", "the 2 cards"),
        ({"first": "HA C9 D7"}, "first", "the 2 cards"),
        ({"first": "HA C9 SA"}, "first", "the 2 cards"),
        ({"hands": OPEN["hands"] | {"B": "? ? ? ?"}}, "piles", "16 named cards each"),
        ({"hands": {"A": "HA C9", "B": "?"}, "piles": None}, "first", "expected no first"),
        ({"hands": {"A": "HA C9 S7", "B": "?"}, "piles": None, "first": None}, "hands.A", "2 cards, not 3"),
        ({"leader": "B"}, "leader", "nothing has been played"),
        ({"won": {"A": 1}}, "won", "nothing has been played"),
        ({"trump": "S", "piles": None, "first": None}, "piles", "expected what is left of them"),
    ],
)
def test_contradictions_before_the_trump(changes: dict[str, object], key: str, reason: str) -> None:
    data = {name: value for name, value in (OPEN | changes).items() if value is not None}
    with pytest.raises(PositionError, match=reason) as raised:
        Position.from_dict(data)
    assert raised.value.key == key


def test_facts_no_file_can_have() -> None:
    with pytest.raises(RuleError, match="NT is not allowed"):
        Atspek(2).start(Setup((Hand(),) * 2, trump=NO_TRUMP, piles=((), ())))
    with pytest.raises(RuleError, match="no seat 5"):
        Atspek(2).start(Setup((Hand(),) * 2, leader=5, trump=0, piles=((), ())))


# ---- kernel row ---------------------------------------------------------------------------------------------------


def test_packed() -> None:
    position = ending()
    position.play("D8")
    row = position.game.packed(position.state, 1)
    assert len(row) == 40
    king, seven, queen, eight = (card(position.game, name) for name in ("SK", "H7", "HQ", "S8"))
    assert row[:4] == [cards(position.game, "SA"), cards(position.game, "S9 D7"), 0, 0]
    assert row[4:10] == [king | seven << 8, -1, -1, -1, -1, -1]
    assert row[10:16] == [queen | eight << 8, -1, -1, -1, -1, -1]
    assert row[16:28] == [-1] * 12
    assert row[28:] == [card(position.game, "D8"), -1, -1, 0, 2, 1, 5, 7, 0, 0, 1, 0]


def test_packed_bare_pile() -> None:
    row = ending().game.packed(ending().state, 0)
    assert row[5] == card(ending().game, "D8") | 255 << 8
