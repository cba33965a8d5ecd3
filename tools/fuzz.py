"""Let libFuzzer look for input that breaks the core, with every target of cpp/fuzz.

    make fuzz SECONDS=60                                    # builds them, and runs this
    python tools/fuzz.py --seconds 60 tokenizers ter        # some of them
    python tools/fuzz.py --runs 1000000 --seconds 3600      # by number rather than by time
    python tools/fuzz.py --keep 30                          # keep some cases that cover most

Two targets run at a time, each for so many seconds. Each begins with its kept cases, a line of
hexadecimal digits each in cpp/fuzz/cases, and with what runs before have found in build/fuzz. A
finding is a crash, a broken promise, a report of a sanitizer, or a case that takes 20 seconds: its
file is named, with the line that would keep it. Exit code 1 if there is any.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
CASES: Final = ROOT / "cpp" / "fuzz" / "cases"
BUILT: Final = ROOT / "build" / "fuzz"
LONGEST: Final = 512  # bytes of a case: enough for every way through a target
SANITIZERS: Final = {
    "UBSAN_OPTIONS": "print_stacktrace=1",
    # Where memory came from is known well enough; to write it all down takes half of the time.
    "ASAN_OPTIONS": "malloc_context_size=4:quarantine_size_mb=32",
}
SLOW: Final = 20  # seconds that no case may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one target."""

    name: str
    executions: int
    coverage: int
    cases: int
    findings: tuple[Path, ...]
    message: str

    def __str__(self) -> str:
        found = f"{len(self.findings)} found" if self.findings else "nothing found"
        return (
            f"{self.name:12}{self.executions:>12,} executions {self.coverage:>7,} edges "
            f"{self.cases:>6,} cases  {found}"
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


def fuzzed(target: Path, limits: Sequence[str]) -> Outcome:
    """Run a target; whatever it finds lies in build/fuzz/findings."""
    corpus = unpacked(target.name)
    findings = BUILT / "findings" / target.name
    shutil.rmtree(findings, ignore_errors=True)
    findings.mkdir(parents=True)
    run = subprocess.run(
        [target, corpus, f"-artifact_prefix={findings}/", f"-timeout={SLOW}",
         f"-max_len={LONGEST}", "-print_final_stats=1", *limits],
        capture_output=True, encoding="utf-8", errors="replace", check=False,
        env={**os.environ, **SANITIZERS},
    )  # fmt: skip
    executions = re.findall(r"^stat::number_of_executed_units: (\d+)", run.stderr, re.MULTILINE)
    coverage = re.findall(r"cov: (\d+)", run.stderr)
    found = tuple(sorted(findings.iterdir()))
    if run.returncode != 0 and not found:
        found = (findings / "log",)
        found[0].write_text(run.stderr, encoding="utf-8")
    return Outcome(
        name=target.name,
        executions=int(executions[-1]) if executions else 0,
        coverage=int(coverage[-1]) if coverage else 0,
        cases=sum(1 for _ in corpus.iterdir()),
        findings=found,
        message=run.stderr[-3000:] if found else "",
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
    parser.add_argument("--seconds", type=int, default=10, help="for each target")
    parser.add_argument("--runs", type=int, help="executions of each target at most")
    parser.add_argument("--keep", type=int, metavar="N", help="only keep N cases of each target")
    arguments = parser.parse_args()
    built = {path.name: path for path in sorted(BUILT.glob("bin/*/*"))}
    unknown = [name for name in arguments.targets if name not in built]
    if unknown or not built:
        names = ", ".join(built) or "none; run `make fuzz`"
        sys.exit(f"{unknown[0] if unknown else 'targets'}: not built, found {names}")
    chosen = [built[name] for name in arguments.targets or built]
    with ThreadPoolExecutor(2) as pool:
        if arguments.keep:
            print(*pool.map(lambda one: keep(one, arguments.keep), chosen), sep="\n")
            return 0
        limits = [f"-max_total_time={arguments.seconds}"]
        if arguments.runs:
            limits.append(f"-runs={arguments.runs}")
        failures = 0
        for outcome in pool.map(lambda one: fuzzed(one, limits), chosen):
            print(outcome, flush=True)
            for path in outcome.findings:
                failures += 1
                print(f"  {path}\n  {path.read_bytes()[:LONGEST].hex()}\n{outcome.message}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
