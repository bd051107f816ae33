"""Networks that judge moves by what one seat can see, and how they are taught."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from common import any_move, label, tables
from numpy.typing import NDArray

from solver import novice
from solver.game import Game, find_game
from solver.judgement import JUDGED, judged, packed, past
from solver.position import Position
from solver.sampling import Layouts
from solver.search import kernel, move_of

GAMES = sorted(JUDGED)
each_judged = pytest.mark.parametrize("game", [game for game in tables() if game.name in GAMES], ids=label)


def module(name: str) -> ModuleType:
    """The kernel of a game."""
    found = kernel(find_game(name))
    assert found is not None
    return found


def weights_at_random(name: str) -> NDArray[np.float32]:
    """A network that has learned nothing."""
    return (0.1 * np.random.default_rng(3).standard_normal(module(name).NETWORK)).astype(np.float32)


def past_of(view: Position) -> NDArray[np.int64]:
    """What a seat has seen, for the kernel."""
    return past(view, module(view.game.name))


def views(game: Game[Any], seed: int) -> list[Position]:
    """What the seat to move sees, move by move, of a deal played at random."""
    random = Random(seed)
    position, found = Position(game, game.deal(random)), []
    while position.actor is not None:
        if not game.declaring_phase(position.state):
            found.append(position.observe(position.actor))
        position.play(any_move(game, position.state, random))
    return found


@each_judged
def test_what_cannot_be_seen_makes_no_difference(game: Game[Any]) -> None:
    """The same judgement in every layout, which sees that the inputs leak nothing; and all legal moves are judged."""
    if game.players > 2:
        assert judged(views(game, 1)[0], Layouts(views(game, 1)[0])) == {}
        return
    weights = weights_at_random(game.name)
    for view in views(game, 1) + views(game, 2):
        layouts = Layouts(view)
        rows = layouts.rows(layouts.sample(4, seed=5))
        found = [module(game.name).judgements(weights, rows[at : at + 1], past_of(view)) for at in range(4)]
        codes, values = found[0]
        assert {move_of(int(code)) for code in codes} == set(game.moves(view.state))
        for other_codes, other_values in found[1:]:
            assert (other_codes == codes).all()
            assert (other_values == values).all()


def turned(value: Any, letters: dict[int, int]) -> Any:
    """A position, as data, with suits exchanged."""
    if isinstance(value, dict):
        return {name: part if name in ("game", "rules") else turned(part, letters) for name, part in value.items()}
    if isinstance(value, list):
        return [turned(part, letters) for part in value]
    return value.translate(letters) if isinstance(value, str) else value


@pytest.mark.parametrize("name", GAMES)
def test_plain_suits_are_alike(name: str) -> None:
    game, weights = find_game(name)(2), weights_at_random(name)
    for view in views(game, 4):
        one, other = [suit for place, suit in enumerate("SHDC") if place != view.state.trump][:2]
        letters = str.maketrans(one + other, other + one)
        found = []
        for seen in (view, Position.from_dict(turned(view.to_dict(), letters))):
            layouts = Layouts(seen)
            codes, values = module(name).judgements(weights, layouts.rows(layouts.sample(1, seed=1)), past_of(seen))
            found.append({seen.write(move_of(int(code))): value for code, value in zip(codes, values, strict=True)})
        plain = {frozenset(text.translate(letters).split()): value for text, value in found[0].items()}
        assert {frozenset(text.split()): value for text, value in found[1].items()} == pytest.approx(plain, abs=1e-5)


@pytest.mark.parametrize("name", GAMES)
def test_slopes_are_those_of_half_the_squared_error(name: str) -> None:
    """Against differences, for the weights with the steepest slopes of some deals.

    A changed weight may change a move and with it the rest of a deal; so what most weights say counts.
    """
    weights, slopes = weights_at_random(name), np.zeros(module(name).NETWORK, np.float32)
    module(name).self_play(weights, slopes, 5, 3, 0.0, 1.0)
    steepest, step, close = np.argsort(-abs(slopes))[:200:10], 2e-3, 0
    for place in steepest:
        errors = []
        for way in (step, -step):
            moved = weights.copy()
            moved[place] += way
            errors.append(module(name).self_play(moved, np.zeros_like(slopes), 5, 3, 0.0, 1.0)[1])
        close += (errors[0] - errors[1]) / (4 * step) == pytest.approx(slopes[place], rel=0.02)
    assert close > 0.7 * len(steepest)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_plays_the_same(name: str) -> None:
    weights = weights_at_random(name)
    found = [
        (module(name).self_play(weights, slopes, seed, 4, 0.1, 0.8), slopes)
        for seed, slopes in ((1, np.zeros_like(weights)), (1, np.zeros_like(weights)), (2, np.zeros_like(weights)))
    ]
    assert found[0][0] == found[1][0] != found[2][0]
    assert (found[0][1] == found[1][1]).all()


@pytest.mark.parametrize("name", GAMES)
def test_wrong_arguments_are_said(name: str) -> None:
    weights = weights_at_random(name)
    view = views(find_game(name)(2), 1)[0]
    row, seen = Layouts(view).rows(Layouts(view).sample(1, 1)), past_of(view)
    for wrong in (weights[:-1], weights.astype(np.float64), list(weights)):
        with pytest.raises(ValueError, match="a network is a numpy array float32"):
            module(name).judgements(wrong, row, seen)
    with pytest.raises(ValueError, match="expected one row"):
        module(name).judgements(weights, np.repeat(row, 2, axis=0), seen)
    for event in ([1, 7, 1, 1], [1, 0, 9, 3], [0, 0, 2, 0xF], [0, 0, 1, 1 << 15]):
        with pytest.raises(ValueError, match="is nothing that happens"):
            module(name).judgements(weights, row, np.array([event]))
    table = find_game(name)(3)
    more = views(table, 1)[0]
    with pytest.raises(ValueError, match="for two players, not 3"):
        module(name).judgements(weights, Layouts(more).rows(Layouts(more).sample(1, 1)), seen)


def lead(game: Game[Any], seed: int, judging: int) -> int:
    """By how much the seat that plays what the shipped network thinks best is ahead of rules of thumb after a deal."""
    position = Position(game, game.deal(Random(seed)))
    while position.actor is not None:
        view = position.observe(position.actor)
        asked = position.actor == judging and not game.declaring_phase(view.state)
        gains = judged(view, Layouts(view)) if asked else {}
        position.play(max(gains, key=lambda move: gains[move]) if gains else novice.choose(game, view.state))
    assert position.outcome is not None
    return position.outcome.score[judging] - position.outcome.score[1 - judging]


@pytest.mark.parametrize(("name", "deals"), [("atspek", 40), ("velnio_tuzinas", 300)])
def test_what_is_shipped_has_learned(name: str, deals: int) -> None:
    """It beats rules of thumb, in the same deals from both sides: an input that changed its place would spoil that."""
    game = find_game(name)(2)
    leads = np.array([lead(game, seed, 0) + lead(game, seed, 1) for seed in range(deals)]) / 2
    assert leads.mean() > 2 * leads.std() / np.sqrt(len(leads))


def test_half_floats_are_packed_by_layer() -> None:
    weights = weights_at_random("atspek")
    layers = packed(module("atspek"), weights)
    assert {name: part.shape for name, part in layers.items()} == module("atspek").LAYERS
    assert np.concatenate([part.ravel() for part in layers.values()]) == pytest.approx(weights, abs=1e-3)


def test_moves_are_judged_by_what_the_other_has_shown() -> None:
    """In Velnio tuzinas the past counts: what the other led before."""
    game = find_game("velnio_tuzinas")(2)
    view = views(game, 3)[6]
    layouts = Layouts(view)
    row, seen = layouts.rows(layouts.sample(1, 1)), past_of(view)
    weights = weights_at_random("velnio_tuzinas")
    _, values = module("velnio_tuzinas").judgements(weights, row, seen)
    _, fewer = module("velnio_tuzinas").judgements(weights, row, seen[1:])
    assert (values != fewer).any()
