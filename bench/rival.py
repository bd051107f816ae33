"""Other solvers, asked the same questions about the same deals in the same run.

A rival's deals, questions and answers are prepared outside the measured time. Its answers are compared with ours: a
ratio means something only where both answer alike.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

from . import dds, schnapsen_bot

Measure = Callable[[int], float]
"""Answers a question about the first so many deals; the processor time that it took, in seconds."""


@dataclass(frozen=True)
class Rival:
    """Another solver and one question that it answers.

    name: also of its results. row: whose deals it gets. title: in the table. package: that has to be installed.
    deals: how many of them it gets at most, since it has one call for each. ours, theirs: the measurements.
    answers: how many answers a deal has. there: seconds an answer took it on the machine that the targets are of.
    """

    name: str
    row: str
    title: str
    package: str
    deals: int
    ours: Measure
    theirs: Measure
    answers: int = 1
    there: float | None = None

    @property
    def installed(self) -> bool:
        """Is its package here?"""
        return importlib.util.find_spec(self.package) is not None


RIVALS = (
    Rival(
        "dds_value",
        "bridge",
        "Bridge: value of a deal",
        "endplay",
        50,
        dds.our_values,
        dds.their_values,
        there=0.0147,
    ),
    Rival("dds_best", "bridge", "Bridge: all best leads", "endplay", 50, dds.our_best, dds.their_best),
    Rival(
        "dds_leaders",
        "bridge",
        "Bridge: value with each seat on lead",
        "endplay",
        50,
        dds.our_table,
        dds.their_table,
        4,
    ),
    Rival(
        "schnapsen_bot",
        "schnapsen",
        "Schnapsen: value of an ending",
        "schnapsen",
        200,
        schnapsen_bot.our_values,
        schnapsen_bot.their_values,
    ),
)
