"""Prepare a release: version, changelog, manual pages, notes and the message of the tag.

    python tools/release.py 0.2.0     # or: make release VERSION=0.2.0

What stands under *Unreleased* in CHANGELOG.md gets the version and today's date, `version.py` the
version, and examples and manual pages that show it are renewed. The notes and the message of the
tag are left in build/release; `make release` builds the wheels after that. Nothing is committed,
tagged or sent: the last lines say how.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
HEADING: Final = "## Unreleased\n"
VERSION_LINE: Final = re.compile(r'(?m)^__version__ = "([^"]+)"$')


def main(words: list[str]) -> int:
    """Prepare the release of the version that was given."""
    if len(words) != 1:
        print("release: found no version, expected one such as 0.2.0 (make release VERSION=0.2.0)")
        return 2
    if subprocess.run(["git", "diff", "--quiet", "HEAD"], cwd=ROOT, check=False).returncode:  # noqa: S607 (git)
        print("release: found changes that are not committed, expected none (git status)")
        return 2
    version = words[0]
    try:
        notes = prepare(ROOT, version, datetime.now(tz=UTC).date().isoformat())
    except ValueError as error:
        print(f"release: {error}")
        return 2
    folder = ROOT / "build" / "release"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "notes.md").write_text(notes, encoding="utf-8")
    (folder / "tag.txt").write_text(f"tertium {version}\n\n{notes}", encoding="utf-8")
    for tool in ("generate_manual.py", "renew_examples.py"):
        subprocess.run([sys.executable, str(ROOT / "tools" / tool)], cwd=ROOT, check=True)
    print(f"notes and tag message: {folder}")
    print(f"next: make test, git commit -am 'release: {version}'")
    print(f"then: git tag --annotate v{version} --file build/release/tag.txt")
    return 0


def prepare(root: Path, version: str, date: str) -> str:
    """Write the version into the changelog and the package; the notes of the release."""
    module = root / "src" / "tertium" / "version.py"
    source = module.read_text(encoding="utf-8")
    match = VERSION_LINE.search(source)
    if match is None:
        raise ValueError("src/tertium/version.py: found no version, expected __version__ = …")
    if not re.fullmatch(r"\d+\.\d+\.\d+", version) or numbers(version) < numbers(match[1]):
        raise ValueError(f"found version {version}, expected three numbers, {match[1]} or later")
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if f"\n## {version} " in text:
        raise ValueError(f"CHANGELOG.md: found {version} already, expected a new version")
    before, heading, after = text.partition(HEADING)
    notes, mark, older = after.partition("\n## ")
    if not heading or not notes.strip():
        raise ValueError("CHANGELOG.md: found nothing under 'Unreleased', expected the changes")
    changed = f"{before}{HEADING}\n## {version} ({date})\n{notes}{mark}{older}"
    changelog.write_text(changed, encoding="utf-8")
    module.write_text(VERSION_LINE.sub(f'__version__ = "{version}"', source), encoding="utf-8")
    return notes.strip() + "\n"


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, which sort as versions do.

    >>> numbers("0.10.0") > numbers("0.9.1")
    True
    """
    return tuple(map(int, re.findall(r"\d+", version)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
