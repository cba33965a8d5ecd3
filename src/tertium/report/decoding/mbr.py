"""What minimum Bayes risk decoding or reranking chose, as text for people."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.decode.mbr.before_after import BeforeAfter
from tertium.decode.mbr.outcomes import FLATTERY, MbrOutcome
from tertium.decode.rerank import RerankOutcome
from tertium.metrics.foreign.score_table import short_name
from tertium.report.decoding.plain_table import plain_table
from tertium.results import heading

SHOWN = 5
"""Segments whose choice is shown; all of them are in -f json and -f lines."""


def mbr_view(outcome: MbrOutcome, *, shown: int = SHOWN, decimals: int = 2) -> Group:
    """Some choices, the scores before and after, and what to think of them."""
    parts: list[RenderableType] = [_choices(outcome, shown, decimals)]
    left = len(outcome.decisions) - shown
    if left > 0:
        parts.append(Text(f"… and {left} more (-f lines or -f json has them all)", style="dim"))
    if outcome.scores:
        parts += [Text(""), _scores(outcome.scores, decimals)]
    parts += [Text(""), *(Text(line, style="dim") for line in _remarks(outcome))]
    return Group(*parts)


def rerank_view(outcome: RerankOutcome, *, decimals: int = 2) -> Group:
    """The scores before and after."""
    segments = "segment" if outcome.segments == 1 else "segments"
    said = f"{outcome.segments} {segments}, {outcome.changed} with another hypothesis in front"
    added = f"; added {', '.join(outcome.features)}" if outcome.features else ""
    flattered = any(score.is_utility for score in outcome.scores)
    lines = [
        f"{said}{added}",
        *(f"{score.title}  {score.signature}" for score in outcome.scores),
        *([FLATTERY] if flattered else []),
    ]
    parts: list[RenderableType] = [_scores(outcome.scores, decimals)] if outcome.scores else []
    return Group(*parts, *(Text(line, style="dim") for line in lines))


def _choices(outcome: MbrOutcome, shown: int, decimals: int) -> Table:
    table = plain_table()
    table.add_column("segment", justify="right")
    table.add_column("expected", justify="right", no_wrap=True)
    table.add_column("chosen", overflow="fold")
    for decision in outcome.decisions[:shown]:
        style = "" if decision.text == decision.first else "bold"
        expected = f"{decision.expected:.{decimals}f}"
        table.add_row(Text(str(decision.segment)), Text(expected), Text(decision.text, style=style))
    return table


def _scores(scores: Sequence[BeforeAfter], decimals: int) -> Table:
    table = plain_table()
    table.add_column("metric")
    for name in ("before", "after", "difference"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    for score in scores:
        title = heading(score.title, higher_is_better=score.higher_is_better)
        gain, digits = score.after - score.before, decimals + score.finer
        better = (gain > 0) == score.higher_is_better and gain != 0
        table.add_row(
            Text(title),
            Text(f"{score.before:.{digits}f}"),
            Text(f"{score.after:.{digits}f}"),
            Text(f"{gain:+.{digits}f}", style="green" if better else "red" if gain else ""),
            Text("it took part in the choice" if score.is_utility else "", style="dim"),
        )
    return table


def _remarks(outcome: MbrOutcome) -> list[str]:
    segments = len(outcome.decisions)
    pairs = sum(decision.pairs for decision in outcome.decisions)
    possible = sum(decision.all_pairs for decision in outcome.decisions)
    counted = f", {pairs:,} pair{'s' if pairs > 1 else ''}" if pairs else ""
    if pairs < possible:
        counted = f", {pairs:,} of {possible:,} pairs scored"
    approximation = outcome.approximation
    unit = "segment" if segments == 1 else "segments"
    against = f"{outcome.changed} chosen against the model's first choice"
    how = f"utility {short_name(outcome.utility)}, scale {outcome.scale:g}{counted}"
    return [
        f"{segments} {unit}, {against}; {how}",
        f"approximate: {approximation}" if approximation else "exact over what was given",
        *(f"{score.title}  {score.signature}" for score in outcome.scores),
        *([FLATTERY] if outcome.scores else []),
    ]
