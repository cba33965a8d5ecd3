"""What the tests of comparisons share."""

from collections.abc import Sequence

from tertium.compare.differences import GramDifference
from tertium.compare.grams import CutCorpus, WordCutter, cut_corpus
from tertium.text.references import AnyReferences
from tests.support.corpora import corpus_of, systems_of

REFERENCES = ["the cat sat", "the dog ran", "a cat sat"]
BASE = ["the cat sits", "the dog ran", "a cat sits"]
NEW = ["the cat sat", "the hound ran", "a cat sat"]


def cut_of(references: AnyReferences, *hypotheses: Sequence[str]) -> CutCorpus:
    """Texts cut into words."""
    return cut_corpus(corpus_of(references), systems_of(*hypotheses), WordCutter())


def shown(differences: Sequence[GramDifference]) -> list[tuple[str, int, int]]:
    """What they are, how often gained and how often lost."""
    return [(one.text, one.gained, one.lost) for one in differences]
