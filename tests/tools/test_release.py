"""What `make release` writes."""

from pathlib import Path

import pytest
from tools.release import prepare

CHANGES = "- One more metric.\n- A flag has another name.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    package = tmp_path / "src" / "tertium"
    package.mkdir(parents=True)
    (package / "version.py").write_text('"""The version."""\n\n__version__ = "0.9.1"\n')
    (tmp_path / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## Unreleased\n\n{CHANGES}\n## 0.9.1 (2026-01-02)\n\n- Older.\n"
    )
    return tmp_path


def test_the_version_stands_in_changelog_and_package(root: Path) -> None:
    assert prepare(root, "0.10.0", "2026-03-04") == CHANGES
    assert (root / "CHANGELOG.md").read_text() == (
        f"# Changelog\n\n## Unreleased\n\n## 0.10.0 (2026-03-04)\n\n{CHANGES}\n"
        "## 0.9.1 (2026-01-02)\n\n- Older.\n"
    )
    assert '__version__ = "0.10.0"' in (root / "src" / "tertium" / "version.py").read_text()


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("0.9.0", "expected three numbers, 0.9.1 or later"),
        ("1.0", "expected three numbers, 0.9.1 or later"),
        ("0.9.1", "found 0.9.1 already"),
    ],
)
def test_versions_go_up(root: Path, version: str, message: str) -> None:
    before = (root / "CHANGELOG.md").read_text()
    with pytest.raises(ValueError, match=message):
        prepare(root, version, "2026-03-04")
    assert (root / "CHANGELOG.md").read_text() == before


def test_nothing_is_released_twice(root: Path) -> None:
    prepare(root, "0.10.0", "2026-03-04")
    with pytest.raises(ValueError, match="found nothing under 'Unreleased'"):
        prepare(root, "0.11.0", "2026-03-05")
