"""Times subjects by pyperf, in rounds: each round measures every subject once, so that slow spells hit all alike."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
"""The directory that has this suite and the solver."""

Seconds = dict[str, list[float]]
"""Seconds for each answer, by the name of the subject, one for each round."""


class Failed(RuntimeError):
    """A measurement did not come to its end; the sentence is the last that it said."""


def installed() -> bool:
    """Is pyperf here?"""
    return importlib.util.find_spec("pyperf") is not None


def measure(counts: Mapping[str, int], root: Path = ROOT) -> Any:
    """One round: a `pyperf.BenchmarkSuite` with one value for each subject, by name and number of deals.

    root: the directory whose `bench` and `solver` are run. Raises Failed.
    """
    import pyperf

    with TemporaryDirectory() as directory:
        file = Path(directory, "round.json")
        command = [sys.executable, "-m", "bench.worker", "--quiet", "--copy-env", "-o", str(file), "--counts"]
        command += [f"{name}={count}" for name, count in counts.items()]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(_reason(done.stderr) or f"it ended with {done.returncode}")
        return pyperf.BenchmarkSuite.load(str(file))


def _reason(said: str) -> str:
    """The first error in what a measurement said: after that of the worker comes that of the process over it."""
    return next((line for line in said.splitlines() if re.match(r"[\w.]*(Error|Exception): ", line)), "")


def seconds(suites: list[Any]) -> Seconds:
    """The values of several rounds."""
    found: Seconds = {}
    for suite in suites:
        for benchmark in suite:
            found.setdefault(benchmark.get_name(), []).extend(benchmark.get_values())
    return found


def keep(suites: list[Any], file: Path) -> None:
    """Writes all rounds to a file for pyperf's own commands."""
    import pyperf

    file.unlink(missing_ok=True)
    for suite in suites:
        pyperf.add_runs(str(file), suite)


def spread(values: list[float]) -> tuple[float, float, float]:
    """Median, least and greatest."""
    return median(values), min(values), max(values)
