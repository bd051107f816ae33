"""Random deals from fixed seeds, packed as the kernels take them.

A deal depends on the name of its kind and its number alone, so the first hundred of two hundred deals are a hundred
deals, and every kind can be drawn anew without the others.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cards import NO_TRUMP
from solver.game import CLOSE, TRUMP, Contract, Game, Move, find_table
from solver.search import packed

Deal = tuple[Game[Any], Any]
"""A game and a state of it, in the play."""

Draw = Callable[[Random], Deal]

_PREFERANS = {"ranks": "AKQJT987"}
_BRIDGE = {"side": ["A", "C"], "void": "any"}
_SIGN = 77
"""The word of a Velnio tuzinas row that asks for the sign of the margin."""


def antikoziris(random: Random) -> Deal:
    """A declares few tricks with a random anti-trump and leads."""
    game = find_table("antikoziris", 3)
    return game, game.deal(random)._replace(contract=Contract(0, 0, random.randrange(4)), leader=0)


def piramide(players: int) -> Draw:
    """A announces a random number of tricks with random trumps or none."""

    def draw(random: Random) -> Deal:
        game = find_table("piramide", players)
        contract = Contract(0, random.randrange(7), random.choice((0, 1, 2, 3, NO_TRUMP)))
        return game, game.deal(random)._replace(contract=contract, leader=0)

    return draw


def preferans(random: Random) -> Deal:
    """Ten cards each of 32; A plays alone with random trumps and leads."""
    game = find_table("plain", 3, _PREFERANS)
    return game, game.deal(random)


def bridge(random: Random) -> Deal:
    """Thirteen cards each; A and C declare with random trumps, and B leads."""
    game = find_table("plain", 4, _BRIDGE)
    return game, game.deal(random)._replace(leader=1)


def atspek(players: int) -> Draw:
    """All piles dealt and random trumps; A leads."""

    def draw(random: Random) -> Deal:
        game = find_table("atspek", players)
        return game, game.play(game.deal(random), Move(TRUMP, trump=random.randrange(4)))

    return draw


def dealt(name: str, players: int, rules: object = None) -> Draw:
    """A fresh deal of a game that is played as it is dealt."""
    game = find_table(name, players, rules)
    return lambda random: (game, game.deal(random))


def schnapsen_ending(random: Random) -> Deal:
    """Five cards each and no stock, after play at random without closing that nobody has won so far."""
    game = find_table("sixty_six", 2, "schnapsen")
    while True:
        state = game.deal(random)
        while state.stock and game.actor(state) is not None:
            state = game.play(state, random.choice([move for move in game.moves(state) if move.kind != CLOSE]))
        if game.actor(state) is not None:
            return game, state


def draws(kind: str, draw: Draw, first: int, count: int) -> list[Deal]:
    """Deals number first, first + 1, ... of a kind."""
    return [draw(Random(f"{kind} {number}")) for number in range(first, first + count)]


def rows(deals: list[Deal]) -> NDArray[np.int64]:
    """Deals of one game as packed positions."""
    return np.concatenate([packed(game, state, game.pov(state)) for game, state in deals])


def asking_sign(packed_rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of Velnio tuzinas that ask only who wins."""
    asked = packed_rows.copy()
    asked[:, _SIGN] = 1
    return asked
