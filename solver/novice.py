"""Rules of thumb that a beginner has, game by game: what a move looks worth to somebody who does not calculate.

They are a player of their own, they decide between moves that a search finds equal, and they are what the strongest
players take others to do when they ask what a move tells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from . import trick
from .cards import NO_TRUMP, Card, Holding, Suit, count, each, of_suit, strength_of, suit_of
from .game import BID, CLAIM, CLOSE, EXCHANGE, MARRIAGE, PASS, PLAY, TRUMP, TUCK, Game, Move
from .games.sixty_six import GOAL, POINTS

Merit = Callable[[Game[Any], Any, Move], float]

_TRUMP: Final = 20
"""What a trump is dearer than another card of its rank; more than the highest rank."""
_TAKES: Final = 100
"""What taking a wanted trick counts; more than any card is dear."""


def merit(game: Game[Any], state: Any, move: Move) -> float:
    """How good a legal move of the seat to move looks: more is better, the unit is the game's own affair."""
    return _MERITS.get(game.name, _hands_only)(game, state, move)


def choose(game: Game[Any], state: Any) -> Move:
    """The legal move that looks best; the first in listed order among equals."""
    return max(game.moves(state), key=lambda move: merit(game, state, move))


# ---- tricks of one card a seat ------------------------------------------------------------------------------------


def _price(card: Card, trump: Suit, anti: bool = False) -> int:
    """How dear a card is to keep: high ones and trumps are, but anti-trumps are cheap."""
    if anti:
        return strength_of(card) - (_TRUMP if suit_of(card) == trump else 0)
    return strength_of(card) + (_TRUMP if suit_of(card) == trump else 0)


def _for_trick(card: Card, table: tuple[Card, ...], trump: Suit, seats: int, *, anti: bool, wanted: bool) -> float:
    """The merit of a card by whether one wants the trick.

    Who wants it leads high, wins as cheaply as the seat allows and else throws his worst; who does not leads low and
    gets rid of the highest card that stays below.
    """
    price = _price(card, trump, anti)
    if not table:
        plain = strength_of(card) - (_TRUMP if suit_of(card) == trump else 0)
        return plain if wanted else -price
    wins = trick.winner((*table, card), trump, anti=anti) == len(table)
    last = len(table) == seats - 1
    if wanted:
        return (_TAKES - price if last else _TAKES / 2 + price) if wins else -price
    if wins:
        return price - _TAKES if last else -price - _TAKES
    return price


# ---- Atspėk -------------------------------------------------------------------------------------------------------


def _atspek(game: Game[Any], state: Any, move: Move) -> float:
    """Trumps: the suit one has more and higher cards of. Play: take what can be taken."""
    if move.kind == TRUMP:
        assert move.trump is not None
        suit = of_suit(state.hands[0], move.trump)
        return 100 * count(suit) + sum(map(strength_of, each(suit)))
    return _for_trick(_card(move.cards), state.trick, state.trump, game.players, anti=False, wanted=True)


def _card(cards: Holding) -> Card:
    return cards.bit_length() - 1


# ---- Antikoziris, Piramidė, plain ---------------------------------------------------------------------------------


def _hands_only(game: Game[Any], state: Any, move: Move) -> float:
    """Play of the games in which all cards are in the hands: count the tricks that are still wanted."""
    seat = game.actor(state)
    contract = state.contract
    anti = bool(getattr(game, "anti", False))
    seats = len(getattr(game, "seated", range(game.players)))
    wanted = _wants_trick(game, state, seat)
    return _for_trick(_card(move.cards), state.trick, contract.trump, seats, anti=anti, wanted=wanted)


def _wants_trick(game: Game[Any], state: Any, seat: int | None) -> bool:
    """Does the seat to move want tricks, by the contract and what the declarer has so far?"""
    bid, declarer = state.contract.bid, state.contract.declarer
    if game.name == "antikoziris":
        return bool(bid == 8)
    if game.name == "piramide":
        return bool(state.won[declarer] < bid)
    return True


_RISK: Final = {"A": 0.85, "K": 0.65, "Q": 0.45, "J": 0.25, "T": 0.1, "9": 0.0}
"""How often a card takes a trick that one would rather not have."""
_ROOM: Final = {0: 0.5, 1: 1.1, 2: 1.8, 3: 2.5, 4: 3.2}
"""By bid, the most tricks that one may fear to take with it."""


def _antikoziris(game: Game[Any], state: Any, move: Move) -> float:
    """Bids: the strongest that the feared tricks allow, in the suit that leaves the fewest."""
    if move.kind in (PLAY, TUCK):
        return _hands_only(game, state, move)
    hand = state.hands[game.actor(state) or 0]
    if move.kind == TRUMP:
        assert move.trump is not None
        return -_feared(game, hand, move.trump)
    if move.kind == PASS:
        return 0
    assert move.bid is not None
    least = min(_feared(game, hand, suit) for suit in range(4))
    return 5 - move.bid if least <= _ROOM.get(move.bid, -1) else -1


def _feared(game: Game[Any], hand: Holding, anti: Suit) -> float:
    """The tricks a hand will take against its will, about; anti-trumps take few."""
    return sum(_RISK[game.deck.rank(card)] * (0.2 if suit_of(card) == anti else 1) for card in each(hand))


_SURE: Final = {"A": 1.0, "K": 0.6, "Q": 0.3, "J": 0.1}
"""How often a card takes a trick."""


def _piramide(game: Game[Any], state: Any, move: Move) -> float:
    """Announcements: the number nearest to the tricks one counts."""
    if move.kind != BID:
        return _hands_only(game, state, move)
    assert move.bid is not None and move.trump is not None
    hand = state.hands[0]
    tricks = sum(_SURE.get(game.deck.rank(card), 0.0) for card in each(hand))
    if move.trump != NO_TRUMP:
        trumps = of_suit(hand, move.trump)
        tricks += sum(0.5 - _SURE.get(game.deck.rank(card), 0.0) / 2 for card in each(trumps))
    return -abs(tricks - move.bid)


# ---- Sixty-six ----------------------------------------------------------------------------------------------------


def _sixty_six(game: Game[Any], state: Any, move: Move) -> float:
    """Say what one has, spare points and trumps while cards are drawn, and cash from the top afterwards."""
    seat = game.actor(state) or 0
    if move.kind == CLAIM:
        return 10 * _TAKES if state.points[seat] >= GOAL else -10 * _TAKES
    if move.kind == CLOSE:
        return -_TAKES
    if move.kind == EXCHANGE:
        return 5 * _TAKES
    card = _card(move.cards)
    trump, points = state.trump, POINTS[game.deck.rank(card)]
    if move.kind == MARRIAGE:
        return 4 * _TAKES + (_TAKES if suit_of(card) == trump else 0) - points
    drawing = bool(state.stock) and state.closed_by is None
    if not drawing:
        return _for_trick(card, state.trick, trump, game.players, anti=False, wanted=True)
    price = points + (15 if suit_of(card) == trump else 0) + strength_of(card) / 10
    if not state.trick:
        return -price
    wins = trick.winner((*state.trick, card), trump) == len(state.trick)
    lying = sum(POINTS[game.deck.rank(played)] for played in state.trick)
    return lying + (points if suit_of(card) != trump else -5) if wins else -price


# ---- Velnio tuzinas -----------------------------------------------------------------------------------------------


def _velnio(game: Game[Any], state: Any, move: Move) -> float:
    """Lead as many cards as go together, the higher the better; cover if one can, as cheaply as one can."""
    cost = sum(_price(card, state.trump) for card in each(move.cards))
    if not state.played:
        return _TAKES * count(move.cards) + cost / count(move.cards)
    return _TAKES - cost if move.kind == PLAY else -cost


_MERITS: Final[dict[str, Merit]] = {
    "atspek": _atspek,
    "antikoziris": _antikoziris,
    "piramide": _piramide,
    "sixty_six": _sixty_six,
    "velnio_tuzinas": _velnio,
}
