"""The hill climb that found the weights of the move ordering of the kernel `plain`: `python -m bench.tune_plain`.

A copy of the kernel whose weights can be set at run time is built in a temporary directory. Weights are changed a few
at a time, and what makes search trees of random deals smaller is kept: by the mean of the logarithms over the kinds of
deals, so that each counts alike. The deals change now and then, and progress is judged on others, which are never
climbed on; the benchmarks' are others again. Every improvement is printed: the weights that are no longer what
src_ext/_plain.pyx has, by their names there, those of tables as NAME[i].

Weights that count in some kinds of deals only are climbed alone, on those deals. Thus those of seats that do not want
tricks, and then all others:

    shy='SHY|DUCKS|PASSES|HOPES|STUCK'
    python -m bench.tune_plain --row antikoziris --row piramide4 --row piramide3 --weights "$shy"
    python -m bench.tune_plain --row preferans --row bridge8 --row bridge10 --weights "(?!$shy)"
"""

from __future__ import annotations

import importlib.util
import math
import re
import tempfile
import time
from collections.abc import Collection
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.game import find_table

from . import deals, hill_climb

SOURCES = Path(__file__).parents[1] / "src_ext"
BLOCK = re.compile(r"cdef enum:\n    # Weights of the ordering.*?\n((?:    [A-Z_]+ = .*\n)+)")
TABLE = re.compile(r"^cdef int8_t\[\d+\] ([A-Z_]+) = \[(.*)\] *(?:#.*)?$", re.M)
SPAN = 60
"""Seconds that are climbed on the same deals."""

Weights = dict[str, int]
"""Weights by name: single ones, and those of the tables as NAME[i]."""

Rows = dict[str, NDArray[np.int64]]
"""Packed deals by their kind."""


def bridge(ranks: str) -> deals.Draw:
    """Bridge with fewer ranks, all the cards dealt; A and C declare with random trumps or none, and B leads."""
    game = find_table("plain", 4, {"ranks": ranks, "side": ["A", "C"], "void": "any"})

    def draw(random: Random) -> deals.Deal:
        state = game.deal(random)
        trump = random.randrange(-1, 4)
        return game, state._replace(leader=1, contract=state.contract._replace(trump=trump))

    return draw


KINDS: dict[str, deals.Draw] = {
    "antikoziris": deals.antikoziris,
    "piramide4": deals.piramide(4),
    "piramide3": deals.piramide(3),
    "preferans": deals.preferans,
    "bridge8": bridge("AKQJT987"),
    "bridge10": bridge("AKQJT98765"),
}


def read_weights(source: str) -> Weights:
    """All weights of the kernel's source."""
    block = BLOCK.search(source)
    assert block is not None
    weights = {name: int(value) for name, value in re.findall(r"^    ([A-Z_]+) = (-?\d+)", block[1], re.M)}
    for name, values in TABLE.findall(source):
        weights.update({f"{name}[{i}]": int(v) for i, v in enumerate(values.split(","))})
    return weights


def build(source: str, directory: str) -> Any:
    """The kernel with settable weights, as a module with tune(weights)."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    weights = read_weights(source)
    single = [name for name in weights if "[" not in name]
    source = BLOCK.sub("".join(f"cdef int {name} = {weights[name]}\n" for name in single), source)
    lines = ["def tune(weights):", *(f"    global {name}" for name in single)]
    source += "\n\n" + "\n".join(lines + [f"    {name} = weights['{name}']" for name in weights]) + "\n"
    path = Path(directory, "plain_tuned.pyx")
    path.write_text(source)
    extension = Extension("plain_tuned", [str(path)], include_dirs=[str(SOURCES)])
    command = Distribution(
        {"ext_modules": cythonize([extension], include_path=[str(SOURCES)], build_dir=directory, quiet=True)}
    ).get_command_obj("build_ext")
    command.build_lib = command.build_temp = directory
    command.ensure_finalized()
    command.run()
    spec = importlib.util.spec_from_file_location("plain_tuned", command.get_ext_fullpath("plain_tuned"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(kinds: Collection[str], seed: str, count: int) -> Rows:
    """So many deals of each kind; other seeds, other deals."""
    return {kind: deals.rows(deals.draws(f"tune plain {kind} {seed}", KINDS[kind], 0, count)) for kind in kinds}


def cost(module: Any, weights: Weights, rows: Rows, most: float) -> float:
    """The logarithms of the nodes a deal of each kind, added up; infinity as soon as that is more than `most`."""
    module.tune(weights)
    total = 0.0
    for asked in rows.values():
        total += math.log(1 + module.Solver(4).values(asked)[2].mean())
        if total > most:
            return float("inf")
    return total


def moved(names: Collection[str], weights: Weights, random: Random) -> Weights:
    """New values for one to four of the weights named: a little more or less, or by up to half."""
    new = {}
    for name in random.sample(sorted(names), min(len(names), random.choice([1, 1, 2, 3, 4]))):
        step = random.choice([1, 2, 4, 8, 16, max(1, abs(weights[name]) // 2)])
        most = 127 if "[" in name else 1000  # tables are of signed bytes
        new[name] = min(max(weights[name] + random.choice([-step, step]), -most), most)
    return new


class Climb:
    """A climb from the weights of a source. names: of the weights it changes. kinds: of the deals it uses."""

    def __init__(self, module: Any, weights: Weights, names: Collection[str], kinds: Collection[str]) -> None:
        self.module = module
        self.weights = weights
        self.names = names
        self.kinds = kinds

    def nodes(self, total: float) -> float:
        """From a cost to the nodes of a deal, the geometric mean over the kinds."""
        return math.exp(total / len(self.kinds)) - 1

    def run(self, seconds: float, count: int, seed: int) -> Weights:
        """The weights that are better another way, found in so many seconds with so many deals of each kind."""
        random, end = Random(seed), time.monotonic() + seconds
        judges = drawn(self.kinds, "judging", count)
        new: Weights = {}
        turn = 0
        while (left := end - time.monotonic()) > 0:
            training = drawn(self.kinds, f"{seed} {turn}", count)
            new = hill_climb.climb(
                new,
                partial(self._cost, training),
                lambda now: {**now, **moved(self.names, {**self.weights, **now}, random)},
                self.nodes,
                min(left, SPAN),
            )
            print(f"{self.nodes(self._cost(judges, new, math.inf)):.0f} nodes on the judging deals", flush=True)
            turn += 1
        return new

    def _cost(self, rows: Rows, new: Weights, most: float) -> float:
        return cost(self.module, {**self.weights, **new}, rows, most)


def main() -> None:
    """The command."""
    parser = hill_climb.parser("the kernel plain", 50)
    parser.add_argument("--row", action="append", choices=KINDS, help="only this kind of deals; repeatable")
    parser.add_argument("--weights", default="", help="only those whose names begin so, a regular expression")
    given = parser.parse_args()
    source = (SOURCES / "_plain.pyx").read_text()
    weights = read_weights(source)
    names = [name for name in weights if re.match(given.weights, name)]
    if not names:
        parser.error(f"no weight begins with {given.weights!r}; src_ext/_plain.pyx has their names")
    with tempfile.TemporaryDirectory() as directory:
        Climb(build(source, directory), weights, names, given.row or list(KINDS)).run(
            given.seconds, given.deals, given.seed
        )


if __name__ == "__main__":
    main()
