"""What contracts were seen to bring with closed cards, how auctions were seen to go on, and what plays were made.

The numbers are of games in which `expert` plays all seats; `tools/measure_contracts.py` measures those of contracts
and auctions again. Errors in brackets are standard errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .cards import NO_TRUMP
from .game import Contract, Game

_NO_TRUMPS: Final = -1.26
_FEW_TRICKS: Final = {0: -0.37, 1: -0.25, 2: -0.51, 3: -0.42}
"""In Piramidė, how much more a contract brings without trumps than with open cards, and by bid with them: losing tricks
is harder with closed cards. As 1,500 deals had it, errors 0.2 without trumps, 0.3 for bid 0, 0.1 for the others; from
bid 4 on nothing."""


@dataclass(frozen=True)
class Auctions:
    """How auctions of Antikoziris go on and what they lead to, as leads: the own score less the others' mean.

    outbid: how often a bid is outbid when both others may. first: what passing comes to before anybody has bid, by how
    many are still to speak; 2 stands for being outbid too. after: what passing comes to by the last bid of somebody
    else; where there is no number, what open cards say. brings: by bid a number and a share; what a contract brings
    its declarer is the number and this share of what it would with open cards.
    """

    outbid: Mapping[int, float]
    first: Mapping[int, float]
    after: Mapping[int, float] = field(default_factory=dict)
    brings: Mapping[int, tuple[float, float]] = field(default_factory=dict)


ASSUMED: Final = Auctions({4: 0.9, 3: 0.75, 2: 0.08, 1: 0.03, 8: 0.01}, {2: -12.0, 1: -10.0})
"""What `expert` goes by: contracts as open cards have them."""

SEEN: Final = Auctions(
    outbid={4: 0.97, 3: 0.85, 2: 0.3, 1: 0.05, 8: 0.01},
    first={2: -12.0, 1: -9.0},
    after={4: -5.0, 3: -6.0, 2: -10.5, 1: -14.0},
    brings={3: (2.3, 0.91), 2: (5.5, 0.88), 1: (8.5, 0.83)},
)
"""What was seen in 700 deals, in the auctions of `expert` and with every other call at every turn of them. Errors are
0.02 for how often bids are outbid, 1 for what passing comes to; 0.5 and 0.02 for the lines of contracts 3 and 2, 1.3
and 0.05 for that of 1. Assumed are passing after 4 and outbidding 8, which are rare. A bidder knows his hand, so
passing comes to less than open cards say, which let him fail half the time."""

FAILING: Final = 0.35
"""In Antikoziris, how likely, compared with others, layouts are in which a bidder would fail with all cards open."""

_FITS: Final = ((10, 1.0), (8, 0.6), (6, 0.25))
"""In Piramidė, how likely layouts are compared with those that fit the announcement, by the least score in them."""
_MISFIT: Final = 0.1
"""The same for lower scores."""


def auctions(game: Game[Any], *, seen: bool) -> Auctions:
    """What to expect of auctions; what was seen holds for the usual points."""
    known = seen and game.name == "antikoziris" and game.rules.score_table == type(game.rules)().score_table
    return SEEN if known else ASSUMED


def with_closed_cards(game: Game[Any], contract: Contract | None, worths: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a contract brings its declarer with closed cards, from what it would with open ones, in points."""
    if contract is None or contract.bid is None:
        return worths
    if game.name == "piramide":
        return worths + (_NO_TRUMPS if contract.trump == NO_TRUMP else _FEW_TRICKS.get(contract.bid, 0.0))
    number, share = auctions(game, seen=True).brings.get(contract.bid, (0.0, 1.0))
    return number + share * worths


def likelihood(game: Game[Any], start: Any, contract: Contract, value: int) -> float:
    """How likely a declaration is, compared with others, where the play from `start` on is worth that value."""
    assert contract.bid is not None
    if game.name == "antikoziris":
        return 1.0 if game.succeeds(start, contract.declarer, value) else FAILING
    if game.name == "piramide":
        return next((likely for least, likely in _FITS if value >= least), _MISFIT)
    return 1.0


_SPOILS: Final = 1.2
_LESS: Final = 1.0
_FIRST: Final = 0.9
_ANYTHING: Final = 0.1
"""How plays are chosen: the log odds of one fall by so much where it loses something with open cards, and by so much
from what looks best by the rules of thumb to what looks worst; what looks best has so much more. One play in ten is
anything. About what the plays of 250 deals each of Antikoziris and Piramidė say."""


def chances(losses: NDArray[np.float64], merits: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How likely each play is in each of n layouts, float64[n, plays].

    losses: how much worse than the best it is with open cards. merits: by the rules of thumb. legal: is it one?
    """
    better = (legal[:, None, :] & (merits[:, None, :] > merits[:, :, None])).sum(axis=2)
    rank = better / np.maximum(1, legal.sum(axis=1, keepdims=True) - 1)
    odds = np.where(legal, np.exp(_FIRST * (better == 0) - _SPOILS * (losses > 0) - _LESS * rank), 0.0)
    return np.asarray(_ANYTHING + (1 - _ANYTHING) * odds / odds.sum(axis=1, keepdims=True))
