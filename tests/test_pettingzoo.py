"""The environments of PettingZoo: its own conformance tests, and what they do not ask: no leaks, the mask, the deal."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from common import each_covering_table, each_game, label, random_for, registry
from hidden import history
from numpy.typing import NDArray
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from solver.adapters.deals import Small
from solver.adapters.pettingzoo import LEAD, env, raw_env
from solver.cards import count
from solver.game import Game, RuleError, write_rules
from solver.position import IllegalMove, Position
from solver.sampling import Layouts

NAMED_EXCEPTIONS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}
"""Warnings about observations with a mask in them: PettingZoo spares only its own games, by name."""


def made(game: Game[Any], **options: Any) -> raw_env:
    return raw_env(game.name, players=game.players, rules=write_rules(game), **options)


def any_action(mask: NDArray[np.int8], random: Random) -> int:
    return int(random.choice(np.flatnonzero(mask)))


def played(table: raw_env, seed: int) -> dict[str, float]:
    """Plays a deal at random to its end; what everybody was rewarded with."""
    random = Random(seed)
    table.reset(seed=seed)
    earned = dict.fromkeys(table.agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, over, _, _ = table.last()
        earned[agent] += reward
        table.step(None if over else any_action(observation["action_mask"], random))
    return earned


# ---- conformance --------------------------------------------------------------------------------------------------


def conforms(make: Callable[[], Any]) -> None:
    """Runs the tests of the API and of seeds."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(), num_cycles=60)
    assert {str(warning.message) for warning in caught} <= NAMED_EXCEPTIONS
    seed_test(make, num_cycles=60)


@each_covering_table()
def test_the_api_and_seeds(game: Game[Any]) -> None:
    conforms(partial(env, game.name, players=game.players, rules=write_rules(game)))


@each_game()
def test_the_play_alone(game: Game[Any]) -> None:
    make = partial(raw_env, game.name, players=game.players, rules=write_rules(game), declaring=False)
    conforms(make)
    table = make()
    table.reset(seed=1)
    assert not game.declaring_phase(table.position.state)


@pytest.mark.parametrize(
    ("name", "small"), [("piramide", Small(2, "SAKHAKDA")), ("atspek", Small(1, "SAKHAKDACA", piles=1))]
)
def test_small_deals(name: str, small: Small) -> None:
    make = partial(raw_env, name, small=small)
    conforms(make)
    table = make()
    table.reset(seed=1)
    assert count(table.position.gone) == len(table.game.deck) - len(table.dealing.pack) < len(table.game.deck)
    assert [count(hand) for hand in table.position.state.hands] == [small.hand] * table.game.players


@each_game()
def test_rendering(game: Game[Any]) -> None:
    render_test(
        partial(env, game.name, players=game.players, rules=write_rules(game)),
        custom_tests={"ansi": lambda text: game.title in text},
    )


@pytest.mark.parametrize("name", registry())
def test_the_benchmark_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(env(name))
    assert "turns per second" in capsys.readouterr().out


# ---- what is shown ------------------------------------------------------------------------------------------------


@each_covering_table()
def test_the_mask_is_the_legal_moves(game: Game[Any]) -> None:
    table, random = made(game), random_for(game)
    table.reset(seed=1)
    while table.position.actor is not None:
        masks = {agent: table.observe(agent)["action_mask"] for agent in table.agents}
        mover = masks.pop(table.agent_selection)
        assert not any(mask.any() for mask in masks.values())
        state = table.position.state
        moves = {table.encoding.move(int(action), state) for action in np.flatnonzero(mover)}
        assert moves == set(game.moves(state)) and len(moves) == mover.sum()
        table.step(any_action(mover, random))
    assert not any(table.observe(agent)["action_mask"].any() for agent in table.agents)


def remembered(table: raw_env, agent: str) -> NDArray[np.float32]:
    """What an agent sees, but for the first two cards of Atspėk: they are his own, and layouts do not have them."""
    vector = table.observe(agent)["observation"]
    table.encoding.split(vector)["recalled"][:] = 0
    return vector


@each_covering_table()
def test_deals_that_a_seat_cannot_tell_apart_look_the_same(game: Game[Any]) -> None:
    table, random = made(game), random_for(game)
    others, ways = 0, 1
    for seed in range(3):
        table.reset(seed=seed)
        for _ in range(random.randrange(12)):
            if table.position.actor is not None:
                table.step(any_action(table.observe(table.agent_selection)["action_mask"], random))
        deal = table.position
        for seat, agent in enumerate(table.possible_agents):
            seen = remembered(table, agent)
            view = deal.observe(seat)
            layouts = Layouts(view)
            ways = max(ways, layouts.count)
            for state in layouts.states(layouts.sample(3, seed)):
                table.position = history(view, state)
                others += table.position.state != deal.state
                assert (remembered(table, agent) == seen).all()
            table.position = deal
    assert others or ways == 1  # with all cards dealt to two seats there is nothing to be told apart


# ---- deals and rewards --------------------------------------------------------------------------------------------


@each_game()
def test_rewards_are_the_deal_score(game: Game[Any]) -> None:
    table = made(game)
    for seed in range(3):
        earned = played(table, seed)
        assert not table.agents
        assert list(earned.values()) == list(game.score(table.position.state))


@each_game()
def test_leads_add_up_to_nothing(game: Game[Any]) -> None:
    lead = played(made(game, reward=LEAD), seed=2)
    score = played(made(game), seed=2)
    assert sum(lead.values()) == pytest.approx(0)
    order = sorted(score, key=lambda agent: score[agent])
    assert [lead[agent] for agent in order] == sorted(lead.values())


def test_a_seed_deals_what_it_deals_elsewhere() -> None:
    table = env("piramide", players=3)
    table.reset(seed=7)
    assert table.unwrapped.position == Position.deal("piramide", 3, seed=7)
    table.reset()
    second = table.unwrapped.position
    assert second != Position.deal("piramide", 3, seed=7)
    table.reset(seed=7)
    table.reset()
    assert table.unwrapped.position == second


def test_names() -> None:
    table = env("66", rules="schnapsen")
    assert str(table.unwrapped) == "kirtis_sixty_six_v0"
    assert table.metadata["name"] == "kirtis_sixty_six_v0"
    assert table.possible_agents == ["player_0", "player_1"]
    assert label(table.unwrapped.game) == "sixty_six-2-preset=schnapsen"


def test_human_mode_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = env("antikoziris", render_mode="human")
    table.reset(seed=1)
    assert capsys.readouterr().out == f"{table.unwrapped.position}\n"
    table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    assert "B to move" in capsys.readouterr().out
    silent = env("antikoziris")
    silent.reset(seed=1)
    assert silent.render() is None
    assert not capsys.readouterr().out


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_goes_on_by_itself(copied: Any) -> None:
    table = raw_env("atspek")
    table.reset(seed=1)
    twin = copied(table)
    before = table.position.copy()
    action = int(np.flatnonzero(table.last()[0]["action_mask"])[0])
    twin.step(action)
    assert table.position == before
    table.step(action)
    assert table.position == twin.position
    table.reset()
    twin.reset()
    assert table.position == twin.position


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parent.parent / "docs" / "adapters.md"
    examples = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    exec(next(code for code in examples if "solver.adapters.pettingzoo" in code), {})
    assert "the deal is over" in capsys.readouterr().out


# ---- what is wrong ------------------------------------------------------------------------------------------------


def test_what_is_not_legal_is_an_error() -> None:
    table = env("piramide")
    table.reset(seed=1)
    with pytest.raises(IllegalMove, match="legal were bid 0 S"):
        table.step(0)
    with pytest.raises(AssertionError):
        table.step(table.action_space("player_0").n)
    with pytest.raises(ValueError, match="player_0 is to move"):
        table.unwrapped.step(None)


def test_wrong_arguments_get_a_sentence() -> None:
    with pytest.raises(RuleError, match="played by"):
        env("piramide", players=9)
    with pytest.raises(ValueError, match="expected score or lead"):
        env("piramide", reward="money")
    with pytest.raises(ValueError, match="expected ansi or human"):
        env("piramide", render_mode="rgb_array")


def test_without_pettingzoo_a_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None\nimport solver.adapters.pettingzoo"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'kirtis[pettingzoo]'" in done.stderr.splitlines()[-1]
