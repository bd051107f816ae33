"""From what a position leaves unseen to layouts, which name every card: counting, uniform sampling, enumeration.

A *layout* gives every unseen card a present place: a hand, a place in the stock, a pile, or out of play. All layouts
for which the moves made so far were legal are equally likely. What the moves tell is in `Position.barred`; only
tucks that nobody saw need more, since a hand that was partly known has lost some of these cards, nobody knows which:
each set that it may have kept makes a *case* of its own, and the cases are counted side by side.

Within a case, cards that may lie in the same slots form a class, and slots that take the same cards a group. How many
cards of each class go to each group is counted by dynamic programming over classes and what the groups still have to
take, in exact integers; which cards they are, and in which slot of the group they lie, does not matter for that. The
compiled sampler draws in the same steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations, islice, product
from math import factorial, gcd, prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._layouts import Sampler, choose
from .cards import UNSEEN, Card, Holding, count, each, holding
from .game import PLAY, SEATS, RuleError
from .position import Position

HAND: Final = "hands"
STOCK: Final = "stock"
TOP: Final = "top"
UNDER: Final = "under"
OUT: Final = "out"

_LIMB: Final = 64
_SEEDS: Final = 1 << 64
_PACKINGS: Final = 64
"""For how many states is remembered how their rows are packed."""


class Slot(NamedTuple):
    """Where unseen cards lie.

    kind: HAND, STOCK, TOP or UNDER (of a pile), or OUT of play. seat: whose hand or pile. place: which card of the
    stock or which pile of the seat, from 0. size: how many unseen cards lie there. barred: those that cannot.
    """

    kind: str
    seat: int = 0
    place: int = 0
    size: int = 1
    barred: Holding = 0

    @property
    def single(self) -> bool:
        """Is it the place of a single card, and written as that card's number? Other slots are written as holdings."""
        return self.kind in (STOCK, TOP, UNDER)


class Layouts:
    """Every way in which a position's unseen cards may lie.

    A layout is an array int64[slots]: for each of `slots` the card that lies there, or the holding. Many of them are
    int64[n, slots]. Raises RuleError if there is no layout; it says which facts contradict each other.

    position: as it stands; it must not be played on meanwhile. slots: where unseen cards lie. count: how many layouts
    there are, exactly.
    """

    def __init__(self, position: Position) -> None:
        _check_face_up(position)
        self.position = position
        self.slots = _slots(position.state, position.unseen, position.barred)
        cases = [_Case(self.slots, position.unseen, fixed) for fixed in _fixed_cards(position, self.slots)]
        self._cases = [case for case in cases if case.count]
        if not self._cases:
            raise _contradiction(position, self.slots)
        self.count = sum(case.count for case in self._cases)
        self._packings = lru_cache(_PACKINGS)(self._packing)

    # -- layouts

    def enumerate(self, size: int = 1024) -> Iterator[NDArray[np.int64]]:
        """All layouts in a fixed order, in blocks of at most that size, each made when it is asked for."""
        layouts = chain.from_iterable(case.layouts() for case in self._cases)
        while block := list(islice(layouts, size)):
            yield np.array(block, dtype=np.int64).reshape(len(block), len(self.slots))

    def sample(self, n: int, seed: int = 0, first: int = 0) -> NDArray[np.int64]:
        """Layouts drawn uniformly and independently: those with the numbers from `first` to `first + n - 1`.

        A layout depends on its number and the seed alone, so parts may be drawn in any order and in any thread; the
        interpreter is not held meanwhile. Seeds count modulo 2^64.
        """
        numbers = np.arange(first, first + n, dtype=np.int64)
        seed %= _SEEDS
        if len(self._cases) == 1:
            return self._cases[0].sample(numbers, seed)
        layouts = np.empty((n, len(self.slots)), dtype=np.int64)
        chosen = choose(self._limits, numbers, seed)
        for place, case in enumerate(self._cases):
            of_case = chosen == place
            layouts[of_case] = case.sample(numbers[of_case], seed)
        return layouts

    @cached_property
    def _limits(self) -> NDArray[np.uint64]:
        return _limbs(_cumulated([case.count for case in self._cases]))

    # -- what they mean

    def states(self, layouts: NDArray[np.int64], state: Any = None) -> Iterator[Any]:
        """The game's own states with every card named, one for each layout.

        state: one with the same unseen cards, such as after a bid; default, the position's.
        """
        state = self._same_slots(state)
        return (_filled(state, self.slots, layout) for layout in layouts.tolist())

    def rows(self, layouts: NDArray[np.int64], pov: int | None = None, state: Any = None) -> NDArray[np.int64]:
        """The same states packed for the game's kernel, int64[n, WIDTH].

        pov: the seat for which values are counted; default, the game's choice. state: see `states`.
        """
        state, game = self._same_slots(state), self.position.game
        pov = game.pov(state) if pov is None else pov
        if 0 < len(layouts) <= len(self.slots):  # so few are packed before it is known what each slot adds
            each_filled = (_filled(state, self.slots, layout) for layout in layouts.tolist())
            return np.array([game.packed(filled, pov) for filled in each_filled], dtype=np.int64)
        base, steps = self._packings(state, pov)
        rows = np.tile(base, (len(layouts), 1))
        for slot, word in zip(*np.nonzero(steps), strict=True):
            rows[:, word] += steps[slot, word] * layouts[:, slot]
        return rows

    def _packing(self, state: Any, pov: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A row without the unseen cards, and what each slot adds to its words for every 1 in the layout.

        All packing is linear in this sense: a card is a number or a bit somewhere in a word, counted from some zero.
        A hand tells its step by the lowest card that it does not hold already.
        """

        game, bare = self.position.game, _filled(state, self.slots, (0,) * len(self.slots))
        base = np.array(game.packed(bare, pov), dtype=np.int64)
        steps = np.zeros((len(self.slots), len(base)), dtype=np.int64)
        for place, slot in enumerate(self.slots):
            one = _lowest_absent(state.hands[slot.seat]) if slot.kind == HAND else 1
            steps[place] = (np.array(game.packed(_filled(bare, (slot,), (one,)), pov), dtype=np.int64) - base) // one
        return base, steps

    def weights(self, layouts: NDArray[np.int64], weigh: Callable[[Any], float]) -> NDArray[np.float64]:
        """How likely each layout is, by a function of its state that gives a number from 0: float64[n], of any sum.

        Bids and plays tell something of the hands that made them; with weights, means take account of that. Raises
        ValueError if a weight is negative or not finite, or if all are 0.
        """
        weights = np.array([weigh(state) for state in self.states(layouts)], dtype=np.float64)
        wrong = ~(np.isfinite(weights) & (weights >= 0))
        if wrong.any():
            raise ValueError(f"{weights[wrong][0]} is no weight; expected a finite number from 0")
        if len(weights) and not weights.any():
            raise ValueError(f"all {len(weights)} layouts have weight 0, which leaves nothing to go by")
        return weights

    def _same_slots(self, state: Any) -> Any:
        if state is None:
            return self.position.state
        found = _slots(state, self.position.unseen)
        if found != [slot._replace(barred=0) for slot in self.slots]:
            raise ValueError("the state's unseen cards lie in other places than those of the position")
        return state


# ---- slots --------------------------------------------------------------------------------------------------------


def _slots(state: Any, unseen: Holding, barred: Sequence[Holding] | None = None) -> list[Slot]:
    """Where the unseen cards of a state lie. Raises RuleError if there are more places than cards.

    The fields `stock` and `piles`, which not every game's states have, mean the same wherever they are.
    """
    slots = [
        Slot(HAND, seat, size=size, barred=barred[seat] & unseen if barred else 0)
        for seat, size in enumerate(state.unseen)
        if size
    ]
    slots += [Slot(STOCK, place=place) for place, card in enumerate(getattr(state, "stock", ())) if card == UNSEEN]
    for seat, piles in enumerate(getattr(state, "piles", ())):
        for place, pile in enumerate(piles):
            for kind in (TOP, UNDER):
                if pile and getattr(pile, kind) == UNSEEN:
                    slots.append(Slot(kind, seat, place))
    places = sum(slot.size for slot in slots)
    left = count(unseen) - places
    if left < 0:
        raise RuleError(
            f"{places} cards of hands, piles and stock are unseen, but there are only {count(unseen)} that can be: the"
            " others are named or gone",
            "hands",
        )
    return [*slots, Slot(OUT, size=left)] if left else slots


def _check_face_up(position: Position) -> None:
    """Raises RuleError if face-up cards of piles are unseen, though what has been played depends on them.

    That cannot be from the trump being named until the first card, when the piles are only about to be dealt.
    """
    if any(move.kind == PLAY for move in position.moves):
        for seat, piles in enumerate(getattr(position.state, "piles", ())):
            if any(pile and pile.top == UNSEEN for pile in piles):
                sentence = f"{SEATS[seat]} has a face-up pile card that everyone sees: expected its name"
                raise RuleError(sentence, f"piles.{SEATS[seat]}")


def _filled(state: Any, slots: Sequence[Slot], layout: Sequence[int]) -> Any:
    """A state with its unseen cards named."""
    hands, stock = list(state.hands), list(getattr(state, "stock", ()))
    piles = [list(row) for row in getattr(state, "piles", ())]
    for slot, held in zip(slots, layout, strict=True):
        if slot.kind == HAND:
            hands[slot.seat] |= held
        elif slot.kind == STOCK:
            stock[slot.place] = held
        elif slot.kind in (TOP, UNDER):
            row = piles[slot.seat]
            row[slot.place] = row[slot.place]._replace(**{slot.kind: held})
    changes: dict[str, Any] = {"stock": tuple(stock)} if stock else {}
    if piles:
        changes["piles"] = tuple(map(tuple, piles))
    return state._replace(hands=tuple(hands), unseen=(0,) * len(hands), **changes)


def _lowest_absent(hand: Holding) -> Holding:
    """The lowest card that is not in a hand."""
    return (hand + 1) & ~hand


# ---- one case -----------------------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """What a class gives to each group, and in how many ways it and the classes after it can go on then."""

    given: tuple[int, ...]
    left: tuple[int, ...]
    ways: int


class _Case:
    """The layouts that agree on what is kept of hands that were partly known: `fixed`, by slot.

    count: how many there are.
    """

    def __init__(self, slots: Sequence[Slot], unseen: Holding, fixed: Sequence[Holding]) -> None:
        self.slots = slots
        self.fixed = fixed
        self.sizes = [slot.size - count(held) for slot, held in zip(slots, fixed, strict=True)]
        self.count = 0
        if min(self.sizes, default=0) < 0:
            return
        barred = list(dict.fromkeys(slot.barred for slot, size in zip(slots, self.sizes, strict=True) if size))
        alike: dict[tuple[int, ...], list[Card]] = {}
        for card in each(unseen & ~sum(fixed)):
            alike.setdefault(tuple([cards >> card & 1 for cards in barred]), []).append(card)
        self.classes = sorted(alike.values(), key=len)
        places = [self._slots_for(cards[0]) for cards in self.classes]
        self.groups = self._grouped(places)
        self.takers = [[at for at, group in enumerate(self.groups) if group[0] in slots_for] for slots_for in places]
        self.room = tuple(sum(self.sizes[slot] for slot in group) for group in self.groups)
        self.steps = cache(self._steps)
        within = prod(_splits_count([self.sizes[slot] for slot in group]) for group in self.groups)
        self.count = self._ways(0, self.room) * within

    def _slots_for(self, card: Card) -> set[int]:
        return {at for at, slot in enumerate(self.slots) if self.sizes[at] and not slot.barred >> card & 1}

    def _grouped(self, classes: Sequence[set[int]]) -> list[list[int]]:
        """The slots that have room, those that take the same classes together, the largest last in its group."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for slot in sorted((at for at, size in enumerate(self.sizes) if size), key=self.sizes.__getitem__):
            groups.setdefault(tuple(at for at, slots in enumerate(classes) if slot in slots), []).append(slot)
        return list(groups.values())

    # -- counting

    def _ways(self, at: int, left: tuple[int, ...]) -> int:
        """In how many ways the classes from the one at that place on can fill what is left of the groups' room."""
        return sum(step.ways for step in self.steps(at, left)) if at < len(self.classes) else 1

    def _steps(self, at: int, left: tuple[int, ...]) -> list[_Step]:
        takers = self.takers[at]
        steps = []
        for shares in _shares(len(self.classes[at]), [left[group] for group in takers]):
            given = [0] * len(left)
            for group, share in zip(takers, shares, strict=True):
                given[group] = share
            then = tuple(have - less for have, less in zip(left, given, strict=True))
            ways = self._ways(at + 1, then)
            if ways:
                steps.append(_Step(tuple(given), then, _splits_count(shares) * ways))
        return steps

    # -- enumeration

    def layouts(self) -> Iterator[tuple[int, ...]]:
        """All of them, in a fixed order."""
        for dealt in self._dealt(0, self.room):
            yield from map(self._written, self._placed(dealt))

    def _placed(self, dealt: Sequence[tuple[Card, ...]]) -> Iterator[list[tuple[tuple[Card, ...], ...]]]:
        """The cards of each slot, group by group, with these cards in each group; of the last groups, if of fewer."""
        if not dealt:
            yield []
            return
        for parts in _splits(dealt[0], [self.sizes[slot] for slot in self.groups[-len(dealt)]]):
            for others in self._placed(dealt[1:]):
                yield [parts, *others]

    def _dealt(self, at: int, left: tuple[int, ...]) -> Iterator[list[tuple[Card, ...]]]:
        """The cards of each group, as the classes from one on can give them."""
        if at == len(self.classes):
            yield [()] * len(self.groups)
            return
        for step in self.steps(at, left):
            for parts in _splits(tuple(self.classes[at]), step.given):
                for rest in self._dealt(at + 1, step.left):
                    yield [part + others for part, others in zip(parts, rest, strict=True)]

    def _written(self, placed: Iterable[Sequence[Sequence[Card]]]) -> tuple[int, ...]:
        layout = list(self.fixed)
        for group, parts in zip(self.groups, placed, strict=True):
            for slot, cards in zip(group, parts, strict=True):
                layout[slot] = cards[0] if self.slots[slot].single else layout[slot] | holding(cards)
        return tuple(layout)

    # -- sampling

    def sample(self, numbers: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
        """The layouts of these numbers."""
        layouts = self._sampler.sample(numbers, seed)
        if any(self.fixed):
            layouts |= np.array(self.fixed, dtype=np.int64)
        return layouts

    @cached_property
    def _sampler(self) -> Sampler:
        order = [slot for group in self.groups for slot in group]
        states, counts, targets, limits = self._table()
        return Sampler(
            np.array([card for cards in self.classes for card in cards], dtype=np.int8),
            np.array([len(cards) for cards in self.classes], dtype=np.int32),
            np.array([self.sizes[slot] for slot in order], dtype=np.int32),
            np.array([len(group) for group in self.groups], dtype=np.int32),
            np.array(order, dtype=np.int32),
            np.array([self.slots[slot].single for slot in order], dtype=np.uint8),
            np.array(states, dtype=np.int32),
            np.array(counts, dtype=np.int32).reshape(len(targets), len(self.groups)),
            np.array(targets, dtype=np.int32),
            _limbs(limits),
            len(self.slots),
        )

    def _table(self) -> tuple[list[int], list[tuple[int, ...]], list[int], list[int]]:
        """The sampler's table: the states in the order in which they are reached, class after class."""
        states, counts, targets, limits = [0], [], [], []
        layer = [self.room]
        reached = 0
        for at in range(len(self.classes)):
            reached += len(layer)
            after: dict[tuple[int, ...], int] = {}
            for left in layer:
                steps = self.steps(at, left)
                counts += [step.given for step in steps]
                targets += [after.setdefault(step.left, reached + len(after)) for step in steps]
                limits += _cumulated([step.ways for step in steps])
                states.append(len(targets))
            layer = list(after)
        return states, counts, targets, limits


def _shares(size: int, room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way in which so many cards, all alike, can be shared by groups that have room for so many."""
    if not room:
        if not size:
            yield ()
        return
    for share in range(max(0, size - sum(room[1:])), min(size, room[0]) + 1):
        for others in _shares(size - share, room[1:]):
            yield share, *others


def _splits(cards: tuple[Card, ...], sizes: Sequence[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Every way to split cards into sets of these sizes."""
    if len(sizes) < 2:
        yield (cards,) * len(sizes)
        return
    for part in combinations(cards, sizes[0]):
        rest = tuple(card for card in cards if card not in part)
        for others in _splits(rest, sizes[1:]):
            yield part, *others


def _splits_count(sizes: Sequence[int]) -> int:
    """The number of ways to split cards into sets of these sizes."""
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def _cumulated(weights: Sequence[int]) -> list[int]:
    """Weights as cumulative sums, in the smallest whole numbers that stand in the same proportions."""
    common = gcd(*weights)
    total = 0
    return [total := total + weight // common for weight in weights]


def _limbs(numbers: Sequence[int]) -> NDArray[np.uint64]:
    """Whole numbers from 0 as 64-bit limbs, the highest first: uint64[n, limbs]."""
    size = max(1, -(-max(numbers, default=0).bit_length() // _LIMB))
    data = b"".join(number.to_bytes(8 * size, "big") for number in numbers)
    return np.frombuffer(data, dtype=">u8").astype(np.uint64).reshape(len(numbers), size)


# ---- tucks that nobody saw ----------------------------------------------------------------------------------------


def _fixed_cards(position: Position, slots: Sequence[Slot]) -> list[tuple[Holding, ...]]:
    """By case, the cards of each slot that are settled by what seats have kept when they tucked unseen cards."""
    if not any(move.unseen for move in position.moves):
        return [(0,) * len(slots)]
    cases = []
    lost, kept = zip(*(_kept(position, seat) for seat in range(position.players)), strict=True)
    for choice in product(*kept):
        out = sum(lost) & ~sum(choice)
        hands = {slot.seat for slot in slots if slot.kind == HAND}
        if any(held and seat not in hands for seat, held in enumerate(choice)) or (out and slots[-1].kind != OUT):
            continue
        cases.append(
            tuple(choice[slot.seat] if slot.kind == HAND else out if slot.kind == OUT else 0 for slot in slots)
        )
    return cases


def _kept(position: Position, seat: int) -> tuple[Holding, list[Holding]]:
    """The cards a seat was known to have when it tucked unseen ones, less those shown since; which it may still have.

    Every set comes with a history: each tuck took some of these cards and some unknown ones, of which there must have
    been enough, also for the cards that were played openly.
    """
    game = position.game
    lost, possible = 0, {0}
    for state, move in zip(position.states, position.moves, strict=False):
        if game.actor(state) != seat or not (move.cards or move.unseen):
            continue
        shown = game.shown(state, move)
        named = state.hands[seat] & ~shown if move.unseen else 0
        unknown = state.unseen[seat] + count(named) - count(shown & ~state.hands[seat]) - move.unseen
        possible = {
            kept & ~tucked
            for kept in ((before & ~shown) | named for before in possible if not shown & lost & ~before)
            for tucked in _parts(kept, move.unseen)
            if count(kept & ~tucked) <= unknown
        }
        lost = (lost | named) & ~shown
    return lost, sorted(possible)


def _parts(cards: Holding, most: int) -> Iterator[Holding]:
    """Every set of at most so many of the cards."""
    for size in range(min(most, count(cards)) + 1):
        yield from map(holding, combinations(each(cards), size))


# ---- contradictions -----------------------------------------------------------------------------------------------


def _contradiction(position: Position, slots: Sequence[Slot]) -> RuleError:
    """The error for a position that has no layout.

    By Hall's theorem there are hands that together have more unseen cards than their seats may hold; a smallest such
    set is told. Otherwise it is tucked cards that do not add up.
    """
    write = position.text.write_holding
    short = _short_of_cards([slot for slot in slots if slot.kind == HAND], position.unseen)
    if not short:
        seats = ", ".join(SEATS[seat] for seat in range(position.players) if _kept(position, seat)[0])
        return RuleError(f"what {seats} had before a tuck that nobody saw leaves no room for the cards played since")
    barred = _barred_to_all(short, position.unseen)
    return RuleError(
        f"{' and '.join(SEATS[slot.seat] for slot in short)} must have {sum(slot.size for slot in short)} of the unseen"
        f" cards, but by the moves made {'they hold' if len(short) > 1 else 'he holds'} none of {write(barred)}, which"
        f" leaves {write(position.unseen & ~barred) or 'none'}",
        f"hands.{SEATS[short[0].seat]}",
    )


def _short_of_cards(hands: Sequence[Slot], unseen: Holding) -> Sequence[Slot]:
    """The fewest hands that together must have more of the unseen cards than they may; none if there are no such."""
    for size in range(1, len(hands) + 1):
        for chosen in combinations(hands, size):
            if sum(slot.size for slot in chosen) > count(unseen & ~_barred_to_all(chosen, unseen)):
                return chosen
    return ()


def _barred_to_all(slots: Sequence[Slot], cards: Holding) -> Holding:
    """Those of the cards that cannot lie in any of the slots."""
    for slot in slots:
        cards &= slot.barred
    return cards
