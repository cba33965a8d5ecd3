"""What a study gathers: slices, curves, explanations, and resamples drawn once."""

import sys

import numpy as np
import pytest

import tertium
import tertium.compare.scores
from tertium.inference import resampling
from tertium.study.results import Study
from tertium.study.study import study
from tertium.text.corpus import System
from tests.support.studies import sample_study


@pytest.fixture(scope="module")
def sample() -> Study:
    return sample_study("bleu", "wer", trials=100)


def test_a_large_study_explains_what_tells_most(sample: Study) -> None:
    most = 5 * 2 * 10
    some = study(
        sample.corpus, sample.systems, ["bleu", "wer"], audit=False, trials=20, most_explained=most
    )
    numbers = {one.number for one in some.explanations[0].segments}
    assert len(numbers) == 10
    spread = np.ptp(some.segments_of(some.metrics[0]), axis=0)
    assert int(spread.argmax()) + 1 in numbers


def test_slices_agree_with_scoring_them_alone(sample: Study) -> None:
    genres = next(one for one in sample.slices if one.by == "genre")
    evaluation = tertium.evaluate(sample.corpus, sample.systems, ["bleu"], by="genre")
    for system, scores in zip(evaluation.systems, genres.scores["bleu"], strict=True):
        for label, value in zip(genres.slices.labels, scores, strict=True):
            assert system.scores[0].slices[label].value == pytest.approx(value)


def test_deletion_curves_begin_at_the_score(sample: Study) -> None:
    for metric in sample.metrics:
        for curve, value in zip(
            sample.deletions[metric.spec], sample.scores_of(metric), strict=True
        ):
            assert curve.shares[0] == 0
            assert curve.scores[0] == pytest.approx(value)
            assert 0 <= curve.free <= curve.tolerated <= 1


def test_resamples_are_enough_for_rank_clusters(sample: Study) -> None:
    many = [
        System(name=f"{one.name}{number}", hypotheses=one.hypotheses)
        for number in range(3)
        for one in sample.systems
    ]
    found = study(
        sample.corpus,
        many,
        ["bleu"],
        audit=False,
        resample="segments",
        trials=20,
        most_explained=0,
    )
    assert found.comparison is not None
    assert found.comparison.scores is not None
    assert not [one for one in found.comparison.scores.findings if "trials cannot" in one]
    assert len({one.cluster for row in found.comparison.scores.slices[0].scores for one in row}) > 1


def test_resamples_are_drawn_once(sample: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(*arguments: object, **named: object) -> object:
        calls.append(arguments)
        return resampling.resampled_scores(*arguments, **named)  # type: ignore[arg-type]

    for module in ("tertium.study.study", "tertium.compare.scores"):
        monkeypatch.setattr(sys.modules[module], "resampled_scores", counted)
    study(sample.corpus, sample.systems[:2], ["bleu", "wer"], trials=50, most_explained=0)
    assert len(calls) == 1
