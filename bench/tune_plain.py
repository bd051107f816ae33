"""Looks for better ordering weights of the kernel `plain` by a hill climb: python bench/tune_plain.py [seconds] [seed].

A copy of the kernel whose weights can be set at run time is built in a temporary directory. A step changes a few
weights at random and is kept when the training deals take fewer nodes (mean of the logarithms over the games, so that
each game counts alike); the training deals change now and then. Progress is judged on other deals, which are never
trained on. In the end the weights are printed as the kernel names them. The deals of the bench suite are others again.
"""

from __future__ import annotations

import importlib.util
import math
import pathlib
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from Cython.Build import cythonize
from numpy.typing import NDArray
from setuptools import Distribution, Extension

SOURCES = pathlib.Path(__file__).parents[1] / "src_ext"
BLOCK = re.compile(r"cdef enum:\n    # Weights of the ordering.*?\n((?:    [A-Z_]+ = .*\n)+)")
TABLE = re.compile(r"^cdef int8_t\[\d+\] ([A-Z_]+) = \[(.*)\] *(?:#.*)?$", re.M)
EVERY = 400  # steps between two looks at the judging deals


def read_weights(source: str) -> dict[str, int]:
    """All weights by name: single ones, and those of the tables as NAME[i]."""
    block = BLOCK.search(source)
    assert block is not None
    weights = {name: int(value) for name, value in re.findall(r"^    ([A-Z_]+) = (-?\d+)", block[1], re.M)}
    for name, values in TABLE.findall(source):
        weights.update({f"{name}[{i}]": int(v) for i, v in enumerate(values.split(","))})
    return weights


def build(source: str, directory: str) -> Any:
    """The kernel with settable weights, as a module with tune(weights)."""
    weights = read_weights(source)
    single = [name for name in weights if "[" not in name]
    source = BLOCK.sub("".join(f"cdef int {name} = {weights[name]}\n" for name in single), source)
    lines = ["def tune(weights):", *(f"    global {name}" for name in single)]
    source += "\n\n" + "\n".join(lines + [f"    {name} = weights['{name}']" for name in weights]) + "\n"
    path = pathlib.Path(directory, "plain_tuned.pyx")
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


def row(
    rng: random.Random,
    module: Any,
    deck: int,
    size: int,
    players: int,
    *,
    trump: int,
    flags: int,
    side: int,
    utility: list[int],
) -> NDArray[np.int64]:
    """A random deal of `deck` cards as the kernel takes it."""
    cards = [16 * suit + rank for suit in range(4) for rank in range(deck // 4)]
    rng.shuffle(cards)
    packed = np.zeros(module.WIDTH, np.int64)
    for seat in range(players):
        hand = sum(1 << card for card in cards[seat * size : (seat + 1) * size])
        packed[seat] = np.uint64(hand).astype(np.int64)
    packed[4:7] = -1
    packed[8:12] = players, trump, flags, side
    packed[13:15] = np.array(utility, np.int8).view(np.int64)
    return packed


def deals(module: Any, seed: int | str) -> dict[str, NDArray[np.int64]]:
    """Training or judging deals by game."""
    rng = random.Random(seed)
    many, few = list(range(16)), [-t for t in range(16)]
    table = [10, 9, 7, 4, 0, -5, -11] + [-11] * 16

    def some(
        n: int,
        deck: int,
        size: int,
        players: int,
        *,
        trumps: Sequence[int],
        flags: int,
        side: int,
        utility: Callable[[], list[int]],
    ) -> NDArray[np.int64]:
        rules = {"flags": flags, "side": side}
        return np.array(
            [
                row(rng, module, deck, size, players, trump=rng.choice(trumps), utility=utility(), **rules)
                for _ in range(n)
            ]
        )

    def bid() -> list[int]:
        k = rng.randrange(7)
        return [table[abs(t - k)] for t in range(16)]

    suits, any_trump = range(4), range(-1, 4)
    return {
        "antikoziris": some(80, 24, 8, 3, trumps=suits, flags=4, side=1, utility=lambda: few),
        "piramide": some(200, 24, 6, 4, trumps=any_trump, flags=0, side=1, utility=bid),
        "preferans": some(80, 32, 10, 3, trumps=suits, flags=0, side=1, utility=lambda: many),
        "bridge, 8 cards": some(50, 32, 8, 4, trumps=any_trump, flags=1, side=5, utility=lambda: many),
        "bridge, 10 cards": some(20, 40, 10, 4, trumps=any_trump, flags=1, side=5, utility=lambda: many),
    }


def cost(module: Any, weights: dict[str, int], games: dict[str, NDArray[np.int64]]) -> float:
    """The mean logarithm of the games' nodes with these weights."""
    module.tune(weights)
    total = 0.0
    for rows in games.values():
        total += math.log(module.Solver(4).values(rows)[2].sum() + 1)
    return total / len(games)


def climb(module: Any, weights: dict[str, int], seconds: float, seed: int) -> dict[str, int]:
    """The best weights found in so many seconds."""
    rng = random.Random(seed)
    judges = deals(module, "judging")
    training = deals(module, seed)
    best = cost(module, weights, training)
    print(f"judged {cost(module, weights, judges):.4f} at the start", flush=True)
    begin, steps = time.monotonic(), 0
    while time.monotonic() - begin < seconds:
        steps += 1
        if steps % EVERY == 0:
            training = deals(module, seed + steps)
            best = cost(module, weights, training)
            print(f"judged {cost(module, weights, judges):.4f} after {steps} steps", flush=True)
        changed = dict(weights)
        for name in rng.sample(sorted(weights), rng.choice([1, 1, 2, 3, 4])):
            step = rng.choice([1, 2, 4, 8, 16, max(1, abs(weights[name]) // 2)])
            most = 127 if "[" in name else 1000  # tables are of signed bytes
            changed[name] = min(max(weights[name] + rng.choice([-step, step]), -most), most)
        now = cost(module, changed, training)
        if now < best:
            best, weights = now, changed
    return weights


def main() -> None:
    """Reads the command line and prints what it found."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    source = (SOURCES / "_plain.pyx").read_text()
    with tempfile.TemporaryDirectory() as directory:
        module = build(source, directory)
        for name, value in climb(module, read_weights(source), seconds, seed).items():
            print(f"{name} = {value}")


if __name__ == "__main__":
    main()
