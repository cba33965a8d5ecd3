"""The catalog of metrics: one row says everything that is said of a metric without its module.

To add a metric, write its class and its row here. The table of metrics, `tertium metrics` and the
families by which `decide` counts witnesses follow the catalog; another package offers a metric by
the entry-point group ``tertium.metrics``.

`tertium metrics` is asked for often and by shells; 31 modules with NumPy and tables behind them
took six times as long as the list itself. So nothing is imported here, and a row repeats the line
that a metric has for itself; `tests/metrics/test_catalog.py` holds the one against the other.
"""

from typing import Final, NamedTuple

DEFAULT_METRICS: Final = ("bleu", "chrf")
"""What every command scores by where none is named: two views of overlap, by words and by letters.

A single metric has none to contradict it, and sacreBLEU's authors and WMT ask for both.
"""


class CatalogEntry(NamedTuple):
    """A metric of ours.

    - ``location``: where its class is, as ``module:name``.
    - ``family``: what it looks at. Metrics of one family are one witness; a metric without one is
      a family of its own.
    - ``summary``: a line for the list of metrics, as the class has it.
    - ``packages``: those without which it cannot do its work at its defaults.
    """

    location: str
    family: str = ""
    summary: str = ""
    packages: tuple[str, ...] = ()


CATALOG: Final = {
    "amber": CatalogEntry(
        "tertium.metrics.amber.metric:Amber",
        family="word n-grams",
        summary="BLEU with recall, ten penalties and parts of words",
    ),
    "amber-basic": CatalogEntry(
        "tertium.metrics.amber.metric:AmberBasic",
        family="word n-grams",
        summary="AMBER on whole words only",
    ),
    "bleu": CatalogEntry(
        "tertium.metrics.ngram.bleu:Bleu",
        family="word n-grams",
        summary="word sequences that a reference has; short output is punished",
    ),
    "bleu-sbp": CatalogEntry(
        "tertium.metrics.ngram.bleu:BleuStrictBrevity",
        family="word n-grams",
        summary="BLEU in which each segment answers for its own missing words",
    ),
    "chrf": CatalogEntry(
        "tertium.metrics.ngram.chrf:Chrf",
        family="character n-grams",
        summary="character sequences in common; word_order=2 for chrF++",
    ),
    "nist": CatalogEntry(
        "tertium.metrics.ngram.nist:Nist",
        family="word n-grams",
        summary="like BLEU, but rare word sequences count more",
    ),
    "wer": CatalogEntry(
        "tertium.metrics.edit.wer:WordErrorRate",
        family="word edits",
        summary="word edits per reference word; lower is better",
    ),
    "wrr": CatalogEntry(
        "tertium.metrics.edit.wer:WordRecognitionRate",
        family="word edits",
        summary="100 minus WER: matched minus inserted words per reference word",
    ),
    "per": CatalogEntry(
        "tertium.metrics.edit.per:PositionIndependentErrorRate",
        family="word edits",
        summary="word edits per reference word, order ignored; lower is better",
    ),
    "grr": CatalogEntry(
        "tertium.metrics.edit.grr:GramRecognitionRate",
        family="word edits",
        summary="right words in order, more for those in a row, minus insertions",
    ),
    "ter": CatalogEntry(
        "tertium.metrics.edit.ter:TranslationEditRate",
        family="word edits",
        summary="edits and moved phrases per reference word; lower is better",
    ),
    "terp": CatalogEntry(
        "tertium.metrics.edit.terp:TranslationEditRatePlus",
        family="word edits",
        summary="TER with stems, synonyms and phrases, each at its cost; lower is better",
    ),
    "nee": CatalogEntry(
        "tertium.metrics.annotation.nee:NamedEntityEvaluator",
        family="annotation",
        summary="annotated names found in the translation",
    ),
    "gtm": CatalogEntry(
        "tertium.metrics.ngram.gtm:GeneralTextMatcher",
        family="word n-grams",
        summary="words that match, each once; long runs count more",
    ),
    "ribes": CatalogEntry(
        "tertium.metrics.order.ribes:Ribes",
        family="word order",
        summary="how far the words that match stand in the same order",
    ),
    "rouge-n": CatalogEntry(
        "tertium.metrics.ngram.rouge:RougeN",
        family="word n-grams",
        summary="word sequences in common",
    ),
    "rouge-l": CatalogEntry(
        "tertium.metrics.ngram.rouge:RougeL",
        family="word n-grams",
        summary="longest sequence of words in common, with gaps",
    ),
    "rouge-w": CatalogEntry(
        "tertium.metrics.ngram.rouge:RougeW",
        family="word n-grams",
        summary="the same as rouge-l, but words in a row count more",
    ),
    "rouge-s": CatalogEntry(
        "tertium.metrics.ngram.rouge:RougeS",
        family="word n-grams",
        summary="word pairs in common, with gaps between the two",
    ),
    "rouge-su": CatalogEntry(
        "tertium.metrics.ngram.rouge:RougeSU",
        family="word n-grams",
        summary="the same as rouge-s, and single words",
    ),
    "meteor": CatalogEntry(
        "tertium.metrics.meteor.metric:Meteor",
        family="word alignment",
        summary="words aligned by form, stem, synonym, paraphrase",
    ),
    "meteor-0.6": CatalogEntry(
        "tertium.metrics.meteor.metric:Meteor06",
        family="word alignment",
        summary="METEOR as in version 0.6: Porter stems, matched stage by stage",
    ),
    "lrscore": CatalogEntry(
        "tertium.metrics.order.lrscore:LrScore",
        family="word order",
        summary="word order, from alignments that you give, mixed with BLEU",
    ),
    "maxsim": CatalogEntry(
        "tertium.metrics.matching.maxsim:MaxSim",
        family="word alignment",
        summary="the best pairing of lemmas, parts of speech and synonyms",
        packages=("HanTa", "scipy", "pycocoevalcap"),
    ),
    "tesla-m": CatalogEntry(
        "tertium.metrics.matching.tesla:TeslaM",
        family="word alignment",
        summary="weighted n-grams moved onto each other; function words count little",
        packages=("HanTa", "pycocoevalcap"),
    ),
    "paraeval": CatalogEntry(
        "tertium.metrics.matching.paraeval:ParaEval",
        family="word alignment",
        summary="words of the reference that the output has; with a table, paraphrases",
    ),
    "entailment": CatalogEntry(
        "tertium.metrics.matching.entailment:EntailmentFeatures",
        family="word alignment",
        summary="words, numbers, negation, modality and names that disagree",
    ),
    "scores": CatalogEntry(
        "tertium.metrics.foreign.file_scores:FileScores",
        summary="scores that a file has, such as those of COMET",
    ),
    "command": CatalogEntry(
        "tertium.metrics.foreign.command:CommandMetric",
        summary="scores that a program of yours computes",
    ),
    "dependency": CatalogEntry(
        "tertium.metrics.annotation.dependency:DependencyOverlap",
        family="annotation",
        summary="grammatical relations in common; reads parses (CoNLL-U)",
    ),
    "semantic-roles": CatalogEntry(
        "tertium.metrics.annotation.semantic_roles:SemanticRoles",
        family="annotation",
        summary="who does what to whom; reads semantic roles (CoNLL)",
    ),
}
"""The metrics by name, in the order of every list of metrics."""


def family_of_ours(name: str) -> str:
    """The family of a metric in the catalog; empty for any other."""
    return CATALOG[name].family if name in CATALOG else ""
