"""The programs in `tools/` that made what the package ships: they run, and find what they say."""

from __future__ import annotations

import importlib.util
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner

import solver
from solver.game import find_game
from solver.games.piramide import PYRAMID
from solver.judgement import JUDGED
from solver.pyramid import pyramid
from solver.search import kernel

TOOLS = Path(__file__).parent.parent / "tools"


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Of the arrays in a file, by name."""
    with np.load(path) as data:
        return {name: data[name].shape for name in data.files}


def test_pyramids_of_hands_that_are_known() -> None:
    """Announcing now costs the slot later: of two equally likely hands each takes what suits it while it is open."""
    making = tool("make_pyramid")
    alike = making.solve_pyramid(np.full((3, 7), 10.0))
    assert alike[PYRAMID] == 10 * sum(PYRAMID)
    two = making.solve_pyramid(np.array([[4.0, 2, 0, 0, 0, 0, 0], [0.0, 2, 0, 0, 0, 0, 0]]))
    one_of_each = (1, 1, 0, 0, 0, 0, 0)
    assert two[(1, 0, 0, 0, 0, 0, 0)] == 2
    assert two[(0, 1, 0, 0, 0, 0, 0)] == 2
    assert two[one_of_each] == ((4 + 2) + (2 + 2)) / 2


def test_a_random_hand_is_worth_what_pyramids_are_made_of() -> None:
    values = tool("make_pyramid").hand_values("triangular", 2, 1, 20)
    assert values.shape == (7,)
    assert 0 < values.max() <= 10
    assert pyramid("triangular", 2).values[PYRAMID] < 10 * sum(PYRAMID)


def test_what_contracts_bring() -> None:
    measuring = tool("measure_contracts")
    assert measuring.lead((10, 4, 2), 0) == 7
    found = defaultdict(list)
    for seed in range(4):
        measuring.lone_contract("piramide", seed, found)
    assert sum(map(len, found.values())) == 4
    assert all(abs(brought) <= 10 and abs(expected) <= 10 for pairs in found.values() for expected, brought in pairs)


def test_auctions_are_counted() -> None:
    measuring = tool("measure_contracts")
    found = defaultdict(list)
    for seed in range(10):
        measuring.auction("antikoziris", seed, found)
    outbid = [number for name, numbers in found.items() if name.endswith("outbid") for number in numbers]
    passed = [number for name, numbers in found.items() if name.startswith("passed") for number in numbers]
    assert len(outbid) >= 3
    assert set(outbid) <= {0, 1}
    assert passed


def test_lines_through_what_contracts_brought() -> None:
    measuring = tool("measure_contracts")
    table = measuring.table_of_lines({"contract 2": [(-10.0, -3.0), (0.0, 2.0), (10.0, 7.0)]})
    cells = [next(iter(column.cells)) for column in table.columns]
    assert cells == ["contract 2", "+2.00", "2.89", "3", "+2.00", "0.50"]


def test_the_tables_are_printed() -> None:
    done = CliRunner().invoke(tool("measure_contracts").main, ["antikoziris", "--deals", "2"])
    assert done.exit_code == 0, done.output
    assert "auctions" in done.output


@pytest.mark.parametrize("game", sorted(tool("fit_policy").GAMES))
def test_policies_are_fitted(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deals are played once; the moves they are fitted to are likelier than at random, and the weights are written."""
    fitting = tool("fit_policy")
    for name, value in {"SAMPLES": 1, "KEPT_OUT": 0.5, "STEPS": 60}.items():
        monkeypatch.setattr(fitting, name, value)
    deals = fitting.played(game, 6, tmp_path / "deals.jsonl")
    assert fitting.played(game, 6, tmp_path / "deals.jsonl") == deals
    sizes = fitting.GAMES[game].SIZES
    for situation, found in fitting.gathered(game, deals).items():
        policy, uniform = fitting.judged(fitting.fitted(found, sizes[situation]), found)
        assert policy > uniform
    written = tmp_path / "weights.npz"
    arguments = [game, "--deals", "6", "--played", str(tmp_path / "deals.jsonl"), "--write", str(written)]
    done = CliRunner().invoke(fitting.main, arguments)
    assert done.exit_code == 0, done.output
    assert "uniform" in done.output
    shipped = Path(solver.__file__).parent / "data" / f"policy_{game}.npz"
    assert shapes(written) == shapes(shipped)


@pytest.mark.parametrize("game", sorted(JUDGED))
def test_networks_are_taught(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By any number of threads the same; the errors fall, and what is written is what is shipped, in other numbers."""
    training = tool("train_network")
    module = kernel(find_game(game))
    results = []
    for threads in (1, 2):
        weights = training.begun(module, 1)
        steps = list(training.taught(module, weights, 3000, 1, threads))
        results.append(weights)
        errors = [error / moves for moves, error in steps]
        assert np.mean(errors[-10:]) < 0.9 * np.mean(errors[:2])
    assert (results[0] == results[1]).all()
    monkeypatch.setattr(training, "_SHOWN", 1)
    written = tmp_path / "network.npz"
    done = CliRunner().invoke(training.main, [game, "--deals", "64", "--write", str(written)])
    assert done.exit_code == 0, done.output
    assert "64 deals: off by" in done.output
    assert shapes(written) == shapes(Path(solver.__file__).parent / "data" / f"network_{game}.npz")
