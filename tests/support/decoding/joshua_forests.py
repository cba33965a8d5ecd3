"""Forests of a real hierarchical grammar, made by the parser of the benchmarks."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tertium.decode import Forest
from tests.support.places import REPOSITORY


def joshua_forests(shared_data: Path, count: int) -> list[Forest]:
    """The forests of the first segments of Joshua's Bengali test set."""
    # The benchmarks are scripts beside each other, not a package that could be imported.
    place = REPOSITORY / "benchmarks" / "cky.py"
    spec = spec_from_file_location("cky", place)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.setdefault("cky", module_from_spec(spec))
    spec.loader.exec_module(module)
    folder = shared_data / "forests/joshua-bn-en"
    grammar = module.Grammar.read(folder / "grammar.gz", folder / "glue-grammar")
    text = (shared_data / "nbest/joshua-bn-en/input.bn").read_text(encoding="utf-8")
    return [
        grammar.forest(line, name=f"segment {place}")
        for place, line in enumerate(text.splitlines()[:count], 1)
    ]
