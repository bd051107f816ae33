"""A played deal looked at again: the plays that lost something, by the open cards and by what the seat could know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .analysis import Analysis, analyse
from .game import SEATS, RuleError
from .position import Position
from .search import PARANOID, Limit


@dataclass(frozen=True)
class Slip:
    """A play that lost something.

    number: its place among the plays, from 1. seat: who played it. move: as text. best: what was best with all cards
    open. loss: how much the play cost against that, in `unit`. known_best, known_loss: the same by what the seat could
    know then, on average over the layouts it could not tell apart; known_stderr: the standard error of that.
    """

    number: int
    seat: str
    move: str
    unit: str
    best: list[str]
    loss: float
    known_best: list[str]
    known_loss: float
    known_stderr: float


def review(
    position: Position,
    *,
    objective: str = PARANOID,
    limit: Limit | None = None,
    seed: int = 0,
    threads: int = 1,
    report: Callable[[int, int], None] | None = None,
) -> list[Slip]:
    """Every play since the start of an open position that lost something, in the order they were made.

    limit: of each estimate of what a seat could know. report: is told how many of how many plays are looked at.
    Raises RuleError for a position with unseen cards or without plays, LimitMet.
    """
    if not position.is_open:
        raise RuleError("a review needs all cards open: hands, piles and stock", "hands")
    numbers = [at for at in range(len(position.moves)) if not position.game.declaring_phase(position.states[at])]
    if not numbers:
        raise RuleError("there is nothing to review: expected the plays of the deal", "plays")
    slips: list[Slip] = []
    for done, at in enumerate(numbers):
        if report is not None:
            report(done, len(numbers))
        before = position.before(at)
        if len(before.legal_moves) == 1:
            continue
        opened = analyse(before, objective=objective, limit=replace(limit or Limit(), samples=None))
        seen = before.observe(SEATS[before.actor or 0])
        known = analyse(seen, objective=objective, limit=limit, seed=seed, threads=threads)
        slip = _slip(done + 1, position.plays[at], opened, known)
        if slip.loss or slip.known_loss:
            slips.append(slip)
    return slips


def _slip(number: int, move: str, opened: Analysis, known: Analysis) -> Slip:
    """What a play lost by two analyses of the position before it."""
    return Slip(
        number=number,
        seat=opened.to_move or "",
        move=move,
        unit=opened.unit,
        best=opened.best,
        loss=opened.loss(move),
        known_best=known.best,
        known_loss=known.loss(move),
        known_stderr=next(found.loss_stderr or 0.0 for found in known.moves if found.move == move),
    )
