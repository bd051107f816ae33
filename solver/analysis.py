"""What is the best move, how much better than the rest, and how sure is that."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .declaring import Declaring, names_trump
from .estimate import Estimate, Estimator, blocks, mean_and_error
from .game import BID, PASS, SEATS, TRUMP, Game, Move, Phrase, RuleError
from .position import Position
from .reference import max_n_order
from .sampling import Layouts
from .search import MAX_N, PARANOID, Limit, objective_of, packed, solve, wants_most

Value: TypeAlias = int | float | tuple[int, ...] | tuple[float, ...]
Report: TypeAlias = Callable[["Analysis"], None]

_DECIMALS: Final = 9


@dataclass(frozen=True)
class MoveValue:
    """One legal move and what it is worth.

    move: as text. value: in the analysis' unit, for its pov, the mean over layouts where cards are unseen; with `max_n`
    one for each seat.

    Where cards are unseen also, None where too few layouts tell: stderr, the standard error of the value. wins: the
    share of layouts in which the mover's side gets what it plays for. samples: how many layouts it was solved in. loss,
    loss_stderr: how much worse it is than the best move, and the standard error of that difference. outcomes: by
    result, the share of layouts in which the move leads to it.

    Before the play also: trump, the suit to name if a bid wins the auction. points: the expected deal score, where
    trumps are named and the value counts tricks. declarer, defenders: what a bid scores on average for the bidder and
    for each defender if the others let him play it. overall: with what the further deals of the match are expected to
    bring, where an announcement made now is not open later.
    """

    move: str
    value: Value
    stderr: float | None = None
    wins: float | None = None
    samples: int | None = None
    loss: float | None = None
    loss_stderr: float | None = None
    outcomes: dict[float, float] | None = None
    trump: str | None = None
    points: float | None = None
    declarer: float | None = None
    defenders: float | None = None
    overall: float | None = None


@dataclass(frozen=True)
class Analysis:
    """Every legal move of a position with its value, best first.

    game: its name. to_move: the seat, None when the deal is over. pov: the seat for which values are counted.
    unit: what they count. objective: minimax, paranoid or max_n. exact: is the value proved, for every possible layout.
    value: of the position. best: all moves that are optimal. moves: all legal moves, best first, in listed order among
    equals. line: the best continuation, where all cards are open. nodes: search nodes. seconds: time taken.
    layouts, samples: how many there are, where cards are unseen, and how many of them were solved. depth: where the
    search had to end before the deal did, how many tricks it reached; what comes after them is estimated.
    best_overall: the moves that are best for the whole match, where that is another question. interrupted: True where
    Ctrl-C ended the search or the estimate. words: the value for people, where it is no mean.
    """

    game: str
    to_move: str | None
    pov: str
    unit: str
    objective: str
    exact: bool
    value: Value
    best: list[str]
    moves: list[MoveValue]
    line: list[str]
    nodes: int
    seconds: float
    layouts: int | None = None
    samples: int | None = None
    depth: int | None = None
    best_overall: list[str] | None = None
    interrupted: bool | None = None
    words: Phrase | None = None

    def loss(self, move: str) -> float:
        """How much worse a move is than the best, for the one to move, in `unit`. Raises KeyError for another move."""
        seat = 0 if self.to_move is None else SEATS.index(self.to_move)
        own = {found.move: found.value[seat] if isinstance(found.value, tuple) else found.value for found in self.moves}
        return round(abs(own[move] - own[self.best[0]]), _DECIMALS)

    def to_dict(self) -> dict[str, object]:
        """The answer as a position file's answer has it, ready for JSON."""
        answer = {name: entry for name, entry in vars(self).items() if name != "words" and entry is not None}
        answer["to_move"] = self.to_move
        answer["moves"] = [_told(move) for move in self.moves]
        return {name: answer[name] for name in vars(self) if name in answer}


def _told(move: MoveValue) -> dict[str, object]:
    """What an answer says of a move; the distribution of its results is for plots."""
    return {name: entry for name, entry in vars(move).items() if entry is not None and name != "outcomes"}


def analyse(
    position: Position,
    *,
    objective: str = PARANOID,
    limit: Limit | None = None,
    seed: int = 0,
    threads: int = 1,
    report: Report | None = None,
    weigh: Callable[[Any], float] | None = None,
) -> Analysis:
    """Every legal move of a position with its value: exact where all cards are open, else estimated over layouts.

    Before the play the moves are bids, announcements or trumps.

    seed: of the layouts; the same seed gives the same answer whatever the number of threads, unless time runs out.
    report: is given the intermediate answers of a longer estimate. Ctrl-C ends an estimate with what it has.
    weigh: how likely a layout is, from its open state to a number from 0, to take account in the play of what bids and
    plays tell; default, all are equally likely.
    Raises RuleError for a position that is too large or has no layout, LimitMet, ValueError for an objective there is
    not.
    """
    begun = time.perf_counter()
    asked = _Question(position, objective_of(position.game, objective), limit or Limit(), seed, threads, weigh)
    answer: Analysis | None = None
    try:
        for found in asked.answers(streamed=report is not None):
            answer = replace(found, seconds=round(time.perf_counter() - begun, 6))
            if report is not None:
                report(answer)
    except KeyboardInterrupt:
        if answer is None:
            raise
        answer = replace(answer, interrupted=True)
    assert answer is not None
    return answer


def suggest_bid(position: Position, **how: Any) -> Analysis:
    """`analyse` for a position in which a seat is to bid, announce or pass. Raises RuleError in any other."""
    return _suggest(position, (BID, PASS), "to bid or to announce", how)


def suggest_trump(position: Position, **how: Any) -> Analysis:
    """`analyse` for a position in which a seat is to name trumps, alone or with an announcement. Raises RuleError."""
    return _suggest(position, (TRUMP, BID), "to name trumps", how)


def _suggest(position: Position, kinds: tuple[str, ...], what: str, how: dict[str, Any]) -> Analysis:
    seat = position.actor
    moves = [] if seat is None else position.game.moves(position.state)
    if not moves or moves[0].kind not in kinds:
        legal = f"{SEATS[seat]} may {', '.join(position.write(move) for move in moves)}" if seat is not None else ""
        raise RuleError(f"nobody is {what} here: {legal or 'the deal is over'}")
    return analyse(position, **how)


@dataclass(frozen=True)
class _Question:
    """A position and how it is to be analysed; `answers` gives one answer or several, each better than the last."""

    position: Position
    objective: str
    limit: Limit
    seed: int
    threads: int
    weigh: Callable[[Any], float] | None

    @property
    def game(self) -> Game[Any]:
        return self.position.game

    @property
    def state(self) -> Any:
        return self.position.state

    def answers(self, *, streamed: bool) -> Iterator[Analysis]:
        if self.position.actor is not None and self.game.declaring_phase(self.state):
            return self._declaring(streamed)
        return iter([self._open()]) if self.position.is_open or self.position.actor is None else self._hidden()

    # -- all cards open

    def _open(self) -> Analysis:
        solved = solve(self.game, self.state, self.objective, self.limit)
        ranks = {move: self._rank(value) for move, value in solved.moves.items()}
        told = {move: {"value": value} for move, value in solved.moves.items()}
        return replace(
            self._answer(ranks, told, solved.value, solved.nodes),
            objective=solved.objective,
            exact=solved.depth is None,
            depth=solved.depth,
            line=[self.position.write(move) for move in solved.line],
            interrupted=solved.interrupted or None,
        )

    def _rank(self, value: Value) -> tuple[float, ...]:
        """How the one to move ranks a value: more is better."""
        if isinstance(value, tuple):
            seat = self.position.actor
            assert seat is not None
            return max_n_order(value, seat)
        return (value if wants_most(self.game, self.state) else -value,)

    # -- the play with unseen cards

    def _hidden(self) -> Iterator[Analysis]:
        estimator = Estimator(self.position, self.objective, threads=self.threads, limit=self.limit, weigh=self.weigh)
        sign = 1 if wants_most(self.game, self.state) else -1
        for estimate in estimator.estimates(self.seed):
            yield replace(self._estimated(estimate, sign), depth=estimator.horizon or None)
            precision = None if estimate.exact or self.objective == MAX_N else self.limit.precision
            if precision is not None and estimate.separated(sign, precision):
                return

    def _estimated(self, estimate: Estimate, sign: int) -> Analysis:
        own = estimate.values if estimate.values.ndim == 2 else estimate.values[:, :, self.position.actor]
        means = [_mean_value(column, estimate.weights) for column in np.moveaxis(estimate.values, 1, 0)]
        ranks = {move: self._rank(value) for move, value in zip(estimate.moves, means, strict=True)}
        first = estimate.moves.index(max(ranks, key=lambda move: ranks[move]))
        told = {
            move: {"value": value, **self._spread(own[:, at], sign * (own[:, first] - own[:, at]), estimate)}
            for at, (move, value) in enumerate(zip(estimate.moves, means, strict=True))
        }
        return replace(
            self._answer(ranks, told, means[first], estimate.nodes),
            exact=estimate.exact,
            layouts=estimate.layouts,
            samples=len(estimate.values),
        )

    def _spread(self, values: NDArray[np.float64], losses: NDArray[np.float64], estimate: Estimate) -> dict[str, Any]:
        """How sure a mean over layouts is, and what it stands for."""
        seat = self.position.actor
        assert seat is not None
        known = ~np.isnan(values)
        won = {value: self.game.succeeds(self.state, seat, int(value)) for value in np.unique(values[known])}
        wins = np.array([won.get(value, np.nan) for value in values], dtype=np.float64)
        loss, loss_error = mean_and_error(losses, estimate.weights)
        return {
            "stderr": 0.0 if estimate.exact else _finite(mean_and_error(values, estimate.weights)[1]),
            "wins": mean_and_error(wins, estimate.weights)[0],
            "samples": int(known.sum()),
            "loss": _finite(loss),
            "loss_stderr": 0.0 if estimate.exact else _finite(loss_error),
            "outcomes": _outcomes(values[known], estimate.weights[known]),
        }

    # -- before the play

    def _declaring(self, streamed: bool) -> Iterator[Analysis]:
        if self.position.is_open:
            yield self._declared_openly()
            return
        layouts = self._dealt_layouts()
        every, parts = blocks(layouts, self.limit.samples, self.game.usual_samples, self.seed)
        drawn = np.concatenate(list(parts))
        begun = time.monotonic()
        for size in _sizes(len(drawn), streamed or self.limit.time is not None):
            yield self._declared_over(layouts, drawn[:size], exact=every and size == layouts.count)
            spent = time.monotonic() - begun
            if self.limit.time is not None and _GROWTH * spent > self.limit.time:
                return

    def _dealt_layouts(self) -> Layouts:
        """The layouts of all that will lie on the table when the play begins: Atspėk deals on after the trump."""
        ahead = self.position.copy()
        ahead.play(self.game.moves(self.state)[0])
        dealt = Layouts(ahead)
        here = Layouts(self.position)
        return dealt if len(dealt.slots) > len(here.slots) else here

    def _declared_openly(self) -> Analysis:
        """The declarations of a deal whose cards are all open, and the line that follows."""
        search = self._auction(lambda state: packed(self.game, state, self.game.pov(state)))
        answer = self._declared(search, {})
        line = self._line(search)
        return replace(answer, line=line, nodes=search.nodes)

    def _declared_over(self, layouts: Layouts, drawn: NDArray[np.int64], *, exact: bool) -> Analysis:
        """The declarations over layouts that were drawn, int64[n, slots]. exact: are these all there are?"""
        search = self._auction(lambda state: layouts.rows(drawn, state=state))
        worths = self._worths(search)
        best = _best_worth(worths)
        spreads = {move: _declared_spread(worth, best, exact=exact) for move, worth in worths.items()}
        return replace(
            self._declared(search, spreads),
            exact=exact,
            layouts=layouts.count,
            samples=len(drawn),
        )

    def _auction(self, rows: Callable[[Any], NDArray[np.int64]]) -> Declaring:
        assert self.position.actor is not None
        return Declaring(self.game, rows, self.position.actor, threads=self.threads, limit=self.limit)

    def _worths(self, search: Declaring) -> dict[Move, NDArray[np.float64]]:
        """What each declaration is worth to the one who speaks, by layout: float64[n]."""
        return {move: outlook[:, search.asker] for move, outlook in search.moves(self.state).items()}

    def _declared(self, search: Declaring, spreads: Mapping[Move, dict[str, Any]]) -> Analysis:
        """An answer about declarations. spreads: by move, how sure its mean over layouts is."""
        worths = self._worths(search)
        told = {
            move: {"value": _plain(worth.mean()), **self._beside(search, move), **spreads.get(move, {})}
            for move, worth in worths.items()
        }
        ranks = {move: (float(worth.mean()),) for move, worth in worths.items()}
        answer = self._answer(ranks, told, _plain(_best_worth(worths).mean()), search.nodes)
        return replace(answer, unit=self.game.declaring_unit)

    def _beside(self, search: Declaring, move: Move) -> dict[str, Any]:
        """What is told of a declaration beside its value: of the contract in which it ends if the others pass."""
        seat = search.asker
        contract = search.contract_of(self.state, move)
        if contract is None:
            return {}
        values = search.values(contract)
        told: dict[str, Any] = {"wins": float(np.mean([self.game.succeeds(contract, seat, int(v)) for v in values]))}
        scores = search.scores(contract)
        later = self.game.later(contract)
        if later is not None:
            told["overall"] = _plain(scores[:, seat].mean() + later)
        if self.game.declaring_unit != "score":
            return told | {"points": _plain(scores[:, seat].mean())}
        if names_trump(move, contract) is None:
            return told
        others = np.delete(scores, seat, axis=1)
        return told | {
            "trump": names_trump(move, contract),
            "declarer": _plain(scores[:, seat].mean()),
            "defenders": _plain(others.max(axis=1).mean()),
        }

    def _line(self, search: Declaring) -> list[str]:
        """The best declarations and the play that follows, all cards being open."""
        declared = search.line(self.state)
        ahead = self.position.copy()
        for move in declared:
            ahead.play(move)
        play = [] if ahead.actor is None else solve(self.game, ahead.state, limit=self.limit).line
        return [self.position.write(move) for move in [*declared, *play]]

    # -- the answer

    def _words(self, value: float) -> Phrase | None:
        """The value in words, where it is one that a deal can have."""
        return self.game.worth(self.state, value) if isinstance(value, int) else None

    def _answer(
        self,
        ranks: Mapping[Move, tuple[float, ...]],
        told: Mapping[Move, dict[str, Any]],
        value: Value,
        nodes: int,
    ) -> Analysis:
        """An analysis from the rank of each move and what is told of it: exact, in the game's unit, without a line."""
        ranked = sorted(ranks, key=lambda move: ranks[move], reverse=True)
        write = self.position.write
        actor = self.position.actor
        pov = self.game.pov(self.state)
        return Analysis(
            game=self.game.name,
            to_move=None if actor is None else SEATS[actor],
            pov=SEATS[pov],
            unit=self.game.unit,
            objective=self.objective,
            exact=True,
            value=value,
            best=[write(move) for move in ranked if ranks[move] == ranks[ranked[0]]],
            moves=[MoveValue(write(move), **told[move]) for move in ranked],
            line=[],
            nodes=nodes,
            seconds=0.0,
            best_overall=_best_overall(told, write),
            words=self._words(value[pov] if isinstance(value, tuple) else value),
        )


_GROWTH: Final = 4
"""How many times as many layouts the next answer about declarations takes."""


def _best_worth(worths: Mapping[Move, NDArray[np.float64]]) -> NDArray[np.float64]:
    """The worth by layout of the declaration that is best on average."""
    return max(worths.values(), key=lambda worth: worth.mean())


def _sizes(total: int, streamed: bool) -> list[int]:
    """How many layouts each answer takes; all at once, or growing so that there is soon a first answer."""
    return sorted({max(1, total // _GROWTH**2), max(1, total // _GROWTH), total}) if streamed else [total]


def _best_overall(told: Mapping[Move, dict[str, Any]], write: Callable[[Move], str]) -> list[str] | None:
    """The moves that are best for the whole match; None if nothing is told about that."""
    overall = {move: facts["overall"] for move, facts in told.items() if "overall" in facts}
    return [write(move) for move in overall if overall[move] == max(overall.values())] or None


def _plain(number: Any) -> int | float:
    """A mean as a whole number where it is one, else rounded to what is worth writing."""
    rounded = round(float(number), _DECIMALS)
    return int(rounded) if rounded.is_integer() else rounded


def _mean_value(values: NDArray[np.float64], weights: NDArray[np.float64]) -> Value:
    """The mean of a move's values over layouts, float64[n], or of each seat's, float64[n, seats]."""
    if values.ndim == 1:
        return round(mean_and_error(values, weights)[0], _DECIMALS)
    return tuple(round(mean_and_error(column, weights)[0], _DECIMALS) for column in values.T)


def _finite(number: float) -> float | None:
    """A figure rounded to what is worth writing; None where a single layout, or none, does not tell."""
    return round(number, _DECIMALS) if np.isfinite(number) else None


def _outcomes(values: NDArray[np.float64], weights: NDArray[np.float64]) -> dict[float, float]:
    """The share of the layouts' weight by result, from the smallest result up."""
    return {float(value): float(weights[values == value].sum() / weights.sum()) for value in np.unique(values)}


def _declared_spread(worth: NDArray[np.float64], best: NDArray[np.float64], *, exact: bool) -> dict[str, Any]:
    alike = np.ones(len(worth))
    loss, loss_error = mean_and_error(best - worth, alike)
    return {
        "stderr": 0.0 if exact else _finite(mean_and_error(worth, alike)[1]),
        "samples": len(worth),
        "loss": _finite(loss),
        "loss_stderr": 0.0 if exact else _finite(loss_error),
        "outcomes": _outcomes(worth, alike),
    }
