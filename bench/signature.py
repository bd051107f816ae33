"""Values and node counts of the rows' deals, and the file that says what they have to be.

A value that differs is an error of the kernel. A node count that differs is a change of the search: whoever means it
writes the file anew, and the difference shows what it did.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .row import Row

FILE = Path(__file__).with_name("signature.json")


@dataclass(frozen=True)
class Answers:
    """What one call with a new table gave for the first deals of a row.

    values, nodes: by deal. seconds: processor time, with that of making the solver.
    """

    values: list[int]
    nodes: list[int]
    seconds: float = 0.0

    @property
    def nodes_per_deal(self) -> float:
        """The mean."""
        return sum(self.nodes) / len(self.nodes)


Signature = dict[str, Answers]
"""Answers by the name of the row."""


def answers(row: Row, count: int) -> Answers:
    """Solves the first deals of a row, all in one call."""
    rows = row.rows(0, count)
    start = time.process_time()
    values, done, nodes = row.solver().values(rows)
    seconds = time.process_time() - start
    assert done.all(), f"{row.name}: a search without limits stopped"
    return Answers(values.tolist(), nodes.tolist(), seconds)


def read(file: Path = FILE) -> Signature:
    """The signature in a file; empty if there is none."""
    if not file.exists():
        return {}
    return {name: Answers(**entry) for name, entry in json.loads(file.read_text()).items()}


def write(signature: Signature, file: Path = FILE) -> None:
    """Writes a signature, a row a line, so that a change shows as that row's."""
    lines = [
        f"{json.dumps(name)}: {json.dumps({'values': known.values, 'nodes': known.nodes})}"
        for name, known in signature.items()
    ]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def total_nodes(signature: Iterable[Answers]) -> int:
    """The node-count signature: one number that a change of any search changes."""
    return sum(sum(known.nodes) for known in signature)


def wrong_values(name: str, found: Answers, known: Answers) -> str | None:
    """What is wrong with the values, in a sentence."""
    if len(known.values) < len(found.values):
        return f"{name}: the signature has {len(known.values)} deals, {len(found.values)} were asked for"
    pairs = list(zip(found.values, known.values, strict=False))
    wrong = [number for number, (value, right) in enumerate(pairs) if value != right]
    if not wrong:
        return None
    first = wrong[0]
    return (
        f"{name}: {len(wrong)} of {len(pairs)} values are wrong, first that of deal {first}:"
        f" {found.values[first]}, not {known.values[first]}"
    )


def other_nodes(name: str, found: Answers, known: Answers) -> str | None:
    """How the node counts differ, in a sentence."""
    expected = known.nodes[: len(found.nodes)]
    if found.nodes == expected:
        return None
    return f"{name}: {sum(found.nodes)} nodes for {len(found.nodes)} deals, {sum(expected)} in the signature"
