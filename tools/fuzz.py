"""Let libFuzzer look for input that breaks the core, with every target of cpp/fuzz.

    make fuzz SECONDS=60                                # builds them, and runs this
    make fuzz RUNS=1000000                              # the same, by number rather than by time
    python tools/fuzz.py --seconds 60 tokenizers ter    # some of them
    python tools/fuzz.py --keep 30                      # keep some cases that cover most

Two targets run at a time, each for so many seconds or executions: a tenth of them with cases of up
to 512 bytes, the others with short ones. Each begins with its kept cases, a line of hexadecimal
digits each in cpp/fuzz/cases, and with what runs before have found in build/fuzz. A finding is a
crash, a broken promise, a report of a sanitizer, or a case that takes 20 seconds: its file is
named, with the line that would keep it. Exit code 1 if there is any.
"""

import argparse
import hashlib
import math
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
CASES: Final = ROOT / "cpp" / "fuzz" / "cases"
BUILT: Final = ROOT / "build" / "fuzz"
LONGEST: Final = 512  # bytes of a case: enough for every way through a target
SHORT: Final = 128  # as most cases are, for they are soon done
LONG_ONES: Final = 0.1  # of the time or the executions
SANITIZERS: Final = {
    "UBSAN_OPTIONS": "print_stacktrace=1",
    # Where memory came from is known well enough; to write it all down takes half of the time.
    "ASAN_OPTIONS": "malloc_context_size=4:quarantine_size_mb=32",
}
SLOW: Final = 20  # seconds that no case may take
QUICK: Final = (
    "-entropic=0",  # to weigh cases by how rare their edges are took up to two fifths of the time
    "-reload=0",  # nobody else writes into the folder of cases
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one target."""

    name: str
    executions: int
    seconds: float
    coverage: int
    cases: int
    findings: tuple[Path, ...]
    message: str

    def __str__(self) -> str:
        found = f"{len(self.findings)} found" if self.findings else "nothing found"
        return (
            f"{self.name:12}{self.executions:>12,} executions in {self.seconds:>7,.0f} s "
            f"{self.coverage:>7,} edges {self.cases:>6,} cases  {found}"
        )


def kept_cases(name: str) -> Iterator[bytes]:
    """The cases of a target that are part of the source."""
    path = CASES / f"{name}.txt"
    if path.exists():
        for line in path.read_text(encoding="ascii").splitlines():
            yield bytes.fromhex(line)


def unpacked(name: str) -> Path:
    """A folder with the kept cases of a target, and what was found to cover more."""
    folder = BUILT / "corpus" / name
    folder.mkdir(parents=True, exist_ok=True)
    for case in kept_cases(name):
        (folder / hashlib.sha1(case, usedforsecurity=False).hexdigest()).write_bytes(case)
    return folder


def run(target: Path, findings: Path, *limits: str) -> "subprocess.CompletedProcess[str]":
    """A target on made-up cases until a limit is reached or something is found."""
    return subprocess.run(
        [target, unpacked(target.name), f"-artifact_prefix={findings}/", f"-timeout={SLOW}",
         "-print_final_stats=1", *QUICK, *limits],
        capture_output=True, encoding="utf-8", errors="replace", check=False,
        env={**os.environ, **SANITIZERS},
    )  # fmt: skip


def fuzzed(target: Path, limit: str, amount: int) -> Outcome:
    """Run a target; whatever it finds lies in build/fuzz/findings."""
    findings = BUILT / "findings" / target.name
    shutil.rmtree(findings, ignore_errors=True)
    findings.mkdir(parents=True)
    long_ones = math.ceil(amount * LONG_ONES)
    begun = time.monotonic()
    done = run(target, findings, f"-max_len={LONGEST}", f"{limit}={long_ones}")
    said = done.stderr
    if done.returncode == 0 and amount > long_ones:
        done = run(target, findings, f"-max_len={SHORT}", f"{limit}={amount - long_ones}")
        said += done.stderr
    found = tuple(sorted(findings.iterdir()))
    if done.returncode != 0 and not found:
        found = (findings / "log",)
        found[0].write_text(said, encoding="utf-8")
    counts = re.findall(r"^stat::number_of_executed_units: (\d+)", said, re.MULTILINE)
    coverage = re.findall(r"cov: (\d+)", said)
    return Outcome(
        name=target.name,
        executions=sum(map(int, counts)),
        seconds=time.monotonic() - begun,
        coverage=max(map(int, coverage), default=0),
        cases=sum(1 for _ in unpacked(target.name).iterdir()),
        findings=found,
        message=said[-3000:] if found else "",
    )


def keep(target: Path, most: int) -> str:
    """Write the smallest cases that cover most into the source, with those that are there."""
    smaller = BUILT / "merged" / target.name
    shutil.rmtree(smaller, ignore_errors=True)
    smaller.mkdir(parents=True)
    subprocess.run(
        [target, "-merge=1", f"-max_len={LONGEST}", smaller, unpacked(target.name)],
        capture_output=True, check=True,
    )  # fmt: skip
    known = list(kept_cases(target.name))
    found = sorted(
        (path.read_bytes() for path in smaller.iterdir()), key=lambda one: (len(one), one)
    )
    step = max(1, len(found) // most)  # short ones and long ones
    chosen = [*known, *(case for case in found[::step][:most] if case not in known and case)]
    CASES.mkdir(exist_ok=True)
    text = "".join(f"{case.hex()}\n" for case in chosen)
    (CASES / f"{target.name}.txt").write_text(text, encoding="ascii")
    return f"{target.name}: {len(chosen)} cases, {len(text)} bytes"


def main() -> int:
    """Run what is asked for; how many targets found something."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", help="names of targets; all by default")
    parser.add_argument("--seconds", type=int, default=10, help="for each target (10)")
    parser.add_argument("--runs", type=int, help="executions of each target instead")
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time (2)")
    parser.add_argument("--keep", type=int, metavar="N", help="only keep N cases of each target")
    arguments = parser.parse_args()
    built = {path.name: path for path in sorted(BUILT.glob("bin/*/*"))}
    unknown = [name for name in arguments.targets if name not in built]
    if unknown or not built:
        names = ", ".join(built) or "none; run `make fuzz`"
        sys.exit(f"{unknown[0] if unknown else 'targets'}: not built, found {names}")
    chosen = [built[name] for name in arguments.targets or built]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.keep:
            print(*pool.map(lambda one: keep(one, arguments.keep), chosen), sep="\n")
            return 0
        limit = "-runs" if arguments.runs else "-max_total_time"
        amount = arguments.runs or arguments.seconds
        outcomes = []
        for outcome in pool.map(lambda one: fuzzed(one, limit, amount), chosen):
            outcomes.append(outcome)
            print(outcome, flush=True)
            for path in outcome.findings:
                print(f"  {path}\n  {path.read_bytes()[:LONGEST].hex()}\n{outcome.message}")
    counts = [one.executions for one in outcomes]
    failures = sum(len(one.findings) for one in outcomes)
    print(
        f"{len(counts)} targets, {sum(counts):,} executions, {min(counts):,} or more of each: "
        f"{failures or 'nothing'} found"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
