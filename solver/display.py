"""How positions and answers look on a terminal: rich text and tables, suits in colour, terms in the user's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .analysis import Analysis, MoveValue, Value
from .cards import SUITS, SYMBOLS
from .game import SEATS, Game, options, registry
from .language import sentence, term
from .position import Position, diagram_facts
from .review import Slip

_STYLES: Final = ("bold", "bold red", "bold blue", "bold green")
"""Of spades, hearts, diamonds and clubs: the four-colour deck of bridge diagrams."""
_CARDS: Final = re.compile(r"\b([SHDC])(?=(?:10|[AKQJTVD2-9])+\b)")
_BEST: Final = "▶"


class Look:
    """How things are written for one console.

    language: "en" or "lt". symbols: may suits be ♠ ♥ ♦ ♣, or must they stay letters?
    """

    def __init__(self, language: str = "en", symbols: bool = True) -> None:
        self.language = language
        self.symbols = symbols

    def term(self, text: str) -> str:
        """A term in the user's language."""
        return term(text, self.language)

    def cards(self, text: str) -> Text:
        """Text in which suit letters before ranks become symbols, in the suit's colour."""
        result = Text()
        end = 0
        for found in _CARDS.finditer(text):
            suit = SUITS.index(found[1])
            result.append(text[end : found.start()])
            result.append(SYMBOLS[suit] if self.symbols else found[1], _STYLES[suit])
            end = found.end()
        return result.append(text[end:])

    def move(self, text: str) -> Text:
        """A move, its kind in the user's language."""
        kind, _, rest = text.partition(" ")
        translated = self.term(kind)
        if kind in ("bid", "trump") and rest and rest[-1] in SUITS:
            *numbers, suit = rest.split()
            return Text(" ".join([translated, *numbers, ""])).append_text(self.suit(suit))
        return self.cards(" ".join([translated, rest]) if rest else translated)

    def suit(self, letter: str) -> Text:
        """A suit letter as a coloured symbol; anything else as it is."""
        if letter not in SUITS:
            return Text(letter)
        suit = SUITS.index(letter)
        return Text(SYMBOLS[suit] if self.symbols else letter, _STYLES[suit])


# ---- a position ---------------------------------------------------------------------------------------------------


def table_of(position: Position, look: Look) -> RenderableType:
    """The table: one row a seat with its cards and scores, and the facts that concern all."""
    facts, by_seat = diagram_facts(position)
    rows = Table(box=None, pad_edge=False, show_header=True, header_style="dim")
    rows.add_column("")
    for key in by_seat:
        rows.add_column(look.term(key))
    for seat in SEATS[: position.players]:
        mover = position.actor is not None and SEATS[position.actor] == seat
        rows.add_row(
            Text(seat, "bold" if mover else ""),
            *(look.cards(str(entries.get(seat, ""))) for entries in by_seat.values()),
        )
    lines = [_fact(name, text, look) for name, text in facts.items()]
    return Group(*lines, rows) if lines else rows


def _fact(name: str, text: str, look: Look) -> Text:
    written = Text(f"{look.term(name)} ", "dim")
    if name not in ("trump", "contract"):
        return written.append_text(look.cards(text))
    *rest, suit = text.split()
    return written.append(" ".join([*rest, ""])).append_text(look.suit(suit))


# ---- an analysis --------------------------------------------------------------------------------------------------


def answer(position: Position, analysis: Analysis, look: Look) -> RenderableType:
    """A position and its analysis: the table, every move with its value, and the line that follows."""
    parts: list[RenderableType] = [_title(position, analysis, look), Padding(table_of(position, look), (0, 2))]
    if analysis.moves:
        parts.append(moves_table(position, analysis, look))
    elif analysis.words is not None:
        parts.append(Text(sentence(analysis.words, look.language), "bold"))
    if analysis.best_overall:
        best = Text(f"{look.term('best for the whole pyramid')} ", "dim")
        parts.append(best.append_text(Text(", ").join(look.move(move) for move in analysis.best_overall)))
    if analysis.line:
        parts.append(_line(position, analysis, look))
    parts.append(_proof(analysis, look))
    return Group(*parts)


def _title(position: Position, analysis: Analysis, look: Look) -> Text:
    title = Text(position.game.title, "bold")
    if analysis.to_move is None:
        return title.append(f", {look.term('the deal is over')}")
    speaks = position.game.declaring_phase(position.state)
    action = look.term("{seat} to speak" if speaks else "{seat} to move").format(seat=analysis.to_move)
    return title.append(f", {action}")


def moves_table(position: Position, analysis: Analysis, look: Look) -> Table:
    """Every move, best first: its value in words, or where cards are unseen its error, its wins and a bar."""
    table = Table(header_style="dim")
    table.add_column("", width=1)
    table.add_column(look.term("move"), no_wrap=True)
    table.add_column(look.term(analysis.unit), justify="right", no_wrap=True)
    columns = _columns(position, analysis, look)
    for name, _ in columns:
        if name == _BAR:
            table.add_column("", no_wrap=True, overflow="crop")
        elif name == _WORDS:
            table.add_column(look.term(name))
        else:
            table.add_column(look.term(name), justify="right", no_wrap=True)
    for move in analysis.moves:
        best = move.move in analysis.best
        table.add_row(
            _BEST if best and look.symbols else "*" if best else "",
            look.move(move.move),
            Text(_number(move.value), "bold green" if best else ""),
            *(cell(move) for _, cell in columns),
        )
    return table


_WORDS: Final = "in words"
_BAR: Final = ""
_Column: TypeAlias = tuple[str, Callable[[MoveValue], RenderableType]]


def _columns(position: Position, analysis: Analysis, look: Look) -> list[_Column]:
    """What is told of every move beside its value: only what the analysis has."""
    columns: list[_Column] = []
    if any(move.stderr is not None for move in analysis.moves):
        columns.append(("±", lambda move: Text(decimal(move.stderr))))
        columns.append((_BAR, _bars(analysis, look)))
    if any(move.wins is not None for move in analysis.moves):
        columns.append(("wins", lambda move: Text("" if move.wins is None else f"{move.wins:.0%}")))
    for name in ("points", "declarer", "defenders", "overall"):
        if any(getattr(move, name) is not None for move in analysis.moves):
            columns.append((name, partial(_figure, name)))
    if any(move.trump is not None for move in analysis.moves):
        columns.append(("trump", lambda move: look.suit(move.trump) if move.trump else Text()))
    if analysis.layouts is None:
        columns.append((_WORDS, lambda move: _words(position, move, look)))
    return columns


def _figure(name: str, move: MoveValue) -> Text:
    return Text(decimal(getattr(move, name)))


def _bars(analysis: Analysis, look: Look) -> Callable[[MoveValue], RenderableType]:
    """Bars for the values: the better for the one to move, the longer."""
    losses = [move.loss or 0.0 for move in analysis.moves]
    worst = max(losses, default=0.0) or 1.0

    def bar(move: MoveValue) -> RenderableType:
        length = round(_BAR_WIDTH * (1 - 0.9 * max(0.0, move.loss or 0.0) / worst))
        return Text(("█" if look.symbols else "#") * max(1, length), "green" if move.move in analysis.best else "dim")

    return bar


_BAR_WIDTH: Final = 8


def decimal(number: float | None) -> str:
    """A figure with two decimals, or none where it is whole; nothing for none."""
    return "" if number is None else f"{number:g}" if float(number).is_integer() else f"{number:.2f}"


def _number(value: Value) -> str:
    return " ".join(map(decimal, value)) if isinstance(value, tuple) else decimal(value)


def _words(position: Position, move: MoveValue, look: Look) -> Text:
    game, state = position.game, position.state
    value = move.value[game.pov(state)] if isinstance(move.value, tuple) else move.value
    return Text(sentence(game.worth(state, int(value)), look.language))


def _line(position: Position, analysis: Analysis, look: Look) -> Text:
    """The best continuation, trick by trick, each move behind its seat."""
    text = Text(f"{look.term('line')}  ", "dim")
    ahead = position.copy()
    for place, move in enumerate(analysis.line):
        if place:
            text.append(_gap(ahead, look))
        assert ahead.actor is not None
        text.append(f"{SEATS[ahead.actor]}\u00a0", "dim").append_text(look.move(move))
        ahead.play(move)
    return text


def _gap(position: Position, look: Look) -> str:
    """What stands before the next move of a line: a bar where a trick begins."""
    begins = not position.game.declaring_phase(position.state) and not position.game.played(position.state)
    return (" │ " if look.symbols else " | ") if begins else "  "


def _proof(analysis: Analysis, look: Look) -> Text:
    layouts = "" if analysis.layouts is None else f"{analysis.layouts:,} {look.term('layouts')}, "
    solved = "" if analysis.samples is None or analysis.exact else f"{look.term('solved in')} {analysis.samples:,}, "
    ahead = "" if analysis.depth is None else f"{look.term('estimated after tricks')}: {analysis.depth}, "
    proof = f"{look.term('proved exactly')}, " if analysis.exact else solved + ahead
    proof += f"{look.term('interrupted')}, " if analysis.interrupted else ""
    cost = f"{analysis.nodes:,} {look.term('nodes')}, {1000 * analysis.seconds:,.1f} ms"
    return Text(f"{analysis.objective}, {layouts}{proof}{cost}", "dim")


def review_table(slips: Sequence[Slip], look: Look) -> RenderableType:
    """Seat by seat, the plays that lost something: by the open cards, and by what the seat could know."""
    if not slips:
        return Text(look.term("no play lost anything"))
    table = Table(header_style="dim")
    for column in ("", "#", "move", "lost", "best", "lost as known", "best as known"):
        table.add_column(look.term(column), justify="right" if column in ("#", "lost", "lost as known") else "left")
    for slip in sorted(slips, key=lambda slip: (slip.seat, slip.number)):
        table.add_row(
            slip.seat,
            str(slip.number),
            look.move(slip.move),
            Text(decimal(slip.loss), "bold red" if slip.loss else "dim"),
            Text(", ").join(look.move(move) for move in slip.best),
            f"{decimal(slip.known_loss)} ± {decimal(slip.known_stderr)}",
            Text(", ").join(look.move(move) for move in slip.known_best),
        )
    return table


# ---- the games ----------------------------------------------------------------------------------------------------


def games_table(look: Look) -> Table:
    """All games: name, aliases, players, options."""
    table = Table(header_style="dim")
    for column in ("game", "title", "aliases", "players", "unit"):
        table.add_column(look.term(column))
    for name, game in registry().items():
        table.add_row(name, game.title, ", ".join(game.aliases), _players(game), look.term(game.unit))
    return table


def game_page(game: type[Game[Any]], rules: str, look: Look) -> RenderableType:
    """One game: what its file says of the rules, its options, presets, and keys in a position file."""
    table = Table(header_style="dim")
    for column in ("option", "values", "what it decides"):
        table.add_column(column)
    for name, known in options(game.Rules).items():
        table.add_row(name, Text(known.expects), Text(known.doc))
    parts: list[RenderableType] = [
        Text(
            f"{game.title} ({', '.join((game.name, *game.aliases))}), {_players(game)} {look.term('players')}", "bold"
        ),
        Text(_reflowed(rules)),
    ]
    if table.row_count:
        parts += [Text(), table]
    parts += [Text(f"preset {name}: {_settings(changes)}") for name, changes in game.presets.items()]
    parts.append(Text(f"keys in a position file: {', '.join(sorted(game.keys))}", "dim"))
    return Group(*parts)


def _reflowed(text: str) -> str:
    """A docstring's paragraphs and the points of its lists, without the line breaks inside them."""
    return re.sub(r"(?<!\n)\n *(?!\n|- )", " ", text.strip())


def _settings(changes: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in changes.items() if name != "preset")


def _players(game: type[Game[Any]]) -> str:
    low, high = min(game.seats), max(game.seats)
    return str(low) if low == high else f"{low}-{high}"
