"""What src_ext/_judge.pxi gives to the kernels that have a network, for their stubs alone: never compiled by itself."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

HIDDEN: int
SECOND: int
UNIT: int
NETWORK: int
LAYERS: Mapping[str, tuple[int, ...]]

def self_play(
    weights: NDArray[np.float32], slopes: NDArray[np.float32], seed: int, deals: int, astray: float, trace: float
) -> tuple[int, float]: ...
def judgements(
    weights: NDArray[np.float32], rows: NDArray[np.int64], past: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.float32]]: ...
