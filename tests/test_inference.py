"""What moves tell of cards: weights of layouts against a count by the reference search, and that they are weights."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from common import any_move, deal_at, random_for, tables
from hidden import late_deal

from solver import novice
from solver.experience import chances, likelihood
from solver.game import Game
from solver.inference import told
from solver.position import Position
from solver.reference import Reference
from solver.sampling import Layouts
from solver.search import Limit, LimitMet, Solvers

TELLING = [game for game in tables() if game.name in ("antikoziris", "piramide")]


def played(position: Position, random: Random) -> Position:
    """Played to its end at random."""
    while position.actor is not None:
        position.play(any_move(position.game, position.state, random))
    return position


def random_play(game: Game[Any], seed: int) -> Position:
    """A deal played to its end at random, after any declaration."""
    random = random_for(game, seed)
    return played(Position(game, deal_at(game, random)), random)


def weights_of(view: Position, samples: int = 6) -> tuple[Layouts, Any, Any]:
    layouts = Layouts(view)
    part = layouts.sample(samples, seed=1)
    solvers = Solvers(type(view.game), table_mb=1)
    return layouts, part, told(view, layouts, part, solvers, Limit)


@pytest.mark.parametrize("game", TELLING, ids=lambda game: f"{game.name}-{game.players}")
def test_weights_are_positive_at_every_move_of_random_play(game: Game[Any]) -> None:
    """Also where the others do what nobody would: at every table that the options allow."""
    position = random_play(game, 1)
    for at in range(len(position.moves)):
        before = position.before(at)
        assert before.actor is not None
        _, part, weights = weights_of(before.observe(before.actor))
        assert weights.shape == (len(part),)
        assert np.isfinite(weights).all()
        assert (weights > 0).all()


def slow_weight(view: Position, layout: Any) -> float:
    """The same for one layout, by the reference search, from the start of the play to now."""
    game = view.game
    first = next(at for at, state in enumerate(view.states) if state.contract is not None)
    hands = list(layout.hands)
    for state, move in zip(view.states[first:], view.moves[first:], strict=False):
        hands[game.actor(state) or 0] |= move.cards
    state = view.states[first]._replace(hands=tuple(hands), unseen=layout.unseen)
    reference, pov = Reference(game), game.pov(state)
    contract, weight = state.contract, 1.0
    if contract.declarer != view.actor:
        weight *= likelihood(game, state, contract, reference.value(state, pov))
    for move in view.moves[first:]:
        seat, moves = game.actor(state), game.moves(state)
        if seat != view.actor and game.name == "antikoziris":
            wants = game.sign(state) * (1 if seat == contract.declarer else -1)
            values = np.array([wants * reference.value(game.play(state, each), pov) for each in moves], dtype=float)
            merits = np.array([novice.merit(game, state, each) for each in moves])
            odds = chances(values.max() - values[None], merits[None], np.ones((1, len(moves)), dtype=bool))
            weight *= odds[0, moves.index(move)]
        state = game.play(state, move)
    return weight


@pytest.mark.parametrize("game", TELLING, ids=lambda game: f"{game.name}-{game.players}")
def test_weights_are_what_the_reference_search_finds(game: Game[Any]) -> None:
    """In deals of three cards a hand, the rest being gone, after each move."""
    random = random_for(game, 2)
    told_apart = 0
    for _ in range(3):
        position = late_deal(game, random, 3, 1)
        if position.state.contract is None:
            continue
        for at in range(1, len(played(position, random).moves)):
            before = position.before(at)
            assert before.actor is not None
            view = before.observe(before.actor)
            layouts, part, weights = weights_of(view, samples=4)
            slow = [slow_weight(view, layout) for layout in layouts.states(part)]
            assert weights == pytest.approx(slow)
            told_apart += len(set(slow)) > 1
    assert told_apart


def test_likely_plays_lose_nothing_and_look_good() -> None:
    legal = np.array([[True, True, True, False], [True, False, False, False]])
    losses = np.array([[0.0, 0.0, 3.0, np.inf], [0.0, np.inf, np.inf, np.inf]])
    merits = np.array([[2.0, 1.0, 0.0, -np.inf], [0.0, -np.inf, -np.inf, -np.inf]])
    found = chances(losses, merits, legal)
    assert found[0, 0] > found[0, 1] > found[0, 2] >= 0.1
    assert (found[0, :3] - 0.1).sum() == pytest.approx(0.9)
    assert found[1, 0] == pytest.approx(1)


def test_a_limit_is_told() -> None:
    game = next(game for game in TELLING if game.name == "antikoziris")
    position = random_play(game, 1).before(12)
    view = position.observe(position.actor or 0)
    layouts = Layouts(view)
    with pytest.raises(LimitMet):
        told(view, layouts, layouts.sample(20), Solvers(type(game), table_mb=1), lambda: Limit(nodes=1))
