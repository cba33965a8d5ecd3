"""The contract of a metric: rows of additive statistics, and a score of any sum of rows."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.metrics.contract.costs import Growth
from tertium.metrics.contract.options import Option, bound, case_option, option, options_of
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System
from tertium.text.references import AnyReferences, Hypotheses
from tertium.version import __version__

if TYPE_CHECKING:
    from tertium.metrics.contract.pictures import Picture


# What a score is made of, as people ask for it: named parts and a trace of one segment.


class Component(NamedTuple):
    """One part of a score; ``note`` says where the value comes from, ``group`` whose it is."""

    name: str
    value: float
    note: str = ""
    group: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        shown = {"name": self.name, "value": self.value, "note": self.note, "group": self.group}
        return {key: value for key, value in shown.items() if value != ""}


def grams_of(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a text, with their counts."""
    # The shifted copies differ in length, and the shortest ends the last n-gram.
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def matched_and_missed(
    hypothesis: Sequence[str], references: Iterable[Sequence[str]], n: int
) -> tuple[list[str], list[str]]:
    """The n-grams of a hypothesis that its references have, and those they have not.

    >>> matched_and_missed(["a", "a", "b"], [["a", "b", "c"]], 1)
    (['a', 'b'], ['a'])
    """
    left: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        grams = grams_of(reference, n)
        left = left | grams if left else grams
    matched: list[str] = []
    missed: list[str] = []
    for gram in zip(*(hypothesis[start:] for start in range(n)), strict=False):
        count = left.get(gram, 0)
        if count > 0:
            left[gram] = count - 1
            matched.append(" ".join(gram))
        else:
            missed.append(" ".join(gram))
    return matched, missed


# As NDArray[np.float64], whose import takes longer than that of any module here.
Rows: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
"""Statistics: shape (segments, K), or (K,) for a sum of segments."""
Scores: TypeAlias = Rows
PenalisedLengths: TypeAlias = Literal["none", "segment", "corpus"]

_SACREBLEU_KEYS = ("case", "eff", "tok", "smooth")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(ABC):
    """A frozen value: its fields are its options, and nothing else decides a score.

    ``statistics`` turns every segment into a row of numbers that may be added up, and
    ``score`` turns rows, or sums of rows, into scores. Corpus score, segment scores,
    slices and resampling all follow from these two.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    citation: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    best: ClassVar[float] = 100.0
    worst: ClassVar[float] = 0.0
    penalised_lengths: ClassVar[PenalisedLengths] = "none"
    """Which lengths a penalty compares: sums over the corpus, where words too many in one segment
    pay for words missing in another, those of each segment, or none."""
    facts: ClassVar[tuple[str, ...]] = ()
    """What must be known of the metric itself, whatever it is used on."""
    segment_form: ClassVar[str] = "plain text"
    """What the text of a segment must be; annotations for a metric that needs some."""
    elsewhere: ClassVar[bool] = False
    """Whether scores are computed elsewhere: without a file or a program there are none."""
    finer: ClassVar[int] = 0
    """So many decimals more than a score of 0 to 100 are shown: differences may be small."""

    @property
    def limits(self) -> tuple[float, float]:
        """The lowest and the highest score that there can be with these options."""
        return min(self.best, self.worst), max(self.best, self.worst)

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows, if faster than the segment."""
        return None

    @classmethod
    def missing(cls) -> str | None:
        """What the metric needs at its defaults and is not installed, with how to get it."""
        return None

    @property
    def needs_fit(self) -> bool:
        """Whether ``fit`` must see all references before the first segment is scored."""
        return False

    @property
    def waits_for_fit(self) -> bool:
        """Whether ``fit`` must see the references and has not seen them yet."""
        known = [field.name for field in fields(self) if field.metadata.get("bound")]
        return self.needs_fit and all(getattr(self, name) is None for name in known)

    @property
    def needs_sources(self) -> bool:
        """Whether the metric cannot do without the sources of the segments."""
        return False

    @property
    def refusal(self) -> str:
        """Why the metric cannot score text that somebody makes up; empty if it can."""
        if self.segment_form == "plain text":
            return ""
        return f"{self.title} reads {self.segment_form}, not plain text"

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics, in the order of a row."""

    @abstractmethod
    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        """One row per segment."""

    def rows_of(self, system: System, corpus: Corpus) -> Rows:
        """One row per segment of a system: `statistics`, with all that is known of both.

        A metric that reads sources, or knows systems by their names, gets them here.
        """
        self.check_sources(corpus)
        return self.statistics(system.hypotheses, corpus.references)

    def check_sources(self, corpus: Corpus) -> None:
        """Refuse a corpus without sources if the metric cannot do without them."""
        if self.needs_sources and corpus.sources is None:
            raise InputError(
                f"{self.title}: found no sources of {corpus.name}, expected some (--source FILE)"
            )

    def of_source(self, source: str | None) -> Self:
        """The metric for texts that all translate one source, if it reads sources."""
        return self

    @property
    def doubts(self) -> tuple[str, ...]:
        """What must be said beside every score of the metric."""
        return ()

    def remarks(self, total: Rows, segments: int) -> tuple[str, ...]:
        """What must be said beside the score of a sum of so many segments' rows."""
        return ()

    @abstractmethod
    def score(self, rows: Rows) -> Scores:
        """``(..., K) -> (...)``: the score of every row or sum of rows."""

    def fit(self, references: AnyReferences) -> Self:
        """Bind what the metric must know of all references before the first segment."""
        return self

    def bind(self, corpus: Corpus) -> Self:
        """`fit`, for a metric that must know more of a corpus, such as its documents."""
        return self.fit(corpus.references)

    def for_segments(self) -> Self:
        """The metric as single segments are customarily scored with it."""
        return self

    def shown(self, value: float, decimals: int = 2, *, sign: str = "") -> str:
        """A score, or with the sign ``+`` a difference, with all the decimals that it needs.

        >>> from tertium.metrics.ngram.bleu import Bleu
        >>> Bleu().shown(27.345), Bleu().shown(0.5, sign="+"), Bleu().shown(float("nan"))
        ('27.34', '+0.50', '–')
        """
        return "–" if isnan(value) else f"{value:{sign}.{decimals + self.finer}f}"

    def describe(self, row: Rows) -> str:
        """What a sum of rows is made of, in one line for people."""
        return ""

    def components(self, row: Rows) -> tuple[Component, ...]:
        """What the score of a sum of rows is made of; the statistics, if nothing tells more."""
        return tuple(map(Component, self.columns, row.tolist()))

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        """What happened in one segment, line by line for people."""
        return []

    def trace_and_pictures(
        self, hypothesis: str, references: Sequence[str]
    ) -> "tuple[list[str], tuple[Picture, ...]]":
        """Both, for a metric that has them from one alignment."""
        return self.trace(hypothesis, references), self.pictures(hypothesis, references)

    def pictures(self, hypothesis: str, references: Sequence[str]) -> "tuple[Picture, ...]":
        """How the metric aligns one segment with each reference; none if it aligns nothing."""
        return ()

    @property
    def aligns(self) -> bool:
        """Whether there are pictures of this metric."""
        return type(self).pictures is not Metric.pictures

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of this metric, with help and defaults."""
        return options_of(type(self))

    @property
    def spec(self) -> str:
        """The text by which results name this metric; files are named without their folders.

        >>> from tertium.metrics.ngram.bleu import Bleu
        >>> Bleu(lowercase=True, order=2).spec
        'bleu[lowercase=yes,order=2]'
        """
        return self.written(lambda setting, value: setting.shown_text(value))

    @property
    def recipe(self) -> str:
        """The shortest text that ``parse_metric`` turns into this metric again, on this machine."""
        return self.written(lambda setting, value: setting.to_text(value))

    def written(self, text: Callable[[Option, object], str]) -> str:
        """The name, and in brackets all options that are not at their default."""
        changed = [
            f"{setting.name}={text(setting, setting.value_of(self))}"
            for setting in self.options
            if setting.is_changed(setting.value_of(self))
        ]
        return f"{self.name}[{','.join(changed)}]" if changed else self.name

    def signature(self, references: str | int = 1) -> str:
        """The complete identity: every option that is not at its default, and the version.

        sacreBLEU's keys come first and keep their meaning; ``references`` is the number of
        references per segment, or ``var``.
        """
        shown = {
            setting.key: setting.signature_text(setting.value_of(self))
            for setting in self.options
            if setting.always or setting.is_changed(setting.value_of(self))
        }
        ordered = [key for key in _SACREBLEU_KEYS if key in shown]
        ordered += [key for key in shown if key not in ordered]
        pairs = [f"nrefs:{references}", *(f"{key}:{shown[key]}" for key in ordered)]
        return "|".join([*pairs, f"version:tertium-{__version__}"])

    def with_options(self, **changes: object) -> Self:
        """The same metric with other options."""
        return replace(self, **changes)

    @property
    def tunable(self) -> tuple[Option, ...]:
        """The options that ``parameters`` puts into one vector."""
        return tuple(setting for setting in self.options if setting.tunable)

    def parameters(self) -> Scores:
        """The free numbers of the metric as one vector, in the order of ``tunable``.

        >>> from tertium.metrics.edit.grr import GramRecognitionRate
        >>> GramRecognitionRate(beta=0.5).parameters()
        array([1. , 0.5])
        """
        values = [np.atleast_1d(getattr(self, setting.name)) for setting in self.tunable]
        return np.concatenate([np.zeros(0), *values])

    def with_parameters(self, vector: Sequence[float] | Scores) -> Self:
        """The same metric with other free numbers, given as ``parameters`` gives them."""
        expected = len(self.parameters())
        if len(vector) != expected:
            raise OptionError(
                f"{self.name}: found {counted(len(vector), 'parameter')}, expected {expected} "
                f"({', '.join(setting.name for setting in self.tunable)})"
            )
        numbers = iter(map(float, vector))
        changes: dict[str, object] = {}
        for setting in self.tunable:
            old = getattr(self, setting.name)
            many = isinstance(old, tuple)
            changes[setting.name] = tuple(next(numbers) for _ in old) if many else next(numbers)
        return replace(self, **changes)


def sum_of(rows: Rows) -> Rows:
    """``rows.sum(axis=0)``, to the last bit; on many short rows that takes four times as long."""
    # A single column is another matter: numpy's sum does not add it up from top to bottom.
    total: Rows = np.einsum("ij->j", rows) if rows.shape[1] > 1 else rows.sum(axis=0)
    return total


def some(flags: Any) -> bool:
    """Whether any is true. The score of a corpus asks of single ones, for which any() is slow."""
    if isinstance(flags, bool) or flags.ndim == 0:
        return bool(flags)
    return bool(flags.any())


def ratio(numerator: Rows, denominator: Rows, *, empty: float = 0.0) -> Scores:
    """``numerator / denominator``, and ``empty`` where there is nothing to divide by."""
    nothing = np.equal(denominator, 0)
    if not some(nothing):  # as nearly always, and three times as fast
        return np.asarray(numerator / denominator)
    safe = np.where(nothing, 1.0, denominator)
    return np.where(nothing, empty, numerator / safe)


__all__ = ["Metric", "Rows", "Scores", "bound", "case_option", "option", "ratio", "some", "sum_of"]
