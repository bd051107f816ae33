"""What the tests of layouts share: views of deals, and layouts found by brute force over everything that may have been.

Brute force fills the unseen places of the *start* in every way and replays the moves, with every choice of cards for a
tuck that nobody saw. The states that are reached are the layouts: no counting, no constraints, only the games' rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from math import factorial, prod
from random import Random
from typing import Any

from common import any_move, deal_at, random_for

from solver.cards import UNSEEN, Holding, count, each, holding
from solver.game import TUCK, Game, Hand, Move, Setup
from solver.notation import named_cards
from solver.position import Position

# ---- views --------------------------------------------------------------------------------------------------------


def late_deal(game: Game[Any], random: Random, cards: int, told: float) -> Position:
    """An open position in which nobody has more than so many cards: the rest is gone, and some of that is told."""
    state = deal_at(game, random)
    passed: Holding = 0
    while game.actor(state) is not None and not _is_late(game, state, cards):
        move = any_move(game, state, random)
        passed |= move.cards
        state = game.play(state, move)
        if game.unit == "margin":
            state = state._replace(points=(0,) * game.players)  # or the deal would hardly ever last so long
    if game.actor(state) is None:
        return late_deal(game, random, cards, told)
    gone = holding(card for card in each(passed & ~named_cards(game.setup(state), 0)) if random.random() < told)
    return Position(game, game.start(game.setup(state)), gone=gone)


def _is_late(game: Game[Any], state: Any, cards: int) -> bool:
    piles = [sum(1 + (pile.under is not None) for pile in row if pile) for row in getattr(state, "piles", ())]
    held = max(count(hand) + piled for hand, piled in zip(state.hands, piles or [0] * game.players, strict=True))
    stock = len(getattr(state, "stock", ()))
    fresh = not game.declaring_phase(state) and game.played(state) == 0
    return fresh and (stock <= cards + 2 if stock else held <= cards)


def played_on(position: Position, random: Random, moves: int) -> Position:
    """The position after at most so many moves at random, but before the deal is over."""
    for _ in range(moves):
        if position.actor is not None:
            position.play(any_move(position.game, position.state, random))
    if position.actor is None:
        position.undo()
    return position


def partly_told(position: Position, seat: int, random: Random, share: float) -> Position:
    """What a seat sees, with some cards of the other hands and of the stock told as well."""
    view = position.observe(seat)
    setup, full = view.game.setup(view.start), view.game.setup(position.start)
    hands = tuple(
        Hand(hand.known | told, count(whole.known & ~hand.known & ~told))
        for hand, whole in zip(setup.hands, full.hands, strict=True)
        for told in [holding(card for card in each(whole.known & ~hand.known) if random.random() < share)]
    )
    stock = setup.stock and tuple(
        whole if random.random() < share else card for card, whole in zip(setup.stock, full.stock or (), strict=True)
    )
    start = view.game.start(replace(setup, hands=hands, stock=stock))
    twin = Position(view.game, start, seat=view.seat, gone=view.gone)
    for move in view.moves:
        twin.play(move)
    return twin


def small_views(game: Game[Any], wanted: int, most: int = 1500) -> Iterator[Position]:
    """Views at random of late deals, for which brute force has not too much to try."""
    seed = 0
    while wanted:
        random = random_for(game, f"view {seed}")
        seed += 1
        assert seed < 400, "no small views found"
        position = late_deal(game, random, random.choice([2, 3, 4]), random.choice([1, 1, 0.8]))
        position = played_on(position, random, random.randrange(3 * game.players))
        seat = random.randrange(game.players)
        view = position.observe(seat) if seed % 2 else partly_told(position, seat, random, random.choice([0.4, 0.8]))
        tries = starts_count(view) * 3 ** sum(move.unseen > 0 for move in view.moves)
        if starts_count(view) > 1 and tries <= most:
            wanted -= 1
            yield view


def find_view(game: Game[Any], suits: Callable[[Position], bool], most: int = 1500) -> Position:
    """The first of the random small views that suits."""
    return next(view for view in small_views(game, 400, most) if suits(view))


# ---- brute force --------------------------------------------------------------------------------------------------


def starts_count(view: Position) -> int:
    """How many starts brute force has to try, orders of the stock and the piles included."""
    setup = view.game.setup(view.start)
    free = len(view.game.deck) - count(named_cards(setup, view.gone))
    sizes = [hand.unseen or 0 for hand in setup.hands]
    singles = sum(card == UNSEEN for card in setup.stock or ())
    singles += sum(card == UNSEEN for row in setup.piles or () for pile in row for card in pile)
    return factorial(free) // prod(map(factorial, [*sizes, free - sum(sizes) - singles]))


def every_start(view: Position) -> Iterator[Any]:
    """Every open start that the file's facts allow."""
    setup = view.game.setup(view.start)
    free = view.game.deck.cards & ~named_cards(setup, view.gone)
    for hands, rest in _every_hands(setup.hands, free):
        yield from (view.game.start(filled) for filled in _every_single(replace(setup, hands=hands), rest))


def _every_hands(hands: Sequence[Hand], free: Holding) -> Iterator[tuple[tuple[Hand, ...], Holding]]:
    if not hands:
        yield (), free
        return
    for chosen in map(holding, combinations(each(free), hands[0].unseen or 0)):
        for others, rest in _every_hands(hands[1:], free & ~chosen):
            yield (Hand(hands[0].known | chosen), *others), rest


def _every_single(setup: Setup, free: Holding) -> Iterator[Setup]:
    stock = [place for place, card in enumerate(setup.stock or ()) if card == UNSEEN]
    under = [
        (seat, place)
        for seat, row in enumerate(setup.piles or ())
        for place, pile in enumerate(row)
        if pile.under == UNSEEN
    ]
    for cards in permutations(each(free), len(stock) + len(under)):
        drawn = list(setup.stock or ())
        for place, card in zip(stock, cards, strict=False):
            drawn[place] = card
        piles = [list(row) for row in setup.piles or ()]
        for (seat, place), card in zip(under, cards[len(stock) :], strict=True):
            piles[seat][place] = piles[seat][place]._replace(under=card)
        yield replace(
            setup,
            stock=None if setup.stock is None else tuple(drawn),
            piles=None if setup.piles is None else tuple(map(tuple, piles)),
        )


def outcomes(game: Game[Any], start: Any, moves: Sequence[Move]) -> set[Any]:
    """The states that an open start leads to by these moves; none if one of them is not legal."""
    reached = {start}
    for move in moves:
        reached = {
            game.play(state, choice)
            for state in reached
            for choice in game.moves(state)
            if choice == move or (move.unseen and _may_be(choice, move))
        }
    return reached


def _may_be(choice: Move, move: Move) -> bool:
    """May this be the tuck of which not all cards were seen?"""
    hidden = count(choice.cards) - count(move.cards)
    return choice.kind == TUCK and not move.cards & ~choice.cards and hidden == move.unseen


def brute_force(view: Position) -> set[Any]:
    """Every layout, as the state now."""
    return {state for start in every_start(view) for state in outcomes(view.game, start, view.moves)}


# ---- histories ----------------------------------------------------------------------------------------------------


def history(view: Position, state: Any) -> Position:
    """An open position with the view's moves that ends in the layout's state. Fails if they are not legal in it.

    Of the cards that a seat has shown or still has, those it has longest are the last drawn. Cards out of play that
    have not been told must have been tucked.
    """
    tucks = _tucked(view, state)
    moves = [tucks.get(at, move) for at, move in enumerate(view.moves)]
    setup = view.game.setup(view.start)
    stock = list(setup.stock or ())
    hands = []
    for seat, hand in enumerate(setup.hands):
        pool = _pool(view, state, moves, seat)
        places = [place for place, drawer in enumerate(_drawers(view)) if drawer == seat and stock[place] == UNSEEN]
        for place in reversed(places):
            stock[place] = pool.pop()
        hands.append(Hand(hand.known | holding(pool)))
        assert hands[-1].size == hand.size
    for place, card in enumerate(reversed(getattr(state, "stock", ())), 1):
        if stock[-place] == UNSEEN:
            stock[-place] = card
    piles = setup.piles and tuple(
        tuple(now if pile.under == UNSEEN else pile for pile, now in zip(row, _still(row, left), strict=True))
        for row, left in zip(setup.piles, state.piles, strict=True)
    )
    full = replace(setup, hands=tuple(hands), stock=None if setup.stock is None else tuple(stock), piles=piles)
    position = Position(view.game, view.game.start(full), gone=view.gone)
    for move in moves:
        position.play(move)
    assert position.is_open
    return position


def _still(row: Sequence[Any], left: Sequence[Any]) -> list[Any]:
    """The piles as they are now; at the start they were the same, in the same places."""
    return [left[place] for place in range(len(row))]


def _drawers(view: Position) -> list[int]:
    """Who drew each stock card, in the order of the stock."""
    drawers: list[int] = []
    for before, after in zip(view.states, view.states[1:], strict=False):
        drawn = len(getattr(before, "stock", ())) - len(getattr(after, "stock", ()))
        drawers += [(after.leader + turn % view.players) % view.players for turn in range(drawn)]
    return drawers


def _pool(view: Position, state: Any, moves: Sequence[Move], seat: int) -> list[int]:
    """The cards, at first unseen, that a seat has shown, in that order, and those it still has."""
    setup = view.game.setup(view.start)
    free = view.game.deck.cards & ~named_cards(setup, view.gone)
    pool: dict[int, None] = {}
    for before, move in zip(view.states, moves, strict=False):
        if view.game.actor(before) == seat:
            pool |= dict.fromkeys(each(view.game.shown(before, move) & free))
    return [*pool, *(card for card in each(state.hands[seat] & free) if card not in pool)]


def _tucked(view: Position, state: Any) -> dict[int, Move]:
    """The tucks that nobody saw, by place among the moves, with cards that may have been in them."""
    named = named_cards(view.game.setup(view.start), view.gone)
    out = view.unseen & ~sum(state.hands) & ~holding(getattr(state, "stock", ()))
    found = {}
    for at, move in reversed(list(enumerate(view.moves))):
        if move.unseen:
            known = view.states[at].hands[view.game.actor(view.states[at])] & out
            cards = [*each(known), *each(out & ~named)][: move.unseen]
            assert len(cards) == move.unseen
            out &= ~holding(cards)
            found[at] = Move(TUCK, move.cards | holding(cards))
    return found
