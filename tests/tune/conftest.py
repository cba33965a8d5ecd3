"""Fixtures of the tests of tuning."""

from pathlib import Path

import pytest

from tests.support.decoding.decoder import decoder_folder
from tests.support.decoding.tuning import tuning_files


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """References, two runs of lists, weights, and statistics of Moses."""
    return tuning_files(tmp_path)


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """The folder of a decoder."""
    return decoder_folder(tmp_path)
