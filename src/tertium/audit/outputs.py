"""What audits of output know of all texts: traits of each, and how like its reference it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts, gram_overlaps, text_traits
from tertium.audit.case import Case
from tertium.audit.findings import Finding, Severity
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.word_metric import WordMetric
from tertium.text.corpus import Corpus, System
from tertium.text.references import References
from tertium.text.tokenizers import THIRTEEN_A, Lowercase, Tokenizer

# Texts that audits make up, and the part of a corpus they are tried on.


def spaced(segments: int, most: int) -> list[int]:
    """At most so many segments, evenly spaced over the corpus.

    >>> spaced(10, 4)
    [0, 3, 6, 9]
    """
    places = np.linspace(0, segments - 1, min(segments, most))
    return [int(place) for place in np.unique(places.round())]


def hypotheses_of(system: System, segments: Sequence[int]) -> list[str]:
    """The outputs for some segments."""
    return [system.hypotheses[i] or "" for i in segments]


def words_of(metric: Metric, texts: Sequence[str]) -> list[list[str]]:
    """The words as the metric sees them; by the tokenizer 13a if it sees none."""
    tokenizer, lowercase = cutting(metric)
    return tokenizer.cut_all(Texts(texts), lowercase=lowercase)


def cutting(metric: Metric) -> tuple[Tokenizer, Lowercase]:
    """What decides the words of `words_of`: a tokenizer, and whether case is folded."""
    if isinstance(metric, WordMetric):
        return metric.tokenizer, metric.lowercase
    return THIRTEEN_A, False


def changed(references: References, change: Callable[[Texts], Texts]) -> References:
    """All references with their text changed."""
    return References(change(column) for column in references.columns)


def without_case(texts: Texts) -> Texts:
    """Everything in lower case."""
    return texts.lower()


def without_punctuation(texts: Texts) -> Texts:
    """Punctuation gone, and the space it leaves behind."""
    return texts.without_punctuation()


Numbers: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int32]

FEWEST: Final = 10
"""Segments below which a share says nothing: one line of five is no pattern."""
LONG: Final = 8
"""Words from which on two texts are hardly the same by chance; shorter ones often are."""
NOTE_SEGMENTS: Final = 3
"""Segments below which damage is not told, were it the whole of a short test set."""
NOTE_SHARE, WARNING_SHARE, SERIOUS_SHARE = 0.002, 0.01, 0.1
"""Damage in a hundredth of the segments moves a score about as much as the leads that audits
speak of; a tenth outweighs most differences between systems. No system of WMT12, 17 and 23 comes
near the latter."""

_FIRST_SCRIPT: Final = 5
"""The column of the core's rows from which on letters are counted by script."""
SCRIPTS: Final = (
    "Latin",
    "Greek",
    "Cyrillic",
    "Hebrew",
    "Arabic",
    "Indic",
    "Southeast Asian",
    "Hangul",
    "Kana",
    "Han",
    "other",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traits:
    """What is seen of each text of a column alone.

    ``looped`` are the words of the longest stretch in which the same words come four times in a
    row or more; ``ends`` tells whether a text closes like a sentence; ``letters`` are counted
    by script.
    """

    fingerprint: Numbers = field(repr=False)
    characters: Numbers = field(repr=False)
    words: Numbers = field(repr=False)
    looped: Numbers = field(repr=False)
    ends: Mask = field(repr=False)
    letters: Numbers = field(repr=False)

    @classmethod
    def of(cls, texts: Texts) -> "Traits":
        """Look at every text once."""
        rows = text_traits(texts)
        fingerprint, characters, words, looped, ends = rows[:, :_FIRST_SCRIPT].T
        return cls(
            fingerprint=fingerprint,
            characters=characters,
            words=words,
            looped=looped,
            ends=ends > 0,
            letters=rows[:, _FIRST_SCRIPT:],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outputs:
    """All texts with their traits; ``likeness`` is that of each output to its nearest reference.

    ``words`` are those of each segment's longest reference; likeness is (systems, segments).
    """

    corpus: Corpus
    systems: tuple[System, ...]
    traits: tuple[Traits, ...] = field(repr=False)
    references: tuple[Traits, ...] = field(repr=False)
    sources: Traits | None = field(repr=False)
    likeness: Numbers = field(repr=False)
    words: Numbers = field(repr=False)

    @classmethod
    def of(cls, corpus: Corpus, systems: tuple[System, ...]) -> "Outputs":
        """Read everything once, in the core."""
        references = tuple(Traits.of(column) for column in corpus.references.columns)
        return cls(
            corpus=corpus,
            systems=systems,
            traits=tuple(Traits.of(system.hypotheses) for system in systems),
            references=references,
            sources=None if corpus.sources is None else Traits.of(corpus.sources),
            likeness=np.stack([nearest(system.hypotheses, corpus) for system in systems]),
            words=np.max([reference.words for reference in references], axis=0),
        )

    @classmethod
    def of_case(cls, case: Case) -> "Outputs":
        """The same for all audits that ask."""
        return case.kept_for_all("outputs", lambda: cls.of(case.corpus, case.systems))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(system.name for system in self.systems)

    @property
    def segments(self) -> int:
        """How many there are."""
        return len(self.corpus)

    @property
    def long(self) -> Mask:
        """Segments whose reference is no short phrase."""
        return self.words >= LONG

    def usual(self, number: int) -> Numbers | None:
        """The likeness that the median of the other systems has, if there are others."""
        others = np.delete(self.likeness, number, axis=0)
        return np.median(others, axis=0) if len(others) else None


def every(texts: Texts) -> Places:
    """The places of all texts."""
    return np.arange(len(texts), dtype=np.int32)


def alike(left: Texts, right: Texts, lefts: Places, rights: Places) -> Numbers:
    """The share of character trigrams that texts have in common, pair by pair."""
    shares: Numbers = gram_overlaps(left, right, lefts, rights)[:, 0]
    return shares


def nearest(texts: Texts, corpus: Corpus) -> Numbers:
    """How like its nearest reference each text is."""
    places = every(texts)
    columns = corpus.references.columns
    best: Numbers = np.max([alike(texts, column, places, places) for column in columns], axis=0)
    return best


def severity_of(share: float, segments: int) -> Severity | None:
    """That of damage in so many segments, which are this share of all."""
    if segments < NOTE_SEGMENTS or share < NOTE_SHARE:
        return None
    if share < WARNING_SHARE:
        return "note"
    return "serious" if share >= SERIOUS_SHARE else "warning"


def shown(places: NDArray[np.intp], most: int = 5) -> str:
    """Numbers of segments as a sentence has them.

    >>> shown(np.array([0, 4]))
    'segments 1, 5'
    """
    numbers = ", ".join(str(index + 1) for index in places[:most].tolist())
    more = ", …" if len(places) > most else ""
    return f"segment{'s' if len(places) > 1 else ''} {numbers}{more}"


def finding(
    kind: str,
    systems: tuple[str, ...],
    severity: Severity,
    *,
    audit: str = "copies",
    size: float,
    reason: str,
    numbers: dict[str, Any],
    meaning: str,
    advice: str,
) -> Finding:
    """A finding about output itself: it is the same under every metric.

    ``reason`` is why a lead is not to be trusted, in a few words.
    """
    return Finding(
        audit=audit,
        metric="",
        systems=systems,
        severity=severity,
        size=size,
        numbers={"kind": kind, "reason": reason, **numbers},
        meaning=meaning,
        advice=advice,
    )


def annotated(case: Case) -> str:
    """Why texts cannot be audited: some metric reads annotations in them; empty if none does."""
    refusals = (
        metric.refusal for metric in case.scored.metrics if metric.segment_form != "plain text"
    )
    return next(refusals, "")
