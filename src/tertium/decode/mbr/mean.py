"""Reference aggregation: all pseudo references become one, by the mean of their counts.

DeNero, Chiang & Knight (2009) did so with expected n-gram counts for BLEU, Vamvas & Sennrich
(2024) for chrF. The work grows with N instead of N², and the result is an approximation: the
score of a mean is not the mean of the scores.
"""

from collections.abc import Sequence

from tertium import _native
from tertium._native import Texts
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.structures.arrays import Floats
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.ngram.bleu import Bleu
from tertium.metrics.ngram.bleu_sbp import BleuStrictBrevity
from tertium.metrics.ngram.chrf import Chrf

NAME = "mean-reference"


def scores_against_mean(metric: Metric, candidates: Sequence[str], evidence: Evidence) -> Floats:
    """Each candidate's score against the mean n-gram counts and mean length of the evidence."""
    chosen = metric.for_segments()
    hypotheses, references = Texts(candidates), Texts(evidence.texts)
    if type(chosen) is Bleu or type(chosen) is BleuStrictBrevity:
        native_texts, lowercase = chosen.tokenizer.native_texts, chosen.lowercase
        rows = _native.bleu_against_mean(
            native_texts(hypotheses, lowercase=lowercase),
            native_texts(references, lowercase=lowercase),
            evidence.probabilities,
            tokenizer=chosen.tokenizer.native_name,
            order=chosen.order,
        )
        return chosen.score(rows[:, : len(chosen.columns)])
    if type(chosen) is Chrf:
        rows = _native.chrf_against_mean(
            hypotheses.lower() if chosen.lowercase else hypotheses,
            references.lower() if chosen.lowercase else references,
            evidence.probabilities,
            character_order=chosen.character_order,
            word_order=chosen.word_order,
            beta=chosen.beta,
            whitespace=chosen.whitespace,
            every_order=not chosen.effective_order,
        )
        return chosen.score(rows)
    raise OptionError(f"{NAME}: found utility {metric.spec}, expected bleu, bleu-sbp or chrf")
