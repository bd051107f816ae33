"""The command: `python -m bench`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from . import advice, commit, limits, perft, report, signature, threads, timing
from .rival import RIVALS, Rival
from .row import ROWS, Row, by_name
from .signature import Answers
from .subject import OURS, THEIRS

DEALS, QUICK_DEALS = 200, 20
ROUNDS, QUICK_ROUNDS = 5, 2
ADVICE = "pip install -e .[bench]"

console = Console(width=None if sys.stdout.isatty() else 150, highlight=False)

rows_option = click.option(
    "--row",
    "names",
    multiple=True,
    type=click.Choice([row.name for row in ROWS]),
    metavar="NAME",
    help=f"Only this row; repeatable. Rows: {', '.join(row.name for row in ROWS)}.",
)
deals_option = click.option("--deals", default=DEALS, show_default=True, help="Deals of each row, at most.")
quick_option = click.option("--quick", is_flag=True, help=f"{QUICK_DEALS} deals of slow rows, {QUICK_ROUNDS} rounds.")
rounds_option = click.option("--rounds", type=int, help=f"Measurements of each.  [default: {ROUNDS}]")


def show(table: Table, markdown: bool) -> None:
    """Prints a table."""
    if markdown:
        table.box = MARKDOWN
    console.print(table)


def chosen(names: Iterable[str]) -> tuple[Row, ...]:
    """The rows of these names, or all."""
    return tuple(by_name()[name] for name in names) or ROWS


def counts_of(rows: Iterable[Row], deals: int, quick: bool) -> dict[str, int]:
    """How many deals each row takes."""
    return {row.name: min(deals, QUICK_DEALS) if quick and row.slow else deals for row in rows}


def say(text: str) -> None:
    """A line of progress, on standard error so that the tables can be redirected."""
    print(text, file=sys.stderr, flush=True)


@click.group(invoke_without_command=True)
@rows_option
@deals_option
@quick_option
@rounds_option
@click.option("--keep-going", is_flag=True, help="Time even where node counts differ. Wrong values always stop.")
@click.option("--write-signature", is_flag=True, help="Write values and node counts to the file, and stop.")
@click.option(
    "--signature",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=signature.FILE,
    help="The file of values and node counts.  [default: bench/signature.json]",
)
@click.option("--no-rivals", is_flag=True, help="Leave other solvers out.")
@click.option("--markdown", is_flag=True, help="Print the tables as the README has them.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="Keep the times for pyperf.")
@click.pass_context
def main(
    context: click.Context,
    *,
    names: tuple[str, ...],
    deals: int,
    quick: bool,
    rounds: int | None,
    keep_going: bool,
    write_signature: bool,
    file: Path,
    no_rivals: bool,
    markdown: bool,
    output: Path | None,
) -> None:
    """Checks and times the kernels on random deals from fixed seeds.

    Each row is one kind of deal. Its deals are solved in a batch by one thread, for the value of the position alone.
    First values and node counts are checked against the signature file; then pyperf measures, in rounds, each value
    in a process of its own. Other solvers, where they are installed, get the same deals in the same rounds.

    The exit code is 1 if a value is wrong, or node counts are not those of the file.
    """
    if context.invoked_subcommand:
        return
    rows = chosen(names)
    counts = counts_of(rows, deals, quick)
    say("values and node counts against the signature first, then times; `python -m bench --help` says more")
    found = answered(rows, counts)
    if write_signature:
        signature.write({**signature.read(file), **found}, file)
        console.print(f"{file}: {signature.total_nodes(found.values()):,} nodes")
        return
    same = checked(found, file)
    if not same and not keep_going:
        context.exit(1)
    rivals = () if no_rivals else tuple(rival for rival in RIVALS if rival.row in counts)
    timed(
        rows,
        found,
        counts=counts,
        rivals=rivals,
        rounds=rounds or (QUICK_ROUNDS if quick else ROUNDS),
        markdown=markdown,
        output=output,
    )
    context.exit(0 if same else 1)


def answered(rows: Iterable[Row], counts: Mapping[str, int]) -> dict[str, Answers]:
    """Values and node counts of the rows."""
    found = {}
    for row in rows:
        say(f"solving {counts[row.name]} deals of {row.name}")
        found[row.name] = signature.answers(row, counts[row.name])
    return found


def checked(found: dict[str, Answers], file: Path) -> bool:
    """Are the node counts as in the file? Wrong values end the run."""
    known = signature.read(file)
    absent = [name for name in found if name not in known]
    if absent:
        raise click.ClickException(f"{file} has no {', '.join(absent)}; --write-signature writes it")
    wrong = [text for name in found if (text := signature.wrong_values(name, found[name], known[name]))]
    if wrong:
        raise click.ClickException("\n".join(wrong))
    other = [text for name in found if (text := signature.other_nodes(name, found[name], known[name]))]
    for text in other:
        console.print(f"[yellow]{text}[/]")
    deals = sum(len(entry.values) for entry in found.values())
    console.print(f"signature: {signature.total_nodes(found.values()):,} nodes, {deals} values right")
    if other:
        console.print("if the search was meant to change, --write-signature takes its node counts over")
    return not other


def timed(
    rows: tuple[Row, ...],
    found: dict[str, Answers],
    *,
    counts: Mapping[str, int],
    rivals: tuple[Rival, ...],
    rounds: int,
    markdown: bool,
    output: Path | None,
) -> None:
    """Measures rows and rivals in rounds, and prints what came out."""
    if not timing.installed():
        show(report.rows_table(rows, found, {}), markdown)
        console.print(f"pyperf is not installed, so nothing was timed but the check: {ADVICE}")
        return
    absences = {rival.name: f"not installed: {ADVICE}" for rival in rivals if not rival.installed}
    suites = []
    for turn in range(1, rounds + 1):
        say(f"round {turn} of {rounds}")
        suites.append(measured(counts))
        for rival in rivals:
            if rival.name not in absences:
                suites += contested(rival, max(counts.values()), absences)
    seconds = timing.seconds(suites)
    show(report.rows_table(rows, found, seconds), markdown)
    if rivals:
        show(report.rivals_table(rivals, seconds, absences), markdown)
    if output:
        timing.keep(suites, output)


def measured(counts: Mapping[str, int]) -> Any:
    """One round of rows."""
    try:
        return timing.measure(counts)
    except timing.Failed as failure:
        raise click.ClickException(f"a measurement failed: {failure}") from failure


def contested(rival: Rival, deals: int, absences: dict[str, str]) -> list[Any]:
    """One round of a rival and us; where it fails, the reason goes to the absences."""
    counts = {f"{rival.name}.{side}": min(deals, rival.deals) for side in (OURS, THEIRS)}
    try:
        return [timing.measure(counts)]
    except timing.Failed as failure:
        absences[rival.name] = f"failed: {failure}"
        return []


@main.command("answers")
@rows_option
@deals_option
@quick_option
def answers_command(names: tuple[str, ...], deals: int, quick: bool) -> None:
    """Prints values and node counts of the rows' deals as JSON, checking nothing."""
    rows = chosen(names)
    print(json.dumps({name: asdict(entry) for name, entry in answered(rows, counts_of(rows, deals, quick)).items()}))


@main.command("perft")
@click.option("--write", is_flag=True, help="Count anew and write bench/perft.json.")
@click.option("--at-most", type=int, help="Leave out counts of more sequences than that.")
def perft_command(write: bool, at_most: int | None) -> None:
    """Counts move sequences of every game, checks them against bench/perft.json, and times them."""
    if write:
        perft.write({name: perft.drawn(name) for name in perft.DRAWS})
    lines = []
    for name, expected in perft.read().items():
        if at_most is not None and expected.sequences > at_most:
            continue
        found, seconds = perft.recounted(expected)
        if found != expected.sequences:
            raise click.ClickException(
                f"{name}: {found} sequences of {expected.depth} moves, expected {expected.sequences}"
            )
        lines.append((name, expected.depth, found, seconds))
    console.print(report.perft_table(lines))


@main.command("threads")
@rows_option
@rounds_option
@click.option(
    "--positions",
    "count",
    type=click.IntRange(min=1),
    help=f"In a batch.  [default: those of some {threads.LEAST} s, slow rows {threads.SLOW}]",
)
def threads_command(names: tuple[str, ...], rounds: int | None, count: int | None) -> None:
    """Compares the throughput of the batch call with one thread and with two, in turn."""
    lines = []
    for row in chosen(names):
        asked = threads.positions(row, count)
        say(f"{len(asked)} positions of {row.name}")
        lines.append((row.title, len(asked), [threads.seconds(row, asked) for _ in range(rounds or threads.ROUNDS)]))
    console.print(report.threads_table(lines))


@main.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@rows_option
@deals_option
@quick_option
@rounds_option
def compare_command(
    first: str, second: str, *, names: tuple[str, ...], deals: int, quick: bool, rounds: int | None
) -> None:
    """Builds the commits A and B aside and times this suite on both in turn, A B A B ...

    Both get the suite as it is here, so a commit from before it can be compared too, as long as its solver has what the
    suite asks of it. Values that differ are an error.
    """
    if not timing.installed():
        raise click.ClickException(f"compare needs pyperf: {ADVICE}")
    rows = chosen(names)
    counts = counts_of(rows, deals, quick)
    try:
        titles = (commit.described(first), commit.described(second))
        with ExitStack() as stack:
            trees = []
            for title in titles:
                say(f"building {title}")
                trees.append(stack.enter_context(commit.built(title.split()[0])))
            answers, times = compared(trees, rows, counts, rounds or (QUICK_ROUNDS if quick else ROUNDS))
    except commit.Failed as error:
        raise click.ClickException(str(error)) from error
    differing = [row for row in rows if len({tuple(side[row.name].values) for side in answers if row.name in side}) > 1]
    console.print(report.commits_table(titles, rows, answers, times))
    if differing:
        raise click.ClickException(f"the values differ: {', '.join(row.name for row in differing)}")


def compared(
    trees: list[Path], rows: tuple[Row, ...], counts: Mapping[str, int], rounds: int
) -> tuple[tuple[dict[str, Answers], ...], tuple[timing.Seconds, ...]]:
    """Answers and times of each tree; a row that a tree cannot answer is missing there."""
    answers: tuple[dict[str, Answers], ...] = tuple({} for _ in trees)
    for tree, side in zip(trees, answers, strict=True):
        say("solving")
        for row in rows:
            try:
                side[row.name] = commit.answers(tree, row, counts[row.name])
            except commit.Failed as error:
                say(f"no answer to {row.name}: {error}")
    suites: tuple[list[Any], ...] = tuple([] for _ in trees)
    for turn in range(1, rounds + 1):
        say(f"round {turn} of {rounds}")
        for tree, side, taken in zip(trees, answers, suites, strict=True):
            if side:
                taken.append(timing.measure({name: counts[name] for name in side}, tree))
    return answers, tuple(timing.seconds(taken) for taken in suites)


@main.command("advice")
@click.option("--deals", default=5, show_default=True, help="Deals of each question.")
@click.option("--markdown", is_flag=True, help="Print the table as the README has it.")
def advice_command(deals: int, markdown: bool) -> None:
    """Times advice on unseen cards, by the clock on the wall, with two threads."""
    table = Table("question", "layouts", "median s", "least-greatest", "target s", "ratio")
    for question in advice.QUESTIONS:
        say(f"asking {question.name}")
        spent = sorted(question.seconds(seed) for seed in range(deals))
        median = spent[len(spent) // 2]
        spread = f"{spent[0]:.2f}-{spent[-1]:.2f}"
        figures = (f"{median:.2f}", spread, f"{question.target:g}", f"{median / question.target:.2f}")
        table.add_row(question.name, f"{question.samples:,}", *figures)
    show(table, markdown)
    console.print(f"layouts drawn a second by one thread: {advice.layouts_a_second():,.0f}")


@main.command("limits")
@click.option("--markdown", is_flag=True, help="Print the table as the README has it.")
def limits_command(markdown: bool) -> None:
    """Stops searches that would go on, by a limit of time and by Ctrl-C, and says how late they ended."""
    allowed = (f"at most {1e3 * late:.0f} ms" for late in (limits.LATE_AFTER_LIMIT, limits.LATE_AFTER_INTERRUPT))
    table = Table("search", *map(", ".join, zip(("after its limit", "after Ctrl-C"), allowed, strict=True)))
    late = []
    for search in limits.searches():
        say(f"stopping {search.title}")
        after_limit, after_interrupt = limits.lateness_after_limit(search), limits.lateness_after_interrupt(search)
        table.add_row(search.title, f"{1e3 * after_limit:.1f} ms", f"{1e3 * after_interrupt:.1f} ms")
        if after_limit > limits.LATE_AFTER_LIMIT or after_interrupt > limits.LATE_AFTER_INTERRUPT:
            late.append(search.title)
    show(table, markdown)
    if late:
        raise click.ClickException(f"too late: {', '.join(late)}")


if __name__ == "__main__":
    main(prog_name="python -m bench")
