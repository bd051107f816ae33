"""What a result is worth to the one who plays for it: in most games its value, in some how the match stands after."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from .position import Position
from .search import wants_most


def utility(position: Position, *, matched: bool) -> Callable[[int], float]:
    """From a value of the game, as its pov counts, to what it is worth to the one to move, of which more is better.

    matched: is the score of the match taken account of, where there is one?
    """
    game, state, seat = position.game, position.state, position.actor
    assert seat is not None
    if game.name == "antikoziris":
        return lambda value: _lead(game.scores_for(state, value), seat, state.contract.declarer)
    sign = 1 if wants_most(game, state) else -1
    if matched and game.name == "sixty_six" and position.match is not None and game.players == 2:
        own, other = position.match[seat], position.match[1 - seat]
        return lambda value: _eyes_worth(game.rules.match_eyes, own, other, sign * value)
    return lambda value: sign * value


def _eyes_worth(goal: int, own: int, other: int, value: int) -> float:
    """In Sixty-six for two, how likely the match is won after a deal that ends with that value."""
    return _match_chance(goal, own + max(0, value), other + max(0, -value))


_EYES: Final = ((1, 0.55), (2, 0.3), (3, 0.15))
"""How often the winner of a deal covers so many eyes, about."""


@cache
def _match_chance(goal: int, own: int, other: int) -> float:
    """How likely the match is won from a score, both winning deals equally often."""
    if own >= goal or other >= goal:
        return float(own >= goal)
    return sum(
        often / 2 * (_match_chance(goal, own + eyes, other) + _match_chance(goal, own, other + eyes))
        for eyes, often in _EYES
    )


def _lead(scores: tuple[int, ...], seat: int, declarer: int) -> float:
    """In Antikoziris, how far one's side comes out ahead of the other."""
    lead = scores[declarer] - (sum(scores) - scores[declarer]) / 2
    return lead if seat == declarer else -lead
