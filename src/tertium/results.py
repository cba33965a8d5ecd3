"""What scoring gives back: frozen values that show themselves to people and programs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.tables import dataframe, html_table

if TYPE_CHECKING:
    import pandas

USUAL_LEVEL: Final = 0.95
"""The confidence level that goes without saying, in signatures as elsewhere."""

_TEST_KEYS: Final = {"bootstrap": "bs", "randomization": "ar"}

Unit: TypeAlias = Literal["segment", "document"]
"""What is resampled as a whole."""


def titles(metrics: Sequence[Metric]) -> list[str]:
    """The metrics' titles; options are added only where two metrics share a title.

    >>> from tertium.metrics.ngram.bleu import Bleu
    >>> titles([Bleu(), Bleu(order=2)])
    ['BLEU', 'BLEU[order=2]']
    """
    shared = Counter(metric.title for metric in metrics)
    return [
        metric.title + metric.spec.removeprefix(metric.name)
        if shared[metric.title] > 1 and metric.spec != metric.title
        else metric.title
        for metric in metrics
    ]


def heading(title: str, *, higher_is_better: bool) -> str:
    """A title with an arrow where less is better."""
    return title if higher_is_better else f"{title} ↓"


def headings(metrics: Sequence[Metric]) -> list[str]:
    """The metrics' titles, with an arrow where less is better."""
    return [
        heading(title, higher_is_better=metric.higher_is_better)
        for title, metric in zip(titles(metrics), metrics, strict=True)
    ]


class Interval(NamedTuple):
    """The middle of what a score, or a difference, is on resampled test sets.

    ``unit`` is what was drawn as a whole, and ``units`` how many of them there were.
    """

    low: float
    high: float
    mean: float
    level: float
    trials: int
    seed: int
    unit: Unit | None = None
    units: int | None = None
    method: Literal["percentile", "bca"] = "percentile"

    @property
    def half_width(self) -> float:
        """What follows the ± sign."""
        return (self.high - self.low) / 2

    def text(self, decimals: int) -> str:
        """What stands beside the score: ± half the width, or both ends where they are skewed.

        >>> ends = Interval(low=19.5, high=22.0, mean=20.7, level=0.95, trials=1000, seed=1)
        >>> ends.text(1), ends._replace(method="bca").text(1)
        ('± 1.2', '[19.5, 22.0]')
        """
        if self.method == "percentile":
            return f"± {self.half_width:.{decimals}f}"
        return f"[{self.low:.{decimals}f}, {self.high:.{decimals}f}]"

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; what is not known is left out."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class BaselineTest(NamedTuple):
    """A paired test of a system against the baseline, which has no p-values of its own.

    ``adjusted_p_value`` is the one that decides: ``family`` says which tests it is corrected
    for. A test is ``exact`` if it tried every way to swap units. ``kind`` is what ``p_value``
    is; the one that sacreBLEU prints stands beside it wherever there is a bootstrap.
    """

    method: Literal["bootstrap", "randomization"]
    trials: int
    seed: int
    unit: Unit
    units: int
    level: float = USUAL_LEVEL
    exact: bool = False
    kind: Literal["two-sided", "sacrebleu"] = "two-sided"
    family: str = ""
    p_value: float | None = None
    adjusted_p_value: float | None = None
    significant: bool = False
    p_value_sacrebleu: float | None = None
    covered: int = 1
    """How many times the smallest p-value the correction counts: Holm that of all tests."""

    @property
    def adjusted_floor(self) -> float:
        """The smallest corrected p-value that so many trials can give."""
        return min(1.0, self.covered * self.floor)

    @property
    def floor(self) -> float:
        """The smallest p-value that so many trials can give; 0 where there is no such limit."""
        return 0.0 if self.exact else 1 / (1 + self.trials)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        numbers = self._asdict()
        del numbers["covered"]
        return {**numbers, "floor": self.floor}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score:
    """One metric's verdict on one system, with the statistics it was made from."""

    metric: Metric
    value: float
    statistics: Rows = field(repr=False)
    references: str = field(repr=False)
    segments: Scores | None = field(default=None, repr=False)
    slices: "dict[str, Score]" = field(default_factory=dict, repr=False)
    rows: Rows | None = field(default=None, repr=False)
    interval: Interval | None = field(default=None, repr=False)
    test: BaselineTest | None = field(default=None, repr=False)

    @property
    def signature(self) -> str:
        """The complete identity of the metric, as papers should quote it.

        The keys of resampling stand where sacreBLEU has them: trials of the bootstrap (``bs``)
        and of approximate randomization (``ar``), and the seed; then what sacreBLEU does not
        have, ``resample`` where documents were drawn, and the level and the kind of interval
        where they are not the usual ones.
        """
        references, *rest = self.metric.signature(self.references).split("|")
        return "|".join([references, *_resampling_keys(self.interval, self.test), *rest])

    @property
    def details(self) -> str:
        """What the score is made of, in one line."""
        return self.metric.describe(self.statistics)

    @property
    def text(self) -> str:
        """The score with two decimals, or as many as its metric's differences need."""
        return self.metric.shown(self.value)

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        line = f"{self.metric.title}|{self.signature} = {self.text}"
        return f"{line} {self.details}".rstrip()

    def __repr__(self) -> str:
        return f"<{self.metric.spec}: {self.text}>"

    def _repr_html_(self) -> str:
        return html_table(["metric", "score", "signature"], [_html_row(self)])

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        columns = zip(self.metric.columns, self.statistics.tolist(), strict=True)
        result: dict[str, Any] = {
            "metric": self.metric.spec,
            "score": self.value,
            "signature": self.signature,
            "higher_is_better": self.metric.higher_is_better,
            "statistics": dict(columns),
        }
        if self.segments is not None:
            result["segments"] = self.segments.tolist()
            result["segment_signature"] = self.metric.for_segments().signature(self.references)
        if self.interval is not None:
            result["interval"] = self.interval.to_dict()
        if self.test is not None:
            result["test"] = self.test.to_dict()
        if self.slices:
            result["slices"] = {label: part.to_dict() for label, part in self.slices.items()}
        return result

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per segment if they were scored, else one for the corpus; needs pandas."""
        if self.segments is None:
            return dataframe([{"metric": self.metric.spec, "score": self.value}])
        scores = enumerate(self.segments.tolist(), 1)
        return dataframe(
            {"metric": self.metric.spec, "segment": number, "score": score}
            for number, score in scores
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores(Plain):
    """All scores of one system."""

    system: str
    scores: tuple[Score, ...]

    def __getitem__(self, metric: str) -> Score:
        """The score by a metric, named as it was asked for or as it writes itself."""
        from tertium.metrics.contract.table import parse_metric

        spec = parse_metric(metric).spec
        for score in self.scores:
            if spec == score.metric.spec:
                return score
        raise KeyError(metric)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Plain):
    """Systems × metrics; the first system is the baseline."""

    PLAIN = "version segments systems warnings?"

    systems: tuple[SystemScores, ...]
    segments: int
    by: str | None = None
    documents: tuple[str, ...] | None = field(default=None, repr=False)
    """The document of every segment, if known; kept with the rows."""
    warnings: tuple[str, ...] = ()
    """What must be known before intervals and tests are believed."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order asked for."""
        return tuple(score.metric for score in self.systems[0].scores)

    def __getitem__(self, system: str) -> SystemScores:
        for one in self.systems:
            if one.system == system:
                return one
        raise KeyError(system)

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per system, metric and slice; needs pandas."""
        return dataframe(
            {
                "system": system.system,
                "metric": score.metric.spec,
                "slice": label,
                "score": part.value,
                "signature": part.signature,
            }
            for system in self.systems
            for score in system.scores
            for label, part in [("", score), *score.slices.items()]
        )

    def __repr__(self) -> str:
        scores = "; ".join(f"{system.system}: {list(system.scores)}" for system in self.systems)
        return f"<Evaluation of {counted(self.segments, 'segment')}: {scores}>"

    def _repr_html_(self) -> str:
        titles = [metric.title for metric in self.metrics]
        rows = [
            [system.system, *(score.text for score in system.scores)] for system in self.systems
        ]
        return html_table(["system", *titles], rows)


def _resampling_keys(interval: Interval | None, test: BaselineTest | None) -> list[str]:
    keys = {}
    if interval is not None:
        keys = {"bs": str(interval.trials), "seed": str(interval.seed)}
        if interval.level != USUAL_LEVEL:
            keys["level"] = str(interval.level)
        if interval.method != "percentile":
            keys["interval"] = interval.method
    if test is not None:
        keys |= {_TEST_KEYS[test.method]: str(test.trials), "seed": str(test.seed)}
    if any(evidence is not None and evidence.unit == "document" for evidence in (interval, test)):
        keys["resample"] = "documents"
    order = ("bs", "ar", "seed", "resample", "level", "interval")
    return [f"{key}:{keys[key]}" for key in order if key in keys]


def _html_row(score: Score) -> list[str]:
    return [score.metric.title, score.text, score.signature]


def remarks_on(
    names: Sequence[str], totals: Iterable[tuple[Metric, Iterable[Rows]]], segments: int
) -> tuple[str, ...]:
    """What metrics have to say of themselves, and of the score of each system's summed rows."""
    doubted: dict[str, list[str]] = {}
    remarks = []
    for metric, rows in totals:
        for doubt in metric.doubts:
            doubted.setdefault(doubt, []).append(metric.title)
        for name, total in zip(names, rows, strict=True):
            remarks += [f"{name}: {remark}" for remark in metric.remarks(total, segments)]
    doubts = [f"{', '.join(dict.fromkeys(titles))}: {doubt}" for doubt, titles in doubted.items()]
    return (*doubts, *dict.fromkeys(remarks))


def summed(systems: Sequence[SystemScores]) -> Iterable[tuple[Metric, list[Rows]]]:
    """Every metric with the summed rows of all systems."""
    for scores in zip(*(system.scores for system in systems), strict=True):
        yield scores[0].metric, [score.statistics for score in scores]
