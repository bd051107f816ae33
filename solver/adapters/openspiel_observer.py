"""Observers of OpenSpiel's: what a seat sees of a deal, as text and as a vector in named blocks."""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

from ..game import SEATS
from ..position import diagram
from .encoding import Encoding, Vector, recalled
from .openspiel_deal import Deal

_WITHOUT_RECALL: Final = frozenset({"played", "called", "recalled", "drawn", "tops", "unders"})
"""The blocks of a vector that tell of the past."""


class State(Protocol):
    """What is observed: a state of OpenSpiel that knows its deal."""

    deal: Deal


class Observer:
    """Writes what a seat sees; the interface is OpenSpiel's.

    public: also what all see, not the hand alone? recall: also the past, not the table alone?
    """

    def __init__(self, encoding: Encoding, *, public: bool, recall: bool) -> None:
        self._encoding = encoding
        self._public, self._recall = public, recall
        self._whole = np.zeros(encoding.tensor_shape, np.float32)
        self._blocks = encoding.split(self._whole)
        names = [name for name in self._blocks if self._shows(name)]
        self.tensor = np.zeros(sum(self._blocks[name].size for name in names), np.float32)
        self.dict: dict[str, Vector] = {}
        first = 0
        for name in names:
            block = self._blocks[name]
            self.dict[name] = self.tensor[first : first + block.size].reshape(block.shape)
            first += block.size

    def _shows(self, block: str) -> bool:
        if not self._public:
            return block in ("seat", "hand")
        return self._recall or block not in _WITHOUT_RECALL

    def set_from(self, state: State, player: int) -> None:
        """Writes the vector."""
        self._whole.fill(0)
        if state.deal.start is None:
            self._encoding.fill_dealt(self._blocks, player, state.deal.dealt_to(player))
        else:
            position = state.deal.position()
            self._encoding.fill(self._blocks, position.observe(player), recalled(position, player))
        for name, block in self.dict.items():
            block[...] = self._blocks[name]

    def string_from(self, state: State, player: int) -> str:
        """The text."""
        if state.deal.start is None:
            return f"{SEATS[player]} {state.deal.table.text.write_holding(state.deal.dealt_to(player))}".strip()
        position = state.deal.position()
        view = position.observe(player)
        hand = view.text.write_holding(view.state.hands[player])
        if not self._public:
            return f"{SEATS[player]} {hand}"
        if not self._recall:
            return diagram(view)
        known = recalled(position, player)
        return f"{view.text.write_holding(known)} {view.to_text()}".strip()
