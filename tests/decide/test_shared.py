"""Verdicts on real systems beside what people say of them."""

from pathlib import Path

import pytest
from experiments.data import Data
from experiments.evidence.confirmed import GROUPS, confirmed
from experiments.verdicts import SIGNS, THRESHOLDS, agreeing, by_threshold, decisions, ratings
from experiments.verdicts import systems_of as wmt23

import tertium
from tertium.decide.decision import Required

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


@pytest.mark.parametrize("require", ["better", "not-worse", "higher", "not-lower"])
@pytest.mark.parametrize("order", [("ONLINE-A", "ONLINE-B"), ("ONLINE-B", "ONLINE-A")])
def test_a_reference_made_from_one_of_two_systems_decides_nothing(
    shared_data: Path, order: tuple[str, str], require: Required
) -> None:
    """WMT23 he-en: +22.64 BLEU by refA, +0.66 by refB, and raters prefer the other system."""
    loaded = Data(shared_data).test_set("wmt23 he-en")
    systems = [loaded.system(name) for name in order]
    decision = tertium.decide(loaded.corpus, systems, trials=500, require=require)
    assert decision["ONLINE-A" if order[1] == "ONLINE-A" else "ONLINE-B"].answer == "do not trust"
    assert decision.sentences[0].startswith("do not trust that ")
    assert "ONLINE-B" in decision.sentences[0].partition(": ")[2]
    assert "reference" in decision.sentences[0].partition(": ")[2]
    assert decision.requirement is not None
    assert not decision.requirement.holds
    # No figure of people is shown for what is not trusted.
    assert {one.worth for one in decision.verdicts[0].metrics} == {None}


def test_raters_confirm_better_more_often_than_scores_higher(shared_data: Path) -> None:
    """WMT24 en-hi by BLEU and chrF, and with the organizers' CometKiwi beside them."""
    found = confirmed(Data(shared_data), test_sets=("wmt24 en-hi",), trials=200, audit=False)
    assert len(found) == 3 * 45
    shares = {}
    for asked, group in (("", "scores higher/lower"), ("CometKiwi", "better/worse")):
        some = [one for one in found if one.asked == asked and one.answer in GROUPS[group]]
        mine = [one.confirmed for one in some]
        assert len(mine) >= 30
        shares[asked] = sum(mine) / len(mine)
    assert {one.answer for one in found if not one.asked}.isdisjoint({"better", "worse"})
    assert shares[""] < 0.92
    assert shares["CometKiwi"] > 0.95
