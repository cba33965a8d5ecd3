"""Ratings of WMT, as they were published."""

from pathlib import Path

import numpy as np
import pytest

from tertium.choices import RANK_METHODS
from tertium.meta.ratings.files import read_judgments, read_scores
from tests.support.ratings import reasons, said


@pytest.mark.shared
class TestShared:
    def test_wins_ratio_is_the_published_human_score(self, shared_data: Path) -> None:
        """All 12 systems of es-en, to the four digits published."""
        (one,) = read_judgments(
            shared_data / "wmt12" / "RNK_results.csv", pair="es-en", segments=3003
        )
        folder = shared_data / "wmt12" / "published-system-scores" / "example-data"
        (published,) = read_judgments(folder / "mt-systems-scored-by-humans")
        assert len(published.systems) == 12
        expected = {name: round(value, 4) for name, value in said(published).items()}
        assert {name: round(value, 4) for name, value in said(one).items()} == expected
        for method in RANK_METHODS:
            if method != "wins-ratio":
                (other,) = read_judgments(
                    shared_data / "wmt12" / "RNK_results.csv", pair="es-en", ranks=method
                )
                assert abs(other.values - one.values).max() > 0.5  # and no other variant is

    def test_wmt17_grades_fall_with_direct_assessment(self, shared_data: Path) -> None:
        """The order of the letters, which come without a key, is that of mean DA."""
        folder = shared_data / "wmt17"
        for criterion in ("adequacy", "fluency"):
            by_grade: dict[float, list[float]] = {}
            for pair in ("de-en", "ru-en", "tr-en"):
                grades = folder / "adequacy-fluency" / f"{criterion}.{pair}"
                found = read_judgments(
                    [folder / "DA-seglevel.csv", grades], pair=pair, criteria=["human", criterion]
                )
                human, graded = (one.segments for one in found)
                assert human is not None
                assert graded is not None
                for grade, value in zip(
                    graded[np.isfinite(graded)], human[np.isfinite(human)], strict=True
                ):
                    by_grade.setdefault(grade, []).append(value)
            means = [np.mean(by_grade[grade]) for grade in sorted(by_grade)]
            assert len(means) == 5
            assert means == sorted(means)

    def test_wmt23_folder(self, shared_data: Path) -> None:
        found = read_judgments(shared_data / "wmt23", include_references=True)
        assert [(one.name, one.criterion, len(one.systems)) for one in found] == [
            ("he-en", "mqm", 13), ("zh-en", "da-sqm", 16), ("zh-en", "mqm", 16),
        ]  # fmt: skip
        for one in found:
            assert one.segments is not None
            # The organisers' system ratings are the means of what was rated.
            means = np.nanmean(one.segments, axis=1)
            assert one.values == pytest.approx(means, abs=1e-9)
        assert reasons(found[2])[-1] == "12784 outputs without a rating"
        scores = read_scores(shared_data / "wmt23", pair="he-en")["he-en"]
        assert [one.metric for one in scores] == [
            "BERTscore-refA", "BLEU-refA", "BLEURT-20-refA", "COMET-refA", "CometKiwi-src",
            "GEMBA-MQM-src", "MetricX-23-refA", "XCOMET-Ensemble-refA", "YiSi-1-refA",
            "chrF-refA", "f200spBLEU-refA", "prismSrc-src",
        ]  # fmt: skip
