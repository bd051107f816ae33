"""Exact values of open positions: by the game's compiled kernel, or by the reference search where there is none.

A kernel runs in threads of its own, without the GIL, while the calling thread waits and can be interrupted.
"""

from __future__ import annotations

import importlib
import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from types import ModuleType
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .game import CLOSE, EXCHANGE, MARRIAGE, PLAY, SEATS, TUCK, Game, Move, RuleError
from .position import Position
from .reference import Reference, max_n_order

MINIMAX: Final = "minimax"
PARANOID: Final = "paranoid"
MAX_N: Final = "max_n"
OBJECTIVES: Final = (PARANOID, MAX_N)

KINDS: Final = (PLAY, TUCK, MARRIAGE, EXCHANGE, CLOSE)
"""The kinds of moves that kernels have, by their number in a code."""
_KIND_SHIFT: Final = 13
_KIND_BITS: Final = 7 << _KIND_SHIFT
_BLOCK: Final = 1 << 14
"""Positions of a batch that are packed at a time."""
_CHUNK: Final = 1 << 12
"""Packed positions given to a kernel at a time, at most."""
_SHARE: Final = 32
"""And at most so small a share of those that are left, so that all threads end at about the same time."""
_SMALL_CHUNK: Final = 8
"""Where every move is valued, which takes longer, always so many."""
_MOST_THREADS: Final = 256
"""That work at a time in a process; further ones wait."""


@dataclass(frozen=True)
class Limit:
    """When to stop.

    time: seconds, None for no limit. nodes: search nodes, None for no limit. table_mb: memory of the transposition
    table in megabytes, for each thread. samples: layouts to solve where cards are unseen, None for the usual number.
    precision: stop when the best move is separated from the others by two standard errors, or those that are not are
    within so much of it; in the unit of the value.
    """

    time: float | None = None
    nodes: int | None = None
    table_mb: float = 64
    samples: int | None = None
    precision: float | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not self.time >= 0:
            raise ValueError(f"a time limit is a number of seconds from 0, not {self.time!r}")
        if self.nodes is not None and self.nodes < 1:
            raise ValueError(f"a limit of nodes is a number from 1, not {self.nodes!r}")
        if not 0 < self.table_mb <= 1 << 20:
            raise ValueError(f"a table is more than 0 and at most {1 << 20} megabytes, not {self.table_mb!r}")
        if self.samples is not None and self.samples < 1:
            raise ValueError(f"a number of samples is a number from 1, not {self.samples!r}")
        if self.precision is not None and not self.precision >= 0:
            raise ValueError(f"a precision is a number from 0, not {self.precision!r}")


class LimitMet(RuntimeError):
    """The limit was met before the exact value was known. solved: how many positions of a batch were."""

    def __init__(self, solved: int, asked: int) -> None:
        self.solved = solved
        super().__init__(f"the limit was met when {solved} of {asked} positions were solved")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while a kernel worked. found: what it had found by then, as the call would have returned it."""

    def __init__(self, found: Any) -> None:
        self.found = found
        super().__init__()


@dataclass(frozen=True)
class Solved:
    """What a search found out about one position.

    objective: MINIMAX, PARANOID or MAX_N. value: in the game's unit, for the pov; with MAX_N one for each seat.
    moves: every legal move with its value, in listed order. line: the best continuation, to the end of the deal.
    nodes: search nodes visited. depth: None if the values are exact; else how many tricks were searched, what comes
    after them being estimated. interrupted: did Ctrl-C end the search?
    """

    objective: str
    value: int | tuple[int, ...]
    moves: dict[Move, int] | dict[Move, tuple[int, ...]]
    line: list[Move]
    nodes: int
    depth: int | None = None
    interrupted: bool = False


def objective_of(game: Game[Any], wanted: str = PARANOID) -> str:
    """The name of the objective that answers have: with two sides all objectives are one, MINIMAX.

    Raises ValueError for an objective there is not.
    """
    if wanted not in (*OBJECTIVES, MINIMAX):
        raise ValueError(f"{wanted!r} is no objective; expected {', '.join(OBJECTIVES)}")
    if game.two_sided or game.players == 2:
        return MINIMAX
    return PARANOID if wanted == MINIMAX else wanted


# ---- kernels ------------------------------------------------------------------------------------------------------


@cache
def kernel(game: type[Game[Any]]) -> ModuleType | None:
    """The compiled module that solves a game; None if it has none."""
    return importlib.import_module(f"solver._{game.kernel}") if game.kernel else None


def packed(game: Game[Any], state: Any, pov: int) -> NDArray[np.int64]:
    """One state as the row that its kernel takes, int64[1, WIDTH]. Raises RuleError for one too large for it."""
    row = game.packed(state, pov)
    module = kernel(type(game))
    assert module is not None
    return np.array([row], dtype=np.int64)


def move_of(code: int) -> Move:
    """The move that a kernel's code stands for."""
    return Move(KINDS[(code & _KIND_BITS) >> _KIND_SHIFT], code & ~_KIND_BITS)


def code_of(move: Move) -> int:
    """The kernel's code of a move with its cards named. Raises ValueError for a kind of move that no kernel has."""
    return KINDS.index(move.kind) << _KIND_SHIFT | move.cards


def mover_of(game: Game[Any], state: Any) -> Any:
    """A `Mover` that plays on from an open state in the kernel; None where the game's file alone can."""
    module = kernel(type(game))
    if module is None or not game.kernel_plays(state):
        return None
    try:
        return module.Mover(game.packed(state, game.pov(state)))
    except ValueError:  # too large
        return None


T = TypeVar("T")


def _interruptible(work: Callable[[NDArray[np.int32]], T]) -> T:
    """Runs work that takes a stop flag in a thread, so that Ctrl-C reaches it. Raises Interrupted."""
    stop = np.zeros(1, dtype=np.int32)
    task = _workers(os.getpid()).submit(work, stop)
    try:
        return task.result()
    except KeyboardInterrupt as pressed:
        stop[0] = 1
        raise Interrupted(task.result()) from pressed


def _sane(call: Callable[[], T]) -> T:
    """Turns a kernel's refusal of a position into a RuleError."""
    try:
        return call()
    except ValueError as error:
        raise RuleError(f"this position cannot be solved: {error}") from error


# ---- one position -------------------------------------------------------------------------------------------------


def solve(game: Game[Any], state: Any, objective: str = PARANOID, limit: Limit | None = None) -> Solved:
    """Every move's exact value and the best line, of an open state in the play.

    Raises ValueError for an objective there is not, RuleError for a position that is too large, LimitMet.
    """
    objective = objective_of(game, objective)
    if game.actor(state) is None:
        return _finished(game, state, objective)
    module = kernel(type(game))
    if objective == MAX_N:
        return _solve_max_n(game, state, limit or Limit()) if module else _solve_max_n_reference(game, state)
    return (
        _solve_kernel(game, state, objective, limit or Limit()) if module else _solve_reference(game, state, objective)
    )


def _finished(game: Game[Any], state: Any, objective: str) -> Solved:
    if objective == MAX_N:
        return Solved(objective, tuple(game.value(state, seat) for seat in range(game.players)), {}, [], 0)
    return Solved(objective, game.value(state, game.pov(state)), {}, [], 0)


def wants_most(game: Game[Any], state: Any) -> bool:
    """Does the one to move want a large value?"""
    pov = game.pov(state)
    return (game.actor(state) in game.side(state, pov)) == (game.sign(state) > 0)


def best_value(game: Game[Any], state: Any, values: Iterable[int]) -> int:
    """The value that the one to move chooses."""
    return max(values) if wants_most(game, state) else min(values)


def _solve_kernel(game: Game[Any], state: Any, objective: str, limit: Limit) -> Solved:
    """Exact if the limit allows; else by the deepest horizon that was finished, or each for himself at a glance."""
    solver = _needed_kernel(type(game)).Solver(limit.table_mb)
    clock = _Clock(limit)
    answer: Solved | None = None
    try:
        for deeper in _deepened(solver, game, state, objective, clock):
            answer = deeper
        if answer is not None and answer.depth is None and not answer.line:
            answer = replace(answer, line=_kernel_line(solver, packed(game, state, game.pov(state)), clock))
    except KeyboardInterrupt:
        if answer is None:
            raise
        answer = replace(answer, interrupted=True)
    if answer is not None:
        return answer
    if objective != PARANOID:
        raise LimitMet(0, 1)
    pov = game.pov(state)
    moves = {move: vector[pov] for move, vector in _at_a_glance(game, state, limit).moves.items()}
    return Solved(objective, best_value(game, state, moves.values()), moves, [], 0, 0)


def _deepened(solver: Any, game: Game[Any], state: Any, objective: str, clock: _Clock) -> Iterator[Solved]:
    """Answers from one horizon after the other, until the limit is met or the end of the deal is reached."""
    rows = packed(game, state, game.pov(state))
    at_once = game.ends_at_once(state)
    for tricks in _horizons(game, state, clock.limit):
        if game.horizon_word is not None:
            rows[0, game.horizon_word] = tricks
        moves, nodes = _kernel_moves(solver, game.sign(state), rows, clock)
        if not moves:
            return
        moves |= at_once
        value = best_value(game, state, moves.values())
        line = [move for move in at_once if moves[move] == value][:1]
        yield Solved(objective, value, moves, line, nodes, tricks or None)


class _Clock:
    """What is left of a limit."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.deadline = math.inf if limit.time is None else time.monotonic() + limit.time

    def over(self) -> bool:
        """Has the time run out?"""
        return time.monotonic() >= self.deadline

    def left(self) -> dict[str, Any]:
        """The limits of a kernel's call that begins now."""
        return {"seconds": max(0.0, self.deadline - time.monotonic()), "nodes": self.limit.nodes or 0}


def _horizons(game: Game[Any], state: Any, limit: Limit) -> list[int]:
    """The horizons to search in turn, the last one 0, the end of the deal.

    Only where everybody plays for himself and there is a limit is it worth looking at nearer ones first.
    """
    if game.horizon_word is None or game.players == 2 or (limit.time is None and limit.nodes is None):
        return [0]
    return [*range(1, game.tricks_left(state)), 0]


def _kernel_moves(solver: Any, sign: int, rows: NDArray[np.int64], clock: _Clock) -> tuple[dict[Move, int], int]:
    """Every move's value and the search nodes; no moves if the limit was met first."""
    counts, codes, values, done, nodes = _sane(
        lambda: _interruptible(lambda stop: solver.move_values(rows, stop=stop, **clock.left()))
    )
    legal = range(int(counts[0]) if done[0] else 0)
    return {move_of(int(codes[0, i])): sign * int(values[0, i]) for i in legal}, int(nodes[0])


def _kernel_line(solver: Any, rows: NDArray[np.int64], clock: _Clock) -> list[Move]:
    """The best continuation, out of the solver's table; none if the limit is met first."""
    counts, codes = _sane(lambda: _interruptible(lambda stop: solver.lines(rows, stop=stop, **clock.left())))
    return [move_of(int(code)) for code in codes[0, : max(0, counts[0])]]


def _solve_reference(game: Game[Any], state: Any, objective: str) -> Solved:
    reference = Reference(game)
    pov = game.pov(state)
    moves = {move: reference.value(game.play(state, move), pov) for move in game.moves(state)}
    value = best_value(game, state, moves.values())

    def choose(at: Any) -> Move:
        return next(
            move for move in game.moves(at) if reference.value(game.play(at, move), pov) == reference.value(at, pov)
        )

    return Solved(objective, value, moves, _line(game, state, choose), reference.nodes)


class _Vectors(NamedTuple):
    """What max^n found: every move's vector, to which depth, -1 for none, whether that is exact, and the nodes."""

    moves: dict[Move, tuple[int, ...]]
    depth: int
    exact: bool
    nodes: int
    interrupted: bool = False


def _max_n_vectors(solver: Any, game: Game[Any], state: Any, clock: _Clock) -> _Vectors:
    """The deepest iteration that limit and Ctrl-C allowed."""
    rows = packed(game, state, game.pov(state))
    interrupted = False
    try:
        found = _sane(lambda: _interruptible(lambda stop: solver.vectors(rows, stop=stop, **clock.left())))
    except Interrupted as pressed:
        found, interrupted = pressed.found, True
    counts, codes, vectors, depths, exact, nodes = found
    legal = range(int(counts[0]))
    moves = {move_of(int(codes[0, i])): tuple(vectors[0, i, : game.players].tolist()) for i in legal}
    if interrupted and depths[0] < 0:
        raise KeyboardInterrupt
    return _Vectors(moves, int(depths[0]), bool(exact[0]), int(nodes[0]), interrupted)


def _at_a_glance(game: Game[Any], state: Any, limit: Limit) -> _Vectors:
    """The estimate of what each move leads to, the same for every objective where nobody replies. Raises LimitMet."""
    solver = _needed_kernel(type(game)).MaxN(limit.table_mb)
    found = _max_n_vectors(solver, game, state, _Clock(Limit(nodes=1)))
    if found.depth < 0:
        raise LimitMet(0, 1)
    return found


def _solve_max_n(game: Game[Any], state: Any, limit: Limit) -> Solved:
    """By the kernel: exact, or by the deepest iteration that the limit allowed."""
    solver = _needed_kernel(type(game)).MaxN(limit.table_mb)
    clock = _Clock(limit)
    found = _max_n_vectors(solver, game, state, clock)
    if found.depth < 0:
        found = _at_a_glance(game, state, limit)
    seat = game.actor(state)
    assert seat is not None
    value = max(found.moves.values(), key=lambda vector: max_n_order(vector, seat))
    if not found.exact:
        return Solved(MAX_N, value, found.moves, [], found.nodes, found.depth, found.interrupted)

    def choose(at: Any) -> Move:
        moves = _max_n_vectors(solver, game, at, clock).moves
        return max(moves, key=lambda move: max_n_order(moves[move], game.actor(at) or 0))

    return Solved(MAX_N, value, found.moves, _line(game, state, choose), found.nodes)


def _solve_max_n_reference(game: Game[Any], state: Any) -> Solved:
    reference = Reference(game)
    moves = {move: reference.vector(game.play(state, move)) for move in game.moves(state)}
    seat = game.actor(state)
    assert seat is not None
    value = max(moves.values(), key=lambda vector: max_n_order(vector, seat))

    def choose(at: Any) -> Move:
        return next(move for move in game.moves(at) if reference.vector(game.play(at, move)) == reference.vector(at))

    return Solved(MAX_N, value, moves, _line(game, state, choose), reference.nodes)


def _line(game: Game[Any], state: Any, choose: Callable[[Any], Move]) -> list[Move]:
    """The moves to the end of the deal that are chosen one by one."""
    line: list[Move] = []
    while game.actor(state) is not None:
        line.append(choose(state))
        state = game.play(state, line[-1])
    return line


# ---- values alone -------------------------------------------------------------------------------------------------


def value(position: Position, limit: Limit | None = None) -> int:
    """The exact value of an open position in the play, for its pov: the cheapest question.

    Raises RuleError for a position that is not open or too large, LimitMet.
    """
    return int(values([position], limit=limit)[0])


def best(position: Position, limit: Limit | None = None) -> list[str]:
    """The optimal moves of an open position in the play, in listed order; dearer than `value`, cheaper than `analyse`.

    None when the deal is over. Raises as `value` does.
    """
    check_open(position)
    game, state = position.game, position.state
    if position.actor is None:
        return []
    module = kernel(type(game))
    if module is None:
        solved = _solve_reference(game, state, PARANOID)
        return [position.write(move) for move, found in solved.moves.items() if found == solved.value]
    rows = packed(game, state, game.pov(state))
    clock = _Clock(limit or Limit())
    solver = module.Solver(clock.limit.table_mb)
    counts, codes, _, done, _ = _sane(
        lambda: _interruptible(lambda stop: solver.move_values(rows, best_only=True, stop=stop, **clock.left()))
    )
    if not done[0]:
        raise LimitMet(0, 1)
    return [position.write(move_of(int(code))) for code in codes[0, : counts[0]]]


def values(positions: Iterable[Position], *, threads: int = 1, limit: Limit | None = None) -> NDArray[np.int32]:
    """The exact values of open positions in the play, each for its own pov, in order; of any games, any number.

    threads: how many kernels work at once, each with a table of its own. The answer does not depend on it.
    Raises as `value` does.
    """
    limit = limit or Limit()
    answers: list[NDArray[np.int32]] = []
    remaining = iter(positions)
    while block := list(islice(remaining, _BLOCK)):
        answers.append(_block_values(block, threads, limit))
    return np.concatenate(answers) if answers else np.zeros(0, dtype=np.int32)


def _block_values(block: Sequence[Position], threads: int, limit: Limit) -> NDArray[np.int32]:
    answers = np.zeros(len(block), dtype=np.int32)
    by_kernel: dict[type[Game[Any]], list[int]] = {}
    for place, position in enumerate(block):
        check_open(position)
        game, state = position.game, position.state
        if position.actor is None:
            answers[place] = game.value(state, game.pov(state))
        elif kernel(type(game)) is None:
            answers[place] = Reference(game).value(state, game.pov(state))
        else:
            by_kernel.setdefault(type(game), []).append(place)
    for kind, places in by_kernel.items():
        rows = np.concatenate(
            [packed(block[at].game, block[at].state, block[at].game.pov(block[at].state)) for at in places]
        )
        signs = np.array([block[at].game.sign(block[at].state) for at in places], dtype=np.int32)
        answers[places] = signs * packed_values(kind, rows, threads=threads, limit=limit)
    return answers


class Solvers:
    """A kernel's Solvers for several calls of a batch: their tables are warm, and freed with this object.

    game: whose kernel. threads: how many work at once. table_mb: of each table. Raises RuleError without a kernel.
    """

    def __init__(self, game: type[Game[Any]], *, threads: int = 1, table_mb: float = 64) -> None:
        self.module = _needed_kernel(game)
        self.threads = threads
        self.table_mb = table_mb
        self._idle: list[Any] = []

    def take(self) -> Any:
        """An idle Solver, or a new one."""
        try:
            return self._idle.pop()
        except IndexError:
            return self.module.Solver(self.table_mb)

    def give(self, solver: Any) -> None:
        """Makes a Solver idle again."""
        self._idle.append(solver)


class ValueTable(NamedTuple):
    """The exact values of many packed positions, int32[n], as the kernel counts, and the search nodes in all."""

    values: NDArray[np.int32]
    nodes: int


def packed_values(
    game: type[Game[Any]], rows: NDArray[np.int64], *, threads: int = 1, limit: Limit | None = None
) -> NDArray[np.int32]:
    """The values of `value_table` alone."""
    limit = limit or Limit()
    return value_table(Solvers(game, threads=threads, table_mb=limit.table_mb), rows, limit=limit).values


def value_table(solvers: Solvers, rows: NDArray[np.int64], *, limit: Limit | None = None) -> ValueTable:
    """The exact values of packed positions of one game, rows int64[n, WIDTH], in order.

    They are counted as the kernel counts: more is better for the side of the pov. Raises LimitMet, RuleError.
    """
    answers, nodes = np.zeros(len(rows), dtype=np.int32), np.zeros(len(rows), dtype=np.int64)
    done = np.zeros(len(rows), dtype=np.uint8)

    def solve_part(solver: Any, part: slice, limits: dict[str, Any]) -> None:
        answers[part], done[part], nodes[part] = solver.values(rows[part], **limits)

    _in_parts(solvers, _shrinking(len(rows)), solve_part, limit or Limit())
    if not done.all():
        raise LimitMet(int(done.sum()), len(rows))
    return ValueTable(answers, int(nodes.sum()))


class MoveTable(NamedTuple):
    """Every move of many packed positions with its exact value, as the kernel counts.

    counts: int32[n], the number of moves. codes: uint64[n, MAX_MOVES], see `move_of`. values: int32[n, MAX_MOVES].
    done: uint8[n], 0 where a limit was met first. nodes: search nodes in all.
    """

    counts: NDArray[np.int32]
    codes: NDArray[np.uint64]
    values: NDArray[np.int32]
    done: NDArray[np.uint8]
    nodes: int


def move_table(solvers: Solvers, rows: NDArray[np.int64], *, limit: Limit | None = None) -> MoveTable:
    """Every move's exact value in packed positions of one game, rows int64[n, WIDTH]. Raises RuleError."""
    size = len(rows), solvers.module.MAX_MOVES
    counts, done, nodes = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.uint8), np.zeros(len(rows), np.int64)
    codes, values = np.zeros(size, np.uint64), np.zeros(size, np.int32)

    def solve_part(solver: Any, part: slice, limits: dict[str, Any]) -> None:
        found = solver.move_values(rows[part], **limits)
        counts[part], codes[part], values[part], done[part], nodes[part] = found

    parts = [slice(start, start + _SMALL_CHUNK) for start in range(0, len(rows), _SMALL_CHUNK)]
    _in_parts(solvers, parts, solve_part, limit or Limit())
    return MoveTable(counts, codes, values, done, int(nodes.sum()))


def playout_table(game: type[Game[Any]], rows: NDArray[np.int64]) -> MoveTable:
    """The same moves, each with what comes out when all go on by the rules of thumb in `novice` after it.

    For games whose kernel has them; a hundred times as fast as exact values. Raises RuleError.
    """
    counts, codes, values = _sane(lambda: _needed_kernel(game).playouts(rows))
    return MoveTable(counts, codes, values, np.ones(len(rows), np.uint8), 0)


def _needed_kernel(game: type[Game[Any]]) -> ModuleType:
    module = kernel(game)
    if module is None:
        raise RuleError(f"{game.title} has no kernel")
    return module


def _shrinking(total: int) -> list[slice]:
    """The parts of a batch, ever smaller: how long one takes nobody knows, and a thread may wait for the last one."""
    parts = []
    start = 0
    while start < total:
        size = min(max((total - start) // _SHARE, 1), _CHUNK)
        parts.append(slice(start, start + size))
        start += size
    return parts


def _in_parts(
    solvers: Solvers, parts: Sequence[slice], solve_part: Callable[[Any, slice, dict[str, Any]], None], limit: Limit
) -> None:
    """Has a batch solved part by part, by several threads with a Solver each; results do not depend on who."""
    waiting = iter(parts)
    lock = threading.Lock()
    clock = _Clock(limit)

    def work(stop: NDArray[np.int32]) -> None:
        solver = solvers.take()
        while not stop[0]:
            with lock:
                part = next(waiting, None)
            if part is None or (part.start and clock.over()):
                break
            solve_part(solver, part, {"stop": stop, **clock.left()})
        solvers.give(solver)

    _sane(lambda: _in_threads(work, max(1, min(solvers.threads, len(parts)))))


@cache
def _workers(process: int) -> ThreadPoolExecutor:
    """The threads of a process, kept since starting one takes longer than many a search; a fork has none of them."""
    return ThreadPoolExecutor(_MOST_THREADS)


def _in_threads(work: Callable[[NDArray[np.int32]], None], threads: int) -> None:
    """Runs the same work in several threads, with one stop flag that an interruption sets; none works on after it."""
    stop = np.zeros(1, dtype=np.int32)
    tasks = [_workers(os.getpid()).submit(work, stop) for _ in range(threads)]
    try:
        for task in tasks:
            task.result()
    except BaseException:
        stop[0] = 1
        wait(tasks)
        raise


def check_open(position: Position) -> None:
    """Raises RuleError for a position that is not open, or not in the play."""
    if not position.is_open:
        raise RuleError("some cards are unseen: an exact value needs every card of every hand, pile and stock", "hands")
    if position.actor is not None and position.game.declaring_phase(position.state):
        raise RuleError(f"{SEATS[position.actor]} has yet to bid or to name trumps: this is not in the play")
