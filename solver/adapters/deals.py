"""How the cards of a deal come out, one after the other: whole deals, and small ones that can be solved completely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from random import Random
from typing import Any, Final

from ..cards import Card, CardText, Holding, Suit, each, holding
from ..game import PLAY, TRUMP, TUCK, Contract, Game, Hand, Move, Pile, RuleError, Setup, hands_of

_SUITS: Final = (0, 1, 2, 3)
_HAND: Final = "hand"

Place = tuple[str, int, int]
"""Where a card is dealt: what it is part of, the seat, and the pile or the place in the stock."""


class Order(Random):
    """A generator whose shuffle brings cards into an order that is known."""

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__(0)
        self.cards = cards

    def shuffle(self, x: Any) -> None:
        """These cards first, then the others as they are."""
        first = set(self.cards)
        x[:] = [*self.cards, *(card for card in x if card not in first)]


@dataclass(frozen=True)
class Small:
    """A small deal: the play alone, with few cards, as an ending might have it.

    hand: the cards in each hand. cards: what is dealt from, such as "SAKHAK", "" for the whole deck. Those dealt to
    nobody are unseen; all others are known to be out of play. piles: those of each seat in Atspėk, where the tricks
    before were shared evenly, so that those to come count.
    """

    hand: int
    cards: str = ""
    piles: int = 0


class Dealing:
    """How deals are made at a table.

    game: the rules. declaring: do players declare, or is a contract drawn before the play, all alike? contracts: from
    these; just the one that is given, and none where nothing is drawn. small: a small deal, None for a whole one.
    pack: the cards that are dealt from. gone: those that all know to be out of play.
    Raises RuleError for small deals that cannot be.
    """

    def __init__(
        self,
        game: Game[Any],
        *,
        declaring: bool = True,
        contract: Contract | None = None,
        small: Small | None = None,
    ) -> None:
        self.game = game
        self.small = small
        drawn = small is not None or not declaring
        self.contracts = ([contract] if contract is not None else _contracts(game, small)) if drawn else []
        pack = small.cards if small is not None else ""
        self.pack = sorted(CardText(game.deck).read_cards(pack) if pack else each(game.deck.cards))
        self.gone = game.deck.cards & ~holding(self.pack)
        if self._seated * self._each > len(self.pack):
            raise RuleError(f"{len(self.pack)} cards are too few for {self._seated} seats of {self._each}")
        self._example = self.start(self.pack, self.contracts[0] if self.contracts else None)

    @property
    def size(self) -> int:
        """How many cards come out before all that matter are known."""
        return len(self._places)

    def chances(self, dealt: Sequence[Card]) -> list[tuple[Card, float]]:
        """The cards that may come out after these, and how likely each does.

        The cards of a hand of a small deal come out from low to high, so that it comes about in one way only. The next
        is then the lowest of a part of the higher ones.
        """
        gone = set(dealt)
        left = [card for card in self.pack if card not in gone]
        if self.small is None:
            likely = 1 / len(left)
            return [(card, likely) for card in left]
        place = self._places[len(dealt)]
        begun = [card for card, at in zip(dealt, self._places, strict=False) if at == place]
        missing = self._places.count(place) - len(begun)
        higher = [card for card in left if card > max(begun, default=-1)]
        ways = comb(len(higher), missing)
        lowest = enumerate(reversed(higher))
        return sorted((card, comb(above, missing - 1) / ways) for above, card in lowest if above >= missing - 1)

    def hand(self, dealt: Sequence[Card], seat: int) -> Holding:
        """What a seat has in hand when these cards have come out, if it may look at it."""
        place = (_HAND, seat, 0)
        own = holding(card for card, at in zip(dealt, self._places, strict=False) if at == place)
        return own if self.game.looks(self._example, seat) else 0

    def draw(self, random: Random) -> Any:
        """The state in which a deal at random begins."""
        if not self.contracts:
            return self.game.deal(random)
        cards = self.pack.copy()
        random.shuffle(cards)
        return self.start(cards[: self.size], random.choice(self.contracts))

    # -- from the cards to the deal, and back

    def start(self, order: Sequence[Card], contract: Contract | None) -> Any:
        """The state in which a deal begins, from its cards in the order in which they come out."""
        if self.small is not None:
            return self._small(order, contract)
        state = self.game.deal(Order(order))
        if contract is None:
            return state
        if "contract" in self.game.keys:
            return self.game.start(Setup(hands_of(state), contract=contract))
        return self.game.play(state, Move(TRUMP, trump=contract.trump))

    def order(self, start: Any, random: Random) -> list[Card]:
        """An order of the cards from which that state comes; what the state does not name is drawn at random."""
        cards: dict[Place, list[Card]] = {}
        for card, place in _placed(start):
            cards.setdefault(place, []).append(card)
        for row in cards.values():
            row.sort(reverse=True)
        placed = {card for row in cards.values() for card in row}
        left = [card for card in self.pack if card not in placed]
        random.shuffle(left)
        return [cards[place].pop() if cards.get(place) else left.pop() for place in self._places]

    def contract_of(self, start: Any) -> int:
        """The place of a start's contract among those that are drawn."""
        if "contract" in self.game.keys:
            return self.contracts.index(start.contract)
        return next(place for place, contract in enumerate(self.contracts) if contract.trump == start.trump)

    @cached_property
    def _places(self) -> list[Place]:
        """Where the cards go, in the order in which they come out; found by looking where they went."""
        dealt = dict(_placed(self._example))
        return [dealt[card] for card in self.pack if card in dealt]

    # -- small deals

    @property
    def _seated(self) -> int:
        return len(getattr(self.game, "seated", range(self.game.players)))

    @property
    def _each(self) -> int:
        return 0 if self.small is None else self.small.hand + 2 * self.small.piles

    def _small(self, order: Sequence[Card], contract: Contract | None) -> Any:
        assert self.small is not None and contract is not None
        cards = iter(order)
        hands = [holding(next(cards) for _ in range(self.small.hand)) for _ in range(self._seated)]
        hands += [0] * (self.game.players - self._seated)
        facts: dict[str, Any] = {"contract": contract} if "contract" in self.game.keys else {"trump": contract.trump}
        if "stock" in self.game.keys:
            facts["stock"] = ()
        if "piles" in self.game.keys:
            facts["piles"] = tuple(
                tuple(Pile(next(cards), next(cards)) for _ in range(self.small.piles)) for _ in hands
            )
            tricks, more = divmod(self.game.layout.cards - self._each, self.game.players)  # type: ignore[attr-defined]
            facts["won"] = tuple(tricks + (seat < more) for seat in range(self.game.players))
        return self.game.start(Setup(tuple(map(Hand, hands)), **facts))


def _contracts(game: Game[Any], small: Small | None) -> list[Contract]:
    """All contracts there can be, by the moves that declare one; a trump alone where there are no others."""
    moves = [move for move in game.further_moves() if move.kind not in (PLAY, TUCK)]
    trumps: list[Suit] = [move.trump for move in moves if move.trump is not None]
    if "contract" not in game.keys:
        return [Contract(0, None, trump) for trump in _SUITS] if small is not None or trumps else []
    bids = [move.bid for move in moves if move.bid is not None]
    if any(move.bid is not None and move.trump is not None for move in moves):
        declared = [(move.bid, move.trump) for move in moves if move.bid is not None and move.trump is not None]
        return [Contract(0, bid, trump) for bid, trump in declared]
    return [Contract(*parts) for parts in product(range(3), bids, trumps)]


def _placed(state: Any) -> Iterator[tuple[Card, Place]]:
    """The named cards of a state with their places; in Atspėk also what is still to be dealt."""
    parts = [(_HAND, state.hands, getattr(state, "piles", ()))]
    rest = getattr(state, "rest", None)
    if rest is not None:
        parts.append(("rest", rest.hands, rest.piles))
    for part, hands, piles in parts:
        yield from ((card, (part, seat, 0)) for seat, hand in enumerate(hands) for card in each(hand))
        for seat, row in enumerate(piles):
            for place, pile in enumerate(row):
                yield pile.top, (f"{part} top", seat, place)
                yield pile.under, (f"{part} under", seat, place)
    yield from ((card, ("stock", 0, place)) for place, card in enumerate(getattr(state, "stock", ())) if card >= 0)
