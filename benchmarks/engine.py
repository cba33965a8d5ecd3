"""The engine with two workers on Parquet files, against one run of two threads on the same.

Start-up is apart: the workers run and have imported what they need before the clock does. Every
way is taken several times, in turns, and the fastest counts.

    python benchmarks/engine.py --segments 4000000 --parts 16
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter

from data import numbered_pairs

from tertium import _native
from tertium.evaluation import evaluate_inputs
from tertium.results import Evaluation
from tertium.scale.engine import Cluster, PartitionedCorpus, score_partitions
from tertium.scale.engine.cluster import local_workers
from tertium.text.input_files import open_inputs

WORKERS = 2


def write_texts(folder: Path, segments: int, parts: int) -> None:
    """The same pairs as two files of text, one Parquet file, and a folder of some."""
    import pyarrow
    from pyarrow import parquet

    (folder / "parts").mkdir()
    pairs = numbered_pairs()
    schema = pyarrow.schema([("hypothesis", pyarrow.string()), ("reference", pyarrow.string())])
    with (
        (folder / "hyp.txt").open("w", encoding="utf-8") as ours,
        (folder / "ref.txt").open("w", encoding="utf-8") as theirs,
        parquet.ParquetWriter(folder / "whole.parquet", schema) as whole,
    ):
        for number in range(parts):
            size = segments // parts + (number < segments % parts)
            hypotheses, references = zip(*islice(pairs, size), strict=True)
            ours.writelines(f"{one}\n" for one in hypotheses)
            theirs.writelines(f"{one}\n" for one in references)
            columns = {"hypothesis": hypotheses, "reference": references}
            table = pyarrow.table(columns, schema=schema)
            whole.write_table(table)
            parquet.write_table(table, folder / "parts" / f"{number:04}.parquet")


def plain(metrics: Sequence[str], *paths: Path) -> Evaluation:
    """One run, on as many threads as the engine has workers."""
    _native.set_worker_count(WORKERS)
    return evaluate_inputs(open_inputs(*paths), metrics)


def main() -> None:
    """Write the texts, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=4_000_000)
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("-m", "--metrics", nargs="+", default=["bleu"])
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="tertium-engine-") as name,
        local_workers(WORKERS) as local,
    ):
        folder = Path(name)
        write_texts(folder, arguments.segments, arguments.parts)
        corpus = PartitionedCorpus(references=[str(folder / "parts")])
        cluster = Cluster(scheduler=local.scheduler_address, threads=1)
        ways: dict[str, Callable[[], Evaluation]] = {
            "engine, Parquet": lambda: score_partitions(corpus, arguments.metrics, cluster=cluster),
            "one run, Parquet": lambda: plain(arguments.metrics, folder / "whole.parquet"),
            "one run, text": lambda: plain(
                arguments.metrics, folder / "ref.txt", folder / "hyp.txt"
            ),
        }
        measure(ways, arguments.repeat)


def measure(ways: dict[str, Callable[[], Evaluation]], repeat: int) -> None:
    """Take every way in turns, after once without a clock; all must give the same bits."""
    best: dict[str, float] = {}
    scores: dict[str, list[str]] = {}
    for turn in range(repeat + 1):
        for name, way in ways.items():
            start = perf_counter()
            found = way()
            seconds = perf_counter() - start
            scores[name] = [one.value.hex() for one in found.systems[0].scores]
            if turn:
                best[name] = min(seconds, best.get(name, seconds))
    first = next(iter(ways))
    for name, seconds in best.items():
        same = "same bits" if scores[name] == scores[first] else "OTHER BITS"
        print(f"{name:18} {seconds:7.2f} s   {best[first] / seconds:5.2f} x   {same}")


if __name__ == "__main__":
    main()
