"""``tertium.compat.nltk`` beside the real NLTK: same calls, same numbers."""

import inspect
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.translate import (
    bleu_score,
    chrf_score,
    gleu_score,
    meteor_score,
    nist_score,
    ribes_score,
)

from tertium.compat import NLTK_MODULES, nltk, replace
from tertium.compat.nltk import bleu_score as our_bleu
from tertium.compat.nltk import chrf_score as our_chrf
from tertium.compat.nltk import gleu_score as our_gleu
from tertium.compat.nltk import meteor_score as our_meteor
from tertium.compat.nltk import nist_score as our_nist
from tertium.compat.nltk import ribes_score as our_ribes
from tertium.errors import TertiumError

# Tokens with blanks and tokens that are no text: NLTK takes whatever can be counted.
TOKENS = ("a", "b", "c", "the", "The", "cats", "cat", "sat", "a b", 7)
sentences = st.lists(st.sampled_from(TOKENS), max_size=9)
of_words = st.lists(st.sampled_from([str(token) for token in TOKENS]), max_size=9)
corpora = st.lists(st.tuples(st.lists(sentences, min_size=1, max_size=3), sentences), min_size=1)


class Lemma:
    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name


class Synset:
    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def lemmas(self) -> list[Lemma]:
        return [Lemma(name) for name in self._names]


class SmallWordNet:
    """Two synonym sets: WordNet itself is a download."""

    def synsets(self, word: str) -> list[Synset]:
        sets = (("cat", "cats", "big_cat"), ("sat", "the"))
        return [Synset(names) for names in sets if word in names]


def test_every_public_name_and_parameter_of_nltk_is_here() -> None:
    for name in NLTK_MODULES:
        theirs, ours = (import_module(f"{p}.{name}") for p in ("nltk.translate", nltk.__name__))
        for function, there in vars(theirs).items():
            if function.startswith("_") or getattr(there, "__module__", "") != theirs.__name__:
                continue
            here = getattr(ours, function)
            if inspect.isfunction(there):
                assert list(inspect.signature(here).parameters) == list(
                    inspect.signature(there).parameters
                ), function
    assert nltk.bleu is our_bleu.sentence_bleu


@given(corpus=corpora, smoothing=st.integers(0, 7), order=st.integers(3, 6))
def test_bleu_is_nltks_with_every_smoothing(
    corpus: list[tuple[list[list[Any]], list[Any]]], smoothing: int, order: int
) -> None:
    references, hypotheses = [list(side) for side in zip(*corpus, strict=True)]

    def scored(module: Any) -> Any:
        method = getattr(module.SmoothingFunction(), f"method{smoothing}")
        weights = [(1 / order,) * order, (0.5, 0.5)]
        return module.corpus_bleu(references, hypotheses, weights, method)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = scored(bleu_score)
        except AssertionError:  # method 6 without a matching trigram
            with pytest.raises(AssertionError):
                scored(our_bleu)
            return
        assert scored(our_bleu) == pytest.approx(expected, abs=1e-12)


@given(references=st.lists(sentences, min_size=1, max_size=3), hypothesis=sentences)
def test_precision_is_an_unreduced_fraction(
    references: list[list[Any]], hypothesis: list[Any]
) -> None:
    for n in (1, 2, 3):
        theirs = bleu_score.modified_precision(references, hypothesis, n)
        ours = our_bleu.modified_precision(references, hypothesis, n)
        assert (ours.numerator, ours.denominator) == (theirs.numerator, theirs.denominator)
    length = len(hypothesis)
    closest = our_bleu.closest_ref_length(references, length)
    assert closest == bleu_score.closest_ref_length(references, length)
    assert our_bleu.brevity_penalty(closest, length) == bleu_score.brevity_penalty(closest, length)


def test_short_hypothesis_gets_weights_of_its_length() -> None:
    words = ["a", "b", "c"]
    with pytest.warns(UserWarning, match="no 4-gram"):
        assert our_bleu.sentence_bleu([words], words, auto_reweigh=True) == 1.0
    with pytest.warns(UserWarning, match="no 4-gram"):
        assert our_bleu.sentence_bleu([words], words) == pytest.approx(0.0, abs=1e-60)


@given(corpus=corpora, n=st.integers(1, 5))
def test_nist_is_nltks(corpus: list[tuple[list[list[Any]], list[Any]]], n: int) -> None:
    references, hypotheses = [list(side) for side in zip(*corpus, strict=True)]
    try:
        expected = nist_score.corpus_nist(references, hypotheses, n)
    except ZeroDivisionError:  # NLTK divides by n-grams that no hypothesis has, or no reference
        assert our_nist.corpus_nist(references, hypotheses, n) >= 0
        return
    assert our_nist.corpus_nist(references, hypotheses, n) == pytest.approx(expected, abs=1e-9)


@given(
    pairs=st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), min_size=1, max_size=4),
    least=st.integers(1, 3),
    most=st.integers(3, 6),
    beta=st.sampled_from([0.5, 1.0, 3.0]),
    ignored=st.booleans(),
)
@example(pairs=[("0", "0\x1f")], least=1, most=3, beta=0.5, ignored=True)
def test_chrf_is_nltks(
    pairs: list[tuple[str, str]], least: int, most: int, beta: float, ignored: bool
) -> None:
    arguments: Any = (*map(list, zip(*pairs, strict=True)), least, most, beta, ignored)
    expected = chrf_score.corpus_chrf(*arguments)
    assert our_chrf.corpus_chrf(*arguments) == pytest.approx(expected, abs=1e-12)


@given(reference=sentences, hypothesis=sentences, n=st.integers(1, 4))
def test_chrf_shares_are_nltks(reference: list[Any], hypothesis: list[Any], n: int) -> None:
    theirs = chrf_score.chrf_precision_recall_fscore_support(reference, hypothesis, n)
    ours = our_chrf.chrf_precision_recall_fscore_support(reference, hypothesis, n)
    assert ours == pytest.approx(theirs)


@given(corpus=corpora, least=st.integers(1, 2), most=st.integers(2, 5))
def test_gleu_is_nltks(
    corpus: list[tuple[list[list[Any]], list[Any]]], least: int, most: int
) -> None:
    references, hypotheses = [list(side) for side in zip(*corpus, strict=True)]
    arguments = (references, hypotheses, least, most)
    assert our_gleu.corpus_gleu(*arguments) == pytest.approx(gleu_score.corpus_gleu(*arguments))


@given(corpus=corpora)
def test_ribes_is_nltks(corpus: list[tuple[list[list[Any]], list[Any]]]) -> None:
    references, hypotheses = [list(side) for side in zip(*corpus, strict=True)]
    for one, hypothesis in corpus:
        ranks = our_ribes.word_rank_alignment(one[0], hypothesis)
        assert ranks == ribes_score.word_rank_alignment(one[0], hypothesis)
        runs = list(our_ribes.find_increasing_sequences(ranks))
        assert runs == list(ribes_score.find_increasing_sequences(ranks))
        if len(ranks) > 1:
            assert our_ribes.spearman_rho(ranks) == ribes_score.spearman_rho(ranks)
    ours, theirs = (m.corpus_ribes(references, hypotheses) for m in (our_ribes, ribes_score))
    assert ours == pytest.approx(theirs)


@given(references=st.lists(of_words, min_size=1, max_size=3), hypothesis=of_words)
def test_meteor_is_nltks(references: list[list[str]], hypothesis: list[str]) -> None:
    ours, theirs = (
        module.meteor_score(references, hypothesis, wordnet=SmallWordNet())
        for module in (our_meteor, meteor_score)
    )
    assert ours == pytest.approx(theirs)
    for step, options in (
        ("exact_match", {}),
        ("stem_match", {}),
        ("wordnetsyn_match", {"wordnet": SmallWordNet()}),
        ("align_words", {"wordnet": SmallWordNet()}),
    ):
        found, expected = (
            getattr(module, step)(hypothesis, references[0], **options)
            for module in (our_meteor, meteor_score)
        )
        assert found == expected, step


@pytest.mark.parametrize(
    "call",
    [
        lambda: our_bleu.corpus_bleu([], [["a"]]),
        lambda: our_nist.corpus_nist([], [["a"]]),
        lambda: our_chrf.corpus_chrf([], ["a"]),
        lambda: our_gleu.corpus_gleu([], [["a"]]),
    ],
)
def test_different_sizes_are_refused_as_nltk_does(call: Callable[[], object]) -> None:
    with pytest.raises(AssertionError, match="expected 1, the number of hypotheses") as caught:
        call()
    assert isinstance(caught.value, TertiumError)


def test_nltk_can_be_replaced_only_before_its_import() -> None:
    with pytest.raises(TertiumError, match="has been imported already"):
        replace("nltk")
