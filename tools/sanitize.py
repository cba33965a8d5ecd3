"""Run the tests that go through the core with a core that is sanitized.

    make sanitize                                       # builds all of it, and runs this
    python tools/sanitize.py tests/metrics/edit         # some tests; words for pytest

The core is compiled with GCC's address and undefined-behaviour sanitizers and installed in an
environment of its own, build/sanitized, which finds all other packages where this Python does. A
read outside of memory, or arithmetic that C++ does not define, ends the tests with a report.
Leaks are not looked for: Python keeps much until it ends. Left out, because the core has no part
in them or they take too long at a fifth of the speed: the server, the command line, tests of data
beside the checkout, and those marked slow or browser.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PLACE: Final = ROOT / "build" / "sanitized"
TESTS: Final = (
    *("audit", "compare", "compat", "core", "decode", "inference", "meta", "metrics", "scored"),
    *("text", "tune"),
)
CHOSEN: Final = (
    *("-q", "-n", "2", "--dist", "loadscope", "--hypothesis-profile=quick"),
    *("-m", "not shared and not slow and not browser", "-p", "no:cacheprovider"),
)


def environment() -> Path:
    """A Python of its own, with the packages of this one behind those that are installed in it."""
    python = PLACE / "venv" / "bin" / "python"
    venv.create(PLACE / "venv", with_pip=False, symlinks=True)
    own = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True, check=True, encoding="utf-8",
        ).stdout.strip()
    )  # fmt: skip
    # A plain path: what this Python does at its start, such as finding our own source, is not done.
    (own / "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install",
         "--no-deps", "--no-build-isolation", "--upgrade", "--target", own,
         "--config-settings=cmake.define.TERTIUM_SANITIZE=ON",
         "--config-settings=cmake.build-type=RelWithDebInfo",
         f"--config-settings=build-dir={PLACE / 'core'}", ROOT],
        check=True,
    )  # fmt: skip
    return python


def library(name: str) -> str:
    """The file of one of the compiler's libraries."""
    found = subprocess.run(
        [os.environ.get("CXX", "g++"), f"-print-file-name={name}"],
        capture_output=True, check=True, encoding="utf-8",
    ).stdout.strip()  # fmt: skip
    return os.path.realpath(found)


def main(words: list[str]) -> int:
    """The exit code of pytest."""
    if words[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    python = environment()
    settings = {
        # The sanitizer has to be there first, and with it what throws exceptions.
        "LD_PRELOAD": f"{library('libasan.so')} {library('libstdc++.so')}",
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # so that Python's own objects are watched, too
    }
    given = words or [*CHOSEN, *(f"tests/{name}" for name in TESTS)]
    return subprocess.run(
        [python, "-m", "pytest", *given], cwd=ROOT, env={**os.environ, **settings}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
