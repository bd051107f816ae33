"""Values of Schnapsen endings, by this library and by the alpha-beta of the package `schnapsen`.

That package counts a marriage only with the next trick its owner takes, and lets him lead the king alone. So answers
are compared where no hand has a marriage left; the time is that of all endings.
"""

from __future__ import annotations

import time
from typing import Any

from solver.cards import CardText, Holding, each
from solver.game import MARRIAGE
from solver.games.sixty_six import State

from .deals import Deal, draws, rows
from .row import WARMING, by_name

_RANKS = {"A": "ACE", "T": "TEN", "K": "KING", "Q": "QUEEN", "J": "JACK"}
_SUITS = {"S": "SPADES", "H": "HEARTS", "D": "DIAMONDS", "C": "CLUBS"}


def _endings(count: int) -> list[Deal]:
    row = by_name()["schnapsen"]
    return draws(row.name, row.draw, 0, count)


def _our_values(endings: list[Deal]) -> tuple[list[int], float]:
    row = by_name()["schnapsen"]
    asked = rows(endings)
    solver = row.solver()
    solver.values(row.rows(WARMING, row.warming))
    start = time.process_time()
    values, _, _ = solver.values(asked)
    return values.tolist(), time.process_time() - start


def our_values(count: int) -> float:
    """The values of so many endings."""
    return _our_values(_endings(count))[1]


# ---- theirs -------------------------------------------------------------------------------------------------------


def _cards(ending: Deal, cards: Holding) -> list[Any]:
    from schnapsen.deck import Card

    text = CardText(ending[0].deck, "en")
    written = [text.write(card) for card in each(cards)]
    return [Card[f"{_RANKS[name[1]]}_{_SUITS[name[0]]}"] for name in written]


def _seat(ending: Deal, seat: int) -> Any:
    """A seat with its hand and points."""
    from schnapsen.bots.alphabeta import AlphaBetaBot
    from schnapsen.game import BotState, Hand, Score

    state: State = ending[1]
    hand, score = Hand(_cards(ending, state.hands[seat])), Score(state.points[seat], state.pending[seat])
    return BotState(AlphaBetaBot(), hand, score)


def _game_state(ending: Deal) -> Any:
    from schnapsen.deck import Suit
    from schnapsen.game import GameState, Talon

    state: State = ending[1]
    trump = Suit[_SUITS["SHDC"[state.trump]]]
    leader = state.leader
    return GameState(_seat(ending, leader), _seat(ending, 1 - leader), Talon([], trump), None)


def _has_marriage(ending: Deal) -> bool:
    game, state = ending
    either = (state, state._replace(leader=1 - state.leader))
    return any(move.kind == MARRIAGE for turn in either for move in game.moves(turn))


def their_values(count: int) -> float:
    """The values of so many endings."""
    from schnapsen.bots.alphabeta import AlphaBetaBot
    from schnapsen.game import SchnapsenGamePlayEngine

    endings = _endings(count)
    states = [_game_state(ending) for ending in endings]
    bot, engine = AlphaBetaBot(), SchnapsenGamePlayEngine()
    start = time.process_time()
    theirs = [bot.value(state, engine, leader_move=None, maximizing=True)[0] for state in states]
    seconds = time.process_time() - start
    ours = _our_values(endings)[0]
    for number, ending in enumerate(endings):
        if not _has_marriage(ending) and ours[number] != theirs[number]:
            raise RuntimeError(f"ending {number} is worth {ours[number]} here and {theirs[number]} there")
    return seconds
