"""Utilities of every candidate against every pseudo reference."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.amber.metric import Amber, AmberBasic
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.per import PositionIndependentErrorRate
from tertium.metrics.edit.ter import TranslationEditRate
from tertium.metrics.edit.terp import TranslationEditRatePlus
from tertium.metrics.edit.wer import WordErrorRate, WordRecognitionRate
from tertium.metrics.meteor.metric import Meteor, Meteor06
from tertium.metrics.ngram.bleu import Bleu, BleuStrictBrevity
from tertium.metrics.ngram.chrf import Chrf
from tertium.metrics.ngram.rouge import RougeL, RougeN, RougeS, RougeSU, RougeW, folded

Matrix: TypeAlias = NDArray[np.float64]
"""Scores of candidates (rows) against pseudo references (columns)."""

PAIRS_AT_ONCE = 1 << 17
"""Pairs whose statistics are held at the same time."""

PREPARING = (TranslationEditRatePlus, Amber, AmberBasic)
"""Metrics that prepare each candidate once as a hypothesis and once as a reference."""


def utility_matrix(metric: Metric, candidates: Sequence[str], references: Sequence[str]) -> Matrix:
    """What ``metric.for_segments()`` says of each candidate against each single reference.

    BLEU, chrF and METEOR have kernels of their own over all pairs; the edit rates, TERp, GRR, ROUGE
    and AMBER read each text once and run their segment kernel on every pair; any other metric is
    asked for the statistics of all pairs, a block at a time. A metric that weighs words by all
    references is fitted to the pseudo references, unless it is already.
    """
    chosen = fitted(metric, references).for_segments()
    hypotheses, others = (
        read_texts(candidates, "candidates"),
        read_texts(references, "pseudo references"),
    )
    if type(chosen) in (Bleu, BleuStrictBrevity):
        return _bleu(chosen, hypotheses, others)  # type: ignore[arg-type]
    if type(chosen) is Chrf:
        return _chrf(chosen, hypotheses, others)
    matrix = np.empty((len(candidates), len(references)))
    width = max(1, PAIRS_AT_ONCE // max(1, len(candidates)))
    for begin in range(0, len(references), width):
        columns = slice(begin, begin + width)
        block = list(references[columns])
        rows = pair_statistics(chosen, list(candidates), block)
        matrix[:, columns] = chosen.score(rows).reshape(len(candidates), len(block))
    for row, column in np.argwhere(np.isnan(matrix))[:1].tolist():
        raise InputError(
            f"{metric.title}: found no score of candidate {row + 1} against pseudo reference "
            f"{column + 1}, expected one for every pair"
        )
    return matrix


def fitted(metric: Metric, references: Sequence[str]) -> Metric:
    """The metric, fitted to these references if it has to be and is not."""
    return metric.fit(list(references)) if metric.waits_for_fit else metric


def pair_statistics(metric: Metric, candidates: list[str], references: list[str]) -> Rows:
    """A row for each pair, by candidate and then by reference."""
    if (
        isinstance(metric, Meteor)
        and type(metric) in (Meteor, Meteor06)
        and metric.alignment == "global"
    ):
        return metric.pair_statistics(Texts(candidates), Texts(references))
    if isinstance(metric, TranslationEditRatePlus | Amber) and type(metric) in PREPARING:
        kernel = metric.pair_statistics(Texts(candidates), Texts(references))
    else:
        kernel = _native_rows(metric, Texts(candidates), Texts(references))
    if kernel is not None:
        return kernel
    hypotheses = [text for text in candidates for _ in references]
    return metric.statistics(hypotheses, references * len(candidates))


def _native_rows(metric: Metric, hypotheses: Texts, references: Texts) -> Rows | None:
    """The statistics from a kernel over pairs; nothing for a metric that has none.

    Only the very class is meant: who derives another from it may change what it counts.
    """
    match metric:
        case TranslationEditRate() if type(metric) is TranslationEditRate:
            return _ter(metric, hypotheses, references)
        case WordErrorRate() if type(metric) in (WordErrorRate, WordRecognitionRate):
            cut = _cut(metric, hypotheses, references)
            return _native.wer_pairs(*cut, tokenizer=metric.tokenizer.native_name)
        case PositionIndependentErrorRate() if type(metric) is PositionIndependentErrorRate:
            return _native.per_pairs(
                *_cut(metric, hypotheses, references),
                tokenizer=metric.tokenizer.native_name,
                clip_corpus=metric.clip == "corpus",
            )
        case GramRecognitionRate() if type(metric) is GramRecognitionRate:
            return _native.grr_pairs(
                *_cut(metric, hypotheses, references),
                tokenizer=metric.tokenizer.native_name,
                k=metric.k,
                alpha=metric.alpha,
                beta=metric.beta,
            )
        case RougeN() | RougeL() | RougeW() | RougeS():
            return _rouge(metric, hypotheses, references)
        case _:
            return None


def read_texts(segments: Sequence[str], location: str) -> Texts:
    """The texts for the native core, if they are texts."""
    if isinstance(segments, str):
        raise InputError(f"{location}: found one string, expected a sequence of texts")
    try:
        texts = Texts(segments)
    except (TypeError, ValueError) as error:
        raise InputError(f"{location}: {error}") from None
    if texts.any_missing:
        raise InputError(f"{location}: found None, expected a text")
    return texts


def _cut(
    metric: Bleu | WordErrorRate | PositionIndependentErrorRate | GramRecognitionRate,
    hypotheses: Texts,
    references: Texts,
) -> tuple[Texts, Texts]:
    """Both sides as the metric's native tokenizer is to see them."""
    native_texts, lowercase = metric.tokenizer.native_texts, metric.lowercase
    return native_texts(hypotheses, lowercase=lowercase), native_texts(
        references, lowercase=lowercase
    )


def _bleu(metric: Bleu, hypotheses: Texts, references: Texts) -> Matrix:
    method, value = metric.smoothing.method, metric.smoothing.value
    return _native.bleu_utilities(
        *_cut(metric, hypotheses, references),
        tokenizer=metric.tokenizer.native_name,
        order=metric.order,
        weights=list(metric.shares),
        smoothing="add-k" if method == "lin-och" else method,
        value=(1.0 if method == "lin-och" else 0.0) if value is None else value,
        effective_order=metric.effective_order,
        arithmetic=metric.mean == "arithmetic",
        strict_brevity=type(metric) is BleuStrictBrevity,
    )


def _chrf(metric: Chrf, hypotheses: Texts, references: Texts) -> Matrix:
    return _native.chrf_utilities(
        hypotheses.lower() if metric.lowercase else hypotheses,
        references.lower() if metric.lowercase else references,
        character_order=metric.character_order,
        word_order=metric.word_order,
        beta=metric.beta,
        whitespace=metric.whitespace,
        every_order=not metric.effective_order,
    )


def _ter(metric: TranslationEditRate, hypotheses: Texts, references: Texts) -> Rows:
    try:
        return _native.ter_pairs(*metric.cut(hypotheses, references), **metric.search_limits)
    except ValueError as error:  # only tercom's table can be too large
        raise InputError(f"ter: {error}") from None


def _rouge(
    metric: RougeN | RougeL | RougeW | RougeS, hypotheses: Texts, references: Texts
) -> Rows | None:
    both = folded(hypotheses, metric.text), folded(references, metric.text)
    text, alpha = metric.reading, metric.alpha
    match metric:
        case RougeN() if type(metric) is RougeN:
            return _native.rouge_n_pairs(*both, text=text, alpha=alpha, order=metric.n)
        case RougeL() if type(metric) is RougeL:
            return _native.rouge_l_pairs(*both, text=text, alpha=alpha)
        case RougeW() if type(metric) is RougeW:
            once = metric.length == "once"
            return _native.rouge_w_pairs(
                *both, text=text, alpha=alpha, weight=metric.weight, once=once
            )
        case RougeS() if type(metric) in (RougeS, RougeSU):
            unigrams = metric.counts_unigrams
            return _native.rouge_s_pairs(
                *both, text=text, alpha=alpha, skip=metric.skip, unigrams=unigrams
            )
        case _:
            return None
