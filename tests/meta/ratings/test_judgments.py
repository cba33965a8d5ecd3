"""Judgments are checked when they are made, and never changed."""

from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.meta.ratings.judgments import Comparisons, Exclusion, Judgments, MetricScores
from tests.support.ratings import comparisons


class TestContract:
    def test_numbers_cannot_be_changed_afterwards(self) -> None:
        values = np.array([1.0, 2.0])
        one = Judgments(name="n", criterion="c", systems=("A", "B"), values=values)
        values[0] = 9.0
        assert one.values.tolist() == [1.0, 2.0]
        with pytest.raises(ValueError, match="read-only"):
            one.values[0] = 3.0

    @pytest.mark.parametrize(
        ("systems", "values", "segments", "message"),
        [
            ((), [], None, "found no systems"),
            (("A", "A"), [1, 2], None, "found system 'A' twice"),
            (("A", "B"), [1], None, r"found shape \(1,\), expected \(2,\)"),
            (("A",), [np.inf], None, "found an infinite number"),
            (("A",), [1], [1, 2], r"segments: found shape \(2,\), expected \(1, segments\)"),
            (("A",), [1], [[1], [2]], r"segments: found shape \(2, 1\), expected \(1, segments\)"),
            (("A",), ["x"], None, "expected an array of numbers"),
        ],
    )
    def test_shapes_are_checked(
        self, systems: tuple[str, ...], values: Any, segments: Any, message: str
    ) -> None:
        with pytest.raises(InputError, match=message):
            Judgments(name="n", criterion="c", systems=systems, values=values, segments=segments)
        with pytest.raises(InputError, match=message):
            MetricScores(metric="m", systems=systems, values=values, segments=segments)

    def test_comparisons_are_checked(self) -> None:
        with pytest.raises(InputError, match="found system 1 against itself"):
            comparisons((1, 1, False))
        with pytest.raises(InputError, match="found a negative better"):
            comparisons((-1, 1, False))
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"better": [1, 2]}, "expected one length for all"),
            ({"judge": [1.5]}, "found judge of float64, expected whole numbers"),
        ]
        for change, message in wrong:
            given: dict[str, Any] = {
                "segment": [1], "judge": [1], "better": [1], "worse": [2], "tie": [False],
            }  # fmt: skip
            with pytest.raises(InputError, match=message):
                Comparisons(**given | change)
        for systems, segments in ((("A",), None), (("A", "B"), np.zeros((2, 0)))):
            with pytest.raises(InputError, match="comparisons: found s"):
                Judgments(
                    name="n",
                    criterion="c",
                    systems=systems,
                    values=np.zeros(len(systems)),
                    segments=segments,
                    comparisons=comparisons((0, 1, False)),
                )

    def test_exclusions_are_sentences(self) -> None:
        assert str(Exclusion(reason="rankings", count=2, example="f:3")) == (
            "2 rankings (such as f:3)"
        )
