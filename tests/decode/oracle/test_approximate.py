"""Oracles by metrics that are no sum over segments, and curves."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.decode import Forest, Lattice, NBest
from tertium.decode.oracle.candidates import OracleSetting
from tertium.decode.oracle.curves import oracle_curve
from tertium.decode.oracle.margin import distances, within
from tertium.decode.oracle.oracles import corpus_oracle, oracle
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import parse_metric
from tests.support.effort import examples
from tests.support.lattice_strategies import forests, lattices, random_lattice

LISTS = [
    NBest(segment=0, hypotheses=("the cat", "a cat sat down", "the cat sat down"), scores=None),
    NBest(segment=1, hypotheses=("it", "it was on the mat", "on the mat"), scores=None),
    NBest(segment=2, hypotheses=("no", "no dog was here now", "no dog here"), scores=None),
]
REFERENCES = [["the cat sat here"], ["it sat on the mat"], ["no dog was there", "no dog"]]


@pytest.mark.parametrize("name", ["bleu", "bleu-sbp", "chrf", "ter", "nist", "grr", "wer"])
def test_climbing_finds_the_best_corpus_of_small_lists(name: str) -> None:
    """Every choice of one hypothesis a segment is tried: 27 corpora."""
    metric = parse_metric(name)
    result = corpus_oracle(LISTS, REFERENCES, OracleSetting(metric=metric))
    fitted = metric.fit(REFERENCES)
    every = [
        float(fitted.score(fitted.statistics(list(texts), REFERENCES).sum(axis=0)))
        for texts in itertools.product(*(one.hypotheses for one in LISTS))
    ]
    best = max(every) if metric.higher_is_better else min(every)
    assert result.score == pytest.approx(best)
    exact = name in {"ter", "grr", "wer"}
    assert (not result.approximation) == exact
    assert ("hill climbing" in result.approximation) == (not exact)


@given(st.lists(lattices(), min_size=1, max_size=3), st.sampled_from(["bleu", "bleu-sbp"]))
@settings(max_examples=examples(25))
def test_approximate_oracles_of_lattices_are_paths_and_no_worse(
    found: list[Lattice], name: str
) -> None:
    metric = parse_metric(f"{name}[tokenizer=none,order=2]")
    texts = [["a b the"]] * len(found)
    result = corpus_oracle(found, texts, OracleSetting(metric=metric))
    assert "among the oracles" in result.approximation
    assert result.score >= result.scores[0].before - 1e-9
    for lattice, one in zip(found, result.segments, strict=True):
        assert lattice.path(one.best.edges).words == one.best.words


def test_an_approximate_oracle_may_come_from_a_forest() -> None:
    forest = Forest.build([(0, ["b"]), (0, ["the"]), (1, [0, "a", 0]), (1, ["c"])])
    assert oracle(forest, "the a the", "bleu").text == "the a the"


def test_best_rates_are_exact_by_segment_only() -> None:
    metric = parse_metric("wer[references=best-rate]")
    assert (
        "best-rate" in corpus_oracle(LISTS, REFERENCES, OracleSetting(metric=metric)).approximation
    )
    single = [own[:1] for own in REFERENCES]
    assert not corpus_oracle(LISTS, single, OracleSetting(metric=metric)).approximation


def test_a_curve_of_sizes_rises_to_the_whole() -> None:
    metric, other = parse_metric("grr"), parse_metric("bleu")
    found = oracle_curve(LISTS, REFERENCES, OracleSetting(metric=metric), [other], kind="sizes")
    assert [point.x for point in found.points] == [1, 2, 3]
    assert [point.kept for point in found.points] == pytest.approx([1 / 3, 2 / 3, 1])
    scores = [point.scores[0] for point in found.points]
    assert scores == sorted(scores)
    assert scores[0] == found.first[0]
    whole = corpus_oracle(LISTS, REFERENCES, OracleSetting(metric=metric), [other])
    assert found.points[-1].scores == tuple(one.after for one in whole.scores)
    assert found.to_dict()["points"][0]["scores"].keys() == {"grr", "bleu"}


def test_a_curve_of_margins_rises_to_the_whole() -> None:
    rng = np.random.default_rng(5)
    several = [random_lattice(rng, nodes=6, arcs=14) for _ in range(5)]
    texts = [["a b c the"]] * 5
    setting = OracleSetting(metric=parse_metric("grr[tokenizer=none]"))
    found = oracle_curve(several, texts, setting, kind="margins")
    scores = [point.scores[0] for point in found.points]
    assert scores == sorted(scores)
    assert scores[-1] == corpus_oracle(several, texts, setting).score
    assert found.points[0].x == 0
    assert found.points[-1].kept == 1
    lists = oracle_curve(several, texts, setting, kind="sizes", points=[1, 50])
    assert lists.points[0].scores == lists.first


@pytest.mark.slow
@given(st.one_of(lattices(), forests(most_nodes=3)), st.sampled_from([0.0, 0.5, 2.0, 7.25, 99.0]))
@settings(max_examples=examples(80))
def test_a_margin_keeps_what_is_on_a_path_within_it(
    structure: Lattice | Forest, margin: float
) -> None:
    scores = [path.score for path in structure.paths()]
    near = [path for path in structure.paths() if path.score >= max(scores) - margin - 1e-9]
    kept = within(structure, margin)
    assert not isinstance(kept, NBest)
    assert {path.text for path in near} <= {path.text for path in kept.paths()}
    edges = {edge for path in near for edge in path.edges}
    size = kept.arcs if isinstance(kept, Lattice) else kept.edges
    assert size == len(edges)
    below = distances(structure)
    for edge, distance in enumerate(below):
        via = max(path.score for path in structure.paths() if edge in path.edges)
        assert distance == pytest.approx(max(scores) - via)


def test_a_margin_of_a_list() -> None:
    nbest = NBest(segment=0, hypotheses=("a", "b", "c"), scores=np.array([-1.0, -1.5, -4.0]))
    part = within(nbest, 0.5)
    assert isinstance(part, NBest)
    assert part.hypotheses == ("a", "b")


def test_curves_check_their_points() -> None:
    setting = OracleSetting(metric=parse_metric("grr"))
    with pytest.raises(OptionError, match="found 0, expected sizes from 1 on"):
        oracle_curve(LISTS, REFERENCES, setting, kind="sizes", points=[0, 3])
    with pytest.raises(OptionError, match="found -1, expected margins from 0 on"):
        oracle_curve(LISTS, REFERENCES, setting, kind="margins", points=[-1])
    with pytest.raises(InputError, match="found no n-best list"):
        oracle_curve([], [], setting)
