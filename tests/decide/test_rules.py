"""The rules, on evidence made up for each of them."""

from dataclasses import replace
from typing import Any

import pytest

from tertium.audit.findings import Finding, Severity
from tertium.decide.evidence import MetricEvidence
from tertium.decide.rules import CountedAnswer, concerns, judge
from tertium.decide.verdict import Answer, DoubtedDifference, Verdict
from tertium.metrics.contract.families import basis_of, basis_of_name, family_of
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
        basis=basis_of(metric),
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
        ([BLEU_UP], "scores higher"),
        ([BLEU_DOWN], "scores lower"),
        ([evidence("bleu", 2)], "no difference"),
        ([evidence("bleu", 0)], "no difference"),
        ([evidence("wer", 2, sure=True)], "scores higher"),
        # One voice is enough if none contradicts it …
        ([BLEU_UP, evidence("chrf", 0.1)], "scores higher"),
        ([BLEU_UP, evidence("chrf", -0.1)], "scores higher"),
        # … not if more families lean against it, which metrics of one family do not make more,
        ([BLEU_UP, evidence("chrf", -0.1), evidence("ter", -0.1)], "metrics disagree"),
        ([BLEU_UP, evidence("ter", -0.1), evidence("wer", -0.1)], "scores higher"),
        ([BLEU_UP, evidence("chrf", -0.1), evidence("ter", 0.001)], "scores higher"),
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
        ([BLEU_UP], finding("fragile", "note", rests_on="segments"), "scores higher"),
        ([BLEU_UP], finding("straw-men", "serious"), "do not trust"),
        ([BLEU_UP], finding("straw-men", "warning"), "scores higher"),
        ([BLEU_UP], finding("copies", "serious", ("new",)), "do not trust"),
        ([BLEU_UP], finding("copies", "warning", ("new",)), "scores higher"),
        # What is wrong with the one that loses does not make it win.
        ([BLEU_UP], finding("copies", "serious", ("base",)), "scores higher"),
        ([BLEU_DOWN], finding("copies", "serious", ("new",)), "scores lower"),
        ([BLEU_DOWN], finding("copies", "serious", ("base",)), "do not trust"),
        ([BLEU_UP], finding("copies", "serious", ()), "do not trust"),
        # Surplus words of one system alone turn no lead; other audits are about other things.
        ([BLEU_UP], finding("licence", "warning", ("new",)), "scores higher"),
        ([BLEU_UP], finding("context", "serious"), "scores higher"),
        # What is not significant cannot be taken away.
        ([evidence("bleu", 2)], REVERSED, "no difference"),
        # Another family still speaks.
        ([BLEU_UP, evidence("chrf", 1, sure=True)], REVERSED, "scores higher"),
        ([BLEU_UP, evidence("chrf", -1, sure=True)], REVERSED, "scores lower"),
        ([BLEU_UP, evidence("chrf", 1)], REVERSED, "do not trust"),
    ],
)
def test_answers_with_a_finding(
    given: list[MetricEvidence], found: Finding, expected: Answer
) -> None:
    assert judge(PAIR, given, [found]).answer == expected


COMET_UP = evidence("scores[name=COMET]", 2, sure=True)
COMET_LEANS_UP = evidence("scores[name=COMET]", 0.1)
COMET_LEANS_DOWN = evidence("scores[name=COMET]", -0.1)
COMET_LEVEL = evidence("scores[name=COMET]", 0)
COMET_DOWN = evidence("scores[name=COMET]", -2, sure=True)
KIWI_UP = evidence("scores[name=CometKiwi]", 2, sure=True)
METRICX_UP = evidence("scores[name=MetricX]", 2, sure=True)
METRICX_LEANS_DOWN = evidence("scores[name=MetricX]", -0.1)
METRICX_DOWN = evidence("scores[name=MetricX]", -2, sure=True)
JUDGE_UP = evidence("scores[name=judge]", 2, sure=True)
CHRF_UP = evidence("chrf", 1, sure=True)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # Overlap scores higher; a trained or reference-free family that lies the same way shows
        # that it is better, significant or not,
        ([BLEU_UP, COMET_UP], "better"),
        ([BLEU_UP, COMET_LEANS_UP], "better"),
        ([BLEU_DOWN, COMET_DOWN], "worse"),
        ([COMET_UP], "better"),
        ([KIWI_UP], "better"),
        ([COMET_UP, evidence("bleu", -0.1), evidence("chrf", -0.1)], "better"),
        # not one that lies on the other side, and one on neither side shows nothing.
        ([BLEU_UP, CHRF_UP, COMET_LEANS_DOWN], "metrics disagree"),
        ([BLEU_UP, COMET_DOWN], "metrics disagree"),
        ([BLEU_UP, COMET_LEVEL], "scores higher"),
        ([evidence("bleu", 1), COMET_LEANS_UP], "no difference"),
        # CometKiwi is of COMET's family: the two are one witness, who may disagree with himself.
        ([BLEU_UP, COMET_UP, KIWI_UP], "better"),
        ([BLEU_DOWN, COMET_DOWN, KIWI_UP], "metrics disagree"),
        # Two such families decide without overlap.
        ([BLEU_DOWN, CHRF_UP, COMET_UP, METRICX_UP], "better"),
        ([BLEU_DOWN, COMET_UP, METRICX_LEANS_DOWN], "better"),
        ([BLEU_UP, COMET_UP, METRICX_DOWN], "metrics disagree"),
        ([BLEU_UP, COMET_LEANS_UP, METRICX_LEANS_DOWN], "no difference"),
        # Of a metric that nobody knows nothing can be concluded that overlap could not say.
        ([JUDGE_UP], "scores higher"),
        ([BLEU_UP, JUDGE_UP], "scores higher"),
        ([BLEU_DOWN, JUDGE_UP], "metrics disagree"),
        ([BLEU_UP, replace(JUDGE_UP, basis="reference-free")], "better"),
    ],
)
def test_better_needs_more_than_overlap(given: list[MetricEvidence], expected: Answer) -> None:
    assert judge(PAIR, given).answer == expected


@pytest.mark.parametrize(
    ("llms", "expected"),
    [((), "better"), (("base",), "scores higher"), (("new",), "better"), (PAIR, "better")],
)
def test_a_classic_system_ahead_of_an_llm_by_overlap_alone_scores_higher(
    llms: tuple[str, ...], expected: Answer
) -> None:
    assert judge(PAIR, [BLEU_UP, COMET_LEANS_UP], llms=llms).answer == expected
    # The trained metric's own difference counts in either direction.
    assert judge(PAIR, [BLEU_UP, COMET_UP], llms=llms).answer == "better"


LEAK = replace(
    finding("copies", "warning", ("new",), kind="reference", reason="new is the reference"),
    metric="",
    size=0.2,
)


def test_a_reference_made_from_the_winner_takes_its_lead_away() -> None:
    """Of two systems the audit can only warn, and the lead is void all the same."""
    assert judge(PAIR, [BLEU_UP, CHRF_UP], [LEAK]).answer == "do not trust"
    assert judge(PAIR, [BLEU_UP, COMET_UP], [LEAK]).answer == "do not trust"
    # Nothing is gained where the reference is not read, or by a share that honest systems reach,
    assert judge(PAIR, [BLEU_UP, KIWI_UP], [LEAK]).answer == "better"
    assert judge(PAIR, [BLEU_UP], [replace(LEAK, size=0.13)]).answer == "scores higher"
    assert judge(PAIR, [BLEU_UP], [replace(LEAK, severity="note")]).answer == "scores higher"
    # and who loses in spite of it has lost.
    assert judge(PAIR, [BLEU_DOWN], [LEAK]).answer == "scores lower"


def test_what_was_gamed_does_not_count_unless_nothing_else_is_left() -> None:
    gamed = finding("gaming", "serious", ("new",))
    down = evidence("chrf", -1, sure=True)
    alone = judge(PAIR, [BLEU_UP, down], [gamed])
    assert (alone.answer, alone.counted) == ("scores lower", (down,))
    assert [one.evidence for one in alone.doubts] == [BLEU_UP]
    assert judge(PAIR, [BLEU_UP], [gamed]).answer == "do not trust"
    # Two metrics that contradict each other: either may be the one that was gamed.
    other = replace(finding("gaming", "serious", ("base",)), metric="chrf")
    both = judge(PAIR, [BLEU_UP, down], [gamed, other])
    assert both == CountedAnswer("metrics disagree", (BLEU_UP, down))
    up = evidence("chrf", 1, sure=True)
    both = judge(PAIR, [BLEU_UP, up], [gamed, replace(gamed, metric="chrf")])
    assert both.answer == "do not trust"
    # Whoever was tuned for a metric and loses by it has lost all the more.
    assert judge(PAIR, [BLEU_UP, up], [gamed, other]) == CountedAnswer(
        "scores higher", (up,), (DoubtedDifference(evidence=BLEU_UP, finding=gamed),)
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


def verdict(
    *given: MetricEvidence, found: Finding | None = None, llms: tuple[str, ...] = ()
) -> Verdict:
    findings = [] if found is None else [found]
    judged = judge(PAIR, given, findings, llms=llms)
    return Verdict(
        system="new",
        baseline="base",
        answer=judged.answer,
        metrics=given,
        unit="segment",
        units=100,
        counted=judged.counted,
        doubts=judged.doubts,
        aside=judged.aside,
        llms=llms,
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (verdict(BLEU_UP), "new scores higher than base, by BLEU, the only metric that was asked."),
        (
            verdict(BLEU_DOWN, evidence("chrf", 1), evidence("ter", -1, sure=True)),
            (
                "new scores lower than base, by BLEU and TER (error rate); chrF: no significant "
                "difference."
            ),
        ),
        (
            verdict(BLEU_UP, evidence("chrf", -1, sure=True)),
            "the metrics disagree on new: ahead of base by BLEU, behind by chrF.",
        ),
        (
            verdict(BLEU_UP, evidence("chrf", -1), evidence("ter", -1)),
            (
                "the metrics disagree on new: ahead of base by BLEU, but chrF and TER lean the "
                "other way."
            ),
        ),
        (
            verdict(BLEU_UP, found=REVERSED),
            "do not trust that new scores higher than base by BLEU: base is ahead in every genre.",
        ),
        (
            verdict(BLEU_UP, evidence("chrf", 1, sure=True), found=REVERSED),
            (
                "new scores higher than base, by chrF; BLEU does not count: base is ahead in every "
                "genre."
            ),
        ),
        (
            verdict(evidence("bleu", 1)),
            "new and base: no significant difference.",
        ),
        (
            verdict(
                BLEU_UP, found=finding("fragile", "serious", rests_on="segments", segments=[7])
            ),
            "do not trust that new scores higher than base by BLEU: the lead rests on segment 7.",
        ),
        (verdict(BLEU_UP, COMET_UP), "new is better than base, by BLEU and COMET."),
        (
            verdict(BLEU_UP, CHRF_UP, COMET_LEANS_DOWN),
            (
                "the metrics disagree on new: ahead of base by BLEU and chrF, but COMET leans the "
                "other way."
            ),
        ),
        (
            verdict(BLEU_DOWN, COMET_UP, METRICX_UP),
            "new is better than base, by COMET and MetricX; BLEU does not count beside them.",
        ),
        (
            verdict(BLEU_UP, llms=("base",)),
            (
                "new scores higher than base, by BLEU, the only metric that was asked; word "
                "overlap favors new over an LLM, so this does not show that it is better."
            ),
        ),
        (
            verdict(BLEU_UP, found=LEAK),
            "do not trust that new scores higher than base by BLEU: new is the reference.",
        ),
        (
            replace(verdict(evidence("bleu", 0)), identical=True),
            "new and base: the outputs are the same in every segment.",
        ),
        (
            verdict(BLEU_UP, found=finding("copies", "serious", ("new",))),
            "do not trust that new scores higher than base by BLEU: It is so.",
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


@pytest.mark.parametrize(
    ("name", "basis"),
    [
        ("wmt22-comet-da", "trained"),
        ("XCOMET-Ensemble", "trained"),
        ("BLEURT-20", "trained"),
        ("MetricX-23-refA", "trained"),
        ("MetricX-24-QE", "reference-free"),
        ("wmt23-CometKiwi-da-xl", "reference-free"),
        ("GEMBA-MQM", "reference-free"),
        ("sentBLEU", "overlap"),
        ("chrF++", "overlap"),
        ("BERTscore", "overlap"),
        ("YiSi-1", "overlap"),
        ("prismSrc", "unknown"),
        ("our-master-judge", "unknown"),
    ],
)
def test_what_foreign_metrics_can_be_evidence_of(name: str, basis: str) -> None:
    assert basis_of_name(name) == basis
    assert basis_of(parse_metric(f"scores[file=x.tsv,name={name}]")) == basis


def test_our_own_metrics_are_all_overlap() -> None:
    alone = {name for name in METRICS if name not in {"scores", "command"}}
    assert {basis_of(parse_metric(name)) for name in alone} == {"overlap"}
