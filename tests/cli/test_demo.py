"""`tertium demo --files`: the sample, to try commands on."""

from pathlib import Path

import pytest

from tests.support.commands import error, output
from tests.support.places import SAMPLE


def test_the_sample_is_copied_and_listed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for folder in (tmp_path / "a" / "new", tmp_path / "empty"):
        if folder.name == "empty":
            folder.mkdir()
        listed = output(capsys, "demo", "--files", str(folder)).splitlines()
        assert listed == sorted(path.name for path in SAMPLE.iterdir())
        for path in SAMPLE.rglob("*.*"):
            assert (folder / path.relative_to(SAMPLE)).read_bytes() == path.read_bytes()


def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    said = error(capsys, "demo", "--files", str(tmp_path))
    assert said == f"tertium: {tmp_path}: found a folder that is not empty, expected a new folder"
    said = error(capsys, "demo", "--files", str(tmp_path / "mine.txt"))
    assert said.endswith("mine.txt: found a file, expected a new folder")
    said = error(capsys, "demo", "--files", str(tmp_path / "mine.txt" / "inside"))
    assert said.endswith("inside: Not a directory, expected a folder to write to")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
