"""Tests hold their level on documents of real lengths; docs/significance.md shows more of it."""

from pathlib import Path

import pytest
from experiments.data import Data
from experiments.evidence import size

pytestmark = pytest.mark.shared

REPETITIONS = 300
ERROR = (0.05 * 0.95 / REPETITIONS) ** 0.5


@pytest.fixture(scope="module")
def data(shared_data: Path) -> Data:
    return Data(shared_data)


@pytest.mark.parametrize("documents", [5, 8, 12, 40])
def test_the_default_test_holds_its_level(documents: int, data: Data) -> None:
    found = size.sizes(data, documents, REPETITIONS, seed=documents)["default"]
    for share in found.values():
        assert abs(share - 0.05) < 3 * ERROR


@pytest.mark.parametrize("better", [0, 3])
def test_a_board_of_equal_systems_has_an_order_in_five_percent(better: int, data: Data) -> None:
    found = size.family_errors(data, 12, 6, REPETITIONS, better=better, seed=4)
    assert found["max-T"] < 0.05 + 3 * ERROR
    assert found["not corrected"] > 0.1


def test_max_t_finds_more_than_holm_of_few_documents(data: Data) -> None:
    found = size.family_powers(data, 8, size.SYSTEMS, 20)
    assert found["Holm"] == 0
    assert found["max-T"] > found["max-T, plain"] > 0


def test_ranges_of_ranks_hold_the_rank_on_all_documents(data: Data) -> None:
    coverage, width, _ = size.rank_ranges(data, 80, 3)
    assert float(coverage.split()[0]) > 95
    assert int(width.split()[0]) < 15
