"""The commands `kirtis match` and `kirtis tournament`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from . import match as matches
from . import tournament as tournaments
from .game import SEATS, say
from .language import sentence
from .players import LEVELS
from .terminal import given_rules, language_option, look_for, rules_option, standard_console

BUDGETS: Final = (
    f"Players are levels, {', '.join(LEVELS)}, with a budget for a move if you like: expert:samples=20,"
    " club:seconds=0.2."
)
_REACH: Final = "± 95 %"


def register(group: click.Group) -> None:
    """Adds the commands to a group."""
    group.add_command(match_command)
    group.add_command(tournament_command)


def _asked(work: Callable[[], Any]) -> Any:
    """Turns what is wrong with the arguments into an error of usage."""
    try:
        return work()
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from error


# ---- match --------------------------------------------------------------------------------------------------------


@click.command(
    "match",
    epilog="\b\nExamples:\n  kirtis match sixty_six expert club --seed 7\n"
    "  kirtis match piramide expert novice novice --record match.jsonl\n"
    "  kirtis match 66 master expert --rules schnapsen --json",
    help=f"Play a whole match between players of given levels, one for each seat.\n\n{BUDGETS}",
)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@rules_option
@click.option("--seed", help="Deals the same cards again. Default: random.")
@click.option("--deals", type=click.IntRange(min=1), help="Stop after so many deals more than the record has.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the record in this file, and go on with the match that is in it.",
)
@click.option("--json", "as_json", is_flag=True, help="The record, as JSON lines.")
@language_option
def match_command(
    *,
    game: str,
    players: tuple[str, ...],
    rules: str | None,
    seed: str | None,
    deals: int | None,
    record: Path | None,
    as_json: bool,
    lang: str,
) -> None:
    """See the help above."""
    match = _asked(lambda: _match(game, players, rules, seed, record))
    seated = _asked(match.create_players)
    if not as_json:
        click.echo(f"{match.game.title}: {_named(match)}")

    def dealt(deal: matches.Deal) -> None:
        if record is not None:
            match.save(record)
        if not as_json:
            click.echo(_deal_line(match, deal, lang))

    if not as_json:
        for deal in match.deals:
            click.echo(_deal_line(match, deal, lang))
    match.play(seated, deals=deals, report=dealt)
    if record is not None:
        match.save(record)
    click.echo("\n".join(match.lines()) if as_json else _result(match, lang))


def _match(
    game: str, players: tuple[str, ...], rules: str | None, seed: str | None, record: Path | None
) -> matches.Match:
    """The match to be played: a new one, or the one in the record if it is the same."""
    match = matches.new(game, players, rules=given_rules(rules), seed=seed)
    if record is None or not record.exists():
        return match
    found = matches.Match.load(record)
    if (found.game, found.names) != (match.game, match.names) or seed not in (None, found.seed):
        raise ValueError(f"{record} is the record of another match: {found.game.title}, {_named(found)}")
    return found


def _named(match: matches.Match) -> str:
    return ", ".join(f"{number + 1} {name}" for number, name in enumerate(match.names))


def _deal_line(match: matches.Match, deal: matches.Deal, lang: str) -> str:
    """A finished deal: who sat in A, what everybody scored in it by player, and the scores after it."""
    brought = match.game.by_player(deal.score or (), deal.first)
    line = say(
        "deal {deal:3}  {seat}: player {first}  scores {scores}  match {total}",
        deal=deal.number + 1,
        seat=SEATS[0],
        first=deal.first + 1,
        scores=" ".join(f"{score:5}" for score in brought),
        total=" ".join(f"{score:5}" for score in deal.scores or ()),
    )
    return sentence(line, lang)


def _result(match: matches.Match, lang: str) -> str:
    facts = {"deals": match.number, "seed": match.seed}
    if not match.over:
        return sentence(say("to be continued after {deals} deals; seed {seed}", **facts), lang)
    if not match.winners:
        return sentence(say("nobody has won after {deals} deals; seed {seed}", **facts), lang)
    winners = ", ".join(
        sentence(say("player {number} ({name})", number=winner + 1, name=match.names[winner]), lang)
        for winner in match.winners
    )
    return sentence(say("won by {winners} after {deals} deals; seed {seed}", winners=winners, **facts), lang)


# ---- tournament ---------------------------------------------------------------------------------------------------


@click.command(
    "tournament",
    epilog="\b\nExamples:\n  kirtis tournament atspek novice club expert --deals 50 --workers 2\n"
    "  kirtis tournament antikoziris expert club --journal night.jsonl --json",
    help="Play a round robin on duplicate deals: every pair of players gets the same cards from every seat.\n\n"
    f"{BUDGETS}\n\nWith a journal, a tournament that was stopped goes on where it was; it may then have more deals.",
)
@click.argument("game")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--deals", type=click.IntRange(min=1), help="Deals for each pair. Default: 100.")
@click.option("--matches", "whole", type=click.IntRange(min=1), help="Whole matches for each pair, instead of deals.")
@click.option("--seats", type=int, help="Players at a table. Default: the fewest the game is played by.")
@rules_option
@click.option("--seed", default="0", show_default=True, help="Of the deals.")
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="Remembers what has been played.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes at work.")
@click.option("--json", "as_json", is_flag=True, help="The result as one line of JSON.")
@language_option
def tournament_command(
    *,
    game: str,
    players: tuple[str, ...],
    deals: int | None,
    whole: int | None,
    seats: int | None,
    rules: str | None,
    seed: str,
    journal: Path | None,
    workers: int,
    as_json: bool,
    lang: str,
) -> None:
    """See the help above."""
    if deals and whole:
        raise click.UsageError("--deals and --matches exclude each other")
    unit, size = (tournaments.MATCHES, whole) if whole else (tournaments.DEALS, deals or 100)
    setup = _asked(
        lambda: tournaments.plan(game, players, seats=seats, rules=given_rules(rules), unit=unit, size=size, seed=seed)
    )
    console = Console(stderr=True)
    columns = (TextColumn(setup.game), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(setup.game)

        def report(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        table = _run(setup, journal, workers, report)
    if as_json:
        click.echo(json.dumps(table.to_dict(), ensure_ascii=False))
    else:
        _show(table, lang)


def _run(
    setup: tournaments.Plan, journal: Path | None, workers: int, report: Callable[[int, int], None]
) -> tournaments.Table:
    try:
        return tournaments.run(setup, journal=journal, workers=workers, report=report)
    except (tournaments.JournalError, OSError) as error:
        raise click.ClickException(str(error)) from error


def _show(table: tournaments.Table, lang: str) -> None:
    """The standings, then every pair."""
    console = standard_console()
    look = look_for(console, lang)
    means = (look.term("lead"), _REACH, look.term("share"), _REACH)
    unit = look.term(table.plan.unit)
    standings = Grid(look.term("player"), look.term("rating"), unit, *means, box=None)
    meetings = Grid(look.term("player"), look.term("against"), unit, *means, box=None)
    for row in table.standings:
        standings.add_row(row.player, f"{row.rating:.0f}", str(row.deals), *_cells(row.lead, 2), *_cells(row.share, 3))
    for pair in table.meetings:
        meetings.add_row(pair.first, pair.second, str(pair.deals), *_cells(pair.lead, 2), *_cells(pair.share, 3))
    console.print(standings)
    console.print()
    console.print(meetings)


def _cells(mean: tournaments.Mean, digits: int) -> tuple[str, str]:
    return f"{mean.mean:.{digits}f}", f"{mean.high - mean.mean:.{digits}f}"
