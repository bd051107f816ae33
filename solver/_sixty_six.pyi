"""The kernel of Sixty-six and Schnapsen, two or three players (compiled from src_ext/_sixty_six.pyx)."""

from collections.abc import Sequence

from ._search import MAX_LINE as MAX_LINE
from ._search import MAX_MOVES as MAX_MOVES
from ._search import WIDTH as WIDTH
from ._search import MaxN as MaxN
from ._search import Mover as Mover
from ._search import Solver as Solver

def get_weights() -> list[int]: ...
def set_weights(weights: Sequence[int]) -> None: ...
