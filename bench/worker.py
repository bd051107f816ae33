"""The program that pyperf runs, in a process of its own for each measurement: `timing` starts it.

Time is processor time, which other work on the machine disturbs less than it does a clock on the wall.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial

import pyperf

from .subject import Subject, find


def _seconds(subject: Subject, count: int, loops: int) -> float:
    return sum(subject.measure(count) for _ in range(loops))


def _pass_on(command: list[str], given: Namespace) -> None:
    """Gives the processes that measure our own arguments."""
    command += ["--counts", *given.counts]


def main() -> None:
    """Measures each subject once: `--counts NAME=DEALS ...`."""
    runner = pyperf.Runner(
        values=1, warmups=0, processes=1, loops=1, program_args=("-m", "bench.worker"), add_cmdline_args=_pass_on
    )
    runner.argparser.add_argument("--counts", nargs="+", metavar="NAME=DEALS")
    for entry in runner.parse_args().counts:
        name, count = entry.split("=")
        subject = find(name)
        runner.bench_time_func(name, partial(_seconds, subject, int(count)), inner_loops=subject.answers(int(count)))


if __name__ == "__main__":
    main()
