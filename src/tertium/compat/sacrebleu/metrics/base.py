"""What sacreBLEU's metrics have in common: scores that print, signatures, scoring calls.

Unlike tertium's own metrics these objects have a state, since sacreBLEU's interface does:
the signature is known only after scoring, and describes the score computed last.
"""

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import ClassVar, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.errors import NoReferencesError, NotScoredError
from tertium.compat.sacrebleu.resampling import resampled_sums, seed_text
from tertium.compat.sacrebleu.shapes import (
    VARIABLE,
    CheckedReferences,
    Stream,
    checked_hypotheses,
    checked_references,
    checked_sentence,
)
from tertium.metrics import base
from tertium.version import __version__

_SHORT_KEYS: Final = {
    "nrefs": "#",
    "seed": "rs",
    "test": "t",
    "lang": "l",
    "origlang": "o",
    "subset": "S",
    "case": "c",
    "eff": "e",
    "smooth": "s",
    "space": "s",
    "norm": "nr",
    "punct": "pn",
    "asian": "as",
    "version": "v",
}


class Score:
    """A number that prints itself as sacreBLEU does."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        # sacreBLEU has no other names for these two, so people read them.
        self._mean = -1.0
        self._ci = -1.0

    @property
    def _verbose(self) -> str:
        """What follows the score in its line."""
        return ""

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
        ordered = sorted(one.score for one in scores)
        if len(set(map(type, ordered))) > 1:
            # Some are in single precision, others are constants for want of any text, and
            # ``mean`` refuses to mix them (as it does under sacreBLEU).
            ordered = [float(score) for score in ordered]
        outside = len(ordered) // 40
        self._ci = 0.5 * (ordered[-1 - outside] - ordered[outside])
        self._mean = mean(ordered)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """Key and value pairs that identify a metric; ``version`` is shown last."""

    def __init__(
        self, info: Mapping[str, object], short_keys: Mapping[str, str] | None = None
    ) -> None:
        self.info: dict[str, object] = {"version": f"tertium-{__version__}", **info}
        self._short_keys = _SHORT_KEYS | dict(short_keys or {})

    def format(self, short: bool = False) -> str:
        """All pairs with a value, under full or ``short`` keys.

        >>> Signature({"nrefs": 1, "bs": None, "eff": False, "version": "x"}).format(short=True)
        '#:1|e:no|v:x'
        """
        keys = [key for key in self.info if key != "version"]
        return "|".join(
            f"{self._short_keys.get(key, key) if short else key}:{_text(self.info[key])}"
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


AnyScore = TypeVar("AnyScore", bound=Score)


class Metric(ABC, Generic[AnyScore]):
    """Scoring calls over a tertium metric; a subclass has the three abstract methods."""

    _short_keys: ClassVar[Mapping[str, str]] = {}
    """Short keys of the signature that only this metric has."""

    def __init__(self, references: Sequence[Stream] | None) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.num_refs: int | None = None
        self._kept: CheckedReferences | None = None
        if references is not None:
            self._kept = checked_references(references)
            self.num_refs = self._kept.per_segment

    @abstractmethod
    def _metric(self) -> base.Metric:
        """The metric that computes the statistics."""

    @abstractmethod
    def _score_of(self, statistics: Sequence[float]) -> AnyScore:
        """The score of summed statistics, in the precision of the numbers that it is given."""

    @abstractmethod
    def _signature_pairs(self) -> dict[str, object]:
        """The metric's own part of the signature."""

    def _score_of_resample(self, statistics: NDArray[np.float32]) -> AnyScore:
        """The score of resampled statistics, in sacreBLEU's precision."""
        return self._score_of(list(statistics))

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Stream] | None,
        n_bootstrap: int = 1,
    ) -> AnyScore:
        """Score a corpus; ``references`` are [reference set][segment], ``None`` for those kept.

        With ``n_bootstrap`` above 1 the score has a 95 % interval from as many resamples.
        """
        column = checked_hypotheses(hypotheses)
        checked = self._references_for(references, len(column))
        rows = self._metric().statistics(column, checked.references)
        result = self._score_of(rows.sum(axis=0).tolist())
        self._note(checked)
        if n_bootstrap > 1:
            self.n_bootstrap, self.seed = n_bootstrap, seed_text()
            sums = resampled_sums(rows, n_bootstrap, self.seed)
            result.estimate_ci(map(self._score_of_resample, sums))
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> AnyScore:
        """Score one segment against its references."""
        column, checked = checked_sentence(hypothesis, references)
        rows = self._metric().statistics(column, checked.references)
        self._note(checked)
        return self._score_of(rows[0].tolist())

    def get_signature(self) -> Signature:
        """The identity of the score computed last, or of the next one with kept references."""
        if self.num_refs is None:
            raise NotScoredError(
                "signature: the number of references is not known, expected a score before it"
            )
        shared = {
            "nrefs": "var" if self.num_refs == VARIABLE else self.num_refs,
            "bs": self.n_bootstrap,
            "seed": self.seed,
            # Never set here, but ``update`` must find them at their place.
            **dict.fromkeys(("test", "lang", "origlang", "subset")),
        }
        return Signature(shared | self._signature_pairs(), self._short_keys)

    def _references_for(
        self, references: Sequence[Stream] | None, segments: int
    ) -> CheckedReferences:
        if references is not None:
            return checked_references(references, hypotheses=segments)
        if self._kept is None:
            raise NoReferencesError(
                "references: found none, expected them here or in the metric's constructor"
            )
        self._kept.check_segments(segments)
        return self._kept

    def _note(self, checked: CheckedReferences) -> None:
        self.num_refs = checked.per_segment
        self.n_bootstrap = self.seed = None
