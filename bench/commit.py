"""Two commits built side by side, and the suite of the present run on both in turn."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from .row import Row
from .signature import Answers
from .timing import ROOT


class Failed(RuntimeError):
    """There is no such commit, it does not compile, or it cannot answer; the sentence quotes who said so."""


def _run(command: list[str], directory: Path) -> str:
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Failed(f"{' '.join(command)}: {said[-1] if said else done.returncode}")
    return done.stdout.strip()


def described(commit: str) -> str:
    """A commit's short hash and first line. Raises Failed."""
    return _run(["git", "log", "-1", "--format=%h %s", commit, "--"], ROOT)


@contextmanager
def built(commit: str) -> Iterator[Path]:
    """A directory with a commit's solver, kernels compiled in place, and the present suite. Raises Failed."""
    with TemporaryDirectory() as directory:
        tree, archive = Path(directory, "tree"), Path(directory, "tree.tar")
        _run(["git", "archive", "--output", str(archive), commit], ROOT)
        shutil.unpack_archive(archive, tree)
        _run([sys.executable, "setup.py", "build_ext", "--inplace", "--parallel", str(os.cpu_count() or 1)], tree)
        shutil.rmtree(tree / "bench", ignore_errors=True)
        shutil.copytree(ROOT / "bench", tree / "bench", ignore=shutil.ignore_patterns("__pycache__"))
        yield tree


def answers(tree: Path, row: Row, count: int) -> Answers:
    """What a built commit answers to a row. Raises Failed if it cannot."""
    command = [sys.executable, "-m", "bench", "answers", "--row", row.name, "--deals", str(count)]
    return Answers(**json.loads(_run(command, tree))[row.name])
