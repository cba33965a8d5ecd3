"""Gaming: found where output was chosen by a metric, silent about better systems."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import tertium
from tertium.audit.findings import AuditReport
from tertium.metrics.foreign.segment_metric import SegmentMetric
from tests.support.corpora import corpus_of, named_systems

Table = Mapping[str, NDArray[np.float64]]
"""Metric → scores, (systems, segments); a name that begins with − is of errors."""


def metric_of(name: str, scores: NDArray[np.float64]) -> SegmentMetric:
    """A metric whose scores are told: a text is "system segment"."""

    class Told(SegmentMetric):
        title = name.removeprefix("-")
        summary = "told"
        higher_is_better: ClassVar[bool] = not name.startswith("-")

        def scores(
            self, sources: object, hypotheses: Sequence[str], references: object
        ) -> list[float]:
            places = (one.removeprefix("s").split() for one in hypotheses)
            return [float(scores[int(system), int(segment)]) for system, segment in places]

    Told.name = name.removeprefix("-")
    return Told()


def audited(table: Table, order: Sequence[int] | None = None, alpha: float = 0.05) -> AuditReport:
    systems, segments = next(iter(table.values())).shape
    corpus = corpus_of([f"r{i}" for i in range(segments)])
    chosen = range(systems) if order is None else order
    named = named_systems(**{f"s{k}": [f"s{k} {i}" for i in range(segments)] for k in chosen})
    metrics = [metric_of(name, scores) for name, scores in table.items()]
    return tertium.audit(corpus, named, metrics, only=["gaming"], alpha=alpha)


def pool(seed: int, gains: Sequence[float], segments: int = 200) -> dict[str, NDArray[np.float64]]:
    """Three metrics of three families see the same quality, each with noise of its own."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(len(gains), segments)) + np.array(gains)[:, None]
    noise = rng.normal(scale=0.5, size=(3, *quality.shape))
    return {name: quality + one for name, one in zip(("bleu", "chrf", "-ter"), noise, strict=True)}


def errors_turned(table: Table) -> dict[str, NDArray[np.float64]]:
    return {name: -one if name.startswith("-") else one for name, one in table.items()}


def gamed(table: Table, metric: str, by: float = 3.0) -> dict[str, NDArray[np.float64]]:
    """The last system has more of one metric, and of no other."""
    found = {name: one.copy() for name, one in table.items()}
    found[metric][-1] += by
    return found


def serious(report: AuditReport) -> set[tuple[str, tuple[str, ...]]]:
    return {(one.metric, one.systems) for one in report if one.severity == "serious"}


@pytest.mark.parametrize("metric", ["bleu", "chrf", "-ter"])
@pytest.mark.parametrize("systems", [2, 3, 8])
def test_a_gain_on_one_metric_alone_is_found(metric: str, systems: int) -> None:
    table = errors_turned(gamed(pool(1, [0.0] * systems), metric))
    report = audited(table)
    assert serious(report) == {(metric.removeprefix("-"), (f"s{systems - 1}",))}
    (finding,) = report.of("gaming")
    numbers = finding.numbers
    assert numbers["share"] > numbers["expected"]["high"] > numbers["expected"]["share"]
    assert numbers["adjusted_p_value"] >= numbers["p_value"]


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), better=st.floats(0, 5), systems=st.integers(2, 6))
@settings(max_examples=40, deadline=None)
def test_a_better_system_is_none(seed: int, better: float, systems: int) -> None:
    table = errors_turned(pool(seed, [0.0] * (systems - 1) + [better]))
    assert serious(audited(table)) == set()


def test_errors_count_the_other_way_round() -> None:
    """More errors are no gain, however many."""
    table = gamed(errors_turned(pool(2, [0.0] * 4)), "-ter", by=4.0)
    assert audited(table).findings == ()


def test_order_and_unit_are_no_matter() -> None:
    table = errors_turned(gamed(pool(3, [0.0, 0.2, 0.4, 0.1]), "chrf"))
    first = audited(table).of("gaming")
    turned = audited(dict(reversed(table.items())), order=[3, 1, 0, 2]).of("gaming")
    scaled = audited({name: one * 1000 for name, one in table.items()}).of("gaming")
    for other in (turned, scaled):
        assert [one.numbers["p_value"] for one in other] == pytest.approx(
            [one.numbers["p_value"] for one in first]
        )
        assert [one.systems for one in other] == [one.systems for one in first]


def test_metrics_of_one_family_are_no_witnesses() -> None:
    table = gamed(pool(4, [0.0] * 4), "bleu")
    family = {"bleu": table["bleu"], "nist": table["chrf"]}
    report = audited(family)
    assert report.findings == ()
    assert {one.metric for one in report.skipped} == {"bleu", "nist"}
    assert "word n-grams" in report.skipped[0].reason


def test_a_copy_of_a_metric_changes_no_excess() -> None:
    table = errors_turned(gamed(pool(5, [0.0] * 5), "bleu"))
    (alone,) = audited(table).of("gaming")
    (first, second) = audited({**table, "nist": table["bleu"]}).of("gaming")
    assert first.numbers["excess"] == second.numbers["excess"] == alone.numbers["excess"]


@pytest.mark.parametrize("what", ["constant", "same", "missing"])
def test_metrics_that_tell_nothing(what: str) -> None:
    table = errors_turned(pool(6, [0.0] * 3))
    if what == "constant":
        table["chrf"] = np.zeros_like(table["chrf"])
    elif what == "same":
        table = {name: np.broadcast_to(one[:1], one.shape) for name, one in table.items()}
    else:
        table["chrf"] = np.full_like(table["chrf"], np.nan)
    assert audited(table).findings == ()


def test_missing_scores_are_left_out() -> None:
    table = errors_turned(gamed(pool(7, [0.0] * 3), "chrf"))
    table["chrf"][:, ::2] = np.nan
    (finding,) = audited(table).of("gaming")
    assert finding.numbers["segments"] == 100


@pytest.mark.parametrize(
    ("systems", "segments", "reason"), [(1, 100, "1 system"), (3, 20, "20 segments")]
)
def test_too_little_to_tell_is_said(systems: int, segments: int, reason: str) -> None:
    report = audited(pool(8, [0.0] * systems, segments))
    assert report.findings == ()
    assert len(report.skipped) == 3
    assert all(reason in one.reason for one in report.skipped)


def test_a_decision_does_not_count_what_was_gamed() -> None:
    references = [f"a{i} b{i} c{i} d{i} e{i} f{i} g{i} h{i}" for i in range(80)]
    # A letter too many in each word is a small matter for chrF, and for BLEU no word is right.
    plain = [" ".join(f"{letter}{i}{letter}" for letter in "zyxwvuts") for i in range(80)]
    letters = [" ".join(f"{word}x" for word in one.split()) for one in references]
    corpus, systems = corpus_of(references), named_systems(plain=plain, letters=letters)
    report = tertium.audit(corpus, systems, ["bleu", "chrf"], only=["gaming"])
    assert serious(report) == {("chrf", ("letters",))}
    (verdict,) = tertium.decide(corpus, systems, ["bleu", "chrf"], audit=report).verdicts
    assert verdict.answer == "do not trust"
    assert "grant" in verdict.sentence
