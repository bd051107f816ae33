"""Measures what contracts bring with closed cards, and how auctions go on: the constants of `solver.experience`.

    python tools/measure_contracts.py antikoziris --deals 500
    python tools/measure_contracts.py piramide --deals 500

`expert` plays all seats. In the first table A bids or announces one of the three best by open cards, the others pass,
and what he scores is compared with the mean that was expected of open cards. The second one, of Antikoziris, is of
whole auctions: how often a bid is outbid while both others may still bid, and how far ahead of the others' mean a seat
comes out that passes before anybody has bid.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import Final

import click
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from solver import players
from solver.analysis import MoveValue, suggest_bid
from solver.cards import NO_TRUMP
from solver.estimate import mean_and_error
from solver.game import BID, PASS, Move
from solver.position import Position
from solver.search import Limit

SAMPLES: Final = 12
"""Layouts for a move of the play."""
LAYOUTS: Final = 40
"""Layouts for what is expected of a contract."""
SEATS: Final = {"antikoziris": 3, "piramide": 2}
CANDIDATES: Final = 3

Figures = defaultdict[str, list[float]]
"""By what they are about, numbers whose mean is asked."""


def lead(scores: tuple[int, ...], seat: int) -> float:
    """How far a seat comes out ahead of the others' mean."""
    others = scores[:seat] + scores[seat + 1 :]
    return scores[seat] - sum(others) / len(others)


def experts(seats: int, seed: int) -> list[players.Player]:
    """A player for each seat."""
    return [players.create("expert", seed=seed + seat, samples=SAMPLES) for seat in range(seats)]


def played_out(position: Position, seated: list[players.Player]) -> tuple[int, ...]:
    """The deal's score by seat."""
    while position.actor is not None:
        position.play(seated[position.actor].choose(position.observe(position.actor)))
    return tuple(position.game.score(position.state))


def lone_contract(game: str, seed: int, found: Figures) -> None:
    """Plays a deal in which A has one of its best contracts, and notes how much more it brought than was expected."""
    position = Position.deal(game, SEATS[game], seed=seed)
    advice = suggest_bid(position.observe(0), limit=Limit(samples=LAYOUTS), seed=seed)
    bids = [move for move in advice.moves if position.read(move.move).kind == BID]
    chosen = Random(seed).choice(sorted(bids, key=_expected, reverse=True)[:CANDIDATES])
    bid = position.read(chosen.move)
    position.play(bid)
    while Move(PASS) in position.game.moves(position.state):
        position.play(Move(PASS))
    scores = played_out(position, experts(position.players, seed))
    brought = lead(scores, 0) if chosen.declarer is not None else scores[0]
    found["no trumps" if bid.trump == NO_TRUMP else f"contract {bid.bid}"].append(brought - _expected(chosen))


def _expected(bid: MoveValue) -> float:
    """The declarer's lead where defenders score too, else his score."""
    assert not isinstance(bid.value, tuple)
    return bid.value if bid.declarer is None or bid.defenders is None else bid.declarer - bid.defenders


def auction(game: str, seed: int, found: Figures) -> None:
    """Plays a deal with its auction, and notes which bids were outbid, and what passing first of all came to."""
    position = Position.deal(game, SEATS[game], seed=seed)
    seated = experts(position.players, seed)
    bids: list[int | None] = []
    speakers: list[int] = []
    while position.game.moves(position.state)[0].kind in (BID, PASS):
        assert position.actor is not None
        speakers.append(position.actor)
        move = position.read(seated[position.actor].choose(position.observe(position.actor)))
        bids.append(move.bid)
        position.play(move)
    scores = played_out(position, seated)
    for at, bid in enumerate(bids):
        first_to_bid = not any(before is not None for before in bids[:at])
        if bid is not None and bids[:at].count(None) == 0:
            found[f"{bid} outbid"].append(float(any(after is not None for after in bids[at + 1 :])))
        elif bid is None and first_to_bid and at < 2:
            found[f"passed, {2 - at} to speak"].append(lead(scores, speakers[at]))


def table_of(title: str, found: Figures) -> Table:
    """Means with their standard errors."""
    table = Table(title, "mean", "standard error", "deals")
    for name, numbers in sorted(found.items()):
        mean, error = mean_and_error(np.array(numbers), np.ones(len(numbers)))
        table.add_row(name, f"{mean:+.2f}", f"{error:.2f}", str(len(numbers)))
    return table


@click.command(help="Measure what contracts bring with closed cards.")
@click.argument("game", type=click.Choice(list(SEATS)))
@click.option("--deals", default=500, show_default=True, help="Deals of each kind.")
@click.option("--seed", default=1, show_default=True, help="Of the first deal.")
def main(game: str, deals: int, seed: int) -> None:
    """The command."""
    kinds = {"brought, beyond expectation": lone_contract}
    if game == "antikoziris":
        kinds["auctions"] = auction
    for title, note in kinds.items():
        found: Figures = defaultdict(list)
        for number in track(range(seed, seed + deals), title, console=Console(stderr=True)):
            note(game, number, found)
        Console().print(table_of(title, found))


if __name__ == "__main__":
    main()
