"""What sacreBLEU's metrics have in common; other people's metrics build on it, too.

Unlike tertium's own metrics these objects have a state, since sacreBLEU's interface does:
the signature is known only after scoring, and describes the score computed last.
"""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import mean
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.shapes import (
    VARIABLE,
    NoReferencesError,
    NotScoredError,
    SeedError,
    ShapeError,
    Stream,
    checked_hypotheses,
    checked_references,
    checked_sentence,
)
from tertium.compat.sacrebleu.utils import sacrelogger
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.spec import SHORT_KEYS
from tertium.plurals import counted
from tertium.version import __version__

# A score as sacreBLEU shows it.

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them


class SacrebleuScore:
    """A number that prints itself as sacreBLEU does."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        # sacreBLEU has no other names for these two, so people read them.
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""  # what follows the score in its line

    def format(
        self,
        width: int = 2,
        score_only: bool = False,
        signature: str = "",
        is_json: bool = False,
    ) -> str:
        """The score with ``width`` decimals: alone, as a line, or as a JSON object.

        >>> Score("BLEU", 12.345).format(signature="nrefs:1", width=1)
        'BLEU|nrefs:1 = 12.3'
        """
        number = f"{self.score:.{width}f}"
        confidence: dict[str, float | str] = {}
        shown = number
        if self._mean > 0:
            center, spread = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {center} ± {spread}"
            shown = f"{number} ({interval})"
            confidence = {
                "confidence_mean": float(center),
                "confidence_var": float(spread),
                "confidence": interval,
            }
        if score_only:
            return shown
        if is_json:
            pairs = (part.partition(":") for part in signature.split("|") if part)
            content: dict[str, float | str] = {
                "name": self.name,
                "score": float(number),
                "signature": signature,
                **confidence,
                **({"verbose_score": self._verbose} if self._verbose else {}),
                **{key: value for key, _, value in pairs},
            }
            return json.dumps(content, indent=1, ensure_ascii=False)
        title = f"{self.name}|{signature}" if signature else self.name
        return f"{title} = {shown} {self._verbose}".rstrip()

    def estimate_ci(self, scores: Iterable["Score"]) -> None:
        """Keep mean and half the width of the middle 95 % of resampled scores."""
        ordered = sorted(score.score for score in scores)
        if len(set(map(type, ordered))) > 1:
            # Some are in single precision, others are constants for want of any text, and
            # ``mean`` refuses to mix them (as it does under sacreBLEU).
            ordered = [float(score) for score in ordered]
        outside = len(ordered) // 40
        self._ci = 0.5 * (ordered[-1 - outside] - ordered[outside])
        self._mean = mean(ordered)

    def __repr__(self) -> str:
        return self.format()


Score = SacrebleuScore
"""The name that sacreBLEU gives it."""


# Signatures as sacreBLEU shows them, and behind its keys what it leaves out.

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them


class Signature:
    """Key and value pairs that identify a metric; ``version`` is shown last.

    It is made of a metric's attributes, of which ``num_refs`` must be there. A subclass adds
    the pairs of its metric to ``info`` and their short keys to ``_abbr``.

    >>> signature = Signature({"num_refs": 1})
    >>> signature.update("eff", False)
    >>> signature.format(short=True).rpartition("|")[0]
    '#:1|e:no'
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        if args.get("num_refs") is None:
            raise NotScoredError(
                "signature: the number of references is not known, expected a score before it"
            )
        self._abbr: dict[str, str] = dict(SHORT_KEYS)
        self.info: dict[str, Any] = {
            "version": f"tertium-{__version__}",
            "nrefs": "var" if args["num_refs"] == VARIABLE else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """All pairs with a value, under full or ``short`` keys."""
        keys = [key for key in self.info if key != "version"]
        return "|".join(
            f"{self._abbr.get(key, key) if short else key}:{_text(self.info[key])}"
            for key in [*keys, "version"]
            if self.info[key] is not None
        )

    def update(self, key: str, value: object) -> None:
        """Add a pair or change one."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


# Bootstrap resamples (Koehn 2004), drawn exactly as sacreBLEU draws them.

_DRAWN_AT_ONCE: Final = 1 << 20
"""Segment numbers in memory at a time; drawing in blocks does not change the numbers."""


def seed_text() -> str:
    """The seed that sacreBLEU's environment variable asks for; ``none`` means any."""
    return os.environ.get("SACREBLEU_SEED", "12345").lower()


def resampled_sums(rows: Rows, trials: int, seed: str) -> Iterator[NDArray[np.float32]]:
    """For each trial the summed statistics of as many segments, drawn with replacement.

    sacreBLEU resamples in single precision and adds the segments one by one, and its scores
    inherit the rounding; the sums are made likewise so that the last digit agrees.
    """
    rng = np.random.default_rng(seed_number(seed))
    single = np.ascontiguousarray(rows, dtype=np.float32)
    segments = len(single)
    block = max(1, _DRAWN_AT_ONCE // segments)
    for start in range(0, trials, block):
        draws = rng.choice(segments, size=(min(block, trials - start), segments), replace=True)
        yield from (single.take(draw, axis=0).sum(axis=0) for draw in draws)


def seed_number(seed: str) -> int | None:
    """The number in the text, or ``None`` for any."""
    if seed == "none":
        return None
    try:
        return int(seed)
    except ValueError:
        raise SeedError(
            f"SACREBLEU_SEED: found '{seed}', expected a whole number or none"
        ) from None


AnyScore = TypeVar("AnyScore", bound=Score)

Numbers: TypeAlias = Sequence[float] | NDArray[np.float32]
"""The statistics of a segment or a sum of them; resamples come as arrays."""

ReferenceInfo: TypeAlias = dict[str, Any]
"""What a metric knows of the references of one segment."""


class SacrebleuMetric(ABC, Generic[AnyScore]):
    """A metric made of sacreBLEU's steps, each of which a subclass writes or replaces.

    Segments are preprocessed, references turned into ``ref_kwargs``, these and a hypothesis
    into statistics, and statistics into a score.
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature

    def __init__(self) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._ref_cache: list[ReferenceInfo] | None = None
        self._force = True

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> Any:
        """A segment as the other steps take it."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[Any]) -> ReferenceInfo:
        """What ``_compute_segment_statistics`` must know of preprocessed references."""

    @abstractmethod
    def _compute_segment_statistics(
        self, hypothesis: Any, ref_kwargs: ReferenceInfo
    ) -> Sequence[float]:
        """The statistics of a preprocessed hypothesis."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Numbers) -> AnyScore:
        """The score of summed statistics, in the precision of the numbers that it is given."""

    @abstractmethod
    def _aggregate_and_compute(self, stats: Sequence[Sequence[float]]) -> AnyScore:
        """The score of all segments' statistics."""

    def _check_sentence_score_args(self, hyp: str, refs: Sequence[str | None]) -> None:
        checked_sentence(hyp, refs)

    def _check_corpus_score_args(self, hyps: Sequence[str], refs: Sequence[Stream] | None) -> None:
        checked_hypotheses(hyps)
        if refs is not None:
            checked_references(refs, hypotheses=len(hyps))

    def _cache_references(self, references: Sequence[Stream]) -> list[ReferenceInfo]:
        """What is known of every segment's references; from here on ``num_refs`` is known."""
        self.num_refs = checked_references(references).per_segment
        return [
            self._extract_reference_info(
                [self._preprocess_segment(text) for text in row if text is not None]
            )
            for row in zip(*references, strict=True)
        ]

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream] | None
    ) -> Sequence[Sequence[float]]:
        """One row of statistics per segment."""
        cache = self._ref_cache if references is None else self._cache_references(references)
        if not cache:
            raise NoReferencesError(
                "references: found none, expected them here or in the metric's constructor"
            )
        if len(cache) != len(hypotheses):
            raise ShapeError(
                f"hypotheses: {counted(len(hypotheses), 'segment')}, expected {len(cache)} "
                "(references)"
            )
        return [
            self._compute_segment_statistics(self._preprocess_segment(text), known)
            for text, known in zip(hypotheses, cache, strict=True)
        ]

    def _scored(
        self, hypotheses: Sequence[str], references: Sequence[Stream] | None
    ) -> tuple[AnyScore, Any]:
        """The score of a corpus, and its statistics for resampling."""
        self._check_corpus_score_args(hypotheses, references)
        rows = self._extract_corpus_statistics(hypotheses, references)
        return self._aggregate_and_compute(rows), rows

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Stream] | None,
        n_bootstrap: int = 1,
    ) -> AnyScore:
        """Score a corpus; ``references`` are [reference set][segment], ``None`` for those kept.

        With ``n_bootstrap`` above 1 the score has a 95 % interval from as many resamples.
        """
        result, rows = self._scored(hypotheses, references)
        self.n_bootstrap = self.seed = None
        if n_bootstrap > 1:
            self.n_bootstrap, self.seed = n_bootstrap, seed_text()
            sums = resampled_sums(np.asarray(rows), n_bootstrap, self.seed)
            result.estimate_ci(map(self._compute_score_from_stats, sums))
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> AnyScore:
        """Score one segment against its references."""
        result = self._scored_segment(hypothesis, references)
        self.n_bootstrap = self.seed = None
        return result

    def _scored_segment(self, hypothesis: str, references: Sequence[str | None]) -> AnyScore:
        self._check_sentence_score_args(hypothesis, references)
        given = [[reference] for reference in references if reference is not None]
        return self._scored([hypothesis], given)[0]

    def get_signature(self) -> Signature:
        """The identity of the score computed last, or of the next one with kept references."""
        return self._SIGNATURE_TYPE(vars(self))


__all__ = ["Metric", "ReferenceInfo", "Score", "Signature", "sacrelogger"]


Metric = SacrebleuMetric
"""The name that sacreBLEU gives it."""
