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
from functools import cache
from random import Random
from typing import Any, ClassVar, Final

import numpy as np

from ..cards import NO_TRUMP, SUITS, CardText, Holding, count, each, holding
from ..game import (
    SEATS,
    TUCK,
    Contract,
    Game,
    Move,
    RuleError,
    Setup,
    find_game,
    find_table,
    hands_of,
    registry,
    trump_name,
    write_rules,
)
from ..games.atspek import FIRST
from ..notation import write_move
from ..position import Position, diagram
from ..sampling import Layouts
from ..search import mover_of
from .deals import Dealing, Small
from .encoding import Encoding, Vector, lead, recalled
from .histories import completed

try:
    import pyspiel
except ImportError as error:
    raise ImportError("these games need OpenSpiel: pip install 'kirtis[openspiel]'") from error

ALL: Final = "all"
PLAY_ONLY: Final = "play"
CARDS: Final = "cards"
SAMPLED: Final = "sampled"
LEAD: Final = "lead"
SCORE: Final = "score"
_PREFIX: Final = "kirtis_"
_CHOICES: Final = {"phases": (ALL, PLAY_ONLY), "deal": (CARDS, SAMPLED), "returns": (LEAD, SCORE)}
_DEFAULTS: Final[dict[str, Any]] = {
    "options": "",
    "phases": ALL,
    "contract": "",
    "deal": CARDS,
    "rng_seed": -1,
    "returns": LEAD,
    "hand": 0,
    "pack": "",
    "piles": 0,
}
_FURTHER: Final = 16
"""More moves than there are beside cards in any deal."""
_WITHOUT_RECALL: Final = frozenset({"played", "called", "recalled", "drawn", "tops", "unders"})
"""The blocks of a vector that tell of the past."""
_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


# ---- parameters ---------------------------------------------------------------------------------------------------


class Table:
    """What the parameters of a game say: the rules, how deals are made, how moves and observations are numbered.

    Raises RuleError for parameters that do not go together.
    """

    def __init__(self, name: str, parameters: dict[str, Any]) -> None:
        self.name = name
        self.parameters = parameters
        _check(parameters)
        self.game = find_table(name.removeprefix(_PREFIX), parameters["players"], _options(parameters["options"]))
        small = Small(parameters["hand"], parameters["pack"], parameters["piles"]) if parameters["hand"] else None
        self.dealing = Dealing(
            self.game,
            declaring=parameters["phases"] == ALL,
            contract=_contract(parameters["contract"], self.game),
            small=small,
        )
        self.encoding = Encoding(self.game)
        self.sampled = parameters["deal"] == SAMPLED
        self.leads = parameters["returns"] == LEAD
        self.text = CardText(self.game.deck)
        self.cards = sorted(each(self.game.deck.cards))
        self.actions = {card: action for action, card in enumerate(self.cards)}
        hidden = getattr(self.game.rules, "tucked", "") == "hidden"
        tucks = [action for action, move in enumerate(self.encoding.moves) if hidden and move.kind == TUCK]
        self.unseen_tucks = {action: -1 - count(self.encoding.moves[action].cards) for action in tucks}
        contracts = len(self.dealing.contracts)
        self.draws_contract = contracts > 1
        self.chance_nodes = 1 if self.sampled else self.dealing.size + self.draws_contract
        self.chance_outcomes = 1 if self.sampled else max(len(self.game.deck), contracts)

    def dealt(self, start: Any, random: Random) -> list[int]:
        """What chance does when it deals that start; what the start leaves open is drawn."""
        if self.sampled:
            return [0]
        actions = [self.actions[card] for card in self.dealing.order(start, random)]
        return [*actions, self.dealing.contract_of(start)] if self.draws_contract else actions

    def dealt_out(self, state: Any, random: Random) -> Any:
        """The state with all that comes out later drawn: in Atspėk the piles, before the trump is named."""
        if getattr(state, "rest", state) is not None or state.trump is not None:
            return state
        return self.dealing.start(self.dealing.order(state, random), None)

    def info(self) -> pyspiel.GameInfo:
        """The numbers that OpenSpiel wants to know beforehand."""
        low, high = self.game.score_range()
        if self.leads:
            low, high = low - high, high - low
        return pyspiel.GameInfo(
            num_distinct_actions=self.encoding.num_actions,
            max_chance_outcomes=self.chance_outcomes,
            num_players=self.game.players,
            min_utility=float(low),
            max_utility=float(high),
            utility_sum=0.0 if self.leads else None,
            max_game_length=self.dealing.size + _FURTHER,
        )

    def type(self) -> pyspiel.GameType:
        """The kind of game it is to OpenSpiel."""
        return _game_type(self.name, sampled=self.sampled, leads=self.leads)


def _check(parameters: dict[str, Any]) -> None:
    """Raises RuleError for parameters that mean nothing, by themselves or without others."""
    for key, known in _CHOICES.items():
        if parameters[key] not in known:
            raise RuleError(f"{parameters[key]!r} is no value of {key}; expected {' or '.join(known)}")
    for key in ("pack", "piles"):
        if parameters[key] and not parameters["hand"]:
            raise RuleError(f"{key}={parameters[key]} is for a small deal; expected the cards of a hand too: hand=2")
    if parameters["contract"] and not parameters["hand"] and parameters["phases"] == ALL:
        raise RuleError(f"with contract={parameters['contract']} nobody declares; expected phases=play or a small deal")


@cache
def _table(name: str, parameters: tuple[tuple[str, Any], ...]) -> Table:
    return Table(name, dict(parameters))


def _options(text: str) -> dict[str, object]:
    """Options of the rules from text: names and values, and a preset's name by itself."""
    options: dict[str, object] = {}
    for part in filter(None, text.split(";")):
        name, colon, value = part.partition(":")
        words: dict[str, object] = {"true": True, "false": False}
        options |= {name: int(value) if value.isdigit() else words.get(value, value)} if colon else {"preset": name}
    return options


def options_text(game: Game[Any]) -> str:
    """The same the other way. Raises RuleError for an option that is more than a word or a number."""
    parts = []
    for name, value in write_rules(game).items():
        if not isinstance(value, str | int):
            raise RuleError(f"the option {name!r} of {game.title} cannot be told to OpenSpiel: {value!r}")
        parts.append(str(value) if name == "preset" else f"{name}:{str(value).lower()}")
    return ";".join(parts)


def _contract(text: str, game: Game[Any]) -> Contract | None:
    """A contract from text such as "B2H", "3NT", "H"."""
    if not text:
        return None
    rest = text.upper()
    declarer = SEATS.find(rest[0]) if rest[1:] else -1
    rest = rest[1:] if declarer >= 0 else rest
    bid = int(rest[0]) if rest[:1].isdigit() else None
    trump = rest if bid is None else rest[1:]
    if trump not in ("NT", *SUITS):
        raise RuleError(f"{text!r} is no contract; expected declarer, bid and trump as the game has them, such as B2H")
    return Contract(max(declarer, 0), bid, NO_TRUMP if trump == "NT" else SUITS.index(trump))


def _contract_text(contract: Contract, game: Game[Any]) -> str:
    """The same the other way."""
    declarer = SEATS[contract.declarer] if "contract" in game.keys else ""
    return f"{declarer}{'' if contract.bid is None else contract.bid}{trump_name(contract.trump)}"


# ---- the game -----------------------------------------------------------------------------------------------------


def _defaults(kind: type[Game[Any]]) -> dict[str, Any]:
    return {"players": min(kind.seats), **_DEFAULTS}


def _game_type(name: str, *, sampled: bool = False, leads: bool = True) -> pyspiel.GameType:
    kind = find_game(name.removeprefix(_PREFIX))
    mode, utility = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=name,
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=mode.SAMPLED_STOCHASTIC if sampled else mode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if leads else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(kind.seats),
        min_num_players=min(kind.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(kind),
    )


class KirtisGame(pyspiel.Game):
    """A game of OpenSpiel; there is a subclass for each. table: what its parameters say."""

    name: ClassVar[str]

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = {**_defaults(find_game(self.name.removeprefix(_PREFIX))), **(parameters or {})}
        self.table = _table(self.name, tuple(sorted(given.items())))
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
        """An observer; None for observations without what the seat holds."""
        wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"there are no parameters of observations, such as {params}")
        if wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self.table.encoding, public=wanted.public_info, recall=wanted.perfect_recall)

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (self.table.name, self.get_parameters())


# ---- a deal -------------------------------------------------------------------------------------------------------


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
        self.player = _CHANCE
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
            self.player = _TERMINAL if seat < 0 else seat
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
        self.player = _TERMINAL if seat is None else seat

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
        if self.player != _TERMINAL:
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
    deal = Deal(_table(name, tuple(sorted(parameters.items()))), Random())
    deal.cards = cards
    if start is not None:
        deal.begin(start)
    for move in moves:
        deal.apply(deal.table.encoding.action(move))
    return deal


# ---- the state ----------------------------------------------------------------------------------------------------


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
        return self.deal.player == _TERMINAL

    def is_chance_node(self) -> bool:
        """Are cards still dealt?"""
        return self.deal.player == _CHANCE

    def is_simultaneous_node(self) -> bool:
        """One moves at a time."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Ascending; none for who is not to move."""
        deal = self.deal
        if player is not None and player != deal.player:
            return []
        if deal.player < 0:
            return [action for action, _ in deal.outcomes()] if deal.player == _CHANCE else []
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
        if player != _CHANCE:
            move = table.encoding.move(action, deal.state)
            return write_move(move, table.text)
        if table.sampled:
            return "deal"
        if len(deal.cards) < table.dealing.size:
            return f"deal {table.text.write(table.cards[action])}"
        return f"contract {_contract_text(table.dealing.contracts[action], table.game)}"

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


class Observer:
    """What a seat sees, as text and as a vector in named blocks; OpenSpiel's interface of observers.

    public: also what all see, not the hand alone? recall: also the past, not the table alone?
    """

    def __init__(self, encoding: Encoding, *, public: bool, recall: bool) -> None:
        self._encoding = encoding
        self._public, self._recall = public, recall
        self._whole = np.zeros(encoding.tensor_shape, np.float32)
        self._blocks = encoding.split(self._whole)
        names = [name for name in self._blocks if self._shows(name)]
        self.tensor = np.zeros(sum(self._blocks[name].size for name in names), np.float32)
        self.dict: dict[str, Vector] = {}
        first = 0
        for name in names:
            block = self._blocks[name]
            self.dict[name] = self.tensor[first : first + block.size].reshape(block.shape)
            first += block.size

    def _shows(self, block: str) -> bool:
        if not self._public:
            return block in ("seat", "hand")
        return self._recall or block not in _WITHOUT_RECALL

    def set_from(self, state: KirtisState, player: int) -> None:
        """Writes the vector."""
        self._whole.fill(0)
        if state.deal.start is None:
            self._encoding.fill_dealt(self._blocks, player, state.deal.dealt_to(player))
        else:
            position = state.deal.position()
            self._encoding.fill(self._blocks, position.observe(player), recalled(position, player))
        for name, block in self.dict.items():
            block[...] = self._blocks[name]

    def string_from(self, state: KirtisState, player: int) -> str:
        """The text."""
        if state.deal.start is None:
            return f"{SEATS[player]} {state.deal.table.text.write_holding(state.deal.dealt_to(player))}".strip()
        position = state.deal.position()
        view = position.observe(player)
        hand = view.text.write_holding(view.state.hands[player])
        if not self._public:
            return f"{SEATS[player]} {hand}"
        if not self._recall:
            return diagram(view)
        known = recalled(position, player)
        return f"{view.text.write_holding(known)} {view.to_text()}".strip()


def _register() -> None:
    """Makes the games known to OpenSpiel; not plain, which is no game of its own."""
    for name, kind in registry().items():
        if name != "plain":
            full = _PREFIX + name
            pyspiel.register_game(_game_type(full), type(f"Kirtis{kind.__name__}", (KirtisGame,), {"name": full}))


_register()
