"""What contracts were seen to bring with closed cards, and how auctions were seen to go on.

The numbers are of games in which `expert` plays all seats. `tools/measure_contracts.py` measures most of them again;
what it found last stands beside them, with standard errors. The players were measured with the numbers as they are.
"""

from __future__ import annotations

from typing import Any, Final

from .cards import NO_TRUMP
from .game import Contract, Game

_DEFENDED: Final = {2: 5.5, 1: 8.0}
"""In Antikoziris, by bid, how far a declarer comes out ahead of what he would with open cards, where the defenders
find every play that makes him take one trick more; with other bids nothing. 600 deals, by bids 4, 3, 2, 1: 0.3 (0.2),
1.5 (0.7), 5.5 (1.8), -3 (7)."""

_NO_TRUMPS: Final = -1.26
_FEW_TRICKS: Final = {0: -0.37, 1: -0.25, 2: -0.51, 3: -0.42}
"""In Piramidė the same without trumps, and by bid with them: losing tricks is harder with closed cards. As 1,500 deals
had it, errors 0.2 without trumps, 0.3 for bid 0, 0.1 for the others; from bid 4 on nothing."""

PASSED_ON: Final = {2: -12.0, 1: -10.0}
"""In Antikoziris, how far a seat that passes before anybody has bid comes out ahead, by how many are still to speak.
An assumption: among experts somebody bids at once."""

OUTBID: Final = {4: 0.9, 3: 0.75, 2: 0.08, 1: 0.03, 8: 0.01}
"""In Antikoziris, how often a bid is outbid when both others may. 600 deals, by bids 4, 3, 2, 1: 1.00 (51 bids), 0.97
(0.01), 0.19 (0.02), 0.01 (0.01)."""

FAILING: Final = 0.35
"""In Antikoziris, how likely, compared with others, layouts are in which a bidder would fail with all cards open."""

_FITS: Final = ((10, 1.0), (8, 0.6), (6, 0.25))
"""In Piramidė, how likely layouts are compared with those that fit the announcement, by the least score in them."""
_MISFIT: Final = 0.1
"""The same for lower scores."""


def beyond_open_cards(game: Game[Any], contract: Contract | None, seat: int) -> float:
    """How much more a contract brings a seat with closed cards than with open ones, in points."""
    if contract is None or contract.bid is None:
        return 0.0
    if game.name == "piramide":
        return _NO_TRUMPS if contract.trump == NO_TRUMP else _FEW_TRICKS.get(contract.bid, 0.0)
    more = _DEFENDED.get(contract.bid, 0.0)
    return more if contract.declarer == seat else -more / 2


def likelihood(game: Game[Any], start: Any, contract: Contract, value: int) -> float:
    """How likely a declaration is, compared with others, where the play from `start` on is worth that value."""
    assert contract.bid is not None
    if game.name == "antikoziris":
        return 1.0 if game.succeeds(start, contract.declarer, value) else FAILING
    if game.name == "piramide":
        return next((likely for least, likely in _FITS if value >= least), _MISFIT)
    return 1.0
