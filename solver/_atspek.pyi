"""The kernel of Atspėk (compiled from src_ext/_atspek.pyx)."""

from collections.abc import Sequence

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

LEADS: Sequence[Sequence[int]]
REPLIES: Sequence[Sequence[int]]
MANY: Sequence[Sequence[int]]

def set_ordering(
    leads: Sequence[Sequence[int]] = ..., replies: Sequence[Sequence[int]] = ..., many: Sequence[Sequence[int]] = ...
) -> None: ...
