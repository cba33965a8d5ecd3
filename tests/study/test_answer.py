"""The answer that a report opens with, and the order of its doubts."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import tertium
from tertium._native import Texts
from tertium.audit.findings import Finding
from tertium.choices import Resampling
from tertium.meta.ratings.judgments import Judgments
from tertium.study.answer import answer, doubt_groups, doubts, p_text
from tertium.study.results import Study
from tertium.study.study import study
from tertium.text.corpus import Corpus, System
from tertium.text.references import References
from tests.support.studies import sample_study

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sample() -> Study:
    # Eight documents cannot show what many segments do.
    return sample_study("bleu", "ter", resample="segments")


def rated(study: Study, values: list[float]) -> Study:
    judgments = Judgments(
        name="test", criterion="quality", systems=study.names, values=np.array(values)
    )
    return replace(study, judgments=(judgments,))


def test_it_says_who_leads_by_how_much_and_how_sure(sample: Study) -> None:
    found = answer(sample)
    for lead, metric in zip(found.leads, sample.metrics, strict=True):
        first, second = sample.ranking(metric)[:2]
        scores = sample.scores_of(metric)
        assert (lead.leader, lead.runner_up) == (sample.names[first], sample.names[second])
        assert lead.gap == pytest.approx(abs(scores[first] - scores[second]))
        assert lead.low <= lead.gap <= lead.high
        assert lead.verdict == ("a clear lead" if lead.sure else "too close to call")
        assert lead.p_text.startswith("raw p ")
        assert lead.sure == (lead.runner_up not in lead.unbeaten)
    assert found.headline.startswith(found.leads[0].leader)
    assert "randomization of 92 segments" in found.procedure
    assert "by 92 segments (10,000 resamples, seed 12345)" in found.procedure
    assert "max-T over 8 tests: 4 systems × 2 metrics" in found.procedure


def test_documents_are_what_is_resampled_and_named(sample: Study) -> None:
    by_document = study(sample.corpus, sample.systems[:2], ["bleu"])
    found = answer(by_document).procedure
    assert "by 8 documents (10,000 resamples, seed 12345)" in found
    assert "exact randomization of 8 documents" in found
    assert by_document.pairs["bleu"].floor == 0


@pytest.mark.parametrize("resample", ["segments", "documents"])
def test_pairs_have_the_p_values_that_compare_gives(sample: Study, resample: Resampling) -> None:
    if resample == "documents":
        sample = study(sample.corpus, sample.systems, ["bleu", "ter"], audit=False)
    assert sample.comparison is not None
    assert sample.comparison.scores is not None
    rows = sample.comparison.scores.slices[0].scores
    for place, metric in enumerate(sample.metrics):
        pairs = sample.pairs[metric.spec]
        for system in range(1, len(sample.systems)):
            compared = rows[system][place]
            assert compared.delta == pytest.approx(pairs.deltas[0, system])
            assert compared.tests[0].p_value == pytest.approx(pairs.p_values[0, system])
            assert compared.tests[0].adjusted == pytest.approx(pairs.adjusted[0, system])
            assert compared.tests[0].significant == pairs.differ(0, system)
            assert compared.tests[0].floor == pairs.floor
            assert compared.delta_interval is not None
            assert compared.delta_interval.low == pytest.approx(pairs.low[0, system])
    # Another baseline, as compare would have it first.
    order = [2, 0, 1, 3, 4]
    again = tertium.compare(
        sample.corpus,
        [sample.systems[i] for i in order],
        ["bleu", "ter"],
        sections=["scores"],
        resample=resample,
        trials=sample.pairs["bleu"].settings.trials,
    )
    assert again.scores is not None
    for place, system in enumerate(order[1:], 1):
        verdict = again.scores.slices[0].scores[place][0].tests[0]
        assert verdict.p_value == pytest.approx(sample.pairs["bleu"].p_values[2, system])
        assert verdict.adjusted == pytest.approx(sample.pairs["bleu"].adjusted[2, system])


def test_equal_scores_are_a_tie_and_no_lead(sample: Study) -> None:
    best = sample.systems[sample.ranking(sample.metrics[0])[0]]
    twin = System(name="twin", hypotheses=best.hypotheses)
    both = study(sample.corpus, [*sample.systems, twin], ["bleu"])
    (lead,) = answer(both).leads
    assert set(lead.tied) == {best.name, "twin"}
    assert "tie for the lead" in answer(both).headline
    assert both.audit is not None
    for one in both.audit.findings:
        assert not (one.audit == "fragile" and {"twin", best.name} == set(one.systems))


def test_people_and_metrics_beside_each_other(sample: Study) -> None:
    bleu = sample.scores_of(sample.metrics[0])
    agreeing = answer(rated(sample, bleu.tolist()))
    leader = agreeing.leads[0].leader
    assert f"People (quality) put {leader} first" in agreeing.headline
    assert "10 of 10 pairs are ordered alike (100%)" in agreeing.people[0].agreements[0]
    against = answer(rated(sample, (-bleu).tolist()))
    assert "which no metric here does" in against.headline
    assert "people put it 5th of 5; 0 of 10" in against.people[0].agreements[0]
    nobody = rated(sample, [np.nan] * 5)
    assert answer(nobody).people == ()


def test_one_system_and_few_segments(sample: Study) -> None:
    alone = study(sample.corpus, sample.systems[:1], ["bleu"], trials=20)
    assert answer(alone).headline.startswith("One system: alder has BLEU ")
    texts = Texts(["a b c d e", "f g h i j"])
    few = Corpus(references=References([texts]), name="few")
    pair = [System(name=name, hypotheses=Texts([name, "f g h"])) for name in ("a", "z")]
    (lead,) = answer(study(few, pair, ["wer"])).leads
    assert (lead.p_text, lead.sure) == ("too few segments to test", False)
    assert lead.verdict == "2 segments are too few for any test"


def test_eight_documents_are_enough_for_twelve_tests_at_once(sample: Study) -> None:
    """Holm asked more of them than they can give; tests that swap the same documents do not."""
    some = study(sample.corpus, sample.systems, ["bleu", "chrf", "ter"], trials=20, audit=False)
    assert answer(some).headline == "alder leads by BLEU, chrF and TER, clearly."
    assert {one.verdict for one in answer(some).leads} == {"a clear lead"}


def test_what_would_change_the_answer_comes_first(sample: Study) -> None:
    assert sample.audit is not None
    metric = sample.metrics[0]
    order = [sample.names[i] for i in sample.ranking(metric)]
    pairs = sample.pairs[metric.spec]

    def differ(a: str, b: str) -> bool:
        return pairs.differ(sample.names.index(a), sample.names.index(b))

    clear = next(name for name in order[1:] if differ(order[0], name))
    below = next(b for a, b in pairwise(order[1:]) if not differ(a, b))
    unsure = (order[order.index(below) - 1], below)

    def finding(audit: str, severity: str, *systems: str) -> Finding:
        return Finding(
            audit=audit,
            metric=metric.spec,
            systems=systems,
            severity=severity,  # type: ignore[arg-type]
            numbers={},
            meaning=f"{audit} of {systems}",
            advice="",
        )

    listed = [
        finding("licence", "serious", *unsure),
        finding("straw-men", "serious", order[-1]),
        finding("fragile", "note", order[0], order[1]),
        finding("reversal", "warning", order[0], clear),
    ]
    made = replace(sample, audit=replace(sample.audit, findings=tuple(listed)))
    found = [one.finding.audit for one in doubts(made)]
    assert found == ["reversal", "straw-men", "licence", "fragile"]
    assert [one.matters for one in doubts(made)] == [True, True, True, False]
    assert [one.audit for one in doubt_groups(made)] == found


def test_no_finding_is_lost(sample: Study) -> None:
    assert sample.audit is not None
    groups = doubt_groups(sample)
    assert sum(len(one.shown) + len(one.rest) for one in groups) == len(sample.audit.findings)


def test_a_p_value_that_resampling_cannot_tell_is_a_bound(sample: Study) -> None:
    pairs = sample.pairs["bleu"]
    least = np.unravel_index(pairs.p_values.argmin(), pairs.p_values.shape)
    assert pairs.p_values[least] == pytest.approx(1 / (1 + pairs.settings.trials))
    assert p_text(pairs, int(least[0]), int(least[1])).startswith("raw p < 0.00")


@pytest.mark.parametrize(
    ("segments", "expected"),
    [
        (2, "good leads by WER, but 2 segments are too few for any test."),
        (20, "good leads by WER, but too narrowly to be sure."),
    ],
)
def test_a_lead_that_is_not_sure_says_why(segments: int, expected: str) -> None:
    """One right word more than the others in one segment."""
    corpus = Corpus(references=References([Texts(["a b c d e"] * segments)]), name="few")
    same = ["a b c"] * (segments - 1)
    systems = [
        System(name=name, hypotheses=Texts([first, *same]))
        for name, first in (("good", "a b c d"), ("late", "a b c"), ("last", "a b"))
    ]
    found = answer(study(corpus, systems, ["wer"], trials=200, audit=False))
    assert found.headline == expected
