"""No test of this folder reads or writes the user's own cache."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TERTIUM_CACHE", str(folder))
    return folder
