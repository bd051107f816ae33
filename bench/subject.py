"""What is timed: a row's question, or one that a rival is asked as well."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from .rival import RIVALS, Rival
from .row import ROWS, WARMING, Row

OURS, THEIRS = "ours", "theirs"


@dataclass(frozen=True)
class Subject:
    """Something that is timed.

    name: also of its results. answers: how many answers one measurement gives, for so many deals. measure: the seconds
    of processor time that the first so many deals took.
    """

    name: str
    answers: Callable[[int], int]
    measure: Callable[[int], float]


def row_seconds(row: Row, count: int) -> float:
    """Solves a row's deals in a batch, in each pass with a table that other deals have filled; without preparation."""
    asked, warming = row.rows(0, count), row.rows(WARMING, row.warming)
    seconds = 0.0
    for _ in range(row.passes):
        solver = row.solver()
        solver.values(warming)
        start = time.process_time()
        solver.values(asked)
        seconds += time.process_time() - start
    return seconds


def of_row(row: Row) -> Subject:
    """A row as something to time."""
    return Subject(row.name, lambda count: count * row.passes, partial(row_seconds, row))


def of_rival(rival: Rival, side: str) -> Subject:
    """One side of a comparison as something to time."""
    measure = rival.ours if side == OURS else rival.theirs
    return Subject(f"{rival.name}.{side}", lambda count: count * rival.answers, measure)


def find(name: str) -> Subject:
    """The subject of that name."""
    subjects = [of_row(row) for row in ROWS]
    subjects += [of_rival(rival, side) for rival in RIVALS for side in (OURS, THEIRS)]
    return next(subject for subject in subjects if subject.name == name)
