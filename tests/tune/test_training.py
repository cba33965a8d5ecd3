"""Structured perceptron, MIRA and PRO."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from tertium.decode.formats.segments import read_nbest
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.text.tokenizers import WHITESPACE
from tertium.tune import (
    Candidates,
    NBestSurface,
    TrainingOptions,
    train,
    tune,
    tune_decoder,
)
from tertium.tune.training import (
    ALGORITHMS,
    HopeSearch,
    Pool,
    grams,
    mira_step,
    perceptron_step,
    ranking_weights,
    sampled_differences,
)
from tests.oracles import training as oracle
from tests.oracles.decoding import lattice_oracle
from tests.support.commands import error, json_output, output
from tests.support.decoding.decoder import START, calls, decoder
from tests.support.decoding.tuning import REFERENCES
from tests.support.decoding.tuning import tuning_words as words
from tests.support.effort import examples
from tests.support.lattice_strategies import random_forest, random_lattice

pytestmark = pytest.mark.slow

BLEU = parse_metric("bleu[tokenizer=none]")
WRR = parse_metric("wrr[tokenizer=none]")
numbers = st.integers(-8, 8).map(lambda n: n / 4)  # sums are exact, so ties are ties


@st.composite
def updates(
    draw: st.DrawFn,
) -> tuple[list[list[float]], list[float], list[float]]:
    size, width = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    rows = st.lists(numbers, min_size=width, max_size=width)
    features = draw(st.lists(rows, min_size=size, max_size=size))
    worth = draw(st.lists(numbers, min_size=size, max_size=size))
    return features, draw(rows), worth


@given(updates(), st.sampled_from([0.01, 0.5, 100.0]), st.booleans())
def test_one_update(
    update: tuple[list[list[float]], list[float], list[float]], longest: float, is_sparse: bool
) -> None:
    features, weights, worth = update
    table = np.array(features)
    block = sparse.csr_matrix(table) if is_sparse else table
    model = table @ np.array(weights)
    step = perceptron_step(block, model, np.array(worth))
    found = np.array(weights) + (0 if step is None else step)
    assert found.tolist() == oracle.perceptron(features, weights, worth)
    step = mira_step(block, model, np.array(worth), longest)
    found = np.array(weights) + (0 if step is None else step)
    assert found == pytest.approx(oracle.mira(features, weights, worth, longest), abs=1e-12)


@settings(deadline=None, max_examples=examples(30))
@given(
    st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=8),
    st.sampled_from([0.01, 1.0]),
)
def test_ranking_finds_the_least_loss(differences: list[list[float]], l2: float) -> None:
    free = np.array([True, True, True])
    found = ranking_weights(sparse.csr_matrix(differences), np.zeros(3), l2, free)
    least = oracle.ranking_loss(differences, found.tolist(), l2)
    rng = np.random.default_rng(0)
    for move in 0.05 * rng.normal(size=(20, 3)):  # convex: no better neighbour, no better at all
        assert oracle.ranking_loss(differences, (found + move).tolist(), l2) >= least - 1e-6


def test_pairs_are_of_better_and_worse() -> None:
    block = np.array([[0.0], [1.0], [2.0], [3.0]])
    options = TrainingOptions(algorithm="pro", pairs=500, kept_pairs=7, threshold=0.4)
    worth = np.array([0.0, 0.1, 0.2, 1.0])
    (found,) = sampled_differences(block, worth, options, np.random.default_rng(3))
    assert found.toarray().ravel().tolist() == [3.0] * 7  # the last and the first differ most
    assert sampled_differences(block, 0 * worth, options, np.random.default_rng(3)) == []


def planted(seed: int, *, segments: int = 30, size: int = 12, noise: int = 6) -> NBestSurface:
    """Feature 0 counts right words, all others are noise, and 1 misleads a little."""
    rng = np.random.default_rng(seed)
    lists, references = [], []
    for segment in range(segments):
        reference = [f"w{segment}.{n}" for n in range(10)]
        right = rng.integers(2, 11, size)
        texts = [" ".join([*reference[:n], *(["x"] * (10 - n))]) for n in right]
        features = rng.normal(size=(size, 1 + noise))
        features[:, 0] = right + 0.2 * features[:, 0]
        features[:, 1] -= 0.3 * right
        names = tuple(f"f{n}" for n in range(1 + noise))
        lists.append(
            NBest(segment=segment, hypotheses=tuple(texts), feature_names=names, features=features)
        )
        references.append(" ".join(reference))
    return NBestSurface(Candidates.of(lists, segments), references)


@pytest.mark.parametrize("metric", [BLEU, WRR], ids=["bleu", "wrr"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_planted_weights_are_recovered(algorithm: str, metric: Metric) -> None:
    surface, unseen = planted(1), planted(2)
    start = {"f0": -0.2, "f1": 1.0}
    options = TrainingOptions(algorithm=algorithm, epochs=15, step=0.1)  # type: ignore[arg-type]
    report = tune(surface, [metric], start, held_out=unseen, options=options)
    (found,) = report.tuned
    assert found.weights["f0"] > 0.25  # of 1 for all, and of 7 features
    rows = surface.rows(metric)[_oracles(surface)].sum(axis=0)
    best = float(metric.score(rows))
    assert report.before.scores[0] < 60 < 0.9 * best < found.dev.scores[0] <= best + 1e-9
    assert found.held_out is not None
    assert found.held_out.scores[0] > 0.9 * best


def _oracles(surface: NBestSurface) -> list[int]:
    """The hypothesis with the most right words of every segment."""
    rows, offsets = surface.rows(WRR), surface.candidates.offsets
    score = WRR.score(rows)
    return [int(begin + np.argmax(score[begin:end])) for begin, end in pairwise(offsets.tolist())]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_thousands_of_sparse_features(algorithm: str) -> None:
    """A feature for each word: the right words come up again, the wrong ones do not."""
    rng = np.random.default_rng(7)
    vocabulary = [f"v{n}" for n in range(3000)]
    lists, references = [], []
    for segment in range(60):
        reference = [vocabulary[n] for n in rng.integers(0, 100, 8)]
        texts = [
            [w if rng.random() < share else vocabulary[rng.integers(100, 3000)] for w in reference]
            for share in rng.random(10)
        ]
        names = tuple(sorted({word for text in texts for word in text}))
        features = np.array([[float(text.count(name)) for name in names] for text in texts])
        lists.append(
            NBest(
                segment=segment,
                hypotheses=tuple(" ".join(text) for text in texts),
                feature_names=names,
                features=features,
            )
        )
        references.append(" ".join(reference))
    surface = NBestSurface(Candidates.of(lists, len(lists)), references)
    assert len(surface.feature_names) > 1500
    assert sparse.issparse(Pool(surface, WRR).blocks[0])
    options = TrainingOptions(algorithm=algorithm, epochs=3)  # type: ignore[arg-type]
    zero = np.zeros(len(surface.feature_names))
    found = train(surface, WRR, zero, options)
    assert found.score > found.epochs[0].score + 20


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_seed_decides(algorithm: str) -> None:
    def weights(seed: int) -> list[float]:
        options = TrainingOptions(algorithm=algorithm, epochs=2, seed=seed)  # type: ignore[arg-type]
        found = train(planted(3), BLEU, [-0.2, 1.0, *([0.0] * 5)], options)
        return [float(weight) for weight in found.epochs[-1].weights]

    assert weights(1) == weights(1) != weights(2)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_fixed_features_keep_their_weights(algorithm: str) -> None:
    options = TrainingOptions(algorithm=algorithm, epochs=2, fixed=("f2", "f3"))  # type: ignore[arg-type]
    found = train(planted(3), BLEU, [-1.0, 1.0, 0.5, 1.0, 0.0, 0.0, 0.0], options)
    last = found.epochs[-1].weights
    assert last[3] == pytest.approx(2 * last[2]) != 0


@pytest.mark.parametrize("seed", range(60))
def test_hope_is_the_best_sum_of_rate_and_model(seed: int) -> None:
    """Brute force over all paths of small lattices and forests."""
    rng = np.random.default_rng(seed)
    one: Lattice | Forest = random_lattice(rng) if seed % 2 else random_forest(rng)
    paths = (
        lattice_oracle.lattice_paths(one)
        if isinstance(one, Lattice)
        else lattice_oracle.forest_derivations(one)
    )
    k = 1 + seed % 4
    rate = GramRecognitionRate(k=k, tokenizer=WHITESPACE)
    vocabulary = [word for word in one.vocabulary if word]
    reference = [str(word) for word in rng.choice(vocabulary, 4)]
    weights = 0.3 * rng.normal(size=len(one.feature_names))
    scores = one.edge_scores(weights)

    def value(text: tuple[str, ...], model: float) -> float:
        return lattice_oracle.numerator(text, tuple(reference), k, 1.0, 0.0) / grams(4, k) + model

    best = max(value(said, float(scores[list(edges)].sum())) for said, edges in paths)
    (found,) = HopeSearch(one, rate, [" ".join(reference)]).best(weights)
    assert value(found.words, found.score) == pytest.approx(best, abs=1e-9)


def test_options_are_checked() -> None:
    for changes, message in (
        ({"algorithm": "meert"}, "algorithm: found 'meert', expected one of mira, perceptron, pro"),
        ({"algorithm": "mira", "epochs": 0}, "epochs: found 0, expected a number from 1 on"),
        ({"algorithm": "mira", "step": 0.0}, "step: found 0, expected more than 0"),
        ({"algorithm": "pro", "threshold": 2.0}, "threshold: found 2, expected 0 to 1"),
    ):
        with pytest.raises(OptionError, match=message):
            TrainingOptions(**changes)


def test_command(
    files: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = words(files, "--algorithm", "mira", "--epochs", "3", "--hold-out", "3")
    line = [word for word in line if word not in ("--restarts", "2")]
    found = json_output(capsys, "tune", *line)
    assert (found["algorithm"], found["epochs"], found["step"]) == ("mira", 3, 0.01)
    assert len(found["tuned"][0]["ascents"][0]) == 4
    text = output(capsys, "tune", *line)
    assert "mira, 3 epochs, C 0.01, seed 12345" in text
    place = tmp_path / "weights.txt"
    assert output(capsys, "tune", *line, "-f", "moses", "-o", str(place)) == ""
    line[line.index("--weights") + 1] = str(place)
    again = json_output(capsys, "tune", *line)
    assert again["before"]["dev"] == found["tuned"][0]["dev"]
    assert error(capsys, "tune", *line, "--l2", "1") == (
        "tertium: --l2: found it with --algorithm mira, expected pro"
    )


def test_the_loop_goes_on_where_it_was(pool: Path) -> None:
    def run(algorithm: str, iterations: int) -> dict[str, float]:
        options = TrainingOptions(algorithm=algorithm, epochs=9, step=0.5)  # type: ignore[arg-type]
        return tune_decoder(
            decoder(pool),
            REFERENCES,
            BLEU,
            START,
            state=pool / "state",
            read=read_nbest,
            iterations=iterations,
            options=options,
        ).weights

    run("pro", 1)
    both = run("pro", 2)
    assert calls(pool) == ["1", "2"]  # the first was not decoded again
    assert run("pro", 2) == both
    assert calls(pool) == ["1", "2"]
    with pytest.raises(OptionError, match='algorithm: found "mira", expected "pro"'):
        run("mira", 2)
