"""Deals card by card, and back: what chance does, and whole deals that a seat cannot tell from what it has seen."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from common import each_game, label, one_per_players, random_for, random_states

from solver.adapters.deals import Dealing, Small
from solver.adapters.histories import completed
from solver.game import Contract, Game, RuleError, registry
from solver.position import Position
from solver.sampling import Layouts

SMALL = {
    "atspek": Small(1, "SAKHAKDACA", piles=1),
    "antikoziris": Small(2, "SAKHAKDACA"),
    "velnio_tuzinas": Small(2, "SAKHAKDA"),
    "sixty_six": Small(2, "SAQHAKQ"),
    "piramide": Small(2, "SAKHAKDA"),
}


def all_orders(dealing: Dealing, dealt: tuple[int, ...] = ()) -> dict[tuple[int, ...], Fraction]:
    """Every order in which the cards may come out, and how likely it is."""
    if len(dealt) == dealing.size:
        return {dealt: Fraction(1)}
    return {
        order: Fraction(likely).limit_denominator(1000) * rest
        for card, likely in dealing.chances(dealt)
        for order, rest in all_orders(dealing, (*dealt, card)).items()
    }


@pytest.mark.parametrize("game", [game for game in one_per_players() if game.name != "plain"], ids=label)
def test_a_deal_and_its_order(game: Game[Any]) -> None:
    dealing = Dealing(game)
    random = random_for(game)
    start = game.deal(random)
    order = dealing.order(start, random)
    assert len(order) == dealing.size == len(set(order))
    assert dealing.start(order, None) == start
    assert dealing.chances(order[:3]) == [
        (card, 1 / (len(game.deck) - 3)) for card in dealing.pack if card not in order[:3]
    ]


@pytest.mark.parametrize("name", SMALL)
def test_small_deals_are_equally_likely(name: str) -> None:
    kind = registry()[name]
    dealing = Dealing(kind(kind.seats[0]), small=SMALL[name])
    orders = all_orders(dealing)
    assert sum(orders.values()) == 1
    contract = dealing.contracts[0]
    starts = Counter(dealing.start(order, contract) for order in orders)
    assert set(starts.values()) == {1}
    assert len(set(orders.values())) == 1
    for start in starts:
        assert dealing.start(dealing.order(start, Random(0)), contract) == start
        assert dealing.contract_of(start) == 0


def test_contracts() -> None:
    by_game = {
        name: len(Dealing(kind(kind.seats[-1]), declaring=False).contracts)
        for name, kind in registry().items()
        if name != "plain"
    }
    assert by_game == {"atspek": 4, "antikoziris": 72, "piramide": 35, "sixty_six": 0, "velnio_tuzinas": 0}
    piramide = registry()["piramide"](2)
    assert Dealing(piramide, declaring=False, contract=Contract(0, 3, 1)).contracts == [Contract(0, 3, 1)]


def test_small_deals_that_cannot_be() -> None:
    with pytest.raises(RuleError, match="6 cards are too few for 3 seats of 3"):
        Dealing(registry()["antikoziris"](3), small=Small(3, "SAKHAKDACA"))
    with pytest.raises(RuleError, match="at most 6"):
        Dealing(registry()["piramide"](2), small=Small(7))


@each_game(most=5)
def test_whole_deals_from_layouts(game: Game[Any]) -> None:
    """Played from its start with its moves, a deal ends where the layout is, and the seat has seen the same."""
    tucked = 0
    for seed in range(3):
        random = random_for(game, seed)
        states, moves = random_states(game, random)
        position = Position(game, states[0])
        for move in [*moves, None]:
            for seat in range(game.players):
                view = position.observe(seat)
                layouts = Layouts(view)
                for now in layouts.states(layouts.sample(1, random.randrange(1 << 30))):
                    start, told = completed(view, now, random)
                    again = Position(game, start)
                    for made in told:
                        again.play(made)
                    assert again.state == now
                    assert again.observe(seat) == view
                    tucked += sum(move.unseen for move in view.moves)
            if move is not None:
                position.play(move)
    assert bool(tucked) == (game.name == "velnio_tuzinas")


def test_ways_are_drawn_uniformly() -> None:
    """Which of a hand's cards were dealt and which drawn: all ways come equally often."""
    position = Position.deal("sixty_six", seed=4)
    while len(position.state.stock) > 4:
        position.play(Random(len(position.moves)).choice(position.legal_moves[-3:]))
    view = position.observe("A")
    layouts = Layouts(view)
    [now] = layouts.states(layouts.sample(1, 7))
    random = Random(1)
    found = Counter(completed(view, now, random)[0] for _ in range(4000))
    assert len(found) > 10
    mean = 4000 / len(found)
    assert sum((count - mean) ** 2 for count in found.values()) / mean < len(found) + 5 * (2 * len(found)) ** 0.5
