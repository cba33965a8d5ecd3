"""ROUGE (Lin 2004; Lin and Och 2004), as ROUGE-1.5.5 computes it."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final, Literal, TypeAlias

import numpy as np

from tertium import _native
from tertium._native import RougeReferences, Texts
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores, option, ratio
from tertium.metrics.contract.costs import Growth
from tertium.text.references import AnyReferences, Hypotheses, aligned

Words: TypeAlias = Literal["ascii", "unicode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rouge(Metric):
    """What both texts share, over what the reference has (recall) and the hypothesis (precision).

    A text is its words of letters and digits, in lower case. The original knows only those of
    ASCII, so that ``naïve`` is two words and text in another script has none:
    ``text=unicode`` is for those. The corpus score is the mean of the segments.

    ``stem=porter`` is what the package rouge-score does: NLTK's Porter stemmer on words of more
    than three letters. (ROUGE-1.5.5 looks words up in WordNet's exceptions first, which are not
    part of it.)
    """

    text: Words = option("ascii", "which letters and digits make words")
    stem: Literal["no", "porter"] = option(
        "no", "stem words of over three letters, as rouge-score does"
    )
    references: Literal["average", "best"] = option(
        "average", "sums over all references, or the one with the best recall"
    )
    measure: Literal["f", "precision", "recall"] = option("f", "what the score is")
    alpha: float = option(0.5, "weight of precision in F: 0 gives recall, 1 precision")

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise OptionError(
                f"{self.name}: found alpha={self.alpha}, expected a number from 0 to 1"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        return ("precision", "recall", "f", "segments")

    @property
    def best_reference(self) -> bool:
        """Whether the best of several references counts."""
        return self.references == "best"

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        build = partial(rouge_references, text=self.text, reading=self.reading)
        words = shared.prepared(("rouge", self.reading), build)
        return self.overlaps(folded(texts, self.text), words)

    @property
    def reading(self) -> str:
        """How the native core makes words of a text."""
        return f"{self.text} stems" if self.stem == "porter" else self.text

    @abstractmethod
    def overlaps(self, hypotheses: Texts, references: RougeReferences) -> Rows:
        """Precision, recall and F of every segment, and 1 for each that counts."""

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        chosen = self.columns.index(self.measure)
        return 100 * ratio(rows[..., chosen], rows[..., 3], empty=1.0)

    def describe(self, row: Rows) -> str:
        precision, recall, f = 100 * ratio(row[:3], row[3], empty=1.0)
        return f"(P = {precision:.1f} R = {recall:.1f} F = {f:.1f} segments = {row[3]:.0f})"


LARGEST_WEIGHT: Final = 10.0
"""Of words in a row, for ROUGE-W: lengths raised to it twice must stay finite."""


def folded(texts: Texts, text: Words) -> Texts:
    """Lower case; the native core folds ASCII itself."""
    return texts.lower() if text == "unicode" else texts


def rouge_references(columns: tuple[Texts, ...], *, text: Words, reading: str) -> RougeReferences:
    """Reference columns, cut into words and interned."""
    return RougeReferences([folded(column, text) for column in columns], reading)


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeN(Rouge):
    """n-grams, each counted as often as the reference has it."""

    name: ClassVar[str] = "rouge-n"
    title: ClassVar[str] = "ROUGE-N"
    summary: ClassVar[str] = "word sequences in common"
    citation: ClassVar[str] = "Lin 2004"

    n: int = option(1, "words of an n-gram")

    def __post_init__(self) -> None:
        Rouge.__post_init__(self)
        if self.n < 1:
            raise OptionError(f"rouge-n: found n={self.n}, expected at least 1")

    def overlaps(self, hypotheses: Texts, references: RougeReferences) -> Rows:
        return _native.rouge_n_statistics(
            hypotheses, references, best=self.best_reference, alpha=self.alpha, order=self.n
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeL(Rouge):
    """The longest common subsequence."""

    name: ClassVar[str] = "rouge-l"
    title: ClassVar[str] = "ROUGE-L"
    summary: ClassVar[str] = "longest sequence of words in common, with gaps"
    citation: ClassVar[str] = "Lin 2004"

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=3e-5, power=2)

    def overlaps(self, hypotheses: Texts, references: RougeReferences) -> Rows:
        return _native.rouge_l_statistics(
            hypotheses, references, best=self.best_reference, alpha=self.alpha
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeW(Rouge):
    """The common subsequence again, where k words in a row count k^weight.

    ROUGE-1.5.5 raises the reference length to the weight twice, so its recall is too low, and
    below 1 for identical texts. That is what people have published; ``length=once`` is what
    the paper defines.
    """

    name: ClassVar[str] = "rouge-w"
    title: ClassVar[str] = "ROUGE-W"
    summary: ClassVar[str] = "the same as rouge-l, but words in a row count more"
    citation: ClassVar[str] = "Lin 2004"

    weight: float = option(1.2, "exponent of the number of words in a row")
    length: Literal["twice", "once"] = option(
        "twice", "how often the weight is applied to the reference length"
    )

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=0.002, power=2)

    def __post_init__(self) -> None:
        Rouge.__post_init__(self)
        if not 1 <= self.weight <= LARGEST_WEIGHT:  # below 1, words apart would be worth more
            raise OptionError(
                f"rouge-w: found weight={self.weight}, "
                f"expected a number from 1 to {LARGEST_WEIGHT:g}"
            )

    def overlaps(self, hypotheses: Texts, references: RougeReferences) -> Rows:
        return _native.rouge_w_statistics(
            hypotheses,
            references,
            best=self.best_reference,
            alpha=self.alpha,
            weight=self.weight,
            once=self.length == "once",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeS(Rouge):
    """Skip bigrams: pairs of words in their order, with up to ``skip`` words between them."""

    name: ClassVar[str] = "rouge-s"
    title: ClassVar[str] = "ROUGE-S"
    summary: ClassVar[str] = "word pairs in common, with gaps between the two"
    citation: ClassVar[str] = "Lin and Och 2004"
    counts_unigrams: ClassVar[bool] = False

    skip: int | None = option(None, "most words between the two, any number if none")

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=1.2e-4, power=2)

    def __post_init__(self) -> None:
        Rouge.__post_init__(self)
        if self.skip is not None and self.skip < 0:
            raise OptionError(f"{self.name}: found skip={self.skip}, expected none or at least 0")

    def overlaps(self, hypotheses: Texts, references: RougeReferences) -> Rows:
        return _native.rouge_s_statistics(
            hypotheses,
            references,
            best=self.best_reference,
            alpha=self.alpha,
            skip=self.skip,
            unigrams=self.counts_unigrams,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeSU(RougeS):
    """Skip bigrams and unigrams; like the original, without the last word as a unigram."""

    name: ClassVar[str] = "rouge-su"
    title: ClassVar[str] = "ROUGE-SU"
    summary: ClassVar[str] = "the same as rouge-s, and single words"
    counts_unigrams: ClassVar[bool] = True
