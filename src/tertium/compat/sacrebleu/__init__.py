"""sacreBLEU's interface: ``from tertium.compat import sacrebleu`` replaces ``import sacrebleu``.

Names, arguments, numbers and printed text are those of sacreBLEU 2.6.0. On purpose different:

- a signature ends in ``version:tertium-…``, and its ``nrefs``, ``bs`` and ``seed`` are those of
  the score computed last (sacreBLEU can show those of an earlier one);
- a perfect score is exactly 100.0, not 100.00000000000004;
- references whose shape does not fit the hypotheses are an error, not cut to the shorter side;
- a signature shows what sacreBLEU leaves out (``order:2``, ``beta:3``, ``floor[0.001]``), so that
  ``tertium.parse_metric`` makes the same metric of it;
- orders and a β of chrF that mean nothing (below 0, no order at all) are an error;
- ``format(is_json=True)`` needs no signature;
- resampling does not fail when some resamples of chrF or TER contain no text;
- nothing is downloaded: test sets are not offered, SentencePiece models must be there already.

``__version__`` is that of sacreBLEU, for code that asks for it. ``tertium.compat.replace`` lets
code say ``import sacrebleu`` and get this package.

What sacreBLEU refuses raises the same built-in type here (and a ``TertiumError``).

>>> from tertium.compat import sacrebleu
>>> bleu = sacrebleu.BLEU()
>>> print(bleu.corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]]))
BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
>>> bleu.get_signature().format(short=True).rpartition("|")[0]
'#:1|c:mixed|e:no|tok:13a|s:exp'
"""

from tertium.compat.sacrebleu import (
    compat,
    dataset,
    metrics,
    significance,
    tokenizers,
    utils,
    version,
)
from tertium.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from tertium.compat.sacrebleu.dataset import DATASETS

# Versions 1 of sacreBLEU had these.
from tertium.compat.sacrebleu.legacy import (  # noqa: F401
    DEFAULT_TOKENIZER,
    NGRAM_ORDER,
    TOKENIZERS,
    compute_bleu,
    extract_ngrams,
    tokenize_13a,
    tokenize_v14_international,
    tokenize_zh,
)
from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER
from tertium.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from tertium.compat.sacrebleu.utils import (
    SACREBLEU_DIR,
    download_test_set,
    get_available_testsets,
    get_langpairs_for_testset,
    get_reference_files,
    get_source_file,
    smart_open,
)
from tertium.compat.sacrebleu.version import __version__

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "compat",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "dataset",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "significance",
    "smart_open",
    "tokenizers",
    "utils",
    "version",
]
