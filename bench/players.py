"""How strong the players are: duplicate matches of each level against the one below, in every game.

    python -m bench.players --deals 100 --journals DIR        # go on with, or begin
    python -m bench.players --deals 100 --journals DIR --write docs/players.md

Budgets are numbers of layouts, so that the moves are the same on every machine. Journals let it be stopped at any
time; what they hold is what the table shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

import click

from solver.tournament import DEALS, MATCHES, Journal, Mean, Plan, Table, count, plan, run

from .document import put

GAMES: Final = {"atspek": 2, "antikoziris": 3, "piramide": 2, "sixty_six": 2, "velnio_tuzinas": 2}
"""The number of players by game."""
BUDGETS: Final = {"club": 4, "expert": 20, "master": 20}
"""Layouts for a move, by level."""
MORE: Final = {
    "sixty_six": {**BUDGETS, "master": 100},
    "velnio_tuzinas": {"club": 40, "expert": 2000, "master": 2000},
}
"""The same in games that need more, or in which a level takes more."""
LADDER: Final = (("novice", "random"), ("club", "novice"), ("expert", "club"), ("master", "expert"))


def named(level: str, game: str) -> str:
    """A level with its budget."""
    budget = MORE.get(game, BUDGETS).get(level)
    return level if budget is None else f"{level}:samples={budget}"


def plans(games: tuple[str, ...], pairs: tuple[str, ...], deals: int, whole: int) -> Iterator[Plan]:
    """What is to be measured."""
    for (unit, size), game, (better, worse) in product(((DEALS, deals), (MATCHES, whole)), games, LADDER):
        if size and (not pairs or f"{better}-{worse}" in pairs):
            yield plan(
                game, [named(better, game), named(worse, game)], seats=GAMES[game], unit=unit, size=size, seed="bench"
            )


def journal_of(folder: Path, setup: Plan) -> Path:
    """Where a measurement's results are kept."""
    names = "-".join(player.replace(":samples=", "") for player in setup.players)
    return folder / f"{setup.game}-{names}-{setup.unit}.jsonl"


def known(folder: Path, setup: Plan) -> Table:
    """The table of what has been measured."""
    path = journal_of(folder, setup)
    if not path.exists():
        return count(setup, [])
    book = Journal(path, setup)
    book.close()
    return count(setup, book.results.values())


def _shown(mean: Mean, digits: int) -> str:
    return f"{mean.mean:+.{digits}f} [{mean.low:+.{digits}f}, {mean.high:+.{digits}f}]"


def rows(tables: list[Table]) -> Iterator[str]:
    """The lines of a table in Markdown."""
    yield "| game | players | pair | unit | n | lead [95 %] | share [95 %] |"
    yield "|---|---|---|---|---|---|---|"
    for table in tables:
        met = table.meetings[0]
        if met.deals > 1:
            setup = table.plan
            share = f"{met.share.mean:.1%} [{met.share.low:.1%}, {met.share.high:.1%}]"
            yield (
                f"| {setup.game} | {setup.seats} | {met.first} – {met.second} | {setup.unit} | {met.deals}"
                f" | {_shown(met.lead, 2)} | {share} |"
            )


@click.command(help=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
@click.option("--deals", default=20, show_default=True, help="Duplicate deals for each pair; 0 for none.")
@click.option("--matches", "whole", default=0, show_default=True, help="Duplicate matches for each pair.")
@click.option("--game", "games", multiple=True, type=click.Choice(list(GAMES)), help="Default: all.")
@click.option("--pair", "pairs", multiple=True, help="Such as expert-club. Default: all.")
@click.option("--workers", default=1, show_default=True, help="Processes at work.")
@click.option("--journals", type=click.Path(path_type=Path), default=Path("bench/journals"), show_default=True)
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Put the table into this document.")
def main(
    *,
    deals: int,
    whole: int,
    games: tuple[str, ...],
    pairs: tuple[str, ...],
    workers: int,
    journals: Path,
    write: Path | None,
) -> None:
    """See `help`."""
    journals.mkdir(parents=True, exist_ok=True)
    wanted = list(plans(games or tuple(GAMES), pairs, deals, whole))
    for setup in wanted:
        if write is None:
            run(setup, journal=journal_of(journals, setup), workers=workers)
            click.echo("\n".join(list(rows([known(journals, setup)]))[2:]))
    if write is not None:
        put(write, "measured", "\n".join(rows([known(journals, setup) for setup in wanted])))


if __name__ == "__main__":
    main()
