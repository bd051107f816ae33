"""What the others' declarations and plays tell of their cards: how likely a layout is by what they did with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from . import novice
from .experience import chances, likelihood
from .game import Game, Move
from .position import Position
from .sampling import Layouts
from .search import Limit, LimitMet, MoveTable, Solvers, code_of, move_of, move_table, value_table

_PLAYS_TELL: Final = {"antikoziris"}
"""Games in which plays are asked about; in Piramidė it was found to change nothing."""


def told(
    position: Position, layouts: Layouts, part: NDArray[np.int64], solvers: Solvers, limit: Callable[[], Limit]
) -> NDArray[np.float64]:
    """How likely layouts are, compared with each other, to the seat to move: float[n], each above 0.

    part: n layouts of the position. limit: of the next search. Raises LimitMet.
    """
    weights = np.ones(len(part))
    contract = getattr(position.state, "contract", None)
    if contract is None or contract.bid is None:
        return weights
    game, start = position.game, position.state
    for state, move in _plays(position):
        start = state
        if game.name in _PLAYS_TELL and game.actor(state) != position.actor:
            table = move_table(solvers, layouts.rows(part, state=state), limit=limit())
            if not table.done.all():
                raise LimitMet(int(table.done.sum()), len(part))
            weights *= _played(game, state, move, table)
    if contract.declarer != position.actor:
        found = value_table(solvers, layouts.rows(part, state=start), limit=limit())
        values = game.sign(start) * found.values
        weights *= [likelihood(game, start, contract, int(value)) for value in values]
    return weights


def _plays(position: Position) -> Iterator[tuple[Any, Move]]:
    """The plays that have been made, the last first, each with the state it was made in.

    In these states everybody also holds what he has played since, and the cards that are unseen now are unseen.
    """
    game, now = position.game, position.state
    hands = list(now.hands)
    for state, move in zip(reversed(position.states[:-1]), reversed(position.moves), strict=True):
        if state.contract is None:
            return
        seat = game.actor(state)
        assert seat is not None
        hands[seat] |= move.cards
        yield state._replace(hands=tuple(hands), unseen=now.unseen), move


def _played(game: Game[Any], state: Any, move: Move, table: MoveTable) -> NDArray[np.float64]:
    """How likely a play was in each of the layouts whose moves and exact values are given."""
    legal = np.arange(table.codes.shape[1]) < table.counts[:, None]
    sign = 1 if game.actor(state) in game.side(state, game.pov(state)) else -1
    values = np.where(legal, sign * table.values.astype(np.float64), -np.inf)
    merits = np.full(table.codes.shape, -np.inf)
    for code in np.unique(table.codes[legal]):
        merits[table.codes == code] = novice.merit(game, state, move_of(int(code)))
    made = legal & (table.codes == np.uint64(code_of(move)))
    return np.asarray(chances(values.max(axis=1, keepdims=True) - values, merits, legal)[made])
