"""Oracles of real lattices and forests."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tertium.decode import Forest, FormatOptions, Lattice, read_forests, read_lattices, read_nbest
from tertium.decode.oracle.candidates import OracleSetting, native_forest
from tertium.decode.oracle.oracles import corpus_oracle, oracle
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.wer import WordRecognitionRate
from tertium.text.tokenizers import WHITESPACE
from tests.support.decoding.joshua_forests import joshua_forests

pytestmark = pytest.mark.shared

GRR = GramRecognitionRate(tokenizer=WHITESPACE)
WRR = WordRecognitionRate(tokenizer=WHITESPACE)


def is_path(lattice: Lattice, words: Sequence[str]) -> bool:
    """Whether some path says exactly this."""
    numbers = {word: place for place, word in enumerate(lattice.vocabulary)}
    # For each node the numbers of words that can have been said on the way to it.
    said: list[set[int]] = [set() for _ in range(lattice.nodes)]
    said[0].add(0)
    arcs = zip(lattice.sources, lattice.targets, lattice.labels, strict=True)
    for source, target, label in arcs:
        for count in said[source]:
            if label < 0:
                said[target].add(count)
            elif count < len(words) and numbers.get(words[count]) == label:
                said[target].add(count + 1)
    return len(words) in said[-1]


def check_arcs(lattice: Lattice, arcs: Sequence[int]) -> None:
    """From the start to the end without a gap."""
    places = list(arcs)
    assert lattice.sources[places].tolist() == [0, *lattice.targets[places[:-1]]]
    assert lattice.targets[places[-1]] == lattice.nodes - 1


@pytest.fixture(scope="module")
def hifst(shared_data: Path) -> tuple[list[Lattice], list[list[str]]]:
    folder = shared_data / "lattices/hifst"
    options = FormatOptions(boundary=("1", "2"))
    lattices = [
        lattice
        for number in range(1, 21)
        for lattice in read_lattices(folder / f"lmert.{number}.txt.gz", options=options)
    ]
    lines = (folder / "lmert.refs").read_text(encoding="utf-8").splitlines()
    return lattices, [[line] for line in lines[:20]]


@pytest.mark.parametrize("metric", [GRR, WRR], ids=["grr", "wrr"])
def test_translation_lattices(
    hifst: tuple[list[Lattice], list[list[str]]], metric: GramRecognitionRate
) -> None:
    lattices, references = hifst
    result = corpus_oracle(lattices, references, OracleSetting(metric=metric, count=3))
    rows = metric.statistics(list(result.texts), references)
    for lattice, one in zip(lattices, result.segments, strict=True):
        assert one.best.score >= one.first.score
        for hypothesis in one.hypotheses:
            check_arcs(lattice, hypothesis.edges)
            path = lattice.path(hypothesis.edges)
            assert path.words == hypothesis.words
            assert path.score == hypothesis.model_score
        assert len({each.text for each in one.hypotheses}) == 3
    # The corpus of the best segments is the best corpus: any other oracle in place of the first
    # makes it no better, and segments count by weights that no choice can change.
    total = rows.sum(axis=0)
    assert result.score == pytest.approx(float(metric.score(total)))
    for place, one in enumerate(result.segments):
        other = metric.statistics([one.hypotheses[2].text], [references[place]])
        assert metric.score(total - rows[place] + other[0]) <= result.score + 1e-9
    if metric is GRR:
        weighted = [one.best.score for one in result.segments] @ rows[:, 1] / rows[:, 1].sum()
        assert weighted == pytest.approx(result.score)


def test_speech_lattices(shared_data: Path) -> None:
    """The shipped oracles came from larger lattices; where one is a path, ours is no worse."""
    folder = shared_data / "lattices/fisher"
    lattices = list(read_lattices(folder / "dev2.plf"))
    shipped = (folder / "dev2.oracle").read_text(encoding="utf-8").splitlines()
    first = (folder / "dev2.1best").read_text(encoding="utf-8").splitlines()
    assert len(lattices) == len(shipped) == len(first) == 1000
    against = [[text] for text in first]
    result = corpus_oracle(lattices, against, OracleSetting(metric=WRR))
    theirs = WRR.score(WRR.statistics(shipped, against))
    paths = [is_path(one, text.split()) for one, text in zip(lattices, shipped, strict=True)]
    assert 300 < sum(paths) < 1000
    for place in np.flatnonzero(paths):
        assert result.segments[place].best.score >= theirs[place] - 1e-9
    # The 1-best is a path in nearly all lattices, and then the oracle is the 1-best.
    found = [is_path(one, text.split()) for one, text in zip(lattices, first, strict=True)]
    assert sum(found) > 950
    perfect = [one.best.score == 100 for one in result.segments]
    assert perfect == found
    # The other way round: against the shipped oracles no path of ours does worse than the model.
    other = corpus_oracle(lattices, [[text] for text in shipped], OracleSetting(metric=GRR))
    reached = [one.best.score == 100 for one in other.segments]
    assert reached == paths
    assert all(one.best.score >= one.first.score for one in other.segments)


@pytest.mark.parametrize("name", ["denseonly", "sparse"])
def test_phrase_based_forests_are_lattices(shared_data: Path, name: str) -> None:
    (forest,) = read_forests(shared_data / f"forests/moses/{name}/data/hg.gz")
    assert native_forest(forest).left_branching
    words = list(forest.best().words)
    assert oracle(forest, " ".join(words), GRR).best.score == 100
    words[3:5] = ["unseen"]
    found = oracle(forest, " ".join(words), GRR, count=5)
    assert found.best.score >= found.first.score
    for hypothesis in found.hypotheses:
        derived = forest.derivation(hypothesis.edges)
        assert derived.words == hypothesis.words
        assert derived.score == pytest.approx(hypothesis.model_score)
    lattice = oracle(forest.to_lattice(), " ".join(words), GRR, count=5)
    assert [one.score for one in lattice.hypotheses] == [one.score for one in found.hypotheses]


def test_hierarchical_forests(shared_data: Path) -> None:
    """What a decoder with the same grammar found is in the forest, so the oracle is no worse."""
    count = 12
    forests: list[Forest] = joshua_forests(shared_data, count)
    folder = shared_data / "nbest/joshua-bn-en"
    columns = [
        (folder / f"reference.en.{number}").read_text(encoding="utf-8").splitlines()[:count]
        for number in range(4)
    ]
    references = [list(own) for own in zip(*columns, strict=True)]
    small = [place for place in range(count) if forests[place].edges < 4000]
    assert len(small) > 6
    chosen = [forests[place] for place in small]
    own = [references[place] for place in small]
    result = corpus_oracle(chosen, own, OracleSetting(metric=GRR, count=2))
    assert not result.approximation
    lists = {one.segment: one for one in read_nbest(folder / "output.gold")}
    for place, forest, one in zip(small, chosen, result.segments, strict=True):
        assert forest.derivation(one.best.edges).words == one.best.words
        texts = list(lists[place].hypotheses)
        scores = GRR.score(GRR.statistics(texts, [references[place]] * len(texts)))
        assert one.best.score >= scores.max() - 1e-9
        assert one.best.score >= one.first.score
    for band, beam in ((None, 4), (2, None)):
        pruned = corpus_oracle(chosen, own, OracleSetting(metric=GRR, band=band, beam=beam))
        assert result.scores[0].before < pruned.score <= result.score
