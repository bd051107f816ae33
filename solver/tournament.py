"""Round robins on duplicate deals: every pair of players, the same cards from every seat, and how sure the result is.

Each pair meets at tables of its own. For a deal one of the two takes one seat and the other all the rest, in every
way; with two players that is once each way round. The deal's result for the pair is the mean of these games, so good
cards favour nobody, and deals are independent of each other: their spread gives the standard errors.

The journal is a file that is only ever added to: a line about the tournament, then one for each finished deal of each
pair. Whatever is missing is played when the tournament is run again, so being killed costs at most the deals that
were on the table.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import NormalDist
from typing import IO, Any, Final

from . import match as matches
from . import players as levels
from .game import Game, find_table, write_rules

DEALS: Final = "deals"
MATCHES: Final = "matches"
UNITS: Final = (DEALS, MATCHES)

_AHEAD: Final = 3
"""Deals handed out at a time for each worker, so that none waits."""
_CONFIDENCE: Final = NormalDist().inv_cdf(0.975)
_STEPS: Final = 200
"""Steps of the iteration for the ratings, far more than are needed."""
_PRIOR: Final = 1.0
"""Drawn games that every pair is credited with, so that who won everything has a finite rating."""


class JournalError(ValueError):
    """A journal that belongs to another tournament, or is none."""


@dataclass(frozen=True)
class Plan:
    """What is played.

    game: its name. rules: as in a position file. seats: players at a table. players: levels with their budgets, at
    least two, as `players.from_text` has them. unit: DEALS, each by itself, or MATCHES, whole ones. size: how many of
    them each pair plays from all sides. seed: of the deals. most_deals: after which a match is given up as drawn.
    """

    game: str
    players: tuple[str, ...]
    seats: int
    rules: Mapping[str, object] = field(default_factory=dict)
    unit: str = DEALS
    size: int = 100
    seed: str = "0"
    most_deals: int = 200

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"{self.unit!r} is no unit; expected {' or '.join(UNITS)}")
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise ValueError(f"a tournament is between two or more different players, not {', '.join(self.players)}")
        for player in self.players:
            levels.from_text(player)

    def to_dict(self) -> dict[str, object]:
        """As the journal's first line has it; the size may grow when it is continued."""
        return {
            "tournament": self.game,
            "rules": dict(self.rules),
            "seats": self.seats,
            "players": list(self.players),
            "unit": self.unit,
            "seed": self.seed,
            "most_deals": self.most_deals,
        }

    def tasks(self) -> Iterator[Task]:
        """Everything that is to be played."""
        for number in range(self.size):
            for pair in combinations(range(len(self.players)), 2):
                yield Task(self, pair, number)


def plan(
    game: str,
    players: Sequence[str],
    *,
    seats: int | None = None,
    rules: object = None,
    unit: str = DEALS,
    size: int = 100,
    seed: int | str = 0,
) -> Plan:
    """A plan; seats: default, the fewest the game is played by. Raises RuleError, ValueError."""
    table = find_table(game, seats, rules)
    return Plan(table.name, tuple(players), table.players, write_rules(table), unit, size, str(seed))


@dataclass(frozen=True)
class Task:
    """One deal, or match, of a pair, to be played from all sides. pair: the numbers of the players."""

    plan: Plan
    pair: tuple[int, int]
    number: int


@dataclass(frozen=True)
class Result:
    """How a pair's deal or match ended, for the first of the pair, on average over all sides.

    lead: in a deal, how much more his seats scored on average than the other's; in a match the same of the match
    scores. share: of a deal 1 if the lead over all sides is his, 0.5 if there is none; of matches the part that he
    won, a draw counting half. games: how many sides there were.
    """

    pair: tuple[int, int]
    number: int
    lead: float
    share: float
    games: int

    def to_dict(self) -> dict[str, object]:
        """As a line of the journal has it."""
        return {
            "pair": list(self.pair),
            "number": self.number,
            "lead": self.lead,
            "share": self.share,
            "games": self.games,
        }


# ---- playing ------------------------------------------------------------------------------------------------------


@cache
def _table(name: str, seats: int, rules: str) -> Game[Any]:
    return find_table(name, seats, json.loads(rules))


def seatings(seats: int) -> list[tuple[int, ...]]:
    """Who of a pair, 0 or 1, has which place: each alone in every place against the other, each way once."""
    lone = [tuple(int(place != alone) for place in range(seats)) for alone in range(seats)]
    return list(dict.fromkeys([*lone, *(tuple(1 - who for who in seating) for seating in lone)]))


def play_task(task: Task) -> Result:
    """Plays a deal or match from all sides."""
    setup = task.plan
    game = _table(setup.game, setup.seats, json.dumps(dict(setup.rules)))
    leads: list[float] = []
    shares: list[float] = []
    for seating in seatings(setup.seats):
        names = [setup.players[task.pair[who]] for who in seating]
        seed = f"{setup.seed}/{task.number}"
        if setup.unit == DEALS:
            scores = _deal_scores(game, names, seed)
        else:
            scores, winners = _match_scores(game, names, seed, setup.most_deals)
            shares.append(_share(winners, seating))
        leads.append(_side(scores, seating, 0) - _side(scores, seating, 1))
    lead = sum(leads) / len(leads)
    share = sum(shares) / len(shares) if setup.unit == MATCHES else float(lead > 0) + 0.5 * (lead == 0)
    return Result(task.pair, task.number, lead, share, len(leads))


def _side(scores: Sequence[float], seating: Sequence[int], who: int) -> float:
    """The mean score of the seats of one of the pair."""
    own = [score for score, at in zip(scores, seating, strict=True) if at == who]
    return sum(own) / len(own)


def _share(winners: Sequence[int], seating: Sequence[int]) -> float:
    """What part of the game the first of the pair has won. Nobody: a draw.

    Who sits alone cannot win as often as those who are more, so his chance is set against theirs by head.
    """
    sides = [sum(seating[winner] == who for winner in winners) / seating.count(who) for who in (0, 1)]
    return sides[0] / sum(sides) if sum(sides) else 0.5


def _seated(names: Sequence[str], seed: str) -> list[levels.Player]:
    return [levels.from_text(name, matches.player_seed(seed, number)) for number, name in enumerate(names)]


def _deal_scores(game: Game[Any], names: Sequence[str], seed: str) -> tuple[int, ...]:
    """The scores of a single deal."""
    position = matches.deal(game, seed, 0, matched=False)
    seated = _seated(names, seed)
    while position.actor is not None:
        position.play(seated[position.actor].choose(position.observe(position.actor)))
    return tuple(game.count(game.new_match(), position.state, 0).scores)


def _match_scores(
    game: Game[Any], names: Sequence[str], seed: str, most_deals: int
) -> tuple[tuple[int, ...], list[int]]:
    """The scores of a match, and who won it."""
    match = matches.Match(game, tuple(names), seed, most_deals)
    match.play(_seated(names, seed))
    return tuple(match.tally.scores), list(match.winners)


# ---- the journal --------------------------------------------------------------------------------------------------


class Journal:
    """The file that remembers what has been played. results: all that it has, each pair's deal once."""

    def __init__(self, path: str | Path | None, setup: Plan) -> None:
        self.results: dict[tuple[tuple[int, int], int], Result] = {}
        self._file: IO[bytes] | None = None
        if path is None:
            return
        head = _line(setup.to_dict())
        self._file = Path(path).open("a+b")  # noqa: SIM115  # it stays open as long as the journal does
        try:
            self._recover(str(path), head)
        except BaseException:
            self.close()
            raise

    def _recover(self, name: str, head: bytes) -> None:
        """Reads what is there, and cuts off a last line that was not written to its end."""
        assert self._file is not None
        self._file.seek(0)
        whole = self._file.read()
        kept = whole[: whole.rfind(b"\n") + 1]
        lines = kept.splitlines(keepends=True)
        if not lines and whole and not head.startswith(whole):
            raise JournalError(f"{name} is not the journal of a tournament")
        self._file.truncate(len(kept))
        if not lines:
            self._write(head)
        elif lines[0] != head:
            raise JournalError(f"{name} is the journal of another tournament: it begins with {lines[0].decode()!r}")
        for number, line in enumerate(lines[1:], 2):
            self._remember(_result(name, number, line))

    def _remember(self, result: Result) -> None:
        self.results.setdefault((result.pair, result.number), result)

    def add(self, result: Result) -> None:
        """Takes a result down, for good before this returns."""
        if self._file is not None and (result.pair, result.number) not in self.results:
            self._write(_line(result.to_dict()))
        self._remember(result)

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()


def _line(row: Mapping[str, object]) -> bytes:
    return (json.dumps(row, ensure_ascii=False) + "\n").encode()


def _result(name: str, number: int, line: bytes) -> Result:
    try:
        row = json.loads(line)
        first, second = row["pair"]
        return Result((first, second), row["number"], row["lead"], row["share"], row["games"])
    except (ValueError, KeyError, TypeError) as error:
        raise JournalError(f"{name}, line {number}, is no result of a tournament: {error!r}") from error


# ---- running ------------------------------------------------------------------------------------------------------


def run(
    setup: Plan,
    *,
    journal: str | Path | None = None,
    executor: Executor | None = None,
    workers: int = 1,
    report: Callable[[int, int], None] | None = None,
) -> Table:
    """Plays what the journal does not have yet, and counts.

    executor: any of `concurrent.futures`, which stays open; default, processes of its own, or with one worker none.
    workers: how many deals are at work at once. report: is told how many of how many deals are done.
    Raises JournalError; what the executor raises.
    """
    with ExitStack() as stack:
        book = Journal(journal, setup)
        stack.callback(book.close)
        missing = [task for task in setup.tasks() if (task.pair, task.number) not in book.results]
        total = setup.size * math.comb(len(setup.players), 2)
        if executor is None and workers > 1:
            executor = stack.enter_context(ProcessPoolExecutor(workers))
        done = total - len(missing)
        results = map(play_task, missing) if executor is None else _spread(executor, missing, _AHEAD * workers)
        for result in results:
            book.add(result)
            done += 1
            if report is not None:
                report(done, total)
        return count(setup, book.results.values())


def _spread(executor: Executor, tasks: Sequence[Task], ahead: int) -> Iterator[Result]:
    """Results as they come, with only so many tasks handed out at a time."""
    waiting = iter(tasks)
    pending: set[Future[Result]] = set()
    try:
        while True:
            for task in waiting:
                pending.add(executor.submit(play_task, task))
                if len(pending) >= ahead:
                    break
            if not pending:
                return
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()
    finally:
        for future in pending:
            future.cancel()


# ---- counting -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mean:
    """A mean over deals, the standard error of it, and the ends of its 95 % interval; nan where it is not known."""

    mean: float
    stderr: float
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Mean:
        """The mean of independent numbers."""
        n = len(numbers)
        if not n:
            return cls(math.nan, math.nan, math.nan, math.nan)
        mean = math.fsum(numbers) / n
        spread = math.fsum((number - mean) ** 2 for number in numbers)
        error = math.sqrt(spread / (n - 1) / n) if n > 1 else math.nan
        reach = _student(n - 1) * error if n > 1 else math.nan
        return cls(mean, error, mean - reach, mean + reach)

    def as_share(self) -> Mean:
        """The same of numbers from 0 to 1, beyond which no end can lie."""
        return replace(self, low=max(self.low, 0.0), high=min(self.high, 1.0))


def _student(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution, by the expansion of Cornish and Fisher; exact for 1 and 2."""
    if freedom <= 2:
        return 12.706204736 if freedom == 1 else 4.302652730
    z = _CONFIDENCE
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / math.pow(freedom, power) for power, term in enumerate(terms, 1))


@dataclass(frozen=True)
class Meeting:
    """How a pair fared. lead, share: of the first, see `Result`. deals: or matches, from all sides."""

    first: str
    second: str
    deals: int
    lead: Mean
    share: Mean


@dataclass(frozen=True)
class Standing:
    """How a player fared against all others. rating: Elo points, the mean of all players being 0; nan if unknown."""

    player: str
    deals: int
    lead: Mean
    share: Mean
    rating: float


@dataclass(frozen=True)
class Table:
    """The result of a tournament. standings: best first. meetings: in order of the players."""

    plan: Plan
    standings: list[Standing]
    meetings: list[Meeting]

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON; numbers that are not known are null."""
        return {
            **self.plan.to_dict(),
            "size": self.plan.size,
            "standings": [_plain(standing) for standing in self.standings],
            "meetings": [_plain(meeting) for meeting in self.meetings],
        }

    def __str__(self) -> str:
        name = max(len(player) for player in self.plan.players)
        lines = [f"{'player':{name}}  rating  {self.plan.unit:>7}  lead and 95 %            share and 95 %"]
        lines += [
            f"{row.player:{name}}  {row.rating:6.0f}  {row.deals:7}  {_interval(row.lead):23}  {_interval(row.share)}"
            for row in self.standings
        ]
        return "\n".join(lines)


def _interval(mean: Mean) -> str:
    return f"{mean.mean:+.3f} [{mean.low:+.3f}, {mean.high:+.3f}]"


def _plain(row: Any) -> dict[str, object]:
    """A dataclass as a dict, with its means as dicts and nan as None."""
    return {
        name: _plain(value)
        if isinstance(value, Mean)
        else None
        if isinstance(value, float) and math.isnan(value)
        else value
        for name, value in vars(row).items()
    }


def count(setup: Plan, results: Iterable[Result]) -> Table:
    """The table of what has been played so far."""
    by_pair: dict[tuple[int, int], list[Result]] = {pair: [] for pair in combinations(range(len(setup.players)), 2)}
    for result in results:
        if result.number < setup.size:
            by_pair[result.pair].append(result)
    meetings = [
        Meeting(
            setup.players[first],
            setup.players[second],
            len(found),
            Mean.of([result.lead for result in found]),
            Mean.of([result.share for result in found]).as_share(),
        )
        for (first, second), found in by_pair.items()
    ]
    ratings = _ratings(len(setup.players), by_pair)
    standings = [_standing(setup, player, by_pair, ratings[player]) for player in range(len(setup.players))]
    return Table(setup, sorted(standings, key=lambda row: -row.rating), meetings)


def _standing(setup: Plan, player: int, by_pair: Mapping[tuple[int, int], list[Result]], rating: float) -> Standing:
    """All of a player's deals. The same deal against several others is one observation, since its cards are shared."""
    leads: dict[int, list[float]] = {}
    shares: dict[int, list[float]] = {}
    for pair, found in by_pair.items():
        if player in pair:
            for result in found:
                own = pair[0] == player
                leads.setdefault(result.number, []).append(result.lead if own else -result.lead)
                shares.setdefault(result.number, []).append(result.share if own else 1 - result.share)
    lead, share = (Mean.of([sum(items) / len(items) for items in by.values()]) for by in (leads, shares))
    return Standing(setup.players[player], sum(map(len, leads.values())), lead, share.as_share(), rating)


def _ratings(players: int, by_pair: Mapping[tuple[int, int], list[Result]]) -> list[float]:
    """Elo points by the model of Bradley and Terry: the chance to win is 1 / (1 + 10^(-difference / 400)).

    Nearly the likelihood's maximum: every pair that has met is credited with one drawn game more.
    """
    played = [[0.0] * players for _ in range(players)]
    won = [0.0] * players
    for (first, second), found in by_pair.items():
        if not found:
            continue
        games = len(found) + _PRIOR
        share = math.fsum(result.share for result in found) + _PRIOR / 2
        played[first][second] = played[second][first] = games
        won[first] += share
        won[second] += games - share
    return [400 * math.log10(strength) for strength in _strengths(won, played)]


def _strengths(won: Sequence[float], played: Sequence[Sequence[float]]) -> list[float]:
    """What Bradley and Terry's chances are in proportion to, geometric mean 1, by Zermelo's iteration.

    won: by player. played: games of each with each. Each step raises the likelihood; who has not played stays at 1.
    """
    players = len(won)
    strength = [1.0] * players
    for _ in range(_STEPS):
        strength = [
            won[one] / sum(played[one][other] / (strength[one] + strength[other]) for other in range(players))
            if won[one]
            else 1.0
            for one in range(players)
        ]
        middle = math.exp(sum(map(math.log, strength)) / players)
        strength = [item / middle for item in strength]
    return strength
