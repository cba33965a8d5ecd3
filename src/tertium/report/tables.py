"""An evaluation as a table for people."""

from io import StringIO
from itertools import zip_longest
from typing import TextIO

from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.text import Text

from tertium.report.blocks import Blocks, Column
from tertium.report.evidence import evidence_cells, evidence_columns, evidence_notes
from tertium.report.rows import best_values, columns, label_names, sections
from tertium.report.signatures import short_signature
from tertium.results import Evaluation

# Wider than any table: a pipe has no edge at which names would have to be cut.
_UNLIMITED = 100_000


def score_table(evaluation: Evaluation, *, segments: bool = False, decimals: int = 2) -> Blocks:
    """Systems by metrics, a section for each slice or segment; the best of each is bold."""
    heads = columns(evaluation, segments=segments)
    beside = () if segments else evidence_columns(evaluation)
    groups = (
        (
            Column(title=head.title if head.higher_is_better else f"{head.title} ↓"),
            *(Column(title=column.title) for column in beside),
        )
        for head in heads
    )
    made = []
    for section in sections(evaluation, segments=segments):
        best = best_values(section, heads, decimals)
        rows = []
        for number, row in enumerate(section):
            *repeated, system = row.labels
            numbers = [
                Text(
                    f"{value:.{decimals}f}",
                    style="bold green" if round(value, decimals) == top else "",
                )
                for value, top in zip(row.values, best, strict=True)
            ]
            cells = []
            for text, score in zip_longest(numbers, row.scores):
                cells.append(text)
                cells += map(Text, evidence_cells(beside, score, decimals))
            shown = repeated if number == 0 else [""] * len(repeated)
            rows.append((*map(Text, shown), Text(system), *cells))
        made.append(tuple(rows))
    names = label_names(evaluation, segments=segments)
    return Blocks(
        labels=tuple(Column(title=name, justify=_side(name)) for name in names),
        groups=tuple(groups),
        sections=tuple(made),
    )


def _side(name: str) -> JustifyMethod:
    return "right" if name == "segment" else "left"


def signature_notes(
    evaluation: Evaluation, *, segments: bool = False, short: bool = False
) -> Group:
    """What must be quoted beside the scores: the size of the corpus and every signature."""
    heads = columns(evaluation, segments=segments)
    width = max(len(head.title) for head in heads)
    unit = "segment" if evaluation.segments == 1 else "segments"
    lines = [f"{evaluation.segments} {unit}", *([] if segments else evidence_notes(evaluation))]
    for head in heads:
        identity = short_signature(head.signature) if short else head.signature
        lines.append(f"{head.title:<{width}}  {identity}")
    # The terminal may wrap a signature, but copied from there it must be one line.
    return Group(*(Text(line, style="dim", no_wrap=True, overflow="ignore") for line in lines))


def console_text(shown: RenderableType, screen: TextIO | None = None) -> str:
    """What a terminal would show; without a terminal nothing is wrapped, cut or coloured."""
    if screen is None or not screen.isatty():
        console = Console(file=StringIO(), width=_UNLIMITED, color_system=None)
    else:
        console = Console(file=screen)
    with console.capture() as capture:
        console.print(shown, highlight=False, crop=False)
    lines = (line.rstrip() for line in capture.get().split("\n"))
    return "\n".join(lines).strip("\n") + "\n"
