"""Exact values: objectives, limits, batches, refusals. That the values are right is in test_kernels."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from common import random_position
from malformed import ANTIKOZIRIS, ATSPEK, GOOD, PIRAMIDE, PLAIN, SIXTY_SIX, VELNIO

from solver.analysis import analyse
from solver.game import RuleError, find_game
from solver.games.piramide import Piramide
from solver.position import Position
from solver.reference import Reference, TooLarge
from solver.search import (
    MAX_N,
    MINIMAX,
    PARANOID,
    Limit,
    LimitMet,
    Solvers,
    _shrinking,
    best,
    best_value,
    kernel,
    move_table,
    objective_of,
    packed,
    packed_values,
    solve,
    value,
    values,
)


class Slow(Piramide):
    """Piramidė as it would be without a kernel."""

    kernel = None  # type: ignore[assignment]


def three_handed() -> Position:
    """An ending of Atspėk that three play, each for himself."""
    return Position.from_dict(
        {
            "game": "atspek",
            "trump": "S",
            "hands": {"A": "H9", "B": "HT", "C": "S6"},
            "piles": {"A": ["SA/C9"], "B": ["CA/D9"], "C": ["HA/DA"]},
            "won": {"A": 3, "B": 3, "C": 3},
        }
    )


# ---- objectives ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players", "wanted", "objective"),
    [
        ("atspek", 2, PARANOID, MINIMAX),
        ("atspek", 2, MAX_N, MINIMAX),
        ("atspek", 3, PARANOID, PARANOID),
        ("atspek", 3, MINIMAX, PARANOID),
        ("atspek", 3, MAX_N, MAX_N),
        ("piramide", 4, MAX_N, MINIMAX),
        ("antikoziris", 3, PARANOID, MINIMAX),
        ("plain", 4, PARANOID, MINIMAX),
        ("velnio_tuzinas", 8, MAX_N, MAX_N),
    ],
)
def test_objectives(game: str, players: int, wanted: str, objective: str) -> None:
    assert objective_of(find_game(game)(players), wanted) == objective


def test_unknown_objective() -> None:
    position = Position.from_dict(PIRAMIDE)
    with pytest.raises(ValueError, match="'nash' is no objective; expected paranoid, max_n"):
        solve(position.game, position.state, "nash")


def test_the_answer_says_its_objective() -> None:
    position = three_handed()
    assert solve(position.game, position.state).objective == PARANOID
    found = solve(position.game, position.state, MAX_N)
    reference = Reference(position.game)
    assert found.objective == MAX_N
    assert found.value == reference.vector(position.state)
    assert found.moves == {
        move: reference.vector(position.game.play(position.state, move)) for move in position.game.moves(position.state)
    }
    for move in found.line:
        position.play(move)
    assert position.state.won == found.value


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_finished_deals(data: dict[str, Any]) -> None:
    position = Position.from_dict(data)
    while position.actor is not None:
        position.play(position.legal_moves[0])
    assert position.outcome is not None
    found = solve(position.game, position.state)
    assert (found.value, found.moves, found.line) == (position.outcome.value, {}, [])
    assert value(position) == position.outcome.value
    assert best(position) == []
    ended = solve(position.game, position.state, MAX_N)
    assert ended.objective in (MINIMAX, MAX_N)


def test_who_wants_much() -> None:
    """Antikoziris: the declarer B wants few tricks, the others many for him; contract 8 the other way round."""
    few = Position.from_dict(ANTIKOZIRIS)
    assert best_value(few.game, few.state, [3, 1, 2]) == 3
    many = Position.from_dict(ANTIKOZIRIS | {"contract": {"declarer": "B", "bid": 8, "trump": "D"}})
    assert best_value(many.game, many.state, [3, 1, 2]) == 1
    own = Position.from_dict(ANTIKOZIRIS | {"leader": "B"})
    assert best_value(own.game, own.state, [3, 1, 2]) == 1


# ---- best moves ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_best_moves(data: dict[str, Any]) -> None:
    position = Position.from_dict(data)
    while position.actor is not None:
        found = solve(position.game, position.state)
        optimal = [position.write(move) for move, worth in found.moves.items() if worth == found.value]
        assert best(position) == optimal
        position.play(optimal[-1])


def test_without_a_kernel() -> None:
    """The same answers by the reference search."""
    compared = 0
    for seed in range(40):
        position = random_position(Piramide(2), Random(seed))
        if position.actor is None or len(position.moves) < 7:
            continue
        slow = Position(Slow(2), position.state)
        assert kernel(Slow) is None
        fast, found = solve(position.game, position.state), solve(slow.game, slow.state)
        assert (found.value, found.moves, found.objective) == (fast.value, fast.moves, fast.objective)
        assert best(slow) == best(position)
        assert value(slow) == fast.value
        compared += 1
    assert compared > 5


# ---- limits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"time": -1}, "a time limit is a number of seconds from 0, not -1"),
        ({"time": float("nan")}, "not nan"),
        ({"nodes": 0}, "a limit of nodes is a number from 1, not 0"),
        ({"nodes": -5}, "not -5"),
        ({"table_mb": 0}, "a table is more than 0"),
        ({"table_mb": float("nan")}, "not nan"),
        ({"table_mb": 1e9}, "megabytes, not 1000000000.0"),
        ({"samples": 0}, "a number of samples is a number from 1, not 0"),
        ({"precision": -0.5}, "a precision is a number from 0, not -0.5"),
        ({"precision": float("nan")}, "not nan"),
    ],
)
def test_senseless_limits(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Limit(**arguments)


LIMITS = [Limit(nodes=1, table_mb=1), Limit(time=0, table_mb=1)]


@pytest.mark.parametrize("limit", LIMITS, ids=["nodes", "time"])
@pytest.mark.parametrize("game", ["antikoziris", "atspek", "piramide", "plain", "sixty_six", "velnio_tuzinas"])
def test_limits_are_met(game: str, limit: Limit) -> None:
    """A limit that is met before the value is known is told; nothing half known comes out."""
    position = Position.deal(game, max(find_game(game).seats) if game == "plain" else None, seed=1)
    while position.game.declaring_phase(position.state):
        position.play(position.legal_moves[0])
    for ask in (value, best):
        with pytest.raises(LimitMet, match="the limit was met when 0 of 1 positions were solved") as caught:
            ask(position, limit)
        assert caught.value.solved == 0
    with pytest.raises(LimitMet):
        solve(position.game, position.state, limit=limit)


@pytest.mark.parametrize("objective", [PARANOID, MAX_N])
@pytest.mark.parametrize(("game", "players"), [("atspek", 3), ("atspek", 4), ("sixty_six", 3)])
def test_each_for_himself_there_is_always_an_answer(game: str, players: int, objective: str) -> None:
    """Where there is no time to look ahead, an estimate of what each move leads to."""
    position = Position.deal(game, players, seed=1)
    while position.game.declaring_phase(position.state):
        position.play(position.legal_moves[0])
    for limit in LIMITS:
        solved = solve(position.game, position.state, objective, limit)
        assert solved.depth == 0
        assert list(solved.moves) == position.game.moves(position.state)
        assert solved.value in solved.moves.values()


@contextmanager
def ctrl_c_after(seconds: float) -> Iterator[None]:
    """Presses Ctrl-C while the body runs, where Python's own handler may be off, as in a worker of pytest-xdist."""
    main = threading.main_thread().ident
    assert main is not None
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("objective", [PARANOID, MAX_N])
def test_ctrl_c_leaves_what_was_found(objective: str) -> None:
    """These searches would take days."""
    position = Position.deal("velnio_tuzinas", 6, seed=1)
    with ctrl_c_after(0.5):
        answer = analyse(position, objective=objective, limit=Limit(time=1000))
    assert answer.interrupted
    assert not answer.exact
    assert answer.depth is not None
    assert {move.move for move in answer.moves} == set(position.legal_moves)


def test_ctrl_c_before_anything_was_found() -> None:
    state = Position.deal("velnio_tuzinas", 6, seed=1)
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.5):
        solve(state.game, state.state)


def test_batches_tell_how_far_they_came() -> None:
    """Each thread's share of nodes is used up by the deal in the middle."""
    easy = Position.from_dict(PIRAMIDE | {"hands": {"A": "SA", "B": "SK"}})
    hard = Position.deal("plain", 4, seed=3)
    rows = [position_row(easy)] * 3 + [position_row(hard)] + [position_row(easy)] * 2
    table = move_table(
        Solvers(find_game("plain"), table_mb=1), np.concatenate(rows), limit=Limit(nodes=2000, table_mb=1)
    )
    assert list(table.done[:4]) == [1, 1, 1, 0]
    with pytest.raises(LimitMet, match=r"the limit was met when \d of 6 positions were solved"):
        packed_values(find_game("plain"), np.concatenate(rows), limit=Limit(nodes=2000, table_mb=1))


def position_row(position: Position) -> Any:
    return packed(position.game, position.state, position.game.pov(position.state))


@pytest.mark.parametrize("table", [1e-6, 0.1, 3])
def test_a_generous_limit_changes_nothing(table: float) -> None:
    position = Position.from_dict(SIXTY_SIX)
    limit = Limit(time=1000, nodes=10**9, table_mb=table)
    assert value(position, limit) == value(position)
    assert solve(position.game, position.state, limit=limit).moves == solve(position.game, position.state).moves


# ---- batches ------------------------------------------------------------------------------------------------------


def test_a_batch_of_all_games() -> None:
    """In order, each for its own pov, whatever the games, finished deals among them, in any number of threads."""
    positions: list[Position] = []
    for data in GOOD * 30:
        position = Position.from_dict(data)
        for _ in range(len(positions) % 7):
            if position.actor is not None:
                position.play(position.legal_moves[-1])
        positions.append(position)
    expected = [value(position, Limit(table_mb=0.1)) for position in positions]
    assert len(set(expected)) > 3
    for threads in (1, 2, 5):
        found = values(positions, threads=threads, limit=Limit(table_mb=0.1))
        assert found.dtype == np.int32
        assert list(found) == expected
    assert list(values(iter(positions), limit=Limit(table_mb=0.1))) == expected
    with_slow = [
        *positions[:3],
        Position(Slow(2), Position.from_dict(PIRAMIDE | {"hands": {"A": "SA", "B": "SK"}}).state),
    ]
    assert list(values(with_slow, limit=Limit(table_mb=0.1)))[:3] == expected[:3]


def test_an_empty_batch() -> None:
    found = values([])
    assert found.shape == (0,) and found.dtype == np.int32


def test_a_large_batch() -> None:
    position = Position.from_dict(PLAIN)
    found = values((position for _ in range(20_000)), threads=2, limit=Limit(table_mb=1))
    assert found.shape == (20_000,) and set(found) == {value(position)}


@pytest.mark.parametrize("total", [0, 1, 33, 1024, 300_000])
def test_the_parts_of_a_batch_shrink(total: int) -> None:
    """Every position is in one of them, and the last is too small to be waited for."""
    parts = _shrinking(total)
    sizes = [part.stop - part.start for part in parts]
    assert [part.start for part in parts] == [sum(sizes[:at]) for at in range(len(sizes))]
    assert sum(sizes) == total
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1:] == [1] * min(total, 1)


def test_many_callers_at_once() -> None:
    positions = [Position.from_dict(data) for data in GOOD]
    expected = list(values(positions))
    found: list[list[int]] = []

    def ask() -> None:
        found.append([value(position, Limit(table_mb=0.1)) for position in positions])

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 6


# ---- refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", [value, best, lambda position: values([position])])
@pytest.mark.parametrize(
    ("data", "says"),
    [
        (PIRAMIDE | {"hands": {"A": "SAKQ HA D9 CT", "B": "?"}}, "some cards are unseen"),
        (VELNIO | {"stock": ["?", "D9"]}, "some cards are unseen"),
        (ATSPEK | {"piles": {"A": ["SK/?", "D8"], "B": ["HQ/S8"]}}, "some cards are unseen"),
        ({"game": "piramide", "hands": PIRAMIDE["hands"]}, "A has yet to bid or to name trumps"),
        (
            {
                "game": "plain",
                "hands": {"A": "SAKQJT98765432 HAKQJT98765432", "B": "DAKQJT98765432 CAKQJT98765432"},
                "contract": {"declarer": "A", "trump": "S"},
            },
            "this position cannot be solved: row 0: ",
        ),
    ],
    ids=["hand", "stock", "pile", "announcement", "26 cards each"],
)
def test_refusals(ask: Any, data: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        ask(Position.from_dict(data))


def test_too_large_for_the_reference_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused with a sentence, not attempted for ever."""
    monkeypatch.setattr("solver.search.Reference", partial(Reference, most=2000))
    position = Position(Slow(4), Piramide(4).deal(Random(2)))
    position.play("bid 3 H")
    with pytest.raises(TooLarge, match="has more than 2000 states, too many for exhaustive search; expected an ending"):
        solve(position.game, position.state)


def test_no_kernel_no_rows() -> None:
    with pytest.raises(RuleError, match="Piramidė has no kernel"):
        packed_values(Slow, np.zeros((1, 16), np.int64))


@pytest.mark.parametrize("game", ["atspek", "plain", "sixty_six", "velnio_tuzinas"])
def test_kernels_refuse_senseless_rows(game: str) -> None:
    """Rows of nonsense get a sentence: a kernel must not crash on them."""
    kind = find_game(game)
    module = kernel(kind)
    assert module is not None
    random = np.random.default_rng(1)
    solver = module.Solver(0.1)
    for scale in (2, 60, 1 << 40):
        rows = random.integers(-scale, scale, (200, module.WIDTH), dtype=np.int64)
        for row in rows:
            with pytest.raises(ValueError, match="row 0: "):
                solver.values(row[None], nodes=1000)
    for shape in ((module.WIDTH,), (1, module.WIDTH - 1), (1, 1, module.WIDTH)):
        with pytest.raises(ValueError, match="rows must be a numpy array"):
            solver.values(np.zeros(shape, np.int64))
    with pytest.raises(ValueError, match="rows must be"):
        solver.values([[0] * module.WIDTH])
    with pytest.raises(ValueError, match="C-contiguous"):
        solver.values(np.zeros((module.WIDTH, 2), np.int64).T)


@pytest.mark.parametrize("data", GOOD, ids=lambda data: data["game"])
def test_kernels_refuse_changed_rows(data: dict[str, Any]) -> None:
    """A good row with one word changed is solved or refused, and never a crash."""
    position = Position.from_dict(data)
    row = position_row(position)
    module = kernel(type(position.game))
    assert module is not None
    solver = module.Solver(0.1)
    refused = 0
    for word in range(module.WIDTH):
        for changed in (-(1 << 63), -1, 0, 1, 3, 7, 255, 1 << 40, (1 << 63) - 1):
            other = row.copy()
            other[0, word] = changed
            try:
                solver.values(other, nodes=2000)
            except ValueError as error:
                assert str(error).startswith("row 0: ")
                refused += 1
    assert refused > module.WIDTH
