"""The rules, on evidence made up for each of them."""

from dataclasses import replace
from typing import Any

import pytest

from tertium.audit.findings import Finding, Severity
from tertium.decide.evidence import MetricEvidence
from tertium.decide.rules import Judged, concerns, judge
from tertium.decide.verdict import Answer, Doubt, Verdict
from tertium.metrics.contract.families import family_of
from tertium.metrics.contract.table import METRICS, parse_metric

PAIR = ("base", "new")


def evidence(spec: str, gain: float, *, sure: bool = False) -> MetricEvidence:
    """A difference of so many points for the better."""
    metric = parse_metric(spec)
    sign = 1 if metric.higher_is_better else -1
    return MetricEvidence(
        metric=metric,
        title=metric.title,
        family=family_of(metric),
        baseline=50.0,
        system=50.0 + sign * gain,
        p_value=0.001 if sure else 0.5,
        adjusted=0.002 if sure else 1.0,
        significant=sure,
    )


def finding(
    audit: str, severity: Severity, systems: tuple[str, ...] = PAIR, **numbers: Any
) -> Finding:
    """What an audit of BLEU reports."""
    return Finding(
        audit=audit,
        metric="bleu",
        systems=systems,
        severity=severity,
        numbers=numbers,
        meaning="It is so.",
        advice="",
    )


BLEU_UP = evidence("bleu", 2, sure=True)
BLEU_DOWN = evidence("bleu", -2, sure=True)
REVERSED = finding("reversal", "serious", by="genre", reversed=True)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([BLEU_UP], "better"),
        ([BLEU_DOWN], "worse"),
        ([evidence("bleu", 2)], "no difference"),
        ([evidence("bleu", 0)], "no difference"),
        ([evidence("wer", 2, sure=True)], "better"),
        # One voice is enough if none contradicts it …
        ([BLEU_UP, evidence("chrf", 0.1)], "better"),
        ([BLEU_UP, evidence("chrf", -0.1)], "better"),
        # … not if more families lean against it, which metrics of one family do not make more,
        ([BLEU_UP, evidence("chrf", -0.1), evidence("ter", -0.1)], "metrics disagree"),
        ([BLEU_UP, evidence("ter", -0.1), evidence("wer", -0.1)], "better"),
        ([BLEU_UP, evidence("chrf", -0.1), evidence("ter", 0.001)], "better"),
        # nor if one is significant the other way, however many are on its side.
        ([BLEU_UP, evidence("chrf", -1, sure=True)], "metrics disagree"),
        (
            [BLEU_UP, evidence("ter", 1, sure=True), evidence("chrf", -1, sure=True)],
            "metrics disagree",
        ),
        # A family may disagree with itself.
        ([BLEU_UP, evidence("bleu-sbp", -1, sure=True)], "metrics disagree"),
    ],
)
def test_answers_without_findings(given: list[MetricEvidence], expected: Answer) -> None:
    assert judge(PAIR, given).answer == expected


@pytest.mark.parametrize(
    ("given", "found", "expected"),
    [
        ([BLEU_UP], REVERSED, "do not trust"),
        ([BLEU_UP], finding("licence", "serious"), "do not trust"),
        ([BLEU_UP], finding("fragile", "warning", rests_on="case"), "do not trust"),
        ([BLEU_UP], finding("fragile", "note", rests_on="segments"), "better"),
        ([BLEU_UP], finding("straw-men", "serious"), "do not trust"),
        ([BLEU_UP], finding("straw-men", "warning"), "better"),
        ([BLEU_UP], finding("copies", "serious", ("new",)), "do not trust"),
        ([BLEU_UP], finding("copies", "warning", ("new",)), "better"),
        # What is wrong with the one that loses does not make it win.
        ([BLEU_UP], finding("copies", "serious", ("base",)), "better"),
        ([BLEU_DOWN], finding("copies", "serious", ("new",)), "worse"),
        ([BLEU_DOWN], finding("copies", "serious", ("base",)), "do not trust"),
        ([BLEU_UP], finding("copies", "serious", ()), "do not trust"),
        # Surplus words of one system alone turn no lead; other audits are about other things.
        ([BLEU_UP], finding("licence", "warning", ("new",)), "better"),
        ([BLEU_UP], finding("context", "serious"), "better"),
        # What is not significant cannot be taken away.
        ([evidence("bleu", 2)], REVERSED, "no difference"),
        # Another family still speaks.
        ([BLEU_UP, evidence("chrf", 1, sure=True)], REVERSED, "better"),
        ([BLEU_UP, evidence("chrf", -1, sure=True)], REVERSED, "worse"),
        ([BLEU_UP, evidence("chrf", 1)], REVERSED, "do not trust"),
    ],
)
def test_answers_with_a_finding(
    given: list[MetricEvidence], found: Finding, expected: Answer
) -> None:
    assert judge(PAIR, given, [found]).answer == expected


def test_what_was_gamed_does_not_count_unless_nothing_else_is_left() -> None:
    gamed = finding("gaming", "serious", ("new",))
    down = evidence("chrf", -1, sure=True)
    alone = judge(PAIR, [BLEU_UP, down], [gamed])
    assert (alone.answer, alone.counted) == ("worse", (down,))
    assert [one.evidence for one in alone.doubts] == [BLEU_UP]
    assert judge(PAIR, [BLEU_UP], [gamed]).answer == "do not trust"
    # Two metrics that contradict each other: either may be the one that was gamed.
    other = replace(finding("gaming", "serious", ("base",)), metric="chrf")
    both = judge(PAIR, [BLEU_UP, down], [gamed, other])
    assert both == Judged("metrics disagree", (BLEU_UP, down))
    up = evidence("chrf", 1, sure=True)
    both = judge(PAIR, [BLEU_UP, up], [gamed, replace(gamed, metric="chrf")])
    assert both.answer == "do not trust"
    # Whoever was tuned for a metric and loses by it has lost all the more.
    assert judge(PAIR, [BLEU_UP, up], [gamed, other]) == Judged(
        "better", (up,), (Doubt(evidence=BLEU_UP, finding=gamed),)
    )


def test_a_finding_concerns_its_pair() -> None:
    assert concerns(REVERSED, PAIR)
    assert concerns(REVERSED, ("new", "base"))
    assert not concerns(REVERSED, ("base", "third"))
    alone = finding("copies", "serious", ("new", "third"))
    assert concerns(alone, PAIR)
    assert not concerns(alone, ("base", "fourth"))
    beaten = finding("straw-men", "serious", ("new", "third"))
    assert not concerns(beaten, PAIR)
    assert concerns(beaten, ("third", "new"))
    assert concerns(finding("copies", "serious", ()), PAIR)


def verdict(*given: MetricEvidence, found: Finding | None = None) -> Verdict:
    findings = [] if found is None else [found]
    judged = judge(PAIR, given, findings)
    return Verdict(
        system="new",
        baseline="base",
        answer=judged.answer,
        metrics=given,
        unit="segment",
        units=100,
        counted=judged.counted,
        doubts=judged.doubts,
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (verdict(BLEU_UP), "new is better than base, by BLEU, the only metric that was asked."),
        (
            verdict(BLEU_DOWN, evidence("chrf", 1), evidence("ter", -1, sure=True)),
            "new is worse than base, by BLEU and TER; chrF shows no difference.",
        ),
        (
            verdict(BLEU_UP, evidence("chrf", -1, sure=True)),
            "the metrics disagree on new: better than base by BLEU, worse by chrF.",
        ),
        (
            verdict(BLEU_UP, evidence("chrf", -1), evidence("ter", -1)),
            (
                "the metrics disagree on new: better than base by BLEU, but more of them, chrF and "
                "TER, lean the other way."
            ),
        ),
        (
            verdict(BLEU_UP, found=REVERSED),
            "do not trust that new is better than base by BLEU: base is ahead in every genre.",
        ),
        (
            verdict(BLEU_UP, evidence("chrf", 1, sure=True), found=REVERSED),
            "new is better than base, by chrF; BLEU does not count: base is ahead in every genre.",
        ),
        (
            verdict(evidence("bleu", 1)),
            "new and base: no difference that this test set could show.",
        ),
        (
            verdict(
                BLEU_UP, found=finding("fragile", "serious", rests_on="segments", segments=[7])
            ),
            "do not trust that new is better than base by BLEU: the lead rests on segment 7.",
        ),
        (
            verdict(BLEU_UP, found=finding("copies", "serious", ("new",))),
            "do not trust that new is better than base by BLEU: It is so.",
        ),
    ],
)
def test_sentences(given: Verdict, expected: str) -> None:
    assert given.sentence == expected


def test_every_metric_has_a_family() -> None:
    alone = {name for name in METRICS if name not in {"scores", "command"}}
    families = {name: family_of(parse_metric(name)) for name in alone}
    assert families["bleu"] == families["bleu-sbp"] == families["nist"]
    assert len({families[name] for name in ("bleu", "chrf", "ter", "meteor", "ribes")}) == 5
    assert {name for name, family in families.items() if family == name} == set()


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("COMET", "COMET"),
        ("XCOMET-Ensemble", "COMET"),
        ("CometKiwi-src", "COMET"),
        ("MetricX-23", "MetricX"),
        ("BLEURT-20", "BLEURT"),
        ("BLEU", "word n-grams"),
        ("f200spBLEU", "word n-grams"),
        ("chrF", "character n-grams"),
        ("TER", "word edits"),
        ("our-master-judge", "our-master-judge"),
    ],
)
def test_families_of_foreign_metrics(name: str, family: str) -> None:
    assert family_of(parse_metric(f"scores[file=x.tsv,name={name}]")) == family
