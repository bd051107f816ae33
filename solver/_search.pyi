"""What src_ext/_search.pxi gives to every kernel, for their stubs alone: no module of this name is ever compiled."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WIDTH: int
MAX_MOVES: int
MAX_LINE: int

class Mover:
    def __init__(self, row: Sequence[int]) -> None: ...
    def actor(self) -> int: ...
    def moves(self) -> list[int]: ...
    def play(self, code: int) -> int: ...
    def tally(self) -> list[int]: ...
    def copy(self) -> Mover: ...

class Solver:
    def __init__(self, table_mb: float = 64) -> None: ...
    def values(
        self,
        rows: NDArray[np.int64],
        *,
        stop: NDArray[np.int32] | None = None,
        seconds: float = math.inf,
        nodes: int = 0,
    ) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]: ...
    def move_values(
        self,
        rows: NDArray[np.int64],
        *,
        best_only: bool = False,
        stop: NDArray[np.int32] | None = None,
        seconds: float = math.inf,
        nodes: int = 0,
    ) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]: ...
    def lines(
        self,
        rows: NDArray[np.int64],
        *,
        stop: NDArray[np.int32] | None = None,
        seconds: float = math.inf,
        nodes: int = 0,
    ) -> tuple[NDArray[np.int32], NDArray[np.uint64]]: ...
    def perft(self, row: NDArray[np.int64], depth: int) -> int: ...

class MaxN(Solver):
    """Three and more players, each for himself."""

    def vectors(
        self,
        rows: NDArray[np.int64],
        *,
        stop: NDArray[np.int32] | None = None,
        seconds: float = math.inf,
        nodes: int = 0,
    ) -> tuple[
        NDArray[np.int32],
        NDArray[np.uint64],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.uint8],
        NDArray[np.int64],
    ]: ...
