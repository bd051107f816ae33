"""The games as games of OpenSpiel: importing this registers `kirtis_atspek`, `kirtis_sixty_six` and so on.

A game of OpenSpiel is one deal. Its parameters, after the names of `pyspiel.load_game`:

- `players`: default, the fewest the game is played by;
- `options`: of the rules, such as ``schnapsen`` or ``closing:reach_66;match_eyes:7``;
- `phases`: ``all``, or ``play``: the contract, or the trump, is then drawn by chance, all alike;
- `contract`: the one that is played, as declarer, bid and trump as far as the game has them: ``B2H``, ``3NT``, ``H``;
- `deal`: ``cards``, chance nodes for the cards one by one; or ``sampled``, a single one that draws the whole deal from
  the game's own generator, which is faster (OpenSpiel cannot save such a generator, so neither its `serialize` nor its
  `random_sim_test` with it can be used then; pickle can);
- `rng_seed`: of that generator; -1 for a random one;
- `returns`: ``lead``, how much more a seat scored than the others on average, which adds up to 0; or ``score``;
- `hand`, `pack`, `piles`: a small deal, see `deals.Small`: so many cards a hand, dealt from a pack such as ``SAKHAK``.

Actions and tensors are those of `encoding`. An information state is the text of the position as the seat sees it, which
`Position.from_text` reads, so anything here can be asked about it; in Atspėk what the seat alone recalls stands before
it. An observation without recall is the table as it lies there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, ClassVar

try:
    import pyspiel
except ImportError as error:
    raise ImportError("these games need OpenSpiel: pip install 'kirtis[openspiel]'") from error

from ..game import Move, find_game, registry
from ..notation import write_move
from .openspiel_deal import CHANCE, TERMINAL, Deal
from .openspiel_observer import Observer
from .openspiel_table import PREFIX, contract_text, defaults, game_type, table_of


class KirtisGame(pyspiel.Game):
    """A game of OpenSpiel; there is a subclass for each. table: what its parameters say."""

    name: ClassVar[str]

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = {**defaults(find_game(self.name.removeprefix(PREFIX))), **(parameters or {})}
        self.table = table_of(self.name, tuple(sorted(given.items())))
        super().__init__(self.table.type(), self.table.info(), parameters or {})
        self.random = Random(None if given["rng_seed"] < 0 else given["rng_seed"])

    def new_initial_state(self) -> KirtisState:
        """A deal of which no card is known yet."""
        return KirtisState(self)

    def resumed(self, start: Any, moves: Sequence[Move]) -> KirtisState:
        """A deal from a start with every card named, and the moves since then."""
        table = self.table
        return _revived(self, start, [*table.dealt(start, self.random), *map(table.encoding.action, moves)])

    def max_chance_nodes_in_history(self) -> int:
        """How many chance nodes come before the first move."""
        return self.table.chance_nodes

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """An observer; None for observations without what the seat holds. Raises ValueError for parameters."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"there are no parameters of observations, such as {params}")
        if wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self.table.encoding, public=wanted.public_info, recall=wanted.perfect_recall)

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (self.table.name, self.get_parameters())


class KirtisState(pyspiel.State):
    """A state of OpenSpiel. deal: all that it knows. Methods that Python calls often do not go through C++."""

    def __init__(self, game: KirtisGame) -> None:
        super().__init__(game)
        self.deal = Deal(game.table, game.random)

    def current_player(self) -> int:
        """Whose turn it is."""
        return self.deal.player

    def is_terminal(self) -> bool:
        """Is the deal over?"""
        return self.deal.player == TERMINAL

    def is_chance_node(self) -> bool:
        """Are cards still dealt?"""
        return self.deal.player == CHANCE

    def is_simultaneous_node(self) -> bool:
        """One moves at a time."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Ascending; none for who is not to move."""
        deal = self.deal
        if player is not None and player != deal.player:
            return []
        if deal.player < 0:
            return [action for action, _ in deal.outcomes()] if deal.player == CHANCE else []
        return deal.legal()

    def _legal_actions(self, player: int) -> list[int]:
        return self.deal.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may be dealt, and how likely it is."""
        return self.deal.outcomes()

    def _apply_action(self, action: int) -> None:
        self.deal.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        deal, table = self.deal, self.deal.table
        if player != CHANCE:
            move = table.encoding.move(action, deal.state)
            return write_move(move, table.text)
        if table.sampled:
            return "deal"
        if len(deal.cards) < table.dealing.size:
            return f"deal {table.text.write(table.cards[action])}"
        return f"contract {contract_text(table.dealing.contracts[action], table.game)}"

    def returns(self) -> list[float]:
        """By seat; 0 while the deal goes on."""
        return self.deal.returns()

    def resample_from_infostate(self, player: int, uniform: Callable[[], float]) -> KirtisState:
        """A state that the player cannot tell from this one, drawn uniformly from all of them."""
        game: KirtisGame = self.get_game()
        return game.resumed(*self.deal.resampled(player, uniform))

    def __str__(self) -> str:
        deal = self.deal
        if deal.start is None:
            return f"dealt {deal.table.text.write_cards(deal.cards)}"
        return deal.position().to_text()

    def __reduce__(self) -> tuple[Any, ...]:
        return _revived, (self.get_game(), self.deal.start, self.history())


def _revived(game: KirtisGame, start: Any, history: list[int]) -> KirtisState:
    """A state from what `KirtisState.__reduce__` gives."""
    state = game.new_initial_state()
    if game.table.sampled:
        state.deal.start = start
    for action in history:
        state.apply_action(action)
    return state


def _register() -> None:
    """Makes the games known to OpenSpiel; not plain, which is no game of its own."""
    for name, kind in registry().items():
        if name != "plain":
            full = PREFIX + name
            pyspiel.register_game(game_type(full), type(f"Kirtis{kind.__name__}", (KirtisGame,), {"name": full}))


_register()
