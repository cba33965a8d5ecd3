"""Sets of ratings with metrics that follow them, and the figures of mt-metrics-eval on WMT23."""

import csv
from pathlib import Path

import numpy as np

from tertium.meta.agreement.overview import RatedSet
from tertium.meta.ratings.judgments import Judgments, MetricScores

SYSTEMS = tuple("abcdef")


def rated(
    name: str, *, seed: int, metrics: tuple[str, ...] = ("COMET-refA", "GEMBA-src", "noise-refA")
) -> RatedSet:
    """Six systems rated on 60 segments; the metrics follow people less and less."""
    rng = np.random.default_rng(seed)
    quality = np.arange(6.0)[:, None] / 3
    ratings = quality + rng.normal(size=(6, 60))
    people = Judgments(
        name=name,
        criterion="mqm",
        systems=SYSTEMS,
        values=ratings.mean(axis=1),
        segments=ratings,
        documents=tuple(str(segment // 5) for segment in range(60)),
    )
    scores = []
    for place, metric in enumerate(metrics):
        outputs = ratings / (1 + 3 * place) + rng.normal(size=ratings.shape)
        scores.append(
            MetricScores(
                metric=metric, systems=SYSTEMS, values=outputs.mean(axis=1), segments=outputs
            )
        )
    return RatedSet(judgments=people, scores=tuple(scores))


def golden(shared_data: Path) -> list[dict[str, str]]:
    """A row for each of twelve metrics and two language pairs."""
    path = shared_data.parent / "oracles/meta/wmt23-mt-metrics-eval.tsv"
    lines = [
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    return list(csv.DictReader(lines, delimiter="\t"))
