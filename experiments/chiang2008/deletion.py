"""Rules that delete what a system is unsure of, trained for a metric (Chiang et al., Tables 6–8).

The paper's decoder had rules that translate words, or whole sentences, into nothing, and a
weight for them that max-BLEU training set. Outputs of other people's systems have no such rules.
What stands in for the decoder's own confidence is how many of the other systems of the test set
use a word. Training sets a threshold on the development half: words (or sentences) below it go.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from experiments.data import Data
from tertium import Metric, parse_metric
from tertium.inference import PairedBootstrap, paired_bootstrap
from tertium.metrics.contract.base import Rows

BLOCK: Final = 50
"""Development and test half alternate by so many segments: neighbours are of one document."""
KINDS: Final = ("none", "word", "sentence")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outputs:
    """What remains of a system's output, and the share of words gone from each half."""

    kind: str
    texts: tuple[str, ...]
    gone_dev: float
    gone_test: float


class Deleter:
    """One system of a test set with the confidence of its words."""

    def __init__(self, data: Data, test_set: str, system: int) -> None:
        self.data = data
        self.test_set = test_set
        self.system = system
        self.texts, self.support = data.kept(
            ("support", test_set, system), lambda: _support(data, test_set, system)
        )
        blocks = np.arange(len(self.texts)) // BLOCK
        self.dev: NDArray[np.bool_] = blocks % 2 == 0
        self.words = np.array([len(one) for one in self.support])

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.data.test_set(self.test_set).names[self.system]

    def trained(self, kind: str, spec: str) -> Outputs:
        """The output with the threshold that is best for the metric on the development half."""
        key = ("deleted", self.test_set, self.system, kind, spec)
        return self.data.kept(key, lambda: self._trained(kind, spec))

    def _trained(self, kind: str, spec: str) -> Outputs:
        if kind == "none":
            return self._outputs(kind, self.texts)
        return self._words(spec) if kind == "word" else self._sentences(spec)

    def _words(self, spec: str) -> Outputs:
        metric = self.metric(spec)
        best, chosen = -np.inf, self.texts
        for least in range(len(self.data.test_set(self.test_set).systems)):
            texts = tuple(
                " ".join(w for w, n in zip(text.split(), known, strict=True) if n >= least)
                for text, known in zip(self.texts, self.support, strict=True)
            )
            score = float(metric.score(self.rows(spec, texts)[self.dev].sum(axis=0)))
            if score > best:  # equal scores: the fewest deletions
                best, chosen = score, texts
        return self._outputs("word", chosen)

    def _sentences(self, spec: str) -> Outputs:
        metric = self.metric(spec)
        confidence = np.array([float(one.mean()) if len(one) else np.inf for one in self.support])
        changes = self.rows(spec, [""] * len(self.texts)) - self.rows(spec, self.texts)
        order = np.flatnonzero(self.dev)[np.argsort(confidence[self.dev], kind="stable")]
        start = self.rows(spec, self.texts)[self.dev].sum(axis=0)
        scores = metric.score(np.vstack([start, start + np.cumsum(changes[order], axis=0)]))
        count = int(scores.argmax())
        threshold = confidence[order[count - 1]] if count else -np.inf
        texts = ("" if c <= threshold else t for t, c in zip(self.texts, confidence, strict=True))
        return self._outputs("sentence", tuple(texts))

    def _outputs(self, kind: str, texts: tuple[str, ...]) -> Outputs:
        left = np.array([len(text.split()) for text in texts])
        gone = [1 - left[half].sum() / self.words[half].sum() for half in (self.dev, ~self.dev)]
        return Outputs(kind=kind, texts=texts, gone_dev=gone[0], gone_test=gone[1])

    def metric(self, spec: str) -> Metric:
        """The metric, bound to the corpus."""
        return parse_metric(spec).bind(self.data.test_set(self.test_set).corpus)

    def rows(self, spec: str, texts: Sequence[str]) -> Rows:
        """Statistics of any output for the whole test set."""
        references = self.data.test_set(self.test_set).corpus.references
        return self.metric(spec).statistics(list(texts), references)

    def compared(self, spec: str, outputs: Outputs, half: str) -> PairedBootstrap:
        """The output against the whole output, on the dev or test half."""
        chosen = self.dev if half == "dev" else ~self.dev
        return paired_bootstrap(
            self.metric(spec),
            self.rows(spec, self.texts)[chosen],
            self.rows(spec, outputs.texts)[chosen],
            trials=1000,
        )


def _support(
    data: Data, test_set: str, system: int
) -> tuple[tuple[str, ...], list[NDArray[np.int64]]]:
    """For every word of an output, how many of the other systems use it in that segment."""
    loaded = data.test_set(test_set)
    columns = [[text or "" for text in one.hypotheses.to_list()] for one in loaded.systems]
    others = [column for place, column in enumerate(columns) if place != system]
    support = []
    for segment, text in enumerate(columns[system]):
        bags = [set(column[segment].split()) for column in others]
        counts = [sum(word in bag for bag in bags) for word in text.split()]
        support.append(np.array(counts, dtype=np.int64))
    return tuple(columns[system]), support


def marks(test: PairedBootstrap) -> str:
    """++ or + for a significant improvement (p < 0.01, p < 0.05), −− or − for degradation."""
    if test.delta == 0 or test.p_value >= 0.05:
        return ""
    better = (test.delta > 0) == test.metric.higher_is_better
    return ("+" if better else "−") * (2 if test.p_value < 0.01 else 1)
