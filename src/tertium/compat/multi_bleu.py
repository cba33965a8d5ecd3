"""The line that Moses' ``multi-bleu.perl`` prints, of a BLEU that tertium counted."""

import numpy as np

from tertium.errors import OptionError
from tertium.metrics.contract.base import Rows, ratio
from tertium.metrics.ngram.bleu import Bleu
from tertium.results import Score


def multi_bleu_line(score: Score) -> str:
    """``BLEU = 71.38, 89.9/77.0/66.5/57.1 (BP=0.997, ratio=0.997, hyp_len=…, ref_len=…)``.

    The script cuts words at blanks and does not smooth; ``bleu[tokenizer=none,smoothing=none]``
    is its BLEU, and with ``lowercase=ascii`` that of ``-lc``.

    >>> import tertium
    >>> multi_bleu_line(tertium.score(["a b c d e"], ["a b c d f"], "bleu[tokenizer=none]"))
    'BLEU = 66.87, 80.0/75.0/66.7/50.0 (BP=1.000, ratio=1.000, hyp_len=5, ref_len=5)'
    """
    metric, row = score.metric, score.statistics
    if type(metric) is not Bleu or metric.order != 4:
        raise OptionError(
            f"--format multi-bleu: found {metric.spec}, expected bleu of order 4 "
            "(such as -m bleu -tok none)"
        )
    precisions = "/".join(f"{100 * share:.1f}" for share in _unsmoothed(row))
    length, reference_length = row[8], row[9]
    return (
        f"BLEU = {score.value:.2f}, {precisions} (BP={metric.brevity_penalty(row):.3f}, "
        f"ratio={ratio(length, reference_length):.3f}, "
        f"hyp_len={length:.0f}, ref_len={reference_length:.0f})"
    )


def _unsmoothed(row: Rows) -> list[float]:
    return [float(share) for share in np.atleast_1d(ratio(row[:4], row[4:8]))]
