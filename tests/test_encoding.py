"""Numbers for moves and vectors for observations: every move has its number, and what differs stays different."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from common import each_covering_table, each_game, each_table, random_for, random_states

from solver.adapters.encoding import Encoding, recalled
from solver.game import CLAIM, Game, Move
from solver.position import Position


@each_table()
def test_numbers_are_compact_and_without_gaps(game: Game[Any]) -> None:
    encoding = Encoding(game)
    assert encoding.num_actions == len(encoding.moves) == len(set(encoding.moves)) <= 2758
    assert len({encoding.text(action) for action in range(encoding.num_actions)}) == encoding.num_actions


@each_covering_table()
def test_moves_and_numbers_go_both_ways(game: Game[Any]) -> None:
    encoding = Encoding(game)
    for seed in range(5):
        states, moves = random_states(game, random_for(game, seed))
        for state in states:
            legal = encoding.legal(state)
            assert legal == sorted(set(legal))
            assert {encoding.move(action, state) for action in legal} == set(game.moves(state))
        assert [
            encoding.move(encoding.action(move), state) for state, move in zip(states, moves, strict=False)
        ] == moves


def test_a_move_that_a_game_does_not_have_has_no_number() -> None:
    game = Position.deal("piramide").game
    with pytest.raises(KeyError):
        Encoding(game).action(Move(CLAIM))


@each_game()
def test_vectors_differ_where_observations_do(game: Game[Any]) -> None:
    encoding = Encoding(game)
    texts: dict[bytes, str] = {}
    for seed in range(4):
        states, moves = random_states(game, random_for(game, seed))
        position = Position(game, states[0])
        for move in [*moves, None]:
            for seat in range(game.players):
                view = position.observe(seat)
                vector = encoding.tensor(view)
                assert vector.dtype == np.float32
                assert vector.shape == encoding.tensor_shape
                assert np.abs(vector).max() <= 2
                assert texts.setdefault(vector.tobytes(), view.to_text()) == view.to_text()
            if move is not None:
                position.play(move)
    assert len(texts) > 4 * game.players


def test_blocks_are_where_they_are_said_to_be() -> None:
    position = Position.deal("sixty_six", seed=3)
    encoding = Encoding(position.game)
    position.play(position.legal_moves[-1])
    blocks = encoding.split(encoding.tensor(position.observe("B")))
    assert {name: part.shape for name, part in blocks.items()} == encoding.blocks
    assert blocks["seat"].tolist() == [0, 1]
    assert blocks["hand"].sum() == 6
    assert blocks["table"][0].sum() == 1
    assert blocks["played"][0].max() == 1 / 128
    assert blocks["stock"] == 12 / 24


def test_open_cards_are_nobodys_observation() -> None:
    position = Position.deal("antikoziris")
    with pytest.raises(ValueError, match="nobody's"):
        Encoding(position.game).tensor(position)


def test_only_the_one_who_named_the_trump_recalls_his_first_cards() -> None:
    position = Position.deal("atspek", seed=1)
    first = position.state.hands[0]
    assert recalled(position, 0) == 0
    position.play("trump H")
    assert [recalled(position, seat) for seat in (0, 1)] == [first, 0]
    assert Encoding(position.game).tensor(position.observe(0), first).any()


def test_the_package_does_not_import_adapters() -> None:
    code = "import solver, sys; assert not [name for name in sys.modules if name.startswith('solver.adapters')]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_claim_is_numbered_like_any_move() -> None:
    game = Position.deal("sixty_six").game
    state = game.deal(random_for(game))._replace(claims=True)
    encoding = Encoding(game)
    assert encoding.move(encoding.legal(state)[-1], state) == Move(CLAIM)
