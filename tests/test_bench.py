"""The benchmark suite: it runs, it notices wrong values and other node counts, and its counts follow the rules."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from bench import deals, document, hill_climb, limits, perft, report, signature, subject, threads, tune_plain
from bench.__main__ import main
from bench.rival import RIVALS
from bench.row import ROWS, Row, by_name
from bench.signature import Answers
from solver.position import Position
from solver.reference import Reference
from solver.search import Limit

FEW = ["--deals", "3", "--row", "piramide3", "--row", "schnapsen"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A signature of a few deals."""
    path = tmp_path / "signature.json"
    assert run(*FEW, "--write-signature", "--signature", str(path)).exit_code == 0
    return path


def changed(file: Path, row: str, key: str) -> None:
    known = json.loads(file.read_text())
    known[row][key][1] += 1
    file.write_text(json.dumps(known))


def test_help_explains_the_suite() -> None:
    shown = run("--help").output
    assert "seeds" in shown
    for command in ("answers", "compare", "limits", "perft", "threads"):
        assert command in shown
        assert run(command, "--help").exit_code == 0


def test_a_wrong_value_ends_the_run(file: Path) -> None:
    changed(file, "schnapsen", "values")
    done = run(*FEW, "--signature", str(file), "--keep-going")
    assert done.exit_code == 1
    assert "schnapsen: 1 of 3 values are wrong, first that of deal 1" in done.output


def test_other_node_counts_are_noticed(file: Path) -> None:
    changed(file, "piramide3", "nodes")
    done = run(*FEW, "--signature", str(file))
    assert done.exit_code == 1
    assert "piramide3" in done.output
    assert "--write-signature" in done.output


def test_a_row_without_signature_is_an_error(file: Path) -> None:
    done = run("--deals", "3", "--row", "preferans", "--signature", str(file))
    assert done.exit_code == 1
    assert "has no preferans" in done.output


def test_more_deals_than_the_signature_has_are_an_error() -> None:
    assert signature.wrong_values("x", Answers([1, 2], [3, 4]), Answers([1], [3]))


@pytest.mark.parametrize("row", [row for row in ROWS if not row.slow], ids=lambda row: row.name)
def test_the_committed_values_are_right(row: Row) -> None:
    found, known = signature.answers(row, 5), signature.read()[row.name]
    assert found.values == known.values[:5]
    assert len(known.values) == len(known.nodes) == 200


def test_the_committed_signature_has_every_row() -> None:
    assert set(signature.read()) == set(by_name())


def test_deals_are_fixed_by_their_numbers() -> None:
    row = by_name()["preferans"]
    assert (row.rows(0, 4)[2:] == row.rows(2, 2)).all()
    assert (row.rows(0, 2) != row.rows(2, 2)).any()


def test_schnapsen_endings_have_the_values_of_the_rules() -> None:
    row = by_name()["schnapsen"]
    endings = deals.draws(row.name, row.draw, 0, 5)
    expected = [Reference(game).value(state, game.pov(state)) for game, state in endings]
    assert signature.answers(row, 5).values == expected


def test_the_sign_is_that_of_the_margin() -> None:
    rows = {name: by_name()[name].rows(0, 2) for name in ("velnio_sign", "velnio_margin")}
    differing = (rows["velnio_sign"] != rows["velnio_margin"]).any(axis=0)
    assert differing.sum() == 1
    known = signature.read()
    assert [int(margin > 0) for margin in known["velnio_margin"].values] == known["velnio_sign"].values


# ---- perft --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", perft.DRAWS)
def test_sequences_are_those_of_the_rules(name: str) -> None:
    position = Position.from_dict(perft.read()[name].position)
    counter = perft.Counter(position.game, position.state)
    depth = 1
    while (expected := perft.count(position.game, position.state, depth)) < 300 and depth < 10:
        assert counter.count(depth) == expected
        depth += 1
    assert counter.count(depth) == expected


def test_the_committed_counts_are_counted_again() -> None:
    done = run("perft", "--at-most", "1000000")
    assert done.exit_code == 0, done.output
    assert "piramide 2" in done.output


def test_a_wrong_count_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = perft.drawn("schnapsen ending", 10)
    perft.write({"x": perft.Perft(expected.position, expected.depth, expected.sequences + 1)}, tmp_path / "perft.json")
    wrong = perft.read(tmp_path / "perft.json")
    monkeypatch.setattr(perft, "read", lambda: wrong)
    done = run("perft")
    assert done.exit_code == 1
    assert f"expected {expected.sequences + 1}" in done.output


# ---- threads, rivals, tables --------------------------------------------------------------------------------------


def test_threads_give_the_same_answers() -> None:
    row = by_name()["piramide3"]
    found = threads.seconds(row, threads.positions(row, 600))
    assert all(batch.wall > 0 for batch in found)
    assert found.gain * found.two.wall == pytest.approx(found.gain_apart * found.apart.wall)
    assert "2 processes" in run("threads", "--row", "piramide3", "--positions", "20", "--rounds", "1").output


@pytest.mark.parametrize("name", ["piramide3", "schnapsen"])
def test_batches_last_and_no_deal_is_remembered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "LEAST", 0.01)
    asked = threads.positions(by_name()[name])
    assert len(asked) >= 2 * threads.FAST
    assert (asked[: threads.FAST] == asked[threads.FAST : 2 * threads.FAST]).all()


def test_a_table_that_remembers_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "FAST", 64)
    with pytest.raises(AssertionError, match="with a copy"):
        threads.positions(by_name()["schnapsen"])


def test_every_subject_is_found_by_name() -> None:
    for rival in RIVALS:
        for side in (subject.OURS, subject.THEIRS):
            assert subject.find(f"{rival.name}.{side}").answers(2) == 2 * rival.answers


def test_an_absent_rival_is_said_to_be_absent() -> None:
    table = report.rivals_table(RIVALS, {}, {rival.name: "not installed" for rival in RIVALS})
    assert list(table.columns[2].cells) == ["not installed"] * len(RIVALS)


def test_times_have_their_unit() -> None:
    assert [report.in_words(seconds) for seconds in (1.234e-6, 0.0005, 0.0123, 2.5)] == [
        "1.23 us",
        "500 us",
        "12.3 ms",
        "2.5 s",
    ]


def test_the_pace_of_a_machine_is_a_rival_s() -> None:
    """Targets are of a machine on which a rival was timed too."""
    [(name, there)] = [(rival.name, rival.there) for rival in RIVALS if rival.there]
    assert report.pace({}) is None
    seconds = {f"{name}.theirs": [there, 2 * there, 9 * there], "antikoziris": [165e-6]}
    assert report.pace(seconds) == 2
    row = by_name()["antikoziris"]
    table = report.rows_table([row], {row.name: Answers([0], [0], 1.0)}, seconds)
    cells = [next(iter(column.cells)) for column in table.columns]
    assert cells[-3:] == ["110 us", "[red]1.50[/]", "[green]0.75[/]"]


def test_tables_are_put_into_documents(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- it: begin -->\nold\n<!-- it: end -->\nafter\n")
    document.put(page, "it", "| new |")
    document.put(page, "it", "| newer |")
    text = page.read_text()
    assert text.startswith("before\n<!-- it: begin -->\n| newer |\n") and text.endswith("<!-- it: end -->\nafter\n")
    assert "old" not in text and "| new |" not in text
    with pytest.raises(ValueError, match="no place"):
        document.put(page, "other", "")


def test_searches_are_stopped_by_limits_and_by_ctrl_c() -> None:
    """How soon is measured, not tested; but not first when the search ends by itself."""
    for search in limits.searches():
        if search.game.players == 3:
            assert 0 <= limits.lateness_after_limit(search) < 10
            assert 0 <= limits.lateness_after_interrupt(search) < 10


def test_a_search_that_is_over_at_once_proves_nothing() -> None:
    search = next(limits.searches())
    vars(search)["rows"] = search.rows[:32]
    with pytest.raises(limits.Ended, match="before it could be stopped"):
        search.run(Limit(time=1000))


def test_a_hill_climb_keeps_what_is_better(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    steps = iter([4, 9, 2, 3])
    monkeypatch.setattr(hill_climb, "time", SimpleNamespace(monotonic=count().__next__))

    def cost(weight: int, most: float) -> float:
        return weight if weight <= most else float("inf")

    assert hill_climb.climb(7, cost, lambda _: next(steps), lambda total: 10 * total, 5) == 2
    assert capsys.readouterr().out.splitlines() == ["70 nodes 7", "40 nodes 4", "20 nodes 2"]


def test_the_weights_of_plain_are_found_in_its_source() -> None:
    source = (tune_plain.SOURCES / "_plain.pyx").read_text()
    weights = tune_plain.read_weights(source)
    assert {"EASY", "LEAD_KILLER"} <= weights.keys()
    tables = re.findall(r"int8_t\[(\d+)\] [A-Z_]+ = ", source)
    assert tables and sum("[" in name for name in weights) == sum(map(int, tables))
    moved = tune_plain.moved([name for name in weights if name.startswith("DUCKS")], weights, Random(1))
    assert moved and all(name.startswith("DUCKS") and abs(moved[name]) <= 127 for name in moved)
