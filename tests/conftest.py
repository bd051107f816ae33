"""Options and markers of the test suite."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parent.parent))
"""So that tests find `common` and `bench`, whatever pytest's import mode."""

_OPTIONAL = {
    "test_bench_rivals.py": ("pyperf", "endplay", "schnapsen"),
    "test_openspiel.py": ("pyspiel",),
    "test_pettingzoo.py": ("pettingzoo",),
}
"""Tests of what needs an optional extra, by the packages it brings: the suite is without them where one is absent."""

collect_ignore = [test for test, packages in _OPTIONAL.items() if not all(map(find_spec, packages))]

settings.register_profile("suite", deadline=None)
settings.register_profile("nightly", deadline=None, max_examples=5000)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate-golden",
        action="store_true",
        help="write the transcripts in tests/golden anew instead of comparing with them",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the nightly tests out, unless an expression of markers speaks of them."""
    if "nightly" in config.getoption("markexpr", ""):
        return
    nightly = [item for item in items if item.get_closest_marker("nightly")]
    items[:] = [item for item in items if not item.get_closest_marker("nightly")]
    if nightly:
        config.hook.pytest_deselected(items=nightly)
