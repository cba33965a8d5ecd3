"""Made-up corpora in partitions, and a cluster of Dask's to work on them."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

WORDS = [
    "the", "a", "cat", "dog", "sat", "ran", "on", "mat", "house", "of", "green", "blue", "said",
    "that", "it", "was", "very", "old", "猫", "房子", "بيت", "שלום", "naïve", "1,000", "can't", ".",
]  # fmt: skip


class Segment(NamedTuple):
    """One row of a table."""

    reference: str
    hypothesis_a: str
    hypothesis_b: str
    genre: str
    document: str


def segments(count: int, seed: int = 1) -> list[Segment]:
    """Made-up texts; the systems change some of the reference's words."""
    rng = random.Random(seed)

    def changed(words: Sequence[str], share: float) -> str:
        kept = [rng.choice(WORDS) if rng.random() < share else word for word in words]
        return " ".join(kept[: rng.randint(len(kept) - 2, len(kept))])

    made = []
    for number in range(count):
        words = [rng.choice(WORDS) for _ in range(rng.randint(3, 14))]
        made.append(
            Segment(
                reference=" ".join(words),
                hypothesis_a=changed(words, 0.3),
                hypothesis_b=changed(words, 0.25),
                genre=("web", "news", "speech")[number % 3],
                document=f"d{number // 20}",
            )
        )
    return made


def cut(some: Sequence[Segment], parts: int) -> list[Sequence[Segment]]:
    """So many parts, none of which has a round size."""
    rng = random.Random(parts)
    ends = [0, *sorted(rng.sample(range(1, len(some)), parts - 1)), len(some)]
    return [some[a:b] for a, b in pairwise(ends)]


def write_table(path: Path, some: Sequence[Segment]) -> None:
    """A table of the format that the name says."""
    rows = [one._asdict() for one in some]
    if path.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        columns = {name: [row[name] for row in rows] for name in Segment._fields}
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
    elif path.suffix == ".jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_text(text, encoding="utf-8")
    else:
        lines = ["\t".join(Segment._fields), *("\t".join(one) for one in some)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_tables(folder: Path, some: Sequence[Segment], parts: int, kind: str) -> Path:
    """A folder of tables; beside it ``whole`` has all of them in one."""
    tables = folder / "tables"
    tables.mkdir(parents=True)
    for number, part in enumerate(cut(some, parts)):
        write_table(tables / f"part-{number:02}.{kind}", part)
    (tables / "_SUCCESS").write_bytes(b"")  # as Spark leaves it
    write_table(folder / f"whole.{kind}", some)
    return tables


PROGRAM = """
import logging, sys
if __name__ == "__main__":
    from distributed import LocalCluster
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", memory_limit=0,
        silence_logs=logging.CRITICAL,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


class RunningCluster(NamedTuple):
    """A scheduler with two workers, in processes of their own."""

    address: str
    process: "subprocess.Popen[str]"

    def kill(self) -> None:
        """End the scheduler without a warning; its workers follow."""
        self.process.kill()
        self.process.wait()


@contextmanager
def dask_cluster(folder: Path) -> Iterator[RunningCluster]:
    """A cluster that is ended at the latest when the test has ended."""
    script = folder / "cluster.py"
    script.write_text(PROGRAM, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield RunningCluster(process.stdout.readline().strip(), process)
        process.stdin.close()
