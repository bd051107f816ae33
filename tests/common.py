"""What the generic tests share: every table a registered game is played at, and play at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any, Final

import pytest

from solver.cards import UNSEEN, Card, CardText, Holding, each, holding
from solver.game import (
    MARRIAGE,
    PASS,
    PLAY,
    TUCK,
    Game,
    Hand,
    Move,
    Pile,
    RuleError,
    Setup,
    options,
    read_rules,
    registry,
    write_rules,
)
from solver.notation import read_move
from solver.position import Position


def rule_choices(kind: type[Game[Any]]) -> Iterator[dict[str, object]]:
    """Every choice of option values, by the values that the options themselves list, and every preset."""
    known = options(kind.Rules)
    for entries in product(*(_entries(kind, name) for name in known)):
        yield {name: value for entry in entries for name, value in entry.items()}
    for preset in kind.presets:
        yield {"preset": preset}
        yield from ({"preset": preset, name: value} for name, option in known.items() for value in option.values)


def _entries(kind: type[Game[Any]], name: str) -> list[dict[str, object]]:
    """What a position file may say about an option: each of its values, and nothing if that is none of them."""
    option = options(kind.Rules)[name]
    listed = [option.read(value) for value in option.values]
    silent: list[dict[str, object]] = [{}] if getattr(kind.Rules(), name) not in listed else []
    return silent + [{name: value} for value in option.values]


def label(game: Game[Any]) -> str:
    """A short name of a table for test ids."""
    given = [f"{name}={value if len(str(value)) < 20 else '...'}" for name, value in write_rules(game).items()]
    return "-".join([game.name, str(game.players), *given]).replace(" ", "")


def game_tables(kind: type[Game[Any]]) -> list[Game[Any]]:
    """A game with every number of players and every choice of options that go together, each once."""
    found: dict[Game[Any], None] = {}
    for players, choice in product(kind.seats, list(rule_choices(kind))):
        try:
            found[kind(players, read_rules(kind, choice))] = None
        except RuleError as error:
            assert error.key in ("rules.side", "hands"), error
    return list(found)


def pairs(game: Game[Any]) -> set[tuple[Any, ...]]:
    """Every pair of option values that meet at a table."""
    values = [(field.name, getattr(game.rules, field.name)) for field in fields(game.rules)]
    return {(game.name, game.players, *two) for two in combinations([*values, None, None], 2)}


@cache
def covering_tables() -> list[Game[Any]]:
    """Some of the tables, at which any two option values meet that can."""
    met: set[tuple[Any, ...]] = set()
    chosen = []
    for game in sorted(tables(), key=lambda game: random_for(game).random()):
        if pairs(game) - met:
            chosen.append(game)
            met |= pairs(game)
    return sorted(chosen, key=label)


@cache
def tables() -> list[Game[Any]]:
    """Every game at every number of players with every choice of options."""
    return [game for name in sorted(registry()) for game in game_tables(registry()[name])]


def one_per_players() -> list[Game[Any]]:
    """Every game with its default rules and with every preset at every number of players."""
    found: dict[Game[Any], None] = {}
    for kind in registry().values():
        for players, preset in product(kind.seats, [{}, *({"preset": name} for name in kind.presets)]):
            try:
                found[kind(players, read_rules(kind, preset))] = None
            except RuleError as error:
                assert error.key == "hands", error
    return list(found)


def each_table(argument: str = "game") -> Callable[..., Any]:
    """Parametrises a test over all tables."""
    return pytest.mark.parametrize(argument, tables(), ids=label)


MOST_SEATS: Final = 8


def each_covering_table(argument: str = "game", *, most: int = MOST_SEATS) -> Callable[..., Any]:
    """Parametrises a test over tables of at most so many seats that have every two option values together."""
    return pytest.mark.parametrize(argument, [game for game in covering_tables() if game.players <= most], ids=label)


def each_game(argument: str = "game", *, most: int = MOST_SEATS) -> Callable[..., Any]:
    """Parametrises a test over all games, presets and numbers of players up to so many."""
    return pytest.mark.parametrize(argument, [game for game in one_per_players() if game.players <= most], ids=label)


def random_for(game: Game[Any], seed: object = 0) -> Random:
    """A generator of its own for each table and seed."""
    return Random(f"{label(game)} {seed}")


def any_move(game: Game[Any], state: Any, random: Random) -> Move:
    """A move at random. Before the play modest declarations come more often, and passes, so that matches end."""
    moves = game.moves(state)
    if not game.declaring_phase(state):
        return random.choice(moves)
    if Move(PASS) in moves and random.random() < 0.4:
        return Move(PASS)
    if len(moves) > 10 or random.random() < 0.3:
        return random.choice(moves)
    return moves[min(len(moves) - 1, int(random.expovariate(1.5)))]


def deal_at(game: Game[Any], random: Random) -> Any:
    """A fresh deal; in a game whose score runs on from deal to deal, at a random score."""
    start = game.deal(random)
    if game.unit == "margin":
        start = start._replace(points=tuple(random.randrange(13) for _ in start.points))
    return start


def random_states(game: Game[Any], random: Random) -> tuple[list[Any], list[Move]]:
    """A deal played at random: its states, and the moves between them."""
    states, moves = [deal_at(game, random)], []
    while game.actor(states[-1]) is not None:
        moves.append(any_move(game, states[-1], random))
        states.append(game.play(states[-1], moves[-1]))
    return states, moves


def random_position(game: Game[Any], random: Random, part: float = 1) -> Position:
    """A position after some moves at random, in that first part of a whole deal."""
    states, moves = random_states(game, random)
    position = Position(game, states[0])
    for move in moves[: random.randint(0, int(part * len(moves)))]:
        position.play(move)
    return position


# ---- cards --------------------------------------------------------------------------------------------------------


def setup_cards(setup: Setup) -> list[Card]:
    """Every named card of hands, piles and stock, as often as it is there."""
    found = [card for hand in setup.hands for card in each(hand.known)]
    found += [card for row in setup.piles or () for pile in row for card in pile if card is not None]
    found += setup.stock or ()
    return [card for card in found if card != UNSEEN]


def parted(move: Move) -> Holding:
    """The cards that a move takes out of a hand for good."""
    return move.cards if move.kind in (PLAY, TUCK, MARRIAGE) else 0


def written_cards(data: dict[str, Any], text: CardText) -> Holding:
    """Every card that the dict of a position names anywhere."""
    found = 0
    strings = [data.get("gone", ""), data.get("first", ""), *data["hands"].values(), *data.get("stock", ())]
    strings += [part for row in data.get("piles", {}).values() for pile in row for part in pile.split("/")]
    for written in strings:
        found |= text.read_holding(written)[0]
    for written in data.get("plays", ()):
        found |= read_move(written, text).cards
    return found


def transposed(setup: Setup, one: Card, other: Card) -> Setup:
    """The facts with two cards of the deck swapped, wherever they are."""

    def card(old: Card) -> Card:
        return other if old == one else one if old == other else old

    def cards(held: Holding) -> Holding:
        return holding(card(old) for old in each(held))

    changes: dict[str, Any] = {"hands": tuple(Hand(cards(hand.known), hand.unseen) for hand in setup.hands)}
    if setup.piles is not None:
        changes["piles"] = tuple(
            tuple(Pile(card(pile.top), None if pile.under is None else card(pile.under)) for pile in row)
            for row in setup.piles
        )
    if setup.stock is not None:
        changes["stock"] = tuple(map(card, setup.stock))
    if setup.first is not None:
        changes["first"] = cards(setup.first)
    return Setup(**{field.name: getattr(setup, field.name) for field in fields(setup)} | changes)
