"""Work that people wait for: processor time, peak memory and size of page, beside the aim.

    python benchmarks/jobs.py                          # every row, by the tertium of this Python
    python benchmarks/jobs.py decide-30 compare-50     # some of them
    python benchmarks/jobs.py --python ../other/.venv/bin/python --repeat 2 decide-2

Rows are whole jobs on pools of systems; metrics by the byte of the hypothesis, and by the word of
segments of ten and of 10,000 words; minimum Bayes risk on 20 lists of 256 candidates. Those of one
system or none take one thread. (Ratios to sacreBLEU by script and tokenizer are in scripts.py, and
threads in bench.py.)

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
from lists import write_lists

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

# Nanoseconds that a metric takes for a byte of the hypothesis: the texts are in memory.
_BYTES: Final = """
import sys, time
from pathlib import Path
from tertium import parse_metric

def texts(name):
    return Path(name).read_text(encoding="utf-8").removesuffix("\\n").split("\\n")

metric, count, reference, system = sys.argv[1:]
metric, count = parse_metric(metric), int(count)
references, hypotheses = texts(reference), texts(system)
seconds = []
for begin in (count, 0, 0, 0):  # the first is on other texts, and pays for imports
    some = slice(begin, begin + count)
    pair = hypotheses[some], [[text] for text in references[some]]
    start = time.process_time()
    metric.statistics(*pair)
    seconds.append(time.process_time() - start)
print(min(seconds[1:]) * 1e9 / len("".join(hypotheses[:count]).encode()))
"""

# Nanoseconds that a metric takes for a word of a segment: English, or words of some few.
_WORDS: Final = """
import random, sys, time
from pathlib import Path
from tertium import parse_metric

metric, count, few, reference, system = sys.argv[1:]
metric, count, few = parse_metric(metric), int(count), int(few)
rng = random.Random(7)
if few:
    reference = [f"w{rng.randrange(few)}" for _ in range(count)]
    system = [word if rng.random() < 0.7 else f"w{rng.randrange(few)}" for word in reference]
else:
    reference, system = (
        Path(name).read_text(encoding="utf-8").split()[:count] for name in (reference, system)
    )
segments = max(1, 2000 // count)
pair = [" ".join(system)] * segments, [[" ".join(reference)]] * segments
metric.statistics(["a warm-up"], [["a warm up"]])
seconds = []
for _ in range(3 if count < 1000 else 2):
    start = time.process_time()
    metric.statistics(*pair)
    seconds.append(time.process_time() - start)
print(min(seconds) * 1e9 / count / segments)
"""
_LISTS: Final = (20, 256)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A command of tertium, or a script, on a pool of systems, and what it should cost at most.

    A script prints what it measured, in its own ``unit``; ``arguments`` come before the files.
    """

    command: str = ""
    script: str = ""
    arguments: tuple[str, ...] = ()
    unit: str = "s"
    on_lists: bool = False
    recombined: int = 0
    independent: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    page_megabytes: float = 0.0


def _bytes(metric: str, aim: float, segments: int = 400) -> Job:
    arguments = metric, str(segments)
    return Job(script=_BYTES, arguments=arguments, independent=1, seconds=aim, unit="ns/byte")


def _words(metric: str, count: int, few: int, aim: float = 0) -> Job:
    arguments = metric, str(count), str(few)
    return Job(script=_WORDS, arguments=arguments, independent=1, seconds=aim, unit="ns/word")


def _mbr(*flags: str, aim: float = 0) -> Job:
    return Job(command="mbr", arguments=flags, on_lists=True, seconds=aim)


_LONG: Final = {"gtm": 3529, "rouge-w": 3572, "amber": 10224, "grr": 948}
JOBS: Final = {
    "decide-2": Job(command="decide", independent=2),
    "decide-30": Job(command="decide", recombined=30, seconds=3),
    "decide-50": Job(command="decide", recombined=50, seconds=10),
    "compare-50": Job(command="compare", independent=50, seconds=1.5),
    "report-50": Job(command="report", independent=50, seconds=5, megabytes=300, page_megabytes=5),
    "board-50": Job(script=_BOARD, independent=50, seconds=0.5),
    "metrics": Job(command="metrics", seconds=0.05),
    "bytes-bleu": _bytes("bleu", 0),
    "bytes-ter": _bytes("ter", 0),
    "bytes-amber": _bytes("amber", 40),
    "bytes-meteor": _bytes("meteor", 60),
    "bytes-terp": _bytes("terp", 150),
    "bytes-maxsim": _bytes("maxsim", 200, 40),
    **{f"ten-words-{metric}": _words(metric, 10, 0) for metric in _LONG},
    **{f"long-{metric}": _words(metric, 10_000, 0, aim) for metric, aim in _LONG.items()},
    **{f"long-few-{metric}": _words(metric, 10_000, 10, aim) for metric, aim in _LONG.items()},
    "mbr-chrf": _mbr("--utility", "chrf"),
    "mbr-meteor": _mbr("--utility", "meteor", aim=1.5),
    "mbr-amber": _mbr("--utility", "amber", aim=5),
    "mbr-terp": _mbr("--utility", "terp", aim=8),
    "mbr-meteor-prune": _mbr("--utility", "meteor", "--prune"),
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
    page = folder / "page"
    words = [str(python), *(["-m", "tertium", job.command] if job.command else ["-c", job.script])]
    words += job.arguments
    if job.on_lists:
        write_lists(folder, *_LISTS, of_references=True)
        words += [str(folder / "texts"), "--lines", str(_LISTS[1]), "-o", str(page), "-q"]
    elif count:
        systems = map(str, write_pool(folder, kind, count))
        given = ["-i", *systems, "-o", str(page)] if job.command else list(systems)
        words += [str(_REFERENCE), *given]
    environment = os.environ if count > 1 else {**os.environ, "TERTIUM_THREADS": "1"}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
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
    print(f"{'job (aim)':<20}{'CPU':>26}{'peak MB':>18}{'page MB':>18}")
    for name in arguments.jobs or JOBS:
        job = JOBS[name]
        with tempfile.TemporaryDirectory() as folder:
            runs = [run_job(job, arguments.python, Path(folder)) for _ in range(arguments.repeat)]
        columns = (
            f"{_shown(min(run.seconds for run in runs), job.seconds)} {job.unit}",
            _shown(min(run.megabytes for run in runs), job.megabytes),
            _shown(min(run.page_megabytes for run in runs), job.page_megabytes),
        )
        print(f"{name:<20}{columns[0]:>26}{columns[1]:>18}{columns[2]:>18}", flush=True)


if __name__ == "__main__":
    _main()
