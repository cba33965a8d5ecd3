"""An evaluation for programs and papers: tab-separated values, text lines, LaTeX."""

from collections.abc import Iterator
from itertools import chain, zip_longest

from tertium.report.evaluation.confidence import (
    evidence_cells,
    evidence_columns,
    evidence_notes,
    evidence_numbers,
    score_text,
)
from tertium.report.evaluation.grid import (
    WHOLE,
    ScoreRow,
    best_values,
    columns,
    label_names,
    sections,
    short_signature,
    signature,
)
from tertium.report.latex import escape_latex
from tertium.results import Evaluation, Score


def tsv_lines(evaluation: Evaluation, *, segments: bool = False) -> Iterator[str]:
    """A heading of labels and metric specs, then one line per row with all digits.

    A metric with intervals or tests is followed by ``spec.low``, ``spec.high``, ``spec.p`` and
    ``spec.adjusted_p``, which is corrected for all tests in the table.
    """
    heads = columns(evaluation, segments=segments)
    names = label_names(evaluation, segments=segments)
    beside = [] if segments else list(evidence_numbers(evaluation.systems[0].scores[0]))
    specs = ([head.spec, *(f"{head.spec}.{name}" for name in beside)] for head in heads)
    yield _tabbed([*names, *chain.from_iterable(specs)])
    for section in sections(evaluation, segments=segments):
        for row in section:
            if beside:
                yield _tabbed([*row.labels, *_with_evidence(row, beside)])
            else:
                yield _tabbed([*row.labels, *map(repr, row.values)])


def _with_evidence(row: ScoreRow, names: list[str]) -> Iterator[str]:
    for value, score in zip_longest(row.values, row.scores):
        numbers = evidence_numbers(score) if score else {}
        yield repr(value)
        for name in names:
            number = numbers.get(name)
            yield "" if number is None else repr(number)


def score_lines(
    evaluation: Evaluation, *, segments: bool = False, decimals: int = 1
) -> Iterator[str]:
    """Numbers only: a line for each row of the table, a tab between metrics."""
    heads = columns(evaluation, segments=segments)
    for section in sections(evaluation, segments=segments):
        for row in section:
            if row.scores:
                yield _tabbed([score_text(score, decimals) for score in row.scores])
            else:
                values = zip(heads, row.values, strict=True)
                yield _tabbed([head.text(value, decimals) for head, value in values])


def text_lines(
    evaluation: Evaluation, *, segments: bool = False, decimals: int = 1, short: bool = False
) -> Iterator[str]:
    """The line of sacreBLEU for each score, after system and slice where there are several."""
    if segments:
        yield from _segment_lines(evaluation, decimals=decimals, short=short)
        return
    for one in evaluation.systems:
        system = [one.system] if len(evaluation.systems) > 1 else []
        for score in one.scores:
            whole = [WHOLE] if evaluation.by else []
            parts = [(whole, score), *(([label], part) for label, part in score.slices.items())]
            for label, part in parts:
                line = f"{_heading(part, short=short)} = {score_text(part, decimals)}"
                line = f"{line} {part.details}"
                yield _tabbed([*system, *label, line.rstrip()])


def _segment_lines(evaluation: Evaluation, *, decimals: int, short: bool) -> Iterator[str]:
    heads = columns(evaluation, segments=True)
    headings = [
        _heading(score, short=short, segments=True) for score in evaluation.systems[0].scores
    ]
    for section in sections(evaluation, segments=True):
        for row in section:
            scores = [
                f"{heading} = {head.text(value, decimals)}"
                for heading, head, value in zip(headings, heads, row.values, strict=True)
            ]
            yield _tabbed([*(row.labels if len(section) > 1 else ()), *scores])


def _heading(score: Score, *, short: bool, segments: bool = False) -> str:
    identity = signature(score, segments=segments)
    return f"{score.metric.title}|{short_signature(identity) if short else identity}"


_ESCAPED = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _tabbed(cells: list[str]) -> str:
    line = "\t".join(cells)
    if "\n" in line or "\r" in line or line.count("\t") >= len(cells):
        # A file name holds a tab or a line break; a row must stay one row.
        line = "\t".join(cell.translate(_ESCAPED) for cell in cells)
    return line + "\n"


def latex_lines(
    evaluation: Evaluation, *, segments: bool = False, decimals: int = 2, short: bool = False
) -> Iterator[str]:
    """A ``tabular`` for the package booktabs; signatures follow as comments."""
    heads = columns(evaluation, segments=segments)
    names = label_names(evaluation, segments=segments)
    titles = [
        escape_latex(head.title) + ("" if head.higher_is_better else r" $\downarrow$")
        for head in heads
    ]
    beside = () if segments else evidence_columns(evaluation)
    width = len(heads) * (1 + len(beside))
    yield f"\\begin{{tabular}}{{{'l' * len(names)}{'r' * width}}}\n\\toprule\n"
    extra = [column.latex for column in beside]
    yield _latex_row([*names, *chain.from_iterable([title, *extra] for title in titles)])
    rule = "\\midrule\n"
    for section in sections(evaluation, segments=segments):
        yield rule
        rule = "" if segments else "\\midrule\n"
        best = best_values(section, heads, decimals)
        for row in section:
            numbers = [
                f"\\textbf{{{head.text(value, decimals)}}}"
                if head.rounded(value, decimals) == top
                else head.text(value, decimals)
                for head, value, top in zip(heads, row.values, best, strict=True)
            ]
            cells = [*map(escape_latex, row.labels)]
            for number, score in zip_longest(numbers, row.scores):
                cells.append(number)
                found = evidence_cells(beside, score, decimals)
                cells += [cell.strip().replace("<", "$<$") for cell in found]
            yield _latex_row(cells)
    yield "\\bottomrule\n\\end{tabular}\n"
    notes = evidence_notes(evaluation, segments=segments)
    for head in heads:
        identity = short_signature(head.signature) if short else head.signature
        yield f"% {head.title}: {identity}\n"
    yield from (f"% {' '.join(note.split())}\n" for note in notes)


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + " \\\\\n"
