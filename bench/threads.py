"""Throughput of the batch call with one thread and with two.

A batch lasts long enough to be measured: where drawing so many deals would take longer than solving them, it holds the
drawn ones again and again. A copy must cost as much as the first time, so it comes thousands of deals later, and a
kernel that remembers other deals gets a table too small to remember any so long; that the nodes are as many times as
many is checked.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from solver.search import Limit, packed_values

from .row import Row

FAST, SLOW = 4096, 1024
"""Positions that are drawn; those of slow rows last long enough."""
LEAST = 1.5
"""Seconds that a batch lasts with one thread, at the least."""
ROUNDS = 5
THREADS = 2
_TABLE_MB = {"schnapsen": 1 / 16}
"""Of the rows whose kernel would find an ending of one trick or two again in a table of the usual size."""
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


def seconds(row: Row, asked: NDArray[np.int64]) -> tuple[Batch, Batch]:
    """One round: a batch with one thread and with two. Raises AssertionError if the answers differ."""
    (one, first), (two, second) = (_solved(row, asked, threads) for threads in (1, THREADS))
    assert np.array_equal(one, two), f"{row.name}: the answers depend on the number of threads"
    return first, second


def _table_mb(row: Row) -> float:
    return _TABLE_MB.get(row.name, Limit().table_mb)


def _nodes(row: Row, asked: NDArray[np.int64]) -> int:
    return int(row.solver(_table_mb(row)).values(asked)[2].sum())


def _solved(row: Row, asked: NDArray[np.int64], threads: int) -> tuple[NDArray[np.int32], Batch]:
    limit = Limit(table_mb=_table_mb(row))
    wall, processor = time.perf_counter(), time.process_time()
    values = packed_values(row.game, asked, threads=threads, limit=limit)
    return values, Batch(time.perf_counter() - wall, time.process_time() - processor)
