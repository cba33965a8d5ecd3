"""Every promise of docs/serve.md names a test that exists."""

import ast
import re

from tests.support.places import DOCS, REPOSITORY

ROW = re.compile(r"^\| ([^|]+) \| `(tests/[^`]+)::(test_\w+)` \|$", re.MULTILINE)


def promises() -> list[tuple[str, str, str]]:
    text = (DOCS / "serve.md").read_text(encoding="utf-8")
    return ROW.findall(text.partition("| promise | test |")[2].partition("\n\n")[0])


def test_every_row_names_a_test() -> None:
    text = (DOCS / "serve.md").read_text(encoding="utf-8")
    table = text.partition("| promise | test |")[2].partition("\n\n")[0]
    rows = [line for line in table.splitlines()[2:] if line]
    assert rows
    assert len(promises()) == len(rows), "a row without `tests/FILE.py::test_name`"


def test_every_test_that_is_named_exists() -> None:
    missing = []
    for _, file, name in promises():
        path = REPOSITORY / file
        tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
        if name not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
            missing.append(f"{file}::{name}")
    assert not missing


def test_no_promise_stands_twice() -> None:
    names = [promise for promise, _, _ in promises()]
    assert len(names) == len(set(names))
