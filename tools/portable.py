"""Show that the core computes the same bits on other processors.

    make portable                       # builds cpp/portable twice, runs it on five processors
    python tools/portable.py --list     # what is compared, on this processor

The program computes statistics of a made-up corpus by every kernel and prints a digest of each. It
is run on this processor with all vectors that it has, with those of AVX2 at most, and with none;
on an emulated x86-64 without AVX2 (the same file: vectors are chosen when it runs); and built anew
for aarch64 and emulated. Kernels whose numbers come from pow, exp or
log of the C library, which differ in the last bit from one processor to the next, are compared to
11 digits, all others to the last bit. Exit code 1 if a line differs, 2 if something is missing.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Processor:
    """One that the program runs on: how it is built for it, and what runs it."""

    name: str
    folder: str
    compiler: str
    archiver: str
    emulator: tuple[str, ...] = ()
    link: str = ""

    def missing(self) -> str | None:
        """A program that is not there, if any."""
        wanted = [self.compiler, self.archiver, *self.emulator[:1]]
        return next((name for name in wanted if shutil.which(name) is None), None)

    def program(self) -> Path:
        """The program, built if need be."""
        built = ROOT / "build" / self.folder / "digests"
        make = shutil.which("make") or "make"
        subprocess.run(
            [make, "--silent", "--no-print-directory", "-j2", "-C", ROOT / "cpp",
             "-f", "variants.mk", f"OUT=../build/{self.folder}", f"CXX={self.compiler}",
             f"AR={self.archiver}", "FLAGS=-O2", f"LINK={self.link}",
             f"../build/{self.folder}/digests"],
            check=True,
        )  # fmt: skip
        return built

    def lines(self) -> list[str]:
        """What the program prints."""
        return subprocess.run(
            [*self.emulator, self.program()], capture_output=True, check=True, encoding="utf-8"
        ).stdout.splitlines()


HERE: Final = Processor(name="this processor", folder="portable", compiler="g++", archiver="ar")
OTHERS: Final = (
    *(
        Processor(
            name=f"this processor, TERTIUM_VECTORS={most}",
            folder="portable",
            compiler="g++",
            archiver="ar",
            emulator=("env", f"TERTIUM_VECTORS={most}"),
        )
        for most in ("avx2", "none")
    ),
    Processor(
        name="x86-64 without AVX2",
        folder="portable",
        compiler="g++",
        archiver="ar",
        emulator=("qemu-x86_64", "-cpu", "Nehalem"),
    ),
    Processor(
        name="aarch64",
        folder="portable-aarch64",
        compiler="aarch64-linux-gnu-g++",
        archiver="aarch64-linux-gnu-ar",
        emulator=("qemu-aarch64",),
        link="-static",
    ),
)


def differences(expected: Sequence[str], found: Sequence[str]) -> list[str]:
    """What the kernels are called whose numbers differ."""
    if len(expected) != len(found):
        return [f"{len(found)} lines, expected {len(expected)}"]
    pairs = zip(expected, found, strict=True)
    return [one.rsplit(maxsplit=1)[0] for one, other in pairs if one != other]


def main() -> int:
    """Compare all processors with this one."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true", help="only print the digests of this one")
    arguments = parser.parse_args()
    for one in (HERE, *([] if arguments.list else OTHERS)):
        if (missing := one.missing()) is not None:
            print(
                f"{one.name}: no {missing}, expected Debian's qemu-user and g++-aarch64-linux-gnu",
                file=sys.stderr,
            )
            return 2
    expected = HERE.lines()
    if arguments.list:
        print(*expected, sep="\n")
        return 0
    failed = False
    for one in OTHERS:
        found = differences(expected, one.lines())
        failed = failed or bool(found)
        said = f"differs: {', '.join(found)}" if found else f"{len(expected)} digests the same"
        print(f"{one.name}: {said}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
