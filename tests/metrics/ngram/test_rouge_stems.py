"""ROUGE with stems against the package rouge-score, and the stemmers against NLTK's."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer

import tertium
from tertium._native import porter_stems
from tertium.decode.mbr.matrix import utility_matrix
from tertium.metrics.contract.table import parse_metric
from tests.support.golden import lines

ENDINGS = """
    ies ied eed ed ing y s ss sses e ll ion tion sion al ance ence er ic able ible ant ement ment
    ent ou ism ate iti ous ive ize ational tional enci anci izer bli abli alli entli eli ousli
    ization ation ator alism iveness fulness ousness aliti iviti biliti logi fulli icate ative
    alize iciti ical ful ness at bl iz
"""
BEGINNINGS = "d ow fl rel hop hopp tr geo archaeo yy caress 0x"
IRREGULAR = """
    sky skies dying lying tying news innings inning outings outing cannings canning howe proceed
    exceed succeed
"""
BUILT = product(["", *BEGINNINGS.split()], ENDINGS.split(), ["", "s", "li"])
WORDS = [*IRREGULAR.split(), *map("".join, BUILT)]


@pytest.mark.parametrize(
    ("nltk", "mode"),
    [(True, PorterStemmer.NLTK_EXTENSIONS), (False, PorterStemmer.MARTIN_EXTENSIONS)],
)
def test_stems_are_nltks(nltk: bool, mode: str) -> None:
    expected = list(map(PorterStemmer(mode=mode).stem, WORDS))
    assert porter_stems(WORDS, nltk=nltk) == expected


@given(st.lists(st.text("abdeilnosty", max_size=9), max_size=20))
def test_stems_of_any_letters_are_nltks(words: list[str]) -> None:
    assert porter_stems(words, nltk=True) == list(map(PorterStemmer().stem, words))


SPECS = {
    "rouge1": "rouge-n[stem=porter,measure={}]",
    "rouge2": "rouge-n[n=2,stem=porter,measure={}]",
    "rougeL": "rouge-l[stem=porter,measure={}]",
}
MEASURES = ("precision", "recall", "f")


def check(hypotheses: list[str], references: list[str]) -> None:
    scorer = RougeScorer(list(SPECS), use_stemmer=True)
    theirs = [
        scorer.score(target, text) for target, text in zip(references, hypotheses, strict=True)
    ]
    for kind, spec in SPECS.items():
        for place, measure in enumerate(MEASURES):
            metric = parse_metric(spec.format(measure))
            found = metric.score(metric.statistics(hypotheses, references))
            expected = [100 * one[kind][place] for one in theirs]
            np.testing.assert_allclose(found, expected, atol=1e-9)


@given(
    st.lists(
        st.tuples(
            *[st.lists(st.sampled_from([*WORDS[:40], "Cats", "cat", "it's"])).map(" ".join)] * 2
        ),
        min_size=1,
    )
)
def test_scores_are_those_of_rouge_score(segments: list[tuple[str, str]]) -> None:
    # Nothing against nothing is 0 there, and perfect here.
    kept = [(text, target) for text, target in segments if text or target] or [("a", "b")]
    check([text for text, _ in kept], [target for _, target in kept])


@pytest.mark.shared
@pytest.mark.parametrize("system", ["GPT4-5shot", "ONLINE-B"])
def test_real_text(shared_oracles: Path, system: str) -> None:
    root = shared_oracles / "heen"
    check(lines(root / f"hyp.{system}.txt"), lines(root / "ref.0.txt"))


@pytest.mark.parametrize("name", ["rouge-n", "rouge-l", "rouge-w", "rouge-s", "rouge-su"])
def test_every_rouge_has_stems(name: str) -> None:
    hypotheses, references = ["the cats were running fast"], ["the cat runs faster and ran"]
    plain = tertium.score(hypotheses, references, name).value
    stemmed = tertium.score(hypotheses, references, f"{name}[stem=porter]")
    assert stemmed.value > plain
    assert "|stem:porter|" in stemmed.signature
    pairs = utility_matrix(parse_metric(f"{name}[stem=porter]"), hypotheses, references)
    assert pairs[0, 0] == pytest.approx(stemmed.value)


def test_short_words_stay() -> None:
    assert tertium.score(["his was"], ["hi wa"], "rouge-n[stem=porter]").value == 0
    assert tertium.score(["this wines"], ["thi wine"], "rouge-n[stem=porter]").value == 100
