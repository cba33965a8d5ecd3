"""An evaluation as a table for people."""

from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, TextIO

from tertium.report.blocks import UNLIMITED, Blocks, Cell, Column, Notes
from tertium.report.evidence import evidence_cells, evidence_columns, evidence_notes
from tertium.report.rows import best_values, columns, label_names, sections
from tertium.report.signatures import short_signature
from tertium.results import Evaluation

if TYPE_CHECKING:
    from rich.console import RenderableType


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
                Cell(
                    head.text(value, decimals),
                    style="bold green" if head.rounded(value, decimals) == top else "",
                )
                for head, value, top in zip(heads, row.values, best, strict=True)
            ]
            cells = []
            for text, score in zip_longest(numbers, row.scores):
                cells.append(text)
                cells += map(Cell, evidence_cells(beside, score, decimals))
            shown = repeated if number == 0 else [""] * len(repeated)
            rows.append((*map(Cell, shown), Cell(system), *cells))
        made.append(tuple(rows))
    names = label_names(evaluation, segments=segments)
    return Blocks(
        labels=tuple(Column(title=name, justify=_side(name)) for name in names),
        groups=tuple(groups),
        sections=tuple(made),
    )


def _side(name: str) -> Literal["left", "right"]:
    return "right" if name == "segment" else "left"


def signature_notes(
    evaluation: Evaluation, *, segments: bool = False, short: bool = False
) -> Notes:
    """What must be quoted beside the scores: the size of the corpus and every signature."""
    heads = columns(evaluation, segments=segments)
    width = max(len(head.title) for head in heads)
    unit = "segment" if evaluation.segments == 1 else "segments"
    lines = [f"{evaluation.segments} {unit}", *evidence_notes(evaluation, segments=segments)]
    for head in heads:
        identity = short_signature(head.signature) if short else head.signature
        lines.append(f"{head.title:<{width}}  {identity}")
    return Notes(tuple(lines))


def console_text(shown: "RenderableType", screen: TextIO | None = None) -> str:
    """What a terminal would show; without a terminal nothing is wrapped, cut or coloured."""
    text = None
    if screen is None or not screen.isatty():
        screen = None
        text = shown.plain() if isinstance(shown, Blocks | Notes) else None
    if text is None:
        text = rich_text(shown, screen)
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n") + "\n"


def rich_text(shown: "RenderableType", screen: TextIO | None = None) -> str:
    """What rich shows on a terminal, or where there is no edge."""
    from io import StringIO

    from rich.console import Console

    if screen is None:
        console = Console(file=StringIO(), width=UNLIMITED, color_system=None)
    else:
        console = Console(file=screen)
    with console.capture() as capture:
        console.print(shown, highlight=False, crop=False)
    return capture.get()
