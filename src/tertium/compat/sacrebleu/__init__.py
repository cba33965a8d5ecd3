"""sacreBLEU's interface: ``from tertium.compat import sacrebleu`` replaces ``import sacrebleu``.

Names, arguments, numbers and printed text are those of sacreBLEU 2.6.0. On purpose different:

- a signature ends in ``version:tertium-…``, and its ``nrefs``, ``bs`` and ``seed`` are those of
  the score computed last (sacreBLEU can show those of an earlier one);
- a perfect score is exactly 100.0, not 100.00000000000004;
- references whose shape does not fit the hypotheses are an error, not cut to the shorter side;
- orders and a β of chrF that mean nothing (below 0, no order at all) are an error;
- ``format(is_json=True)`` needs no signature;
- resampling does not fail when some resamples of chrF or TER contain no text;
- nothing is downloaded: test sets are not offered, SentencePiece models must be there already.

What sacreBLEU refuses raises the same built-in type here (and a ``TertiumError``).

>>> from tertium.compat import sacrebleu
>>> bleu = sacrebleu.BLEU()
>>> print(bleu.corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]]))
BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
>>> bleu.get_signature().format(short=True).rpartition("|")[0]
'#:1|c:mixed|e:no|tok:13a|s:exp'
"""

from tertium.compat.sacrebleu import metrics
from tertium.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER
from tertium.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]
