"""The counts of `tools/shape.py`, on a package whose shape is known."""

from pathlib import Path

import pytest
from tools.shape import (
    SourceModule,
    bindings,
    python_comment_lines,
    read_modules,
    repeated_classes,
    with_one_importer,
)

FILES = {
    "__init__.py": "",
    "metrics/__init__.py": "from tertium.metrics.bleu import Bleu as Bleu\n",
    "metrics/bleu.py": (
        "from tertium.metrics.smoothing import floor\n\n\nclass Bleu:\n    # a reason\n    pass\n"
    ),
    "metrics/smoothing.py": "def floor(one):\n    found = one  # beside code\n    return found\n",
    "audit/__init__.py": "",
    "audit/table.py": 'TABLE = {"bleu": "tertium.audit.bleu:Bleu"}\n',
    "audit/bleu.py": "from tertium.metrics.bleu import Bleu as Other\n\n\nclass Bleu(Other): ...\n",
}


@pytest.fixture
def modules(tmp_path: Path) -> list[SourceModule]:
    for name, text in FILES.items():
        path = tmp_path / "tertium" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_modules(tmp_path / "tertium")


def test_an_importer_is_counted_by_import_and_by_table(modules: list[SourceModule]) -> None:
    single = [(module.name, user) for module, user in with_one_importer(modules)]
    # `metrics.bleu` is imported by another folder alone, and a package's offer does not count.
    assert single == [
        ("tertium.audit.bleu", "tertium.audit.table"),
        ("tertium.metrics.smoothing", "tertium.metrics.bleu"),
    ]


def test_classes_of_one_name_are_found(modules: list[SourceModule]) -> None:
    assert repeated_classes(modules) == {"Bleu": ["tertium.audit.bleu", "tertium.metrics.bleu"]}


def test_variables_and_parameters_are_bindings(modules: list[SourceModule]) -> None:
    counts = bindings(modules, ("one", "found", "place"))
    assert {name: count.total() for name, count in counts.items()} == {
        "one": 1,
        "found": 1,
        "place": 0,
    }


def test_a_comment_beside_code_is_no_comment_line(modules: list[SourceModule]) -> None:
    assert python_comment_lines(modules) == 1
