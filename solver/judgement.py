"""What moves are worth to somebody who sees his own cards alone, as networks judge it that learned by self-play.

Other than the mean over layouts of the unseen cards this takes account of what one will not know later either, nor the
others. The networks are for two players. `src_ext/_judge.pxi` says what they are, and `tools/train_network.py` teaches
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .cards import count, suit_of
from .game import PLAY, TUCK, Move
from .position import Position
from .sampling import Layouts
from .search import kernel, move_of

Event = tuple[int, int, int, int]
"""What a seat has seen, as the kernel recalls it."""


def judged(position: Position, layouts: Layouts) -> dict[Move, float]:
    """How many points each legal move will gain the seat to move from now on, by the network of the game; empty if
    there is none. layouts: of the position; which of them is looked at makes no difference."""
    if position.players != 2 or position.game.name not in JUDGED:
        return {}
    module = kernel(type(position.game))
    assert module is not None
    rows = layouts.rows(layouts.sample(1, 0))
    codes, values = module.judgements(shipped_network(position.game.name), rows, past(position, module))
    return {move_of(int(code)): float(value) for code, value in zip(codes, values, strict=True)}


def past(position: Position, module: ModuleType) -> NDArray[np.int64]:
    """What the seat to move has seen of the deal, for the kernel: int64[m, 4]."""
    return np.array(list(JUDGED[position.game.name](position, module)), dtype=np.int64).reshape(-1, 4)


def packed(module: ModuleType, weights: NDArray[np.float32]) -> dict[str, NDArray[np.float16]]:
    """The weights by layer, as they are shipped."""
    sizes = [int(np.prod(shape)) for shape in module.LAYERS.values()]
    parts = np.split(weights, np.cumsum(sizes)[:-1])
    return {
        name: part.reshape(shape).astype(np.float16)
        for (name, shape), part in zip(module.LAYERS.items(), parts, strict=True)
    }


@cache
def shipped_network(game: str) -> NDArray[np.float32]:
    """The weights of a game's network, float32[NETWORK]."""
    with resources.files(__package__).joinpath("data", f"network_{game}.npz").open("rb") as stream:
        data = np.load(stream)
        return np.concatenate([data[name].ravel() for name in data.files]).astype(np.float32)


def _atspek(position: Position, _: ModuleType) -> Iterator[Event]:
    """Cards: is it one's own, the suit led or -1, the trump suit, the card."""
    game, trump = position.game, position.state.trump
    if position.gone:
        yield (1, -1, trump, position.gone)
    for before, move in zip(position.states, position.moves, strict=False):
        if move.kind == PLAY:
            led = suit_of(before.trick[0]) if before.trick else -1
            yield (int(game.actor(before) == position.actor), led, trump, move.cards)


def _velnio_tuzinas(position: Position, module: ModuleType) -> Iterator[Event]:
    """Moves: is it one's own, its kind, how many cards, which ones if they were to be seen."""
    game = position.game
    if position.gone:
        yield (1, -1, 0, position.gone)
    for before, move in zip(position.states, position.moves, strict=False):
        kind = module.AS_TUCK if move.kind == TUCK else module.AS_COVER if before.size else module.AS_LEAD
        yield (int(game.actor(before) == position.actor), kind, before.size or count(move.cards), move.cards)


JUDGED: Final[Mapping[str, Callable[[Position, ModuleType], Iterator[Event]]]] = {
    "atspek": _atspek,
    "velnio_tuzinas": _velnio_tuzinas,
}
"""The games in which there is a network, and what a seat has seen there."""
