"""Beside OpenSpiel: our expert against its ISMCTS in duplicate deals, how far that searches, and random games a second.

    python -m bench.openspiel matches --journals DIR          # go on with, or begin
    python -m bench.openspiel matches --journals DIR --write docs/openspiel.md
    python -m bench.openspiel simulations --write docs/openspiel.md
    python -m bench.openspiel speed --write docs/openspiel.md

In the matches both have the same seconds for a move. Journals let them be stopped at any time; what they hold is what
the table shows.
"""

from __future__ import annotations

import datetime
import platform
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

import click

from solver import players
from solver.position import Position
from solver.tournament import Plan, plan, run

from .document import put
from .players import journal_of, known, rows

GAMES: Final = {"piramide": 2, "sixty_six": 2, "atspek": 2, "velnio_tuzinas": 2, "antikoziris": 3}
"""The number of players by game, the quickest first."""
THEIRS: Final = (
    "python_kuhn_poker",
    "python_tic_tac_toe",
    "python_liars_poker",
    "python_block_dominoes",
    "python_team_dominoes",
    "python_iterated_prisoners_dilemma",
    "python_dynamic_routing",
)
"""Games that OpenSpiel itself has in Python."""


@click.group(help=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
def main() -> None:
    """See `help`."""


def machine() -> str:
    """The date and the kind of processor."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        if line.startswith("model name")
    ]
    return f"{datetime.date.today()}, {models[0] if models else platform.processor()}, {len(models)} cores."


def plans(games: tuple[str, ...], deals: int, seconds: float) -> list[Plan]:
    """What is played."""
    pair = [f"expert:seconds={seconds}", f"openspiel:ismcts:seconds={seconds}"]
    return [plan(game, pair, seats=GAMES[game], size=deals, seed="openspiel") for game in games]


@main.command()
@click.option("--deals", default=500, show_default=True, help="Duplicate deals of each game.")
@click.option("--seconds", default=0.02, show_default=True, help="For a move.")
@click.option("--game", "games", multiple=True, type=click.Choice(list(GAMES)), help="Default: all.")
@click.option("--journals", type=click.Path(path_type=Path), default=Path("bench/journals"), show_default=True)
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Put the table into this document.")
def matches(*, deals: int, seconds: float, games: tuple[str, ...], journals: Path, write: Path | None) -> None:
    """Plays our expert against OpenSpiel's ISMCTS."""
    journals.mkdir(parents=True, exist_ok=True)
    wanted = plans(games or tuple(GAMES), deals, seconds)
    if write is not None:
        table = "\n".join(rows([known(journals, setup) for setup in wanted]))
        put(write, "matches", f"{table}\n\n{machine()}")
        return
    for setup in wanted:
        run(setup, journal=journal_of(journals, setup))
        click.echo("\n".join(list(rows([known(journals, setup)]))[2:]))


def simulations_a_move(game: str, seconds: float, deals: int) -> float:
    """How many simulations ISMCTS has time for: by the processor time that its moves take with some."""
    simulations, moves, spent = 30, 0, 0.0
    searcher = players.from_text(f"openspiel:ismcts:simulations={simulations}", 1)
    for seed in range(deals):
        position = Position.deal(game, GAMES[game], seed=seed)
        while position.actor is not None:
            view = position.observe(position.actor)
            began = process_time()
            move = searcher.choose(view)
            if len(view.legal_moves) > 1:
                moves += 1
                spent += process_time() - began
            position.play(move)
    return simulations * seconds * moves / spent


@main.command()
@click.option("--deals", default=4, show_default=True, help="Of each game, played by it against itself.")
@click.option("--seconds", default=0.02, show_default=True, help="For a move.")
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Put the table into this document.")
def simulations(*, deals: int, seconds: float, write: Path | None) -> None:
    """How many simulations OpenSpiel's ISMCTS comes to for a move."""
    lines = [f"| game | simulations in {seconds} s |", "|---|---|"]
    for game in GAMES:
        lines.append(f"| {game} | {simulations_a_move(game, seconds, deals):.0f} |")
        click.echo(lines[-1])
    if write is not None:
        put(write, "simulations", "\n".join([*lines, "", machine()]))


def random_games(name: str, seconds: float) -> tuple[float, float]:
    """How many games a second are played at random from Python, with their returns, and how many actions in all."""
    import pyspiel

    game: Any = pyspiel.load_game(name)
    random = Random(0)
    games = actions = 0
    began = process_time()
    while process_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_simultaneous_node():
                state.apply_actions([random.choice(state.legal_actions(seat)) for seat in range(game.num_players())])
            elif state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(random.choices([one for one, _ in outcomes], [likely for _, likely in outcomes])[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
            actions += 1
        state.returns()
        games += 1
    spent = process_time() - began
    return games / spent, actions / spent


@main.command()
@click.option("--seconds", default=0.5, show_default=True, help="Processor time for each game in a round.")
@click.option("--rounds", default=10, show_default=True, help="All games in turn; the best round of each counts.")
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Put the table into this document.")
def speed(*, seconds: float, rounds: int, write: Path | None) -> None:
    """Random games a second through pyspiel, beside OpenSpiel's own games in Python."""
    import open_spiel.python.games  # noqa: F401  # registers theirs

    import solver.adapters.openspiel  # noqa: F401  # and ours

    ours = [f"kirtis_{game}{deal}" for game in GAMES for deal in ("", "(deal=sampled)")]
    best = dict.fromkeys((*THEIRS, *ours), (0.0, 0.0))
    for _ in range(rounds):
        best = {name: max(before, random_games(name, seconds)) for name, before in best.items()}
    lines = ["| game | games a second | actions a second |", "|---|---|---|"]
    lines += [f"| `{name}` | {games:,.0f} | {actions:,.0f} |" for name, (games, actions) in best.items()]
    click.echo("\n".join(lines))
    if write is not None:
        put(write, "speed", "\n".join([*lines, "", machine()]))


if __name__ == "__main__":
    main()
