"""Results as tables for people and as JSON for programs."""

import json
from dataclasses import asdict

from results import Bound, Comparison, Results
from rich.console import Console
from rich.table import Table


def print_results(console: Console, results: Results) -> None:
    """Machine, ratios, limits and failures."""
    facts = " · ".join(f"{name} {fact}" for name, fact in results.machine.items())
    console.print(facts, markup=False)
    if results.comparisons:
        console.print(_ratios(results.comparisons))
    if results.bounds:
        console.print(_bounds(results.bounds))
    for failure in results.failures:
        where = f"{failure.case}, {failure.segments:,} segments"
        console.print(f"[red]failed[/red] {where}: ", end="")
        console.print(failure.message, markup=False)


def results_json(results: Results) -> str:
    """Everything measured, with the ratios."""
    content = asdict(results)
    for row, one in zip(content["comparisons"], results.comparisons, strict=True):
        row["ratio"] = one.ratio
        row["ratio_one_thread"] = one.ratio_one_thread
        row["reached"] = one.reached
    for row, bound in zip(content["bounds"], results.bounds, strict=True):
        row["reached"] = bound.reached
    return json.dumps(content, indent=2) + "\n"


def _ratios(comparisons: tuple[Comparison, ...]) -> Table:
    table = Table(title="the peer's wall time over ours", title_justify="left")
    table.add_column("work")
    for heading in ("segments", "seconds", "MB"):
        table.add_column(heading, justify="right")
    table.add_column("peer")
    for heading in ("seconds", "MB", "1 thread", "ratio", "at least"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for one in comparisons:
        ours, theirs = one.ours.all_threads, one.theirs.all_threads
        table.add_row(
            one.title,
            f"{one.segments:,}" if one.segments else "",
            _seconds(ours.cpu_seconds if one.by_cpu else ours.wall_seconds),
            f"{ours.peak_bytes / 1e6:.0f}",
            one.peer,
            _seconds(theirs.cpu_seconds if one.by_cpu else theirs.wall_seconds),
            f"{theirs.peak_bytes / 1e6:.0f}",
            _ratio(one.ratio_one_thread),
            _ratio(one.ratio),
            _ratio(one.at_least),
            "[red]other score[/red]" if one.same_score is False else _mark(one.reached),
        )
    return table


def _bounds(bounds: tuple[Bound, ...]) -> Table:
    table = Table(title="limits", title_justify="left")
    table.add_column("figure")
    table.add_column("found", justify="right")
    table.add_column("at most", justify="right")
    table.add_column("")
    for one in bounds:
        table.add_row(one.title, f"{one.figure:.3g}", f"{one.at_most:g}", _mark(one.reached))
    return table


def _seconds(value: float) -> str:
    return f"{value:.3g}"


def _ratio(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0f} ×" if value >= 10 else f"{value:.2f} ×"


def _mark(reached: bool | None) -> str:  # noqa: FBT001
    if reached is None:
        return ""
    return "[green]✓[/green]" if reached else "[red]✗[/red]"
