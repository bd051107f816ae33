"""The command `kirtis`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from io import TextIOWrapper
from typing import Any, Final

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import Progress
from rich.progress_bar import ProgressBar

from . import cli_match, display, files
from .analysis import Analysis, analyse, suggest_bid, suggest_trump
from .cli_play import play_command
from .game import RuleError, find_game
from .notation import PositionError
from .plot import plot
from .position import Position
from .reference import TooLarge
from .review import Slip, review
from .search import OBJECTIVES, PARANOID, Limit, LimitMet
from .terminal import complain, given_rules, language_option, look_for, rules_option, standard_console

BAD_INPUT: Final = 1
"""The exit code when an input was bad; click's own 2 is for usage."""

PATIENCE: Final = 60.0
"""Seconds for an open position when nobody says how many: beyond that the answer is that the limit was met."""

EXAMPLES: Final = """
\b
Examples:
  kirtis deal piramide --players 4 --seed 7 > deal.json
  kirtis analyse deal.json
  kirtis analyse deals.jsonl --json
  kirtis deal sixty_six | kirtis analyse -
  kirtis games antikoziris
"""


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Solves positions of trick-taking games: the best play, bid or trump, and how much better than the rest.",
    epilog=EXAMPLES,
)
@click.version_option(version("kirtis"), prog_name="kirtis")
def kirtis() -> None:
    """The command and its subcommands."""


_HOW: Final = (
    click.argument("paths", nargs=-1, required=True, metavar="FILE..."),
    click.option("--json", "as_json", is_flag=True, help="One line of JSON for each position."),
    click.option(
        "--objective",
        type=click.Choice(OBJECTIVES),
        default=PARANOID,
        show_default=True,
        help="With three or more players each for himself: all others against one, or each for his own.",
    ),
    click.option(
        "--time",
        "seconds",
        type=click.FloatRange(min=0),
        help=f"Seconds for each position. Default: {PATIENCE} where all cards are open, else as samples need.",
    ),
    click.option(
        "--samples",
        type=click.IntRange(min=1),
        help="Layouts to solve where cards are unseen. Default: by game.",
    ),
    click.option(
        "--precision",
        type=click.FloatRange(min=0),
        help="Stop when the best is clear, or within so much of it.",
    ),
    click.option(
        "--plot",
        "plot_path",
        type=click.Path(dir_okay=False),
        help="Draw the results by move to a PNG or SVG file (the last position's, if there are several).",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Of the layouts."),
    click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Kernels at work."),
    language_option,
)
"""What every command that analyses positions takes, in the order of its help."""


def _how(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of `_HOW`."""
    for option in reversed(_HOW):
        command = option(command)
    return command


def _settings(arguments: dict[str, Any], position: Position) -> dict[str, Any]:
    """What the options say for a position, as `analyse` takes it."""
    seconds = PATIENCE if arguments["seconds"] is None and position.is_open else arguments["seconds"]
    limit = Limit(time=seconds, samples=arguments["samples"], precision=arguments["precision"])
    return {name: arguments[name] for name in ("objective", "seed", "threads")} | {"limit": limit}


def _advise(advice: Callable[..., Analysis], arguments: dict[str, Any]) -> None:
    """Answers every position of the files with an analysis."""
    console = standard_console()
    look = look_for(console, arguments["lang"])

    def drawn(analysis: Analysis) -> Analysis:
        if arguments["plot_path"]:
            plot(analysis, arguments["plot_path"])
        return analysis

    def as_json(position: Position) -> dict[str, object]:
        return drawn(advice(position, **_settings(arguments, position))).to_dict()

    def shown(position: Position) -> RenderableType:
        how = _settings(arguments, position)
        return display.answer(position, drawn(_watched(console, position, look, advice, how)), look)

    _answer_all(arguments, console, as_json, shown)


def _review(arguments: dict[str, Any]) -> None:
    """Answers every position of the files with a review of its plays."""
    console = standard_console()
    look = look_for(console, arguments["lang"])

    def found(position: Position, report: Callable[[int, int], None] | None = None) -> list[Slip]:
        return review(position, report=report, **_settings(arguments, position))

    def as_json(position: Position) -> dict[str, object]:
        return {"review": [vars(slip) for slip in found(position)]}

    def shown(position: Position) -> RenderableType:
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            task = progress.add_task(look.term("plays"))
            slips = found(position, lambda at, total: progress.update(task, completed=at, total=total))
        return display.review_table(slips, look)

    _answer_all(arguments, console, as_json, shown)


def _answer_all(
    arguments: dict[str, Any],
    console: Console,
    as_json: Callable[[Position], dict[str, object]],
    shown: Callable[[Position], RenderableType],
) -> None:
    """Answers every position of the files; bad ones are reported and make the exit code 1."""
    bad = False
    for record in (record for path in arguments["paths"] for record in files.read_all(path)):
        try:
            position = _position(record)
            if arguments["as_json"]:
                click.echo(json.dumps(as_json(position), ensure_ascii=False))
            else:
                console.print(shown(position.in_notation(arguments["lang"])), "")
        except (PositionError, RuleError, TooLarge, LimitMet) as error:
            bad = True
            _report(record, error, arguments["as_json"])
    sys.exit(BAD_INPUT if bad else 0)


def _watched(
    console: Console, position: Position, look: display.Look, advice: Callable[..., Analysis], how: dict[str, Any]
) -> Analysis:
    """An answer that can be watched as it gets better, where there is a terminal."""
    if not console.is_terminal:
        return advice(position, **how)
    wanted = how["limit"].samples or position.game.usual_samples
    with Live(console=console, transient=True) as live:
        return advice(position, report=lambda analysis: live.update(_so_far(position, analysis, wanted, look)), **how)


def _so_far(position: Position, analysis: Analysis, wanted: int, look: display.Look) -> RenderableType:
    """An answer on its way, and how far it has come."""
    total = min(wanted, analysis.layouts or wanted)
    bar = ProgressBar(total=total, completed=min(analysis.samples or 0, total), width=40)
    return Group(display.moves_table(position, analysis, look), bar)


# ---- analyse, bid, trump ------------------------------------------------------------------------------------------


@kirtis.command(
    "analyse",
    epilog="\b\nExamples:\n  kirtis analyse deal.json\n  kirtis analyse deals.jsonl --json\n"
    "  kirtis analyse seen.json --samples 2000 --threads 2\n  kirtis deal piramide | kirtis analyse - --lang lt",
)
@_how
@click.option("--review", "as_review", is_flag=True, help="List the plays of an open deal that lost something.")
def analyse_command(as_review: bool, **arguments: Any) -> None:
    """Solve positions: every legal move with its value, the best marked, the line that follows.

    Where cards are unseen, values are means over layouts of these cards, with standard errors.

    FILE is a position in JSON or TOML, or JSONL with one a line; - is standard input. Bad positions are reported and
    the others still answered; then the exit code is 1.
    """
    if as_review:
        _review(arguments)
    else:
        _advise(analyse, arguments)


@kirtis.command("bid", epilog="\b\nExamples:\n  kirtis bid hand.json --samples 500")
@_how
def bid_command(**arguments: Any) -> None:
    """Advise on a bid or an announcement: what each scores, and how likely it is to be made.

    The others are taken to bid as if they saw all cards.
    """
    _advise(suggest_bid, arguments)


@kirtis.command("trump", epilog="\b\nExamples:\n  kirtis trump hand.json --threads 2")
@_how
def trump_command(**arguments: Any) -> None:
    """Advise on naming trumps: what each suit is worth."""
    _advise(suggest_trump, arguments)


def _position(record: files.Record) -> Position:
    if isinstance(record.position, PositionError):
        raise record.position
    return record.position


def _report(record: files.Record, error: Exception, as_json: bool) -> None:
    """Complains about one position, and keeps its place among the answers."""
    if not isinstance(error, PositionError):
        error = PositionError(str(error), getattr(error, "key", ""), record.source, record.line)
    complain(str(error))
    if as_json:
        click.echo(json.dumps({"error": str(error)}, ensure_ascii=False))


# ---- deal, games --------------------------------------------------------------------------------------------------


@kirtis.command("deal", epilog="\b\nExamples:\n  kirtis deal piramide --players 4 --seed 7 > deal.json")
@click.argument("game")
@click.option("--players", type=int, help="Default: the fewest the game is played by.")
@click.option("--seed", type=int, help="The same seed deals the same cards. Default: a new deal each time.")
@rules_option
@language_option
def deal_command(game: str, players: int | None, seed: int | None, rules: str | None, lang: str) -> None:
    """Write a random deal as a position file, every card open."""
    try:
        position = Position.deal(game, players, rules=given_rules(rules), seed=seed)
    except (RuleError, PositionError) as error:
        raise click.UsageError(str(error)) from error
    click.echo(json.dumps(position.in_notation(lang).to_dict(), ensure_ascii=False, indent=2))


@kirtis.command("games", epilog="\b\nExamples:\n  kirtis games\n  kirtis games sixty_six")
@click.argument("game", required=False)
@language_option
def games_command(game: str | None, lang: str) -> None:
    """List the games, or show one game's rules and options."""
    console = standard_console()
    look = look_for(console, lang)
    if game is None:
        console.print(display.games_table(look))
        return
    try:
        found = find_game(game)
    except RuleError as error:
        raise click.UsageError(str(error)) from error
    console.print(display.game_page(found, sys.modules[found.__module__].__doc__ or "", look))


cli_match.register(kirtis)


kirtis.add_command(play_command)


def main() -> None:
    """The entry point: output that the terminal cannot show becomes ?, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    kirtis()
