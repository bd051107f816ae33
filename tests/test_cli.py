"""The command: answers, tables, languages, exit codes, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Position
from solver.cli import kirtis
from solver.game import registry

EXAMPLES = Path(__file__).parent.parent / "examples"
DEAL = EXAMPLES / "antikoziris.json"
ONE_TRICK = {
    "game": "plain",
    "contract": {"declarer": "A", "trump": "S"},
    "hands": {"A": "SA", "B": "SK", "C": "H2"},
}


def run(*arguments: str, stdin: str | None = None, env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(kirtis, list(arguments), input=stdin, env={"COLUMNS": "120", **(env or {})})


def test_json_has_the_keys_of_the_format() -> None:
    result = run("analyse", str(DEAL), "--json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert list(answer) == [
        "game", "to_move", "pov", "unit", "objective", "exact", "value", "best", "moves", "line", "nodes", "seconds",
    ]  # fmt: skip
    assert (answer["game"], answer["to_move"], answer["pov"]) == ("antikoziris", "B", "B")
    assert (answer["unit"], answer["objective"], answer["exact"]) == ("tricks", "minimax", True)
    assert answer["value"] == 2
    assert answer["best"] == ["SA"]
    assert answer["moves"][0] == {"move": "SA", "value": 2}
    assert [move["move"] for move in answer["moves"]] == ["SA", "SJ", "HQ", "HT", "DJ", "CK", "CJ", "C9"]
    assert len(answer["line"]) == 24


def test_table_marks_the_best_and_says_the_value_in_words() -> None:
    result = run("analyse", str(DEAL))
    assert result.exit_code == 0
    rows = [line for line in result.stdout.splitlines() if "declarer B takes" in line]
    assert len(rows) == 8
    assert "▶ │ ♠A" in rows[0]
    assert "declarer B takes 2 of 8 tricks: contract 2 made, 30 points" in rows[0]
    assert all("▶" not in row and "beaten" in row for row in rows[1:])
    assert "line  B\N{NO-BREAK SPACE}♠A" in result.stdout


def test_suits_are_coloured_where_the_terminal_has_it() -> None:
    plain = run("analyse", str(DEAL)).stdout
    coloured = run("analyse", str(DEAL), env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}).stdout
    assert "\x1b[" not in plain
    assert "\x1b[1;31m♥" in coloured


def test_lithuanian_terms_and_card_letters() -> None:
    result = run("analyse", str(DEAL), "--lang", "lt")
    assert result.exit_code == 0
    assert "eina B" in result.stdout
    assert "žaidžiantysis B paima kirčių: 2 iš 8" in result.stdout
    assert "♠T " in result.stdout  # the ace is tūzas
    assert "♠A" not in result.stdout


def test_many_positions_and_a_bad_one_between() -> None:
    lines = [json.dumps(ONE_TRICK), '{"game": "whist"}', json.dumps(ONE_TRICK)]
    result = run("analyse", "-", "--json", stdin="\n".join(lines))
    assert result.exit_code == 1
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("value") for answer in answers] == [1, None, 1]
    assert "<stdin>:2: game: there is no game 'whist'" in answers[1]["error"]
    assert "kirtis: <stdin>:2: game:" in result.stderr


def test_a_finished_deal_has_a_value_and_no_moves() -> None:
    finished = {**ONE_TRICK, "plays": ["SA", "SK", "H2"]}
    answer = json.loads(run("analyse", "-", "--json", stdin=json.dumps(finished)).stdout)
    assert (answer["to_move"], answer["value"], answer["best"], answer["moves"], answer["line"]) == (
        None,
        1,
        [],
        [],
        [],
    )
    assert "the deal is over" in run("analyse", "-", stdin=json.dumps(finished)).stdout


def test_max_n_gives_a_value_for_each_seat() -> None:
    position = {
        "game": "atspek", "trump": "S", "hands": {"A": "SA", "B": "SK", "C": "HA"}, "piles": {}, "won": {"C": 2},
    }  # fmt: skip
    answer = json.loads(run("analyse", "-", "--json", "--objective", "max_n", stdin=json.dumps(position)).stdout)
    assert answer["objective"] == "max_n"
    assert answer["value"] == [1, 0, 2]
    paranoid = json.loads(run("analyse", "-", "--json", stdin=json.dumps(position)).stdout)
    assert (paranoid["objective"], paranoid["value"]) == ("paranoid", 1)


@pytest.mark.parametrize("name", sorted(registry()))
def test_deals_are_position_files(name: str) -> None:
    for players in registry()[name].seats:
        result = run("deal", name, "--players", str(players), "--seed", "3")
        assert result.exit_code == 0
        assert result.stdout == run("deal", name, "--players", str(players), "--seed", "3").stdout
        assert result.stdout != run("deal", name, "--players", str(players), "--seed", "4").stdout
        position = Position.from_text(result.stdout)
        assert position == Position.deal(name, players, seed=3)


def test_deal_takes_rules_and_a_language() -> None:
    schnapsen = json.loads(run("deal", "66", "--rules", "schnapsen", "--seed", "1").stdout)
    assert schnapsen["rules"] == {"preset": "schnapsen"}
    linear = json.loads(run("deal", "piramide", "--rules", '{"score_table": "linear"}').stdout)
    assert linear["rules"] == {"score_table": "linear"}
    lithuanian = run("deal", "66", "--seed", "1", "--lang", "lt").stdout
    assert json.loads(lithuanian)["notation"] == "lt"
    assert Position.from_text(lithuanian) == Position.deal("66", seed=1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("deal", "whist"), "there is no game 'whist'; the games are antikoziris, "),
        (("deal", "piramide", "--players", "5"), "Piramidė is played by 2, 3, 4 players, not by 5"),
        (("deal", "piramide", "--rules", "{"), "is not JSON"),
        (("deal", "piramide", "--rules", "schnapsen"), "Piramidė has no preset 'schnapsen'"),
        (("games", "poker"), "there is no game 'poker'"),
        (("analyse",), "Missing argument"),
        (("analyse", "x.json", "--objective", "best"), "'best' is not one of"),
        (("shuffle",), "No such command"),
    ],
)
def test_usage_errors_are_sentences_with_exit_code_2(arguments: tuple[str, ...], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_a_missing_file_is_reported_and_the_others_answered(tmp_path: Path) -> None:
    result = run("analyse", str(tmp_path / "none.json"), str(DEAL), "--json")
    assert result.exit_code == 1
    assert "none.json: cannot be read: No such file or directory" in result.stderr
    assert json.loads(result.stdout.splitlines()[1])["value"] == 2


def test_games_show_rules_options_and_keys() -> None:
    listing = run("games").stdout
    for name, game in registry().items():
        assert name in listing
        page = run("games", name).stdout
        assert game.title in page
    page = run("games", "sixty_six").stdout
    for option in ("marriage_lead", "closing", "closing_penalty", "match_eyes", "preset schnapsen", "closed_by"):
        assert option in page
    assert "\n- Pending marriage points are no points yet" in page
    assert "[made, under, failed, defence]" in run("games", "antikoziris", env={"COLUMNS": "200"}).stdout


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("kirtis, version ")
    for arguments in (("--help",), ("analyse", "--help"), ("deal", "-h"), ("games", "-h")):
        assert "Examples:" in run(*arguments).stdout


def test_a_terminal_without_unicode_gets_letters() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "COLUMNS": "120"}
    command = [sys.executable, "-c", "from solver.cli import main; main()", "analyse", str(DEAL), "--lang", "lt"]
    shown = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert b"| * | ST " in shown.stdout
    assert b"Traceback" not in shown.stderr


SEEN = {
    "game": "antikoziris",
    "contract": {"declarer": "A", "bid": 2, "trump": "H"},
    "hands": {"A": "ST HJT DAK CAJT", "B": "?", "C": "?"},
    "seat": "A",
}


def test_unseen_cards_give_errors_wins_and_samples() -> None:
    result = run("analyse", "-", "--json", "--samples", "40", "--seed", "7", "--threads", "2", stdin=json.dumps(SEEN))
    answer = json.loads(result.stdout)
    assert (answer["exact"], answer["layouts"], answer["line"]) == (False, 12870, [])
    assert {"move", "value", "stderr", "wins", "samples", "loss", "loss_stderr"} == set(answer["moves"][0])
    assert all(move["samples"] == 40 for move in answer["moves"])
    again = json.loads(run("analyse", "-", "--json", "--samples", "40", "--seed", "7", stdin=json.dumps(SEEN)).stdout)
    assert again["moves"] == answer["moves"]
    shown = run("analyse", "-", "--samples", "40", stdin=json.dumps(SEEN)).stdout
    assert "█" in shown
    assert "12,870 layouts, solved in 40" in shown


def test_bid_and_trump_commands() -> None:
    auction = {"game": "antikoziris", "hands": SEEN["hands"], "seat": "A"}
    answer = json.loads(run("bid", "-", "--json", "--samples", "10", stdin=json.dumps(auction)).stdout)
    assert answer["unit"] == "score"
    bids = {move["move"]: move for move in answer["moves"]}
    assert "trump" not in bids["pass"]
    assert bids["bid 4"]["trump"] in "SHDC"
    assert "declarer" in run("bid", "-", "--samples", "10", stdin=json.dumps(auction)).stdout
    naming = {"game": "atspek", "hands": {"A": "SAK", "B": "?"}, "seat": "A"}
    answer = json.loads(run("trump", "-", "--json", "--samples", "4", stdin=json.dumps(naming)).stdout)
    assert {"move", "value", "stderr", "wins", "samples", "loss", "loss_stderr", "points"} == set(answer["moves"][0])
    wrong = run("trump", "-", "--json", stdin=json.dumps(SEEN))
    assert wrong.exit_code == 1
    assert "nobody is to name trumps here" in wrong.stderr


def test_contradicting_facts_are_a_sentence() -> None:
    impossible = {
        **SEEN,
        "plays": ["DA", "SA", "H9"],
        "hands": {"A": "ST HJT DAK CAJT", "B": "? ? ? ? ? ? ? ?", "C": "?"},
    }
    result = run("analyse", "-", stdin=json.dumps({**impossible, "gone": "SKQJ9 H9"}))
    assert result.exit_code == 1
    assert result.stderr.startswith("kirtis: <stdin>:1: ")


def test_review_as_table_and_json(tmp_path: Path) -> None:
    played = {**json.loads(DEAL.read_text()), "plays": ["HT", "H9", "HJ"]}
    result = run("analyse", "-", "--review", "--samples", "20", "--json", stdin=json.dumps(played))
    slips = json.loads(result.stdout)["review"]
    assert (slips[0]["seat"], slips[0]["move"], slips[0]["best"], slips[0]["loss"]) == ("B", "HT", ["SA"], 2)
    assert "lost as known" in run("analyse", "-", "--review", "--samples", "20", stdin=json.dumps(played)).stdout
    assert run("analyse", "-", "--review", stdin=json.dumps(SEEN)).exit_code == 1


def test_plot_is_written(tmp_path: Path) -> None:
    path = tmp_path / "results.svg"
    assert run("analyse", "-", "--samples", "20", "--plot", str(path), stdin=json.dumps(SEEN)).exit_code == 0
    assert "<svg" in path.read_text()


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_bring_a_traceback(raw: bytes) -> None:
    result = CliRunner().invoke(kirtis, ["analyse", "-", "--json"], input=raw)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert result.stderr.startswith("kirtis: <stdin>")
