"""What a million segments cost in core-seconds and bytes, and so what a billion do.

Processor time on one thread, the least of some runs, from text in memory to rows. The rest is
calculated from these figures: ``python benchmarks/costs.py``.
"""

import argparse
import itertools
import math
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import data
from machine import machine_facts

METRICS: Final = (
    "bleu", "chrf", "chrf[word_order=2]", "wer", "per", "ribes", "rouge-l", "rouge-su", "gtm",
    "nist", "ter", "amber",
)  # fmt: skip
SYSTEMS: Final = (1, 2, 4, 8)
REFERENCES: Final = (1, 2, 4, 8)
TRIALS: Final = (250, 500, 1000, 2000)
MILLION: Final = 1_000_000
MACHINES: Final = (1, 10, 100)
CORES: Final = 16
"""Of a machine in the table of a billion segments."""
NETWORK: Final = 1.25e9
"""Bytes a second that a machine can read from elsewhere: 10 Gbit/s."""
DISK: Final = 0.5e9
"""Bytes a second that a disk of its own gives."""


def least(work: Callable[[], Any], runs: int) -> float:
    """CPU seconds of the fastest run."""

    def timed() -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    return min(timed() for _ in range(runs))


def growth(sizes: Sequence[int], seconds: Sequence[float]) -> str:
    """Seconds by size, and the power of the size that they grow with."""
    power = math.log(seconds[-1] / seconds[0]) / math.log(sizes[-1] / sizes[0])
    pairs = zip(sizes, seconds, strict=True)
    cells = " | ".join(f"{size:,}: {1000 * one:.0f} ms" for size, one in pairs)
    return f"{cells} | {power:.2f}"


class Texts:
    """Hypotheses and references in memory, and in files."""

    def __init__(self, segments: int, folder: Path) -> None:
        from tertium._native import Texts as Native

        pairs = list(itertools.islice(data.numbered_pairs(), segments * max(REFERENCES)))
        self.segments, self.folder = segments, folder
        self.hypotheses = Native([pair[0] for pair in pairs[:segments]])
        # Others' references are as long as ours, and no more alike than those of two people are.
        self.references = [
            Native([pair[1] for pair in pairs[start : start + segments]])
            for start in range(0, len(pairs), segments)
        ]
        self.files = []
        for side in (0, 1):
            path = folder / f"{side}.txt"
            path.write_text("".join(f"{pair[side]}\n" for pair in pairs[:segments]), "utf-8")
            self.files.append(str(path))
        self.bytes: int = sum(Path(path).stat().st_size for path in self.files)

    def seconds(self, metric: str, runs: int, *, references: int = 1) -> float:
        """Of all rows; what a metric must know of all references is fitted each time."""
        from tertium.metrics.contract.table import parse_metric
        from tertium.text.references import References

        chosen = parse_metric(metric)
        columns = self.references[:references]

        def work() -> None:
            shared = References(columns)
            chosen.fit(shared).statistics(self.hypotheses, shared)

        return least(work, runs)

    def read(self, metric: str, statistics: Path | None = None) -> None:
        """Score the files."""
        from tertium.evaluation import evaluate_inputs
        from tertium.text.input_files import open_inputs

        inputs = open_inputs([self.files[1]], [self.files[0]], names=["one"])
        evaluate_inputs(inputs, [metric], statistics=statistics)

    def part(self, metric: str) -> int:
        """The bytes of the file of statistics."""
        path = self.folder / "part.parquet"
        self.read(metric, path)
        return path.stat().st_size


def of_metrics(texts: Texts, runs: int) -> dict[str, float]:
    """The table of metrics; core-seconds for a million segments of each."""
    from tertium.metrics.contract.table import parse_metric

    print("| metric | core-seconds | rows in memory | rows in Parquet |\n|---|---:|---:|---:|")
    found = {}
    for metric in METRICS:
        scale = MILLION / texts.segments
        found[metric] = scale * texts.seconds(metric, runs)
        memory = 8 * len(parse_metric(metric).columns)
        parquet = scale * texts.part(metric) / 1e6
        print(f"| `{metric}` | {found[metric]:.2f} | {memory} MB | {parquet:.1f} MB |")
    return found


def of_growth(texts: Texts, runs: int) -> None:
    """How the work grows with segments, references, systems and trials."""
    import tertium
    from tertium._native import Texts as Native
    from tertium.inference import with_intervals
    from tertium.text.corpus import Corpus, System
    from tertium.text.references import References

    size = texts.segments
    sizes = [size // 8, size // 4, size // 2, size]
    pairs = [(texts.hypotheses[i] or "", texts.references[0][i] or "") for i in range(size)]
    corpus = Corpus(name="any", references=References(texts.references[:1]))
    systems = [System(name=f"{n}", hypotheses=texts.hypotheses) for n in range(max(SYSTEMS))]

    def some(metric: str, segments: int) -> float:
        sides = [Native([pair[side] for pair in pairs[:segments]]) for side in (0, 1)]
        chosen = tertium.parse_metric(metric)
        return least(lambda: chosen.statistics(sides[0], References(sides[1:])), runs)

    def several(metric: str, count: int) -> float:
        return least(lambda: tertium.evaluate(corpus, systems[:count], [metric]), runs)

    print("| with | metric | | | | | power |\n|---|---|---:|---:|---:|---:|---:|")
    for metric in ("bleu", "chrf", "ter"):
        cells = growth(sizes, [some(metric, one) for one in sizes])
        print(f"| segments | `{metric}` | {cells} |")
    for metric in ("bleu", "chrf", "ter"):
        found = [texts.seconds(metric, runs, references=one) for one in REFERENCES]
        print(f"| references | `{metric}` | {growth(REFERENCES, found)} |")
    for metric in ("bleu", "chrf"):
        cells = growth(SYSTEMS, [several(metric, one) for one in SYSTEMS])
        print(f"| systems | `{metric}` | {cells} |")
    rows = tertium.evaluate(corpus, systems[:1], ["bleu"], rows=True)
    found = [least(partial(with_intervals, rows, trials=one), runs) for one in TRIALS]
    print(f"| trials | `bleu` | {growth(TRIALS, found)} |")


def of_a_billion(seconds: dict[str, float], bytes_of_million: float) -> None:
    """The time that machines take, and what holds them up."""
    read = 1000 * bytes_of_million
    print(
        f"{read / 1e9:.0f} GB of text take {read / NETWORK:.0f} s / n by a network of "
        f"{NETWORK / 1e9:g} GB/s and {read / DISK:.0f} s / n from disks of {DISK / 1e9:g} GB/s\n"
    )
    print(
        f"| metric | core-hours | processors, n = 1 | {' | '.join(f'n = {n}' for n in MACHINES)} |"
    )
    print(f"|---|---:|---:|{'---:|' * len(MACHINES)}")
    for metric, one in seconds.items():
        cells = [f"{1000 * one / CORES:.0f} s"]
        for count in MACHINES:
            limits = {
                "processors": 1000 * one / (CORES * count),
                "network": read / (NETWORK * count),
                "disk": read / (DISK * count),
            }
            limit = max(limits, key=lambda name: limits[name])
            cells.append(f"{limits[limit]:.0f} s, {limit}")
        print(f"| `{metric}` | {1000 * one / 3600:.2f} | {' | '.join(cells)} |")


def main() -> None:
    """Measure, and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=40_000, help="how many are measured")
    parser.add_argument("--runs", type=int, default=3, help="of which the fastest counts")
    arguments = parser.parse_args()
    os.environ["TERTIUM_THREADS"] = "1"
    facts = machine_facts()
    print(f"{facts['processor']}, load {facts['load']}; texts: {data.origin()}")
    with tempfile.TemporaryDirectory(prefix="tertium-costs-") as folder:
        texts = Texts(arguments.segments, Path(folder))
        million = texts.bytes * MILLION / texts.segments
        print(f"a million pairs are {million / 1e6:.0f} MB of text\n")
        seconds = of_metrics(texts, arguments.runs)
        files = least(lambda: texts.read("bleu"), arguments.runs) * MILLION / texts.segments
        print(f"\nBLEU of two plain files, reading included: {files:.2f} core-seconds\n")
        of_growth(texts, arguments.runs)
    print(f"\nA billion segments on n machines with {CORES} cores each:\n")
    of_a_billion(seconds, million)


if __name__ == "__main__":
    main()
