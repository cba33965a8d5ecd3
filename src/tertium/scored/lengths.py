"""Words of systems and references, counted once for all that asks for lengths."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tertium._native import Texts
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.ngram.bleu import Bleu
from tertium.scored.bands import LENGTHS
from tertium.scored.choices import Slicing
from tertium.scored.slices import Numbers, Slices
from tertium.text.corpus import Corpus, System


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lengths:
    """Words by the tokenizer 13a, whatever a metric counts itself.

    ``words`` and ``closest`` are (systems, segments): each output, and the reference nearest to
    it in length. ``references`` is the mean length of each segment's references.
    """

    words: Numbers = field(repr=False)
    closest: Numbers = field(repr=False)
    references: Numbers = field(repr=False)


def lengths_of(
    corpus: Corpus, systems: Sequence[System], scored: Sequence[tuple[Metric, Rows]] = ()
) -> Lengths:
    """Count words, unless BLEU is among what is ``scored``: its rows end in both lengths."""
    plain = Bleu(order=1)
    counted = next((rows for metric, rows in scored if _counts_alike(metric, plain)), None)
    if counted is None:
        counted = np.stack([plain.rows_of(one, corpus) for one in systems])
    return Lengths(
        words=counted[..., -2], closest=counted[..., -1], references=reference_lengths(corpus)
    )


def _counts_alike(metric: Metric, plain: Bleu) -> bool:
    return type(metric) is Bleu and all(
        getattr(metric, name) == getattr(plain, name)
        for name in ("tokenizer", "lowercase", "punctuation", "reference_length")
    )


def reference_lengths(corpus: Corpus) -> Numbers:
    """Words in the references of each segment, the mean where there are several."""
    mean = Bleu(order=1, reference_length="average")
    return mean.statistics(Texts([""] * len(corpus)), corpus.references)[:, -1]


def slices_of(corpus: Corpus, by: Slicing, *, lengths: Numbers | None = None) -> Slices:
    """The segments by genre, document or length; an error where there are no such labels.

    ``lengths`` are the `reference_lengths`, where they are known already.
    """
    if by == "length":
        return Slices.by_band(LENGTHS, reference_lengths(corpus) if lengths is None else lengths)
    return Slices.of(corpus.labels(by))
