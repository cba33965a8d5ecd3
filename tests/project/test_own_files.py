"""What a new user does: installs a copy, opens an empty folder, follows one page from the top."""

import os
import re
import shutil
import tomllib
import venv
from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import tertium
from tertium import _native
from tests.support.commands import typed
from tests.support.places import DOCS, REPOSITORY

pytestmark = pytest.mark.slow

PAGE = DOCS / "first-steps" / "own-files.md"
SECTIONS = (
    "A score",
    "A decision between two systems",
    "A report",
    "A metric of your own",
    "A choice among samples",
    "A score for names",
)
START = """\
#!{python}
import sys
from tertium.cli.process import command
sys.exit(command())
"""


def wanted() -> list[str]:
    """What the page's command asks for: tertium with some extras, as its project file says."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (line,) = re.findall(
        r"^pip install 'path/to/tertium\[([\w,]+)\]'",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    extras = [project["optional-dependencies"][extra] for extra in line.split(",")]
    return [one for some in [project["dependencies"], *extras] for one in some]


def needed(requirements: list[str]) -> set[str]:
    """The names of packages that some requirements bring, and what those need."""
    found: set[str] = set()
    waiting = [Requirement(one) for one in requirements]
    while waiting:
        one = waiting.pop()
        applies = one.marker is None or one.marker.evaluate({"extra": ""})
        if applies and one.name not in found:
            found.add(one.name)
            waiting += [Requirement(text) for text in distribution(one.name).requires or ()]
    return found


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The shell of a user who has a copy of tertium installed, whatever the tests import.

    It has the packages that the page's command installs, and no others.
    """
    home = tmp_path_factory.mktemp("user")
    venv.create(home / "env", symlinks=True)
    (site,) = (home / "env").glob("lib/python*/site-packages")
    shutil.copytree(Path(tertium.__file__).parent, site / "tertium")
    core = Path(_native.__file__)
    shutil.copy(core, site / "tertium" / core.name)
    installed = Path(str(distribution("tertium").locate_file(""))).resolve()
    (notes,) = installed.glob("tertium-*.dist-info")
    shutil.copytree(notes, site / notes.name)
    for name in needed(wanted()):
        for part in {one.parts[0] for one in distribution(name).files or ()} - {".."}:
            if part != "__pycache__" and not (site / part).exists():
                (site / part).symlink_to(str(distribution(name).locate_file(part)))
    programs = home / "env" / "bin"
    start = programs / "tertium"
    start.write_text(START.format(python=programs / "python"), encoding="utf-8")
    start.chmod(0o755)
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def test_the_copy_is_installed_and_not_the_checkout(
    user: Mapping[str, str], tmp_path: Path
) -> None:
    done = typed("python -c 'import tertium; print(tertium.__file__)'", tmp_path, user)
    assert done.out.startswith(user["HOME"]), done
    assert not done.out.startswith(str(REPOSITORY / "src"))
    assert typed("python -c 'import pytest'", tmp_path, user).status == 1


def test_every_command_of_the_page_prints_what_it_says(
    user: Mapping[str, str], tmp_path: Path
) -> None:
    """The commands of a page follow one another, and files that it shows are saved."""
    count = 0
    text = PAGE.read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if named := re.match(r"# (\w+\.py)\n", block):
            (tmp_path / named[1]).write_text(block, encoding="utf-8")
        elif language == "console":
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, expected = part.partition("\n")
                done = typed(command, tmp_path, user)
                printed = [row.rstrip() for row in (done.out + done.err).splitlines()]
                assert printed == expected.splitlines(), command
                count += 1
    assert count > 15


def test_each_path_is_a_section_that_readme_and_first_page_lead_to() -> None:
    found = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert found == ["Before you begin", *SECTIONS]
    for page, prefix in ((REPOSITORY / "README.md", "docs/"), (DOCS / "index.md", "")):
        text = page.read_text(encoding="utf-8")
        for section in SECTIONS:
            anchor = section.lower().replace(" ", "-")
            assert f"({prefix}first-steps/own-files.md#{anchor})" in text, (page, section)
