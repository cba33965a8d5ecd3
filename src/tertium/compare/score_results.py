"""What a comparison of scores gives back: slices × systems × metrics."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Final, NamedTuple, TypeAlias

from tertium.choices import Slicing
from tertium.compare.baseline_tests import RUN_TESTS, ComparisonSettings, RunTest, TestName
from tertium.inference.corrections import Family
from tertium.inference.joint_tests import PairTest
from tertium.inference.many import deviation
from tertium.inference.p_values import CORRECTED_P, RAW_P, least_text, p_value_text
from tertium.metrics.contract.base import Metric
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.results import Interval, Unit, headings
from tertium.scored.runs import Runs
from tertium.tables import Cell, Column, Table

# One system's score beside the baseline's: its difference, how sure it is, and its runs.


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult(Plain):
    """One test of a system against the baseline.

    ``p_value`` is raw; ``adjusted``, corrected for all tests of the table, is the one that
    decides. ``asked`` is the test that was asked for: few units are tested by randomization where
    it was the bootstrap, and fewer than six by Student's t. ``floor`` is the smallest raw p-value
    that so many trials can give, ``adjusted_floor`` the smallest corrected one, or 0.
    """

    PLAIN = "p_value adjusted_p_value=adjusted significant floor"

    test: RunTest
    asked: TestName
    p_value: float
    adjusted: float
    significant: bool
    floor: float
    adjusted_floor: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedScore:
    """One system under one metric; the baseline itself has no delta and no tests.

    ``cluster`` counts from 1, and there is none where the tests could not tell any pair apart;
    ``ranks`` are the best and the worst rank that the tests of all pairs leave possible. On a
    single unit there is no interval and no test. Of a system with several ``runs`` these are
    their scores, whose mean is ``value``; ``runs_p_value`` says whether training alone could make
    the difference, and no test is significant where it could.
    """

    metric: Metric
    value: float
    interval: Interval | None = None
    delta: float | None = None
    delta_interval: Interval | None = None
    tests: tuple[TestResult, ...] = ()
    cluster: int | None = None
    ranks: tuple[int, int] | None = None
    runs: tuple[float, ...] = ()
    runs_p_value: float | None = None

    @property
    def ranks_text(self) -> str:
        """The range of ranks as tables show it: "2–4", or "1" where there is but one."""
        if self.ranks is None:
            return ""
        first, last = self.ranks
        return str(first) if first == last else f"{first}–{last}"

    @property
    def deviation(self) -> float | None:
        """The standard deviation over runs, where there are several."""
        return deviation(self.runs) if self.runs else None

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        result: dict[str, Any] = {
            "metric": self.metric.spec,
            "higher_is_better": self.metric.higher_is_better,
            "score": self.value,
        }
        if self.interval is not None:
            result["interval"] = self.interval.to_dict()
        if self.delta is not None:
            result["delta"] = self.delta
        if self.delta_interval is not None:
            result["delta_interval"] = self.delta_interval.to_dict()
        if self.tests:
            result["tests"] = {test.test: test.to_dict() for test in self.tests}
        if self.cluster is not None:
            result["cluster"] = self.cluster
        if self.ranks is not None:
            result["ranks"] = list(self.ranks)
        if self.runs:
            result["runs"] = {"scores": list(self.runs), "deviation": self.deviation}
            if self.runs_p_value is not None:
                result["runs"]["p_value"] = self.runs_p_value
        return result


WHOLE: Final = "all"
"""The slice that holds every segment."""

CLUSTER: Final = (
    "every system of a cluster scores significantly better than every system of the clusters "
    "below; inside a cluster some pairs may differ, too"
)
"""What a rank cluster is, in words that hold."""

RANKS: Final = (
    "1 + the number of systems significantly ahead, to the number of all less those "
    "significantly behind"
)
"""What a range of ranks is."""

MARKS: Final[dict[RunTest, str]] = {
    "randomization": "*",
    "bootstrap": "†",
    "t-test": "¶",
    "sign": "‡",
    "stratified": "§",
}
"""Each test has its own mark, so that a table says which of them found a difference."""

METHODS: Final[dict[RunTest, str]] = {
    "randomization": "randomization",
    "bootstrap": "paired bootstrap",
    "t-test": "t-test with CR2 errors",
    "sign": "sign test by substitution",
    "stratified": "randomization stratified by run",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSlice:
    """Some of the segments, and what of them is resampled; ``scores`` are [system][metric]."""

    label: str
    segments: int
    unit: Unit
    units: int
    scores: tuple[tuple[ComparedScore, ...], ...]

    @property
    def tested(self) -> bool:
        """Whether there are tests."""
        return any(score.tests for row in self.scores for score in row)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """Slices × systems × metrics; the first slice holds every segment.

    ``families`` has for each test asked for the tests that its p-values are corrected for,
    ``cluster_family`` those of the rank clusters, which are made by ``cluster_test``.
    ``findings`` say where a test contradicts itself or the scores, or has little to go on.
    """

    systems: tuple[str, ...]
    signatures: tuple[str, ...]
    settings: ComparisonSettings
    by: Slicing | None
    slices: tuple[ScoreSlice, ...]
    findings: tuple[str, ...]
    families: dict[TestName, Family]
    cluster_family: Family
    cluster_test: PairTest
    runs: Runs | None = None
    """The outputs that are runs of each system, where there are several."""

    @property
    def tests(self) -> tuple[RunTest, ...]:
        """The tests that were run."""
        every = (score for part in self.slices for row in part.scores for score in row)
        tests = {test.test for score in every for test in score.tests}
        return tuple(test for test in RUN_TESTS if test in tests)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order asked for."""
        return tuple(score.metric for score in self.slices[0].scores[0])

    def whole_dicts(self, system: int) -> list[dict[str, Any]]:
        """One system's scores of all segments as in every JSON that has systems."""
        return [
            {**score.to_dict(), "signature": signature}
            for score, signature in zip(self.slices[0].scores[system], self.signatures, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        specs = (metric.spec for metric in self.metrics)
        return {
            **self.settings.to_dict(),
            **({} if self.runs is None else {"runs": self.runs.to_dict()}),
            "cluster_test": self.cluster_test,
            "families": {
                **{test: family.to_dict() for test, family in self.families.items()},
                "clusters": self.cluster_family.to_dict(),
            },
            "signatures": dict(zip(specs, self.signatures, strict=True)),
            "by": self.by,
            "slices": [
                {
                    "slice": part.label,
                    "segments": part.segments,
                    "unit": part.unit,
                    "units": part.units,
                    "systems": [
                        {"system": name, "scores": [score.to_dict() for score in scores]}
                        for name, scores in zip(self.systems, part.scores, strict=True)
                    ],
                }
                for part in self.slices
            ],
            "findings": list(self.findings),
        }

    def _repr_html_(self) -> str:
        """The scores of each slice; a mark says what a test finds significant."""
        from html import escape

        shown = score_table(self).html()
        return shown + "".join(f"<p>{escape(note)}</p>" for note in self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be known of the numbers: what was resampled, by which tests, how corrected."""
        tests = (self._test_note(asked) for asked in self.settings.tests)
        more = filter(None, [self.cluster_note, self.runs_note])
        return (self.interval_note, *tests, *more)

    @property
    def runs_note(self) -> str:
        """What there is of several runs; nothing where there is one of each system."""
        if self.runs is None:
            return ""
        return (
            f"scores are means over {self.runs.count} runs of each system; σ: their standard "
            f"deviation; p runs: against {self.systems[0]}, whether training alone could make the "
            "difference (Welch's t-test); what is significant is so by both"
        )

    @property
    def interval_note(self) -> str:
        """What the intervals are."""
        settings = self.settings
        level = f"{100 * settings.level:g} % interval"
        shown = {"percentile": f"±: half of the {level}", "bca": f"[…]: the {level}, BCa,"}
        span = f"{shown[settings.interval]} by bootstrap of {self.units}"
        return f"{span}, {settings.trials} resamples, seed {settings.seed}"

    @property
    def cluster_note(self) -> str:
        """What clusters and ranks are; nothing where there are none."""
        if all(score.cluster is None for row in self.slices[0].scores for score in row):
            return ""
        return f"cluster: {CLUSTER}; ranks: {RANKS} ({self._cluster_test})"

    @property
    def units(self) -> str:
        """What was resampled: that of the whole, and where slices have other units these, too."""
        whole, *parts = self.slices
        found = counted(whole.units, whole.unit)
        others = {part.unit for part in parts} - {whole.unit}
        return f"{found} (in slices of one document: its segments)" if others else found

    def _test_note(self, asked: TestName) -> str:
        verdicts = [
            test
            for part in self.slices
            for row in part.scores
            for score in row
            for test in score.tests
            if test.asked == asked
        ]
        if not verdicts:
            return f"p ({asked}): nothing was tested"
        run = [test for test in RUN_TESTS if test in {verdict.test for verdict in verdicts}]
        floor = max(verdict.floor for verdict in verdicts)
        shown = " and ".join(f"{MARKS[test]} {METHODS[test]}" for test in run)
        if not floor and "randomization" in run:
            shown = shown.replace("randomization", "exact randomization")
        limit = f" (smallest with these trials: {least_text(floor)})" if floor else ""
        family = self.families[asked]
        decides = "the same" if family.tests == 1 else f"by {family}"
        if family.correction == "none" and family.tests > 1:
            decides = f"the same, {family}"
        return (
            f"{RAW_P}: against {self.systems[0]}, two-sided{limit}; {CORRECTED_P}: {decides}; "
            f"{shown}: significant at the {100 * self.settings.alpha:g} % level"
        )

    @property
    def _cluster_test(self) -> str:
        return f"{METHODS[self.cluster_test]}, {self.cluster_family}"


# The columns of the scores: for people in `score_columns`, for programs in `score_records`.


class ScoreColumn(NamedTuple):
    """A column below each metric: its heading, and what stands in it."""

    title: str
    text: Callable[[ComparedScore, int], str]


def score_columns(table: ScoreTable) -> tuple[ScoreColumn, ...]:
    """The score itself is the first, under the metric's name; all follow in this order."""
    tests, runs = table.settings.tests, table.runs is not None
    mark = "±" if table.settings.interval == "percentile" else "BCa"
    level = f"{mark} {100 * table.settings.level:g} %"
    return (
        ScoreColumn(level, lambda score, n: _with_span(f"{score.value:.{n}f}", score.interval, n)),
        *([ScoreColumn("σ", lambda score, n: _number(score.deviation, n))] if runs else ()),
        ScoreColumn(f"Δ {level}", lambda score, n: _delta_text(score, n, len(tests))),
        *(column for test in tests for column in _test_columns(test, alone=len(tests) == 1)),
        *([ScoreColumn("p runs", lambda score, _: _p_text(score.runs_p_value))] if runs else ()),
        ScoreColumn(
            "cluster", lambda score, _: "" if score.cluster is None else f"{score.cluster}"
        ),
        ScoreColumn("ranks", lambda score, _: score.ranks_text),
    )


def _test_columns(asked: TestName, *, alone: bool) -> Iterator[ScoreColumn]:
    """The raw and the corrected p-value of a test; several tests are told apart by their marks."""

    def test_of(score: ComparedScore) -> TestResult | None:
        return next((test for test in score.tests if test.asked == asked), None)

    def raw(score: ComparedScore, _: int) -> str:
        test = test_of(score)
        return "" if test is None else p_value_text(test.p_value, test.floor)

    def corrected(score: ComparedScore, _: int) -> str:
        test = test_of(score)
        return "" if test is None else p_value_text(test.adjusted, test.adjusted_floor)

    mark = "" if alone else MARKS[asked]
    yield ScoreColumn(f"{RAW_P}{mark}", raw)
    yield ScoreColumn(f"{CORRECTED_P}{mark}", corrected)


def _with_span(text: str, interval: Interval | None, decimals: int) -> str:
    return text if interval is None else f"{text} {interval.text(decimals)}"


def _delta_text(score: ComparedScore, decimals: int, tests: int) -> str:
    if score.delta is None:
        return ""
    # Marks keep their places, so that the digits of a column stand under one another.
    marks = "".join(MARKS[test.test] for test in score.tests if test.significant)
    return _with_span(f"{score.delta:+.{decimals}f}", score.delta_interval, decimals) + (
        f"{marks:<{tests}}"
    )


def _number(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"


def _p_text(value: float | None) -> str:
    return "" if value is None else p_value_text(value)


def score_table(table: ScoreTable, decimals: int = 2) -> Table:
    """Systems × metrics, a section for each slice; the best of each metric is marked.

    What follows ± is half the width of the interval; BCa ones are shown by their ends.
    """
    beside = score_columns(table)
    labels = [table.by, "segments"] if table.by else []
    if labels and any(part.unit == "document" for part in table.slices):
        labels.append("documents")
    columns = [Column(label, "right" if number else "left") for number, label in enumerate(labels)]
    columns.append(Column("system", "left"))
    for title in headings(table.metrics):
        columns.append(Column(f"{title} {beside[0].title}"))
        columns += (Column(column.title, joined=True) for column in beside[1:])
    return Table(
        title=f"scores against {table.systems[0]}",
        columns=tuple(columns),
        sections=tuple(_section(table, part, len(labels), decimals) for part in table.slices),
        labels=len(labels) + 1,
    )


def _section(
    table: ScoreTable, part: ScoreSlice, labels: int, decimals: int
) -> tuple[tuple[Cell, ...], ...]:
    beside = score_columns(table)
    units = str(part.units) if part.unit == "document" else ""
    label = [part.label, str(part.segments), units][:labels]
    best = [_best(column, decimals) for column in zip(*part.scores, strict=True)]
    rows = []
    for number, (name, scores) in enumerate(zip(table.systems, part.scores, strict=True)):
        cells = [Cell(text) for text in (*(label if number == 0 else [""] * labels), name)]
        for score, top in zip(scores, best, strict=True):
            digits = decimals + score.metric.finer
            first, *more = (column.text(score, digits) for column in beside)
            cells.append(Cell(first, "best" if round(score.value, digits) == top else ""))
            cells += map(Cell, more)
        rows.append(tuple(cells))
    return tuple(rows)


def _best(scores: Sequence[ComparedScore], decimals: int) -> float | None:
    """The best of one metric, as it is shown."""
    metric = scores[0].metric
    values = [
        round(score.value, decimals + metric.finer) for score in scores if not isnan(score.value)
    ]
    return (max if metric.higher_is_better else min)(values, default=None)


Record: TypeAlias = dict[str, object]


def score_records(table: ScoreTable) -> Iterator[Record]:
    """One for each slice, system and metric."""
    for part in table.slices:
        for name, row in zip(table.systems, part.scores, strict=True):
            for score in row:
                own, delta = score.interval, score.delta_interval
                record: Record = {table.by: part.label} if table.by else {}
                record |= {
                    "segments": part.segments,
                    "system": name,
                    "metric": score.metric.spec,
                    "score": score.value,
                    "low": own.low if own else None,
                    "high": own.high if own else None,
                    "delta": score.delta,
                    "delta_low": delta.low if delta else None,
                    "delta_high": delta.high if delta else None,
                    "unit": part.unit,
                    "units": part.units,
                }
                tests = {test.test: test for test in score.tests}
                for name_of_test in dict.fromkeys((*table.settings.tests, *table.tests)):
                    test = tests.get(name_of_test)
                    record[f"p_{name_of_test}"] = test.p_value if test else None
                    record[f"adjusted_p_{name_of_test}"] = test.adjusted if test else None
                record["cluster"] = score.cluster
                record["best_rank"], record["worst_rank"] = score.ranks or (None, None)
                if table.runs is not None:
                    record["runs"] = len(score.runs)
                    record["runs_deviation"] = score.deviation
                    record["p_runs"] = score.runs_p_value
                yield record
