"""What the others' declarations and plays tell of their cards: how likely a layout is by what they did with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cards import Holding
from .experience import likelihood
from .position import Position
from .sampling import Layouts
from .search import Limit, LimitMet, packed_values


def told(position: Position, layouts: Layouts, part: NDArray[np.int64], limit: Limit) -> NDArray[np.float64]:
    """How likely layouts are, compared with each other, to the seat to move: float[n], each above 0.

    part: n layouts of the position. limit: of searches; where it is met, nothing is told.
    """
    contract = getattr(position.state, "contract", None)
    if contract is None or contract.bid is None or contract.declarer == position.actor:
        return np.ones(len(part))
    return _declared(position, list(layouts.states(part)), limit)


def _declared(position: Position, states: Sequence[Any], limit: Limit) -> NDArray[np.float64]:
    """By the declarer's contract: as he would choose it with the hand he has there.

    What counts is the exact value of the whole play in the layout.
    """
    game = position.game
    start, played = _play_begun(position)
    contract = start.contract
    rows = [
        game.packed(
            start._replace(
                hands=tuple(now | then for now, then in zip(state.hands, played, strict=True)), unseen=state.unseen
            ),
            contract.declarer,
        )
        for state in states
    ]
    try:
        values = packed_values(type(game), np.array(rows, dtype=np.int64), limit=limit)
    except LimitMet:
        return np.ones(len(states))
    sign = game.sign(start)
    return np.array([likelihood(game, start, contract, sign * int(value)) for value in values], dtype=np.float64)


def _play_begun(position: Position) -> tuple[Any, list[Holding]]:
    """The first state with a contract, and by seat the cards played since."""
    states, moves = position.states, position.moves
    first = next(at for at, state in enumerate(states) if state.contract is not None)
    played = [0] * position.game.players
    for state, move in zip(states[first:], moves[first:], strict=False):
        seat = position.game.actor(state)
        assert seat is not None
        played[seat] |= move.cards
    return states[first], played
