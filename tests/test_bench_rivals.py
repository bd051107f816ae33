"""The benchmark suite with its optional extra: times by pyperf, and other solvers asked the same questions."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from bench import dds, rdeep, schnapsen_bot
from bench.__main__ import main


def test_it_checks_times_and_reports(tmp_path: Path) -> None:
    signature, output = tmp_path / "signature.json", tmp_path / "times.json"
    few = ["--deals", "3", "--row", "piramide3", "--row", "schnapsen", "--signature", str(signature)]
    assert CliRunner().invoke(main, [*few, "--write-signature"]).exit_code == 0
    done = CliRunner().invoke(main, [*few, "--rounds", "1", "--json", str(output)])
    assert done.exit_code == 0, done.output
    assert "6 values right" in done.output
    assert "Piramidė 3x6" in done.output
    assert "Schnapsen: value of an ending" in done.output
    assert output.exists()


def test_bridge_values_are_those_of_dds() -> None:
    assert dds.their_values(2) > 0


def test_endings_without_marriages_are_worth_the_same_elsewhere() -> None:
    assert schnapsen_bot.their_values(20) > 0


def test_games_against_rdeep_are_remembered(tmp_path: Path) -> None:
    player, book = "club:samples=1", tmp_path / "journal.jsonl"
    first = list(rdeep.go_on(book, player, 2))
    assert all(1 <= abs(points) <= 3 for played in first for points in played.points)
    book.write_text(book.read_text() + '{"number": 2, "poi')  # killed while it wrote
    assert [played.number for played in rdeep.go_on(book, player, 3)] == [2]
    points = [played.points for played in rdeep.read(book).values()]
    assert points == [*(played.points for played in first), rdeep.play(2, player).points]
    assert "RdeepBot(16, 4) | 6 |" in rdeep.table(player, rdeep.read(book).values())
