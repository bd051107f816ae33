"""A policy trained in an environment of PettingZoo: Piramidė's declarer learns to announce and to play.

REINFORCE over a linear softmax policy (R. J. Williams, Machine Learning 8, 1992), in numpy alone, against a seat that
plays anything legal.
"""

import numpy as np

from solver.adapters.pettingzoo import Observation, env

RATE = 0.1
DEALS = 250


class Learner:
    """Chooses with probabilities softmax(weights @ observation), and shifts them by what a deal brought."""

    def __init__(self, actions: int, features: int) -> None:
        self.weights = np.zeros((actions, features))
        self.random = np.random.default_rng(1)
        self.choices: list[tuple[np.ndarray, np.ndarray]] = []

    def choose(self, seen: Observation) -> int:
        """A legal action; what it was chosen from is remembered."""
        scores = np.where(seen["action_mask"], self.weights @ seen["observation"], -np.inf)
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        action = int(self.random.choice(len(chances), p=chances))
        self.choices.append((np.eye(len(chances))[action] - chances, seen["observation"]))
        return action

    def learn(self, advantage: float) -> None:
        """Makes the deal's actions likelier by how much better than usual it went."""
        for gradient, observation in self.choices:
            self.weights += RATE * advantage * np.outer(gradient, observation)


table = env("piramide", players=2)
table.reset(seed=1)
learner = Learner(table.action_space("player_0").n, *table.observation_space("player_0")["observation"].shape)
anything = np.random.default_rng(2)


def play() -> float:
    """A deal; what it brought the learner, who sits in seat A."""
    earned = 0.0
    learner.choices.clear()
    table.reset()
    for agent in table.agent_iter():
        seen, reward, over, _, _ = table.last()
        if agent == "player_0":
            earned += reward
            table.step(None if over else learner.choose(seen))
        else:
            table.step(None if over else int(anything.choice(np.flatnonzero(seen["action_mask"]))))
    return earned


def report(when: str, rewards: list[float]) -> None:
    """The mean of some deals, and its standard error."""
    print(f"{when:16}  {np.mean(rewards):5.2f} ± {np.std(rewards) / len(rewards) ** 0.5:.2f} points a deal")


report("untrained", [play() for _ in range(DEALS)])
rewards = [play()]
for number in range(1, 3 * DEALS + 1):
    rewards.append(play())
    usual = rewards[-100:]
    learner.learn(float((rewards[-1] - np.mean(usual)) / (np.std(usual) + 1)))
    if number % DEALS == 0:
        report(f"after {number} deals", rewards[-DEALS:])
