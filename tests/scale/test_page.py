"""What the page on scale shows in Python is what happens."""

import doctest

import pytest

from tests.support.places import REPOSITORY


def test_python_examples_run() -> None:
    pytest.importorskip("pyarrow", reason="columns of Arrow need pyarrow")
    pytest.importorskip("polars", reason="Polars is not installed")
    page = REPOSITORY / "docs" / "scale.md"
    failures, attempts = doctest.testfile(str(page), module_relative=False)
    assert failures == 0
    assert attempts > 8
