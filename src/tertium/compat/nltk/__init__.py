"""The metrics of ``nltk.translate``: the same functions, arguments and results.

Each module has the name of NLTK's. References come first, everything is a list of tokens (any
hashable values), and scores are fractions. Counting is done by the native core where tertium has
the same counts; what NLTK computes in its own way (best reference of NIST, alignment of METEOR,
ranks of RIBES) is written here. Only METEOR needs NLTK itself, for its stemmer and its WordNet.

>>> from tertium.compat import nltk
>>> round(nltk.bleu([["the", "cat", "sat", "down"]], ["the", "cat", "sat", "down"]), 4)
1.0
"""

from tertium.compat.nltk.bleu_score import sentence_bleu as bleu
from tertium.compat.nltk.chrf_score import sentence_chrf as chrf
from tertium.compat.nltk.gleu_score import sentence_gleu as gleu
from tertium.compat.nltk.meteor_score import meteor_score as meteor
from tertium.compat.nltk.nist_score import sentence_nist as nist
from tertium.compat.nltk.ribes_score import sentence_ribes as ribes

__all__ = ["bleu", "chrf", "gleu", "meteor", "nist", "ribes"]
