"""The exact oracle of BLEU: all choices are tried, real lattices, and bounds beyond the limits."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.decode import Forest, Lattice, NBest
from tertium.decode.oracle import exact_bleu
from tertium.decode.oracle.candidates import OracleSetting
from tertium.decode.oracle.oracles import corpus_oracle, oracle
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_metric
from tests.support.commands import error, json_output, output
from tests.support.effort import examples
from tests.support.lattice_strategies import lattices, random_lattice

SPECS = (
    "bleu[tokenizer=none]",
    "bleu[tokenizer=none,order=2,smoothing=none]",
    "bleu-sbp[tokenizer=none]",
    "bleu[tokenizer=none,reference_length=shortest,smoothing=floor[0.1]]",
)
texts = st.lists(st.sampled_from(["a", "b", "c", "the"]), min_size=1, max_size=6).map(" ".join)


def best_of_all(found: list[Lattice], references: list[list[str]], metric: Metric) -> float:
    """Every path of every segment with every path of the others."""
    rows = []
    for lattice, own in zip(found, references, strict=True):
        said = sorted({path.text for path in lattice.paths()})
        rows.append(np.unique(metric.statistics(said, [own] * len(said)), axis=0))
    return max(float(metric.score(np.sum(choice, axis=0))) for choice in itertools.product(*rows))


@settings(max_examples=examples(60))
@given(
    cases=st.lists(
        st.tuples(lattices(), st.lists(texts, min_size=1, max_size=2)), min_size=1, max_size=3
    ),
    spec=st.sampled_from(SPECS),
)
def test_no_choice_is_better(cases: list[tuple[Lattice, list[str]]], spec: str) -> None:
    found, references = [list(side) for side in zip(*cases, strict=True)]
    metric = parse_metric(spec)
    result = corpus_oracle(found, references, OracleSetting(metric=metric, exact=True))
    assert (result.approximation, result.bound) == ("", None)
    assert result.score == pytest.approx(best_of_all(found, references, metric))
    for lattice, one in zip(found, result.segments, strict=True):
        assert lattice.path(one.best.edges).words == one.best.words


def test_climbing_misses_what_this_finds() -> None:
    rng = np.random.default_rng(3)
    metric = parse_metric("bleu[tokenizer=none]")
    gaps = []
    for _ in range(60):
        found = [random_lattice(rng, nodes=6, arcs=12) for _ in range(2)]
        references = [[" ".join(rng.choice(["a", "b", "c", "the"], 5))] for _ in found]
        exact = corpus_oracle(found, references, OracleSetting(metric=metric, exact=True))
        climbed = corpus_oracle(found, references, OracleSetting(metric=metric))
        gaps.append(exact.score - climbed.score)
    assert min(gaps) > -1e-9
    assert max(gaps) > 0.1


@pytest.mark.parametrize("limit", ["STATES", "SUMS"])
@settings(max_examples=examples(40))
@given(cases=st.lists(st.tuples(lattices(), texts), min_size=2, max_size=3))
def test_beyond_the_limits_there_is_a_bound(limit: str, cases: list[tuple[Lattice, str]]) -> None:
    found = [lattice for lattice, _ in cases]
    references = [[text] for _, text in cases]
    metric = parse_metric("bleu[tokenizer=none]")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_bleu, limit, 0)
        result = corpus_oracle(found, references, OracleSetting(metric=metric, exact=True))
    if limit == "SUMS" or any(lattice.arcs for lattice in found):
        assert result.bound is not None
        assert "hill climbing" in result.approximation
        assert result.bound >= best_of_all(found, references, metric) - 1e-9


def test_lists_are_exact_too() -> None:
    lists = [
        NBest(segment=0, hypotheses=("the cat", "a cat sat down", "the cat sat down")),
        NBest(segment=1, hypotheses=("it", "it was on the mat", "on the mat")),
    ]
    references = [["the cat sat here"], ["it sat on the mat"]]
    metric = parse_metric("bleu")
    result = corpus_oracle(lists, references, OracleSetting(metric=metric, exact=True))
    best = max(
        float(metric.score(metric.statistics(list(choice), references).sum(axis=0)))
        for choice in itertools.product(*(one.hypotheses for one in lists))
    )
    assert result.score == pytest.approx(best)
    assert not result.approximation


def test_one_lattice_alone() -> None:
    lattice = Lattice.build([(0, 1, "a", -1.0), (0, 1, "b", -0.5), (1, 2, "c", 0.0)])
    assert oracle(lattice, "a c", "bleu[order=2]", exact=True).text == "a c"


def test_what_cannot_be_exact_is_refused() -> None:
    with pytest.raises(OptionError, match="exact: found chrf, expected bleu or bleu-sbp"):
        OracleSetting(metric=parse_metric("chrf"), exact=True)
    forest = Forest.build([(0, ["b"]), (0, ["the"]), (1, [0, "a", 0]), (1, ["c"])])
    with pytest.raises(OptionError, match="exact: found a forest, expected lattices"):
        oracle(forest, "the a the", "bleu", exact=True)


def test_the_command_says_exact_or_the_bound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lattice, reference = tmp_path / "dev.plf", tmp_path / "ref"
    lattice.write_text("((('a',-1,1),('b',-0.5,1),),(('c',0,1),),(('d',0,1),),)\n")
    reference.write_text("a c d\n")
    words = ("oracle", str(lattice), str(reference), "-m", "bleu[order=2]", "--exact", "-q")
    assert "exact: nothing in the structures has a better BLEU" in output(capsys, *words)
    assert json_output(capsys, *words)["exact"] is True
    monkeypatch.setattr(exact_bleu, "STATES", 1)
    assert "no choice has more than 100.00 BLEU, 0.00 above" in output(capsys, *words)
    assert json_output(capsys, *words)["bound"] == pytest.approx(100)
    assert "expected bleu or bleu-sbp" in error(
        capsys, "oracle", str(lattice), str(reference), "--exact"
    )


@pytest.mark.shared
@pytest.mark.slow
def test_real_lattices_fit(shared_data: Path) -> None:
    folder = shared_data / "lattices" / "hifst"
    from tertium.decode import FormatOptions, read

    boundary = FormatOptions(boundary=("1", "2"))
    found = [
        lattice
        for number in range(1, 6)
        for lattice in read(folder / f"lmert.{number}.txt.gz", options=boundary)
    ]
    lines = (folder / "lmert.refs").read_text().splitlines()[: len(found)]
    references = [[line] for line in lines]
    metric = parse_metric("bleu[tokenizer=none]")
    result = corpus_oracle(found, references, OracleSetting(metric=metric, exact=True))
    climbed = corpus_oracle(found, references, OracleSetting(metric=metric))
    assert not result.approximation
    assert result.score >= climbed.score - 1e-9
