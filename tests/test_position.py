"""Positions in python-chess manners, by example; what holds for every game is in test_games."""

from __future__ import annotations

import pickle

import pytest
from malformed import ANTIKOZIRIS, ATSPEK, GOOD, PIRAMIDE, PLAIN, SIXTY_SIX, VELNIO

from solver.cards import CardText
from solver.game import Move, RuleError
from solver.notation import PositionError
from solver.position import IllegalMove, Outcome, Position


def cards(position: Position, held: int) -> str:
    return CardText(position.game.deck).write_holding(held)


# ---- making and moving --------------------------------------------------------------------------------------------


def test_deal() -> None:
    position = Position.deal("pyramid", 3, rules={"score_table": "linear"}, seed=5)
    assert position == Position.deal("piramide", 3, rules={"score_table": "linear"}, seed=5)
    assert position != Position.deal("piramide", 3, rules={"score_table": "linear"}, seed=6)
    assert position != Position.deal("piramide", 3, seed=5)
    assert (position.players, position.actor, position.seat, position.is_open) == (3, 0, None, True)
    assert Position.deal("66").players == 2
    with pytest.raises(RuleError, match="there is no game 'hearts'"):
        Position.deal("hearts")
    with pytest.raises(RuleError, match="Piramidė is played by 2, 3, 4 players, not by 9"):
        Position.deal("piramide", 9)
    with pytest.raises(RuleError, match="'steep' is no value"):
        Position.deal("piramide", 2, rules={"score_table": "steep"})


def test_play_and_undo() -> None:
    position = Position.from_dict(PIRAMIDE)
    assert position.legal_moves == ["SA", "SK", "SQ", "HA", "D9", "CT"]
    position.play("sa")
    position.play(position.read("ST"))
    assert list(position.plays) == ["SA", "ST"]
    assert (position.actor, position.state.won) == (0, (1, 0))
    assert len(position.states) == 3 and position.states[0] == position.start
    assert position.undo() == "ST"
    assert position.legal_moves == ["SJ", "ST"]
    assert position.undo() == "SA"
    assert position == Position.from_dict(PIRAMIDE)
    with pytest.raises(IndexError):
        position.undo()


def test_illegal_moves_say_what_was_legal() -> None:
    position = Position.from_dict(PIRAMIDE)
    position.play("SA")
    with pytest.raises(IllegalMove, match="'HQ' is not legal for B; legal were SJ, ST"):
        position.play("HQ")
    with pytest.raises(IllegalMove, match="'trump H' is not legal for B"):
        position.play("trump H")
    with pytest.raises(PositionError, match="'' is not a move"):
        position.play("")
    with pytest.raises(IllegalMove):
        position.play(Move("play"))
    assert list(position.plays) == ["SA"]
    assert issubclass(IllegalMove, PositionError) and issubclass(PositionError, ValueError)


def test_illegal_moves_of_unseen_hands() -> None:
    position = Position.from_dict(PIRAMIDE | {"hands": {"A": PIRAMIDE["hands"]["A"], "B": "?"}, "seat": "A"})
    position.play("SA")
    with pytest.raises(IllegalMove, match="'SK' is not legal for B; his cards are not seen, or what his 6 unseen"):
        position.play("SK")
    with pytest.raises(RuleError, match="B is to move, and his cards are not seen"):
        _ = position.legal_moves
    position.play("HT")
    assert cards(position, position.barred[1]) == "SJT9"
    with pytest.raises(IllegalMove, match="'S9' is not legal for B"):
        position.play("S9")
    position.play("HK")
    assert cards(position, position.unseen) == "SJT9 HQJ9 DAKQJT CAKQJ9"
    assert cards(position, position.barred[1]) == "SJT9"


def test_outcome() -> None:
    data = PLAIN | {"hands": {"A": "SA", "B": "SK", "C": "SQ", "D": "C8"}, "plays": ["SA", "SK", "SQ"]}
    position = Position.from_dict(data)
    assert position.outcome is None
    position.play("C8")
    outcome = position.outcome
    assert outcome is not None
    assert outcome == Outcome(1, "tricks", (1, 0, 1, 0), outcome.words)
    assert outcome.words.template.format(**outcome.words.values) == "AC takes 1 of 8 tricks"
    assert position.legal_moves == [] and position.actor is None
    with pytest.raises(IllegalMove, match="'C8' comes after the deal is over"):
        position.play("C8")


def test_copy_is_independent() -> None:
    position = Position.from_dict(PIRAMIDE)
    copy = position.copy()
    copy.play("SA")
    assert len(position.moves) == 0 and copy != position
    assert position.barred == ((0, 0)) and len(position.states) == 1


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_text_both_ways(data: dict[str, object]) -> None:
    position = Position.from_dict(data)
    assert Position.from_text(position.to_text()) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert "\n" not in position.to_text()
    with pytest.raises(PositionError, match="is not JSON"):
        Position.from_text(position.to_text()[:-1])


def test_equality_is_by_facts_not_by_spelling() -> None:
    spelled = PIRAMIDE | {
        "game": "PYRAMID",
        "hands": {"b": "♠10 sj hq HK dA ca", "A": "ha Sa CT sqk d9"},
        "leader": "a",
        "won": {},
        "plays": [],
    }
    position = Position.from_dict(PIRAMIDE)
    assert Position.from_dict(spelled) == position and hash(Position.from_dict(spelled)) == hash(position)
    assert position != Position.from_dict(PIRAMIDE | {"leader": "B"})
    assert position != Position.from_dict(PIRAMIDE | {"seat": "A"})
    assert position != Position.from_dict(PIRAMIDE | {"gone": "C9"})
    assert position != "a position"


# ---- what is open, what is told -----------------------------------------------------------------------------------


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_named_cards_make_it_open(data: dict[str, object]) -> None:
    assert Position.from_dict(data).is_open


@pytest.mark.parametrize(
    ("base", "changes"),
    [
        (PIRAMIDE, {"hands": {"A": "SAKQ HA D9 CT", "B": "?"}}),
        (PIRAMIDE, {"hands": {"A": "SAKQ HA D9 CT", "B": "SJT HKQ DA ?"}}),
        (SIXTY_SIX, {"stock": ["?", "DQ", "CQ", "HA"]}),
        (ATSPEK, {"piles": {"A": ["SK/?", "D8"], "B": ["HQ/S8"]}}),
        (VELNIO, {"stock": ["?", "D9"]}),
    ],
)
def test_one_unseen_card_makes_it_hidden(base: dict[str, object], changes: dict[str, object]) -> None:
    assert not Position.from_dict(base | changes).is_open


def test_gone_cards_are_not_unseen() -> None:
    data = PIRAMIDE | {"hands": {"A": "SAKQ HA D9 CT", "B": "?"}}
    position = Position.from_dict(data)
    gone = Position.from_dict(data | {"gone": "CAK"})
    assert cards(position, position.unseen & ~gone.unseen) == "CAK"
    assert gone.to_dict()["gone"] == "CAK"


def test_observing_hides_the_others() -> None:
    position = Position.from_dict(PIRAMIDE | {"plays": ["SA"]})
    assert position.observe("A").to_dict()["hands"] == {"A": "SAKQ HA D9 CT", "B": "? ? ? ? ? ?"}
    assert position.observe("B").to_dict()["hands"] == {"A": "? ? ? ? ? ?", "B": "SJT HKQ DA CA"}
    assert position.observe("b") == position.observe(1)
    assert position.observe(0).to_dict()["seat"] == "A"
    for seat in ("C", "", "AB", 2, -1):
        with pytest.raises(RuleError, match="is not a seat; expected one of A B"):
            position.observe(seat)


def test_a_seat_sees_what_it_drew() -> None:
    """A won the trick and drew the jack of clubs, B the queen of diamonds."""
    position = Position.from_dict(SIXTY_SIX | {"plays": ["DA", "D9"], "leader": "B"})
    assert position.actor == 1
    assert position.observe("B").to_dict()["stock"] == ["CJ", "?", "?", "HA"]
    assert position.observe("A").to_dict()["stock"] == ["?", "DQ", "?", "HA"]


def test_a_card_turned_up_is_seen_where_it_lay() -> None:
    position = Position.from_dict(ATSPEK)
    assert position.observe("A").to_dict()["piles"] == {"A": ["SK/?", "D8"], "B": ["HQ/?"]}
    position.play("SK")
    assert position.observe("B").to_dict()["piles"] == {"A": ["SK/H7", "D8"], "B": ["HQ/?"]}


def test_a_hidden_tuck_is_a_number() -> None:
    position = Position.from_dict(VELNIO | {"plays": ["SA", "tuck C5"]})
    assert position.observe("A").to_dict()["plays"] == ["SA", "tuck ?"]
    assert position.observe("B").to_dict()["plays"] == ["SA", "tuck C5"]
    shown = Position.from_dict(VELNIO | {"plays": ["SA", "tuck C5"], "rules": {"tucked": "open"}})
    assert shown.observe("A").to_dict()["plays"] == ["SA", "tuck C5"]


def test_a_marriage_shows_the_king() -> None:
    """B has not seen the king of hearts played, but he cannot be elsewhere than with A."""
    view = Position.from_dict(SIXTY_SIX | {"plays": ["marriage HQ"]}).observe("B")
    assert cards(view, view.state.hands[0]) == "HK"
    assert view.state.unseen[0] == 4


def test_a_void_is_remembered() -> None:
    """C did not follow hearts nor play an anti-trump: he has none of either among what is left."""
    position = Position.from_dict(
        ANTIKOZIRIS
        | {"leader": "A", "plays": ["HT", "HA", "SQ"]}
        | {"hands": {"A": "SA HT", "B": "SK HA", "C": "SQ CA"}}
    )
    assert cards(position.observe("A"), position.observe("A").barred[2]) == "HKQJ9 DAKQJT9"
    assert position.observe("C").barred == (0, 0, 0)


# ---- for people ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_diagram(data: dict[str, object]) -> None:
    position = Position.from_dict(data)
    text = str(position)
    lines = text.splitlines()
    assert lines[0] == f"{position.game.title}, {position.players} players"
    assert lines[-1] == f"{'ABCDEFGH'[position.actor or 0]} to move"
    for hand in position.to_dict()["hands"].values():  # type: ignore[attr-defined]
        assert hand in text
    assert position._repr_html_().startswith("<pre>")
    assert Position.from_text(eval(repr(position)).to_text()) == position


def test_diagram_of_a_trick() -> None:
    position = Position.from_dict(PIRAMIDE | {"plays": ["SA"]})
    assert "trick: SA" in str(position)
    assert "B to move" in str(position)
    while position.actor is not None:
        position.play(position.legal_moves[0])
    assert str(position).endswith("the deal is over")


def test_html_is_escaped() -> None:
    assert "<script>" not in Position.from_dict(PIRAMIDE)._repr_html_()


def test_other_notation() -> None:
    position = Position.from_dict(PIRAMIDE)
    lithuanian = position.in_notation("lt")
    assert lithuanian == position
    assert lithuanian.legal_moves == ["ST", "SK", "SD", "HT", "D9", "C10"]
    assert position.legal_moves == ["SA", "SK", "SQ", "HA", "D9", "CT"]
    assert lithuanian.in_notation("en").to_dict() == position.to_dict()
