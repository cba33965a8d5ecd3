"""An evaluation as people see it, as lines of numbers, and as sacreBLEU's lines.

`score_view` is the table with its notes, in whatever format; `score_tsv` has all digits.
A column that stands beside each score is a row of `evidence_columns`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from math import isnan
from typing import Final, NamedTuple

from tertium.metrics.contract.spec import SHORT_KEYS
from tertium.plurals import counted
from tertium.results import BaselineTest, Evaluation, Interval, Score, heading, titles
from tertium.tables import (
    Cell,
    Column,
    Lines,
    Part,
    Table,
    latex_comment,
    lines,
    tsv,
    tsv_row,
)

# Signatures with the short keys of sacreBLEU's ``--short``.

_KEY: Final = rf"(?<![^|])({'|'.join(SHORT_KEYS)}):"


def short_signature(signature: str) -> str:
    """The signature with abbreviated keys; keys that have no abbreviation stay.

    >>> short_signature("nrefs:1|case:mixed|tok:13a|order:2|version:tertium-1")
    '#:1|c:mixed|tok:13a|order:2|v:tertium-1'
    """
    return re.sub(_KEY, lambda match: f"{SHORT_KEYS[match[1]]}:", signature)


WHOLE = "all"
"""The slice that holds every segment."""


class MetricColumn(NamedTuple):
    """One metric as the heading of a column of scores."""

    title: str
    spec: str
    signature: str
    higher_is_better: bool
    finer: int = 0

    def text(self, value: float, decimals: int) -> str:
        """A score as it is shown; a segment may have none."""
        return "–" if isnan(value) else f"{value:.{decimals + self.finer}f}"

    def rounded(self, value: float, decimals: int) -> float:
        """The number that is shown."""
        return round(value, decimals + self.finer)


class ScoreRow(NamedTuple):
    """The scores of one system on one slice or one segment; there may be millions.

    ``scores`` are those behind the values where they may have intervals or tests.
    """

    labels: tuple[str, ...]
    values: tuple[float, ...]
    scores: tuple[Score, ...] = ()


def label_names(evaluation: Evaluation, *, segments: bool = False) -> tuple[str, ...]:
    """What the labels of a row are called."""
    if segments:
        return ("segment", "system")
    return (evaluation.by, "system") if evaluation.by else ("system",)


def columns(evaluation: Evaluation, *, segments: bool = False) -> tuple[MetricColumn, ...]:
    """One column per metric; segments have a signature of their own (``eff:yes``)."""
    scores = evaluation.systems[0].scores
    return tuple(
        MetricColumn(
            title=title,
            spec=score.metric.spec,
            signature=signature(score, segments=segments),
            higher_is_better=score.metric.higher_is_better,
            finer=score.metric.finer,
        )
        for title, score in zip(titles(evaluation.metrics), scores, strict=True)
    )


def signature(score: Score, *, segments: bool = False) -> str:
    """The signature of the corpus score, or of the segment scores."""
    if segments:
        return score.metric.for_segments().signature(score.references)
    return score.signature


def sections(evaluation: Evaluation, *, segments: bool = False) -> Iterator[tuple[ScoreRow, ...]]:
    """Rows that are to be compared with one another: systems on the same text."""
    return _segment_sections(evaluation) if segments else _slice_sections(evaluation)


def _slice_sections(evaluation: Evaluation) -> Iterator[tuple[ScoreRow, ...]]:
    yield tuple(
        ScoreRow(
            labels=(WHOLE, one.system) if evaluation.by else (one.system,),
            values=tuple(score.value for score in one.scores),
            scores=one.scores,
        )
        for one in evaluation.systems
    )
    for label in evaluation.systems[0].scores[0].slices:
        yield tuple(
            ScoreRow(
                labels=(label, one.system),
                values=tuple(score.slices[label].value for score in one.scores),
            )
            for one in evaluation.systems
        )


def _segment_sections(evaluation: Evaluation) -> Iterator[tuple[ScoreRow, ...]]:
    lists = [
        [score.segments.tolist() for score in one.scores if score.segments is not None]
        for one in evaluation.systems
    ]
    for number, values in enumerate(zip(*(zip(*one, strict=True) for one in lists), strict=True)):
        yield tuple(
            ScoreRow(labels=(str(number + 1), one.system), values=scores)
            for one, scores in zip(evaluation.systems, values, strict=True)
        )


def best_values(
    section: Sequence[ScoreRow], heads: Sequence[MetricColumn], decimals: int
) -> tuple[float | None, ...]:
    """The best shown value of each column, or ``None`` where there is nothing to compare.

    Values are compared as shown: two systems that print the same are equally good.
    """
    if len(section) == 1:
        return (None,) * len(heads)
    return tuple(
        _best(head, [row.values[k] for row in section], decimals) for k, head in enumerate(heads)
    )


def _best(head: MetricColumn, values: Sequence[float], decimals: int) -> float | None:
    shown = [head.rounded(value, decimals) for value in values if not isnan(value)]
    return (max if head.higher_is_better else min)(shown, default=None)


# What stands beside a score: how far it may be off, and whether it differs from the baseline.


def drawn_text(made: Interval | BaselineTest) -> str:
    """What was resampled: the unit and how many there are; nothing where that is not known."""
    return "" if made.unit is None else f" by {counted(made.units or 0, made.unit)}"


class EvidenceColumn(NamedTuple):
    """A column that follows the scores of each metric."""

    title: str
    text: Callable[[Score, int], str]


def evidence_columns(evaluation: Evaluation) -> tuple[EvidenceColumn, ...]:
    """The columns that an evaluation with intervals or tests needs; none for a plain one."""
    score = evaluation.systems[0].scores[0]
    made = []
    if score.interval is not None:
        mark = {"percentile": "±", "bca": "BCa"}[score.interval.method]
        title = f"{mark} {100 * score.interval.level:g} %"
        made.append(EvidenceColumn(title=title, text=_interval_text))
    if score.test is not None:
        made.append(EvidenceColumn(title="raw p", text=_raw_p_text))
        if score.test.kind == "two-sided":
            made.append(EvidenceColumn(title="corrected p", text=_corrected_p_text))
    return tuple(made)


def evidence_cells(
    columns: Sequence[EvidenceColumn], score: Score | None, decimals: int
) -> list[str]:
    """What these columns show beside a score; nothing beside one that has no evidence."""
    return [column.text(score, decimals) if score else "" for column in columns]


def _interval_text(score: Score, decimals: int) -> str:
    if score.interval is None:
        return ""
    # The heading of the column has the sign.
    return score.interval.text(decimals + score.metric.finer).removeprefix("± ")


def _raw_p_text(score: Score, _: int) -> str:
    if score.test is None or score.test.p_value is None:
        return ""
    from tertium.inference.p_values import p_value_text

    # What follows the number keeps the digits of a column under one another.
    alone = score.test.kind == "sacrebleu"  # not corrected, so that the star stands here
    star = ("*" if score.test.significant else " ") if alone else ""
    return p_value_text(score.test.p_value, score.test.floor) + star


def _corrected_p_text(score: Score, _: int) -> str:
    if score.test is None or score.test.adjusted_p_value is None:
        return ""
    from tertium.inference.p_values import p_value_text

    star = "*" if score.test.significant else " "
    return p_value_text(score.test.adjusted_p_value, score.test.adjusted_floor) + star


def evidence_numbers(score: Score) -> dict[str, float | None]:
    """The same for programs: names and numbers, in the order of columns."""
    numbers: dict[str, float | None] = {}
    if score.interval is not None:
        numbers |= {"low": score.interval.low, "high": score.interval.high}
    if score.test is not None:
        numbers |= {"p": score.test.p_value, "adjusted_p": score.test.adjusted_p_value}
    return numbers


def score_text(score: Score, decimals: int) -> str:
    """A score as sacreBLEU's lines have it: ``22.7 (μ = 22.6 ± 0.6) (p = 0.0310)``."""
    decimals += score.metric.finer
    text = f"{score.value:.{decimals}f}"
    if score.interval is not None:
        text += f" (μ = {score.interval.mean:.{decimals}f} {score.interval.text(decimals)})"
    if score.test is not None and score.test.p_value is not None:
        from tertium.inference.p_values import p_value_text

        shown = p_value_text(score.test.p_value, score.test.floor)
        text += f" (p {shown[0]} {shown[1:]})" if shown[0] == "<" else f" (p = {shown})"
    return text


def evidence_notes(evaluation: Evaluation, *, segments: bool = False) -> list[str]:
    """What a reader must know of the columns beside the scores, which segments do not have."""
    warnings = [f"warning: {one}" for one in evaluation.warnings]
    if segments:
        return warnings
    score = evaluation.systems[0].scores[0]
    notes = []
    if score.interval is not None:
        notes.append(
            f"{_interval_note(score.interval)}{drawn_text(score.interval)}, "
            f"{score.interval.trials} resamples, seed {score.interval.seed}"
        )
    if score.test is not None:
        notes += _test_notes(evaluation.systems[0].system, score.test)
    return [*notes, *warnings]


def _interval_note(interval: Interval) -> str:
    level = f"{100 * interval.level:g} %"
    if interval.method == "bca":
        return f"BCa {level}: bias-corrected and accelerated bootstrap interval"
    return f"± {level}: half the width of the bootstrap interval"


def _test_notes(baseline: str, test: BaselineTest) -> list[str]:
    from tertium.inference.p_values import least_text

    kind = "two-sided" if test.kind == "two-sided" else "one-sided as in sacreBLEU and Moses"
    if test.exact:
        method = f"exact randomization{drawn_text(test)}, {kind}, all {test.trials} swaps"
    else:
        method, trials = {
            "bootstrap": ("paired bootstrap", "resamples"),
            "randomization": ("approximate randomization", "trials"),
        }[test.method]
        method = (
            f"{method}{drawn_text(test)}, {kind}, {test.trials} {trials} "
            f"(smallest: {least_text(test.floor)}), seed {test.seed}"
        )
    level = f"{100 * (1 - test.level):g} % level"
    notes = [f"raw p: against {baseline}, {method}"]
    if test.kind == "two-sided":
        notes.append(f"corrected p: {test.family}")
    family = f"; {test.family}" if test.kind != "two-sided" and test.family else ""
    return [*notes, f"*: significant at the {level}{family}"]


# The table, its rows as numbers, and sacreBLEU's lines.


def score_view(
    evaluation: Evaluation, *, segments: bool = False, decimals: int = 2, short: bool = False
) -> list[Part]:
    """The table, and what must be quoted beside it."""
    table = score_table(evaluation, segments=segments, decimals=decimals)
    return [table, signature_notes(evaluation, segments=segments, short=short)]


def score_table(evaluation: Evaluation, *, segments: bool = False, decimals: int = 2) -> Table:
    """Systems by metrics, a section for each slice or segment; the best of each is marked."""
    metrics = columns(evaluation, segments=segments)
    evidence = () if segments else evidence_columns(evaluation)
    names = label_names(evaluation, segments=segments)
    shown = [Column(name, "right" if name == "segment" else "left") for name in names]
    for metric in metrics:
        shown.append(Column(heading(metric.title, higher_is_better=metric.higher_is_better)))
        shown += (Column(column.title, joined=True) for column in evidence)
    return Table(
        columns=tuple(shown),
        sections=tuple(
            _table_section(section, metrics, evidence, decimals)
            for section in sections(evaluation, segments=segments)
        ),
        labels=len(names),
        ruled=not segments,
    )


def _table_section(
    section: Sequence[ScoreRow],
    metrics: Sequence[MetricColumn],
    evidence: Sequence[EvidenceColumn],
    decimals: int,
) -> tuple[tuple[Cell, ...], ...]:
    best = best_values(section, metrics, decimals)
    rows = []
    for number, row in enumerate(section):
        *repeated, system = row.labels
        labels = [*(repeated if number == 0 else [""] * len(repeated)), system]
        cells = [Cell(label) for label in labels]
        values = zip(metrics, row.values, best, strict=True)
        for (metric, value, top), score in zip_longest(values, row.scores):
            mark = metric.rounded(value, decimals) == top
            cells.append(Cell(metric.text(value, decimals), "best" if mark else ""))
            cells += (Cell(text) for text in evidence_cells(evidence, score, decimals))
        rows.append(tuple(cells))
    return tuple(rows)


def signature_notes(
    evaluation: Evaluation, *, segments: bool = False, short: bool = False
) -> Lines:
    """What must be quoted beside the scores: the size of the corpus and every signature."""
    heads = columns(evaluation, segments=segments)
    width = max(len(head.title) for head in heads)
    texts = [
        counted(evaluation.segments, "segment"),
        *evidence_notes(evaluation, segments=segments),
        *(f"{head.title:<{width}}  {_identity(head, short=short)}" for head in heads),
    ]
    return lines(texts, "faint", copied=True)


def score_latex(
    evaluation: Evaluation, *, segments: bool = False, decimals: int = 2, short: bool = False
) -> Iterator[str]:
    """A ``tabular`` for the package booktabs; signatures and notes follow as comments."""
    yield from score_table(evaluation, segments=segments, decimals=decimals).latex()
    for head in columns(evaluation, segments=segments):
        yield latex_comment(f"{head.title}: {_identity(head, short=short)}")
    yield from map(latex_comment, evidence_notes(evaluation, segments=segments))


def _identity(head: MetricColumn, *, short: bool) -> str:
    return short_signature(head.signature) if short else head.signature


def score_tsv(evaluation: Evaluation, *, segments: bool = False) -> Iterator[str]:
    """A heading of labels and metric specs, then one line per row with all digits.

    A metric with intervals or tests is followed by ``spec.low``, ``spec.high``, ``spec.p`` and
    ``spec.adjusted_p``, which is corrected for all tests in the table.
    """
    heads = columns(evaluation, segments=segments)
    evidence = [] if segments else list(evidence_numbers(evaluation.systems[0].scores[0]))
    specs = ([head.spec, *(f"{head.spec}.{name}" for name in evidence)] for head in heads)
    names = [*label_names(evaluation, segments=segments), *chain.from_iterable(specs)]
    return tsv(
        names,
        (
            (*row.labels, *(_with_evidence(row, evidence) if evidence else row.values))
            for section in sections(evaluation, segments=segments)
            for row in section
        ),
    )


def _with_evidence(row: ScoreRow, names: Sequence[str]) -> Iterator[float | None]:
    for value, score in zip_longest(row.values, row.scores):
        numbers = evidence_numbers(score) if score else {}
        yield value
        yield from (numbers.get(name) for name in names)


def score_lines(
    evaluation: Evaluation, *, segments: bool = False, decimals: int = 1
) -> Iterator[str]:
    """Numbers only: a line for each row of the table, a tab between metrics."""
    heads = columns(evaluation, segments=segments)
    for section in sections(evaluation, segments=segments):
        for row in section:
            if row.scores:
                yield tsv_row([score_text(score, decimals) for score in row.scores])
            else:
                values = zip(heads, row.values, strict=True)
                yield tsv_row([head.text(value, decimals) for head, value in values])


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
                yield tsv_row([*system, *label, line.rstrip()])


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
            yield tsv_row([*(row.labels if len(section) > 1 else ()), *scores])


def _heading(score: Score, *, short: bool, segments: bool = False) -> str:
    identity = signature(score, segments=segments)
    return f"{score.metric.title}|{short_signature(identity) if short else identity}"
