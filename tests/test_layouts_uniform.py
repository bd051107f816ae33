"""Are layouts drawn uniformly? Chi-square tests against full enumeration, for every kind of constraint.

Seeds are fixed, so the p-values are too: a test that passes once passes always. A sampler with a bias that people do
write must fail by the same measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hidden import find_view
from numpy.typing import NDArray

from solver.cards import count, each, of_suit, single
from solver.game import Game, find_game, read_rules
from solver.position import Position
from solver.sampling import HAND, OUT, STOCK, UNDER, Layouts

EACH = 40
"""Draws expected of every layout."""
SIGNIFICANT = 0.001


# ---- chi-square ---------------------------------------------------------------------------------------------------


def chi_square_p(statistic: float, freedom: int) -> float:
    """How likely so large a chi-square is: the upper regularised incomplete gamma function of freedom/2, statistic/2.

    Below the mean by its power series, above by its continued fraction (Lentz), as in Numerical Recipes 6.2.
    """
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return 1 - scale * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    result = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        result *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return scale * result


def uniformity(amounts: NDArray[np.int64]) -> float:
    """The p-value of these amounts, were all outcomes equally likely."""
    expected = amounts.sum() / len(amounts)
    return chi_square_p(float(((amounts - expected) ** 2).sum() / expected), len(amounts) - 1)


def amounts_of(layouts: Layouts, drawn: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each layout was drawn, in the order of enumeration; fails for one that there is not."""
    everything = np.concatenate(list(layouts.enumerate())).tolist()
    index = {tuple(layout): at for at, layout in enumerate(everything)}
    assert len(index) == layouts.count
    return np.bincount([index[tuple(layout)] for layout in drawn.tolist()], minlength=layouts.count)


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [(3.841459, 1, 0.05), (18.307038, 10, 0.05), (2.705543, 1, 0.1), (124.342113, 100, 0.05), (77.929465, 100, 0.95)],
)
def test_chi_square_table(statistic: float, freedom: int, p: float) -> None:
    assert chi_square_p(statistic, freedom) == pytest.approx(p, abs=1e-6)


# ---- views by kind of constraint ----------------------------------------------------------------------------------


def table(name: str, players: int, rules: object = None) -> Game[Any]:
    kind = find_game(name)
    return kind(players, read_rules(kind, rules or {}))


def out_of(suits: Callable[[Position], list[int]]) -> Callable[[Position], bool]:
    """Does a view bar some hand from cards of such a suit, so that it matters, though not from all of any kind?"""

    def is_so(view: Position) -> bool:
        layouts = Layouts(view)
        barred = [slot.barred for slot in layouts.slots]
        wanted = any(of_suit(held, suit) for held in barred for suit in suits(view))
        return wanted and len(set(barred)) > 1 and sized(layouts)

    return is_so


def sized(layouts: Layouts) -> bool:
    return 12 <= layouts.count <= 1200


def trump(view: Position) -> list[int]:
    contract = getattr(view.state, "contract", None)
    return [contract.trump if contract else view.state.trump]


def plain_suits(view: Position) -> list[int]:
    return [suit for suit in range(4) if suit not in trump(view)]


def two_hands_differ(view: Position) -> bool:
    """Are two hands barred from different cards, with an overlap of what they may hold?"""
    layouts = Layouts(view)
    barred = [slot.barred for slot in layouts.slots if slot.kind == HAND and slot.barred and slot.size > 1]
    return sized(layouts) and len(set(barred)) > 1 and len(layouts._cases[0].classes) > 2


def has(kind: str, more_than: int = 1) -> Callable[[Position], bool]:
    def is_so(view: Position) -> bool:
        layouts = Layouts(view)
        cards = sum(slot.size for slot in layouts.slots if slot.kind == kind)
        return cards > more_than and len(layouts.slots) > 1 and sized(layouts)

    return is_so


def tucked(view: Position) -> bool:
    layouts = Layouts(view)
    return any(move.unseen for move in view.moves) and len(layouts._cases) == 1 and sized(layouts)


def doubtful(view: Position) -> bool:
    layouts = Layouts(view)
    return len(layouts._cases) > 1 and sized(layouts)


def gone_and_out(view: Position) -> bool:
    return bool(view.gone) and has(OUT)(view)


KINDS: dict[str, tuple[Game[Any], Callable[[Position], bool]]] = {
    "void suits": (table("piramide", 3), out_of(plain_suits)),
    "void trumps": (table("piramide", 4), out_of(trump)),
    "several hands": (table("plain", 4), two_hands_differ),
    "anti-trumps": (table("antikoziris", 3), out_of(trump)),
    "beating suit": (table("plain", 3, {"trump_power": "anti"}), out_of(plain_suits)),
    "exhausted stock": (table("sixty_six", 3), out_of(lambda view: [0, 1, 2, 3])),
    "stock order": (table("sixty_six", 2), has(STOCK)),
    "piles": (table("atspek", 4), has(UNDER)),
    "piles and void suits": (table("atspek", 3), lambda view: out_of(plain_suits)(view) and has(UNDER, 0)(view)),
    "tucks": (table("velnio_tuzinas", 3), tucked),
    "doubtful cards": (table("velnio_tuzinas", 2), doubtful),
    "gone cards": (table("piramide", 3), gone_and_out),
    "out of play": (table("piramide", 2), has(OUT, 3)),
}


WRITTEN: dict[str, dict[str, object]] = {
    "beat in Schnapsen": {
        "game": "sixty_six",
        "rules": "schnapsen",
        "trump": "H",
        "hands": {"A": "SKJ CAK DA", "B": "?"},
        "stock": ["?", "?", "?", "HJ"],
        "closed_by": "A",
        "won": {"A": 2, "B": 1},
        "gone": "HAT CTQ DTK",
        "plays": ["SK", "SQ"],
    },
    "stock and tucks": {
        "game": "velnio_tuzinas",
        "hands": {"A": "H234", "B": "? ? ?"},
        "stock": ["D2", "?", "?", "?", "?", "SA"],
        "gone": "SKQJT98765432 HAKQJT98765 DAKQJT98765 CAKQJT987",
        "plays": ["H2", "tuck ?"],
    },
}


@cache
def layouts_of(kind: str) -> Layouts:
    if kind in WRITTEN:
        return Layouts(Position.from_dict(WRITTEN[kind]))
    game, suits = KINDS[kind]
    return Layouts(find_view(game, suits, most=100_000))


@pytest.fixture(params=[*KINDS, *WRITTEN])
def layouts(request: pytest.FixtureRequest) -> Layouts:
    return layouts_of(request.param)


def test_written_views() -> None:
    """B, who did not beat the king of spades, has neither ace nor ten: four of five other cards, and three in order."""
    assert layouts_of("beat in Schnapsen").count == 5 * 6
    assert layouts_of("stock and tucks").count == math.factorial(7) // math.factorial(3)


def test_draws_are_uniform(layouts: Layouts, record_property: Callable[[str, object], None]) -> None:
    p = uniformity(amounts_of(layouts, layouts.sample(EACH * layouts.count, seed=2026)))
    record_property("p", p)
    record_property("layouts", layouts.count)
    assert p > SIGNIFICANT


def test_seeds_are_as_good_as_numbers(layouts: Layouts) -> None:
    """The first layout under one seed after another is uniform as well."""
    drawn = np.concatenate([layouts.sample(1, seed=seed) for seed in range(min(EACH * layouts.count, 4000))])
    assert uniformity(amounts_of(layouts, drawn)) > SIGNIFICANT


def test_every_card_in_every_place() -> None:
    """Where there are too many layouts to be listed: 52 cards over eight hands and a stock, one card and one slot."""
    layouts = Layouts(Position.deal("velnio_tuzinas", 8, seed=4).observe("A"))
    drawn = layouts.sample(40_000, seed=1)
    for at, slot in enumerate(layouts.slots):
        if slot.single:
            amounts = np.bincount(drawn[:, at], minlength=64)[list(each(layouts.position.unseen))]
        else:
            amounts = np.array([(drawn[:, at] >> card & 1).sum() for card in each(layouts.position.unseen)])
        assert amounts.sum() == slot.size * 40_000
        assert uniformity(amounts) > SIGNIFICANT / 10  # 34 slots are looked at


def test_layouts_that_follow_each_other_are_independent() -> None:
    layouts = Layouts(find_view(table("piramide", 4), lambda view: 6 <= Layouts(view).count <= 12))
    drawn = layouts.sample(EACH * layouts.count**2 + 1, seed=5)
    index = {tuple(layout): at for at, layout in enumerate(next(layouts.enumerate()).tolist())}
    places = np.array([index[tuple(layout)] for layout in drawn.tolist()])
    pairs = places[:-1] * layouts.count + places[1:]
    assert uniformity(np.bincount(pairs, minlength=layouts.count**2)) > SIGNIFICANT


# ---- a sampler with a bias ----------------------------------------------------------------------------------------


def card_by_card(layouts: Layouts, random: Random) -> list[int]:
    """A layout drawn the way people do: each card to one of the places that are free for it; if stuck, start again."""
    while True:
        free = [slot.size for slot in layouts.slots]
        layout = [0] * len(free)
        for card in each(layouts.position.unseen):
            allowed = [at for at, slot in enumerate(layouts.slots) if not slot.barred >> card & 1]
            places = [at for at in allowed for _ in range(free[at])]
            if not places:
                break
            at = random.choice(places)
            free[at] -= 1
            layout[at] |= card if layouts.slots[at].single else single(card)
        if not any(free):
            return layout


@pytest.mark.parametrize("kind", ["void suits", "several hands", "beating suit"])
def test_a_biased_sampler_fails(kind: str) -> None:
    layouts = layouts_of(kind)
    random = Random(1)
    biased = np.array([card_by_card(layouts, random) for _ in range(EACH * layouts.count)])
    assert uniformity(amounts_of(layouts, biased)) < 1e-9


def test_a_small_bias_is_found(layouts: Layouts) -> None:
    """Every second layout is drawn half as often again."""
    amounts = amounts_of(layouts, layouts.sample(EACH * layouts.count, seed=3))
    amounts[::2] += amounts[::2] // 2
    assert uniformity(amounts) < SIGNIFICANT


def test_without_constraints_card_by_card_is_not_biased() -> None:
    """So it is the constraints that make the difference above, not the test."""
    view = find_view(table("piramide", 3), lambda view: sized(Layouts(view)) and not any(view.barred))
    layouts = Layouts(view)
    random = Random(2)
    drawn = np.array([card_by_card(layouts, random) for _ in range(EACH * layouts.count)])
    assert uniformity(amounts_of(layouts, drawn)) > SIGNIFICANT
    assert count(view.unseen) == sum(slot.size for slot in layouts.slots)
