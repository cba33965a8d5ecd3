"""Deterministic lattices, and minimum Bayes risk over them as HiFST does it."""

import pytest
from hypothesis import given, settings

from tertium.decode import Lattice, LinearBleu, linear_bleu_mbr
from tertium.decode.mbr.linear_bleu import best_path_of, determinized
from tertium.decode.oracle.margin import within
from tertium.errors import InputError
from tests.oracles.decoding import mbr as oracle
from tests.support.effort import examples
from tests.support.lattice_strategies import lattices

FEW = ("a", "b")


def best_scores(lattice: Lattice) -> dict[str, float]:
    scores: dict[str, float] = {}
    for path in lattice.paths():
        scores[path.text] = max(path.score, scores.get(path.text, path.score))
    return scores


@given(lattices(words=FEW))
@settings(max_examples=examples(300))
def test_every_text_once_with_its_best_score(lattice: Lattice) -> None:
    found = determinized(lattice)
    wanted = best_scores(lattice)
    kept = [(path.text, path.score) for path in found.paths()]
    assert len(kept) == len(wanted)
    assert dict(kept) == pytest.approx(wanted)
    arcs = list(zip(found.sources, found.words, strict=True))
    assert len(set(arcs)) == len(arcs)  # a word leads from a node to one place
    for text, score in wanted.items():
        path = best_path_of(lattice, tuple(text.split()))
        assert path.text == text
        assert path.score == pytest.approx(score)


@given(lattices(words=FEW))
@settings(max_examples=examples(50))
def test_as_openfst_does_it(lattice: Lattice) -> None:
    kaldifst = pytest.importorskip("kaldifst")
    fst = lattice.to_openfst()
    kaldifst.rmepsilon(fst)
    theirs = Lattice.from_openfst(kaldifst.determinize(fst))
    found = {path.text: path.score for path in theirs.paths()}
    ours = {path.text: path.score for path in determinized(lattice).paths()}
    assert ours == pytest.approx(found, abs=1e-3)


@given(lattices(words=FEW))
@settings(max_examples=examples(100))
def test_a_margin_counts_the_best_derivation(lattice: Lattice) -> None:
    found = linear_bleu_mbr(lattice, LinearBleu(precision=0.7, ratio=0.6), margin=1.5)
    kept = within(determinized(lattice), 1.5)
    texts = [(path.words, path.score) for path in kept.paths()]
    shares = oracle.softmax([score for _, score in texts], 1.0).tolist()
    table = oracle.posteriors(list(zip((words for words, _ in texts), shares, strict=True)), 4)
    best = max(oracle.linear_gain(words, table, 0.7, 0.6, 0) for words, _ in texts)
    assert found.gain == pytest.approx(best, abs=1e-9)
    assert found.path.score == pytest.approx(best_scores(lattice)[found.text])
    assert found.path.features.shape == (2,)  # of the lattice that was given


def test_two_ways_to_say_it() -> None:
    """Added up they are the more probable; the better of them alone is not."""
    lattice = Lattice.build([(0, 1, "x", 0.0), (0, 2, "x", 0.0), (0, 3, "y", 0.1)])
    assert linear_bleu_mbr(lattice).text == "x"
    assert linear_bleu_mbr(lattice, margin=5.0).text == "y"


def test_what_is_too_large_or_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice = Lattice.build([(0, 1, "a"), (1, 2, "b")])
    with pytest.raises(InputError, match="found no path that says the words"):
        best_path_of(lattice, ("b",))
    monkeypatch.setattr("tertium.decode.mbr.linear_bleu.LARGEST", 1)
    with pytest.raises(InputError, match="more than 1 arcs once it is deterministic"):
        determinized(lattice)
