"""How strong the players are against the strongest bot of the package `schnapsen`: Schnapsen without closing.

    python -m bench.rdeep --games 1000                          # go on with, or begin
    python -m bench.rdeep --games 1000 --write docs/players.md

The games are played by that package's engine and its rules. They differ from the preset in one thing: marriage points
count with the next trick that their owner takes, also if he has one. The positions given to our player count them at
once, but never as the last ones to 66. Every deal is played twice, either bot leading to the first trick.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import click
from schnapsen.bots import RdeepBot
from schnapsen.deck import Card, Rank, Suit
from schnapsen.game import (
    Marriage,
    Move,
    PlayerPerspective,
    RegularMove,
    SchnapsenGamePlayEngine,
    Score,
    TrumpExchange,
)

from solver import players
from solver.games.sixty_six import GOAL
from solver.position import Position
from solver.tournament import Mean

from .document import put

SAMPLES: Final = 16
DEPTH: Final = 4
RULES: Final = {"preset": "schnapsen", "closing": "none"}
_RANKS: Final = {Rank.ACE: "A", Rank.TEN: "T", Rank.KING: "K", Rank.QUEEN: "Q", Rank.JACK: "J"}
_OWN, _OTHER = "A", "B"


class Ours:
    """A player of this library at their table, as their `Bot` is.

    slowest: the longest processor time for a move so far, in seconds; what else the machine does is not in it.
    """

    def __init__(self, player: players.Player) -> None:
        self.player = player
        self.slowest = 0.0

    def get_move(self, perspective: PlayerPerspective, leader_move: Move | None) -> Move:
        """Our move as theirs."""
        begun = time.process_time()
        move = self.player.choose(observation(perspective, leader_move))
        self.slowest = max(self.slowest, time.process_time() - begun)
        return _their_move(move, perspective)

    def notify_trump_exchange(self, move: TrumpExchange) -> None:
        """What has been exchanged is in the next perspective."""

    def notify_game_end(self, won: bool, perspective: PlayerPerspective) -> None:
        """Nothing is remembered."""


def _text(card: Card) -> str:
    return f"{card.suit.name[0]}{_RANKS[card.rank]}"


def _card(text: str) -> Card:
    suit = next(suit for suit in Suit if suit.name[0] == text[0])
    return Card.get_card(next(rank for rank, name in _RANKS.items() if name == text[1]), suit)


def observation(perspective: PlayerPerspective, leader_move: Move | None) -> Position:
    """The position as their player sees it, who has seat A here.

    Nothing more can be told from how it came about: while cards are drawn nobody has to follow, and then all is seen.
    """
    own = [_text(card) for card in perspective.get_hand()]
    led = leader_move.cards if leader_move else []
    known = {_text(card) for card in [*perspective.get_known_cards_of_opponent_hand(), *led]}
    hidden = ["?"] * (len(own) - len(known))
    indicator, stock = perspective.get_trump_card(), perspective.get_talon_size()
    won = [len(cards) // 2 for cards in (perspective.get_won_cards(), perspective.get_opponent_won_cards())]
    scores = [perspective.get_my_score(), perspective.get_opponent_score()]
    if leader_move and leader_move.is_marriage():
        scores[1] += Score(pending_points=40 if leader_move.as_marriage().suit is perspective.get_trump_suit() else 20)
    facts: dict[str, Any] = {
        "game": "sixty_six",
        "rules": RULES,
        "seat": _OWN,
        "hands": {_OWN: " ".join(own), _OTHER: " ".join([*sorted(known), *hidden])},
        "leader": _OWN if perspective.am_i_leader() else _OTHER,
        "trump": perspective.get_trump_suit().name[0],
        "stock": [*["?"] * (stock - 1), _text(indicator)] if indicator else [],
        "won": dict(zip((_OWN, _OTHER), won, strict=True)),
        "points": {
            seat: min(GOAL - 1, score.direct_points + score.pending_points) if tricks else 0
            for seat, score, tricks in zip((_OWN, _OTHER), scores, won, strict=True)
        },
        "pending": {
            seat: 0 if tricks else score.pending_points
            for seat, score, tricks in zip((_OWN, _OTHER), scores, won, strict=True)
        },
        "gone": " ".join(_text(card) for card in [*perspective.get_won_cards(), *perspective.get_opponent_won_cards()]),
        "plays": [_text(_led(leader_move))] if leader_move else [],
    }
    return Position.from_dict(facts)


def _led(move: Move) -> Card:
    """The card that lies on the table."""
    return (move.as_marriage().underlying_regular_move() if move.is_marriage() else move.as_regular_move()).card


def _their_move(text: str, perspective: PlayerPerspective) -> Move:
    kind, _, name = text.rpartition(" ")
    if text == "exchange":
        return TrumpExchange(Card.get_card(Rank.JACK, perspective.get_trump_suit()))
    if kind == "marriage":
        suit = _card(name).suit
        return Marriage(Card.get_card(Rank.QUEEN, suit), Card.get_card(Rank.KING, suit))
    return RegularMove(_card(name))


# ---- the games ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A deal that was played twice.

    number: of the deal. points: game points that we won, or minus those that they did: first when we led, then when
    they did. slowest: our slowest move, in seconds of processor time.
    """

    number: int
    points: tuple[int, int]
    slowest: float


def play(number: int, player: str) -> Played:
    """A deal, both ways round."""
    engine: Any = SchnapsenGamePlayEngine()
    ours = Ours(players.from_text(player, number))
    points = []
    for leads in (True, False):
        theirs = RdeepBot(num_samples=SAMPLES, depth=DEPTH, rand=Random(f"rdeep {number}"))
        seated = (ours, theirs) if leads else (theirs, ours)
        winner, won, _ = engine.play_game(*seated, Random(number))
        points.append(won if winner is ours else -won)
    return Played(number, (points[0], points[1]), ours.slowest)


def read(journal: Path) -> dict[int, Played]:
    """What has been played; a last line that was not written to its end is cut off."""
    if not journal.exists():
        return {}
    whole = journal.read_text(encoding="utf-8")
    kept = whole[: whole.rfind("\n") + 1]
    journal.write_text(kept, encoding="utf-8")
    found = [json.loads(line) for line in kept.splitlines()]
    return {row["number"]: Played(row["number"], tuple(row["points"]), row["slowest"]) for row in found}


def go_on(journal: Path, player: str, deals: int) -> Iterator[Played]:
    """Plays what the journal does not have yet."""
    known = read(journal)
    with journal.open("a", encoding="utf-8") as file:
        for number in range(deals):
            if number not in known:
                played = play(number, player)
                file.write(json.dumps(vars(played)) + "\n")
                file.flush()
                yield played


def table(player: str, results: Iterable[Played]) -> str:
    """The result in Markdown."""
    found = list(results)
    won = Mean.of([sum(points > 0 for points in played.points) / 2 for played in found]).as_share()
    lead = Mean.of([sum(played.points) / 2 for played in found])
    slowest = max(played.slowest for played in found)
    return "\n".join(
        [
            "| players | games | games won [95 %] | game points a game [95 %] | slowest move |",
            "|---|---|---|---|---|",
            f"| {player} – RdeepBot({SAMPLES}, {DEPTH}) | {2 * len(found)}"
            f" | {won.mean:.1%} [{won.low:.1%}, {won.high:.1%}]"
            f" | {lead.mean:+.2f} [{lead.low:+.2f}, {lead.high:+.2f}] | {1000 * slowest:.0f} ms |",
        ]
    )


@click.command(help=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
@click.option("--games", default=1000, show_default=True, help="Two for each deal.")
@click.option("--player", default="expert:seconds=0.1", show_default=True, help="A level and its budget.")
@click.option("--journals", type=click.Path(path_type=Path), default=Path("bench/journals"), show_default=True)
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Put the table into this document.")
def main(*, games: int, player: str, journals: Path, write: Path | None) -> None:
    """See `help`."""
    journals.mkdir(parents=True, exist_ok=True)
    journal = journals / f"rdeep-{player.replace(':', '-').replace('=', '')}.jsonl"
    if write is None:
        for _ in go_on(journal, player, games // 2):
            pass
    shown = table(player, read(journal).values())
    if write is None:
        click.echo(shown)
    else:
        put(write, "rdeep", shown)


if __name__ == "__main__":
    main()
