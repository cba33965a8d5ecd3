"""``nltk.translate.chrf_score``: chrF (Popović 2015) averaged over orders and sentences.

β is 3, one reference counts, and the corpus score is the mean of sentences, where sacreBLEU adds
counts up.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tertium.compat.nltk.tokens import Sentence, check_sizes, ngrams
from tertium.metrics.ngram.chrf import Chrf

_TINY = 1e-16
"""What stands for an F-score that is not defined."""
_WHITESPACE = re.compile(r"[^\S\x1c-\x1f]+")
"""As Unicode defines it: NLTK's expressions are those of ``regex``, without the four separators."""


def sentence_chrf(
    reference: str | Sequence[str],
    hypothesis: str | Sequence[str],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,  # noqa: FBT001, FBT002 - NLTK's argument
) -> float:
    """The chrF of one segment, of a text or of its words."""
    return corpus_chrf(
        [reference], [hypothesis], min_len, max_len, beta=beta, ignore_whitespace=ignore_whitespace
    )


def corpus_chrf(
    references: Sequence[str | Sequence[str]],
    hypotheses: Sequence[str | Sequence[str]],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,  # noqa: FBT001, FBT002 - NLTK's argument
) -> float:
    """The mean of the F-scores of all orders and segments."""
    check_sizes("corpus_chrf", references, hypotheses)
    metric = Chrf(character_order=max_len, beta=beta, whitespace=True, effective_order=False)
    rows = metric.statistics(
        [_text(sentence, ignore_whitespace=ignore_whitespace) for sentence in hypotheses],
        [_text(sentence, ignore_whitespace=ignore_whitespace) for sentence in references],
    )
    counts = rows[:, :-1].reshape(len(rows), max_len, 3)[:, min_len - 1 :]
    produced, expected, matches = np.moveaxis(counts, -1, 0)
    # F = (1 + β²) m / (β² r + h), which needs no case for a precision or recall of 0.
    weighted = beta**2 * expected + produced
    undefined = (produced == 0) | (expected == 0) | (matches == 0)
    scores = np.where(
        undefined, _TINY, (1 + beta**2) * matches / np.where(undefined, 1.0, weighted)
    )
    return float(scores.mean())


def _text(sentence: str | Sequence[str], *, ignore_whitespace: bool) -> str:
    text = sentence if isinstance(sentence, str) else " ".join(sentence)
    return _WHITESPACE.sub("", text) if ignore_whitespace else text


def chrf_precision_recall_fscore_support(
    reference: Sentence, hypothesis: Sentence, n: int, beta: float = 3.0, epsilon: float = _TINY
) -> tuple[float, float, float, int]:
    """Precision, recall and F of n-grams, and how many match; ``epsilon`` where undefined."""
    produced, expected = Counter(ngrams(hypothesis, n)), Counter(ngrams(reference, n))
    matches = (produced & expected).total()
    if not matches:
        return epsilon, epsilon, epsilon, matches
    precision, recall = matches / produced.total(), matches / expected.total()
    score = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return precision, recall, score, matches
