"""p-values of Moses and MultEval on WMT17 English-German, and runs of MultEval's example."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from tertium.inference import (
    MetricRows,
    approximate_randomization,
    paired_bootstraps,
    randomizations,
    substitution_sign_test,
)
from tertium.metrics.contract.table import parse_metric
from tertium.text.references import References

pytestmark = pytest.mark.shared

BASELINE = "newstest2017.LIUM-NMT.4900.en-de"


def packed_lines(path: Path) -> list[str]:
    text = gzip.decompress(path.read_bytes()).decode("utf-8")
    return text.removesuffix("\n").split("\n")


def german_rows(folder: Path, systems: list[str], metric: str) -> MetricRows:
    chosen = parse_metric(metric)
    references = References.of(packed_lines(folder / "reference.gz"))
    rows = [
        chosen.statistics(packed_lines(folder / f"{name}.gz"), references)
        for name in [BASELINE, *systems]
    ]
    return MetricRows(metric=chosen, rows=np.stack(rows))


# More trials than the 1000 and 10,000 of habit: else our chance alone could miss the tolerance.
# The other programs had theirs: at 10,000 trials a p-value near .58 has a standard error of .005.
@pytest.mark.parametrize(
    ("metric", "column", "trials", "tolerance"),
    [
        ("bleu[tokenizer=none]", "moses_paired_bootstrap_bleu", 50_000, 0.01),
        ("bleu[tokenizer=none]", "multeval_ar_bleu", 100_000, 0.01),
        ("ter", "multeval_ar_ter", 100_000, 0.015),
    ],
)
def test_p_values_of_other_programs(
    metric: str, column: str, trials: int, tolerance: float, shared_data: Path
) -> None:
    with (shared_data / "sacrebleu/p-values.tsv").open(encoding="utf-8") as file:
        gold = {row["system"]: float(row[column]) for row in csv.DictReader(file, delimiter="\t")}
    group = german_rows(shared_data / "sacrebleu/wmt17-en-de", list(gold), metric)
    if "bootstrap" in column:
        tests = paired_bootstraps([group], trials=trials)[0]
        found = [test.p_value_moses for test in tests]
    else:
        found = [test.p_value for test in randomizations([group], trials=trials)[0]]
    assert len(found) == 15
    chance = 2 * np.sqrt(0.25 / trials)
    np.testing.assert_allclose(found, list(gold.values()), atol=tolerance + chance)


@pytest.mark.parametrize("metric", ["bleu[tokenizer=none]", "wer[tokenizer=none]"])
def test_optimiser_runs_of_multeval(metric: str, shared_data: Path) -> None:
    folder = shared_data / "multeval/example"
    chosen = parse_metric(metric)
    references = References.of(_lines(folder / "refs.test2010.lc.tok.en.0"))
    baseline, first, second = (
        np.stack(
            [
                chosen.statistics(_lines(folder / f"hyps.lc.tok.en.{name}.opt{run}"), references)
                for run in range(3)
            ]
        )
        for name in ("baseline", "sys1", "sys2")
    )
    # sys2 is a copy of the baseline.
    assert approximate_randomization(chosen, baseline, second, trials=1000).p_value == 1
    found = approximate_randomization(chosen, baseline, first, trials=1000)
    means = [float(np.mean(chosen.score(rows.sum(axis=1)))) for rows in (baseline, first)]
    assert found.delta == pytest.approx(means[1] - means[0])
    assert found.runs == 3
    assert 1 / 1001 <= found.p_value < 1


@pytest.mark.parametrize(
    ("metric", "contradicts"), [("bleu", True), ("bleu-sbp", False), ("wer", False), ("grr", False)]
)
def test_bleu_contradicts_itself_on_real_systems(
    metric: str, contradicts: bool, shared_data: Path
) -> None:
    # What Chiang et al. (2008) met, on systems of WMT12: each is significantly better.
    folder = shared_data / "wmt12/system-outputs/de-en"
    chosen = parse_metric(metric)
    references = References.of(_lines(shared_data / "wmt12/newstest2012-ref.en"))
    baseline, system = (
        chosen.statistics(_lines(folder / f"newstest2012.de-en.{name}"), references)
        for name in ("KIT_Phrase-Based_SMT_System", "onlineB")
    )
    found = substitution_sign_test(chosen, baseline, system)
    assert found.contradicts_itself is contradicts
    assert len(found.findings) == (2 if contradicts else 0)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
