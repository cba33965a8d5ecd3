"""Whole jobs that people wait for: CPU seconds, peak memory and size of page, beside the aim.

    python benchmarks/jobs.py                          # every job, by the tertium of this Python
    python benchmarks/jobs.py decide-30 compare-50     # some of them
    python benchmarks/jobs.py --python ../other/.venv/bin/python --repeat 2 decide-2

The pools are made of the Chinese–English outputs of WMT23 in a folder `shared/data` beside the
checkout. A *recombined* system has each segment from one of the real systems, as reranking, system
combination and minimum Bayes risk give them. An *independent* one is a real output with words left
out, repeated and exchanged, so that hardly a segment is another system's. Nothing fails here: the
aims are printed beside the figures.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from data import SHARED

_SEED: Final = 20120607
_WMT23: Final = SHARED / "wmt23"
_REFERENCE: Final = _WMT23 / "references" / "zh-en.refA.txt"
_NO_SYSTEMS: Final = ("refA", "synthetic_ref")
_MEGABYTE: Final = 1_000_000
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes

# What a server does after an upload, when every output has been scored: its own seconds alone.
_BOARD: Final = """
import sys, time
from pathlib import Path
from tertium import Corpus, References, System, scored
from tertium.study.study import brief_study

def texts(name):
    return Path(name).read_text(encoding="utf-8").removesuffix("\\n").split("\\n")

reference, *names = sys.argv[1:]
corpus = Corpus(references=References.of(texts(reference)), name="ref")
systems = [System(name=Path(name).stem, hypotheses=texts(name)) for name in names]
whole = scored(corpus, systems, ["bleu", "chrf"])
start = time.process_time()
brief_study(whole, verdicts=False)
print(time.process_time() - start)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A command of tertium, or a script, on a pool of systems, and what it should cost at most."""

    command: str = ""
    script: str = ""
    recombined: int = 0
    independent: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    page_megabytes: float = 0.0


JOBS: Final = {
    "decide-2": Job(command="decide", independent=2),
    "decide-30": Job(command="decide", recombined=30, seconds=3),
    "decide-50": Job(command="decide", recombined=50, seconds=10),
    "compare-50": Job(command="compare", independent=50, seconds=1.5),
    "report-50": Job(command="report", independent=50, seconds=5, megabytes=300, page_megabytes=5),
    "board-50": Job(script=_BOARD, independent=50, seconds=0.5),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run of a job took."""

    seconds: float
    megabytes: float
    page_megabytes: float


def read_lines(path: Path) -> list[str]:
    """The segments of a file; only a line feed ends one."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def real_systems() -> dict[str, list[str]]:
    """The outputs that pools are made of."""
    paths = sorted((_WMT23 / "system-outputs" / "zh-en").glob("*.txt"))
    return {path.stem: read_lines(path) for path in paths if path.stem not in _NO_SYSTEMS}


def recombined(systems: Sequence[list[str]], rng: random.Random) -> list[str]:
    """Each segment from any of the first eight systems."""
    return [rng.choice(outputs) for outputs in zip(*systems[:8], strict=True)]


def independent(outputs: list[str], rng: random.Random) -> list[str]:
    """An output with words left out, repeated and exchanged."""
    rate = rng.uniform(0.05, 0.2)
    perturbed = []
    for text in outputs:
        words = text.split()
        edited = []
        for word in words:
            chance = rng.random()
            if chance < rate / 3 and len(words) > 1:
                continue
            edited.append(rng.choice(words) if chance < rate * 2 / 3 else word)
            if rate * 2 / 3 <= chance < rate:
                edited.append(word)
        perturbed.append(" ".join(edited) or text)
    return perturbed


def write_pool(folder: Path, kind: str, count: int) -> list[Path]:
    """The files of a pool of systems, the same ones for the same numbers."""
    systems = list(real_systems().values())
    paths = []
    for number in range(count):
        rng = random.Random(f"{_SEED} {kind} {number}")
        lines = (
            recombined(systems, rng)
            if kind == "recombined"
            else independent(systems[number % len(systems)], rng)
        )
        path = folder / f"{kind}{number:02}.txt"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        paths.append(path)
    return paths


def run_job(job: Job, python: Path, folder: Path) -> Cost:
    """One run in a process of its own; an error of it is the end."""
    kind, count = (
        ("recombined", job.recombined) if job.recombined else ("independent", job.independent)
    )
    systems = write_pool(folder, kind, count)
    page = folder / "page"
    start = ["-m", "tertium", job.command] if job.command else ["-c", job.script]
    words = [str(python), *start, str(_REFERENCE)]
    words += ["-i", *map(str, systems), "-o", str(page)] if job.command else map(str, systems)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    printed = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)  # the usage of this child alone
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words[:4])}: exit code {process.returncode}")
    return Cost(
        float(printed) if job.script else usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * _RSS_UNIT / _MEGABYTE,
        page.stat().st_size / _MEGABYTE if job.command == "report" else 0.0,
    )


def _shown(value: float, aim: float) -> str:
    return f"{value:8.2f} ({aim:g})" if aim else f"{value:8.2f}" if value else ""


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=", ".join(JOBS))
    parser.add_argument("--python", type=Path, default=Path(sys.executable))
    parser.add_argument("--repeat", type=int, default=1, help="of which the smallest is shown")
    arguments = parser.parse_args()
    if unknown := set(arguments.jobs) - set(JOBS):
        parser.error(f"found {', '.join(sorted(unknown))}, expected some of {', '.join(JOBS)}")
    if not _WMT23.is_dir():
        parser.error(f"found no {_WMT23}, expected outputs of WMT23")
    print(f"{'job (aim)':<12}{'CPU seconds':>18}{'peak MB':>18}{'page MB':>18}")
    for name in arguments.jobs or JOBS:
        job = JOBS[name]
        with tempfile.TemporaryDirectory() as folder:
            runs = [run_job(job, arguments.python, Path(folder)) for _ in range(arguments.repeat)]
        columns = (
            _shown(min(run.seconds for run in runs), job.seconds),
            _shown(min(run.megabytes for run in runs), job.megabytes),
            _shown(min(run.page_megabytes for run in runs), job.page_megabytes),
        )
        print(f"{name:<12}{''.join(f'{column:>18}' for column in columns)}", flush=True)


if __name__ == "__main__":
    _main()
