"""Audit: how many word orders score as well? (Callison-Burch et al. 2006).

Where two neighbouring words of an output are neighbours in no reference, nothing is lost by
tearing them apart: the pieces between such bigram mismatch sites can be put in any order, and k
pieces have k! orders. Whether the metric really lets them pass is tried, not assumed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lgamma, log, log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import Case, equal_width
from tertium.audit.findings import Finding
from tertium.audit.outputs import cutting, hypotheses_of, spaced, words_of
from tertium.text.corpus import System

NAME: Final = "permutation"
MOST_SEGMENTS: Final = 100
ORDERS_TRIED: Final = 6
LEAST_SHARE: Final = 0.5
LEAST_ORDERS: Final = 3.0
"""log10 of the orders of the median segment that make a finding: a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A segment of a system in another order."""

    system: int
    segment: int
    text: str


def pieces(words: Sequence[str], references: Sequence[Sequence[str]]) -> list[list[str]]:
    """The output, cut at its bigram mismatch sites.

    >>> pieces("The dog snapped at the mailman .".split(), ["The dog bit the mailman .".split()])
    [['The', 'dog'], ['snapped'], ['at'], ['the', 'mailman', '.']]
    """
    return _cut_where(words, _bigrams(references))


def _bigrams(texts: Sequence[Sequence[str]]) -> set[tuple[str, str]]:
    return {pair for text in texts for pair in pairwise(text)}


def _cut_where(words: Sequence[str], known: set[tuple[str, str]]) -> list[list[str]]:
    """Cut wherever two neighbours are no bigram that is known."""
    cut: list[list[str]] = []
    for index, word in enumerate(words):
        if index and (words[index - 1], word) in known:
            cut[-1].append(word)
        else:
            cut.append([word])
    return cut


def log10_orders(count: int) -> float:
    """log10 of the number of orders of so many pieces.

    >>> round(log10_orders(4), 4)  # log10 of 24
    1.3802
    """
    return lgamma(count + 1) / log(10)


def permutation(case: Case) -> list[Finding]:
    """A note if the orders of half of the segments are many, and the metric lets most pass.

    It tells of the metric and not of the systems: with n-grams it is there almost always.
    """
    chosen = spaced(len(case.corpus), MOST_SEGMENTS)
    trials, counts = case.kept_for_all(
        ("other orders", cutting(case.metric)), lambda: _other_orders(case, chosen)
    )
    if not trials:
        return []
    kept = scores_no_less(case, trials)
    share = float(kept.mean())
    median = float(np.median(counts))
    if share < LEAST_SHARE or median + log10(share) < LEAST_ORDERS:
        return []
    example = _example(case, trials, kept)
    if example is None:
        return []
    original = case.systems[example.system].hypotheses[example.segment] or ""
    name = case.names[example.system]
    return [
        Finding(
            audit=NAME,
            metric=case.metric.spec,
            systems=(name,),
            severity="note",
            size=share,
            numbers={
                "median_log10_orders": median,
                "log10_orders": {
                    case.names[s]: float(np.median(counts[s])) for s in range(len(counts))
                },
                "corpus_log10_orders": float(counts.mean() * len(case.corpus)),
                "segments_looked_at": len(chosen),
                "orders_tried": len(trials),
                "share_that_scores_no_less": share,
                "segment": example.segment + 1,
                "output": original,
                "permuted": example.text,
                "reference": case.corpus.references.of_segment(example.segment)[0],
            },
            meaning=(
                f"A fact about the metric: the median output could be put in some 10^{median:.0f} "
                f"orders that match as many bigrams, and {share:.0%} of those tried score no less, "
                f"such as {name}'s "
                f"segment {example.segment + 1}: “{example.text}”"
            ),
            advice=(
                "Do not take a difference in this metric for one in fluency; look at the output, "
                "or add a metric that aligns in order (GRR, WER) or pays for shifts (TER)."
            ),
        )
    ]


def _other_orders(case: Case, chosen: Sequence[int]) -> tuple[list[Trial], NDArray[np.float64]]:
    """Outputs in other orders, and log10 of the orders there are, (systems, segments)."""
    references = [case.corpus.references.of_segment(i) for i in chosen]
    known = [_bigrams(words_of(case.metric, texts)) for texts in references]
    rng = np.random.default_rng(case.seed)
    trials: list[Trial] = []
    counts = np.zeros((len(case.systems), len(chosen)))
    for s, system in enumerate(case.systems):
        cut = words_of(case.metric, hypotheses_of(system, chosen))
        for k, words in enumerate(cut):
            parts = [" ".join(part) for part in _cut_where(words, known[k])]
            counts[s, k] = log10_orders(len(parts))
            same = list(range(len(parts)))
            for _ in range(ORDERS_TRIED):
                order = rng.permutation(len(parts)).tolist()
                if order != same:
                    text = " ".join([parts[index] for index in order])
                    trials.append(Trial(system=s, segment=chosen[k], text=text))
    return trials, counts


def scores_no_less(case: Case, trials: Sequence[Trial]) -> NDArray[np.bool_]:
    """Whether each system's corpus scores no less with its one segment in the other order."""
    corpus = case.kept_for_all(
        ("segments in other orders", cutting(case.metric)),
        lambda: case.corpus.taken([trial.segment for trial in trials]),
    )
    permuted = System(name="permuted", hypotheses=[trial.text for trial in trials])
    rows = case.metric.rows_of(permuted, corpus)
    systems = np.array([trial.system for trial in trials])
    segments = np.array([trial.segment for trial in trials])
    changes = rows - case.rows[systems, segments]
    after = case.metric.score(case.rows.sum(axis=1)[systems] + changes)
    before = case.scores[systems]
    width = equal_width(float(np.abs(before).max()))
    kept: NDArray[np.bool_] = case.sign * (after - before) >= -width
    return kept


def _example(case: Case, trials: Sequence[Trial], kept: NDArray[np.bool_]) -> Trial | None:
    """A permuted segment of some length that scores no less; short enough to be read."""
    passed = [trial for trial, good in zip(trials, kept.tolist(), strict=True) if good]
    passed.sort(key=lambda trial: abs(len(trial.text) - 70))
    for trial in passed:
        original = case.systems[trial.system].hypotheses[trial.segment] or ""
        if trial.text.split() != original.split():
            return trial
    return None
