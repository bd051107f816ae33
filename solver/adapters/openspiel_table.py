"""A table in OpenSpiel: what the parameters of `pyspiel.load_game` say, checked, and read into rules and dealing.

`openspiel` lists the parameters. Here is what stays the same in all deals of a game, and what OpenSpiel is told of it.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, Final

import pyspiel

from ..cards import NO_TRUMP, SUITS, CardText, count, each
from ..game import SEATS, TUCK, Contract, Game, RuleError, find_game, find_table, trump_name, write_rules
from .deals import Dealing, Small
from .encoding import Encoding

ALL: Final = "all"
PLAY_ONLY: Final = "play"
CARDS: Final = "cards"
SAMPLED: Final = "sampled"
LEAD: Final = "lead"
SCORE: Final = "score"
PREFIX: Final = "kirtis_"
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


class Table:
    """What the parameters of a game say: the rules, how deals are made, how moves and observations are numbered.

    Raises RuleError for parameters that do not go together.
    """

    def __init__(self, name: str, parameters: dict[str, Any]) -> None:
        self.name = name
        self.parameters = parameters
        _check(parameters)
        self.game = find_table(name.removeprefix(PREFIX), parameters["players"], _options(parameters["options"]))
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
        return game_type(self.name, sampled=self.sampled, leads=self.leads)


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
def table_of(name: str, parameters: tuple[tuple[str, Any], ...]) -> Table:
    """The table of a game and its parameters, sorted; always the same one. Raises RuleError."""
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
    """The options of a game's rules as the parameter has them.

    Raises RuleError for an option that is more than a word or a number.
    """
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


def contract_text(contract: Contract, game: Game[Any]) -> str:
    """A contract as the parameter has it."""
    declarer = SEATS[contract.declarer] if "contract" in game.keys else ""
    return f"{declarer}{'' if contract.bid is None else contract.bid}{trump_name(contract.trump)}"


def defaults(kind: type[Game[Any]]) -> dict[str, Any]:
    """The parameters that a game has if none are given."""
    return {"players": min(kind.seats), **_DEFAULTS}


def game_type(name: str, *, sampled: bool = False, leads: bool = True) -> pyspiel.GameType:
    """The kind of game it is to OpenSpiel. sampled: is the deal a single chance node? leads: do returns add up to 0?"""
    kind = find_game(name.removeprefix(PREFIX))
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
        parameter_specification=defaults(kind),
    )
