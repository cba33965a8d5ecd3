"""What marked errors come to."""

from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.files import read_judgments
from tertium.meta.spans.files import read_spans
from tertium.meta.spans.ratings import Weights, ratings_of
from tertium.meta.spans.span import Annotation, Span
from tests.support.meta.span_files import json_lines, pearmut_row, wmt25_row


def span(severity: str, category: str = "") -> Span:
    return Span(
        segment=0, system="A", rater="r", start=0, end=1, severity=severity, category=category
    )


@pytest.mark.parametrize(
    ("severity", "category", "points"),
    [  # Freitag et al. (2021), section 3.2
        ("major", "accuracy/omission", 5),
        ("minor", "accuracy/omission", 1),
        ("neutral", "style/awkward", 0),
        ("minor", "fluency/punctuation", 0.1),
        ("major", "fluency/punctuation", 5),
        ("major", "non-translation!", 25),
        ("minor", "linguistic conventions/punctuation", 0.1),
        ("major", "source issue", 0),
        ("minor", "accuracy/creative reinterpretation", 0),
        ("minor", "", 1),  # ESA
        ("critical", "", 25),
        ("minor", "fluency/punctuation/comma", 0.1),  # the longest rule that fits
        ("minor", "fluency", 1),
    ],
)
def test_weights(severity: str, category: str, points: float) -> None:
    assert Weights().of(span(severity, category)) == points


def test_rules_of_the_user() -> None:
    weights = Weights({"Major": 10, "minor/style": 0.5})
    assert weights.of(span("major")) == 10
    assert weights.of(span("minor", "style/awkward")) == 0.5
    assert weights.of(span("major", "non-translation!")) == 25
    with pytest.raises(InputError, match="unknown severity 'majr'; did you mean 'major'"):
        weights.of(span("majr"))
    with pytest.raises(OptionError, match="expected a finite number"):
        Weights({"major": float("nan")})
    with pytest.raises(OptionError, match="expected such as major"):
        Weights({"major/": 1})


def test_an_output_without_errors_is_zero() -> None:
    one = Annotation(segment=0, system="A", rater="r", place="here")
    assert Weights().points(one) == 0


def test_esa_has_scores_and_spans(tmp_path: Path) -> None:
    (found,) = read_spans(json_lines(tmp_path, [wmt25_row()], "w.jsonl"))
    said = {one.criterion: one.value.tolist() for one in ratings_of(found)}
    assert said == {"esa": [60, 90], "spans": [-5, 0]}
    (marked,) = read_spans(json_lines(tmp_path, [pearmut_row()], "p.jsonl"))
    assert [one.criterion for one in ratings_of(marked, Weights({"minor": 2}))] == ["esa", "mqm"]
    assert ratings_of(marked, Weights({"minor": 2}))[1].value.tolist() == [-2]


@pytest.mark.shared
class TestShared:
    def test_every_span_weighs_what_mt_metrics_eval_says(self, shared_data: Path) -> None:
        """50 731 errors of eight raters; the files have the points of each beside it."""
        import json

        weights, count = Weights(), 0
        for path in sorted((shared_data / "wmt23" / "human-scores").glob("*.seg.rating")):
            (found,) = read_spans(path)
            spans = iter(found.spans)
            for line in path.read_text(encoding="utf-8").splitlines():
                for one in (
                    (json.loads(line.partition("\t")[2]) or {}).get("errors", ())
                    if (not line.endswith("None"))
                    else ()
                ):
                    assert weights.of(next(spans)) == one["score"]
                    count += 1
        assert count == 50_731

    def test_scores_are_those_published(self, shared_data: Path) -> None:
        """Segments exactly; systems to rounding. Three outputs of refA have no errors on file."""
        folder = shared_data / "wmt23" / "human-scores"
        (ours,) = read_judgments(
            sorted(folder.glob("zh-en.mqm.rater*.seg.rating")), include_references=True
        )
        (theirs,) = read_judgments(
            [folder / "zh-en.mqm.seg.score", folder / "zh-en.mqm.sys.score"],
            include_references=True,
        )
        assert ours.segments is not None
        assert theirs.segments is not None
        order = [ours.systems.index(name) for name in theirs.systems]
        segments = ours.segments[order]
        both = np.isfinite(segments)
        assert both.sum() == 18_829
        assert (segments[both] == theirs.segments[both]).all()
        assert (np.isfinite(theirs.segments) & ~both).sum(axis=1).tolist() == [0] * 15 + [3]
        np.testing.assert_allclose(ours.values[order][:-1], theirs.values[:-1], rtol=0, atol=1e-12)
