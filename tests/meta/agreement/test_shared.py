"""Agreement of the official BLEU and chrF with MQM, WMT23, against plain Python."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tertium.meta.agreement.agreement_table import Agreement, agree
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tests.oracles import agreement as oracle

pytestmark = pytest.mark.shared


def read(path: Path) -> dict[str, list[float | None]]:
    """The scores of every system, in the order of segments; None where nobody rated."""
    found: dict[str, list[float | None]] = {}
    for line in path.read_text().splitlines():
        system, value = line.split("\t")
        found.setdefault(system, []).append(None if value == "None" else float(value))
    return found


def numbers(rows: list[list[float | None]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[np.nan if x is None else x for x in row] for row in rows])


@pytest.fixture(scope="module")
def official(shared_data: Path) -> Callable[[str, str], tuple[Agreement, list[oracle.Matrix]]]:
    def load(pair: str, metric: str) -> tuple[Agreement, list[oracle.Matrix]]:
        folder = shared_data / "wmt23"
        said = [read(folder / f"human-scores/{pair}.mqm.{kind}.score") for kind in ("sys", "seg")]
        made = [
            read(folder / f"metric-scores/{pair}/{metric}-refA.{kind}.score")
            for kind in ("sys", "seg")
        ]
        systems = tuple(name for name in said[0] if "ref" not in name)
        judgments = Judgments(
            name=pair,
            criterion="mqm",
            systems=systems,
            values=numbers([said[0][name] for name in systems])[:, 0],
            segments=numbers([said[1][name] for name in systems]),
        )
        scores = MetricScores(
            metric=metric,
            systems=tuple(made[0]),
            values=numbers(list(made[0].values()))[:, 0],
            segments=numbers([made[1][name] for name in made[0]]),
        )
        matrices = [[kind[1][name] for name in systems] for kind in (said, made)]
        measures = [
            *("pearson", "kendall", "accuracy", "segment-pearson-none", "segment-pearson-item"),
            *("segment-kendall-item", "segment-pearson-system", "acc-eq-item"),
        ]
        return agree(judgments, scores, measures=measures), matrices

    return load


@pytest.mark.parametrize(
    ("pair", "metric", "systems", "rated", "tau_groups"),
    [("zh-en", "BLEU", 15, 1177, 1161), ("he-en", "chrF", 12, 820, 767)],
)
def test_official_scores_against_mqm(
    pair: str,
    metric: str,
    systems: int,
    rated: int,
    tau_groups: int,
    official: Callable[[str, str], tuple[Agreement, list[oracle.Matrix]]],
) -> None:
    found, (people, scores) = official(pair, metric)
    assert len(found.systems) == systems
    items = oracle.groups(people, scores, "item")
    for measure, groups, plain in (
        ("segment-pearson-none", oracle.groups(people, scores, "none"), oracle.pearson),
        ("segment-pearson-item", items, oracle.pearson),
        ("segment-pearson-system", oracle.groups(people, scores, "system"), oracle.pearson),
        ("segment-kendall-item", items, oracle.tau_b),
    ):
        expected, count = oracle.mean([plain(one) for one in groups])
        assert found[measure].value == pytest.approx(expected, abs=1e-9), measure
        if measure.endswith("item"):
            assert found[measure].count == count
    assert found["segment-kendall-item"].count == tau_groups
    accuracy, epsilon = oracle.swept_epsilon(items)
    assert found["acc-eq-item"].value == pytest.approx(accuracy, abs=1e-9)
    assert found["acc-eq-item"].epsilon == epsilon
    assert found["acc-eq-item"].count == rated
