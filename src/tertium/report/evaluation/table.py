"""An evaluation as a table for people."""

from itertools import zip_longest
from typing import Literal

from tertium.report.blocks import Blocks, Column, Notes, TextCell
from tertium.report.evaluation.confidence import evidence_cells, evidence_columns, evidence_notes
from tertium.report.evaluation.grid import (
    best_values,
    columns,
    label_names,
    sections,
    short_signature,
)
from tertium.results import Evaluation, heading


def score_table(evaluation: Evaluation, *, segments: bool = False, decimals: int = 2) -> Blocks:
    """Systems by metrics, a section for each slice or segment; the best of each is bold."""
    heads = columns(evaluation, segments=segments)
    beside = () if segments else evidence_columns(evaluation)
    groups = (
        (
            Column(title=heading(head.title, higher_is_better=head.higher_is_better)),
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
                TextCell(
                    head.text(value, decimals),
                    style="bold green" if head.rounded(value, decimals) == top else "",
                )
                for head, value, top in zip(heads, row.values, best, strict=True)
            ]
            cells = []
            for text, score in zip_longest(numbers, row.scores):
                cells.append(text)
                cells += map(TextCell, evidence_cells(beside, score, decimals))
            shown = repeated if number == 0 else [""] * len(repeated)
            rows.append((*map(TextCell, shown), TextCell(system), *cells))
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
