"""Questions about bridge deals, to this library and to DDS by way of endplay.

DDS gets one deal a call and one thread, which is where it is known to be safe. Its cheapest call for a value is the
one for a best lead. What it keeps from call to call belongs to one deal, and so does our table here for each of the
leaders; over different deals nothing can be shared.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cards import NATURAL, Holding, each

from .row import WARMING, by_name

_PLAYERS = 4
_LEADER, _TRUMP, _SIDE = 7, 9, 11
"""The words of a row that say who leads, what is trumps, and who plays together."""


def _rows(count: int) -> NDArray[np.int64]:
    return by_name()["bridge"].rows(0, count)


def _solver() -> Any:
    """A solver whose table has its memory already, as that of DDS has."""
    row = by_name()["bridge"]
    solver = row.solver()
    solver.values(row.rows(WARMING, row.warming))
    return solver


def _with_leaders(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each deal with every seat on lead, the side that does not lead declaring."""
    turned = np.repeat(rows, _PLAYERS, axis=0)
    turned[:, _LEADER] = np.tile(np.arange(_PLAYERS), len(rows))
    turned[:, _SIDE] = np.where(turned[:, _LEADER] % 2, 0b0101, 0b1010)
    return turned


# ---- ours ---------------------------------------------------------------------------------------------------------


def _our_values(rows: NDArray[np.int64]) -> tuple[list[int], float]:
    solver = _solver()
    start = time.process_time()
    values, _, _ = solver.values(rows)
    return values.tolist(), time.process_time() - start


def _our_best(rows: NDArray[np.int64]) -> tuple[list[int], float]:
    """How many leads are best."""
    solver = _solver()
    start = time.process_time()
    counts, *_ = solver.move_values(rows, best_only=True)
    return counts.tolist(), time.process_time() - start


def our_values(count: int) -> float:
    """The values of so many deals."""
    return _our_values(_rows(count))[1]


def our_best(count: int) -> float:
    """All best leads of so many deals."""
    return _our_best(_rows(count))[1]


def our_table(count: int) -> float:
    """The values of so many deals, with every seat on lead."""
    return _our_values(_with_leaders(_rows(count)))[1]


# ---- theirs -------------------------------------------------------------------------------------------------------


def _hand(cards: Holding) -> str:
    """A hand as PBN has it."""
    suits = ["", "", "", ""]
    for card in each(cards):
        suits[card // 16] += NATURAL[len(NATURAL) - 1 - card % 16]
    return ".".join(suits)


def _deal(row: NDArray[np.int64]) -> Any:
    """A deal for endplay: A is north, and suits have the same order there."""
    from endplay.types import Deal, Denom, Player

    hands = " ".join(_hand(int(cards)) for cards in row[:_PLAYERS].astype(np.uint64))
    return Deal(f"N:{hands}", first=Player(int(row[_LEADER])), trump=Denom(int(row[_TRUMP])))


def _one_thread() -> None:
    from endplay import _dds

    _dds.SetMaxThreads(1)


def _agree(ours: list[int], theirs: list[int]) -> None:
    if ours != theirs:
        number = next(at for at, (own, other) in enumerate(zip(ours, theirs, strict=True)) if own != other)
        raise RuntimeError(f"answer {number} is {ours[number]} here and {theirs[number]} by DDS")


def _solved(rows: NDArray[np.int64], mode: str) -> tuple[list[Any], float]:
    """What DDS says about each deal in a mode of `SolveMode`."""
    from endplay.dds.solve import SolveMode, solve_board

    _one_thread()
    deals = [_deal(row) for row in rows]
    start = time.process_time()
    boards = [solve_board(deal, SolveMode[mode]) for deal in deals]
    return boards, time.process_time() - start


def their_values(count: int) -> float:
    """One best lead of each deal and what it takes, which is the leader's side of the value."""
    rows = _rows(count)
    boards, seconds = _solved(rows, "OptimalOne")
    _agree(_our_values(rows)[0], [13 - max(tricks for _, tricks in board) for board in boards])
    return seconds


def their_best(count: int) -> float:
    """All best leads of each deal."""
    rows = _rows(count)
    boards, seconds = _solved(rows, "OptimalAll")
    _agree(_our_best(rows)[0], [len(list(board)) for board in boards])
    return seconds


def their_table(count: int) -> float:
    """The values of each deal with every seat on lead, trumps unchanged."""
    from endplay.dds import calc_all_tables
    from endplay.types import Denom, Player

    rows = _rows(count)
    _one_thread()
    deals = [_deal(row) for row in rows]
    start = time.process_time()
    tables = [calc_all_tables([deal], exclude=[trump for trump in Denom if trump != deal.trump]) for deal in deals]
    seconds = time.process_time() - start
    declared = [
        table[0][deal.trump, Player((leader - 1) % _PLAYERS)]
        for table, deal in zip(tables, deals, strict=True)
        for leader in range(_PLAYERS)
    ]
    _agree(_our_values(_with_leaders(rows))[0], [int(tricks) for tricks in declared])
    return seconds
