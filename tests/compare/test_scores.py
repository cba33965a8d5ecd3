"""Scores side by side: deltas, tests, clusters, slices."""

import pytest

from tertium.compare import Bands, ComparisonSettings, compare
from tertium.evaluation import evaluate
from tertium.inference import MetricRows, all_pairs, holm, paired_bootstrap
from tertium.inference.joint_tests import swap_tests
from tertium.metrics.contract.table import parse_metric
from tertium.scored import scored
from tests.support.corpora import corpus_of, systems_of

SEGMENTS = 40
MANY = [f"w{number} a b c" for number in range(SEGMENTS)]
GENRES = ["news" if number % 4 else "web" for number in range(SEGMENTS)]
WORSE = [text.replace("b", "x") for text in MANY]
MIXED = [text if number % 2 else text.replace("c", "x") for number, text in enumerate(MANY)]


def test_scores_are_those_of_evaluate_and_deltas_their_differences() -> None:
    corpus, systems = corpus_of(MANY, genres=GENRES), systems_of(WORSE, MANY, MIXED)
    compared = compare(corpus, systems, ["bleu", "wer"], by="genre", trials=200)
    plain = evaluate(corpus, systems, ["bleu", "wer"], by="genre")
    assert compared.scores is not None
    assert [(one.label, one.segments) for one in compared.scores.slices] == [
        ("all", 40),
        ("news", 30),
        ("web", 10),
    ]
    for part in compared.scores.slices:
        for row, one in zip(part.scores, plain.systems, strict=True):
            for m, score in enumerate(row):
                whole = one.scores[m] if part.label == "all" else one.scores[m].slices[part.label]
                first = part.scores[0][m]
                assert score.value == pytest.approx(whole.value)
                if score is first:
                    assert (score.delta, score.tests) == (None, ())
                else:
                    assert score.delta == pytest.approx(score.value - first.value)
    signatures = [score.signature for score in plain.systems[0].scores]
    assert list(compared.scores.signatures) == signatures


def test_tests_and_clusters_are_those_of_inference() -> None:
    corpus, systems = corpus_of(MANY), systems_of(WORSE, MIXED, MANY)
    metric = parse_metric("wer")
    rows = scored(corpus, systems, [metric]).rows[0]
    compared = compare(corpus, systems, [metric], test="all", trials=999, seed=7, level=0.9)
    assert compared.scores is not None
    whole = [row[0] for row in compared.scores.slices[0].scores]
    alone = [paired_bootstrap(metric, rows[0], one, trials=999, seed=7) for one in rows[1:]]
    results = [score.tests for score in whole[1:]]
    assert [[one.test for one in tests] for tests in results] == [
        ["randomization", "bootstrap", "sign"]
    ] * 2
    assert [tests[1].p_value for tests in results] == [one.p_value for one in alone]
    signs = [tests[2].p_value for tests in results]
    assert [tests[2].adjusted for tests in results] == holm(signs).tolist()
    group = MetricRows(metric=metric, rows=rows)
    swaps = swap_tests([group], [(0, 1), (0, 2)], trials=999, seed=7)
    assert [tests[0].adjusted for tests in results] == swaps.adjusted(alpha=0.1).tolist()
    pairs = all_pairs(metric, rows, ["base", "new", "third"], trials=999, seed=7, level=0.9)
    assert [one.p_value for one in (tests[0] for tests in results)] == pairs.p_values[:2].tolist()
    # 40 substitutions make the baseline better, none worse: two-sided binomial, 2 / 2^40.
    assert results[1][2].p_value == pytest.approx(2 / 2**40)
    assert pairs.clusters() == (("third",), ("new",), ("base",))
    assert [score.cluster for score in whole] == [3, 2, 1]
    assert compared.scores.settings == ComparisonSettings(
        tests=("randomization", "bootstrap", "sign"), trials=999, seed=7, level=0.9
    )


def test_equal_systems_share_a_cluster_and_have_no_mark() -> None:
    compared = compare(corpus_of(MANY), systems_of(MIXED, MIXED), ["wer"], test="all", trials=99)
    assert compared.scores is not None
    base, new = (row[0] for row in compared.scores.slices[0].scores)
    assert (base.cluster, new.cluster, new.delta) == (1, 1, 0.0)
    assert [(one.p_value, one.significant) for one in new.tests] == [(1.0, False)] * 3


def test_few_segments_are_tested_by_randomization() -> None:
    compared = compare(
        corpus_of(MANY[:9]), systems_of(WORSE[:9], MANY[:9]), ["wer"], trials=999, test="bootstrap"
    )
    assert compared.scores is not None
    new = compared.scores.slices[0].scores[1][0]
    assert (new.delta, new.cluster) == (-25.0, 1)
    (verdict,) = new.tests
    # All of the 512 ways to swap were tried; nobody and everybody swapped are as extreme.
    assert (verdict.test, verdict.asked, verdict.floor) == ("randomization", "bootstrap", 0)
    assert verdict.p_value == 2 / 512
    (told,) = compared.scores.findings
    assert told.startswith("fewer than 10 units, where intervals are rough and the bootstrap is")
    assert told.endswith("(randomization takes its place): all (9 segments)")


@pytest.mark.parametrize(
    ("segments", "test"),
    [(1, ""), (2, ""), (3, "t-test"), (5, "t-test"), (6, "randomization")],
)
def test_what_cannot_be_found_is_not_tested(segments: int, test: str) -> None:
    # 5 segments can be swapped in 32 ways: no p-value is below 2 / 32, and Student's t is asked.
    tested = bool(test)
    texts = MANY[:segments], WORSE[:segments]
    compared = compare(corpus_of(texts[0]), systems_of(texts[1], texts[0]), ["wer"], trials=99)
    assert compared.scores is not None
    new = compared.scores.slices[0].scores[1][0]
    assert (new.interval is None) == (segments == 1)
    assert [one.test for one in new.tests] == [test] * tested
    assert (new.cluster is not None, new.ranks is not None) == (tested, tested)
    told = (
        f"not tested, too few units for any verdict: all ({segments} segment{'s' * (segments > 1)})"
    )
    assert (told in compared.scores.findings) != tested


@pytest.mark.parametrize(("trials", "told"), [(58, True), (59, False)])
def test_no_cluster_is_numbered_where_trials_cannot_tell(trials: int, told: bool) -> None:
    # 3 pairs by Holm: 3 / (1 + trials) must not be above 0.05.
    compared = compare(
        corpus_of(MANY),
        systems_of(WORSE, MIXED, MANY),
        ["wer"],
        trials=trials,
        correction="holm",
        sections=["scores"],
    )
    assert compared.scores is not None
    few, *others = compared.scores.findings
    assert few == (
        "fewer than 120 segments or 20 documents, where intervals are rough: "
        f"all ({len(MANY)} segments)"
    )
    assert bool(others) == told
    clusters = {row[0].cluster for row in compared.scores.slices[0].scores}
    assert clusters == ({None} if told else {1, 2, 3})
    ranks = [row[0].ranks for row in compared.scores.slices[0].scores]
    assert ranks == ([None] * 3 if told else [(3, 3), (2, 2), (1, 1)])


def test_slices_by_length() -> None:
    references = ["a b c"] * 12 + ["x " * 15] * 12
    compared = compare(
        corpus_of(references),
        systems_of(references, references[::-1]),
        by="length",
        length_bands=Bands(edges=(5, 20)),
        trials=50,
    )
    assert compared.scores is not None
    found = [(one.label, one.segments) for one in compared.scores.slices]
    assert found == [("all", 24), ("0–4", 12), ("5–19", 12)]
    assert compared.lengths is not None
    assert [(one.label, one.segments) for one in compared.lengths.bands] == found[1:]
