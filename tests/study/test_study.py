"""What a study gathers: slices, curves, explanations, and resamples drawn once."""

from html import unescape

import numpy as np
import pytest

import tertium
from tertium.inference import resampling
from tertium.report.html.page import page
from tertium.report.html.payload import contents
from tertium.study.results import Study
from tertium.study.study import study
from tertium.text.corpus import System
from tests.support.studies import sample_study

pytestmark = pytest.mark.slow


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
    drawn = resampling.resampled_scores

    def counted(*arguments: object, **named: object) -> object:
        calls.append(arguments)
        return drawn(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(resampling, "resampled_scores", counted)
    made = study(
        sample.corpus,
        sample.systems[:2],
        ["bleu", "wer"],
        trials=50,
        audit=False,  # which draws more of them
        most_explained=0,
    )
    assert made.decision is not None
    assert len(calls) == 1


def test_verdicts_are_those_of_a_decision(sample: Study) -> None:
    decided = tertium.decide(sample.corpus, sample.systems, ["bleu", "wer"], trials=200)
    assert sample.decision is not None
    shown = dict(zip(sample.names[1:], sample.decision.sentences, strict=True))
    assert [one.answer for one in sample.decision.verdicts] == [
        one.answer for one in decided.verdicts
    ]
    # The page has them for the reader who chooses such a pair, and says none at once.
    pairs = contents(sample)["pairs"]
    for index, name in enumerate(sample.names[1:], 1):
        told = pairs[f"0-{index}"]
        verdict = sample.decision[name]
        assert verdict.claim.lower() in told["say"].lower()
        assert verdict.grounds.lower() in f"{told['say']} {told['why']}".lower()
    text = unescape(page(sample))
    assert not any(sentence in text for sentence in shown.values())
    alone = study(sample.corpus, sample.systems[:1], ["bleu"], trials=20, most_explained=0)
    assert alone.decision is None
