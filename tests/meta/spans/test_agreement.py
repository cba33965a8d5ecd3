"""How far raters mark the same."""

from dataclasses import replace
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.meta.ratings.judge_agreement import krippendorff_alpha
from tertium.meta.spans.agreement import overlap, span_agreement
from tertium.meta.spans.files import read_spans
from tertium.meta.spans.segments import with_texts
from tertium.meta.spans.span import Annotation, Annotations, Span
from tertium.meta.spans.summary import span_report
from tertium.text.corpus import Corpus, System
from tests.oracles.span_agreement import characters, labels, most_pairs
from tests.support.meta.span_files import error, rating_file

LENGTH = 12


@st.composite
def span_lists(draw: st.DrawFn) -> tuple[Span, ...]:
    found = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, LENGTH - 1))
        end = draw(st.integers(start + 1, LENGTH))
        severity = draw(st.sampled_from(["minor", "major"]))
        found.append(span(start, end, severity))
    return tuple(found)


def span(start: int, end: int, severity: str = "minor") -> Span:
    return Span(segment=0, system="A", rater="r", start=start, end=end, severity=severity)


def look(rater: str, spans: tuple[Span, ...], *, system: str = "A", segment: int = 0) -> Annotation:
    own = tuple(replace(one, rater=rater, system=system, segment=segment) for one in spans)
    return Annotation(
        segment=segment,
        system=system,
        rater=rater,
        place="here",
        spans=own,
        hypothesis="x" * LENGTH,
    )


def annotations(*looks: Annotation) -> Annotations:
    return Annotations(name="xx-yy", annotations=looks)


@given(span_lists(), span_lists())
def test_counts_are_the_oracles(first: tuple[Span, ...], second: tuple[Span, ...]) -> None:
    found = overlap(first, second)
    assert (found.marked, found.common, found.alike) == characters(first, second, LENGTH)
    for exact, severity, count in (
        (True, False, found.exact),
        (True, True, found.exact_alike),
        (False, False, found.partial),
        (False, True, found.partial_alike),
    ):
        assert count == most_pairs(first, second, exact=exact, severity=severity)
    turned = overlap(second, first)
    assert turned == found


@given(st.lists(st.lists(span_lists(), min_size=2, max_size=4), min_size=1, max_size=3))
def test_alpha_is_krippendorffs_over_characters(outputs: list[list[tuple[Span, ...]]]) -> None:
    looks, units, kinds = [], [], []
    for number, raters in enumerate(outputs):
        for rater, spans in enumerate(raters):
            looks.append(look(f"r{rater}", spans, segment=number))
            units += [number * LENGTH + place for place in range(LENGTH)]
            kinds += [("", "minor", "major").index(one) for one in labels(spans, LENGTH)]
    found = span_agreement(annotations(*looks))
    assert found is not None
    expected = krippendorff_alpha(np.array(units), np.array(kinds), "nominal")
    assert found.severity_alpha == pytest.approx(expected, abs=1e-9, nan_ok=True)
    marked = krippendorff_alpha(np.array(units), np.array(kinds) > 0, "nominal")
    assert found.alpha == pytest.approx(marked, abs=1e-9, nan_ok=True)


def test_the_same_marks_are_perfect_and_others_worth_nothing() -> None:
    same = span_agreement(annotations(look("a", (span(0, 4),)), look("b", (span(0, 4),))))
    assert same is not None
    one = same.all
    assert (one.characters_f1, one.severity_f1, one.exact_f1, one.partial_f1) == (1, 1, 1, 1)
    assert same.alpha == same.severity_alpha == 1
    other = span_agreement(annotations(look("a", (span(0, 6),)), look("b", (span(6, 12),))))
    assert other is not None
    assert other.all.characters_f1 == 0
    assert other.alpha < 0


def test_another_severity_earns_half() -> None:
    found = overlap((span(0, 4, "minor"),), (span(0, 4, "major"),))
    assert (found.characters_f1, found.severity_f1) == (1.0, 0.5)
    assert (found.exact, found.exact_alike) == (1, 0)


def test_nothing_marked_is_no_f1_and_no_alpha() -> None:
    found = span_agreement(annotations(look("a", ()), look("b", ())))
    assert found is not None
    assert isnan(found.all.characters_f1)
    assert isnan(found.alpha)
    assert found.to_dict()["characters_f1"] is None


def test_one_rater_controls_and_second_looks_do_not_count() -> None:
    first = look("a", (span(0, 4),))
    assert span_agreement(annotations(first)) is None
    assert span_agreement(annotations(first, look("a", ()))) is None
    control = replace(look("b", (span(0, 4),)), kind="degraded")
    assert span_agreement(annotations(first, control)) is None


def test_without_texts_there_is_f1_but_no_alpha(tmp_path: Path) -> None:
    paths = [rating_file(tmp_path, name, {"A": [[error(0, 3)]]}) for name in ("r1", "r2")]
    (found,) = read_spans(paths)
    agreement = span_agreement(found)
    assert agreement is not None
    assert agreement.all.characters_f1 == 1
    assert isnan(agreement.alpha)
    system = System(name="A", hypotheses=["abcdef"])
    whole = with_texts(found, Corpus(references=["abcdef"]), [system])
    again = span_agreement(whole)
    assert again is not None
    assert again.alpha == 1


@pytest.mark.shared
def test_raters_of_wmt23(shared_data: Path) -> None:
    """Eight raters saw the same 288 outputs; each of the 28 pairs agrees far beyond chance."""
    folder = shared_data / "wmt23"
    (found,) = read_spans(folder / "human-scores")
    systems = [
        System(name=path.stem, hypotheses=path.read_text(encoding="utf-8").split("\n")[:-1])
        for path in sorted((folder / "system-outputs" / "zh-en").glob("*.txt"))
    ]
    corpus = Corpus(references=[one or "" for one in systems[0].hypotheses.to_list()])
    report = span_report(with_texts(found, corpus, systems))
    assert report.agreement is not None
    assert report.agreement.outputs == 288
    assert len(report.agreement.pairs) == 28
    assert report.agreement.alpha == pytest.approx(0.351, abs=5e-4)
    assert all(one.characters_f1 > 0.4 for one in report.agreement.pairs.values())
    assert report.systems[0].name == "Lan-BridgeMT"
    assert sum(one.errors for one in report.categories) == 50_731
