"""From an observation and a layout of the unseen cards to a whole deal: who was dealt, drew and tucked which cards.

A layout says where cards lie now. The same hand can have come about in several ways, which the seat cannot tell apart:
a card may have been dealt or drawn, as long as its owner had it before he showed it. One of these ways is drawn at
random. There are equally many for every layout unless cards were tucked that nobody saw, so where layouts are uniform
deals are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from ..cards import UNSEEN, Card, Holding, count, each, holding
from ..game import EXCHANGE, Move, Pile
from ..position import Position

Piles = tuple[tuple[Pile | None, ...], ...]


def completed(view: Position, now: Any, random: Random) -> tuple[Any, list[Move]]:
    """The start of a deal with every card named, and its moves likewise, which the view's seat sees as in the view.

    view: an observation. now: its present state with every card named, one of `Layouts.states`.
    """
    start = view.start
    moves = _with_tucks(view, now, random)
    hands = list(start.hands)
    stock = list(getattr(start, "stock", ()))
    drawn = list(_draws(view))
    for seat in range(view.players):
        held = _held(view, now, moves, seat)
        for draw in reversed(drawn):
            if draw.seat == seat and stock[draw.place] == UNSEEN:
                card = random.choice([card for card, until in held.items() if draw.time <= until])
                stock[draw.place] = card
                del held[card]
        hands[seat] |= holding(held)
    facts: dict[str, Any] = {"hands": tuple(hands), "unseen": (0,) * view.players}
    if stock:
        under = now.stock[:-1]  # the last has always been named, and another one may lie there now
        facts["stock"] = (*stock[: len(stock) - 1 - len(under)], *under, stock[-1])
    if getattr(start, "piles", ()):
        facts["piles"] = _named_piles(start.piles, now.piles)
    return start._replace(**facts), moves


class _Draw(NamedTuple):
    """A card drawn from the stock: after how many moves, by whom, and its place in the first stock."""

    time: int
    seat: int
    place: int


def _draws(view: Position) -> Iterator[_Draw]:
    """All draws in order: who took the trick first, then in turn."""
    place = 0
    for time, (before, after) in enumerate(pairwise(view.states), 1):
        for turn in range(len(getattr(before, "stock", ())) - len(getattr(after, "stock", ()))):
            yield _Draw(time, (after.leader + turn) % view.players, place)
            place += 1


def _held(view: Position, now: Any, moves: Sequence[Move], seat: int) -> dict[Card, int]:
    """The cards that a seat took up unseen, each with the number of moves before it showed, tucked or still has it."""
    game = view.game
    held: dict[Card, int] = {}
    for at, (state, move) in enumerate(zip(view.states, moves, strict=False)):
        if game.actor(state) == seat:
            held |= {card: at for card in each(game.shown(state, move)) if card not in held}
    held |= {card: len(moves) for card in each(now.hands[seat]) if card not in held}
    for card, time in _taken_up_openly(view, seat):
        if held.get(card, -1) >= time:
            del held[card]
    return held


def _taken_up_openly(view: Position, seat: int) -> Iterator[tuple[Card, int]]:
    """The cards that everyone knows a seat to have, from the start, by a draw or an exchange, and since which move."""
    yield from ((card, 0) for card in each(view.start.hands[seat]))
    for time, (before, after, move) in enumerate(zip(view.states, view.states[1:], view.moves, strict=False), 1):
        if move.kind == EXCHANGE and view.game.actor(before) == seat:
            yield before.stock[-1], time
        drawn = len(getattr(before, "stock", ())) - len(getattr(after, "stock", ()))
        for turn, card in enumerate(before.stock[:drawn] if drawn else ()):
            if card != UNSEEN and (after.leader + turn) % view.players == seat:
                yield card, time


def _with_tucks(view: Position, now: Any, random: Random) -> list[Move]:
    """The moves, with cards for what was tucked unseen: those that lie nowhere now."""
    moves = list(view.moves)
    room = {at: move.unseen for at, move in enumerate(moves) if move.unseen}
    if not room:
        return moves
    known = holding(now.stock) | view.gone
    for cards in (*now.hands, *(move.cards for move in moves)):
        known |= cards
    left = view.game.deck.cards & ~known
    chosen: dict[int, Holding] = dict.fromkeys(room, 0)
    for at, seat, card in _seen_before(view, left):
        options = [tuck for tuck in room if tuck >= at and view.game.actor(view.states[tuck]) == seat]
        tuck = random.choices(options, [room[tuck] - count(chosen[tuck]) for tuck in options])[0]
        chosen[tuck] |= 1 << card
        left &= ~(1 << card)
    free = list(each(left))
    random.shuffle(free)
    for at, size in room.items():
        tucked = chosen[at] | holding(free.pop() for _ in range(size - count(chosen[at])))
        moves[at] = moves[at]._replace(cards=moves[at].cards | tucked, unseen=0)
    return moves


def _seen_before(view: Position, cards: Holding) -> Iterator[tuple[int, int, Card]]:
    """Of these cards those that were seen to be in a hand that then tucked unseen: at which move, whose, the card."""
    for at, (state, move) in enumerate(zip(view.states, view.moves, strict=False)):
        seat = view.game.actor(state)
        if move.unseen and seat is not None:
            yield from ((at, seat, card) for card in each(state.hands[seat] & cards))
            cards &= ~state.hands[seat]


def _named_piles(first: Piles, now: Piles) -> Piles:
    """The piles as they were dealt; what has not been turned up yet lies where it did."""
    return tuple(
        tuple(now_pile if pile is not None and UNSEEN in pile else pile for pile, now_pile in zip(*rows, strict=True))
        for rows in zip(first, now, strict=True)
    )
