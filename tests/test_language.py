"""Every phrase that the games and the commands say has a translation that names the same things."""

from __future__ import annotations

import ast
import string
from pathlib import Path
from types import ModuleType

import pytest

import solver.games
from solver import cli_match, cli_play, tournament
from solver.game import say
from solver.language import sentence, term


def templates() -> list[str]:
    """The sentences of the games' files: texts with named fields that are not error messages."""
    found = []
    for path in sorted(Path(solver.games.__path__[0]).glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.FunctionDef) and call.name == "worth":
                texts = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
                found += [text for text in texts if isinstance(text, str) and "{" in text]
    return found


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("template", templates())
def test_phrases_are_translated(template: str) -> None:
    translation = term(template, "lt")
    assert translation != template
    assert fields(translation) <= fields(template)
    assert fields(translation) | {"total"} >= fields(template)


def test_there_are_phrases() -> None:
    assert len(templates()) > 10


def said(module: ModuleType) -> list[str]:
    """The texts that a module passes to `say` and `term`, by whatever object."""
    assert module.__file__
    return [
        call.args[0].value
        for call in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[-1] in ("say", "term")
        if isinstance(call.args[0], ast.Constant)
    ]


@pytest.mark.parametrize("text", [*said(cli_match), *said(cli_play), *cli_play.COMMANDS.values(), *tournament.UNITS])
def test_what_the_commands_say_is_translated(text: str) -> None:
    translation = term(text, "lt")
    assert translation != text
    assert fields(translation) == fields(text)


def test_the_commands_say_something() -> None:
    assert len(said(cli_match)) > 8
    assert len(said(cli_play)) > 8


def test_a_phrase_in_both_languages() -> None:
    phrase = say("{seat} to move", seat="B")
    assert sentence(phrase, "en") == "B to move"
    assert sentence(phrase, "lt") == "eina B"
