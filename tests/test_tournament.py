from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from solver import tournament
from solver.game import RuleError
from solver.tournament import Journal, JournalError, Mean, Result


def small(**how: object) -> tournament.Plan:
    return tournament.plan("piramide", ["novice", "random"], **{"size": 4, "seed": 3} | how)  # type: ignore[arg-type]


# ---- duplicate deals ----------------------------------------------------------------------------------------------


def test_seatings() -> None:
    assert tournament.seatings(2) == [(0, 1), (1, 0)]
    assert tournament.seatings(3) == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    for seats in range(2, 9):
        found = tournament.seatings(seats)
        assert all(sum(seating[place] for seating in found) * 2 == len(found) for place in range(seats))


def test_equal_players_draw_every_deal() -> None:
    """The novice has no luck of his own, so two that differ in name only play the same games from both sides."""
    setup = tournament.plan("atspek", ["novice", "novice:seconds=1"], size=3)
    table = tournament.run(setup)
    assert table.meetings[0].lead.mean == 0 and table.meetings[0].share.mean == 0.5
    assert [row.rating for row in table.standings] == pytest.approx([0, 0], abs=1e-6)


def test_a_round_robin() -> None:
    setup = tournament.plan("piramide", ["random", "novice", "novice:samples=1"], size=6, seed=1)
    seen: list[tuple[int, int]] = []
    table = tournament.run(setup, report=lambda done, total: seen.append((done, total)))
    assert [(pair.first, pair.second) for pair in table.meetings] == [
        ("random", "novice"),
        ("random", "novice:samples=1"),
        ("novice", "novice:samples=1"),
    ]
    assert seen == [(done, 18) for done in range(1, 19)]
    assert sum(row.rating for row in table.standings) == pytest.approx(0, abs=1e-6)
    assert [row.rating for row in table.standings] == sorted((row.rating for row in table.standings), reverse=True)
    assert all(row.deals == 12 for row in table.standings)
    told = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert told["standings"][0]["player"] == table.standings[0].player
    assert table.standings[0].player in str(table)


def test_whole_matches() -> None:
    table = tournament.run(tournament.plan("sixty_six", ["novice", "random"], unit="matches", size=2, seed=1))
    assert table.meetings[0].share.mean == 1 and table.meetings[0].lead.mean > 2


def test_three_at_a_table() -> None:
    table = tournament.run(tournament.plan("antikoziris", ["novice", "random"], size=1))
    assert table.plan.seats == 3 and table.meetings[0].lead.mean > 0


def test_shares_of_matches() -> None:
    assert tournament._share([0], (0, 1)) == 1
    assert tournament._share([1], (0, 1)) == 0
    assert tournament._share([], (0, 1)) == 0.5
    assert tournament._share([0, 1], (0, 1)) == 0.5
    assert tournament._share([0], (0, 1, 1)) == 1
    assert tournament._share([2], (0, 1, 1)) == 0


def test_wrong_plans() -> None:
    for players, told in ((["novice"], "two or more"), (["novice", "novice"], "different"), (["novice", "x"], "level")):
        with pytest.raises(ValueError, match=told):
            tournament.plan("piramide", players)
    with pytest.raises(ValueError, match="unit"):
        small(unit="tricks")
    with pytest.raises(RuleError):
        small(seats=9)


# ---- numbers ------------------------------------------------------------------------------------------------------


def test_a_mean_by_hand() -> None:
    found = Mean.of([1.0, 2.0, 3.0, 6.0])
    assert found.mean == 3
    assert found.stderr == pytest.approx(math.sqrt(14 / 3 / 4))
    assert found.high - found.mean == pytest.approx(3.18245 * found.stderr, rel=2e-3)  # Student, 3 degrees
    assert (Mean.of([1, 1, 1, 0]).as_share().high, Mean.of([0, 0, 0, 1]).as_share().low) == (1, 0)
    assert math.isnan(Mean.of([1.0]).as_share().low) and math.isnan(Mean.of([1.0]).as_share().high)
    assert math.isnan(Mean.of([]).mean) and math.isnan(Mean.of([1.0]).stderr)


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 12.706), (2, 4.303), (5, 2.571), (30, 2.042), (1000, 1.962)])
def test_students_quantiles(freedom: int, quantile: float) -> None:
    assert tournament._student(freedom) == pytest.approx(quantile, rel=1e-3)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """2000 synthetic tournaments of 12 deals whose true lead is known: 95 %, within four standard errors."""
    random = Random(7)
    held = 0
    for _ in range(2000):
        found = Mean.of([random.gauss(1.5, 4) for _ in range(12)])
        held += found.low <= 1.5 <= found.high
    assert abs(held / 2000 - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 2000)


def test_ratings_of_a_synthetic_tournament() -> None:
    """Players 200 points apart score what Elo says, and the ratings find it again."""
    setup = tournament.plan("piramide", ["novice", "random", "club"], size=1000)
    truth = {0: 200.0, 1: -200.0, 2: 0.0}
    results = [
        Result(pair, number, 0.0, 1 / (1 + 10 ** ((truth[pair[1]] - truth[pair[0]]) / 400)), 2)
        for pair in ((0, 1), (0, 2), (1, 2))
        for number in range(1000)
    ]
    rated = {row.player: row.rating for row in tournament.count(setup, results).standings}
    assert rated == pytest.approx({"novice": 200, "random": -200, "club": 0}, abs=2)


def test_who_won_everything_has_a_finite_rating() -> None:
    setup = tournament.plan("piramide", ["novice", "random"], size=10)
    table = tournament.count(setup, [Result((0, 1), number, 5.0, 1.0, 2) for number in range(10)])
    assert 100 < table.standings[0].rating - table.standings[1].rating < 1000


# ---- the journal --------------------------------------------------------------------------------------------------


def test_a_tournament_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = tournament.run(small())
    tournament.run(small(size=2), journal=path)
    before = path.read_bytes()
    assert tournament.run(small(), journal=path) == whole
    after = path.read_bytes()
    assert after.startswith(before) and len(after.splitlines()) == 5
    assert tournament.run(small(), journal=path) == whole
    assert path.read_bytes() == after


@pytest.mark.parametrize("cut", [1, 30])
def test_a_line_that_was_not_written_to_its_end(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "journal.jsonl"
    whole = tournament.run(small(), journal=path)
    written = path.read_bytes()
    path.write_bytes(written[:-cut])
    assert tournament.run(small(), journal=path) == whole
    assert sorted(path.read_bytes().splitlines()) == sorted(written.splitlines())


def test_a_first_line_that_was_not_written_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    tournament.run(small(size=1), journal=path)
    path.write_bytes(path.read_bytes()[:20])
    assert tournament.run(small(size=1), journal=path).meetings[0].deals == 1


def test_journals_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    tournament.run(small(size=1), journal=path)
    with pytest.raises(JournalError, match="another tournament"):
        tournament.run(small(seed=4), journal=path)
    path.write_text(path.read_text() + "nonsense\n")
    with pytest.raises(JournalError, match="line 3"):
        tournament.run(small(), journal=path)
    path.write_text("a letter to a friend")
    with pytest.raises(JournalError, match="is not the journal"):
        tournament.run(small(), journal=path)
    assert path.read_text() == "a letter to a friend"


def test_no_deal_twice(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    book = Journal(path, small())
    for lead in (1.0, 2.0):
        book.add(Result((0, 1), 0, lead, 0.5, 2))
    book.close()
    again = Journal(path, small())
    again.close()
    assert [result.lead for result in again.results.values()] == [1.0]


def test_any_executor(tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as executor:
        table = tournament.run(small(), executor=executor, workers=3, journal=tmp_path / "journal.jsonl")
        executor.submit(int).result()  # it is still open
    assert table == tournament.run(small())


def test_processes() -> None:
    assert tournament.run(small(), workers=2) == tournament.run(small())


def test_a_tournament_that_is_killed(tmp_path: Path) -> None:
    """Killed without warning in mid-run, it ends as if nothing had been: no deal lost, none twice."""
    path = tmp_path / "journal.jsonl"
    arguments = ["tournament", "piramide", "novice", "random", "--deals", "300", "--seed", "3", "--journal", str(path)]
    child = subprocess.Popen([sys.executable, "-c", "from solver.cli import main; main()", *arguments])
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_bytes().count(b"\n") > 5):
        assert time.monotonic() < deadline and child.poll() is None
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    written = path.read_bytes()
    kept = written[: written.rfind(b"\n") + 1]
    done = kept.count(b"\n") - 1
    setup = small(size=done + 3)
    table = tournament.run(setup, journal=path)
    assert path.read_bytes().startswith(kept)
    rows = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert [row["number"] for row in rows] == list(range(done + 3))
    assert table.meetings[0].deals == done + 3


# ---- the commands -------------------------------------------------------------------------------------------------


def test_the_command_of_a_tournament(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from solver.cli import kirtis

    run = CliRunner().invoke
    arguments = ["tournament", "piramide", "novice", "random", "--seed", "3"]
    told = json.loads(run(kirtis, [*arguments, "--deals", "3", "--json"]).stdout)
    assert told["size"] == 3 and told["unit"] == "deals" and len(told["meetings"]) == 1
    shown = run(kirtis, [*arguments, "--deals", "2"])
    assert shown.exit_code == 0 and "rating" in shown.stdout and "against" in shown.stdout
    lithuanian = run(kirtis, [*arguments, "--deals", "2", "--lang", "lt"])
    assert lithuanian.exit_code == 0 and "reitingas" in lithuanian.stdout and "padalijimai" in lithuanian.stdout
    assert not set(lithuanian.stdout.split()) & {"player", "rating", "deals", "lead", "share", "against"}
    journal = tmp_path / "journal.jsonl"
    journal.write_text("no journal\n")
    assert run(kirtis, [*arguments, "--journal", str(journal)]).exit_code == 1
    for wrong in (["--deals", "1", "--matches", "1"], ["--seats", "9"], ["--rules", "nonsense"]):
        assert run(kirtis, [*arguments, *wrong]).exit_code == 2


def test_the_command_of_a_match(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from solver.cli import kirtis

    run = CliRunner().invoke
    record = tmp_path / "match.jsonl"
    arguments = ["match", "sixty_six", "novice", "random", "--seed", "3", "--record", str(record)]
    first = run(kirtis, [*arguments, "--deals", "1"])
    assert first.exit_code == 0 and "to be continued after 1 deals" in first.stdout
    second = run(kirtis, arguments)
    assert second.exit_code == 0 and "won by player 1 (novice)" in second.stdout
    lithuanian = run(kirtis, [*arguments, "--lang", "lt"])
    assert "laimėjo žaidėjas 1 (novice)" in lithuanian.stdout and "padalijimas   1" in lithuanian.stdout
    assert not set(lithuanian.stdout.split()) & {"deal", "player", "scores", "match", "won", "after", "seed"}
    lines = run(kirtis, [*arguments, "--json"]).stdout.splitlines()
    assert lines == record.read_text().splitlines()
    assert run(kirtis, ["match", "sixty_six", "random", "novice", "--record", str(record)]).exit_code == 2
    assert run(kirtis, ["match", "nothing", "random", "novice"]).exit_code == 2
    assert run(kirtis, ["match", "66", "random", "nobody"]).exit_code == 2
    endless = run(kirtis, ["match", "plain", "random", "random", "--deals", "1", "--seed", "1"])
    assert endless.exit_code == 0
