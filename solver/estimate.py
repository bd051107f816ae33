"""Values of moves where cards are unseen: every move solved exactly in the same layouts, then averaged.

This is perfect-information Monte Carlo (Levy 1989; Ginsberg 2001). Its known bias is that every layout is played as if
all cards were seen from the next move on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .game import Move
from .position import Position
from .sampling import Layouts
from .search import MAX_N, Limit, LimitMet, MoveTable, Solvers, kernel, move_of, move_table, solve

MOST_ENUMERATED: Final = 5000
"""Up to so many layouts are solved one and all, and the answer is exact; more only if as many samples are asked for."""
_FIRST_BLOCK: Final = 16
_LARGEST_BLOCK: Final = 256
_SEPARATED: Final = 2.0
"""Standard errors by which the best move must lead to be called separated."""


@dataclass
class Estimate:
    """Values by layout and move, of the layouts solved so far.

    moves: the columns. values: float64[n, moves], of the pov, nan where a move is not legal in the layout; with max_n
    float64[n, moves, seats]. weights: float64[n], how likely each layout is, of any sum. layouts: how many there are.
    exact: were all of them solved. nodes: search nodes.
    """

    moves: list[Move]
    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    layouts: int
    exact: bool
    nodes: int = 0

    def separated(self, sign: int, precision: float) -> bool:
        """Is the best move ahead of each other one beyond chance, or that one within `precision` of it?

        sign: 1 if the one to move wants a large value, -1 if a small one.
        """
        gains = sign * self.values
        best = max(gains.T, key=lambda gain: mean_and_error(gain, self.weights)[0])
        for gain in gains.T:
            lead, error = mean_and_error(best - gain, self.weights)
            if lead <= _SEPARATED * error and lead + _SEPARATED * error > precision:
                return False
        return True


def mean_and_error(values: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[float, float]:
    """The weighted mean of what is not nan and its standard error; that of a single value is inf, of none nan."""
    known = ~np.isnan(values)
    values, weights = values[known], weights[known]
    if not weights.any():
        return np.nan, np.nan
    mean = float(np.average(values, weights=weights))
    if len(values) == 1:
        return mean, np.inf
    spread = np.sqrt(np.sum((weights * (values - mean)) ** 2)) / weights.sum()
    return mean, float(spread * np.sqrt(len(values) / (len(values) - 1)))


# ---- which layouts ------------------------------------------------------------------------------------------------


def blocks(layouts: Layouts, samples: int | None, usual: int, seed: int) -> tuple[bool, Iterator[NDArray[np.int64]]]:
    """Are all layouts taken, and the layouts int64[block, slots], in growing blocks that depend on the seed alone.

    All of them come in random order, so that the first so many are a fair sample too.
    """
    wanted = samples or usual
    if layouts.count <= (wanted if samples else max(usual, MOST_ENUMERATED)):
        every = np.concatenate(list(layouts.enumerate()))
        return True, _cut(every[np.random.default_rng(seed % (1 << 63)).permutation(len(every))])
    return False, (layouts.sample(size, seed, first) for first, size in _sizes(wanted))


def _sizes(total: int) -> Iterator[tuple[int, int]]:
    first, size = 0, _FIRST_BLOCK
    while first < total:
        yield first, min(size, total - first)
        first += size
        size = min(max(size, first), _LARGEST_BLOCK)


def _cut(every: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    return (every[first : first + size] for first, size in _sizes(len(every)))


# ---- solving them -------------------------------------------------------------------------------------------------


class _Block(NamedTuple):
    """The layouts of a block as far as the limit allowed, in order: moves and values as in `Estimate`, search nodes."""

    moves: list[Move]
    values: NDArray[np.float64]
    nodes: int


class Estimator:
    """Solves the layouts of a position in the play, block by block.

    horizon: how many tricks are looked ahead in each, 0: to the end of the deal.
    """

    def __init__(
        self,
        position: Position,
        objective: str,
        *,
        threads: int = 1,
        limit: Limit | None = None,
        weigh: Callable[[Any], float] | None = None,
    ) -> None:
        self.game, self.state = position.game, position.state
        self.horizon = self.game.usual_horizon(self.state)
        self.layouts = Layouts(position)
        self.objective = objective
        self.limit = limit or Limit()
        self.threads = threads
        self.weigh = weigh

    def estimates(self, seed: int) -> Iterator[Estimate]:
        """What is known after each block. Raises LimitMet if the limit is met before anything is."""
        begun = monotonic()
        every, parts = blocks(self.layouts, self.limit.samples, self.game.usual_samples, seed)
        known = Estimate([], np.zeros((0, 0)), np.zeros(0), self.layouts.count, False)
        for part in parts:
            left = None if self.limit.time is None else max(0.0, self.limit.time - (monotonic() - begun))
            block = self._solve(part, left)
            done = len(block.values)
            known = _joined(known, block, self._weights(part[:done]))
            known.exact = every and not self.horizon and len(known.values) == self.layouts.count
            if not len(known.values):
                raise LimitMet(0, len(part))
            yield known
            if done < len(part):
                return

    def _weights(self, part: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.ones(len(part)) if self.weigh is None else self.layouts.weights(part, self.weigh)

    @cached_property
    def solvers(self) -> Solvers:
        """The kernel at work."""
        return Solvers(type(self.game), threads=self.threads, table_mb=self.limit.table_mb)

    def _solve(self, part: NDArray[np.int64], seconds: float | None) -> _Block:
        if self.objective == MAX_N or kernel(type(self.game)) is None:
            return self._solve_one_by_one(part)
        limit = Limit(time=seconds, nodes=self.limit.nodes, table_mb=self.limit.table_mb)
        rows = self.layouts.rows(part)
        if self.game.horizon_word is not None:
            rows[:, self.game.horizon_word] = self.horizon
        table = move_table(self.solvers, rows, limit=limit)
        done = len(part) if table.done.all() else int(table.done.argmin())
        moves, values = _columns(table, done)
        values *= self.game.sign(self.state)
        for move, value in self.game.ends_at_once(self.state).items():
            moves.append(move)
            values = np.column_stack([values, np.full(done, float(value))])
        return _Block(moves, values, table.nodes)

    def _solve_one_by_one(self, part: NDArray[np.int64]) -> _Block:
        solved = [solve(self.game, state, self.objective) for state in self.layouts.states(part)]
        moves = list(dict.fromkeys(move for each in solved for move in each.moves))
        shape = (len(solved), len(moves), self.game.players) if self.objective == MAX_N else (len(solved), len(moves))
        values = np.full(shape, np.nan)
        for row, each in enumerate(solved):
            for move, value in each.moves.items():
                values[row, moves.index(move)] = value
        return _Block(moves, values, sum(each.nodes for each in solved))


def _columns(table: MoveTable, done: int) -> tuple[list[Move], NDArray[np.float64]]:
    """The moves of the first so many layouts, and their values in columns; nan where a move is not legal."""
    legal = np.arange(table.codes.shape[1]) < table.counts[:done, None]
    codes = table.codes[:done]
    columns = list(dict.fromkeys(codes[legal].tolist()))
    values = np.full((done, len(columns)), np.nan)
    for at, code in enumerate(columns):
        rows, places = np.nonzero(legal & (codes == code))
        values[rows, at] = table.values[rows, places]
    return [move_of(code) for code in columns], values


def _joined(known: Estimate, block: _Block, weights: NDArray[np.float64]) -> Estimate:
    """An estimate and a further block, whose moves may be others where the mover's hand is unseen."""
    columns = list(dict.fromkeys([*known.moves, *block.moves]))
    old = len(known.values)
    joined = np.full((old + len(block.values), len(columns), *block.values.shape[2:]), np.nan)
    if old:
        joined[:old, : len(known.moves)] = known.values
    joined[old:, [columns.index(move) for move in block.moves]] = block.values
    weights = np.concatenate([known.weights, weights])
    return Estimate(columns, joined, weights, known.layouts, known.exact, known.nodes + block.nodes)
