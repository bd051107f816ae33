"""Whole matches: deals by a shuffle that anybody can check, the players in turn, the score by the game's rules.

Fairness. The cards of deal number n, from 0, come from a generator that is written down here (`Shuffle`), keyed with
the text ``"SEED/deal/n"``; so who knows the seed can deal again. Before a deal is played its `commitment` can be
published: the SHA-256 of the text ``"NONCE POSITION"``, where POSITION is the whole deal as one line of JSON and NONCE
the SHA-256 of ``"SEED/nonce/n"`` in hex. After the deal both are revealed, and everybody can see that no card was
changed. Players are given generators of their own, from ``"SEED/player/NUMBER"`` by SHA-256, which tells nothing of
the seed. A seed that could be guessed, such as a small number, keeps no secret: leave it out, and 128 random bits are
taken.

Player number p sits in seat (p - first) of a deal; the deal passes on, so `first`, who sits in seat A, is the number
of the deal.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

from . import players as levels
from .game import Game, find_table, write_rules
from .notation import PositionError
from .players import Player
from .position import Position

MOST_DEALS: Final = 1000
"""A match that nobody has won by then ends without a winner: players may pass for ever."""

_WORD_BITS: Final = 64
_WORDS: Final = 1 << _WORD_BITS


class Shuffle(Random):
    """A generator from a text, the same on every machine and in every version of Python.

    Its stream are words of 64 bits, big-endian: the four of SHA-256("KEY/0"), those of SHA-256("KEY/1"), and so on. A
    number below n is the next word that is below the largest multiple of n, modulo n. A list is shuffled from its end:
    the item at place i changes places with the one at a number below i + 1, for i from the last down to 1.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.words = self._stream()
        super().__init__(0)

    def seed(self, *_: object, **__: object) -> None:
        """The key is all that it starts from."""

    def _stream(self) -> Iterator[int]:
        block = 0
        while True:
            digest = sha256(f"{self.key}/{block}".encode()).digest()
            for start in range(0, len(digest), 8):
                yield int.from_bytes(digest[start : start + 8], "big")
            block += 1

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        limit = _WORDS - _WORDS % n
        return next(word for word in self.words if word < limit) % n

    def shuffle(self, x: Any) -> None:
        """Shuffles a list in place."""
        for place in range(len(x) - 1, 0, -1):
            other = self.below(place + 1)
            x[place], x[other] = x[other], x[place]

    def getrandbits(self, k: int) -> int:
        """A number of k random bits."""
        value = 0
        for _ in range(-(-k // _WORD_BITS)):
            value = value << _WORD_BITS | next(self.words)
        return value >> (-k % _WORD_BITS)

    def random(self) -> float:
        """A number from 0 to 1, by the highest 53 bits of the next word."""
        return (next(self.words) >> 11) * 2.0**-53


def deal(game: Game[Any], seed: str, number: int, tally: Any = None, *, matched: bool = True) -> Position:
    """Deal number `number` of a match with that seed, all cards open, as the match stands; default, at its start.

    matched: does the position tell the match score? Without it players care for this deal alone.
    """
    tally = game.new_match() if tally is None else tally
    first = number % game.players
    state = game.deal(Shuffle(f"{seed}/deal/{number}"), tally, first)
    scores = tuple(tally.scores[(first + seat) % game.players] for seat in range(game.players))
    return Position(game, state, match=scores if matched else None)


def nonce(seed: str, number: int) -> str:
    """What is mixed into a deal's commitment, so that nobody can try out deals."""
    return sha256(f"{seed}/nonce/{number}".encode()).hexdigest()


def commitment(position: Position, secret: str) -> str:
    """The hash that commits to a deal, before any move has been made in it."""
    return sha256(f"{secret} {position.before(0).to_text()}".encode()).hexdigest()


def player_seed(seed: str, player: int) -> int:
    """The seed of a player's own generator."""
    return int.from_bytes(sha256(f"{seed}/player/{player}".encode()).digest()[:8], "big")


class RecordError(ValueError):
    """A record of a match that contradicts itself or the rules; the sentence says where."""


@dataclass(frozen=True)
class Deal:
    """One deal of a match.

    number: from 0. first: the player in seat A. commitment, nonce: see the module. position: the deal and its moves.
    score: by seat, None while the deal goes on. scores: the match's scores after it, by player.
    """

    number: int
    first: int
    commitment: str
    nonce: str
    position: Position
    score: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None

    def to_dict(self) -> dict[str, object]:
        """As a line of a record has it."""
        line: dict[str, object] = {
            "deal": self.number,
            "first": self.first,
            "commitment": self.commitment,
            "nonce": self.nonce,
            "position": self.position.to_dict(),
        }
        if self.score is not None and self.scores is not None:
            line |= {"score": list(self.score), "scores": list(self.scores)}
        return line


@dataclass
class Match:
    """A match as far as it has been played; `step` and `play` go on with it.

    game: the rules. names: of the players, usually levels. seed: of the deals. tally: the score. deals: those that are
    finished. position: the deal at hand, None once the match is over.
    """

    game: Game[Any]
    names: tuple[str, ...]
    seed: str
    most_deals: int = MOST_DEALS
    tally: Any = None
    deals: list[Deal] = field(default_factory=list)
    position: Position | None = None

    def __post_init__(self) -> None:
        if len(self.names) != self.game.players:
            raise ValueError(f"{len(self.names)} players for a table of {self.game.players}")
        self.tally = self.game.new_match() if self.tally is None else self.tally
        self._next_deal()

    # -- how it stands

    @property
    def number(self) -> int:
        """The number of the deal at hand, from 0."""
        return len(self.deals)

    @property
    def first(self) -> int:
        """The player in seat A of the deal at hand."""
        return self.number % self.game.players

    @property
    def winners(self) -> tuple[int, ...]:
        """The numbers of the players who have won; nobody while the match goes on."""
        return self.game.winners(self.tally)

    @property
    def over(self) -> bool:
        """Has somebody won, or have there been too many deals?"""
        return self.position is None

    @property
    def commitment(self) -> str:
        """Commits to the deal at hand."""
        assert self.position is not None
        return commitment(self.position, nonce(self.seed, self.number))

    @property
    def actor(self) -> int | None:
        """The number of the player to move; None when the match is over."""
        if self.position is None or self.position.actor is None:
            return None
        return (self.position.actor + self.first) % self.game.players

    # -- going on

    def step(self, move: str) -> None:
        """Makes a move in the deal at hand; at the deal's end it is counted, and the next is dealt.

        Raises IllegalMove, or another PositionError for a text that is no move and once the match is over.
        """
        if self.position is None:
            raise PositionError("the match is over")
        self.position.play(move)
        self._settle()

    def play(
        self,
        players: Sequence[Player] | None = None,
        *,
        deals: int | None = None,
        report: Callable[[Deal], None] | None = None,
    ) -> None:
        """Goes on to the end, or for so many deals.

        players: by number; default, those that the names stand for. report: is given every finished deal.
        """
        seated = self.create_players() if players is None else players
        last = self.number + deals if deals is not None else None
        while self.position is not None and self.number != last:
            actor = self.actor
            assert actor is not None and self.position.actor is not None
            before = self.number
            self.step(seated[actor].choose(self.position.observe(self.position.actor)))
            if report is not None and self.number > before:
                report(self.deals[-1])

    def create_players(self) -> list[Player]:
        """The players whose levels the names are, each with a generator of its own. Raises ValueError."""
        return [levels.from_text(name, player_seed(self.seed, number)) for number, name in enumerate(self.names)]

    def _settle(self) -> None:
        """Counts the deal at hand if it is over."""
        if self.position is not None and self.position.actor is None:
            state, first, number = self.position.state, self.first, self.number
            self.tally = self.game.count(self.tally, state, first)
            secret = nonce(self.seed, number)
            self.deals.append(
                Deal(
                    number,
                    first,
                    commitment(self.position, secret),
                    secret,
                    self.position,
                    self.game.score(state),
                    tuple(self.tally.scores),
                )
            )
            self._next_deal()

    def _next_deal(self) -> None:
        self.position = None
        if not self.winners and self.number < self.most_deals:
            self.position = deal(self.game, self.seed, self.number, self.tally)
            self._settle()

    # -- records

    def lines(self) -> Iterator[str]:
        """The record: a line of JSON about the match, then one for each deal, the last perhaps unfinished."""
        yield _json(
            {
                "match": self.game.name,
                "rules": write_rules(self.game),
                "players": list(self.names),
                "seed": self.seed,
                "most_deals": self.most_deals,
            }
        )
        for played in self.deals:
            yield _json(played.to_dict())
        if self.position is not None and self.position.moves:
            secret = nonce(self.seed, self.number)
            yield _json(Deal(self.number, self.first, self.commitment, secret, self.position).to_dict())
        if self.over:
            yield _json({"winners": list(self.winners)})

    def save(self, path: str | Path) -> None:
        """Writes the record, JSON lines; a reader never sees half of it."""
        target = Path(path)
        beside = target.with_name(target.name + ".part")
        beside.write_text("".join(f"{line}\n" for line in self.lines()), encoding="utf-8")
        beside.replace(target)

    @classmethod
    def from_lines(cls, lines: Iterable[str]) -> Match:
        """The match of a record, ready to be continued.

        Every deal is dealt again from the seed and every move made again. Raises RecordError where something differs.
        """
        rows = [_read(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        match = cls._begun(rows[0] if rows else {})
        for at, row in enumerate(rows[1:], 2):
            if "winners" in row:
                match._check(at, "winners", row["winners"], list(match.winners))
            else:
                match._replay(at, row)
        return match

    @classmethod
    def load(cls, path: str | Path) -> Match:
        """The match of a record file. Raises RecordError, OSError."""
        return cls.from_lines(Path(path).read_text(encoding="utf-8").splitlines())

    @classmethod
    def _begun(cls, row: dict[str, Any]) -> Match:
        try:
            game = find_table(row["match"], len(row["players"]), row.get("rules"))
            return cls(game, tuple(row["players"]), str(row["seed"]), int(row.get("most_deals", MOST_DEALS)))
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(f"line 1 does not begin the record of a match: {error!r}") from error

    def _replay(self, at: int, row: dict[str, Any]) -> None:
        if self.position is None:
            raise RecordError(f"line {at} has a deal after the match was over")
        try:
            told = dict(row["position"])
            moves = told.pop("plays", [])
            self._check(at, "deal", row["deal"], self.number)
            self._check(at, "cards", told, self.position.to_dict())
            self._check(at, "commitment", row["commitment"], self.commitment)
            number = self.number
            for move in moves:
                self.step(move)
        except (KeyError, TypeError, PositionError) as error:
            raise RecordError(f"line {at} is no deal of this match: {error}") from error
        if self.number > number:
            self._check(at, "score", row.get("score"), list(self.deals[number].score or ()))
            self._check(at, "scores", row.get("scores"), list(self.deals[number].scores or ()))

    @staticmethod
    def _check(at: int, what: str, told: object, found: object) -> None:
        if told != found:
            raise RecordError(f"line {at} has the {what} {told}; played again, it is {found}")


def play(
    game: str,
    players: Sequence[str | Player],
    *,
    rules: object = None,
    seed: int | str | None = None,
    report: Callable[[Deal], None] | None = None,
    most_deals: int = MOST_DEALS,
) -> Match:
    """A whole match, from the first deal to its end.

    players: levels, with or without budgets (see `players.from_text`), or players of your own. seed: default, random.
    Raises RuleError, ValueError.
    """
    match = new(
        game,
        [item if isinstance(item, str) else type(item).__name__ for item in players],
        rules=rules,
        seed=seed,
        most_deals=most_deals,
    )
    seated = [
        levels.from_text(item, player_seed(match.seed, number)) if isinstance(item, str) else item
        for number, item in enumerate(players)
    ]
    match.play(seated, report=report)
    return match


def new(
    game: str,
    names: Sequence[str],
    *,
    rules: object = None,
    seed: int | str | None = None,
    most_deals: int = MOST_DEALS,
) -> Match:
    """A match that has not begun. Raises RuleError for a game, rules or a number of players that there are not."""
    table = find_table(game, len(names), rules)
    return Match(table, tuple(names), secrets.token_hex(16) if seed is None else str(seed), most_deals)


def _json(row: dict[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _read(number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise RecordError(f"line {number} is not JSON: {error}") from error
    if not isinstance(row, dict):
        raise RecordError(f"line {number} is not an object of JSON")
    return row
