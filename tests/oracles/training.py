"""One update of each way to train, as plainly as Python allows."""

from collections.abc import Sequence
from math import exp, log

Features = Sequence[Sequence[float]]


def model_scores(features: Features, weights: Sequence[float]) -> list[float]:
    return [sum(w * x for w, x in zip(weights, row, strict=True)) for row in features]


def perceptron(features: Features, weights: Sequence[float], worth: Sequence[float]) -> list[float]:
    """Collins 2002: towards the best hypothesis, away from the one that the model prefers."""
    model = model_scores(features, weights)
    places = range(len(worth))
    chosen = max(places, key=lambda i: model[i])
    oracle = max(places, key=lambda i: (worth[i], model[i]))
    if worth[chosen] == worth[oracle]:
        return list(weights)
    return [w + x - y for w, x, y in zip(weights, features[oracle], features[chosen], strict=True)]


def mira(
    features: Features, weights: Sequence[float], worth: Sequence[float], longest: float
) -> list[float]:
    """Chiang 2012: w + min(C, (loss − margin) / |d|²) · d, d from fear to hope."""
    model = model_scores(features, weights)
    places = range(len(worth))
    hope = max(places, key=lambda i: model[i] + worth[i])
    fear = max(places, key=lambda i: model[i] - worth[i])
    towards = [x - y for x, y in zip(features[hope], features[fear], strict=True)]
    missing = worth[hope] - worth[fear] - (model[hope] - model[fear])
    length = sum(x * x for x in towards)
    if missing <= 0 or length == 0:
        return list(weights)
    step = min(longest, missing / length)
    return [w + step * x for w, x in zip(weights, towards, strict=True)]


def ranking_loss(differences: Features, weights: Sequence[float], l2: float) -> float:
    """Hopkins & May 2011: logistic regression of which hypothesis is better."""
    margins = model_scores(differences, weights)
    return sum(log(1 + exp(-m)) for m in margins) / len(margins) + l2 / 2 * sum(
        w * w for w in weights
    )
