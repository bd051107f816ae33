"""The command `kirtis play`: a person against players at the terminal."""

from __future__ import annotations

import click
from rich.console import Console, Group, RenderableType
from rich.text import Text

from . import display, match
from .analysis import Analysis
from .game import SEATS, RuleError, find_game
from .language import sentence, term
from .match import Deal
from .notation import PositionError
from .review import review
from .search import Limit, LimitMet
from .session import PERSON, Session, levels_for
from .terminal import given_rules, language_option, look_for, rules_option, standard_console

COMMANDS = {
    "hint": "what the engine would do, and why",
    "why": "what your last move lost, by what you could know",
    "undo": "take your last move back",
    "save FILE": "write the match to a file",
    "load FILE": "go on with a saved match",
    "help": "this list",
    "quit": "leave",
}
_REVIEWED = Limit(samples=20)
"""Layouts for each play of a finished deal's review: enough to point at what was lost."""


def _tied(text: Text) -> Text:
    """Text that is not broken over two lines."""
    text.plain = text.plain.replace(" ", "\N{NO-BREAK SPACE}")
    return text


class _Left(Exception):
    """The person has left."""


@click.command(
    "play",
    epilog="\b\nExamples:\n  kirtis play piramide\n  kirtis play sixty_six --level novice --seed 3 --lang lt",
)
@click.argument("game")
@click.option("--players", type=int, help="Default: the fewest the game is played by.")
@click.option("--level", "levels", multiple=True, default=("club",), show_default=True, help="Of the others, in order.")
@click.option("--seed", help="Of the deals. Default: a match that nobody can foresee.")
@rules_option
@language_option
def play_command(
    *, game: str, players: int | None, levels: tuple[str, ...], seed: str | None, rules: str | None, lang: str
) -> None:
    """Play a match against the engine, with hints, reasons, and a review after each deal."""
    try:
        seats = find_game(game).seats[0] if players is None else players
        session = Session(match.new(game, levels_for(seats, levels), rules=given_rules(rules), seed=seed))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    console = standard_console()
    Table(session, console, look_for(console, lang)).play()


class Table:
    """The talk at the table: what is shown, what is asked."""

    def __init__(self, session: Session, console: Console, look: display.Look) -> None:
        self.session = session
        self.console = console
        self.look = look

    def play(self) -> None:
        """Plays until the match is over or the person leaves."""
        self.say("Type a move or its number; help lists what else there is.")
        try:
            while not self.session.match.over:
                self._turn()
        except _Left:
            return
        winners = ", ".join(self.session.match.names[winner] for winner in self.session.match.winners)
        self.say("The match is over. Winner: {winners}", winners=winners or "-")

    def say(self, template: str, **values: object) -> None:
        """Writes a sentence in the person's language."""
        self.console.print(Text(term(template, self.look.language).format(**values)))

    def _turn(self) -> None:
        """One move, the person's or somebody else's, and what follows if it ends the deal."""
        deals = len(self.session.match.deals)
        if self.session.is_persons_turn:
            self._ask()
        else:
            names = self.session.names()
            seat, move = self.session.others_move()
            self._told(f"{SEATS[seat]} ({names[SEATS[seat]]}) ", move)
        for deal in self.session.match.deals[deals:]:
            self._finished(deal)

    def _told(self, who: str, move: str) -> None:
        self.console.print(Text(f"  {who}", "dim").append_text(self._move(move)))

    def _move(self, move: str) -> Text:
        """A move in the card letters of the person's language."""
        position = self.session.position
        return self.look.move(position.in_notation(self.look.language).write(position.read(move)))

    # -- the person's turn

    def _ask(self) -> None:
        """Shows the table and does what the person says, until he has moved."""
        seen = self.session.seen().in_notation(self.look.language)
        self.console.print("", display.table_of(seen, self.look))
        choices = [
            _tied(Text(f"{number} ", "dim").append_text(self.look.move(move)))
            for number, move in enumerate(seen.legal_moves, 1)
        ]
        self.console.print(Text("  ").join(choices))
        try:
            line = self.console.input(f"{term('your move', self.look.language)}> ").strip()
        except EOFError as error:
            raise _Left from error
        if line:
            self._do(line)

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        commands = {"hint": self._hint, "why": self._why, "undo": self._undo, "help": self._help, "quit": self._quit}
        files = {"save": self._save, "load": self._load}
        try:
            if word in files and rest:
                files[word](rest.strip())
            elif line in commands:
                commands[line]()
            else:
                self._play(line)
        except (PositionError, RuleError) as error:
            self.console.print(Text(str(error), "red"))
        except LimitMet:
            self.say("There was no time to tell.")

    def _play(self, line: str) -> None:
        position = self.session.position.in_notation(self.look.language)
        move = line if line.isdecimal() else self.session.position.write(position.read(line))
        self.session.play(move)

    def _hint(self) -> None:
        self._advise(self.session.hint())

    def _advise(self, analysis: Analysis) -> None:
        """The best move and what speaks for it, in a sentence."""
        first, *others = analysis.moves
        facts = {
            "move": self._move(first.move).plain,
            "value": display.decimal(first.value if isinstance(first.value, int | float) else None),
            "unit": self._unit(analysis),
            "layouts": analysis.samples or 1,
            "wins": f"{first.wins or 0:.0%}",
        }
        self.say(
            "{move}: {value} {unit} on average over {layouts} layouts, and it succeeds in {wins} of them.", **facts
        )
        second = next((move for move in others if move.move not in analysis.best and move.loss is not None), None)
        if second is not None:
            second_facts = {"move": self._move(second.move).plain, "loss": display.decimal(second.loss)}
            self.say("The next best, {move}, is worse by {loss}.", **second_facts)

    def _unit(self, analysis: Analysis) -> str:
        return self.look.term("points" if analysis.unit == "score" else analysis.unit)

    def _why(self) -> None:
        told = self.session.why()
        if told is None:
            self.say("You have not moved in this deal.")
            return
        move, analysis = told
        loss = analysis.loss(move)
        best = ", ".join(self._move(found).plain for found in analysis.best)
        if loss:
            facts = {
                "move": self._move(move).plain,
                "loss": display.decimal(loss),
                "unit": self._unit(analysis),
            }
            self.say("{move} lost {loss} {unit} by what you could know; best was {best}.", best=best, **facts)
        else:
            self.say("{move} was best by what you could know.", move=self._move(move).plain)

    def _undo(self) -> None:
        if not self.session.undo():
            self.say("You have not moved in this deal.")

    def _help(self) -> None:
        for command, meaning in COMMANDS.items():
            self.console.print(Text(f"  {command:10} ", "bold").append(term(meaning, self.look.language), "none"))

    def _quit(self) -> None:
        raise _Left

    def _save(self, path: str) -> None:
        self.session.save(path)
        self.say("Saved to {path}.", path=path)

    def _load(self, path: str) -> None:
        self.session = Session.load(path)

    # -- the end of a deal

    def _finished(self, deal: Deal) -> None:
        """The hands as they were dealt, the result, the match score, and what plays lost."""
        position = deal.position.in_notation(self.look.language)
        outcome = position.outcome
        shown: list[RenderableType] = ["", display.table_of(position.before(0), self.look)]
        if outcome is not None:
            shown.append(Text(sentence(outcome.words, self.look.language), "bold"))
        scores = zip(self.session.match.names, deal.scores or (), strict=False)
        shown.append(Text(f"{self.look.term('match')}: " + ", ".join(f"{name} {score}" for name, score in scores)))
        self.console.print(Group(*shown))
        self._review(deal)

    def _review(self, deal: Deal) -> None:
        """The person's plays that lost something."""
        seat = SEATS[(PERSON - deal.first) % self.session.match.game.players]
        try:
            slips = review(deal.position.in_notation(self.look.language), limit=_REVIEWED)
        except (RuleError, LimitMet):
            return  # a deal that was passed out has no plays
        self.console.print(display.review_table([slip for slip in slips if slip.seat == seat], self.look))
