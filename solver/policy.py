"""How `expert` was seen to move, and so what the others' plays tell of their cards.

In the games that have weights; `logit` says what kind of policy it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from . import policy_sixty_six
from .logit import log_chances
from .position import Position
from .sampling import HAND, Layouts

_POLICIES: Final[Mapping[str, Any]] = {"sixty_six": policy_sixty_six}
"""By game, the module that says what there was to choose."""
LEARNED: Final = frozenset(_POLICIES)
"""The games in which there is a policy."""
_PASTS: Final = 200
"""What is not known of the past is drawn at least so many times, where layouts are few for each of them."""


def likelihoods(position: Position, layouts: Layouts, part: NDArray[np.int64], seed: int) -> NDArray[np.float64]:
    """How likely what the others have played is in layouts: float64[n], each above 0.

    part: n layouts of the position. seed: of what is drawn where the past is not known; that of some pasts is averaged.
    """
    pasts = max(1, _PASTS // len(part))
    known = np.zeros(len(part) * pasts)
    random = np.random.default_rng(seed)
    for seat in range(position.players):
        if position.state.unseen[seat]:
            now = np.repeat(_present(layouts, part, seat), pasts)
            for choice in _POLICIES[position.game.name].choices(position, seat, now, random):
                known += log_chances(position.game.name, choice)
    return np.asarray(np.exp(known).reshape(-1, pasts).mean(axis=1))


def _present(layouts: Layouts, part: NDArray[np.int64], seat: int) -> NDArray[np.int64]:
    """A seat's hand in each layout, as holdings: int64[n]."""
    held = np.full(len(part), layouts.position.state.hands[seat], dtype=np.int64)
    for place, slot in enumerate(layouts.slots):
        if slot.kind == HAND and slot.seat == seat:
            held |= part[:, place]
    return held
