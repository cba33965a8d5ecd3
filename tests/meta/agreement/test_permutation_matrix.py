"""Which metrics a permutation test compares."""

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.meta.agreement.permutation_test import permutation_matrix
from tertium.meta.ratings.judgments import Judgments, MetricScores

GOOD: list[list[float]] = [[1, 2], [2, 3], [3, 4], [4, 5]]
BAD: list[list[float]] = [[2, 1], [4, 2], [1, 4], [3, 3]]


class TestPermutationMatrix:
    def scored(self, name: str, values: list[list[float]]) -> MetricScores:
        segments = np.array(values)
        return MetricScores(
            metric=name,
            systems=("A", "B", "C", "D"),
            values=segments.mean(axis=1),
            segments=segments,
        )

    def rated(self, *values: float) -> Judgments:
        return Judgments(
            name="t", criterion="c", systems=("A", "B", "C", "D"), values=np.array(values)
        )

    def test_only_the_metric_ahead_has_a_p_value(self) -> None:
        scores = [self.scored("good", GOOD), self.scored("bad", BAD)]
        there = permutation_matrix(self.rated(1, 2, 3, 4), scores, trials=99)
        back = permutation_matrix(self.rated(1, 2, 3, 4), scores[::-1], trials=99)
        assert np.array_equal(np.isnan(there.p_values), [[True, False], [True, True]])
        assert there.p_values[0, 1] == back.p_values[1, 0]
        assert there.agreements == back.agreements[::-1]
        assert there.to_dict()["p_values"][1] == [None, None]

    def test_what_is_not_defined_has_none(self) -> None:
        scores = [self.scored("good", GOOD), self.scored("bad", BAD)]
        tied = permutation_matrix(self.rated(1, 1, 1, 1), scores, trials=9)
        assert np.isnan(tied.p_values).all()
        without = MetricScores(metric="m", systems=("A", "B", "C", "D"), values=np.arange(4.0))
        with pytest.raises(InputError, match="t c: found 1 metric with a score of every segment"):
            permutation_matrix(self.rated(1, 2, 3, 4), [scores[0], without], exchange="items")
