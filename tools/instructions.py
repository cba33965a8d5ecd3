"""Compare the instructions that ten kernels take with those that they took before.

    make instructions                      # builds cpp/portable/instructions.cpp, counts, compares
    python tools/instructions.py --write   # the counts of now become those to compare with

Instructions are counted by callgrind, in which nothing else on the machine takes part: the same
program has the same counts, however busy the machine. Other compilers make other programs, so
``instructions.json`` names the compiler whose counts it has. Exit code 1 if the count of a kernel
differs by more than 3 %, up or down; 2 if valgrind or that compiler is missing.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
COUNTS: Final = Path(__file__).with_name("instructions.json")
FOLDER: Final = ROOT / "build" / "instructions"
COMPILER: Final = "g++"
FLAGS: Final = "-O3"
TOLERANCE: Final = 0.03
SEGMENTS: Final = 60
KERNELS: Final = (
    "amber",
    "bleu",
    "bootstrap",
    "chrf",
    "chrf-pairs",
    "grr",
    "rouge-l",
    "ter",
    "terp",
    "tokens",
)


def compiler() -> str | None:
    """What the compiler calls itself."""
    path = shutil.which(COMPILER)
    if path is None:
        return None
    asked = subprocess.run([path, "--version"], capture_output=True, check=True, encoding="utf-8")
    return asked.stdout.splitlines()[0]


def obstacle(expected: str) -> str | None:
    """Why counts cannot be compared here, if they cannot."""
    if shutil.which("valgrind") is None:
        return "no valgrind, expected one"
    if (own := compiler()) != expected:
        return f"compiler: found {own or 'none'}, expected {expected}"
    return None


def build() -> Path:
    """The program, with the core that this checkout has compiled last, or one made for it."""
    cores = sorted(
        ROOT.glob("build/*/libtertium_core.a"), key=lambda path: path.stat().st_mtime, reverse=True
    )
    core = [f"CORE=../{cores[0].relative_to(ROOT)}"] if cores else []
    subprocess.run(
        [shutil.which("make") or "make", "--silent", "--no-print-directory", "-j2",
         "-C", ROOT / "cpp", "-f", "variants.mk", "OUT=../build/instructions",
         f"CXX={COMPILER}", f"FLAGS={FLAGS}", *core, "../build/instructions/instructions"],
        check=True,
    )  # fmt: skip
    return FOLDER / "instructions"


def count(program: Path, kernel: str, segments: int = SEGMENTS) -> int:
    """The instructions that a kernel takes for the made-up corpus."""
    valgrind = shutil.which("valgrind") or "valgrind"
    run = subprocess.run(
        [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
         "--toggle-collect=tertium_measured", str(program), kernel, str(segments)],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "TERTIUM_THREADS": "1", "TERTIUM_VECTORS": "avx2"},
    )  # fmt: skip
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if collected is None:
        raise ValueError(f"callgrind: found no count of {kernel}, expected 'Collected : …'")
    return int(collected[1])


def differences(expected: Mapping[str, int], found: Mapping[str, int]) -> list[str]:
    """A line for each kernel of which the count differs by more than the tolerance."""
    lines = []
    for kernel, instructions in found.items():
        change = instructions / expected[kernel] - 1
        if abs(change) > TOLERANCE:
            lines.append(
                f"{kernel}: {instructions:,} instructions, {change:+.1%} of {expected[kernel]:,}"
            )
    return lines


def main() -> int:
    """Count, and compare or write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write the counts of now")
    arguments = parser.parse_args()
    before = json.loads(COUNTS.read_text(encoding="utf-8")) if COUNTS.exists() else {}
    own = compiler()
    why_not = obstacle(own or "" if arguments.write else before["compiler"])
    if why_not is not None:
        print(f"instructions: {why_not}", file=sys.stderr)
        return 2
    program = build()
    found = {kernel: count(program, kernel) for kernel in KERNELS}
    for kernel, instructions in found.items():
        print(f"{kernel:<12}{instructions:>16,}")
    if arguments.write:
        written = {"compiler": own, "flags": FLAGS, "segments": SEGMENTS, "kernels": found}
        COUNTS.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
        return 0
    changed = differences(before["kernels"], found)
    for line in changed:
        print(f"{line}; if this is meant: python tools/instructions.py --write")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
