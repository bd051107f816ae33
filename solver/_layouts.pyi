"""Draws layouts of unseen cards, every one with exactly the same probability (compiled from src_ext/_layouts.pyx)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

class Sampler:
    def __init__(
        self,
        cards: NDArray[np.int8],
        class_sizes: NDArray[np.int32],
        slot_sizes: NDArray[np.int32],
        group_sizes: NDArray[np.int32],
        columns: NDArray[np.int32],
        single: NDArray[np.uint8],
        states: NDArray[np.int32],
        counts: NDArray[np.int32],
        targets: NDArray[np.int32],
        limits: NDArray[np.uint64],
        width: int,
    ) -> None: ...
    def sample(self, numbers: NDArray[np.int64], seed: int) -> NDArray[np.int64]: ...

def choose(limits: NDArray[np.uint64], numbers: NDArray[np.int64], seed: int) -> NDArray[np.int32]: ...
def random_block(counter: Sequence[int], key: Sequence[int]) -> list[int]: ...
