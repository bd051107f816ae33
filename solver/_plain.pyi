"""The kernel of the games that are hands only (compiled from src_ext/_plain.pyx)."""

from ._search import MAX_LINE as MAX_LINE
from ._search import MAX_MOVES as MAX_MOVES
from ._search import WIDTH as WIDTH
from ._search import Mover as Mover
from ._search import Solver as Solver
