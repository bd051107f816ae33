"""Throughput of the batch call with one thread and with two."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from solver.search import packed_values

from .row import Row

FAST, SLOW = 4096, 1024
"""Positions in a batch."""
THREADS = 2


def batch_size(row: Row) -> int:
    """So many positions that both threads are busy to the end."""
    return SLOW if row.slow else FAST


@dataclass(frozen=True)
class Batch:
    """Seconds for one batch, by the clock on the wall and of processor time."""

    wall: float
    processor: float


def seconds(row: Row, count: int) -> tuple[Batch, Batch]:
    """The same batch with one thread and with two. Raises AssertionError if the answers differ."""
    asked = row.rows(0, count)
    batches, answers = [], []
    for threads in (1, THREADS):
        wall, processor = time.perf_counter(), time.process_time()
        answers.append(packed_values(row.game, asked, threads=threads))
        batches.append(Batch(time.perf_counter() - wall, time.process_time() - processor))
    assert np.array_equal(answers[0], answers[1]), f"{row.name}: the answers depend on the number of threads"
    return batches[0], batches[1]
