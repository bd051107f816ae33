"""Measures what contracts bring with closed cards, and how auctions go on: the constants of `solver.experience`.

    python tools/measure_contracts.py antikoziris --deals 500
    python tools/measure_contracts.py piramide --deals 500

`expert` plays all seats. In the first table A bids or announces one of the best by open cards, the others pass, and
what he scores is compared with the mean that was expected of open cards: by how much it is more, and the line, a number
and a share of what was expected, that fits best. The second table, of Antikoziris, is of whole auctions in which one
seat, once, makes any call there is: how often a bid is outbid while both others may still bid, and how far ahead of the
others' mean a seat comes out that passes, before anybody has bid or after which bid.
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
CANDIDATES: Final = {"antikoziris": 4, "piramide": 3}
"""Of so many bids, the best by open cards, one is chosen."""

Figures = defaultdict[str, list[float]]
"""By what they are about, numbers whose mean is asked."""
Pairs = defaultdict[str, list[tuple[float, float]]]
"""By contract, what was expected and what it brought."""


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


def lone_contract(game: str, seed: int, found: Pairs) -> None:
    """Plays a deal in which A has one of its best contracts, and notes what was expected of it and what it brought."""
    position = Position.deal(game, SEATS[game], seed=seed)
    advice = suggest_bid(position.observe(0), limit=Limit(samples=LAYOUTS), seed=seed)
    bids = [move for move in advice.moves if position.read(move.move).kind == BID]
    chosen = Random(seed).choice(sorted(bids, key=_expected, reverse=True)[: CANDIDATES[game]])
    bid = position.read(chosen.move)
    position.play(bid)
    while Move(PASS) in position.game.moves(position.state):
        position.play(Move(PASS))
    scores = played_out(position, experts(position.players, seed))
    brought = lead(scores, 0) if chosen.declarer is not None else scores[0]
    found["no trumps" if bid.trump == NO_TRUMP else f"contract {bid.bid}"].append((_expected(chosen), brought))


def _expected(bid: MoveValue) -> float:
    """The declarer's lead where defenders score too, else his score."""
    assert not isinstance(bid.value, tuple)
    return bid.value if bid.declarer is None or bid.defenders is None else bid.declarer - bid.defenders


def auction(game: str, seed: int, found: Figures) -> None:
    """Plays a deal in which one call is any that there is, and notes whether it was outbid, or what passing came to."""
    random = Random(seed)
    position = Position.deal(game, SEATS[game], seed=seed)
    seated = experts(position.players, seed)
    strange = random.randrange(SEATS[game])
    calls: list[int | None] = []
    speaker = position.actor
    while position.game.moves(position.state)[0].kind in (BID, PASS):
        assert position.actor is not None
        if len(calls) == strange:
            speaker = position.actor
            move = random.choice(position.game.moves(position.state))
        else:
            move = position.read(seated[position.actor].choose(position.observe(position.actor)))
        calls.append(move.bid)
        position.play(move)
    if strange >= len(calls):
        return
    assert speaker is not None
    call, before, after = calls[strange], calls[:strange], calls[strange + 1 :]
    scores = played_out(position, seated)
    if call is not None and None not in before:
        found[f"{call} outbid"].append(float(any(bid is not None for bid in after)))
    elif call is None:
        last = next((bid for bid in reversed(before) if bid is not None), None)
        name = f"passed, {2 - strange} to speak" if last is None else f"passed after {last}"
        found[name].append(lead(scores, speaker))


def table_of(title: str, found: Figures) -> Table:
    """Means with their standard errors."""
    table = Table(title, "mean", "standard error", "deals")
    for name, numbers in sorted(found.items()):
        mean, error = mean_and_error(np.array(numbers), np.ones(len(numbers)))
        table.add_row(name, f"{mean:+.2f}", f"{error:.2f}", str(len(numbers)))
    return table


def table_of_lines(found: Pairs) -> Table:
    """By how much contracts brought more than was expected, and the lines that fit best."""
    table = Table("brought, beyond expectation", "mean", "standard error", "deals", "number", "share")
    for name, pairs in sorted(found.items()):
        expected, brought = np.array(pairs).T
        mean, error = mean_and_error(brought - expected, np.ones(len(pairs)))
        share, number = np.polyfit(expected, brought, 1) if len(pairs) > 2 else (np.nan, np.nan)
        table.add_row(name, f"{mean:+.2f}", f"{error:.2f}", str(len(pairs)), f"{number:+.2f}", f"{share:.2f}")
    return table


@click.command(help="Measure what contracts bring with closed cards.")
@click.argument("game", type=click.Choice(list(SEATS)))
@click.option("--deals", default=500, show_default=True, help="Deals of each kind.")
@click.option("--seed", default=1, show_default=True, help="Of the first deal.")
def main(game: str, deals: int, seed: int) -> None:
    """The command."""
    numbers = range(seed, seed + deals)
    progress = Console(stderr=True)
    contracts: Pairs = defaultdict(list)
    for number in track(numbers, "contracts", console=progress):
        lone_contract(game, number, contracts)
    Console().print(table_of_lines(contracts))
    if game == "antikoziris":
        calls: Figures = defaultdict(list)
        for number in track(numbers, "auctions", console=progress):
            auction(game, number, calls)
        Console().print(table_of("auctions", calls))


if __name__ == "__main__":
    main()
