"""Sixty-six and Schnapsen: every rule and option, claims in matches, and positions that say what a state is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solver.cards import NO_TRUMP, UNSEEN, CardText, count, each, suit_of
from solver.game import (
    CLAIM,
    CLOSE,
    EXCHANGE,
    MARRIAGE,
    PLAY,
    Game,
    Hand,
    Move,
    RuleError,
    Setup,
    Tally,
    find_game,
    read_rules,
    write_rules,
)
from solver.games.sixty_six import SCHNAPSEN, Rules, SixtySix, State
from solver.notation import PositionError
from solver.position import IllegalMove, Position
from solver.reference import Reference
from solver.search import value

GAMES = [
    SixtySix(2),
    SixtySix(3),
    SixtySix(3, Rules(marriage_lead="either", closing="reach_66", closing_penalty=1)),
    SixtySix(2, read_rules(SixtySix, SCHNAPSEN)),
]

OPEN: dict[str, Any] = {
    "game": "sixty_six",
    "trump": "H",
    "hands": {"A": "SAK HKQ9 D9", "B": "ST HT DAT CA9"},
    "stock": ["CJ", "DQ", "CQ", "HA"],
    "points": {"A": 20, "B": 25},
    "won": {"A": 1, "B": 3},
}
"""Two players, four cards in the stock."""

EXHAUSTED = OPEN | {"stock": []}


def at(base: dict[str, Any] = OPEN, plays: str = "", **changes: object) -> Position:
    """A position after some plays, which are separated by commas."""
    position = Position.from_dict(base | changes)
    for move in plays.split(", ") if plays else ():
        position.play(move)
    return position


def ending(a: str, b: str, *, points: tuple[int, int] = (40, 40), **changes: object) -> Position:
    """Two hands without a stock, hearts trump, A to lead."""
    data = {
        "game": "sixty_six",
        "trump": "H",
        "hands": {"A": a, "B": b},
        "stock": [],
        "points": {"A": points[0], "B": points[1]},
        "won": {"A": 2, "B": 2},
    }
    return Position.from_dict(data | changes)


def cards(position: Position, text: str) -> int:
    return CardText(position.game.deck).read_holding(text)[0]


def eyes(position: Position) -> tuple[int, ...]:
    """The eyes covered in a finished deal."""
    assert position.outcome is not None
    return position.outcome.score


def random_deal(game: Game[Any], seed: int, *, tally: Any = None) -> list[State]:
    """The states of a deal played at random."""
    random = Random(seed)
    states = [game.deal(random, tally)]
    while game.actor(states[-1]) is not None:
        states.append(game.play(states[-1], random.choice(game.moves(states[-1]))))
    return states


# ---- deal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "deck", "hand", "stock"), [(GAMES[0], 24, 6, 12), (GAMES[1], 24, 6, 6), (GAMES[3], 20, 5, 10)]
)
def test_deal(game: SixtySix, deck: int, hand: int, stock: int) -> None:
    state = game.deal(Random(5))
    assert len(game.deck) == deck
    assert [count(held) for held in state.hands] == [hand] * game.players
    assert len(state.stock) == stock
    assert len({*state.stock, *each(sum(state.hands))}) == deck
    assert state.trump == suit_of(state.stock[-1])
    assert game.actor(state) == 0
    assert not state.claims
    assert game.deal(Random(5), game.new_match()) == state._replace(claims=True)


def test_names() -> None:
    assert find_game("66") is find_game("sesiasdesimt_sesi") is SixtySix


@pytest.mark.parametrize("players", [1, 4])
def test_numbers_of_players(players: int) -> None:
    with pytest.raises(RuleError, match=f"2, 3 players, not by {players}"):
        SixtySix(players)


def test_schnapsen_is_for_two() -> None:
    with pytest.raises(RuleError, match="Schnapsen is played by 2 players, not by 3"):
        SixtySix(3, read_rules(SixtySix, SCHNAPSEN))


def test_preset_and_options_as_text() -> None:
    assert read_rules(SixtySix, SCHNAPSEN) == Rules("either", "reach_66", "standard", 7, SCHNAPSEN)
    changed = read_rules(SixtySix, {"preset": SCHNAPSEN, "match_eyes": 8, "closing_penalty": 2})
    assert changed == Rules("either", "reach_66", 2, 8, SCHNAPSEN)
    assert write_rules(SixtySix(2, changed)) == {"preset": SCHNAPSEN, "match_eyes": 8, "closing_penalty": 2}
    assert read_rules(SixtySix, {}) == Rules("queen", "all_tricks", "standard", 8)


# ---- tricks and draws ---------------------------------------------------------------------------------------------


def test_anything_goes_while_the_stock_is_open() -> None:
    assert at(plays="SA").legal_moves == ["ST", "HT", "DA", "DT", "CA", "C9"]


def test_winner_draws_first_and_leads() -> None:
    position = at(plays="SK, ST")
    assert position.actor == 1
    assert position.state.hands == (cards(position, "SA HKQ9 D9 DQ"), cards(position, "HT DAT CA9 CJ"))
    assert position.game.setup(position.state).stock == tuple(each(cards(position, "CQ") | cards(position, "HA")))[::-1]


def test_indicator_is_drawn_last() -> None:
    position = at(plays="SK, ST, C9, D9")
    assert position.state.stock == ()
    assert position.state.hands == (cards(position, "SA HKQ9 DQ HA"), cards(position, "HT DAT CA CJ CQ"))


def test_three_draw_clockwise_from_the_winner() -> None:
    position = Position.from_dict(
        {
            "game": "sixty_six",
            "hands": {"A": "SAKQJ9 D9", "B": "HAKQJ9 DJ", "C": "DAKQT CAK"},
            "stock": ["CJ", "CQ", "CT", "ST", "HT", "C9"],
        }
    )
    for move in ("D9", "DJ", "DQ"):
        position.play(move)
    assert position.actor == 2
    new = [after & ~cards(position, "SAKQJ9 HAKQJ9 DAKQT CAK") for after in position.state.hands]
    assert new == [cards(position, name) for name in ("CQ", "CT", "CJ")]
    assert position.state.points == (0, 0, 5)


@pytest.mark.parametrize(
    ("lead", "reply", "taker"),
    [("SK", "ST", 1), ("SA", "ST", 0), ("SA", "HT", 1), ("HK", "HT", 1), ("HK", "DA", 0), ("D9", "CA", 0)],
)
def test_who_takes_a_trick(lead: str, reply: str, taker: int) -> None:
    assert at(plays=f"{lead}, {reply}").actor == taker


def test_points_of_the_original() -> None:
    """King and jack taken with the ten: 4 + 2 + 10 = 16."""
    hands = {"A": "SK", "B": "SJ", "C": "ST"}
    data = {"game": "sixty_six", "trump": "H", "hands": hands, "stock": [], "leader": "A"}
    position = at(data, "SK, SJ, ST")
    assert position.state.points == (0, 0, 16)


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        ("SQ9 HA D9", ["SQ", "S9"]),
        ("SA HA S9 D9", ["SA", "S9"]),
        ("HA HJ D9 C9", ["HA", "HJ"]),
        ("DA D9 CA C9", ["DA", "D9", "CA", "C9"]),
    ],
    ids=["follow", "no need to beat", "trump", "discard"],
)
def test_follow_else_trump_once_exhausted(hand: str, legal: list[str]) -> None:
    position = ending("SK SJ HT HK", hand)
    position.play("SK")
    assert position.legal_moves == legal


@pytest.mark.parametrize(
    ("lead", "hand", "legal"),
    [
        ("SK", "SA SQ HA DJ", ["SA"]),
        ("SK", "SQ SJ HA DJ", ["SQ", "SJ"]),
        ("SK", "HA HJ DJ CJ", ["HA", "HJ"]),
        ("SK", "DA DJ CA CJ", ["DA", "DJ", "CA", "CJ"]),
        ("HK", "HA HQ DJ CJ", ["HA"]),
    ],
    ids=["beat", "cannot beat", "trump", "discard", "beat a trump"],
)
def test_schnapsen_obligations(lead: str, hand: str, legal: list[str]) -> None:
    position = ending("SK HT HK DT", hand, rules=SCHNAPSEN)
    position.play(lead)
    assert position.legal_moves == legal


# ---- marriages ----------------------------------------------------------------------------------------------------


def test_marriage_is_led_with_the_queen() -> None:
    legal = at(EXHAUSTED).legal_moves
    assert legal == ["marriage HQ", "SA", "SK", "HK", "HQ", "H9", "D9"]


def test_marriage_with_either_card() -> None:
    legal = at(EXHAUSTED, rules={"marriage_lead": "either"}).legal_moves
    assert legal[:3] == ["marriage HK", "marriage HQ", "SA"]


def test_no_marriage_without_the_lead() -> None:
    position = at(EXHAUSTED, "C9", leader="B")
    assert position.legal_moves == ["HK", "HQ", "H9"]


@pytest.mark.parametrize(("queen", "bonus"), [("HQ", 40), ("SQ", 20)])
def test_marriage_counts_at_once_with_a_trick(queen: str, bonus: int) -> None:
    position = ending("SKQ HKQ", "S9 DA DT D9", points=(10, 30))
    position.play(f"marriage {queen}")
    assert position.state.points == (10 + bonus, 30)
    assert position.state.pending == (0, 0)


def test_marriage_waits_for_a_trick() -> None:
    position = at(points={"B": 30}, won={"B": 4}, plays="marriage HQ, HT")
    assert position.state.points == (0, 30 + 13)
    assert position.state.pending == (40, 0)
    position.play("C9")
    position.play("HK")
    assert position.state.points == (44, 43)
    assert position.state.pending == (0, 0)


def test_pending_points_do_not_win() -> None:
    position = at(points={"B": 30}, won={"B": 4}, pending={"A": 40}, plays="marriage HQ")
    assert position.state.pending == (80, 0)
    assert position.actor == 1


def test_queen_may_be_led_without_her_king() -> None:
    position = at(plays="HQ")
    assert position.state.points == (20, 25)
    assert not position.state.married


def test_marriage_shows_the_king() -> None:
    data = EXHAUSTED | {"hands": {"A": "? ? ? ? ? ?", "B": OPEN["hands"]["B"]}, "seat": "B"}
    position = at(data, "marriage HQ")
    assert position.state.hands[0] == cards(position, "HK")
    assert position.state.unseen == (4, 0)
    either = at(data, "marriage HK", rules={"marriage_lead": "either"})
    assert either.state.hands[0] == cards(position, "HQ")


# ---- exchange -----------------------------------------------------------------------------------------------------


def test_exchange() -> None:
    position = at(plays="exchange")
    assert position.actor == 0
    assert position.state.hands[0] == cards(position, "SAK HAKQ D9")
    assert position.state.stock[-1] == CardText(position.game.deck).read("H9")
    assert "exchange" not in position.legal_moves
    assert position.legal_moves[:2] == ["close", "marriage HQ"]


def test_exchange_needs_a_trick() -> None:
    assert "exchange" in at().legal_moves
    assert "exchange" not in at(points={"B": 25}, won={"B": 4}).legal_moves


def test_exchange_needs_an_open_stock() -> None:
    assert "exchange" not in at(plays="close").legal_moves
    assert "exchange" not in at(EXHAUSTED).legal_moves


def test_exchange_is_for_the_leader() -> None:
    hands = {"A": OPEN["hands"]["B"], "B": OPEN["hands"]["A"]}
    assert "exchange" not in at(hands=hands, won={"A": 1, "B": 3}, plays="CA").legal_moves


def test_schnapsen_exchanges_the_jack_without_a_trick() -> None:
    hands = {"A": "SAK HKQJ", "B": "ST HT DAT CA"}
    position = Position.from_dict(
        {
            "game": "sixty_six",
            "rules": SCHNAPSEN,
            "hands": hands,
            "stock": ["CJ", "DQ", "CQ", "SJ", "SQ", "CK", "DJ", "CT", "DK", "HA"],
        }
    )
    assert position.legal_moves[:3] == ["exchange", "close", "marriage HK"]
    position.play("exchange")
    assert position.state.hands[0] == cards(position, "SAK HAKQ")
    assert position.state.stock[-1] == CardText(position.game.deck).read("HJ")


def test_exchange_by_unseen_cards() -> None:
    data = OPEN | {"hands": {"A": "? ? ? ? ? ?", "B": OPEN["hands"]["B"]}, "seat": "B"}
    position = at(data | {"stock": ["?", "?", "?", "HA"]}, "exchange")
    assert position.state.hands[0] == cards(position, "HA")
    assert position.state.unseen == (5, 0)


def test_shown_cards() -> None:
    position = at()
    shown = {
        move: position.game.shown(position.state, position.read(move)) for move in ("marriage HQ", "exchange", "SA")
    }
    assert shown == {
        "marriage HQ": cards(position, "HKQ"),
        "exchange": cards(position, "H9"),
        "SA": cards(position, "SA"),
    }


# ---- closing ------------------------------------------------------------------------------------------------------


def test_closing_as_long_as_any_card_is_in_the_stock() -> None:
    assert "close" in at(stock=["CJ", "HA"]).legal_moves
    assert "close" not in at(EXHAUSTED).legal_moves
    assert "close" not in at(plays="close").legal_moves
    assert "close" not in at(plays="SA").legal_moves
    assert "close" not in at(rules={"closing": "none"}).legal_moves


def test_closed_stock_is_not_drawn_from() -> None:
    position = at(plays="close, SA, ST")
    assert len(position.state.stock) == 4
    assert [count(hand) for hand in position.state.hands] == [5, 5]
    position.play("SK")
    assert position.legal_moves == ["HT"]


CLOSER: dict[str, Any] = {
    "game": "sixty_six",
    "hands": {"A": "SA HA HT HK C9 CJ", "B": "SK SQ DA D9 CA CT"},
    "stock": ["DT", "DK", "DQ", "DJ", "CK", "CQ", "H9", "HQ"],
    "points": {"A": 15, "B": 14},
    "won": {"A": 1, "B": 1},
}
"""A may close with 15 points and hearts trump."""
UNBEATEN = CLOSER | {"points": {"A": 29}, "won": {"A": 2}}
WINNING = "close, HA, D9, HT, SQ, HK, SK, SA, CT"
"""The closer's hearts and spade, 53 points."""
REACH = "close, C9, CA, CT, CJ, SK, SA, HK, SQ, HT, D9, HA, DA"
"""The opponent has the first two tricks and 23 points; the closer has the rest, 32 points and 22 in the last trick."""


@pytest.mark.parametrize("points", [15, 60])
def test_closer_fails_with_the_first_trick_he_loses(points: int) -> None:
    position = at(CLOSER, "close, C9, CA", points={"A": points, "B": 14})
    assert position.actor is None
    assert eyes(position) == (0, 2)


@pytest.mark.parametrize(("penalty", "covered"), [("standard", 3), (1, 1), (2, 2), (3, 3)])
def test_penalty_without_a_trick_of_the_opponent(penalty: object, covered: int) -> None:
    position = at(UNBEATEN, "close, C9, CA", rules={"closing_penalty": penalty})
    assert eyes(position) == (0, covered)
    assert [position.game.value(position.state, seat) for seat in (0, 1)] == [-covered, covered]


def test_penalty_is_that_of_the_closing() -> None:
    """Tricks that the opponent took after the closing do not make it cheaper."""
    failed = at(UNBEATEN, REACH, rules={"closing": "reach_66"}, points={"A": 11})
    assert failed.state.points == (65, 23)
    assert eyes(failed) == (0, 3)


def test_every_opponent_covers_the_penalty() -> None:
    position = Position.from_dict(
        {
            "game": "sixty_six",
            "hands": {"A": "SA S9", "B": "SK ST", "C": "DA D9"},
            "trump": "H",
            "stock": ["HJ", "HQ", "HK"],
            "points": {"A": 15, "B": 14},
            "won": {"A": 1, "B": 1},
            "closed_by": "A",
        }
    )
    position.play("S9")
    position.play("ST")
    position.play("D9")
    assert eyes(position) == (0, 2, 2)
    assert [position.game.value(position.state, seat) for seat in range(3)] == [-2, 2, 2]


def test_closer_wins_with_66() -> None:
    position = at(CLOSER, WINNING)
    assert position.state.points == (15 + 53, 14)
    assert eyes(position) == (2, 0)


def test_closer_with_every_trick_wins_below_66() -> None:
    data = {
        "game": "sixty_six",
        "hands": {"A": "HA HJ", "B": "S9 D9"},
        "stock": ["DT", "HQ"],
        "points": {"A": 15, "B": 40},
        "won": {"A": 1, "B": 1},
        "closed_by": "A",
    }
    position = at(data, "HA, S9, HJ, D9")
    assert position.state.points == (28, 40)
    assert eyes(position) == (1, 0)
    short = at(data, "HA, S9, HJ, D9", rules={"closing": "reach_66"})
    assert eyes(short) == (0, 2)


def test_reach_66_lets_the_closer_lose_tricks() -> None:
    position = at(CLOSER, "close, C9, CA", rules={"closing": "reach_66"})
    assert position.actor == 1
    opponent_first = at(CLOSER, "close, C9, CA, CT, CJ", rules={"closing": "reach_66"}, points={"A": 15, "B": 43})
    assert opponent_first.state.points == (15, 66)
    assert eyes(opponent_first) == (0, 2)


def test_closer_is_scored_as_things_stand_at_the_end() -> None:
    """At the closing the opponent had no trick, which would be 3 eyes."""
    position = at(UNBEATEN, REACH, rules={"closing": "reach_66"}, points={"A": 12})
    assert position.state.points == (66, 23)
    assert position.state.won == (6, 2)
    assert eyes(position) == (2, 0)


@pytest.mark.parametrize(("points", "covered"), [({"A": 29}, 3), ({"A": 29, "B": 10}, 2), ({"A": 29, "B": 33}, 1)])
def test_schnapsen_closer_is_scored_as_of_the_closing(points: dict[str, int], covered: int) -> None:
    data = {
        "game": "sixty_six",
        "rules": SCHNAPSEN,
        "hands": {"A": "SA HA HT HK CJ", "B": "SK SQ DA CA CT"},
        "stock": ["DT", "DK", "DQ", "DJ", "CK", "HQ"],
        "points": points,
        "won": {"A": 1, "B": 1} if "B" in points else {"A": 2},
    }
    position = at(data, "close, CJ, CT, DA, HK, HA, SQ, HT, SK")
    assert position.state.points[0] >= 66
    assert position.state.points[1] == points.get("B", 0) + 12
    assert eyes(position) == (covered, 0)


# ---- the end ------------------------------------------------------------------------------------------------------


def test_deal_ends_with_66_in_a_trick() -> None:
    position = ending("SA HA", "SK D9", points=(51, 40))
    position.play("SA")
    assert position.actor == 1
    position.play("SK")
    assert position.state.points == (66, 40)
    assert position.actor is None
    assert position.legal_moves == []
    assert eyes(position) == (1, 0)


def test_deal_ends_with_66_by_a_marriage() -> None:
    position = ending("SKQ", "SA D9", points=(46, 40))
    position.play("marriage SQ")
    assert position.actor is None
    assert eyes(position) == (1, 0)


def test_deal_goes_on_at_65() -> None:
    position = ending("SA HA", "SK D9", points=(50, 40))
    position.play("SA")
    position.play("SK")
    assert position.actor == 0


def test_last_trick_wins() -> None:
    position = ending("S9", "SJ", points=(60, 55))
    position.play("S9")
    position.play("SJ")
    assert position.state.points == (60, 57)
    assert eyes(position) == (0, 1)


@pytest.mark.parametrize(
    ("points", "won", "covered"),
    [((66, 33), (4, 4), 1), ((66, 32), (4, 4), 2), ((66, 0), (4, 1), 2), ((66, 0), (4, 0), 3)],
)
def test_eyes(points: tuple[int, int], won: tuple[int, int], covered: int) -> None:
    game = SixtySix(2)
    state = game.start(Setup((Hand(), Hand()), won=won, points=points, trump=0, stock=()))
    assert game.score(state) == (covered, 0)
    assert [game.value(state, seat) for seat in (0, 1)] == [covered, -covered]


@pytest.mark.parametrize(
    ("points", "won", "covered"),
    [
        ((16, 66, 16), (1, 4, 1), 2),
        ((17, 66, 16), (1, 4, 1), 1),
        ((10, 66, 0), (1, 4, 0), 2),
        ((0, 66, 0), (0, 4, 0), 3),
    ],
)
def test_losers_count_together(points: tuple[int, ...], won: tuple[int, ...], covered: int) -> None:
    game = SixtySix(3)
    state = game.start(Setup((Hand(),) * 3, won=won, points=points, trump=0, stock=()))
    assert game.score(state) == (0, covered, 0)
    assert [game.value(state, seat) for seat in range(3)] == [-covered, covered, -covered]


def test_pending_marriages_do_not_save_the_losers() -> None:
    game = SixtySix(2)
    state = game.start(Setup((Hand(), Hand()), won=(4, 0), points=(66, 0), pending=(0, 40), trump=0, stock=()))
    assert game.score(state) == (3, 0)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "A wins the deal and covers eyes: 3"),
        (-1, "A loses the deal, eyes against: 1"),
    ],
)
def test_worth_in_words(value: int, words: str) -> None:
    phrase = at().game.worth(at().state, value)
    assert phrase.template.format(**phrase.values) == words


# ---- claims in matches --------------------------------------------------------------------------------------------


def claiming(position: Position) -> tuple[SixtySix, State]:
    """The game and the state of a position, in a match."""
    game = position.game
    assert isinstance(game, SixtySix)
    return game, position.state._replace(claims=True)


def after(game: SixtySix, state: State, *moves: str) -> State:
    text = CardText(game.deck)
    for move in moves:
        kind, _, name = move.rpartition(" ")
        made = Move(CLAIM) if move == CLAIM else Move(kind or PLAY, text.read_holding(name)[0])
        assert made in game.moves(state)
        state = game.play(state, made)
    return state


def test_claims_are_only_for_matches() -> None:
    position = at()
    assert "claim" not in position.legal_moves
    with pytest.raises(IllegalMove, match="'claim' is not legal"):
        position.play("claim")


def test_claim_comes_last_and_only_on_lead() -> None:
    game, state = claiming(at())
    assert [move.kind for move in game.moves(state)] == [EXCHANGE, CLOSE, MARRIAGE, *[PLAY] * 6, CLAIM]
    assert Move(CLAIM) not in game.moves(after(game, state, "SA"))


def test_66_points_must_be_claimed() -> None:
    game, state = claiming(ending("SA HA D9", "SK DT DA", points=(51, 40)))
    state = after(game, state, "SA", "SK")
    assert state.points == (66, 40)
    assert game.actor(state) == 0
    assert game.score(after(game, state, "claim")) == (1, 0)
    forgotten = after(game, state, "D9", "DT")
    assert game.actor(forgotten) == 1
    assert game.score(after(game, forgotten, "DA", "HA")) == (1, 0)


def test_right_claim_later() -> None:
    game, state = claiming(ending("SA HA D9 C9", "SK DT DA CA", points=(51, 30)))
    state = after(game, state, "SA", "SK", "D9", "DT", "DA", "HA")
    assert game.actor(state) == 0
    assert state.points == (88, 40)
    assert game.score(after(game, state, "claim")) == (1, 0)


@pytest.mark.parametrize("players", [2, 3])
def test_wrong_claim(players: int) -> None:
    game = SixtySix(players)
    state = game.play(game.deal(Random(1), game.new_match()), Move(CLAIM))
    assert game.actor(state) is None
    assert game.score(state) == (0, 1, 1)[:players]
    assert game.value(state, 0) == -1
    assert game.value(state, 1) == 1


def test_wrong_claim_of_the_closer_is_a_failed_closing() -> None:
    game, state = claiming(at(CLOSER, "close"))
    assert game.score(after(game, state, "claim")) == (0, 2)


def test_wrong_claim_of_the_closers_opponent() -> None:
    game, state = claiming(at(CLOSER, "close, C9, CA", rules={"closing": "reach_66"}))
    assert game.score(after(game, state, "claim")) == (1, 0)


def test_marriage_that_makes_66_is_claimed_with_it() -> None:
    game, state = claiming(ending("SKQ", "SA D9", points=(46, 40)))
    assert game.score(after(game, state, "marriage SQ")) == (1, 0)
    short = after(game, state._replace(points=(45, 40)), "marriage SQ")
    assert game.actor(short) == 1


def test_last_trick_decides_without_a_claim() -> None:
    game, state = claiming(ending("S9 DA", "SJ D9", points=(70, 55)))
    assert game.score(after(game, state, "DA", "D9", "S9", "SJ")) == (0, 1)


def test_closer_who_forgets_to_claim_must_go_on() -> None:
    game, state = claiming(at(CLOSER, WINNING))
    assert state.points[0] >= 66
    assert game.score(after(game, state, "claim")) == (2, 0)
    assert game.score(after(game, state, "C9", "CA")) == (0, 2)


@pytest.mark.parametrize(("points", "covered"), [(12, (2, 0)), (11, (0, 3))])
def test_closer_needs_no_claim_after_the_last_trick(points: int, covered: tuple[int, int]) -> None:
    moves = REACH.removesuffix(", HA, DA")
    game, state = claiming(at(UNBEATEN, moves, rules={"closing": "reach_66"}, points={"A": points}))
    assert game.score(after(game, state, "HA", "DA")) == covered


# ---- match --------------------------------------------------------------------------------------------------------


def test_eyes_go_to_players_not_seats() -> None:
    game = SixtySix(3)
    state = game.start(Setup((Hand(),) * 3, won=(1, 4, 1), points=(10, 66, 10), trump=0, stock=()))
    assert game.count(Tally((1, 1, 1), 4), state, first=1) == Tally((1, 1, 3), 5)


@pytest.mark.parametrize(
    ("match_eyes", "scores", "winners"),
    [
        (8, (7, 7, 0), ()),
        (8, (8, 7, 0), (0,)),
        (8, (9, 10, 0), (1,)),
        (8, (8, 8, 0), ()),
        (7, (7, 6, 0), (0,)),
        (7, (7, 7, 0), ()),
    ],
)
def test_match_eyes(match_eyes: int, scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert SixtySix(3, Rules(match_eyes=match_eyes)).winners(Tally(scores)) == winners


def test_schnapsen_matches_go_to_seven() -> None:
    assert GAMES[3].winners(Tally((7, 6))) == (0,)


def unclaiming(game: SixtySix, state: State, random: Random) -> Move:
    """A move at random, which claims only what is right."""
    moves = [move for move in game.moves(state) if move.kind != CLAIM]
    seat = game.actor(state)
    assert seat is not None
    claim = Move(CLAIM) in game.moves(state) and state.points[seat] >= 66
    return Move(CLAIM) if claim else random.choice(moves)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_random_matches(game: SixtySix, seed: int) -> None:
    random = Random(seed)
    tally: Any = game.new_match()
    while not game.winners(tally):
        first = tally.deals % game.players
        state = game.deal(random, tally, first)
        while game.actor(state) is not None:
            state = game.play(state, unclaiming(game, state, random))
        covered = game.score(state)
        assert 1 <= max(covered) <= 3
        tally = game.count(tally, state, first)
    (winner,) = game.winners(tally)
    assert tally.scores[winner] == max(tally.scores) >= game.rules.match_eyes


# ---- positions ----------------------------------------------------------------------------------------------------


def restarts(game: Game[Any], state: State) -> bool:
    """Can a position say all of a state: is it between two tricks, and did nothing follow a closing that counts?"""
    return (
        not state.trick
        and game.actor(state) is not None
        and (
            state.closed_by is None
            or all(
                seat == state.closed_by or (state.won[seat], state.points[seat]) == then
                for seat, then in enumerate(zip(state.closed_won, state.closed_points, strict=True))
            )
        )
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(20))
def test_setup_is_the_inverse_of_start(game: SixtySix, seed: int) -> None:
    for tally in (None, game.new_match()):
        states = [state for state in random_deal(game, seed, tally=tally) if restarts(game, state)]
        assert states
        for state in states:
            assert game.start(game.setup(state)) == state
            hidden = state._replace(
                hands=(state.hands[0], *[0] * (game.players - 1)),
                unseen=(0, *[count(hand) for hand in state.hands[1:]]),
                stock=(*[UNSEEN] * len(state.stock[:-1]), *state.stock[-1:]),
            )
            assert game.start(game.setup(hidden)) == hidden


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(10))
def test_setup_can_be_asked_of_every_state(game: SixtySix, seed: int) -> None:
    assert all(game.setup(state).players == game.players for state in random_deal(game, seed))


@pytest.mark.parametrize("rules", [{}, SCHNAPSEN])
@pytest.mark.parametrize("seed", range(10))
def test_views_follow_the_play(rules: object, seed: int) -> None:
    """What a seat sees of a deal has the legal moves of the deal, and only unseen cards where it cannot know them."""
    position, random = Position.deal("sixty_six", 2, rules=rules, seed=seed), Random(seed)
    while position.actor is not None:
        for seat in range(2):
            view, true = position.observe(seat).state, position.state
            assert view.hands[seat] == true.hands[seat]
            assert view.hands[1 - seat] & ~true.hands[1 - seat] == 0
            assert count(view.hands[1 - seat]) + view.unseen[1 - seat] == count(true.hands[1 - seat])
        assert position.observe(position.actor).legal_moves == position.legal_moves
        position.play(random.choice(position.legal_moves))
    assert Position.from_text(position.to_text()) == position


def test_trump_follows_from_the_indicator() -> None:
    data = {key: value for key, value in OPEN.items() if key != "trump"}
    assert at(data).state == at().state


def test_size_of_a_hand_that_is_just_unseen() -> None:
    assert at(hands={"A": OPEN["hands"]["A"], "B": "?"}).state.unseen == (0, 6)
    assert at(hands={"A": "?", "B": "?"}).state.unseen == (6, 6)
    assert at(EXHAUSTED, hands={"A": "?", "B": "?"}, won={"A": 5, "B": 4}).state.unseen == (3, 3)


def test_position_with_66_points_is_over() -> None:
    position = at(points={"A": 66, "B": 25})
    assert position.legal_moves == []
    assert eyes(position) == (2, 0)


@pytest.mark.parametrize(
    ("changes", "key", "reason"),
    [
        ({"hands": {"A": "SAK HKQ9", "B": "ST HT DAT CA"}}, "hands", "every hand has 6 cards, not 5"),
        ({"hands": {"A": "SAK HKQ9", "B": "ST HT DAT CA9"}}, "hands", "A 5, B 6"),
        ({"hands": {"A": "SAKQ HKQ9 D9", "B": "ST HT DAT CA9"}}, "hands.A", "A holds 7 cards"),
        ({"stock": ["CJ", "DQ", "HA"]}, "stock", "the stock has 3 cards"),
        ({"stock": None}, "stock", "needs the stock"),
        ({"trump": "S"}, "trump", "not that of the indicator, the stock's last card: expected H"),
        ({"trump": None, "stock": []}, "trump", "the trump suit is missing"),
        ({"won": {"A": 4, "B": 3}}, "won", "7 tricks won are too many"),
        ({"won": {"B": 3}}, "points.A", "A has 20 points but no trick"),
        ({"points": {"A": 150, "B": 71}}, "points", "at most"),
        ({"points": {"A": 66, "B": 66}}, "points", "these have A 66, B 66"),
        ({"pending": {"A": 20}}, "pending.A", "counted, not pending"),
        ({"pending": {"B": 30}}, "pending.B", "30 cannot be pending"),
        ({"points": {"A": 20}, "won": {"A": 1}, "pending": {"B": 120}}, "pending.B", "120 cannot be pending"),
        ({"closed_by": "A", "stock": []}, "closed_by", "exhausted stock"),
        ({"closed_by": "A", "rules": {"closing": "none"}}, "closed_by", "no closing"),
        ({"closed_by": "A", "leader": "B"}, "leader", "so he leads, not B"),
        ({"slots": {}}, "slots", "is not a key of Sixty-six"),
    ],
)
def test_contradictions(changes: dict[str, object], key: str, reason: str) -> None:
    data = {name: value for name, value in (OPEN | changes).items() if value is not None}
    with pytest.raises(PositionError, match=reason) as raised:
        Position.from_dict(data)
    assert raised.value.key == key


@pytest.mark.parametrize(
    ("changes", "key", "reason"),
    [
        ({"trump": NO_TRUMP}, "trump", "NT is not allowed"),
        ({"leader": 4}, "leader", "no seat 4 among 2 players to lead"),
        ({"points": (-1, 0), "won": (1, 1)}, "points", "impossible"),
        ({"pending": (-20, 0)}, "pending.A", "-20 cannot be pending"),
        ({"slots": (1,)}, "slots", "has no 'slots'"),
        ({"stock": (UNSEEN,) * 14}, "stock", "the stock has 14 cards"),
        ({"stock": (0, 1), "trump": 0, "closed_by": 2}, "closed_by", "no seat 2 among 2 players to close"),
    ],
)
def test_facts_no_file_can_have(changes: dict[str, Any], key: str, reason: str) -> None:
    facts: dict[str, Any] = {"trump": 1, "stock": ()}
    with pytest.raises(RuleError, match=reason) as raised:
        SixtySix(2).start(Setup((Hand(), Hand()), **facts | changes))
    assert raised.value.key == key


# ---- kernel row ---------------------------------------------------------------------------------------------------


def test_packed() -> None:
    position = at(CLOSER, "close, SA", rules={"closing_penalty": 3})
    row = position.game.packed(position.state, 1)
    read = CardText(position.game.deck).read
    assert len(row) == 40
    assert row[:3] == [cards(position, "HA HT HK C9 CJ"), cards(position, "SK SQ DA D9 CA CT"), 0]
    assert row[3:16] == [8, *map(read, ("DT", "DK", "DQ", "DJ", "CK", "CQ", "H9", "HQ")), -1, -1, -1, -1]
    assert row[16:25] == [15, 14, 0, 0, 0, 0, 1, 1, 0]
    assert row[25:35] == [read("SA"), -1, 0, 2, 1, 0, 0, 0, 3, 1]
    assert row[35:] == [14 << 16, 1 << 16, 0, 0, 0]


def test_packed_rules() -> None:
    schnapsen = GAMES[3]
    row = schnapsen.packed(schnapsen.deal(Random(0)), 0)
    assert row[30:37] == [-1, 15, 1, 0, 0, 0, 0]
    position = at(EXHAUSTED, "marriage HQ", rules={"marriage_lead": "either", "closing": "none"})
    row = position.game.packed(position.state, 0)
    assert row[30:38] == [-1, 1, 2, 0, 0, 0, 0, 1]


# ---- three players, two against one -------------------------------------------------------------------------------


def test_an_ally_may_keep_a_marriage_to_himself() -> None:
    """With 40 for the marriage C has 66 and ends the deal, and B covers one eye less than he might: the losers have 56.
    Without it A comes to 66 with the next trick, while B and C stay below 33 together."""
    position = Position.from_dict(
        {
            "game": "sixty_six",
            "trump": "D",
            "hands": {"A": "CK DT HA SK9", "B": "C9 DAJ HJ SJ", "C": "DKQ9 HKQ"},
            "stock": [],
            "points": {"A": 56, "C": 24},
            "won": {"A": 2, "C": 1},
            "rules": {"marriage_lead": "either"},
            "plays": ["S9"],
        }
    )
    assert value(position) == -2
    assert Reference(position.game).value(position.state, position.game.pov(position.state)) == -2
