"""Answers: every move best first, units, words, lines; and what bids, announcements and trumps are worth."""

from __future__ import annotations

import json
from typing import Any

import pytest
from malformed import ANTIKOZIRIS, ATSPEK, GOOD, PIRAMIDE, SIXTY_SIX, VELNIO

from solver.analysis import Analysis, MoveValue, analyse, suggest_bid, suggest_trump
from solver.game import PASS, TRUMP, Move, RuleError
from solver.games.antikoziris import BIDS
from solver.games.piramide import SCORES
from solver.position import Position
from solver.reference import Reference
from solver.search import Limit, LimitMet, value

SMALL = Limit(table_mb=1)

ATSPEK_THREE: dict[str, Any] = {
    "game": "atspek",
    "trump": "S",
    "hands": {"A": "H9", "B": "HT", "C": "S6"},
    "piles": {"A": ["SA/C9"], "B": ["CA/D9"], "C": ["HA/DA"]},
    "won": {"A": 3, "B": 3, "C": 3},
}


def numbers(found: Analysis) -> dict[str, Any]:
    return {move.move: move.value for move in found.moves}


# ---- the play -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_answer(data: dict[str, Any]) -> None:
    """To the end of the deal: every legal move once, best first, in listed order among equals."""
    position = Position.from_dict(data)
    while position.actor is not None:
        found = analyse(position, limit=SMALL)
        legal = position.legal_moves
        assert sorted(numbers(found)) == sorted(legal) and len(found.moves) == len(legal)
        assert found.game == position.game.name
        assert found.to_move == "ABCD"[position.actor]
        assert found.pov == "ABCD"[position.game.pov(position.state)]
        assert (found.unit, found.objective, found.exact) == (position.game.unit, "minimax", True)
        assert found.value == value(position, SMALL)
        pov_side = position.game.side(position.state, position.game.pov(position.state))
        most_first = (position.actor in pov_side) == (position.game.sign(position.state) > 0)
        listed = [move.value for move in found.moves]
        assert listed == sorted(listed, reverse=most_first)
        for one, other in zip(found.moves, found.moves[1:], strict=False):
            assert one.value != other.value or legal.index(one.move) < legal.index(other.move)
        assert found.best == [move for move in legal if numbers(found)[move] == found.value]
        assert found.line[0] in found.best
        assert all(found.loss(move) == abs(numbers(found)[move] - found.value) for move in legal)  # type: ignore[operator]
        assert found.words is not None and found.words.template.format(**found.words.values)
        position.play(found.best[-1])


def test_answer_as_json() -> None:
    found = analyse(Position.from_dict(PIRAMIDE), limit=SMALL)
    answer = json.loads(json.dumps(found.to_dict()))
    assert list(answer) == [
        "game", "to_move", "pov", "unit", "objective", "exact", "value", "best", "moves", "line", "nodes", "seconds",
    ]  # fmt: skip
    assert answer["moves"] == [{"move": move.move, "value": move.value} for move in found.moves]
    assert answer["nodes"] > 0 and answer["seconds"] >= 0


def test_finished_deal() -> None:
    """Its value, and no moves."""
    position = Position.from_dict(PIRAMIDE | {"hands": {"A": "SA", "B": "SK"}, "plays": ["SA", "SK"], "won": {"B": 5}})
    found = analyse(position)
    assert (found.to_move, found.value, found.best, found.moves, found.line) == (None, 7, [], [], [])
    assert found.to_dict()["to_move"] is None
    assert found.exact


def test_antikoziris_is_counted_for_the_declarer() -> None:
    """C, a defender, gives him as many as he can."""
    position = Position.from_dict(ANTIKOZIRIS)
    found = analyse(position)
    assert (found.pov, found.to_move, found.unit) == ("B", "C", "tricks")
    assert found.value == max(numbers(found).values())


def test_sixty_six_is_counted_for_the_mover() -> None:
    position = Position.from_dict(SIXTY_SIX)
    first = analyse(position)
    position.play(first.best[0])
    second = analyse(position)
    assert first.pov == "A" and second.pov == second.to_move
    if second.pov == "B":
        assert second.value == -first.value  # type: ignore[operator]


def test_paranoid_and_max_n() -> None:
    position = Position.from_dict(ATSPEK_THREE)
    reference, game = Reference(position.game), position.game
    paranoid = analyse(position)
    assert paranoid.objective == "paranoid"
    assert numbers(paranoid) == {
        move: reference.value(game.play(position.state, position.read(move)), 0) for move in position.legal_moves
    }
    each = analyse(position, objective="max_n")
    assert each.objective == "max_n"
    assert each.value == reference.vector(position.state)
    assert numbers(each) == {
        move: reference.vector(game.play(position.state, position.read(move))) for move in position.legal_moves
    }
    assert json.loads(json.dumps(each.to_dict()))["value"] == list(each.value)  # type: ignore[arg-type]
    assert each.words is not None


def test_max_n_ranks_ties_by_the_best_opponent() -> None:
    """Whatever A leads he has as many tricks; the moves stand in the order of what the others get."""
    position = Position.from_dict(ATSPEK_THREE)
    found = analyse(position, objective="max_n")
    ranks = [(move.value[0], -max(move.value[1:])) for move in found.moves]  # type: ignore[index]
    assert ranks == sorted(ranks, reverse=True)
    assert found.best == [move.move for move, rank in zip(found.moves, ranks, strict=True) if rank == ranks[0]]


def test_senseless_questions() -> None:
    position = Position.from_dict(PIRAMIDE)
    with pytest.raises(ValueError, match="'nash' is no objective"):
        analyse(position, objective="nash")
    with pytest.raises(LimitMet):
        analyse(Position.deal("velnio_tuzinas", seed=1), limit=Limit(nodes=1, table_mb=1))
    with pytest.raises(KeyError):
        analyse(position).loss("H2")
    with pytest.raises(RuleError, match="nobody is to bid or to announce here: A may SA, SK, SQ, HA, D9, CT"):
        suggest_bid(position)
    with pytest.raises(RuleError, match="nobody is to name trumps here: A may SA"):
        suggest_trump(position)
    with pytest.raises(RuleError, match="the deal is over"):
        suggest_bid(Position.from_dict(PIRAMIDE | {"hands": {"A": "SA", "B": "SK"}, "plays": ["SA", "SK"]}))


@pytest.mark.parametrize("data", [ATSPEK, VELNIO, SIXTY_SIX, PIRAMIDE], ids=lambda data: data["game"])
def test_same_question_same_answer(data: dict[str, Any]) -> None:
    one, two = (analyse(Position.from_dict(data), limit=SMALL) for _ in range(2))
    assert (one.moves, one.line, one.nodes) == (two.moves, two.line, two.nodes)


# ---- before the play ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_atspek_trumps(players: int) -> None:
    """A's tricks after each trump, and their points; all cards open."""
    position = Position.deal("atspek", players, seed=players)
    found = suggest_trump(position, limit=SMALL)
    assert (found.unit, found.pov, found.to_move, found.exact) == ("tricks", "A", "A", True)
    assert sorted(numbers(found)) == ["trump C", "trump D", "trump H", "trump S"]
    for move in found.moves:
        after = position.copy()
        after.play(move.move)
        tricks = value(after, SMALL)
        assert move.value == tricks
        assert move.points == max(0, tricks - {2: 8, 3: 4, 4: 2}[players])
    assert found.value == max(numbers(found).values())
    assert found.best == [f"trump {suit}" for suit in "SHDC" if numbers(found)[f"trump {suit}"] == found.value]
    for played in found.line:
        position.play(played)
    assert position.state.won[0] == found.value
    assert suggest_trump(Position.deal("atspek", players, seed=players), limit=SMALL).moves == found.moves


def outlook(position: Position, cache: dict[Any, Any]) -> tuple[int, ...]:
    """What an Antikoziris deal scores each seat if all go on as well as they can, spelled out move by move."""
    game, state = position.game, position.state
    seat = position.actor
    if seat is None:
        return game.score(state)
    if state.contract is not None:
        contract = state.contract
        key = contract.declarer, contract.trump, contract.bid == 8
        if key not in cache:
            cache[key] = value(position, SMALL)
        return game.scores_for(state, cache[key])
    choices = []
    for move in game.moves(state):
        position.play(move)
        choices.append(outlook(position, cache))
        position.undo()
    return max(choices, key=lambda scores: (scores[seat], -max(scores[:seat] + scores[seat + 1 :])))


@pytest.mark.parametrize("rules", [{}, {"all_pass": "force_first"}])
@pytest.mark.parametrize("seed", range(3))
def test_antikoziris_auction(seed: int, rules: dict[str, str]) -> None:
    position = Position.deal("antikoziris", 3, rules=rules, seed=seed)
    cache: dict[Any, Any] = {}
    found = suggest_bid(position, limit=SMALL)
    assert found.unit == "score" and found.to_move == "A"
    assert sorted(numbers(found)) == sorted([*(f"bid {bid}" for bid in BIDS), "pass"])
    for move in found.moves:
        position.play(move.move)
        assert outlook(position, cache)[0] == move.value
        position.undo()
    assert found.value == outlook(position, cache)[0]
    for played in found.line:
        position.play(played)
    assert position.outcome is not None
    assert position.outcome.score[0] == found.value


def test_antikoziris_trump_with_a_bid() -> None:
    """With each bid the suit that the bidder would name if the others passed; then the same naming trumps."""
    position = Position.deal("antikoziris", 3, seed=4)
    found = analyse(position, limit=SMALL)
    for move in found.moves:
        assert (move.trump is None) == (move.move == "pass")
        if move.trump is None:
            continue
        won = position.copy()
        for call in (move.move, *([] if move.move == "bid 0" else ["pass", "pass"])):
            won.play(call)
        assert won.legal_moves == ["trump S", "trump H", "trump D", "trump C"]
        named = suggest_trump(won, limit=SMALL)
        assert f"trump {move.trump}" in named.best
        assert named.unit == "score"


def test_antikoziris_passed_out() -> None:
    position = Position.deal("antikoziris", 3, seed=4)
    for _ in range(3):
        position.play("pass")
    found = analyse(position)
    assert (found.to_move, found.value, found.moves) == (None, 0, [])
    assert position.state.bids == (None, None, None) and position.game.moves(position.state) == []


@pytest.mark.parametrize("table", list(SCORES))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_piramide_announcement(players: int, table: str) -> None:
    """The score of the play after each announcement; only what the pyramid still has."""
    deal = Position.deal("piramide", players, rules={"score_table": table}, seed=7).to_dict()
    position = Position.from_dict(deal | {"slots": {"1": 1, "3": 2, "6": 1}})
    found = suggest_bid(position, limit=SMALL)
    assert found.unit == "score"
    assert sorted(numbers(found)) == sorted(f"bid {bid} {trump}" for bid in (1, 3, 6) for trump in (*"SHDC", "NT"))
    for move in found.moves:
        after = position.copy()
        after.play(move.move)
        assert move.value == value(after, SMALL) and move.trump is None
    assert found.value == max(numbers(found).values())
    assert suggest_trump(position, limit=SMALL).moves == found.moves


def test_declarations_are_the_bidders_own() -> None:
    """A later speaker is asked for his own score."""
    position = Position.deal("antikoziris", 3, seed=9)
    position.play("bid 4")
    found = analyse(position, limit=SMALL)
    assert (found.to_move, found.pov) == ("B", "B")
    assert "bid 4" not in numbers(found) and "pass" in numbers(found)
    passed = position.copy()
    passed.play(Move(PASS))
    cache: dict[Any, Any] = {}
    assert numbers(found)["pass"] == outlook(passed, cache)[1]


def test_limits_before_the_play() -> None:
    with pytest.raises(LimitMet):
        analyse(Position.deal("atspek", 2, seed=1), limit=Limit(nodes=1, table_mb=1))


def test_move_values_are_plain_data() -> None:
    assert MoveValue("SA", 3) == MoveValue("SA", 3)
    trump = analyse(Position.deal("atspek", 4, seed=1), limit=SMALL)
    assert {move["move"] for move in trump.to_dict()["moves"]} == {f"{TRUMP} {suit}" for suit in "SHDC"}  # type: ignore[attr-defined]
