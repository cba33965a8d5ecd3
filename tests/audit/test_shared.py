"""Audits of real systems."""

import sys
from pathlib import Path

import numpy as np
import pytest

from tertium.audit import AUDITS
from tertium.audit.case import cases
from tertium.audit.deletion import deletions, resamples
from tertium.audit.sign_test import pair_test
from tertium.inference.units import units_of
from tertium.metrics.contract.table import METRICS
from tertium.scored import scored
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs

REAL_METRICS = ["bleu", "bleu-sbp", "grr", "chrf", "ter", "meteor"]


def real(shared_data: Path, name: str) -> Chunk:
    if name == "wmt12 de-en":
        outputs = sorted((shared_data / "wmt12" / "system-outputs" / "de-en").iterdir())
        return open_inputs(
            [str(shared_data / "wmt12" / "newstest2012-ref.en")], [str(one) for one in outputs]
        ).load()
    folder = shared_data / "wmt23"
    outputs = sorted((folder / "system-outputs" / "zh-en").glob("*.txt"))
    return open_inputs(
        [str(folder / "references" / "zh-en.refA.txt")],
        [str(one) for one in outputs if "ref" not in one.stem],
        documents=str(folder / "documents" / "zh-en.docs"),
    ).load()


@pytest.mark.shared
@pytest.mark.parametrize("name", ["wmt12 de-en", "wmt23 zh-en"])
def test_real_systems(shared_data: Path, name: str) -> None:
    """Prints the table of docs/audits.md (pytest -s)."""
    whole = real(shared_data, name)
    segments = len(whole)
    metrics = [one for one in REAL_METRICS if METRICS[one].missing() is None]
    draws = resamples(units_of(segments, None), seed=12345, alpha=0.05)
    lines = [
        f"\n{name}: {len(whole.systems)} systems, {segments} segments",
        "metric    mutual  against  reversals  crossed   free  licensed    most  tolerated",
    ]
    measured = {}
    for case in cases(scored(whole.corpus, whole.systems, metrics), alpha=0.05, seed=12345):
        tests = [pair_test(case, *pair) for pair in case.pairs]
        mutual = sum(one.contradicts_itself for one in tests)
        against = sum(one.contradicts_scores and not one.contradicts_itself for one in tests)
        reversals = sum(one.numbers["reversed"] for one in AUDITS["reversal"](case))
        crossed = [
            float(np.mean(one.into_baseline.effects * one.into_system.effects > 0)) for one in tests
        ]
        empty = case.metric.statistics([""] * segments, whole.corpus.references)
        alone, shares = case.metric.for_segments(), []
        for rows, counts in zip(case.rows, case.lengths.words, strict=True):
            result = deletions(case.metric, rows, empty, counts, draws=draws, alpha=0.05)
            free = result.order[: result.free]
            gain = case.sign * (alone.score(rows[free]) - alone.score(empty[free]))
            spoken = counts.sum()
            shares.append(
                (
                    counts[free].sum() / spoken,
                    counts[free[gain > 1e-9]].sum() / spoken,
                    counts[result.order[: result.tolerated]].sum() / spoken,
                )
            )
        median, most = np.median(shares, axis=0), max(one[1] for one in shares)
        lines.append(
            f"{case.metric.spec:<9} {mutual:>6} {against:>8} {reversals:>10} "
            f"{np.median(crossed):>8.1%} {median[0]:>6.1%} {median[1]:>9.1%} {most:>7.1%} "
            f"{median[2]:>10.1%}"
        )
        measured[case.metric.spec] = (mutual, reversals, max(crossed), most)
    sys.stdout.write("\n".join(lines) + "\n")
    for decomposable in ("grr", "ter"):
        assert measured[decomposable] == (0, 0, 0.0, 0.0)
    assert measured["bleu"][0] > 0
    assert measured["bleu-sbp"][0] == 0
    assert measured["bleu"][3] > 0.05
