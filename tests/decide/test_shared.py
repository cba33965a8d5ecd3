"""Verdicts on real systems beside what people say of them."""

from pathlib import Path

import pytest
from experiments.data import Data
from experiments.verdicts import SIGNS, THRESHOLDS, agreeing, by_threshold, decisions, ratings
from experiments.verdicts import systems_of as wmt23

pytestmark = [pytest.mark.shared, pytest.mark.slow]


def test_people_agree_with_verdicts_as_often_as_with_published_thresholds(
    shared_data: Path,
) -> None:
    data = Data(shared_data)
    whole = wmt23(data)
    people = ratings(data, whole)
    found = decisions(whole, audit=False, trials=1000)
    assert len(found) == len(people) == 105
    decided = {pair: SIGNS.get(answer, 0) for pair, answer in found.items()}
    committed = [pair for pair, answer in decided.items() if answer]
    assert len(committed) >= 80
    assert agreeing(decided, people, committed) >= 0.88 * len(committed)
    for place, metric in enumerate(whole.metrics):
        for least in THRESHOLDS[metric.title].values():
            answers = by_threshold(whole, place, least)
            both = [pair for pair in committed if answers[pair]]
            assert len(both) > 60
            assert agreeing(decided, people, both) >= agreeing(answers, people, both)
