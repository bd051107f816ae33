"""The games of OpenSpiel: its own conformance tests, and what they do not ask: that resampling leaks nothing."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any
from unittest import TestCase

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import cfr, evaluate_bots, exploitability, generate_playthrough, get_all_states
from open_spiel.python.observation import make_observation

from solver import players
from solver.adapters.openspiel import KirtisGame, KirtisState
from solver.adapters.openspiel_players import Bot
from solver.game import RuleError, registry
from solver.position import Position
from solver.tournament import plan, run

flags.FLAGS.mark_as_parsed()  # OpenSpiel's tests ask for flags of a command line

NAMES = [f"kirtis_{name}" for name in sorted(registry()) if name != "plain"]
SEATED = [
    f"kirtis_{name}(players={players})"
    for name, kind in sorted(registry().items())
    for players in kind.seats
    if name != "plain"
]
CHOSEN = [
    "kirtis_sixty_six(options=schnapsen)",
    "kirtis_sixty_six(options=closing:none;marriage_lead:either;closing_penalty:2,players=3)",
    "kirtis_velnio_tuzinas(options=tucked:open,players=3)",
    "kirtis_antikoziris(options=all_pass:force_first,returns=score)",
    "kirtis_piramide(returns=score,options=score_table:linear)",
    "kirtis_antikoziris(phases=play)",
    "kirtis_antikoziris(phases=play,contract=B2H)",
    "kirtis_atspek(phases=play,players=3)",
    "kirtis_piramide(phases=play)",
    "kirtis_piramide(phases=play,contract=3NT,players=4)",
]
"""Options and phases beside the usual ones."""
SMALL = {
    "atspek": "kirtis_atspek(hand=2,pack=SAKHAKQ,contract=H)",
    "antikoziris": "kirtis_antikoziris(hand=2,pack=SAKHAKDA9,contract=A1H)",
    "piramide": "kirtis_piramide(hand=2,pack=SAKHAKD9,contract=1H)",
    "sixty_six": "kirtis_sixty_six(hand=2,pack=SAQHAKQ,contract=H)",
    "velnio_tuzinas": "kirtis_velnio_tuzinas(hand=2,pack=SAKHAKDA,contract=H)",
}
"""Small enough to be looked at as a whole."""
DRAWN = [
    "kirtis_atspek(hand=1,piles=1)",
    "kirtis_antikoziris(hand=2,pack=SAKHAKDACA)",
    "kirtis_sixty_six(hand=3,players=3)",
]
"""Small deals whose contract is drawn."""


def random_state(game: KirtisGame, random: Random, moves: int) -> KirtisState:
    """A state of the play after at most so many moves at random, with somebody to move."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    for _ in range(moves):
        after = state.child(random.choice(state.legal_actions()))
        if after.is_terminal():
            break
        state = after
    return state


# ---- OpenSpiel's own tests ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*SEATED, *CHOSEN, *SMALL.values(), *DRAWN])
def test_random_simulations(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=20, serialize=True, verbose=False)


@pytest.mark.parametrize("text", [*NAMES, *CHOSEN, *SMALL.values()])
def test_playthroughs_are_replayed(text: str, tmp_path: Path) -> None:
    path = tmp_path / "playthrough.txt"
    path.write_text(generate_playthrough.playthrough(text, action_sequence=None, seed=7))
    first, again = generate_playthrough.replay(path)
    assert first == again


class Count:
    """A small game gone through by the rules alone: what OpenSpiel's API test of the whole tree must count."""

    def __init__(self, game: KirtisGame) -> None:
        self.rules, self.dealing = game.table.game, game.table.dealing
        self.chance = self.playable = self.ends = 0
        self.seen: set[tuple[int, str]] = set()
        self.deal(())

    def deal(self, dealt: tuple[int, ...]) -> None:
        if len(dealt) == self.dealing.size:
            start = self.dealing.start(dealt, self.dealing.contracts[0])
            self.play(Position(self.rules, start, gone=self.dealing.gone))
            return
        self.chance += 1
        for card, _ in self.dealing.chances(dealt):
            self.deal((*dealt, card))

    def play(self, position: Position) -> None:
        seat = position.actor
        if seat is None:
            self.ends += 1
            return
        self.playable += 1
        self.seen.add((seat, position.observe(seat).to_text()))
        for move in position.legal_moves:
            position.play(move)
            self.play(position)
            position.undo()


def conformance(name: str, text: str, base: type[TestCase]) -> type[TestCase]:
    """OpenSpiel's API test of a game, as a test case to be collected."""
    return type(name, (base,), {"game_name": text, "game": pyspiel.load_game(text)})


for _text in NAMES:
    _name = f"Test{_text}InPart"
    globals()[_name] = conformance(_name, _text, api_test.EnforceAPIOnPartialTreeBase)
for _game, _text in SMALL.items():
    _name = f"Test{_game}AsAWhole"
    _count = Count(pyspiel.load_game(_text))
    api_test.TOTAL_NUM_STATES[_text] = _count.chance, _count.playable, _count.ends
    api_test.PERFECT_RECALL_NUM_STATES[_text] = len(_count.seen)
    globals()[_name] = conformance(_name, _text, api_test.EnforceAPIOnFullTreeBase)


# ---- resampling ---------------------------------------------------------------------------------------------------


def memory(state: KirtisState, player: int) -> list[Any]:
    """Everything that a player has seen and done in a deal, at his own turns, and what he sees now."""
    game = state.get_game()
    past = game.new_initial_state()
    if game.table.sampled:
        past.deal.start = state.deal.start
    told: list[Any] = []
    for action in state.history():
        if past.current_player() == player:
            told += [looks(past, player), past.legal_actions(), action]
        past.apply_action(action)
    return [*told, looks(past, player), past.legal_actions(player)]


def looks(state: KirtisState, player: int) -> tuple[Any, ...]:
    return (
        state.current_player(),
        state.information_state_string(player),
        tuple(state.information_state_tensor(player)),
        state.observation_string(player),
        tuple(state.observation_tensor(player)),
    )


@pytest.mark.parametrize(
    "text", [*SEATED, *CHOSEN, *SMALL.values(), *DRAWN, *(f"{name}(deal=sampled)" for name in NAMES)]
)
def test_resampling_keeps_what_a_player_knows_and_no_more(text: str) -> None:
    """The other deal is the same to the player, from his first turn on; and it is drawn by what he knows alone."""
    game = pyspiel.load_game(text)
    random = Random(text)
    changed = 0
    for moves in (0, 1, 3, 6, 10, 15):
        state = random_state(game, random, moves)
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, random.random)
            assert memory(other, player) == memory(state, player)
            seed = random.random()
            from_each = [source.resample_from_infostate(player, Random(seed).random) for source in (state, other)]
            assert str(from_each[0]) == str(from_each[1])
            changed += str(other) != str(state)
            while not other.is_terminal():
                other.apply_action(random.choice(other.legal_actions()))
            assert len(other.returns()) == game.num_players()
    assert changed


def test_resampling_is_uniform() -> None:
    game = pyspiel.load_game(SMALL["sixty_six"])
    state = random_state(game, Random(2), 0)
    player = state.current_player()
    same = [
        other
        for other in get_all_states.get_all_states(game).values()
        if other.current_player() == player
        and other.information_state_string(player) == state.information_state_string(player)
    ]
    random = Random(3)
    found = Counter(str(state.resample_from_infostate(player, random.random)) for _ in range(1500))
    assert set(found) == {str(other) for other in same}
    assert len(found) > 2
    mean = 1500 / len(found)
    assert sum((count - mean) ** 2 for count in found.values()) / mean < 30


# ---- the kernel's moves and the rules' ----------------------------------------------------------------------------


def played_out(state: KirtisState, random: Random, *, asked: bool) -> KirtisState:
    """The state at the end of the deal. asked: compare with the rules' own state before each move."""
    while not state.is_terminal():
        legal = state.legal_actions()
        if asked and not state.is_chance_node():
            assert state.deal.table.encoding.legal(state.deal.state) == legal
            assert state.deal.table.game.actor(state.deal.state) == state.current_player()
        state.apply_action(random.choice(legal))
    return state


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("text", [*SEATED, *CHOSEN, *SMALL.values(), *DRAWN])
def test_deals_end_as_the_rules_say(text: str, *, asked: bool) -> None:
    game = pyspiel.load_game(text)
    random = Random(text)
    for _ in range(5):
        state = played_out(game.new_initial_state(), random, asked=asked)
        rules, deal = game.table.game, state.deal
        assert rules.actor(deal.state) is None
        scores = rules.score(deal.state)
        if rules.unit == "margin":
            assert not any(deal.start.points)
        total, others = sum(scores), game.num_players() - 1
        lead = [score - (total - score) / others for score in scores]
        assert state.returns() == (lead if game.table.leads else list(scores))


def test_claims_are_left_to_the_rules() -> None:
    """A kernel ends the deal at 66 points, claimed or not."""
    game = pyspiel.load_game("kirtis_sixty_six(deal=sampled,returns=score)")
    position = Position.deal("sixty_six", seed=1)
    state = game.resumed(position.state._replace(claims=True), [])
    [claim] = [action for action in state.legal_actions() if state.action_to_string(action) == "claim"]
    state.apply_action(claim)
    assert state.is_terminal()
    assert state.returns() == [0, 1]


@pytest.mark.parametrize("name", NAMES)
def test_moves_that_are_not_legal_are_refused(name: str) -> None:
    state = random_state(pyspiel.load_game(name), Random(3), 6)
    legal, before = state.legal_actions(), str(state)
    wrong = next(action for action in range(state.num_distinct_actions()) if action not in legal)
    with pytest.raises(ValueError, match="no legal move"):
        state._apply_action(wrong)
    assert state.legal_actions() == legal
    assert str(state) == before


# ---- states -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*NAMES, *(f"{name}(deal=sampled)" for name in NAMES)])
def test_copies_go_their_own_way(text: str) -> None:
    game = pyspiel.load_game(text)
    state = random_state(game, Random(1), 4)
    for twin in (copy.deepcopy(state), state.clone(), pickle.loads(pickle.dumps(state))):
        before = str(state)
        assert str(twin) == before
        assert twin.history() == state.history()
        assert looks(twin, 1) == looks(state, 1)
        twin.apply_action(twin.legal_actions()[-1])
        assert str(twin) != before == str(state)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_player_sees_is_a_position(name: str) -> None:
    state = random_state(pyspiel.load_game(name), Random(5), 6)
    player = state.current_player()
    text = state.information_state_string()
    view = Position.from_text(text[text.index("{") :])
    assert view == state.deal.position().observe(player)
    moves = [state.action_to_string(action) for action in state.legal_actions()]
    assert sorted(moves) == sorted(view.legal_moves)


def test_observations_of_the_hand_alone() -> None:
    game = pyspiel.load_game("kirtis_piramide")
    state = random_state(game, Random(5), 1)
    wanted = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    observation = make_observation(game, wanted)
    observation.set_from(state, 1)
    assert observation.string_from(state, 1) == "B " + state.deal.position().to_dict()["hands"]["B"]
    assert list(observation.dict) == ["seat", "hand"]
    assert observation.tensor.sum() == 1 + 6
    assert (
        make_observation(
            game, pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
        )
        is None
    )


def test_a_deal_at_once() -> None:
    deals = []
    for _ in range(2):
        game = pyspiel.load_game("kirtis_sixty_six(deal=sampled,rng_seed=3)")
        assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        state = game.new_initial_state()
        assert state.chance_outcomes() == [(0, 1.0)]
        states = [state, game.new_initial_state()]
        for dealt in states:
            dealt.apply_action(0)
            assert dealt.current_player() == 0
        deals.append([str(dealt) for dealt in states])
    assert deals[0] == deals[1]
    assert deals[0][0] != deals[0][1]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kirtis_atspek(players=5)", "played by 2, 3, 4 players"),
        ("kirtis_atspek(phases=trump)", "expected all or play"),
        ("kirtis_piramide(phases=play,contract=X)", "'X' is no contract"),
        ("kirtis_sixty_six(options=closing:never)", "no value of the option"),
        ("kirtis_piramide(hand=3,pack=SAK)", "too few"),
        ("kirtis_atspek(piles=2)", "piles=2 is for a small deal"),
        ("kirtis_piramide(pack=SAK)", "pack=SAK is for a small deal"),
        ("kirtis_piramide(contract=3NT)", "nobody declares"),
    ],
)
def test_parameters_that_cannot_be(text: str, sentence: str) -> None:
    with pytest.raises(RuleError, match=sentence):
        pyspiel.load_game(text)


@pytest.mark.parametrize("name", SMALL)
def test_regret_minimisation(name: str) -> None:
    """CFR comes closer to an equilibrium than playing at random."""
    game = pyspiel.load_game(SMALL[name])
    solver = cfr.CFRPlusSolver(game)
    gaps = [exploitability.nash_conv(game, solver.average_policy())]
    for _ in range(4):
        solver.evaluate_and_update_policy()
    gaps.append(exploitability.nash_conv(game, solver.average_policy()))
    assert 0 <= gaps[1] < 0.7 * gaps[0]


# ---- players ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_our_players_are_bots(name: str) -> None:
    game = pyspiel.load_game(name)
    bots = [Bot(players.create("novice", seed=seat), seat) for seat in range(game.num_players())]
    assert [bot.player_id() for bot in bots] == list(range(game.num_players()))
    assert not bots[0].provides_policy()
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random)
    assert abs(sum(returns)) < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_their_search_plays_with_us(name: str) -> None:
    """The same seed makes the same moves of what the seat sees, in every phase."""
    position = Position.deal(name.removeprefix("kirtis_"), seed=3)
    searcher = players.from_text("openspiel:ismcts:simulations=12", 5)
    while position.actor is not None:
        view = position.observe(position.actor)
        move = searcher.choose(view)
        assert move == players.from_text("openspiel:ismcts:simulations=12", 5).choose(view)
        position.play(move)


def test_their_search_keeps_its_time() -> None:
    view = Position.deal("atspek", seed=1).observe("A")
    began = monotonic()
    assert players.from_text("openspiel:ismcts:seconds=0.2,c=1").choose(view).startswith("trump")
    assert 0.2 <= monotonic() - began < 0.6
    assert players.from_text("openspiel:ismcts:seconds=0.000001").choose(view).startswith("trump")


def test_their_search_finds_the_winning_card() -> None:
    """The ace wins the last but one trick, and with it the deal."""
    position = Position.from_text(
        '{"game": "66", "hands": {"A": "SA9", "B": "SK HJ"}, "stock": [], "trump": "S",'
        ' "won": {"A": 5, "B": 5}, "points": {"A": 56, "B": 40}}'
    )
    assert players.from_text("openspiel:ismcts:simulations=200", 1).choose(position.observe("A")) == "SA"


def test_a_tournament_with_their_search() -> None:
    table = run(plan("piramide", ["novice", "openspiel:ismcts:simulations=5"], size=2))
    assert table.meetings[0].deals == 2


@pytest.mark.parametrize("text", ["openspiel:mcts", "openspiel:ismcts", "openspiel:ismcts:depth=3"])
def test_players_there_are_not(text: str) -> None:
    with pytest.raises(ValueError, match=r"no player|without end|no budget"):
        players.from_text(text)
