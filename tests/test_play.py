"""Playing at the terminal: the session behind it, and the command through a pseudo-terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest

from solver import match
from solver.game import RuleError
from solver.position import IllegalMove
from solver.session import Session, levels_for

PLAY = "from solver.cli import main; main()"


def session(game: str = "piramide", seats: int = 2, seed: str = "7", level: str = "random") -> Session:
    return Session(match.new(game, levels_for(seats, (level,)), seed=seed))


def to_the_persons_turn(table: Session) -> None:
    while not table.is_persons_turn:
        table.others_move()


# ---- the session --------------------------------------------------------------------------------------------------


def test_levels_go_to_the_others_in_order() -> None:
    assert levels_for(2, ("club",)) == ("you", "club")
    assert levels_for(4, ("club", "novice")) == ("you", "club", "novice", "novice")
    with pytest.raises(ValueError, match="there is no level 'strong'"):
        Session(match.new("piramide", levels_for(2, ("strong",)), seed="1"))


def test_the_person_sits_one_seat_on_in_every_deal() -> None:
    table = session(seats=3)
    seats = []
    while len(table.match.deals) < 4:
        if table.position.moves == []:
            seats.append(table.seat)
            assert table.names()["ABC"[table.seat]] == "you"
        if table.is_persons_turn:
            table.play("1")
        else:
            seat = table.seat
            assert table.others_move().seat != seat
    assert seats == [0, 2, 1, 0]


def test_moves_by_text_or_number() -> None:
    table = session()
    assert table.play("1") == "bid 0 S"
    legal = table.position.legal_moves
    assert table.play("2") == legal[1]
    to_the_persons_turn(table)
    with pytest.raises(IllegalMove, match="legal were"):
        table.play(legal[1])


def test_undo_goes_back_to_the_persons_last_choice() -> None:
    table = session()
    assert not table.undo()
    table.play("bid 3 H")
    card = table.position.legal_moves[0]
    table.play(card)
    table.others_move()
    assert table.undo()
    assert table.position.plays == ["bid 3 H"]
    assert table.is_persons_turn
    assert table.undo()
    assert table.position.plays == []


def test_hint_and_why_see_what_the_person_sees() -> None:
    table = session()
    assert table.why() is None
    hint = table.hint()
    assert hint.to_move == "A"
    table.play(hint.best[0])
    told = table.why()
    assert told is not None
    assert told[0] == hint.best[0]
    worst = table.hint().moves[-1].move
    table.play(worst)
    to_the_persons_turn(table)
    told = table.why()
    assert told is not None
    assert told[0] == worst


def test_save_and_load_go_on_where_it_was(tmp_path: Path) -> None:
    table = session("sixty_six", level="novice")
    for _ in range(9):
        table.play("1") if table.is_persons_turn else table.others_move()
    path = tmp_path / "match.jsonl"
    table.save(path)
    loaded = Session.load(path)
    assert loaded.position == table.position
    assert loaded.match.names == table.match.names
    for one in (table, loaded):
        to_the_persons_turn(one)
    assert loaded.position == table.position


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is not a saved match"),
        ("{}", "is not a saved match"),
        ("[1", "is not JSON"),
        ("\xff", "is not a saved match"),
    ],
)
def test_files_that_are_no_saved_match(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(RuleError, match=sentence):
        Session.load(path)


def test_a_match_of_others_cannot_be_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    match.new("piramide", ["random", "random"], seed="1").save(path)
    with pytest.raises(RuleError, match="not one of yours"):
        Session.load(path)
    with pytest.raises(RuleError, match="cannot be read"):
        Session.load(tmp_path / "none.jsonl")
    with pytest.raises(RuleError, match="cannot be written"):
        session().save(tmp_path / "none" / "match.jsonl")


# ---- at the terminal ----------------------------------------------------------------------------------------------


def terminal(*arguments: str, **environment: str) -> pexpect.spawn:
    command = ["-c", PLAY, "play", *arguments]
    variables = {**os.environ, "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1", **environment}
    return pexpect.spawn(sys.executable, command, env=variables, encoding="utf-8", timeout=60, dimensions=(40, 80))


def test_a_deal_at_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    child = terminal("piramide", "--seed", "7", "--level", "random")
    prompt = "your move> "
    for line, answer in [
        ("help", "hint +what the engine would do"),
        ("hint", "on average over"),
        ("why", "You have not moved in this deal"),
        ("bid 9 H", "is not legal for A; legal were bid 0 S"),
        ("nonsense", "is not a move; expected one such as"),
        ("bid 3 H", r"contract A 3"),
        ("why", "bid 3 .* (was best|lost)"),
        ("undo", "35.bid.6.NT"),
        ("bid 3 H", r"contract A 3"),
        (f"save {path}", "Saved to"),
        (f"load {path}", r"contract A 3"),
        ("load none.jsonl", "cannot be read"),
    ]:
        child.expect(prompt)
        child.sendline(line)
        child.expect(answer)
    for _ in range(6):
        child.expect(prompt)
        child.sendline("1")
    child.expect("declarer A (takes exactly|is)")
    child.expect("match: you ")
    child.expect("(lost as known|no play lost anything)")
    child.expect(prompt)
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_lithuanian_at_the_terminal() -> None:
    child = terminal("66", "--seed", "7", "--level", "random", "--lang", "lt")
    child.expect("jūsų ėjimas> ")
    assert "ranka" in child.before
    child.sendline("hint")
    child.expect("vidutiniškai")
    child.expect("jūsų ėjimas> ")
    child.sendeof()
    child.expect(pexpect.EOF)


def test_lines_fit_80_columns() -> None:
    child = terminal("piramide", "--seed", "7", "--level", "random")
    child.expect("your move> ")
    assert max(map(len, child.before.splitlines())) <= 80
    assert "\x1b" not in child.before
    child.sendline("quit")


def test_usage_errors_are_sentences() -> None:
    for arguments, sentence in [
        (("piramide", "--level", "strong"), "there is no level 'strong'"),
        (("whist",), "there is no game 'whist'"),
        (("piramide", "--players", "7"), "is played by 2, 3, 4 players, not by 7"),
    ]:
        child = terminal(*arguments)
        child.expect(sentence)
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 2
