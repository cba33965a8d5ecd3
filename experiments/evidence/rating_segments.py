"""Ratings on their segments: means of systems, and chrF against people's ratings of segments.

`python -m experiments.evidence.rating_segments ../shared/data` reads the Appraise export of WMT24's
second wave. The last column takes the order in which items first appear in the export for the
number of the segment, as a reader without the test set would have to.
"""

import argparse
import csv
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.meta.agreement.agreement_table import agree
from tertium.meta.agreement.shared_systems import metric_scores, systems_as_rated
from tertium.meta.ratings.files import read_judgments
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.spans.segments import RatedCorpus
from tertium.metrics.contract.table import parse_metric
from tertium.scored.scored import scored
from tertium.text.corpus import Corpus, System

TARGETS = {"en-cs": "ces", "en-hi": "hin"}


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data
    print("| pair | systems | ratings | largest difference from the published rules' means "
          "| Pearson r of chrF, by segment | by order of appearance |")  # fmt: skip
    print("|---|---|---|---|---|---|")
    for pair in TARGETS:
        print(_row(data, pair))


def _row(data: Path, pair: str) -> str:
    folder = data / "wmt24"
    export = folder / "humeval" / "esa_wave2.csv.gz"
    texts = _corpus(folder, pair)
    (placed,) = read_judgments(
        export, pair=pair, criteria=["esa"], texts=texts, include_references=True
    )
    (unplaced,) = read_judgments(export, pair=pair, criteria=["esa"], include_references=True)
    systems = systems_as_rated(texts.systems, [placed])
    (chrf,) = metric_scores(scored(texts.corpus, systems, [parse_metric("chrf")]))
    difference = _difference(data, pair, placed)
    by_segment = _pearson(placed, chrf)
    by_appearance = _pearson(_as_lines(unplaced, len(texts.corpus)), chrf)
    return (
        f"| {pair} | {len(placed.systems)} | {placed.ratings} | {difference:.1e} "
        f"| {by_segment:.3f} | {by_appearance:.3f} |"
    )


def _as_lines(judgments: Judgments, size: int) -> Judgments:
    """The ratings as if items were lines in the order they appear in."""
    if judgments.segments is None:
        return judgments
    lines = np.full((len(judgments.systems), size), np.nan)
    lines[:, : judgments.segments.shape[1]] = judgments.segments
    return replace(judgments, segments=lines, documents=None, located=True)


def _pearson(judgments: Judgments, chrf: MetricScores) -> float:
    found = agree(judgments, chrf, measures=["segment-pearson-none"], resample=None)
    return found.measured[0].value


def _difference(data: Path, pair: str, judgments: Judgments) -> float:
    path = data.parent / "oracles" / "esa" / "wmt24-wave2.tsv"
    lines = [one for one in path.read_text(encoding="utf-8").splitlines() if one[0] != "#"]
    expected = {
        row["system"]: float(row["mean_of_segments"])
        for row in csv.DictReader(lines, delimiter="\t")
        if row["target"] == TARGETS[pair]
    }
    means: dict[str, float] = dict(zip(judgments.systems, judgments.values.tolist(), strict=True))
    return max(abs(expected[name] - means[name]) for name in expected.keys() | means.keys())


def _corpus(folder: Path, pair: str) -> RatedCorpus:
    def lines(path: Path) -> list[str]:
        return path.read_text(encoding="utf-8").splitlines()

    documents = [line.split("\t")[1] for line in lines(folder / "documents" / f"{pair}.docs")]
    corpus = Corpus(
        references=lines(folder / "references" / f"{pair}.refA.txt"), documents=documents
    )
    systems = tuple(
        System(name=path.stem, hypotheses=lines(path))
        for path in sorted((folder / "system-outputs" / pair).glob("*.txt"))
    )
    return RatedCorpus(corpus, systems)


if __name__ == "__main__":
    main()
