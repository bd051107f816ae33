"""Exact values by brute force over the games' own rules: slow, short, trusted.

Every line of play is followed to its end; positions met twice are remembered, which is all the cleverness there is.
The kernels are held against this.
"""

from __future__ import annotations

from typing import Any, Final

from .game import Game

MOST_STATES: Final = 400_000
"""How many different states are looked at before a position is refused."""


class TooLarge(ValueError):
    """A position with more states than the reference search will look at."""

    def __init__(self, game: Game[Any], most: int) -> None:
        super().__init__(
            f"this position of {game.title} has more than {most} states, too many for exhaustive search;"
            " expected an ending with fewer cards"
        )


class Reference:
    """The exact values of one game's states.

    most: the states to look at before TooLarge is raised. nodes: how many were looked at.
    """

    def __init__(self, game: Game[Any], most: int = MOST_STATES) -> None:
        self.game = game
        self.most = most
        self.nodes = 0
        self._values: dict[tuple[int, Any], int] = {}
        self._vectors: dict[Any, tuple[int, ...]] = {}

    def value(self, state: Any, pov: int) -> int:
        """The value for the pov, whose side plays for it, all others against it (`minimax`, `paranoid`)."""
        key = pov, state
        if key not in self._values:
            self._visit()
            self._values[key] = self._value(state, pov)
        return self._values[key]

    def _value(self, state: Any, pov: int) -> int:
        seat = self.game.actor(state)
        if seat is None:
            return self.game.value(state, pov)
        choices = [self.value(self.game.play(state, move), pov) for move in self.game.moves(state)]
        wants_most = (seat in self.game.side(state, pov)) == (self.game.sign(state) > 0)
        return max(choices) if wants_most else min(choices)

    def vector(self, state: Any) -> tuple[int, ...]:
        """Every seat's value where each plays for its own (`max_n`, Luckhardt and Irani 1986).

        Among moves that are equal for him a player takes the one with the smallest best opponent, then the first in
        listed order.
        """
        if state not in self._vectors:
            self._visit()
            self._vectors[state] = self._vector(state)
        return self._vectors[state]

    def _vector(self, state: Any) -> tuple[int, ...]:
        seat = self.game.actor(state)
        if seat is None:
            return tuple(self.game.value(state, each) for each in range(self.game.players))
        choices = [self.vector(self.game.play(state, move)) for move in self.game.moves(state)]
        return max(choices, key=lambda vector: max_n_order(vector, seat))

    def _visit(self) -> None:
        self.nodes += 1
        if self.nodes > self.most:
            raise TooLarge(self.game, self.most)


def max_n_order(vector: tuple[float, ...], seat: int) -> tuple[float, float]:
    """How a seat ranks vectors of values: its own first, then a small best opponent."""
    return vector[seat], -max(value for other, value in enumerate(vector) if other != seat)
