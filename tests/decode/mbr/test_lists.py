"""Minimum Bayes risk over lists: utilities, choices, pruning, aggregation, saved matrices."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tertium.cli.demo import SAMPLE
from tertium.decode.mbr import matrix as mbr_matrix
from tertium.decode.mbr.evidence import Evidence, probabilities_of
from tertium.decode.mbr.lists import best_of, mbr
from tertium.decode.mbr.matrix import utility_matrix
from tertium.decode.mbr.matrix_files import SavedMatrices, save_matrices
from tertium.decode.mbr.pruning import gain_bounds
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import parse_metric
from tests.oracles.decoding import mbr as oracle
from tests.support.effort import examples

# Metrics with kernels over pairs in all their variants, and some without one.
SPECS = (
    "bleu",
    "bleu[order=2,lowercase=yes]",
    "bleu[order=6,tokenizer=char]",
    "bleu[smoothing=floor]",
    "bleu[smoothing=add-k[2.0]]",
    "bleu[smoothing=add-k[0.0]]",
    "bleu[smoothing=none]",
    "bleu[smoothing=lin-och]",
    "bleu[mean=arithmetic]",
    "bleu[weights=0.1+0.0+0.4+0.5]",
    "bleu[weights=2+0+1+1]",
    "bleu-sbp",
    "chrf",
    "chrf[word_order=2]",
    "chrf[whitespace=yes,word_order=1,lowercase=yes]",
    "chrf[effective_order=no]",
    "chrf[character_order=0,word_order=2]",
    "chrf[beta=0]",
    "wer",
    "wer[references=best-rate]",
    "wrr",
    "per",
    "per[clip=corpus]",
    "grr",
    "grr[k=2,alpha=0.5,beta=0.3]",
    "ter",
    "ter[behaviour=tercom]",
    "ter[normalized=yes,punctuation=no]",
    "rouge-n[n=2]",
    "rouge-l[text=unicode]",
    "rouge-w",
    "rouge-s[skip=4]",
    "rouge-su",
    "rouge-l[measure=recall]",
    "meteor[stages=exact]",
    "gtm",
    "ribes",
    "terp",
)
WORDS = ["a", "b", "the", "The", "cat,", "naïve", "(sat)", "5.5", "—", "!", "it's"]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
text_lists = st.lists(texts, min_size=1, max_size=6)
ODD = ["", " ", "...", "a" * 300, "é " * 280, "a a a a a a a a", "\u2028x\ty"]


def outer(metric_spec: str, candidates: list[str], references: list[str]) -> NDArray[np.float64]:
    """The metric's own segment scores of all pairs."""
    metric = parse_metric(metric_spec).for_segments()
    rows = metric.statistics(
        [text for text in candidates for _ in references], references * len(candidates)
    )
    return metric.score(rows).reshape(len(candidates), len(references))


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
@given(candidates=text_lists, references=text_lists)
@settings(max_examples=examples(12))
def test_utilities_are_segment_scores(
    spec: str, candidates: list[str], references: list[str]
) -> None:
    found = utility_matrix(parse_metric(spec), candidates, references)
    np.testing.assert_allclose(found, outer(spec, candidates, references), rtol=0, atol=1e-9)


@pytest.mark.parametrize("spec", SPECS)
def test_utilities_of_odd_texts(spec: str) -> None:
    candidates = [*ODD, "the cat sat on the mat", "the cat, (sat)!"]
    found = utility_matrix(parse_metric(spec), candidates, ODD)
    np.testing.assert_allclose(found, outer(spec, candidates, ODD), rtol=0, atol=1e-9)


@pytest.mark.parametrize("spec", ["bleu", "chrf[word_order=2]"])
def test_utilities_of_many(spec: str) -> None:
    """More than one register's worth of candidates, frequent and rare n-grams, long texts."""
    rng = np.random.default_rng(3)
    candidates = [" ".join(rng.choice(WORDS, rng.integers(0, 90))) for _ in range(300)]
    references = [*candidates[:8], "b " * 700]
    found = utility_matrix(parse_metric(spec), candidates, references)
    np.testing.assert_allclose(found, outer(spec, candidates, references), rtol=0, atol=1e-9)


@pytest.mark.parametrize("spec", ["ribes", "wer"])
def test_utilities_in_blocks(monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    candidates, references = ["a b", "b", "c a"], ["a", "b c", "c", "a b c"]
    whole = utility_matrix(parse_metric(spec), candidates, references)
    monkeypatch.setattr(mbr_matrix, "PAIRS_AT_ONCE", 4)
    assert utility_matrix(parse_metric(spec), candidates, references).tolist() == whole.tolist()


@pytest.mark.parametrize("spec", ["bleu", "bleu-sbp", "chrf", "grr", "wer", "ter", "rouge-l"])
@given(
    candidates=st.lists(texts, min_size=1, max_size=5),
    scores=st.lists(st.floats(-5, 5), min_size=5, max_size=5),
    scale=st.sampled_from([0.0, 0.5, 1.0, 3.0]),
)
@settings(max_examples=examples(15))
def test_choice_equals_double_loop(
    spec: str, candidates: list[str], scores: list[float], scale: float
) -> None:
    """The paper's sum over the list as it is, duplicates and all, has the same winner."""
    metric, scores = parse_metric(spec), scores[: len(candidates)]
    found = mbr(candidates, spec, scores=scores, scale=scale)
    wanted = oracle.expected(metric, candidates, candidates, oracle.softmax(scores, scale).tolist())
    best = oracle.winners(metric, wanted)
    assert found.text == candidates[min(best)]
    assert found.score == pytest.approx(wanted[min(best)], abs=1e-9)
    assert found.pairs == len(set(candidates)) ** 2


@pytest.mark.parametrize(
    "spec", ["bleu", "bleu-sbp", "chrf", "wer", "wrr", "grr", "ter", "rouge-l"]
)
@given(
    candidates=st.lists(texts, min_size=1, max_size=40),
    scores=st.lists(st.floats(-9, 9), min_size=40, max_size=40) | st.none(),
)
@settings(max_examples=examples(15))
def test_pruning_keeps_the_winner(
    spec: str, candidates: list[str], scores: list[float] | None
) -> None:
    scores = scores and scores[: len(candidates)]
    exact = mbr(candidates, spec, scores=scores)
    pruned = mbr(candidates, spec, scores=scores, prune=True)
    assert pruned.text == exact.text
    left = ~np.isnan(pruned.expected)
    np.testing.assert_allclose(pruned.expected[left], exact.expected[left], rtol=0, atol=1e-9)
    assert pruned.pairs <= exact.pairs
    assert pruned.ranking()[0] in np.flatnonzero(left)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "wer"])
def test_pruning_saves_work_where_one_text_is_probable(spec: str) -> None:
    rng = np.random.default_rng(5)
    candidates = [" ".join(rng.choice(WORDS, 12)) for _ in range(120)]
    scores = [0.0, *[-9.0] * 119]
    found = mbr(candidates, spec, scores=scores, prune=True)
    assert found.winner == mbr(candidates, spec, scores=scores).winner == 0
    assert found.pairs < 120 * 120 / 4
    assert np.isnan(found.expected).any()


@pytest.mark.parametrize("spec", SPECS)
@given(candidates=text_lists, references=text_lists)
@settings(max_examples=8)
def test_bounds_hold(spec: str, candidates: list[str], references: list[str]) -> None:
    metric = parse_metric(spec).for_segments()
    bounds = gain_bounds(metric, candidates, references)
    assert bounds is not None
    gains = utility_matrix(metric, candidates, references) * (1 if metric.higher_is_better else -1)
    assert (gains <= bounds + 1e-9).all()


@pytest.mark.parametrize(
    "spec",
    ["grr[alpha=-1]", "grr[beta=-0.5]", "nist"],
)
def test_no_pruning_without_a_limit(spec: str) -> None:
    with pytest.raises(OptionError, match="without an upper limit"):
        mbr(["a", "b"], spec, prune=True)


# Of the sample's five systems and two references, lists of seven without empty texts, mbrs 0.1.8
# (torch 2.13, sacreBLEU 2.6.0) chose these numbers, with equal probabilities and with the
# log-probabilities −1, −2, −1.5, −0.5, −3, −2.5, −2; the sums are those of the winners' expected
# scores, in single precision.
MBRS = {
    ("bleu", False): (
        (
            "0514155010055514355050001505400004540550055515500051551555150535551004110515501451105000"
            "0100"
        ),
        4290.014932632446,
    ),
    ("bleu", True): (
        (
            "3333333333033333303333333333303333333333333303333351333333153333333333313313331333333313"
            "3033"
        ),
        4971.600326538086,
    ),
    ("chrf", False): (
        (
            "0114155110015514455001154505004004540511045015505551551405150050554050510555001451255005"
            "0005"
        ),
        6230.361598968506,
    ),
    ("chrf", True): (
        (
            "0333030330033333303053033335300033030333033303300351350353150335304003313303631033130010"
            "0000"
        ),
        6475.226467132568,
    ),
}


@pytest.mark.parametrize(("spec", "weighted"), MBRS)
def test_choices_of_mbrs(spec: str, weighted: bool) -> None:
    systems = [f"systems/{name}.txt" for name in ("alder", "birch", "cedar", "dogwood", "elm")]
    columns = [
        (SAMPLE / name).read_text(encoding="utf-8").splitlines()
        for name in (*systems, "reference.1.en", "reference.2.en")
    ]
    scores = np.array([-1.0, -2.0, -1.5, -0.5, -3.0, -2.5, -2.0])
    choices, total = MBRS[spec, weighted]
    found = []
    for row, choice in zip(zip(*columns, strict=True), choices, strict=True):
        kept = [place for place, text in enumerate(row) if text]
        candidates = [row[place] for place in kept]
        one = mbr(candidates, spec, scores=scores[kept] if weighted else None)
        assert one.text == row[int(choice)]
        found.append(one.score)
    assert sum(found) == pytest.approx(total, rel=1e-6)


def test_duplicates_add_their_probabilities() -> None:
    one = Evidence.of(["b", "a", "b"], [0.0, 0.0, 0.0])
    assert one.texts == ("b", "a")
    assert one.probabilities.tolist() == pytest.approx([2 / 3, 1 / 3])
    # Alone "x y" is as good as the others; twice it wins.
    assert mbr(["p q", "x y", "r s", "x y"], "bleu").text == "x y"


def test_probabilities() -> None:
    np.testing.assert_allclose(probabilities_of([1e4, 1e4 - np.log(3)], 2), [0.75, 0.25])
    np.testing.assert_allclose(probabilities_of([0.0, -np.log(9)], 2, scale=0.5), [0.75, 0.25])
    assert probabilities_of([3.0, -2.0], 2, scale=0).tolist() == [0.5, 0.5]
    assert probabilities_of(None, 4).tolist() == [0.25] * 4


@pytest.mark.parametrize(
    ("given_texts", "shares", "message"),
    [
        (["a", "b"], [1.0], "found 2 texts and 1 probabilities"),
        (["a", "a"], [0.5, 0.5], "distinct"),
        (["a", "b"], [0.5, 0.4], "sum to 0.9"),
        (["a", "b"], [1.5, -0.5], "none below 0"),
        (["a", "b"], [float("nan"), 1.0], "none below 0"),
    ],
)
def test_evidence_is_checked(given_texts: list[str], shares: list[float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Evidence(texts=tuple(given_texts), probabilities=np.array(shares))


def test_separate_evidence() -> None:
    candidates, evidence = ["a b", "c d"], ["c d", "c d", "a b"]
    assert mbr(candidates, "bleu", evidence=evidence).text == "c d"
    found = mbr(candidates, "bleu", evidence=evidence, scores=[-9.0, -9.0, 0.0])
    assert found.text == "a b"
    assert found.most_probable == "a b"
    assert len(found.evidence) == 2


def test_n_best_lists_bring_segment_and_scores() -> None:
    nbest = NBest(segment=7, hypotheses=("a b c", "x y z"), scores=np.array([-1.0, -4.0]))
    found = mbr(nbest, "wer")
    assert (found.segment, found.winner) == (7, 0)
    assert found.expected[0] < found.expected[1]
    assert found.ranking() == [0, 1]
    by_scale = mbr(nbest, "wer", scale=0).expected
    assert by_scale[0] == by_scale[1]


def test_ties_go_to_the_first() -> None:
    assert mbr(["a", "b", "c"], "bleu").winner == 0
    assert best_of(np.array([1.0, 1.0 + 1e-12, 0.5])) == 0
    assert best_of(np.array([np.nan, 3.0, 2.0]), higher_is_better=False) == 2


@pytest.mark.parametrize("spec", ["bleu", "bleu-sbp", "chrf", "chrf[word_order=2]"])
def test_mean_reference_of_one_is_exact(spec: str) -> None:
    """With a single pseudo reference there is nothing to average."""
    candidates = ["the cat sat", "a cat sat on the mat", "", "cat,"]
    reference = "the cat sat on the mat"
    exact = mbr(candidates, spec, evidence=[reference])
    mean = mbr(candidates, spec, evidence=[reference], approximate="mean-reference")
    np.testing.assert_allclose(mean.expected, exact.expected, rtol=0, atol=1e-9)
    assert mean.approximation == "mean-reference"
    assert exact.approximation == ""


def test_mean_reference_averages_counts() -> None:
    """Against 'a b' (p = .75) and 'a a': mean counts a 1.25, b 0.75, 'a b' 0.75, 'a a' 0.25."""
    evidence = Evidence(texts=("a b", "a a"), probabilities=np.array([0.75, 0.25]))
    metric = "bleu[order=2,tokenizer=none,smoothing=none]"
    found = mbr(["a b", "a a"], metric, evidence=evidence, approximate="mean-reference")
    ab = np.sqrt((1 + 0.75) / 2 * 0.75)
    aa = np.sqrt(1.25 / 2 * 0.25)
    np.testing.assert_allclose(found.expected, [100 * ab, 100 * aa])
    with pytest.raises(OptionError, match="expected bleu, bleu-sbp or chrf"):
        mbr(["a"], "ter", approximate="mean-reference")


def test_matrices_in_files(tmp_path: Path) -> None:
    lists = [
        NBest(segment=0, hypotheses=("a b", "a c", "a b"), scores=np.array([-1.0, -2.0, -1.0])),
        NBest(segment=4, hypotheses=("ü x", "y")),
    ]
    choices = [mbr(one, "chrf", keep_matrix=True) for one in lists]
    save_matrices(tmp_path / "all.npz", choices)
    saved = SavedMatrices(tmp_path / "all.npz")
    assert list(saved) == [0, 4]
    assert saved.utility == "chrf"
    for one, choice in zip(lists, choices, strict=True):
        saved.check(one.segment, choice.candidates, choice.evidence.texts)
        again = mbr(one, "chrf", matrix=saved[one.segment], scale=1.0)
        assert again.expected.tolist() == choice.expected.tolist()
    with pytest.raises(InputError, match="candidates other than those"):
        saved.check(4, ("ü x", "z"), ("ü x", "y"))
    with pytest.raises(InputError, match="no matrix for segment 1"):
        saved[1]
    save_matrices(tmp_path / "one.npy", choices[:1])
    assert SavedMatrices(tmp_path / "one.npy")[0].tolist() == saved[0].tolist()
    with pytest.raises(OptionError, match="expected one"):
        save_matrices(tmp_path / "two.npy", choices)
    with pytest.raises(OptionError, match=r"neither \.npz nor \.npy"):
        save_matrices(tmp_path / "matrix.txt", choices)
    (tmp_path / "bad.npz").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="expected utility matrices"):
        SavedMatrices(tmp_path / "bad.npz")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"candidates": []}, "found none"),
        ({"candidates": "abc"}, "one string"),
        ({"candidates": ["a", None]}, "None"),
        ({"candidates": ["a"], "scores": [1.0, 2.0]}, "found 2 scores, expected 1"),
        ({"candidates": ["a"], "scores": [float("nan")]}, "expected a finite number"),
        ({"candidates": ["a"], "scale": -1.0}, "scale"),
        ({"candidates": ["a"], "matrix": np.zeros((2, 2))}, r"found shape \(2, 2\)"),
        ({"candidates": ["a"], "prune": True, "keep_matrix": True}, "one of them"),
        ({"candidates": ["a"], "approximate": "guess"}, "expected mean-reference"),
        ({"candidates": ["a", None], "approximate": "mean-reference"}, "found None as text 2"),
        ({"candidates": ["a"], "utility": "blue"}, "did you mean"),
    ],
)
def test_mistakes(arguments: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, OptionError), match=message):
        mbr(**arguments)  # type: ignore[arg-type]


def test_metrics_that_are_fitted() -> None:
    """NIST weighs words by the evidence, unless it was fitted to something else."""
    candidates = ["the cat sat", "the dog sat", "cat the", "the cat sat"]
    shares = [1 / 4] * 4
    for reference_set in (["the cat sat", "the dog sat", "cat the"], ["a", "the the cat"]):
        fitted = parse_metric("nist").fit(reference_set)
        wanted = oracle.expected(fitted, candidates, candidates, shares)
        found = mbr(candidates, fitted)
        assert found.score == pytest.approx(wanted[0])
    own = parse_metric("nist").fit(list(dict.fromkeys(candidates)))
    assert mbr(candidates, "nist").expected.tolist() == mbr(candidates, own).expected.tolist()
