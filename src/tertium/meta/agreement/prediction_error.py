"""Prediction error, (1 − R²) in percent (Papineni et al. 2002, figures 3, 4, 8 and 9).

The share of the differences between people's ratings that a straight line through a metric's
scores does not explain; for BLEU also by the length of its longest n-gram.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.correlation import pearson
from tertium.meta.agreement.shared_systems import align, metric_scores
from tertium.meta.ratings.judgments import Exclusion, Floats, Judgments, or_none
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.scored.scored import scored
from tertium.tables import dataframe
from tertium.text.corpus import Corpus, System


def prediction_error(ratings: Floats, scores: Floats) -> Floats:
    """100 (1 − R²), along the last axis; NaN where a side is constant.

    >>> float(prediction_error(np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 4, 3])))
    64.0
    """
    return 100 * (1 - pearson(ratings, scores) ** 2)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictionErrors:
    """A metric's prediction error on each set of ratings, for every order of n-grams.

    ``errors`` has the shape (ratings, orders), NaN where a correlation is not defined.
    """

    metric: str
    orders: tuple[int, ...]
    names: tuple[str, ...]
    criteria: tuple[str, ...]
    systems: tuple[int, ...]
    errors: Floats = field(repr=False)
    exclusions: tuple[Exclusion, ...] = ()

    def best_order(self, row: int) -> int:
        """The order with the smallest error on one set of ratings."""
        if np.isnan(self.errors[row]).all():
            raise InputError(
                f"{self.names[row]} {self.criteria[row]}: no prediction error of {self.metric} "
                "is defined, expected at least one"
            )
        return self.orders[int(np.nanargmin(self.errors[row]))]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; what is not defined is null."""
        return {
            "metric": self.metric,
            "orders": list(self.orders),
            "exclusions": [exclusion.to_dict() for exclusion in self.exclusions],
            "errors": [
                {
                    "name": name,
                    "criterion": criterion,
                    "systems": systems,
                    "prediction_error": [or_none(error) for error in row],
                }
                for name, criterion, systems, row in zip(
                    self.names, self.criteria, self.systems, self.errors.tolist(), strict=True
                )
            ],
        }

    def to_dataframe(self) -> Any:
        """One row per set of ratings and order; needs pandas."""
        return dataframe(
            {
                "metric": self.metric,
                "name": name,
                "criterion": criterion,
                "order": order,
                "prediction_error": error,
            }
            for name, criterion, row in zip(
                self.names, self.criteria, self.errors.tolist(), strict=True
            )
            for order, error in zip(self.orders, row, strict=True)
        )


def check_order(metric: Metric) -> None:
    """Refuse a metric whose n-grams have no longest length to choose."""
    if "order" not in {option.name for option in metric.options}:
        raise OptionError(
            f"{metric.name}: has no order of n-grams, expected bleu, nist or the like"
        )


def prediction_errors(
    metric: AnyMetric,
    corpus: Corpus,
    systems: Sequence[System],
    judgments: Sequence[Judgments],
    *,
    orders: Sequence[int] = range(1, 17),
) -> PredictionErrors:
    """The prediction error of a metric with n-grams up to each of some lengths."""
    chosen = as_metric(metric)
    check_order(chosen)
    if not orders or not judgments:
        raise InputError("prediction errors: found no orders or no ratings, expected some of both")
    columns = []
    for order in orders:  # one after the other: the rows of all would take much memory
        (scores,) = metric_scores(scored(corpus, systems, [chosen.with_options(order=order)]))
        columns.append([align(judgment, replace(scores, segments=None)) for judgment in judgments])
    for aligned in columns[0]:
        aligned.check_systems(3)
    errors = [[float(prediction_error(a.ratings, a.scores)) for a in column] for column in columns]
    return PredictionErrors(
        metric=chosen.spec,
        orders=tuple(orders),
        names=tuple(judgment.name for judgment in judgments),
        criteria=tuple(judgment.criterion for judgment in judgments),
        systems=tuple(len(aligned.systems) for aligned in columns[0]),
        errors=np.array(errors).T,
        exclusions=tuple(
            dict.fromkeys(
                x
                for aligned in columns[0]
                for x in (*aligned.judgments.exclusions, *aligned.exclusions)
            )
        ),
    )
