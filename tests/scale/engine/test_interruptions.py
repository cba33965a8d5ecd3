"""Workers and drivers that are killed or dawdle: the numbers are those of one plain run.

The first test takes as many pairs as the variable TERTIUM_SCALE_PAIRS says; 4,000,000 is what the
engine is made for.
"""

import json
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.support.commands import PATIENCE, process, started
from tests.support.scale.partitions import WORDS, dask_cluster, segments, write_tables

psutil = pytest.importorskip("psutil", reason="the extra dask is not installed")
pytest.importorskip("distributed", reason="the extra dask is not installed")
arrow = pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
pytestmark = pytest.mark.slow

PAIRS = int(os.environ.get("TERTIUM_SCALE_PAIRS", "320000"))
PARTS = 16


def test_a_worker_killed_midway_changes_no_bit(tmp_path: Path) -> None:
    references, hypotheses = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    tables = write_pairs(tmp_path / "tables", references, hypotheses, PAIRS)
    metrics = ("-m", "bleu", "chrf", "--names", "mine", "-f", "json")
    kept = tmp_path / "kept"
    there = ("--engine", "dask", "--workers", "2", "--resume", str(kept))
    with started("-m", "tertium", "score", str(tables), *metrics, *there) as driver:
        wait_for(lambda: len(finished(kept)) >= 3, driver)
        workers = workers_of(driver.pid)
        assert len(workers) == 2
        workers[0].send_signal(signal.SIGKILL)
        assert len(finished(kept)) < PARTS  # else nothing was at work any more
        out, err = driver.communicate(timeout=PATIENCE)
    assert (driver.returncode, err.decode()) == (0, "")
    plain = process("score", str(references), "-i", str(hypotheses), *metrics)
    assert out.decode() == plain.out
    assert json.loads(out)["segments"] == PAIRS


def test_a_driver_that_was_killed_goes_on(tmp_path: Path) -> None:
    tables = write_tables(tmp_path, segments(40_000), PARTS, "parquet")
    words = ("score", str(tables), "-m", "ter", "ribes", "-f", "json")
    kept = tmp_path / "kept"
    there = ("--engine", "dask", "--workers", "2", "--resume", str(kept))
    with started("-m", "tertium", *words, *there) as driver:
        wait_for(lambda: len(finished(kept)) >= 3, driver)
        driver.send_signal(signal.SIGSTOP)  # finding the workers takes long on a busy machine
        workers = workers_of(driver.pid)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    before = {file.name: file.stat().st_mtime_ns for file in finished(kept)}
    assert 3 <= len(before) < PARTS
    psutil.wait_procs(workers, PATIENCE)
    assert not any(worker.is_running() for worker in workers)  # nobody is left behind
    again = process(*words, *there)
    assert (again.status, again.err) == (0, "")
    after = {file.name: file.stat().st_mtime_ns for file in finished(kept)}
    assert len(after) == PARTS
    assert before.items() <= after.items()  # what was done was not done again
    assert again.out == process("score", str(tmp_path / "whole.parquet"), *words[2:]).out
    # A third time nothing is left to do, and other metrics are another run.
    assert process(*words, *there).out == again.out
    other = process("score", str(tables), "-m", "bleu", *there)
    assert (other.status, other.out) == (2, "")
    assert 'found metrics ["ter", "ribes"], expected ["bleu"], as asked for now' in other.err


def test_a_worker_that_stands_still_holds_nobody_up(tmp_path: Path) -> None:
    tables = write_tables(tmp_path, segments(40_000), PARTS, "parquet")
    words = ("score", str(tables), "-m", "ter", "-f", "json")
    kept = tmp_path / "kept"
    there = ("--engine", "dask", "--workers", "2", "--resume", str(kept))
    with started("-m", "tertium", *words, *there) as driver:
        wait_for(lambda: len(finished(kept)) >= 2, driver)
        slow = workers_of(driver.pid)[0]
        slow.suspend()
        try:
            out, err = driver.communicate(timeout=PATIENCE)
        finally:
            if slow.is_running():
                slow.kill()
    assert (driver.returncode, err.decode()) == (0, "")
    assert out.decode() == process("score", str(tmp_path / "whole.parquet"), *words[2:]).out


def test_a_scheduler_that_is_killed_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    tables = write_tables(tmp_path, segments(40_000), PARTS, "parquet")
    words = ("score", str(tables), "-m", "ter", "-f", "json", "--engine", "dask")
    kept = ("--resume", str(tmp_path / "kept"))
    with dask_cluster(tmp_path) as cluster:
        there = ("--scheduler", cluster.address)
        with started("-m", "tertium", *words, *kept, *there) as driver:
            wait_for(lambda: len(finished(tmp_path / "kept")) >= 2, driver)
            cluster.kill()
            out, err = driver.communicate(timeout=PATIENCE)
    assert (driver.returncode, out) == (2, b""), err.decode()
    assert err.decode().count("\n") == 1
    assert "expected it to the end of the work" in err.decode()
    assert 2 <= len(finished(tmp_path / "kept")) < PARTS
    again = process(*words, *kept, "--workers", "2")
    assert again.out == process("score", str(tmp_path / "whole.parquet"), *words[2:6]).out


def write_pairs(folder: Path, references: Path, hypotheses: Path, count: int) -> Path:
    """So many pairs in a folder of Parquet files, and the same as two files of plain text."""
    from pyarrow import parquet

    folder.mkdir()
    rng = random.Random(5)
    phrases = [" ".join(rng.choices(WORDS, k=6)) for _ in range(2000)]
    done = 0
    with (
        references.open("w", encoding="utf-8") as ours,
        hypotheses.open("w", encoding="utf-8") as theirs,
    ):
        for number in range(PARTS):
            size = count // PARTS if number < PARTS - 1 else count - done
            first = [f"{a} {i} {b}" for i, (a, b) in enumerate(halves(rng, phrases, size), done)]
            other = [f"{a} {i} {b}" for i, (a, b) in enumerate(halves(rng, phrases, size), done)]
            other = [
                one if rng.random() < 0.3 else same for one, same in zip(other, first, strict=True)
            ]
            ours.writelines(f"{line}\n" for line in first)
            theirs.writelines(f"{line}\n" for line in other)
            table = arrow.table({"reference": first, "hypothesis": other})
            parquet.write_table(table, folder / f"part-{number:02}.parquet")
            done += size
    return folder


def halves(rng: random.Random, phrases: list[str], count: int) -> list[tuple[str, str]]:
    return list(zip(rng.choices(phrases, k=count), rng.choices(phrases, k=count), strict=True))


def finished(folder: Path) -> list[Path]:
    return sorted(folder.glob("part-*.json"))


def wait_for(happened: Callable[[], bool], driver: Any) -> None:
    end = monotonic() + PATIENCE
    while not happened():
        assert driver.poll() is None, driver.communicate()
        assert monotonic() < end
        sleep(0.02)


def workers_of(driver: int) -> list[Any]:
    """The processes that do the work: children that were spawned for it, and no helpers."""
    children = psutil.Process(driver).children(recursive=True)
    return [one for one in children if "spawn_main" in " ".join(one.cmdline())]
