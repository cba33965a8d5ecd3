"""Build tertium as strangers get it, and try it where nothing else is installed.

    python tools/make_wheels.py     # or: make wheel

Makes a source distribution, from it a wheel for each Python that needs one of its own (3.11, and
3.12 for all later ones), has each repaired and audited, installs it into empty environments of all
Pythons found, runs the demo in another folder and compares the numbers of the sample. Wheels are
left in build/wheels. What cannot be done here is said, with the reason; what fails ends it all.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
WORK: Final = ROOT / "build" / "wheels"
CONSTRAINTS: Final = ROOT / "constraints.txt"
MOST_BYTES: Final = 5_000_000
FIRST_STABLE: Final = (3, 12)
"""From here on Python has the stable ABI that nanobind needs."""
NEWEST: Final = 15
BASE: Final = {"markdown-it-py", "mdurl", "numpy", "pip", "pygments", "rich", "tertium"}
"""All that an install without extras may bring."""
BUNDLED: Final = {"setuptools"}
"""What an empty environment of Python 3.11 has."""
THREADS: Final = "tests/project/test_many_threads.py"
BARE_PYTEST: Final = (
    *("-q", "-W", "error", "-c", os.devnull, "-o", "markers=slow", "--noconftest"),
    *("-p", "no:cacheprovider"),
)
"""Nothing of the checkout's settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Python:
    """An interpreter of this machine."""

    path: str
    version: tuple[int, int]
    free_threaded: bool

    def __str__(self) -> str:
        return "python{}.{}".format(*self.version) + ("t" if self.free_threaded else "")

    @property
    def wheel(self) -> str:
        """What the names of the wheels have that this one takes."""
        number = "cp{}{}".format(*self.version)
        if self.free_threaded:
            return f"{number}-{number}t-"
        return f"{number}-{number}-" if self.version < FIRST_STABLE else "cp312-abi3-"


def main() -> int:
    """Build and try all."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    pythons = {str(one): one for one in found_pythons()}
    tools = environment(WORK / "tools", sys.executable)
    pip(tools, "install", "--group", f"{ROOT / 'pyproject.toml'}:wheel")
    say("building the source distribution")
    run(tools, "-m", "build", "--sdist", "--outdir", str(WORK), str(ROOT))
    (source,) = WORK.glob("tertium-*.tar.gz")
    builders = {one.wheel: one for one in reversed(pythons.values())}  # the oldest of each kind
    for python in builders.values():
        build(source, python, tools)
    for wheel in sorted(WORK.glob("*.whl")):
        check(wheel, tools)
    for python in pythons.values():
        try_out(python)
    for name in expected_pythons():
        if name not in pythons:
            say(f"skipped: {name}, for there is none on the path nor in pyenv")
    for wheel in sorted(WORK.glob("*.whl")):
        say(f"made and tried: {wheel.relative_to(ROOT)}, {wheel.stat().st_size:,} bytes")
    return 0


def build(source: Path, python: Python, tools: str) -> None:
    """A wheel from the source distribution alone, in an environment of its own, then repaired."""
    say(f"building {python.wheel}* from {source.name} by {python}")
    raw = WORK / f"raw-{python}"
    builder = environment(WORK / f"build-{python}", python.path)
    pip(builder, "wheel", "--no-deps", "--wheel-dir", str(raw), str(source))
    (wheel,) = raw.glob("*.whl")
    if sys.platform == "linux":
        run(tools, "-m", "auditwheel", "repair", "--wheel-dir", str(WORK), str(wheel))
    else:
        say(f"skipped: repair of {wheel.name}, which auditwheel does on Linux only")
        shutil.copy(wheel, WORK)


def check(wheel: Path, tools: str) -> None:
    """What it may need of the system and of Python, and how large it is."""
    size = wheel.stat().st_size
    say(f"{wheel.name}: {size:,} bytes, expected less than {MOST_BYTES:,}")
    if size >= MOST_BYTES:
        sys.exit("the wheel is too large")
    with zipfile.ZipFile(wheel) as archive:
        missing = missing_notices(archive.namelist())
    if missing:
        sys.exit(f"{wheel.name}: found no {', '.join(missing)}, expected the notices of all code")
    if sys.platform == "linux":
        run(tools, "-m", "auditwheel", "show", str(wheel))
    if "-abi3-" in wheel.name:
        run(tools, "-m", "abi3audit", "--strict", "--report", str(wheel))


def missing_notices(names: Sequence[str]) -> list[str]:
    """The license files of the source that are not among the files of a wheel."""
    notices = [ROOT / "LICENSE", ROOT / "NOTICE", *sorted((ROOT / "licenses").glob("*.txt"))]
    expected = [path.relative_to(ROOT).as_posix() for path in notices]
    return [
        notice
        for notice in expected
        if not any(name.endswith(f".dist-info/licenses/{notice}") for name in names)
    ]


def try_out(python: Python) -> None:
    """Install in an empty environment; then the demo, from a folder that has nothing."""
    (wheel,) = WORK.glob(f"*{python.wheel}*.whl")
    say(f"trying {wheel.name} with {python}")
    own = environment(WORK / f"try-{python}", python.path)
    pip(own, "install", "--only-binary", ":all:", str(wheel))
    listed = output(own, "-m", "pip", "list", "--format=freeze")
    names = {line.partition("==")[0].partition(" @ ")[0].lower() for line in listed.splitlines()}
    if names - BUNDLED != BASE:
        sys.exit(f"installed: found {sorted(names)}, expected {sorted(BASE)}")
    command = str(Path(own).with_name("tertium"))
    with tempfile.TemporaryDirectory() as elsewhere:
        shown = subprocess.check_output([command, "demo"], cwd=elsewhere, env=clean(), text=True)
        print("\n".join(shown.splitlines()[:9]))
        print(f"… {shown.splitlines()[-1]}")
        run(own, "-I", str(ROOT / "tools" / "sample_scores.py"), folder=elsewhere)
        pip(own, "install", "pytest")
        run(own, "-m", "pytest", *BARE_PYTEST, str(ROOT / THREADS), folder=elsewhere)


# ---- interpreters and their environments ------------------------------------------------------


def expected_pythons() -> list[str]:
    """Those that wheels are meant for."""
    return ["python3.11", *(f"python3.{minor}" for minor in (12, 13)), "python3.13t"]


def found_pythons() -> Iterator[Python]:
    """One of each version from 3.11 on: the one that runs this, those on the path, pyenv's."""
    places = [sys.executable]
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(11, NEWEST + 1):
        for name in (f"python3.{minor}", f"python3.{minor}t"):
            places += filter(None, [shutil.which(name)])
            places += map(str, sorted(kept.glob(f"3.{minor}*/bin/{name}")))
    places += os.environ.get("TERTIUM_PYTHONS", "").split(os.pathsep)
    seen: dict[tuple[tuple[int, int], bool], Python] = {}
    for place in filter(None, places):
        if (python := asked(place)) and python.version >= (3, 11):
            seen.setdefault((python.version, python.free_threaded), python)
    return (seen[key] for key in sorted(seen))


def asked(place: str) -> Python | None:
    """What an interpreter says of itself; nothing if it does not run."""
    words = (
        "import sys, sysconfig as s; "
        "print(*sys.version_info[:2], s.get_config_var('Py_GIL_DISABLED') or 0)"
    )
    done = subprocess.run([place, "-I", "-c", words], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    major, minor, free = map(int, done.stdout.split())
    return Python(path=place, version=(major, minor), free_threaded=bool(free))


def environment(folder: Path, python: str) -> str:
    """A new environment with pip of the pinned version; its interpreter."""
    subprocess.check_call([python, "-m", "venv", str(folder)], env=clean())
    own = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    pip(own, "install", "--upgrade", "pip")
    return own


def pip(python: str, *words: str) -> None:
    """Pip, with the versions that constraints.txt has, for builds as well."""
    quiet = ("--disable-pip-version-check", "--quiet")
    run(python, "-m", "pip", *quiet, *words, "--constraint", str(CONSTRAINTS))


def clean() -> dict[str, str]:
    """The environment without what would lead to other packages; builds are pinned, too."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    pinned = str(CONSTRAINTS)
    return {**kept, "PIP_CONSTRAINT": pinned, "PIP_BUILD_CONSTRAINT": pinned, "NO_COLOR": "1"}


def run(python: str, *words: str, folder: str | Path = WORK) -> None:
    """Run Python, which finds the programs of its environment; if it fails, so does this."""
    sys.stdout.flush()
    path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.check_call([python, *words], cwd=folder, env={**clean(), "PATH": path})


def output(python: str, *words: str) -> str:
    """What it prints."""
    return subprocess.check_output([python, *words], cwd=WORK, env=clean(), text=True)


def say(line: str) -> None:
    """Show what is being done."""
    print(f"— {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
