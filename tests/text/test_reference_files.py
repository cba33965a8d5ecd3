"""References by themselves, from files of every format."""

import io
import json
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.text.input_files import read_references

XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<dataset id="t"><doc id="d"><src lang="de"><p><seg id="1">x</seg><seg id="2">y</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">a b</seg><seg id="2">c</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="1">A B</seg><seg id="2">C</seg></p></ref>
</doc></dataset>
"""
SGML = """\
<refset setid="t" srclang="any" trglang="en"><doc docid="d" sysid="r">
<seg id="1">a b</seg><seg id="2">c</seg></doc></refset>
"""
FILES = {
    "lines.txt": ("a b\nc\n", [("a b",), ("c",)]),
    "table.tsv": ("source\treference\nx\ta b\ny\tc\n", [("a b",), ("c",)]),
    "table.jsonl": (
        "".join(json.dumps({"reference": one}) + "\n" for one in ("مرحبا", "你好")),
        [("مرحبا",), ("你好",)],
    ),
    "two.xml": (XML, [("a b", "A B"), ("c", "C")]),
    "one.sgm": (SGML, [("a b",), ("c",)]),
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_without_any_system(name: str, tmp_path: Path) -> None:
    text, expected = FILES[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert read_references([path]) == expected
    plain = tmp_path / "plain"
    plain.write_text("p\nq\n", encoding="utf-8")
    more = [(*one, two) for one, two in zip(expected, ("p", "q"), strict=True)]
    assert read_references([str(path), plain]) == more


def test_standard_input_and_columns(tmp_path: Path) -> None:
    assert read_references(["-"], stdin=io.BytesIO(b"a\tb\nc\td\n"), num_refs=2) == [
        ("a", "b"),
        ("c", "d"),
    ]
    path = tmp_path / "table.csv"
    path.write_text("human\nyes\n", encoding="utf-8")
    assert read_references([path], columns={"reference": "human"}) == [("yes",)]


def test_what_does_not_fit(tmp_path: Path) -> None:
    one, two, empty = (tmp_path / name for name in ("one", "two", "empty"))
    one.write_text("a\nb\n", encoding="utf-8")
    two.write_text("a\n", encoding="utf-8")
    empty.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"two: 1 segment, expected 2 \(reference .*one\)"):
        read_references([one, two])
    with pytest.raises(InputError, match="empty: 0 segments, expected at least one"):
        read_references([empty])
    with pytest.raises(InputError, match="references: found no file, expected at least one"):
        read_references([])
    table = tmp_path / "table.tsv"
    table.write_text("hypothesis\na\n", encoding="utf-8")
    with pytest.raises(InputError, match="found hypothesis, expected a column 'reference'"):
        read_references([table])
