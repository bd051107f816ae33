"""Throughput of the batch call with one thread and with two, and of two processes, which is what the machine allows.

A batch lasts long enough to be measured: where drawing so many deals would take longer than solving them, it holds the
drawn ones again and again. A copy must cost as much as the first time, so it comes thousands of deals later, and a
kernel that remembers other deals gets a table too small to remember any so long; that the nodes are as many times as
many is checked.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import ceil
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.search import Limit, packed_values

from .row import Row, by_name

FAST, SLOW = 4096, 1024
"""Positions that are drawn; those of slow rows last long enough."""
LEAST = 1.5
"""Seconds that a batch lasts with one thread, at the least."""
ROUNDS = 5
THREADS = 2
_TABLE_MB = {"schnapsen": 1 / 16}
"""Of the rows whose kernel would find an ending of one trick or two again in a table of the usual size."""
_PATIENCE = 60
"""Seconds that a process waits for the other one to be there."""
_REMEMBERED = 0.01
"""The share of the nodes that copies may save."""


@dataclass(frozen=True)
class Batch:
    """Seconds for one batch, by the clock on the wall and of processor time."""

    wall: float
    processor: float


def positions(row: Row, count: int | None = None) -> NDArray[np.int64]:
    """The packed positions of a batch; or the first so many of the row, without copies.

    Raises AssertionError if copies are found in the table.
    """
    if count is not None:
        return row.rows(0, count)
    drawn = row.rows(0, SLOW if row.slow else FAST)
    if row.slow:
        return drawn
    once, twice = (_nodes(row, np.tile(drawn, (copies, 1))) for copies in (1, 2))
    assert twice > (2 - _REMEMBERED) * once, f"{row.name}: {once} nodes, with a copy {twice}"
    _, batch = _solved(row, drawn, 1)
    return np.tile(drawn, (max(2, ceil(LEAST / batch.processor)), 1))


class Round(NamedTuple):
    """The same batch with one thread, with two, and by two processes at once, a half each: the mean of the two."""

    one: Batch
    two: Batch
    apart: Batch

    @property
    def gain(self) -> float:
        """The throughput of two threads over that of one."""
        return self.one.wall / self.two.wall

    @property
    def gain_apart(self) -> float:
        """The throughput of two processes over that of one thread: what the machine allows."""
        return self.one.wall / self.apart.wall


def seconds(row: Row, asked: NDArray[np.int64]) -> Round:
    """One round. Raises AssertionError if the answers differ."""
    (one, first), (two, second) = (_solved(row, asked, threads) for threads in (1, THREADS))
    halves, apart = _apart(row, asked)
    assert np.array_equal(one, two), f"{row.name}: the answers depend on the number of threads"
    assert np.array_equal(one, halves), f"{row.name}: the answers depend on the process"
    return Round(first, second, apart)


def _apart(row: Row, asked: NDArray[np.int64]) -> tuple[NDArray[np.int32], Batch]:
    """Answers of two processes and the mean of their times. Raises EOFError if one of them fails."""
    context = get_context("spawn")
    start = context.Barrier(THREADS)
    answers = []
    for part in np.array_split(asked, THREADS):
        answer, told = context.Pipe(duplex=False)
        context.Process(target=_together, args=(row.name, part, start, told)).start()
        told.close()
        answers.append(answer)
    values, batches = zip(*(answer.recv() for answer in answers), strict=True)
    wall, processor = (sum(getattr(batch, name) for batch in batches) / THREADS for name in ("wall", "processor"))
    return np.concatenate(values), Batch(wall, processor)


def _together(name: str, asked: NDArray[np.int64], start: Any, told: Any) -> None:
    """Tells values and times of a part that is begun when the other process begins its own."""
    row = by_name()[name]
    start.wait(_PATIENCE)
    told.send(_solved(row, asked, 1))


def _table_mb(row: Row) -> float:
    return _TABLE_MB.get(row.name, Limit().table_mb)


def _nodes(row: Row, asked: NDArray[np.int64]) -> int:
    return int(row.solver(_table_mb(row)).values(asked)[2].sum())


def _solved(row: Row, asked: NDArray[np.int64], threads: int) -> tuple[NDArray[np.int32], Batch]:
    limit = Limit(table_mb=_table_mb(row))
    wall, processor = time.perf_counter(), time.process_time()
    values = packed_values(row.game, asked, threads=threads, limit=limit)
    return values, Batch(time.perf_counter() - wall, time.process_time() - processor)
