"""A picture of what each move may lead to. Needs matplotlib: `pip install kirtis[plot]`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .analysis import Analysis
from .game import RuleError


def plot(analysis: Analysis, path: str | Path) -> None:
    """Draws the distribution of results by move to a PNG or SVG file, the best move on top.

    Raises RuleError for an analysis without layouts, and where matplotlib is missing or cannot write the file.
    """
    if analysis.layouts is None:
        raise RuleError("there is nothing to draw: with all cards open every move has one result")
    figure, axes = _pyplot().subplots(figsize=(8, 1.5 + 0.35 * len(analysis.moves)), layout="constrained")
    _draw(axes, analysis)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise RuleError(f"the plot cannot be written to {str(path)!r}: {error}") from error


def _pyplot() -> Any:
    try:
        import matplotlib as mpl  # noqa: PLC0415 -- an extra: only who draws needs it
        from matplotlib import pyplot as plt  # noqa: PLC0415
    except ImportError as error:
        raise RuleError("plots need matplotlib: pip install kirtis[plot]") from error
    mpl.use("agg")
    return plt


def _draw(axes: Any, analysis: Analysis) -> None:
    """Stacked bars, a move a row: from the smallest result to the largest."""
    moves = analysis.moves[::-1]
    results = sorted({result for move in moves for result in move.outcomes or {}})
    colours = _pyplot().get_cmap("viridis")(np.linspace(0, 1, len(results)))
    left = np.zeros(len(moves))
    for result, colour in zip(results, colours, strict=True):
        shares = np.array([(move.outcomes or {}).get(result, 0.0) for move in moves])
        axes.barh([move.move for move in moves], shares, left=left, color=colour, label=f"{result:g}")
        left += shares
    axes.set_xlim(0, 1)
    axes.set_xlabel(f"share of layouts, by {analysis.unit} of {analysis.pov}")
    axes.legend(ncols=len(results), loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False, fontsize="small")
