"""The kernel of Velnio tuzinas, 2 to 8 players (compiled from src_ext/_velnio_tuzinas.pyx)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ._judge import HIDDEN as HIDDEN
from ._judge import LAYERS as LAYERS
from ._judge import NETWORK as NETWORK
from ._judge import SECOND as SECOND
from ._judge import UNIT as UNIT
from ._judge import judgements as judgements
from ._judge import self_play as self_play
from ._search import MAX_LINE as MAX_LINE
from ._search import MAX_MOVES as MAX_MOVES
from ._search import WIDTH as WIDTH
from ._search import MaxN as MaxN
from ._search import Mover as Mover
from ._search import Solver as Solver

AS_LEAD: int
AS_COVER: int
AS_TUCK: int

def playouts(
    rows: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.int32]]: ...
def get_weights() -> list[int]: ...
def set_weights(wanted: Sequence[int]) -> None: ...
