"""Players across the border: ours as bots of OpenSpiel, and OpenSpiel's search as a player of ours.

`Bot` plays for a seat in OpenSpiel. `player` gives what `players.from_text` asks for under the name ``openspiel``:
``openspiel:ismcts:seconds=0.05`` or ``openspiel:ismcts:simulations=200``, with ``c=1.5`` for another constant of UCT.
It is OpenSpiel's information set Monte Carlo tree search in Python, the one of its two that can search games written
in Python: the C++ one has no way to ask them for another deal that a player cannot tell from the one at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import inf
from random import Random
from time import monotonic
from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot, ISMCTSFinalPolicyType
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from ..game import Game
from ..players import Player, seed_for
from ..position import Position
from ..sampling import Layouts
from .histories import completed
from .openspiel import KirtisGame, KirtisState
from .openspiel_table import options_text

ISMCTS: Final = "ismcts"
LEAST: Final = 2
"""Simulations that are made however short the time is: the first only makes the root."""
CONSTANT: Final = 0.7
"""Of UCT, unless another is asked for."""
_SPREAD: Final = {"atspek": 3.0, "antikoziris": 40.0, "piramide": 8.0, "sixty_six": 3.0, "velnio_tuzinas": 10.0}
"""By game, about how far apart returns are: the constant of UCT is meant for returns from 0 to 1."""


class Bot(pyspiel.Bot):
    """A player of ours at a seat of OpenSpiel's; it is shown its own observations and nothing else."""

    def __init__(self, player: Player, seat: int) -> None:
        super().__init__()
        self.player = player
        self.seat = seat

    def step(self, state: KirtisState) -> int:
        """The action of the player's move."""
        position = state.deal.position()
        chosen = position.read(self.player.choose(position.observe(self.seat)))
        return state.deal.table.encoding.action(chosen)

    def player_id(self) -> int:
        """The seat."""
        return self.seat

    def provides_policy(self) -> bool:
        """Only moves, no probabilities."""
        return False

    def restart(self) -> None:
        """A player has no memory."""

    def restart_at(self, state: KirtisState) -> None:
        """A player has no memory."""

    def inform_action(self, state: KirtisState, player_id: int, action: int) -> None:
        """A player sees what was played when it is his turn."""


class _TimeUp(Exception):
    """The time for a move is over."""


class _Search(ISMCTSBot):
    """OpenSpiel's search, but for what it asks a game most often: layouts come without the way there, keys are short.

    layouts: of the observation that is searched. seconds: for a move; None for as many simulations as there are to be.
    """

    def __init__(self, game: KirtisGame, layouts: Layouts, seconds: float | None, simulations: int, **options: Any):
        super().__init__(
            game,
            max_simulations=simulations,
            final_policy_type=ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            **options,
        )
        self._layouts = layouts
        self._left = LEAST
        self._deadline = inf if seconds is None else monotonic() + seconds
        self.set_resampler(self._relaid)

    def run_search(self, state: KirtisState) -> list[tuple[int, float]]:
        """See `ISMCTSBot`; also at the end of the time."""
        try:
            return list(super().run_search(state))
        except _TimeUp:
            return list(self.get_final_policy(state, self._root_node))

    def get_state_key(self, state: KirtisState) -> tuple[Any, ...]:
        """What the player to move knows, in fewer words than an information state has."""
        return state.deal.key()

    def _relaid(self, state: KirtisState, player: int) -> KirtisState:
        if not self._left and monotonic() >= self._deadline:
            raise _TimeUp
        self._left = max(0, self._left - 1)
        seed = self._random_state.randint(1 << 62)
        [now] = self._layouts.states(self._layouts.sample(1, seed))
        other: KirtisState = state.clone()
        other.deal.relay(other.deal.table.dealt_out(now, Random(seed)))
        return other


@dataclass(frozen=True)
class Searcher:
    """OpenSpiel's information set Monte Carlo tree search, one random playout a simulation.

    seconds: for a move, None for none. simulations: the most there are. constant: of UCT, in returns from 0 to 1.
    """

    seed: int
    seconds: float | None
    simulations: int
    constant: float

    def choose(self, observation: Position) -> str:
        """See `players.Player.choose`."""
        began = monotonic()
        game = observation.game
        moves = game.moves(observation.state)
        if len(moves) == 1:
            return observation.write(moves[0])
        seed = seed_for(self.seed, observation)
        numbers = np.random.RandomState(seed % (1 << 32))
        layouts = Layouts(observation)
        [now] = layouts.states(layouts.sample(1, seed))
        random = Random(seed)
        start, told = completed(observation, now, random)
        table = _game(game)
        search = _Search(
            table,
            layouts,
            None if self.seconds is None else self.seconds - (monotonic() - began),
            self.simulations,
            evaluator=RandomRolloutEvaluator(1, numbers),
            uct_c=self.constant * _SPREAD[game.name],
            random_state=numbers,
        )
        action = search.step(table.resumed(table.table.dealt_out(start, random), told))
        return observation.write(table.table.encoding.move(action, observation.state))


@cache
def _game(game: Game[Any]) -> KirtisGame:
    """The game of OpenSpiel by these rules, into which any deal can be put."""
    name = f"kirtis_{game.name}"
    parameters = {"players": game.players, "options": options_text(game), "deal": "sampled", "rng_seed": 0}
    found: KirtisGame = pyspiel.load_game(name, parameters)
    return found


def player(text: str, seed: int) -> Player:
    """A player from what follows ``openspiel:``. Raises ValueError."""
    kind, _, rest = text.partition(":")
    if kind != ISMCTS:
        raise ValueError(f"OpenSpiel has no player {kind!r} here; expected {ISMCTS}")
    given = {"c": CONSTANT}
    for part in filter(None, rest.split(",")):
        name, _, number = part.partition("=")
        if name not in ("seconds", "simulations", "c"):
            raise ValueError(f"{part!r} is no budget; expected seconds=S, simulations=N or c=C")
        given[name] = float(number)
    if len(given) == 1:
        raise ValueError(f"{text!r} searches without end; expected seconds=S or simulations=N")
    return Searcher(seed, given.get("seconds"), int(given.get("simulations", 1 << 30)), given["c"])
