"""Players of five strengths, who see only what their seat sees.

`random` plays anything legal. `novice` goes by rules of thumb. `club` solves a few layouts in the play and bids by
rules of thumb. `expert` solves as many layouts as its budget allows, all of them where they are few, and bids by what
contracts score in them. `master` also weighs layouts by what the moves of the others tell, asks a network that learned
by self-play, knows what contracts bring with closed cards, and plays for the match.

A player is a function of its seed and the observation: it has no memory, so it may be asked in any process, in any
order, and again. A budget of samples alone makes its moves the same on every machine; a budget of seconds is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from random import Random
from time import monotonic
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from . import novice
from .declaring import Declaring
from .estimate import blocks, mean_and_error
from .experience import FAILING, SEEN, Auctions, auctions, with_closed_cards
from .game import CLAIM, PASS, TRUMP, Game, Move, RuleError
from .games.sixty_six import GOAL
from .inference import told
from .judgement import judged
from .policy import LEARNED, likelihoods
from .position import Position
from .sampling import Layouts
from .search import Limit, LimitMet, Solvers, kernel, move_of, move_table, playout_table
from .utility import utility

LEVELS: Final = ("random", "novice", "club", "expert", "master")
"""From weakest to strongest."""

ADAPTERS: Final = {"openspiel": "openspiel_players"}
"""By library, the module that makes players of its players."""

_TABLE_MB: Final = 4
"""Small tables stay in the cache, and cost little to set up at every move."""
_CAREFUL: Final = 0.75
"""The share of a budget of seconds that goes into searching; the rest is for what surrounds it."""
_NODES: Final = 8_000_000
"""Search nodes that eight layouts may take where no seconds limit it: some seconds, which hardly any position needs."""
_BY_THUMB: Final = {"velnio_tuzinas"}
"""Games in which layouts are played out by rules of thumb: with all cards open everybody would cover or tuck as the
next hands allow, and the moves of somebody who does not see them look all alike."""

_SAY: Final = {"atspek": 0.4, "velnio_tuzinas": 0.7}
"""The share that a network has in what a move is worth, by game. Its errors are others than those of layouts, which
are of chance, and of taking all to see all cards."""

_CANDIDATES: Final = 10
"""Of so many layouts one is solved where the likely ones are chosen: to draw and weigh one costs little."""
_AT_A_TIME: Final = 16
"""So many of them are solved at a time: the clock is looked at in between."""


class Player(Protocol):
    """Somebody who plays."""

    def choose(self, observation: Position) -> str:
        """A legal move, as text, for the seat to move, whose `Position.observe` this is."""


@dataclass(frozen=True)
class Skill:
    """How a player calculates.

    seconds: for a move, None for no limit. samples: layouts solved for a move, by game; None for the usual number.
    enumerated: up to so many layouts all are solved. declares: are bids, trumps and announcements calculated too?
    weighs: are layouts weighed by what the others' moves tell? matched: is the match's score taken account of?
    corrects: are contracts worth what they were seen to bring with closed cards? judges: has a network a say?
    """

    seconds: float | None
    samples: Mapping[str, int]
    enumerated: int
    declares: bool = True
    weighs: bool = False
    matched: bool = False
    corrects: bool = False
    judges: bool = False


_FEW: Final = {"velnio_tuzinas": 40, "atspek": 4, "sixty_six": 4}
_MANY: Final = {"velnio_tuzinas": 2000, "atspek": 40, "sixty_six": 60, "plain": 40, "piramide": 200, "antikoziris": 100}
_MOST: Final = {**_MANY, "sixty_six": 300}
_SKILLS: Final = {
    "club": Skill(0.5, _FEW, 16, declares=False),
    "expert": Skill(1.0, _MANY, 400),
    "master": Skill(1.0, _MOST, 400, weighs=True, matched=True, corrects=True, judges=True),
}
_USUAL: Final = 8
"""Layouts for a move in a game that has no entry."""


def create(level: str, *, seed: int = 0, seconds: float | None = None, samples: int | None = None) -> Player:
    """A player of one of `LEVELS`.

    seed: of all it draws. seconds: the budget for a move; the levels that calculate have one of their own, at most 1,
    unless samples are given. samples: layouts to solve for a move. Raises ValueError for a level there is not and
    for budgets below what is possible.
    """
    if seconds is not None and not seconds > 0:
        raise ValueError(f"a budget is a number of seconds above 0, not {seconds!r}")
    if samples is not None and samples < 1:
        raise ValueError(f"a budget is a number of samples from 1, not {samples!r}")
    if level == "random":
        return RandomPlayer(seed)
    if level == "novice":
        return Novice()
    if level not in _SKILLS:
        raise ValueError(f"there is no level {level!r}; the levels are {', '.join(LEVELS)}")
    skill = _SKILLS[level]
    counts = skill.samples if samples is None else dict.fromkeys(skill.samples, samples)
    return Sampler(
        replace(
            skill,
            seconds=seconds if seconds is not None or samples is not None else skill.seconds,
            samples=counts,
            enumerated=skill.enumerated if samples is None else min(skill.enumerated, 4 * samples),
        ),
        seed,
        usual=_USUAL if samples is None else samples,
    )


def from_text(text: str, seed: int = 0) -> Player:
    """A player from a level and its budget as text: ``"expert"``, ``"expert:samples=20"``, ``"club:seconds=0.2"``.

    Those of other libraries begin with the library's name: ``"openspiel:ismcts:seconds=0.2"``. Raises ValueError.
    """
    level, _, rest = text.partition(":")
    if level in ADAPTERS:
        return _adapted(level, rest, seed)
    budget: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        name, _, number = part.partition("=")
        if name not in ("samples", "seconds"):
            raise ValueError(f"{part!r} is no budget; expected samples=N or seconds=S")
        try:
            budget[name] = int(number) if name == "samples" else float(number)
        except ValueError as error:
            raise ValueError(f"{number!r} is no number of {name}") from error
    return create(level, seed=seed, **budget)


def _adapted(library: str, text: str, seed: int) -> Player:
    """A player of another library, which is imported now."""
    try:
        adapter = import_module(f".adapters.{ADAPTERS[library]}", __package__)
    except ImportError as error:
        raise ValueError(f"players of {library} need an extra: pip install 'kirtis[{library}]'") from error
    made: Player = adapter.player(text, seed)
    return made


def seed_for(seed: int, observation: Position) -> int:
    """A seed for one move: the same wherever a player of that seed sees the same."""
    return int.from_bytes(sha256(f"{seed} {observation.to_text()}".encode()).digest()[:8], "big")


@dataclass(frozen=True)
class RandomPlayer:
    """Any legal move, all equally likely; but he knows when he has won."""

    seed: int

    def choose(self, observation: Position) -> str:
        """See `Player.choose`."""
        moves = [move for move in observation.game.moves(observation.state) if move.kind != CLAIM]
        random = Random(seed_for(self.seed, observation))
        return observation.write(_claim(observation) or random.choice(moves))


@dataclass(frozen=True)
class Novice:
    """What looks best by the rules of thumb in `novice`."""

    def choose(self, observation: Position) -> str:
        """See `Player.choose`."""
        return observation.write(novice.choose(observation.game, observation.state))


def _claim(position: Position) -> Move | None:
    """The announcement that the deal is won, if it may be made and is right."""
    claim = Move(CLAIM)
    if claim not in position.game.moves(position.state):
        return None
    return claim if novice.choose(position.game, position.state) == claim else None


# ---- players who calculate ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sampler:
    """Solves layouts of the cards it does not see, and takes what is best on average."""

    skill: Skill
    seed: int
    usual: int = _USUAL

    def choose(self, observation: Position) -> str:
        """See `Player.choose`."""
        return observation.write(self._move(observation))

    def _move(self, position: Position) -> Move:
        game, state = position.game, position.state
        moves = game.moves(state)
        declaring = game.declaring_phase(state)
        sure = moves[0] if len(moves) == 1 else _claim(position)
        if sure is not None:
            return sure
        if declaring and not self.skill.declares:
            return novice.choose(game, state)
        thought = _Thought(position, self.skill, seed_for(self.seed, position), self.usual)
        try:
            worths = thought.declarations() if declaring else thought.plays()
        except RuleError:  # too large for the kernel, such as a hand of 26 cards
            worths = {}
        known = [move for move in moves if move in worths]
        return _best(game, state, {move: worths[move] for move in known}) if known else novice.choose(game, state)


Worth = tuple[float, float]
"""What a move is worth to the one to move, and how much less than the best it may be by chance alone."""

_NEAR: Final = {"velnio_tuzinas": 1.0}
"""Moves that are so many standard errors behind the best are taken for equal to it, by game. In Velnio tuzinas, where
most moves lead to much the same, rules of thumb tell more than a few layouts do."""
_USUALLY_NEAR: Final = 0.5
"""The same in other games."""


def _best(game: Game[Any], state: Any, worths: Mapping[Move, Worth]) -> Move:
    """The best move; among those that are equal to it for all one knows, what looks best to a beginner."""
    top = max(worth for worth, _ in worths.values())
    errors = _NEAR.get(game.name, _USUALLY_NEAR)
    near = [move for move, (worth, error) in worths.items() if worth >= top - errors * error - 1e-9]
    return max(near, key=lambda move: novice.merit(game, state, move))


class _Thought:
    """One player's thinking about one position, against the clock."""

    def __init__(self, position: Position, skill: Skill, seed: int, usual: int) -> None:
        self.position, self.game, self.state = position, position.game, position.state
        self.skill, self.seed = skill, seed
        self.samples = skill.samples.get(self.game.name, usual)
        self.deadline = None if skill.seconds is None else monotonic() + _CAREFUL * skill.seconds
        seat = position.actor
        assert seat is not None
        self.seat = seat

    @cached_property
    def solvers(self) -> Solvers:
        """The kernel at work, its table warm from layout to layout."""
        return Solvers(type(self.game), table_mb=_TABLE_MB)

    def _left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def _limit(self) -> Limit:
        left = self._left()
        return Limit(time=left, nodes=_NODES if left is None else None, table_mb=_TABLE_MB)

    def _blocks(self, layouts: Layouts) -> Iterator[NDArray[np.int64]]:
        wanted = layouts.count if layouts.count <= self.skill.enumerated else self.samples
        return blocks(layouts, wanted, self.samples, self.seed)[1]

    # -- the play

    def plays(self) -> dict[Move, Worth]:
        """What the moves are worth, on average over the layouts that could be solved; empty if none could."""
        if kernel(type(self.game)) is None:
            return {}
        layouts = Layouts(self.position)
        state = self._automatic(self.state)
        worth = utility(self.position, matched=self.skill.matched)
        solved: dict[Move, list[NDArray[np.float64]]] = {}
        weights: list[NDArray[np.float64]] = []
        for part, likely in self._chosen(layouts):
            found, done = self._solved(layouts.rows(part, state=state))
            weight = None
            if done:
                weight = self._weights(layouts, part[:done]) if likely is None else likely[:done]
            if weight is None and (weights or not done):
                break
            weights.append(np.ones(done) if weight is None else weight)
            for move, values in found.items():
                solved.setdefault(move, []).append(_mapped(worth, values))
            if done < len(part) or self._left() == 0:
                break
        whole = {move: np.concatenate(values) for move, values in solved.items() if len(values) == len(weights)}
        return self._judged_too(_worths(whole, np.concatenate(weights)), layouts) if weights else {}

    def _judged_too(self, worths: dict[Move, Worth], layouts: Layouts) -> dict[Move, Worth]:
        """What moves are worth when a network has its say, unless there is none, or all cards are known."""
        gains = judged(self.position, layouts) if self.skill.judges and layouts.count > 1 else {}
        if not gains:
            return worths
        say = _SAY[self.game.name]
        return {move: ((1 - say) * worth + say * gains[move], 0.0) for move, (worth, _) in worths.items()}

    def _automatic(self, state: Any) -> Any:
        """The state for the search, which ends a deal when somebody has 66: not yet, if he did not say so."""
        if not getattr(state, "claims", False):
            return state
        return state._replace(points=tuple(min(have, GOAL - 1) for have in state.points))

    def _solved(self, rows: NDArray[np.int64]) -> tuple[dict[Move, NDArray[np.float64]], int]:
        """By move its value in each layout that could be solved, and how many could."""
        if self.game.name in _BY_THUMB:
            table = playout_table(type(self.game), rows)
        else:
            table = move_table(self.solvers, rows, limit=self._limit())
        done = len(rows) if table.done.all() else int(table.done.argmin())
        values: dict[Move, NDArray[np.float64]] = {}
        sign = self.game.sign(self.state)
        for place in range(int(table.counts[0]) if done else 0):
            move = move_of(int(table.codes[0, place]))
            column = table.codes[:done] == table.codes[0, place]
            values[move] = np.asarray(sign * table.values[:done][column], dtype=np.float64)
        return values, done

    def _chosen(self, layouts: Layouts) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64] | None]]:
        """Layouts in blocks, and how likely each is, where that is known before they are solved."""
        if not self.skill.weighs or self.game.name not in LEARNED:
            yield from ((part, None) for part in self._blocks(layouts))
            return
        chosen, likely = self._sifted(layouts)
        for first in range(0, len(chosen), _AT_A_TIME):
            yield chosen[first : first + _AT_A_TIME], likely[first : first + _AT_A_TIME]

    def _sifted(self, layouts: Layouts) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """All layouts if they are few, else the likely ones of many, in random order; and how likely they are.

        Each of many is taken as often as its share of all weights says, by systematic resampling; one that is taken
        several times is solved once.
        """
        if layouts.count <= self.skill.enumerated:
            every = np.concatenate(list(self._blocks(layouts)))
            return every, likelihoods(self.position, layouts, every, self.seed)
        drawn = layouts.sample(_CANDIDATES * self.samples, self.seed)
        shares = np.cumsum(likelihoods(self.position, layouts, drawn, self.seed))
        random = np.random.default_rng([self.seed, 1])
        marks = (random.random() + np.arange(self.samples)) / self.samples
        found, times = np.unique(np.searchsorted(shares / shares[-1], marks), return_counts=True)
        order = random.permutation(len(found))
        return drawn[found[order]], times[order].astype(np.float64)

    def _weights(self, layouts: Layouts, part: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """How likely layouts are; None if the limit is met before all are known."""
        if not self.skill.weighs:
            return np.ones(len(part))
        try:
            return told(self.position, layouts, part, self.solvers, self._limit)
        except LimitMet:
            return None

    # -- before the play

    def declarations(self) -> dict[Move, Worth]:
        """What bids, announcements or trumps are worth, on average over layouts; empty if none could be solved."""
        layouts = self._dealt()
        contracts = {move: self._contracts(self.game.play(self.state, move)) for move in self.game.moves(self.state)}
        scores: dict[Any, list[NDArray[np.float64]]] = {state: [] for found in contracts.values() for state in found}
        for part in self._small_blocks(layouts):
            try:
                search = Declaring(self.game, self._rows(layouts, part), self.seat, limit=self._limit())
                fresh: dict[Any, NDArray[np.float64]] = {}
                for state in scores:
                    search.limit = self._limit()
                    fresh[state] = self._declared(search, state)
            except LimitMet:
                break
            for state, worth in fresh.items():
                scores[state].append(worth)
            if self._left() == 0:
                break
        if not all(scores.values()):
            return {}
        known = {state: np.concatenate(worth) for state, worth in scores.items()}
        size = len(next(iter(known.values())))
        worths = {move: self._outcome(move, found, known, size) for move, found in contracts.items()}
        means = _worths(worths, self._told_by_bids(worths, size))
        sure = self.auctions is SEEN  # rules of thumb know less of auctions
        return {move: (mean, 0.0) for move, (mean, _) in means.items()} if sure else means

    def _outcome(
        self, move: Move, contracts: list[Any], known: Mapping[Any, NDArray[np.float64]], size: int
    ) -> NDArray[np.float64]:
        """What a declaration is worth in each layout, from what the contracts are worth in which it may end.

        Whoever plays names his best trumps: one's own by the mean, another one's as if he saw the cards. A bid may be
        outbid, and then, as after passing when nobody has bid, the deal is worth what passing was found to be worth.
        """
        auction = self.auctions
        if not contracts:
            return np.full(size, auction.first.get(self._to_speak(), 0.0))
        worths = [known[state] for state in contracts]
        if self.game.pov(contracts[0]) != self.seat:
            after = auction.after.get(contracts[0].contract.bid)
            return np.asarray(np.min(worths, axis=0)) if after is None else np.full(size, after)
        own = max(worths, key=lambda worth: float(worth.mean()))
        if self.game.name != "antikoziris" or move.bid is None:
            return own
        outbid = 1 - (1 - auction.outbid.get(move.bid, 0.0)) ** (self._to_speak(others=True) / 2)
        return np.asarray((1 - outbid) * own + outbid * auction.first[2])

    @property
    def auctions(self) -> Auctions:
        """What is expected of auctions."""
        return auctions(self.game, seen=self.skill.corrects)

    def _to_speak(self, *, others: bool = False) -> int:
        """In an auction, how many other seats have yet to speak for the first time, or with `others` may still bid."""
        bids = getattr(self.state, "bids", ())
        return 2 - bids.count(None) if others else max(0, 2 - len(bids))

    def _told_by_bids(self, worths: Mapping[Move, NDArray[np.float64]], size: int) -> NDArray[np.float64]:
        """How likely the layouts are after somebody else's bid: he will rather have a hand that makes it."""
        if self.game.name != "antikoziris" or not any(bid is not None for bid in self.state.bids):
            return np.ones(size)
        return np.where(worths[Move(PASS)] < 0, 1.0, FAILING) if Move(PASS) in worths else np.ones(size)

    def _dealt(self) -> Layouts:
        """The layouts of all that will lie on the table when the play begins: Atspėk deals on after the trump."""
        if self.game.name != "atspek":
            return Layouts(self.position)
        ahead = self.position.copy()
        ahead.play(self.game.moves(self.state)[0])
        return Layouts(ahead)

    def _small_blocks(self, layouts: Layouts) -> Iterator[NDArray[np.int64]]:
        for part in self._blocks(layouts):
            yield from (part[first : first + _AT_ONCE] for first in range(0, len(part), _AT_ONCE))

    @staticmethod
    def _rows(layouts: Layouts, part: NDArray[np.int64]) -> Callable[[Any], NDArray[np.int64]]:
        return lambda state: layouts.rows(part, state=state)

    def _contracts(self, state: Any) -> list[Any]:
        """The states in which the play may begin if all others pass; none if nobody plays."""
        seat = self.game.actor(state)
        if seat is None:
            return []
        if not self.game.declaring_phase(state):
            return [state]
        moves = self.game.moves(state)
        if moves[0].kind == TRUMP:
            return [self.game.play(state, move) for move in moves]
        return self._contracts(self.game.play(state, Move(PASS)))

    def _declared(self, search: Declaring, state: Any) -> NDArray[np.float64]:
        """What playing a contract is worth to the one who thinks, in each layout."""
        scores = search.scores(state)
        own: NDArray[np.float64] = scores[:, self.seat].astype(np.float64)
        if self.game.name == "antikoziris":
            own -= np.delete(scores, self.seat, axis=1).sum(axis=1) / 2
        if self.skill.corrects and self.game.pov(state) == self.seat:
            own = with_closed_cards(self.game, getattr(state, "contract", None), own)
        if self.game.name == "antikoziris":
            return own
        if self.game.name == "atspek":
            return search.outlook(state)[:, self.seat] + own
        later = self.game.later(state) if self.position.match is not None else None
        return own + (later or 0.0)


_AT_ONCE: Final = 8
"""Layouts for which bids are compared at a time: the clock is looked at in between."""


def _mapped(worth: Callable[[int], float], values: NDArray[np.float64]) -> NDArray[np.float64]:
    worths = {value: worth(int(value)) for value in set(values.tolist())}
    return np.array([worths[value] for value in values.tolist()], dtype=np.float64)


def _worths(values: Mapping[Move, NDArray[np.float64]], weights: NDArray[np.float64]) -> dict[Move, Worth]:
    """Means over layouts, and the standard errors of what the moves are behind the best."""
    means = {move: float(np.average(found, weights=weights)) for move, found in values.items()}
    best = values[max(means, key=lambda move: means[move])]
    return {
        move: (means[move], mean_and_error(best - found, weights)[1] if len(found) > 1 else 0.0)
        for move, found in values.items()
    }
