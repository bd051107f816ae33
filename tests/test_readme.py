"""The README's examples are true: its Python runs and gives what the comments say, its position is a position."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

from solver import Position

ROOT = Path(__file__).parent.parent
PAGES = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found[1]


def test_python_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    checked = 0
    for line in block("python").splitlines():
        code, _, comment = line.partition("#")
        told = re.match(r"\s*(\d+|\[.*?\])(?:$|:)", comment)
        if told:
            assert eval(code, names) == ast.literal_eval(told[1]), line
            checked += 1
        else:
            exec(code, names)
    assert checked == 3
    assert len(names["deals"]) == 20  # type: ignore[arg-type]


def test_position_example() -> None:
    position = Position.from_text(block("json"))
    assert position == Position.from_text((ROOT / "examples" / "antikoziris.json").read_text(encoding="utf-8"))


def test_every_example_is_listed() -> None:
    listed = set(re.findall(r"\]\(examples/(\w+\.py)\)", README))
    assert listed == {path.name for path in (ROOT / "examples").glob("*.py")}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "bench/README.md", *PAGES])
def test_linked_files_exist(page: str) -> None:
    for target in re.findall(r"\]\((?!http)([^)]+)\)", (ROOT / page).read_text(encoding="utf-8")):
        assert (ROOT / page).parent.joinpath(target).is_file(), target


def test_the_gate_can_be_run() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_contributing_names_every_module() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:solver/)?([\w*]+\.py)`", table)
    missing = [path.name for path in (ROOT / "solver").glob("[!_]*.py") if not any(map(path.match, named))]
    assert not missing
