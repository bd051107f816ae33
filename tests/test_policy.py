"""What plays tell of hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from common import any_move, label, random_for, tables

from solver.cards import count, holding
from solver.game import CLAIM, CLOSE, EXCHANGE, MARRIAGE, PLAY, Game, Move
from solver.logit import Choice, log_chances
from solver.policy import LEARNED, likelihoods
from solver.policy_sixty_six import SIZES, choices
from solver.position import Position
from solver.sampling import Layouts

SIXTY_SIX = [game for game in tables() if game.name == "sixty_six"]


def observations(game: Game[Any], random: Random, most: int) -> Iterator[Position]:
    """What the seat to move sees at some places of a deal played at random."""
    position = Position(game, game.deal(random, game.new_match() if random.random() < 0.5 else None))
    while position.actor is not None:
        if random.random() < 0.3 and most:
            most -= 1
            yield position.observe(position.actor)
        move = any_move(game, position.state, random)
        position.play(move if move.kind != CLAIM else game.moves(position.state)[0])


def seen(game: Game[Any], random: Random) -> tuple[Position, int]:
    """A deal as it was played at random, all cards open, and a seat."""
    position = Position(game, game.deal(random))
    for _ in range(random.randrange(4, 30)):
        if position.actor is not None:
            position.play(any_move(game, position.state, random))
    return position, random.randrange(game.players)


def column(choice: Choice, game: Game[Any], move: Move) -> int:
    """The place of a move: cards by suit, from the lowest; marriages by suit; exchanging; closing."""
    ranks = len(game.deck.ranks)
    card = move.cards.bit_length() - 1
    places = {PLAY: card // 16 * ranks + card % 16, MARRIAGE: 4 * ranks + card // 16}
    return {**places, EXCHANGE: 4 * ranks + 4, CLOSE: 4 * ranks + 5}[move.kind]


@pytest.mark.parametrize("game", [game for game in tables() if game.name in LEARNED], ids=label)
def test_weights_are_positive_and_finite(game: Game[Any]) -> None:
    random = random_for(game, "told")
    for view in observations(game, random, 6):
        if not game.declaring_phase(view.state):
            layouts = Layouts(view)
            weights = likelihoods(view, layouts, layouts.sample(7, seed=1), 2)
            assert weights.shape == (7,)
            assert np.isfinite(weights).all() and (weights > 0).all(), view


@pytest.mark.parametrize("game", SIXTY_SIX, ids=label)
def test_the_policy_knows_the_legal_moves(game: Game[Any]) -> None:
    for seed in range(3):
        position, seat = seen(game, random_for(game, seed))
        found = list(choices(position, seat, np.array([position.state.hands[seat]]), np.random.default_rng(1)))
        made = [at for at, state in enumerate(position.states[:-1]) if game.actor(state) == seat]
        assert len(found) == len(made)
        for at, choice in zip(reversed(made), found, strict=True):
            legal = {column(choice, game, move) for move in game.moves(position.states[at])}
            assert set(np.flatnonzero(choice.legal[0])) == legal, (position, at)
            assert choice.made == column(choice, game, position.moves[at])


@pytest.mark.parametrize("game", SIXTY_SIX, ids=label)
def test_hands_of_the_past_could_make_the_moves(game: Game[Any]) -> None:
    """Cards that nobody saw drawn go back at random, but every hand has its size and what was played."""
    random = random_for(game, "past")
    for view in observations(game, random, 4):
        layouts = Layouts(view)
        states = list(layouts.states(layouts.sample(20, seed=3)))
        for seat in set(range(game.players)) - {view.actor}:
            hands = np.array([state.hands[seat] for state in states])
            made = [at for at, state in enumerate(view.states[:-1]) if game.actor(state) == seat]
            for at, choice in zip(reversed(made), choices(view, seat, hands, np.random.default_rng(4)), strict=True):
                size = count(view.states[at].hands[seat]) + view.states[at].unseen[seat]
                assert choice.legal[:, choice.made].all(), (view, at)
                if not game.obliged(view.states[at]):
                    assert (choice.legal[:, : -len("SHDC") - 2].sum(axis=1) == size).all()
                for codes, sizes in zip(choice.aspects, SIZES[choice.situation], strict=True):
                    assert codes.min() >= 0 and codes.max() < sizes
                    assert codes.shape[1] == choice.legal.shape[1]


def test_chances_add_up() -> None:
    game = SIXTY_SIX[0]
    for seed in range(5):
        position, seat = seen(game, random_for(game, f"sum {seed}"))
        for choice in choices(position, seat, np.array([position.state.hands[seat]]), np.random.default_rng(1)):
            each = [
                np.exp(log_chances(game.name, choice._replace(made=made)))[0]
                for made in np.flatnonzero(choice.legal[0])
            ]
            assert sum(each) == pytest.approx(1)


DRAWN = {
    "game": "sixty_six",
    "trump": "S",
    "hands": {"A": "?", "B": "SA HA CAT DA9"},
    "stock": ["?"] * 11 + ["ST"],
    "leader": "A",
    "seat": "B",
}


def test_every_card_may_have_been_the_last_one_drawn() -> None:
    """A has led and drawn: each of his six cards is as likely as another not to have been there."""
    view = Position.from_dict({**DRAWN, "plays": ["HQ", "HA"]})
    cards = [view.game.deck.card(suit, "K") for suit in "SHDC"] + [view.game.deck.card(suit, "J") for suit in "SH"]
    hands = np.full(6000, holding(cards))
    first = list(choices(view, 0, hands, np.random.default_rng(5)))[-1]
    ranks = len(view.game.deck.ranks)
    absent = [6000 - first.legal[:, card // 16 * ranks + card % 16].sum() for card in cards]
    assert sum(absent) == 6000
    assert max(abs(times - 1000) for times in absent) < 5 * 30


def test_who_leads_without_a_marriage_has_none() -> None:
    """Of layouts with king and queen of trumps in A's hand the policy thinks little when he leads a nine."""
    view = Position.from_dict({**DRAWN, "plays": ["H9", "HA"]})
    layouts = Layouts(view)
    part = layouts.sample(3000, seed=1)
    pair = view.game.deck.card("S", "K"), view.game.deck.card("S", "Q")
    holds = np.array([not holding(pair) & ~state.hands[0] for state in layouts.states(part)])
    weights = likelihoods(view, layouts, part, 2)
    assert 100 < holds.sum() < 1000
    assert weights[holds].mean() < 0.75 * weights[~holds].mean()


def test_the_same_seed_weighs_the_same() -> None:
    view = Position.from_dict({**DRAWN, "plays": ["HQ", "HA"]})
    layouts = Layouts(view)
    part = layouts.sample(5, seed=1)
    once, again, other = (likelihoods(view, layouts, part, seed) for seed in (2, 2, 3))
    assert (once == again).all()
    assert (once != other).any()
