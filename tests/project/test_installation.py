"""Hints for extras: the command that works for the copy that says it."""

import json
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tertium.installation import LOST, Copy, Installer, copy_of, install_hint, this_copy
from tests.support.places import DOCS, REPOSITORY

REQUIREMENTS = (
    "numpy>=1.26",
    "rich>=13",
    'scipy>=1.11; extra == "stats"',
    'plotly>=6; extra == "report"',
    "jinja2>=3.1 ; extra == 'report'",
    'psycopg[binary]>=3.2; extra == "postgres"',
    'plotly>=6; extra == "report-more"',
)


@pytest.fixture
def active(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An environment whose programs come first on the path, as an active one's do."""
    binaries = tmp_path / "environment" / "bin"
    binaries.mkdir(parents=True)
    for name in ("pip", "python"):
        (binaries / name).touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(binaries / "python"))
    monkeypatch.setattr(sys, "prefix", str(binaries.parent))
    monkeypatch.setenv("PATH", f"{binaries}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("VIRTUAL_ENV", str(binaries.parent))
    return binaries.parent


def hint(extra: str, active: Path, url: object = None, installer: str = "pip\n") -> str:
    note = "" if url is None else json.dumps(url)
    found = copy_of(
        installer=installer, direct_url=note, requirements=REQUIREMENTS, prefix=str(active)
    )
    return found.command(extra)


def test_a_name_in_an_index(active: Path) -> None:
    assert hint("report", active) == "pip install 'tertium[report]'"
    assert hint("report", active, installer="") == "pip install 'tertium[report]'"


def test_a_folder_and_an_editable_folder(
    active: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "my source"
    source.mkdir()
    url = {"url": source.as_uri(), "dir_info": {}}
    assert "%20" in url["url"]
    assert hint("report", active, url) == f"pip install '{source}[report]'"
    url["dir_info"] = {"editable": True}
    assert hint("report", active, url) == f"pip install -e '{source}[report]'"
    monkeypatch.chdir(source)
    assert hint("report", active, url) == "pip install -e '.[report]'"
    monkeypatch.chdir(tmp_path)
    source.rmdir()
    assert hint("report", active, url) == f"pip install '.[report]' {LOST}"


def test_a_quote_in_a_folder_is_quoted(active: Path, tmp_path: Path) -> None:
    source = tmp_path / "bob's"
    source.mkdir()
    shown = hint("report", active, {"url": source.as_uri(), "dir_info": {}})
    assert shown == f"pip install '{tmp_path}/bob'\"'\"'s[report]'"


def test_a_wheel_and_addresses(active: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "tertium-0.1.0-cp311-cp311-linux_x86_64.whl"
    wheel.touch()
    kept = {"url": wheel.as_uri(), "archive_info": {"hash": "sha256=0"}}
    assert hint("stats", active, kept) == f"pip install '{wheel}[stats]'"
    address = "https://example.org/tertium.whl"
    assert hint("stats", active, {"url": address, "archive_info": {}}) == (
        f"pip install 'tertium[stats] @ {address}'"
    )
    git = {"url": "https://example.org/tertium.git", "vcs_info": {"vcs": "git", "commit_id": "ab"}}
    assert hint("stats", active, git) == (
        "pip install 'tertium[stats] @ git+https://example.org/tertium.git'"
    )
    git["vcs_info"] = {"vcs": "git", "requested_revision": "v1", "commit_id": "ab"}
    assert hint("stats", active, git).endswith("tertium.git@v1'")


@pytest.mark.parametrize(
    ("kept", "installer", "expected"),
    [
        ("pipx_metadata.json", "pip", "pipx install --force 'tertium[report]'"),
        ("uv-receipt.toml", "uv", "uv tool install 'tertium[report]'"),
        ("pyvenv.cfg", "uv", "uv pip install 'tertium[report]'"),
        ("pyvenv.cfg", "conda", "conda install -c conda-forge plotly jinja2"),
        ("pyvenv.cfg", "Poetry 2", "pip install 'tertium[report]'"),
    ],
)
def test_other_programs(active: Path, kept: str, installer: str, expected: str) -> None:
    (active / kept).touch()
    assert hint("report", active, installer=installer) == expected


def test_conda_takes_names_without_versions(active: Path) -> None:
    assert hint("postgres", active, installer="conda").endswith("conda-forge psycopg")
    assert hint("stats", active, installer="conda").endswith("conda-forge scipy")


@pytest.mark.parametrize(
    ("installer", "expected"),
    [
        ("pip", "{python} -m pip install 'tertium[report]'"),
        ("uv", "uv pip install --python {python} 'tertium[report]'"),
    ],
)
def test_an_environment_that_is_not_active_is_named(
    installer: Installer, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    shown = Copy(installer=installer).command("report")
    assert shown == expected.format(python=tmp_path / "bin" / "python")


def test_windows_shell_gets_double_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.installation.os.name", "nt")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    for executable, shown in (
        (r"C:\env\python.exe", r"C:\env\python.exe"),
        (r"C:\my env\python.exe", r'"C:\my env\python.exe"'),
    ):
        monkeypatch.setattr(sys, "executable", executable)
        assert Copy(installer="uv").command("report") == (
            f'uv pip install --python {shown} "tertium[report]"'
        )


def test_the_page_names_every_extra() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (DOCS / "develop" / "installation.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| (`[^|]*) \|", page, flags=re.MULTILINE)
    assert sorted(re.findall(r"`([^`]+)`", " ".join(named))) == sorted(
        project["optional-dependencies"]
    )


INSTALLED = re.compile(
    r"""pip\s+install\s+[^`\n]*?((?:['"][^'"]*|\S*)tertium\S*|['"]?\.\[[^'"`\s]*)"""
)
"""What pages install of tertium, with what they say before it on the line."""


@pytest.mark.parametrize("path", [*sorted(DOCS.rglob("*.md")), REPOSITORY / "README.md"], ids=str)
def test_pages_install_from_a_folder_or_a_file(path: Path) -> None:
    """No package index has tertium, so a name alone would install something else, or nothing."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = path.read_text(encoding="utf-8").replace(
        f"package 'scipy' is not installed; {FOUND}", ""
    )
    for found in INSTALLED.findall(text):
        wanted = found.strip("'\"")
        assert wanted.startswith((".", "/", "path/")) or wanted.endswith(".whl"), found
        for extra in re.findall(r"\[([^\]]*)", wanted):
            assert set(extra.split(",")) <= set(project["optional-dependencies"]), found


FOUND = "pip install 'tertium[stats]'"
"""What the program itself says on the page of installation, where it was installed by name."""


def test_install_lines_by_name_are_found() -> None:
    for line in (
        "pip install 'tertium[spm]'",
        "pip install --no-deps tertium",
        "pip install '.[x]'",
    ):
        assert INSTALLED.findall(line)


def test_this_very_copy() -> None:
    """However the tests are run, there is a command, and it names the extra."""
    assert install_hint("stats") == this_copy().command("stats")
    assert "stats]" in install_hint("stats") or "conda install" in install_hint("stats")
