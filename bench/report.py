"""The tables that the suite prints."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from rich.table import Table

from .rival import RIVALS, Rival
from .row import Row
from .signature import Answers
from .subject import OURS, THEIRS
from .threads import Round
from .timing import Seconds, spread


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def in_words(seconds: float) -> str:
    """A time with three digits and its unit."""
    for unit, size in (("us", 1e-6), ("ms", 1e-3)):
        if seconds < 999.5 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def _times(values: list[float]) -> tuple[str, str]:
    middle, least, greatest = spread(values)
    return in_words(middle), f"{in_words(least)} - {in_words(greatest)}"


def ratio(value: float) -> str:
    """A ratio, green where we are as fast as was asked for, else red."""
    digits = f"{value:.2f}" if value >= 0.1 else f"{value:.1g}"
    return f"[{'green' if value <= 1 else 'red'}]{digits}[/]"


def against(rival: str, seconds: Seconds) -> float:
    """Our time over a rival's."""
    return median(seconds[f"{rival}.{OURS}"]) / median(seconds[f"{rival}.{THEIRS}"])


def pace(seconds: Seconds) -> float | None:
    """How much longer this machine takes than that of the targets, by rivals timed on both; None without any."""
    known = [(rival.there, seconds.get(f"{rival.name}.{THEIRS}")) for rival in RIVALS]
    ratios = [median(here) / there for there, here in known if there and here]
    return median(ratios) if ratios else None


def _aim(row: Row, seconds: Seconds) -> list[str]:
    """A row's target, what came out over it, and that at the pace of the machine which the target is of; nothing if the
    target is a rival that was not measured."""
    if not isinstance(row.target, str):
        aim, slower = row.target * 1e-6, pace(seconds)
        over = median(seconds[row.name]) / aim
        return [in_words(aim), ratio(over), *([ratio(over / slower)] if slower else [])]
    if f"{row.target}.{THEIRS}" not in seconds:
        return []
    return [in_words(median(seconds[f"{row.target}.{THEIRS}"])), ratio(against(row.target, seconds))]


def rows_table(rows: Iterable[Row], found: dict[str, Answers], seconds: Seconds) -> Table:
    """Time a deal against the target, row by row.

    The last column is the ratio if this machine were as fast as the one that the targets are of, see `pace`.
    """
    table = _table(
        "Value of the position, one thread, processor time a deal",
        "deal", "deals", "nodes a deal", "new table", "median", "least - greatest", "target", "ratio", "at its pace",
    )  # fmt: skip
    for row in rows:
        answers = found[row.name]
        cells = [row.title, str(len(answers.values)), f"{answers.nodes_per_deal:,.0f}"]
        cells.append(in_words(answers.seconds / len(answers.values)))
        if row.name in seconds:
            cells += _times(seconds[row.name])
            cells += _aim(row, seconds)
        table.add_row(*cells)
    return table


def rivals_table(rivals: Iterable[Rival], seconds: Seconds, absences: dict[str, str]) -> Table:
    """Our time over theirs; or why there is none."""
    table = _table(
        "Other solvers, same deals, same run; processor time an answer",
        "question", "of", "ours", "least - greatest", "theirs", "least - greatest", "ours / theirs",
    )  # fmt: skip
    for rival in rivals:
        if rival.name in absences:
            table.add_row(rival.title, rival.package, absences[rival.name])
            continue
        ours, theirs = seconds[f"{rival.name}.{OURS}"], seconds[f"{rival.name}.{THEIRS}"]
        quotient = ratio(against(rival.name, seconds))
        table.add_row(rival.title, rival.package, *_times(ours), *_times(theirs), quotient)
    return table


def perft_table(lines: Iterable[tuple[str, int, int, float]]) -> Table:
    """Title, depth, sequences and seconds of each count."""
    table = _table("Sequences of moves, all as expected", "position", "depth", "sequences", "time", "a second")
    for title, depth, sequences, seconds in lines:
        speed = f"{sequences / max(seconds, 1e-9) / 1e6:.1f} M"
        table.add_row(title, str(depth), f"{sequences:,}", in_words(seconds), speed)
    return table


def threads_table(lines: Iterable[tuple[str, int, list[Round]]]) -> Table:
    """Title, number of positions, and the rounds.

    The gain of two threads over one stands beside that of two processes in the same rounds, which share nothing but the
    machine.
    """
    table = _table(
        "Throughput of the batch call, by the clock on the wall",
        "deal", "positions", "1 thread", "2 threads", "gain", "least - greatest", "2 processes", "least - greatest",
    )  # fmt: skip
    for title, count, rounds in lines:
        cells = [title, f"{count:,}"]
        for walls in ([each.one.wall for each in rounds], [each.two.wall for each in rounds]):
            cells.append(f"{count / median(walls):,.0f} a second")
        for gains in ([each.gain for each in rounds], [each.gain_apart for each in rounds]):
            middle, least, greatest = spread(gains)
            cells += [f"{middle:.2f}", f"{least:.2f} - {greatest:.2f}"]
        table.add_row(*cells)
    return table


def commits_table(
    names: tuple[str, str], rows: Iterable[Row], answers: tuple[dict[str, Answers], ...], seconds: tuple[Seconds, ...]
) -> Table:
    """Two commits side by side."""
    first, second = names
    table = _table(
        f"{first} (A) and {second} (B)",
        "deal", "nodes A", "nodes B", "A", "least - greatest", "B", "least - greatest", "B / A",
    )  # fmt: skip
    for row in rows:
        if any(row.name not in side for side in seconds):
            missing = " and ".join(name for name, side in zip("AB", seconds, strict=True) if row.name not in side)
            table.add_row(row.title, f"[yellow]{missing} has no answer[/]")
            continue
        before, after = (side[row.name] for side in seconds)
        nodes = [f"{side[row.name].nodes_per_deal:,.0f}" for side in answers]
        table.add_row(row.title, *nodes, *_times(before), *_times(after), ratio(median(after) / median(before)))
    return table
