"""kirtis: a solver and analysis engine for trick-taking games.

The names below are the public interface; everything else may change.
"""

from . import match, players, tournament
from .analysis import Analysis, MoveValue, analyse, suggest_bid, suggest_trump
from .files import read, read_all
from .game import Game, Move, Phrase, RuleError
from .notation import PositionError
from .position import IllegalMove, Outcome, Position
from .reference import TooLarge
from .review import Slip, review
from .search import Limit, LimitMet, best, value, values

__all__ = [
    "Analysis",
    "Game",
    "IllegalMove",
    "Limit",
    "LimitMet",
    "Move",
    "MoveValue",
    "Outcome",
    "Phrase",
    "Position",
    "PositionError",
    "RuleError",
    "Slip",
    "TooLarge",
    "analyse",
    "best",
    "match",
    "players",
    "read",
    "read_all",
    "review",
    "suggest_bid",
    "suggest_trump",
    "tournament",
    "value",
    "values",
]
