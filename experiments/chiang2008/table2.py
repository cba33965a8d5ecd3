"""Chiang et al. (2008), Table 2: the sign test contradicts itself under BLEU."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from experiments.data import WMT12, WMT17, WMT23, Data, length_ratio
from experiments.running import main
from experiments.sections import MISSING, Claim, Section, Table, number
from tertium import Metric, parse_metric
from tertium.inference import SignTest, Substitutions, substitution_sign_test
from tertium.metrics.contract.base import Rows

NIST_BLEU: Final = "bleu[reference_length=shortest]"
METRICS: Final = {
    "BLEU": NIST_BLEU,
    "BLEU-SBP": "bleu-sbp",
    "METEOR": "meteor-0.6",
    "GTM": "gtm",
    "4-GRR": "grr",
    "WER": "wer",
}
SLOW: Final = {"MaxSim": "maxsim"}
"""Tags every word, so it is asked about one pair only."""

PAPER: Final = {
    "BLEU": ("29.6++", "29.3++"),
    "BLEU-SBP": ("28.0", "27.8"),
    "METEOR": ("53.1++", "52.2−−"),
    "GTM": ("45.5++", "44.8−−"),
    "MaxSim": ("40.7++", "39.6−−"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two systems of a test set, the one with the better BLEU first."""

    test_set: str
    first: int
    second: int
    test: SignTest


def run(data: Data) -> Section:
    """All pairs under all metrics, and the nearest contradiction in the paper's shape."""
    tests = {title: list(pairs(data, spec)) for title, spec in METRICS.items()}
    counts = Table(
        columns=["metric", "pairs", "each better (or worse) than the other", "against the scores"],
        rows=[
            [
                title,
                str(len(found)),
                str(sum(one.test.contradicts_itself for one in found)),
                str(sum(one.test.contradicts_scores for one in found)),
            ]
            for title, found in tests.items()
        ],
        note=(
            "All pairs of systems of WMT12 (cs-en, de-en, es-en), WMT17 (de-en, ru-en, tr-en) and "
            "WMT23 (he-en, zh-en). “Against the scores”: a direction of the test finds the system "
            "with the worse score significantly better (p < 0.05)."
        ),
    )
    blocks: list[str | Table | Claim] = [INTRODUCTION]
    mutual = [one for one in tests["BLEU"] if one.test.contradicts_itself]
    if mutual:
        nearest = min(mutual, key=lambda one: abs(one.test.delta))
        blocks += _shown(data, nearest)
    contradicted = {t: any(one.test.contradicts_itself for one in f) for t, f in tests.items()}
    return Section(
        title="Chiang et al. (2008), Table 2: the sign test",
        blocks=[
            *blocks,
            counts,
            Claim(
                text="under BLEU the sign test can find each of two systems better than the other.",
                outcomes={"these systems": contradicted["BLEU"]},
            ),
            Claim(
                text="it does not with the other metrics.",
                outcomes={title: not contradicted[title] for title in METRICS if title != "BLEU"},
            ),
        ],
    )


INTRODUCTION: Final = (
    "The paper met two versions of one system with BLEU 29.6 (length ratio 1.02) and 29.3 (0.97), "
    "each significantly better than the other by the sign test of Collins et al. (2005). Here the "
    "pairs are different systems of one test set, with one reference instead of several. Of the "
    "pairs that contradict each other the one with the smallest difference in BLEU is shown; "
    "++ and −− mark systems significantly better and worse than the other one (p < 0.01), "
    "+ and − the same with p < 0.05."
)


def pairs(data: Data, spec: str) -> Iterator[Pair]:
    """The sign test of all pairs of systems of all test sets under one metric."""
    for test_set in (*WMT12, *WMT17, *WMT23):
        counted = data.counted(test_set, spec)
        order = (-counted.sign * counted.values).argsort(kind="stable").tolist()
        for first, second in combinations(order, 2):
            rows = counted.rows
            test = substitution_sign_test(counted.metric, rows[first], rows[second])
            yield Pair(test_set=test_set, first=first, second=second, test=test)


def _shown(data: Data, pair: Pair) -> list[str | Table | Claim]:
    names = data.test_set(pair.test_set).names
    bleu = data.counted(pair.test_set, NIST_BLEU)
    columns, cells = [], []
    for title, spec in (METRICS | SLOW).items():
        metric, rows = _rows(data, pair, spec)
        test = substitution_sign_test(metric, rows[0], rows[1])
        columns.append(title)
        # Marks of a system come from putting its segments into the other system's output.
        cells.append(
            (
                number(test.baseline) + marks(test.into_system),
                number(test.system) + marks(test.into_baseline),
            )
        )
    ratios = [length_ratio(bleu, one) for one in (pair.first, pair.second)]
    both = (pair.first, pair.second)
    ours = [
        [names[one], number(ratios[k], 2), *(cell[k] for cell in cells)]
        for k, one in enumerate(both)
    ]
    paper = [
        [
            f"paper: system {k + 1}",
            ratio,
            *(PAPER[t][k] if t in PAPER else MISSING for t in columns),
        ]
        for k, ratio in enumerate(["1.02", "0.97"])
    ]
    table = Table(columns=["system", "length", *columns], rows=[*ours, *paper])
    return [f"The pair, of {pair.test_set}:", table]


def _rows(data: Data, pair: Pair, spec: str) -> tuple[Metric, list[Rows]]:
    if spec in METRICS.values():
        counted = data.counted(pair.test_set, spec)
        return counted.metric, [counted.rows[pair.first], counted.rows[pair.second]]
    loaded = data.test_set(pair.test_set)
    metric = parse_metric(spec).bind(loaded.corpus)
    both = (loaded.systems[one] for one in (pair.first, pair.second))
    return metric, [metric.statistics(one.hypotheses, loaded.corpus.references) for one in both]


def marks(into: Substitutions) -> str:
    """++ or + if the guest is significantly better than its host, −− or − if worse."""
    if into.p_value >= 0.05:
        return ""
    sign = "+" if into.better > into.worse else "−"
    return sign * (2 if into.p_value < 0.01 else 1)


if __name__ == "__main__":
    main(run)
