"""A player of one's own in a few lines, in a match against the engine."""

from random import Random

import solver


class HighCard:
    """Bids at random, and always plays the first card it may: the highest of the first suit."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def choose(self, observation: solver.Position) -> str:
        """A legal move, as text."""
        moves = observation.legal_moves
        return self.random.choice(moves) if moves[0].startswith(("bid", "trump")) else moves[0]


played = solver.match.play("piramide", [HighCard(seed=1), "novice"], seed=7)
print("scores:", dict(zip(played.names, played.tally.scores, strict=True)))
print("winner:", " ".join(played.names[winner] for winner in played.winners))
