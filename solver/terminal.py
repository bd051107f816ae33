"""What the commands share: the console, the language option, how rules are given."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console

from .display import Look
from .language import LANGUAGES
from .notation import read_json

language_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=LANGUAGES[0],
    envvar="KIRTIS_LANG",
    show_default=True,
    help="Language of game terms and card letters.",
)

rules_option = click.option(
    "--rules", help='A preset such as schnapsen, or options as JSON: \'{"score_table": "linear"}\'.'
)


def standard_console() -> Console:
    """The console on standard output, in colour where it has it."""
    return Console(soft_wrap=False, highlight=False)


def look_for(console: Console, lang: str) -> Look:
    """How things are written on a console: with suit symbols if it can show them."""
    return Look(lang, symbols=console.encoding.lower().startswith("utf"))


def complain(message: str) -> None:
    """Writes a sentence about what went wrong to standard error."""
    click.echo(f"kirtis: {message}", err=True)


def given_rules(text: str | None) -> Any:
    """What `--rules` says, as a position file has it. Raises PositionError for broken JSON."""
    if text is None:
        return {}
    return read_json(text) if text.lstrip().startswith("{") else text
