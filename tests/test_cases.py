"""Known answers: endings solved elsewhere by brute force, published problems, and full deals; value for value and move
for move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solver.analysis import analyse
from solver.position import Position
from solver.search import value

DATA = Path(__file__).parent / "data"


def cases(name: str) -> list[Any]:
    """The lines of a file, with their ids."""
    lines = (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


ENDINGS, PUBLISHED, FULL_DEALS = cases("endings"), cases("published"), cases("full_deals")


def test_no_case_is_missing() -> None:
    assert (len(ENDINGS), len(PUBLISHED), len(FULL_DEALS)) == (360, 47, 230)


@pytest.mark.parametrize("case", ENDINGS + PUBLISHED)
def test_every_move(case: dict[str, Any]) -> None:
    """The value of the position and of every move, who is to move, for whom values count, and in what."""
    position, answer = Position.from_dict(case["position"]), case["answer"]
    found = analyse(position).to_dict()
    moves: Any = found["moves"]
    assert {move["move"]: move["value"] for move in moves} == answer["moves"]
    assert len(moves) == len(answer["moves"])
    assert {key: found[key] for key in ("value", "to_move", "pov", "unit")} == {
        key: answer[key] for key in ("value", "to_move", "pov", "unit")
    }
    assert found["exact"] is True
    assert found["best"] == [move["move"] for move in moves if move["value"] == answer["value"]]
    if "winning" in answer:
        assert {move["move"] for move in moves if move["value"] > 0} == set(answer["winning"])
    for move in found["line"]:  # type: ignore[attr-defined]
        position.play(move)
    assert position.actor is None
    outcome = position.game.value(position.state, "ABCDEFGH".index(answer["pov"]))
    assert outcome == answer["value"]


@pytest.mark.parametrize("case", FULL_DEALS)
def test_full_deal(case: dict[str, Any]) -> None:
    """The value of a deal before the first trick. The unit `sign` asks whether the one to move ends ahead: 1 or 0."""
    position, answer = Position.from_dict(case["position"]), case["answer"]
    if answer["unit"] == "sign":
        assert (value(position) > 0) == answer["value"]
    else:
        assert (position.game.unit, value(position)) == (answer["unit"], answer["value"])
