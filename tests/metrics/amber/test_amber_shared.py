"""AMBER on WMT12 es-en, beside the published AMBER scores and the human ranking."""

from pathlib import Path

import pytest
from scipy.stats import pearsonr, spearmanr

from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.text.references import References
from tests.support.golden import lines

pytestmark = pytest.mark.shared

READINGS = [f"amber[{one}]" for one in ("continuity=mean", "continuity=restored", "ctp=0")]
SPECS = [
    "amber",
    *READINGS,
    "amber-basic",
    "amber[types=4+6]",
    "amber[tfidf=tf-idf]",
    "bleu",
    "meteor",
    "ter",
]


def published(path: Path, metric: str) -> dict[str, float]:
    """The scores of the es-en systems in one of the published tables."""
    rows = (line.split("\t") for line in lines(path)[1:] if line.strip())
    return {row[3]: float(row[4]) for row in rows if row[:2] == [metric, "es-en"]}


def test_agrees_with_the_published_scores(shared_data: Path) -> None:
    root = shared_data / "wmt12"
    tables = root / "published-system-scores" / "example-data-multi"
    theirs = published(tables / "mt-systems-scored-by-metrics", "AMBER")
    humans = published(tables / "mt-systems-scored-by-humans", "HUMAN")
    assert len(theirs) == 12
    assert theirs.keys() == humans.keys()
    references = References.of(lines(root / "newstest2012-ref.en"))
    outputs = [
        lines(root / "system-outputs" / "es-en" / f"newstest2012.es-en.{system}")
        for system in theirs
    ]
    correlations = {}
    values = {}
    for spec in SPECS:
        if METRICS[spec.partition("[")[0]].missing() is not None:
            continue
        metric = parse_metric(spec).fit(references)
        rows = [metric.statistics(texts, references) for texts in outputs]
        sign = 1 if metric.higher_is_better else -1
        ours = [sign * float(metric.score(each.sum(axis=0))) for each in rows]
        values[spec] = pearsonr(ours, list(theirs.values())).statistic
        with_theirs = spearmanr(ours, list(theirs.values())).statistic
        with_humans = spearmanr(ours, [humans[system] for system in theirs]).statistic
        print(  # noqa: T201 - shown by pytest -s
            f"{spec:20} with published AMBER {with_theirs:.3f}, with humans {with_humans:.3f}"
        )
        correlations[spec] = (with_theirs, with_humans)
    assert correlations["amber"][0] >= 0.95
    assert correlations["amber"][1] > correlations["bleu"][1]
    # The reading of equation 14 that the default takes is nearer to the authors' than none at all.
    assert values["amber"] == pytest.approx(0.9955, abs=1e-4)
    assert values["amber[continuity=restored]"] < values["amber[ctp=0]"] < values["amber"]
