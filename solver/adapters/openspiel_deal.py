"""A deal in OpenSpiel: how far it has come, who may do what, what it brought, and others a seat cannot tell from it.

Nothing here is OpenSpiel's own but the numbers by which it calls chance and the end: `openspiel.KirtisState` is what
it sees of a deal.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pyspiel

from ..cards import Holding, each, holding
from ..game import Move, Setup, hands_of
from ..games.atspek import FIRST
from ..position import Position
from ..sampling import Layouts
from ..search import mover_of
from .encoding import lead, recalled
from .histories import completed
from .openspiel_table import Table, table_of

CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


class Deal:
    """How far a deal has come: everything that a state of OpenSpiel knows, apart from its history.

    table: the parameters. random: of the whole deal, where it is sampled. cards: those that chance has dealt so far.
    start: the game's own, None until all are. actions: the moves since then as numbers, and by whom. player: to move,
    as OpenSpiel counts.

    The kernel makes the moves of the play where it can; the game's own states and moves, which take far longer,
    are made after it when somebody asks for them.
    """

    def __init__(self, table: Table, random: Random) -> None:
        self.table = table
        self.random = random
        self.cards: list[int] = []
        self.start: Any = None
        self.actions: list[tuple[int, int]] = []
        self.player = CHANCE
        self._state: Any = None
        self._moves: list[Move] = []
        self._mover: Any = None
        self._mover_from: Any = None
        self._position: Position | None = None
        self._layouts: dict[int, Layouts] = {}

    def __deepcopy__(self, memo: object) -> Deal:
        """States are immutable, so a copy shares all but what grows."""
        twin = object.__new__(Deal)
        twin.__dict__ |= self.__dict__
        twin.cards = self.cards.copy()
        twin.actions = self.actions.copy()
        twin._moves = self._moves.copy()
        twin._mover = self._mover and self._mover.copy()
        twin._position = self._position and self._position.copy()
        twin._layouts = {}
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        table = self.table
        return _restored, (table.name, table.parameters, self.cards, self.start, self.moves)

    # -- moving

    def apply(self, action: int) -> None:
        """Makes a move, or what chance does."""
        if self.player < 0:
            self._apply_chance(action)
            return
        if self._mover is None:
            self.actions.append((action, self.player))
            self.relay(self.state)
        else:
            seat = self.table.encoding.moved(self._mover, action)
            self.actions.append((action, self.player))
            self.player = TERMINAL if seat < 0 else seat
        if self._layouts:
            self._layouts.clear()

    def legal(self) -> list[int]:
        """What the player to move may do, ascending."""
        if self._mover is None:
            return self.table.encoding.legal_for(self._state, self.player)
        return self.table.encoding.legal_in(self._mover)

    @property
    def state(self) -> Any:
        """The game's own state; None until all cards are dealt."""
        encoding, game = self.table.encoding, self.table.game
        for action, _ in self.actions[len(self._moves) :]:
            move = encoding.move(action, self._state)
            self._moves.append(move)
            self._state = game.play(self._state, move)
        return self._state

    @property
    def moves(self) -> list[Move]:
        """The moves since the start."""
        return self._moves if self.state is not None else []

    def key(self) -> tuple[Any, ...]:
        """What the player to move knows, as a key: his hand, what lies open, and the moves as he saw them."""
        state, player, unseen = self.state, self.player, self.table.unseen_tucks
        told = (
            [action if by == player else unseen.get(action, action) for action, by in self.actions]
            if unseen
            else self.actions
        )
        tops = [pile and pile.top for row in getattr(state, "piles", ()) for pile in row]
        return player, state.hands[player], tuple(tops), tuple(told)

    def relay(self, state: Any) -> None:
        """Goes on from a state with every card named, after the moves that have been made."""
        self._moves = self.moves
        self._state = self._mover_from = state
        self._mover = mover_of(self.table.game, state)
        seat = self.table.game.actor(state)
        self.player = TERMINAL if seat is None else seat

    def begin(self, start: Any) -> None:
        """Begins the play, or the declaring."""
        self.start = start
        self.relay(start)

    def _apply_chance(self, action: int) -> None:
        dealing = self.table.dealing
        if self.table.sampled:
            self.begin(dealing.draw(self.random) if self.start is None else self.start)
        elif len(self.cards) < dealing.size:
            self.cards.append(self.table.cards[action])
            if len(self.cards) == dealing.size and not self.table.draws_contract:
                self.begin(dealing.start(self.cards, next(iter(dealing.contracts), None)))
        else:
            self.begin(dealing.start(self.cards, dealing.contracts[action]))

    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and how likely it is."""
        table, dealing = self.table, self.table.dealing
        if table.sampled:
            return [(0, 1.0)]
        if len(self.cards) < dealing.size:
            return [(table.actions[card], likely) for card, likely in dealing.chances(self.cards)]
        return [(place, 1 / len(dealing.contracts)) for place in range(len(dealing.contracts))]

    # -- looking

    def position(self) -> Position:
        """The deal as a position with open cards."""
        if self._position is None:
            self._position = Position(self.table.game, self.start, gone=self.table.dealing.gone)
        for move in self.moves[len(self._position.moves) :]:
            self._position.play(move)
        return self._position

    def dealt_to(self, seat: int) -> Holding:
        """The cards that a seat has looked at while the deal comes out."""
        return self.table.dealing.hand(self.cards, seat)

    def returns(self) -> list[float]:
        """What each seat has got; 0 while the deal goes on."""
        game = self.table.game
        if self.player != TERMINAL:
            return [0.0] * game.players
        mover = self._mover
        scores = game.score(self._state) if mover is None else game.scored(self._mover_from, mover.tally())
        if game.unit == "margin":  # a score that runs on from before
            scores = tuple(after - before for after, before in zip(scores, self.start.points, strict=True))
        return lead(scores) if self.table.leads else [float(score) for score in scores]

    # -- other deals that a seat cannot tell from this one

    def resampled(self, seat: int, uniform: Callable[[], float]) -> tuple[Any, list[Move]]:
        """The start and the moves of one, drawn uniformly. uniform: gives numbers from 0 to 1."""
        if seat not in self._layouts:
            self._layouts[seat] = Layouts(self.position().observe(seat))
        layouts, random = self._layouts[seat], Random(uniform())
        [now] = layouts.states(layouts.sample(1, random.getrandbits(64)))
        start, moves = completed(layouts.position, now, random)
        missed = len(self.moves) - len(moves)
        if missed:
            start = self._before_trump(seat, start, random)
        start = self.table.dealt_out(start, random)
        return start, [*self.moves[:missed], *moves]

    def _before_trump(self, seat: int, start: Any, random: Random) -> Any:
        """In Atspėk the deal before the trump was named: who named it remembers the two cards that he saw."""
        known = recalled(self.position(), seat)
        first = sum(known & hand or holding(random.sample(list(each(hand)), FIRST)) for hand in start.hands)
        return self.table.game.start(Setup(hands_of(start), first=first, piles=start.piles))


def _restored(name: str, parameters: dict[str, Any], cards: list[int], start: Any, moves: list[Move]) -> Deal:
    """A deal from what `Deal.__reduce__` gives."""
    deal = Deal(table_of(name, tuple(sorted(parameters.items()))), Random())
    deal.cards = cards
    if start is not None:
        deal.begin(start)
    for move in moves:
        deal.apply(deal.table.encoding.action(move))
    return deal
