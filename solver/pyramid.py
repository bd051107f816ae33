"""The whole pyramid of Piramidė: what an open slot is worth, so that announcing now can be weighed against later.

A player who may still announce `slots` expects, from all his deals to come, the value V(slots): V of the empty pyramid
is 0, and else the mean over random hands of the best of v(bid) + V(slots without that bid), where v(bid) is what the
hand is expected to score with that bid and its best trumps. `tools/make_pyramid.py` samples the hands once and finds V
by exact dynamic programming over the 2880 pyramids; the package ships what it found, from 1,000 hands with 100 layouts
each for every number of players and score table. A whole pyramid is worth 144 to 147 points by the default table, with
standard errors of 0.2 to 0.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

_DATA: Final = "pyramid.npz"


@dataclass(frozen=True)
class Pyramid:
    """What the deals to come are worth to a player, for one score table and number of players.

    values: float64, one axis for each number of tricks: V by how often it may still be announced, in points.
    error: the standard error of V of a whole pyramid, in points, from the sampling of hands.
    """

    values: NDArray[np.float64]
    error: float

    def later(self, slots: Sequence[int]) -> float:
        """The expected score of all deals to come with these slots open, in points."""
        return float(self.values[tuple(map(int, slots))])


@cache
def pyramid(table: str, players: int) -> Pyramid:
    """The shipped values for a score table of Piramidė and a number of players."""
    with resources.files(__package__).joinpath("data", _DATA).open("rb") as stream:
        data = np.load(stream)
        return Pyramid(data[f"{table}{players}"], float(data[f"{table}{players}_error"]))
