"""Pin what a deployment installs, with the hash of every file.

    python tools/pin_requirements.py     # or: make pins

Writes deploy/requirements.txt (what the server needs: the extras `serve` and `postgres`) and
deploy/build-requirements.txt (what compiles the core), at the versions of constraints.txt, for the
Python of deploy/Containerfile on Linux, x86-64 and aarch64. pip installs from them with
`--require-hashes`: a file that was changed on its way, or a package that is not listed, is refused.
The hashes are those of the index that pip is set up with; none is named in the files.
"""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
CONSTRAINTS: Final = ROOT / "constraints.txt"
EXTRAS: Final = ("serve", "postgres")
MACHINES: Final = ("x86_64", "aarch64")
OLDEST_GLIBC: Final = 17
NEWEST_GLIBC: Final = 36
"""That of Debian bookworm, which the container has."""
HEADER: Final = """\
# Made by `make pins` from constraints.txt; {about}
# pip install --require-hashes -r {path}
"""

Pins = dict[str, tuple[str, set[str]]]
"""Name → its version and the hashes of its files."""


def main() -> int:
    """Write both files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for path, about, requirements in (
        ("deploy/requirements.txt", "what the server needs.", server_requirements(project)),
        (
            "deploy/build-requirements.txt",
            "what compiles the core.",
            project["dependency-groups"]["build"],
        ),
    ):
        pins: Pins = {}
        for machine in MACHINES:
            add_pins(pins, resolved(requirements, python_version(), machine))
        text = HEADER.format(about=about, path=path) + "".join(lines(pins))
        (ROOT / path).write_text(text, encoding="utf-8")
        print(f"{path}: {len(pins)} packages")
    return 0


def server_requirements(project: Mapping[str, Any]) -> list[str]:
    """What `tertium[serve,postgres]` asks for."""
    extras = project["project"]["optional-dependencies"]
    return [
        *project["project"]["dependencies"],
        *(requirement for extra in EXTRAS for requirement in extras[extra]),
    ]


def python_version() -> str:
    """The Python of the container."""
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    found = re.search(r"^FROM python:(\d+\.\d+)-slim-bookworm$", text, re.MULTILINE)
    if found is None:
        sys.exit("deploy/Containerfile: found no 'FROM python:X.Y-slim-bookworm'")
    return found[1]


def resolved(requirements: Iterable[str], version: str, machine: str) -> dict[str, Any]:
    """What pip reports that it would install on a machine; nothing is installed."""
    platforms = [
        f"--platform=manylinux_2_{minor}_{machine}"
        for minor in range(OLDEST_GLIBC, NEWEST_GLIBC + 1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"),
            *("--dry-run", "--ignore-installed", "--only-binary=:all:", "--implementation=cp"),
            *(f"--python-version={version}", *platforms, f"--platform=manylinux2014_{machine}"),
            *(f"--constraint={CONSTRAINTS}", f"--target={folder}/none", f"--report={report}"),
            *requirements,
        ]
        subprocess.run(command, check=True)
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


def add_pins(pins: Pins, report: Mapping[str, Any]) -> None:
    """Add the versions and hashes of a report of pip."""
    for package in report["install"]:
        name = re.sub(r"[-_.]+", "-", package["metadata"]["name"]).lower()
        version = package["metadata"]["version"]
        digest = package["download_info"]["archive_info"]["hashes"]["sha256"]
        before, digests = pins.setdefault(name, (version, set()))
        if before != version:
            sys.exit(f"{name}: found versions {before} and {version}, expected one")
        digests.add(digest)


def lines(pins: Pins) -> Iterable[str]:
    """The lines of a file of requirements."""
    for name, (version, digests) in sorted(pins.items()):
        hashes = "".join(f" \\\n    --hash=sha256:{digest}" for digest in sorted(digests))
        yield f"{name}=={version}{hashes}\n"


if __name__ == "__main__":
    sys.exit(main())
