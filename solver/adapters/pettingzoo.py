"""PettingZoo environments (AEC, with action masks): `env("piramide", players=3)`, one deal an episode.

Agents are ``player_0`` in seat A, and so on clockwise. An observation is a dict: ``observation``, what the seat sees as
the vector of `encoding.Encoding`, float32, and ``action_mask``, int8, 1 for its legal actions, all 0 for who is not to
move. Actions are numbered by the same `Encoding`. Rewards come when the deal is over: the deal score of every seat, or
with `reward="lead"` how much more it scored than the others did on average, which adds up to 0 over the table. What is
not legal raises `IllegalMove`, a sentence that says what would have been.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..game import find_table
from ..position import Position
from .deals import Dealing, Small
from .encoding import Encoding, Vector, lead, recalled

try:
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ImportError as error:
    raise ImportError("these environments need PettingZoo: pip install 'kirtis[pettingzoo]'") from error

SCORE: Final = "score"
LEAD: Final = "lead"
REWARDS: Final = (SCORE, LEAD)

_LOW, _HIGH = -1, 4
"""The ends of what an observation's vector may have; only points that run on after 66 come near the upper one."""


class Observation(TypedDict):
    """What an agent is shown."""

    observation: Vector
    action_mask: NDArray[np.int8]


def env(game: str, **options: Any) -> AECEnv[str, Observation, int]:
    """An environment that watches over the order of calls and the range of actions. options: those of `raw_env`."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(game, **options)))


class raw_env(AECEnv[str, Observation, int]):  # noqa: N801  # PettingZoo's own name for it
    """The environment itself.

    game: a name or alias. players: default, the fewest the game is played by. rules: as in a position file.
    declaring: without it an episode is the play alone, the contract or the trump being drawn. small: a small deal, also
    the play alone. reward: SCORE or LEAD, see the module. render_mode: "ansi", `render` returns the table as text;
    "human", it is printed at the start and after every move; None. Raises RuleError; ValueError for a reward or mode
    there is not.

    position: the deal at hand, every card open. dealing: how deals are made. encoding: of moves and observations.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # as AECEnv has it
        "name": "kirtis_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        rules: object = None,
        declaring: bool = True,
        small: Small | None = None,
        reward: str = SCORE,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = find_table(game, players, rules)
        if reward not in REWARDS:
            raise ValueError(f"{reward!r} is no reward; expected {' or '.join(REWARDS)}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"{render_mode!r} is no render mode; expected ansi or human")
        self.dealing = Dealing(self.game, declaring=declaring, small=small)
        self.encoding = Encoding(self.game)
        self.reward = reward
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"kirtis_{self.game.name}_v0"}
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.encoding.num_actions) for agent in self.possible_agents}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random = Random()

    def _observation_space(self) -> Dict:
        return Dict(
            {
                "observation": Box(_LOW, _HIGH, self.encoding.tensor_shape, np.float32),
                "action_mask": Box(0, 1, (self.encoding.num_actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> Space[Observation]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[int]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    # -- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals. A seed gives the same deals from there on, if they are whole ones that of `Position.deal` first."""
        if seed is not None:
            self._random = Random(seed)
        self.position = Position(self.game, self.dealing.draw(self._random), gone=self.dealing.gone)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn()

    def step(self, action: int | None) -> None:
        """Makes the move of the agent to move, or with None takes out one whose deal is over.

        Raises IllegalMove, IndexError for a number beyond all actions, ValueError for None while it is to move.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move; None is for agents whose deal is over")
        self.position.play(self.encoding.move(int(action), self.position.state))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        """Says whose turn it is, or settles the deal if it is over."""
        seat = self.position.actor
        self.agent_selection = self.agents[0 if seat is None else seat]
        if seat is None:
            self.rewards = dict(zip(self.agents, self._earned(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        if self.render_mode == "human":
            self.render()

    def _earned(self) -> list[float]:
        """The rewards of a finished deal by seat."""
        scores = self.game.score(self.position.state)
        if self.reward == SCORE:
            return [float(score) for score in scores]
        return lead(scores)

    # -- looking

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        seat = self._seats[agent]
        mask = np.zeros(self.encoding.num_actions, np.int8)
        if seat == self.position.actor:
            mask[self.encoding.legal(self.position.state)] = 1
        vector = self.encoding.tensor(self.position.observe(seat), recalled(self.position, seat))
        return {"observation": vector, "action_mask": mask}

    def render(self) -> str | None:
        """The table as text with every card open: returned with "ansi", printed with "human"."""
        if self.render_mode == "human":
            print(self.position)
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to be closed."""
