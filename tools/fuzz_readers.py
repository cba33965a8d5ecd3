"""Let Atheris look for files that break a reader: content detection, tables, exports, lattices.

    make fuzz-readers SECONDS=60                        # every group of readers
    python tools/fuzz_readers.py --seconds 60 text ratings
    python tools/fuzz_readers.py --replay               # the kept cases, and some made up from them
    python tools/fuzz_readers.py --keep 30              # keep some cases that cover most

A group is some readers of `tests/support/readers.py`, each of which is given the same bytes. Bytes
are read, or refused in one line by a `TertiumError`; any other exception is a finding, and so is
a case that takes 20 seconds or more than a gibibyte beside the program itself (`RLIMIT_AS`). Cases
are kept in tests/support/reader_cases, a line of hexadecimal digits each; what a run finds to cover
more stays in build/fuzz-readers. Where Atheris is not installed, a seeded mutator without
knowledge of coverage makes up the cases. Exit code 1 if anything is found.
"""

import argparse
import contextlib
import gzip
import hashlib
import importlib.util
import inspect
import io
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).resolve().parents[1]
CASES: Final = ROOT / "tests" / "support" / "reader_cases"
WORK: Final = ROOT / "build" / "fuzz-readers"
LONGEST: Final = 2048  # bytes of a case
SLOW: Final = 20  # seconds that no case may take
MEMORY: Final = 2**30  # bytes beside the program itself
LONGEST_MESSAGE: Final = 2000

if TYPE_CHECKING:
    Reader = Callable[[str], object]

GROUPS: Final = (
    *("detection", "text", "systems", "compressed", "workbook", "annotations", "ratings"),
    *("spans", "structures", "scores", "tables"),
)


def readers_of(group: str) -> "dict[str, Reader]":
    """The readers of a group by the names of the files that they are given."""
    from tests.support.readers import NAMED, READERS

    from tertium.text.formats.table import EXTENSIONS
    from tertium.text.input_files import open_inputs

    def read(path: str) -> object:
        return open_inputs([path], [path]).load()

    def prefixed(*words: str) -> "dict[str, Reader]":
        return {name: one for name, one in READERS.items() if name.startswith(words)}

    packed = ("xlsx", "parquet")
    match group:
        case "detection":
            names = [f"file{end}" for end, kind in EXTENSIONS.items() if kind not in packed]
            return {**dict.fromkeys(names, read), "file": read}
        case "text" | "systems":
            return {name: one for name, one in prefixed(group).items() if "xlsx" not in name}
        case "compressed" | "workbook":
            ends = (".xlsx",) if group == "workbook" else (".gz", ".tsv.gz", ".jsonl.gz")
            return dict.fromkeys([f"file{end}" for end in ends], read)
        case "scores":
            return {**NAMED, **prefixed("published")}
        case "tables":
            others = (*(each for each in GROUPS if each != "tables"), "published")
            return {name: one for name, one in READERS.items() if not name.startswith(others)}
        case _:
            return prefixed(group)


def file_of(group: str, data: bytes) -> bytes:
    """The file that a case stands for: compressed, or the sheet of a workbook."""
    if group == "compressed":
        return gzip.compress(data, 1, mtime=0)
    if group != "workbook":
        return data
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive, zipfile.ZipFile(_workbook()) as model:
        for name in model.namelist():
            archive.writestr(name, data if "sheet1" in name else model.read(name))
    return whole.getvalue()


def _workbook() -> io.BytesIO:
    from openpyxl import Workbook  # type: ignore[import-untyped, unused-ignore]

    book, file = Workbook(), io.BytesIO()
    for row in (["reference", "hypothesis"], ["a", "b"]):
        book.worksheets[0].append(row)
    book.save(file)
    return file


def seeds(group: str) -> list[bytes]:
    """The cases to begin with: those that are kept, and whole files."""
    from tests.support.readers import WHOLE

    sheet = zipfile.ZipFile(_workbook()).read("xl/worksheets/sheet1.xml")
    return [*kept_cases(group), *([sheet] if group == "workbook" else WHOLE)]


def kept_cases(group: str) -> list[bytes]:
    """The cases of a group that are part of the source."""
    path = CASES / f"{group}.txt"
    if not path.exists():
        return []
    return [bytes.fromhex(line) for line in path.read_text(encoding="ascii").splitlines()]


def checker(group: str) -> Callable[[bytes], None]:
    """A function that raises if a reader of the group neither reads nor refuses the bytes."""
    from tertium.errors import TertiumError

    readers = readers_of(group)
    folder = Path(tempfile.mkdtemp(prefix="readers-"))

    def check(data: bytes) -> None:
        whole = file_of(group, data)
        for name, read in readers.items():
            path = folder / (name if "." in name else "any.bytes")
            path.write_bytes(whole)
            try:
                read(str(path))
            except TertiumError as error:
                message = str(error)
                if "\n" in message or len(message) > LONGEST_MESSAGE:
                    raise AssertionError(f"{name}: found a message of many lines") from error
            except Exception as error:
                error.add_note(f"reader: {name}")
                raise

    return check


def limit_memory() -> None:
    """What is read may take a gibibyte more than the program has now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def made_up(cases: list[bytes], generator: random.Random) -> Iterator[bytes]:
    """Cases with pieces written over, left out, doubled or joined."""
    from tests.support.readers import PIECES

    while True:
        data = generator.choice(cases)
        for _ in range(generator.randrange(4)):
            start, other = (generator.randrange(len(data) + 1) for _ in range(2))
            piece = generator.choice(
                [generator.choice(PIECES), generator.randbytes(2), data[other : other + 20], b""]
            )
            data = data[:start] + piece + data[start + generator.randrange(8) :]
        yield data[:LONGEST]


def replay(group: str, runs: int, seed: int, seconds: float | None = None) -> int:
    """How many cases a group's readers withstand: those kept, then some made up."""
    check = checker(group)
    limit_memory()
    cases = seeds(group)
    begun, done = time.monotonic(), 0
    for case in cases:
        _tried(group, check, case)
        done += 1
    for case in made_up(cases, random.Random(f"{group} {seed}")):  # noqa: S311 - no secret
        if done >= len(cases) + runs or (seconds and time.monotonic() - begun > seconds):
            break
        _tried(group, check, case)
        done += 1
    return done


def _tried(group: str, check: Callable[[bytes], None], case: bytes) -> None:
    def late(*_: object) -> None:
        raise TimeoutError(f"a case takes more than {SLOW} seconds")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(SLOW)
    try:
        check(case)
    except BaseException as error:
        error.add_note(f"case of {group}: {case.hex()}")
        raise
    finally:
        signal.alarm(0)


def _functions(package: str) -> list[FunctionType]:
    """The functions and methods of the modules of a package that are imported, each once.

    Atheris can see to imports itself, but not to those of an editable installation.
    """
    found: dict[int, FunctionType] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == package:
            classes = [each for each in vars(module).values() if isinstance(each, type)]
            for each in (module, *classes):
                for value in vars(each).values():
                    function = inspect.unwrap(getattr(value, "__func__", value))
                    if isinstance(function, FunctionType) and function.__module__ == name:
                        found[id(function)] = function
    return list(found.values())


def fuzz(group: str, words: list[str]) -> None:
    """Atheris on one group, in a process of its own; never returns."""
    import atheris

    check = checker(group)
    for case in seeds(group):  # so that readers import what they need
        with contextlib.suppress(Exception):
            check(case)
    for function in _functions("tertium"):
        atheris.instrument_func(function)
    limit_memory()
    atheris.Setup([group, *words], check)
    atheris.Fuzz()


def fuzzed(group: str, seconds: int, runs: int | None) -> tuple[bool, str]:
    """Whether nothing was found, and what is to be said of it."""
    corpus, findings = WORK / "corpus" / group, WORK / "findings" / group
    shutil.rmtree(findings, ignore_errors=True)
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, __file__, "--child", group]
    if importlib.util.find_spec("atheris"):
        for case in seeds(group):
            name = hashlib.sha1(case, usedforsecurity=False).hexdigest()
            (corpus / name).write_bytes(case)
        limit = f"-runs={runs}" if runs else f"-max_total_time={seconds}"
        command += [str(corpus), limit, f"-max_len={LONGEST}", f"-timeout={SLOW}", "-reload=0",
                    f"-artifact_prefix={findings}/", "-print_final_stats=1"]  # fmt: skip
    else:
        command += ["--plain", f"--seconds={seconds}", *([f"--runs={runs}"] if runs else [])]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", check=False, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    said = done.stdout + done.stderr
    count = re.findall(r"number_of_executed_units: (\d+)|^(\d+) cases", said, re.MULTILINE)
    edges = re.findall(r"cov: (\d+)", said)
    units = int("".join(count[-1])) if count else 0
    line = f"{group:12}{units:>10,} cases" + (f"{int(edges[-1]):>8,} edges" if edges else "")
    if done.returncode == 0:
        return True, f"{line}  nothing found"
    (findings / "log").write_text(said, encoding="utf-8")
    shown = "\n".join(said.splitlines()[-40:])
    return False, f"{line}  found: {findings}\n{shown}"


def keep(group: str, most: int) -> str:
    """Write some cases that cover more than others did into the source, with those that are there.

    What Atheris leaves in the folder of cases has reached something new.
    """
    known = seeds(group)
    cases = [path.read_bytes() for path in (WORK / "corpus" / group).iterdir()]
    found = sorted(
        (case for case in cases if case not in known), key=lambda case: (len(case), case)
    )
    step = max(1, len(found) // most)  # short ones and long ones
    chosen = [*kept_cases(group), *found[::step][:most]]
    CASES.mkdir(exist_ok=True)
    text = "".join(f"{case.hex()}\n" for case in chosen)
    (CASES / f"{group}.txt").write_text(text, encoding="ascii")
    return f"{group}: {len(chosen)} cases, {len(text)} bytes"


def main() -> int:
    """Run what is asked for; 1 if something is found."""
    warnings.simplefilter("ignore")  # of libraries, about damaged files
    if sys.argv[1:2] == ["--child"] and "--plain" not in sys.argv:
        fuzz(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("groups", nargs="*", help="groups of readers; all by default")
    parser.add_argument("--seconds", type=int, default=10, help="for each group (10)")
    parser.add_argument("--runs", type=int, help="cases of each group instead")
    parser.add_argument("--jobs", type=int, default=2, help="groups at a time (2)")
    parser.add_argument("--seed", type=int, default=1, help="of cases made up without Atheris (1)")
    parser.add_argument("--keep", type=int, metavar="N", help="only keep N cases of each group")
    parser.add_argument("--replay", action="store_true", help="without Atheris, in this process")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--plain", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    groups = [arguments.child] if arguments.child else arguments.groups or list(GROUPS)
    unknown = [name for name in groups if name not in GROUPS]
    if unknown:
        sys.exit(f"{unknown[0]}: no group of readers, expected {', '.join(GROUPS)}")
    if arguments.replay or arguments.child:
        runs = arguments.runs or (200 if arguments.replay else 10**9)
        seconds = None if arguments.runs or arguments.replay else arguments.seconds
        for group in groups:
            print(f"{replay(group, runs, arguments.seed, seconds)} cases of {group}", flush=True)
        return 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.keep:
            print(*pool.map(lambda group: keep(group, arguments.keep), groups), sep="\n")
            return 0
        sound = True
        for passed, line in pool.map(
            lambda group: fuzzed(group, arguments.seconds, arguments.runs), groups
        ):
            print(line, flush=True)
            sound &= passed
    return 0 if sound else 1


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
