"""Golden transcripts: whole deals of every game and number of players, move by move, so that a change of rules shows up
as a difference to be read.

After an intended change:   pytest tests/test_golden.py --regenerate-golden   and read the difference before committing.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from common import any_move, label, one_per_players

from solver.game import SEATS, Game
from solver.position import Position

FOLDER = Path(__file__).parent / "golden"
DEALS = 2
SEED = 1983


def file_of(game: Game[Any]) -> Path:
    return FOLDER / f"{label(game).replace('preset=', '')}.txt"


def transcript(game: Game[Any]) -> str:
    """Some deals of a match: what each state is, what may be played, what is, and how it ends."""
    random = Random(f"{SEED} {label(game)}")
    tally = game.new_match()
    lines = [f"{label(game)}: {DEALS} deals of a match, played at random"]
    for number in range(DEALS):
        first = number % game.players
        position = Position(game, game.deal(random, tally, first))
        lines += ["", f"=== deal {number + 1}, player {first} in seat A", str(position), ""]
        while position.actor is not None:
            seat, trick = SEATS[position.actor], game.played(position.state)
            legal = [position.write(move) for move in game.moves(position.state)]
            move = any_move(game, position.state, random)
            position.play(move)
            shown = ", ".join(legal) if len(legal) <= 8 else f"{', '.join(legal[:7])}, ... {len(legal)} moves"
            lines.append(f"{seat}: {position.write(move)}   of {shown}")
            if not game.played(position.state) and trick and position.actor is not None:
                lines += ["", str(position), ""]
        outcome = position.outcome
        assert outcome is not None
        tally = game.count(tally, position.state, first)
        words = outcome.words.template.format(**outcome.words.values)
        lines += ["", str(position), f"score {outcome.score}; {words}", f"match {tally}"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("game", one_per_players(), ids=label)
def test_transcript(game: Game[Any], request: pytest.FixtureRequest) -> None:
    path, found = file_of(game), transcript(game)
    if request.config.getoption("--regenerate-golden"):
        path.write_text(found, "utf-8")
    assert found.splitlines() == path.read_text("utf-8").splitlines()


def test_no_transcript_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file_of(game).name for game in one_per_players()}
