"""Fixtures shared by all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

# Time limits for single examples would only measure how busy the machine is.
settings.register_profile("tertium", deadline=None)
settings.load_profile("tertium")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real test sets; absent on most machines, so those tests say why they are skipped."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the folder 'shared/data' is not beside the checkout")
    return SHARED / "data"


@pytest.fixture(scope="session")
def shared_oracles() -> Path:
    """Golden outputs of other people's programs."""
    if not (SHARED / "oracles").is_dir():
        pytest.skip("the folder 'shared/oracles' is not beside the checkout")
    return SHARED / "oracles"
