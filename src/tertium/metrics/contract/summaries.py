"""What is said of metrics without the import of their modules: which are usual, a line about each.

`tertium metrics` is asked for often and by shells; 31 modules with NumPy and tables behind them
took six times as long as the list itself. `tests/metrics/test_summaries.py` holds every line
against the metric that it is about.
"""

from typing import Final

DEFAULT_METRICS: Final = ("bleu", "chrf")
"""What every command scores by where none is named: two views of overlap, by words and by letters.

A single metric has none to contradict it, and sacreBLEU's authors and WMT ask for both.
"""

SUMMARIES: Final = {
    "amber": "BLEU with recall, ten penalties and parts of words",
    "amber-basic": "AMBER on whole words only",
    "bleu": "word sequences that a reference has; short output is punished",
    "bleu-sbp": "BLEU in which each segment answers for its own missing words",
    "chrf": "character sequences in common; word_order=2 for chrF++",
    "nist": "like BLEU, but rare word sequences count more",
    "wer": "word edits per reference word; lower is better",
    "wrr": "100 minus WER: matched minus inserted words per reference word",
    "per": "word edits per reference word, order ignored; lower is better",
    "grr": "right words in order, more for those in a row, minus insertions",
    "ter": "edits and moved phrases per reference word; lower is better",
    "terp": "TER with stems, synonyms and phrases, each at its cost; lower is better",
    "nee": "annotated names found in the translation",
    "gtm": "words that match, each once; long runs count more",
    "ribes": "how far the words that match stand in the same order",
    "rouge-n": "word sequences in common",
    "rouge-l": "longest sequence of words in common, with gaps",
    "rouge-w": "the same as rouge-l, but words in a row count more",
    "rouge-s": "word pairs in common, with gaps between the two",
    "rouge-su": "the same as rouge-s, and single words",
    "meteor": "words aligned by form, stem, synonym, paraphrase",
    "meteor-0.6": "METEOR as in version 0.6: Porter stems, matched stage by stage",
    "lrscore": "word order, from alignments that you give, mixed with BLEU",
    "maxsim": "the best pairing of lemmas, parts of speech and synonyms",
    "tesla-m": "weighted n-grams moved onto each other; function words count little",
    "paraeval": "words of the reference that the output has; with a table, paraphrases",
    "entailment": "words, numbers, negation, modality and names that disagree",
    "scores": "scores that a file has, such as those of COMET",
    "command": "scores that a program of yours computes",
    "dependency": "grammatical relations in common; reads parses (CoNLL-U)",
    "semantic-roles": "who does what to whom; reads semantic roles (CoNLL)",
}
"""Name → what the list says, in the order of the table of metrics."""

PACKAGES: Final = {
    "maxsim": ("HanTa", "scipy", "pycocoevalcap"),
    "tesla-m": ("HanTa", "pycocoevalcap"),
}
"""Packages without which a metric cannot do its work at its defaults."""
