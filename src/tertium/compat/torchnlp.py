"""``torchnlp.metrics.get_moses_multi_bleu`` without Perl, files and a download."""

from collections.abc import Sequence

import numpy as np

from tertium.compat.nltk.tokens import check_sizes
from tertium.metrics.ngram.bleu import Bleu, Smoothing
from tertium.text.tokenizers import WHITESPACE


def get_moses_multi_bleu(
    hypotheses: Sequence[str],
    references: Sequence[str],
    lowercase: bool = False,  # noqa: FBT001, FBT002 - PyTorch-NLP's argument
) -> np.float32:
    """The BLEU that ``multi-bleu.perl`` prints, with its two decimals; 0 for no hypotheses.

    >>> start = "The brown fox jumps over the dog"
    >>> hypotheses = [f"{start} 笑", f"{start} 2 笑"]
    >>> references = ["The quick brown fox jumps over the lazy dog 笑"] * 2
    >>> print(get_moses_multi_bleu(hypotheses, references, lowercase=True))
    46.51
    """
    check_sizes("get_moses_multi_bleu", references, hypotheses)
    if not len(hypotheses):
        return np.float32(0.0)
    metric = Bleu(
        tokenizer=WHITESPACE, smoothing=Smoothing("none"), lowercase="ascii" if lowercase else False
    )
    rows = metric.statistics(list(hypotheses), list(references))
    return np.float32(round(float(metric.score(rows.sum(axis=0))), 2))
