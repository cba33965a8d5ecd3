"""No result and no error says "1 segments": counts are written by `tertium.plurals.counted`."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.support.places import REPOSITORY

SOURCE = REPOSITORY / "src" / "tertium"
NOUNS = (
    *("arcs", "candidates", "characters", "columns", "comparisons", "documents", "edits"),
    *("errors", "features", "files", "genres", "hypotheses", "items", "judges", "lines"),
    *("metrics", "names", "nodes", "numbers", "outputs", "pairs", "parameters", "raters"),
    *("ratings", "references", "rows", "scores", "segments", "sentences", "sources", "spans"),
    *("systems", "texts", "tokens", "translations", "values", "words"),
)
PLURAL = re.compile(rf" (?:{'|'.join(NOUNS)})\b")
TEXTS = ("arc", "location", "name", "place", "spec", "system", "title")
"""Names of what is no number."""
AS_PRINTED = {"src/tertium/compat/mteval.py": "mteval itself prints '(1 systems)'"}
MANY = re.compile(r"\b(?:more than|fewer than|\d+ (?:or|to)) $")
"""What a number behind these words is, nobody reads as one thing."""


def uncounted(tree: ast.AST) -> Iterator[ast.FormattedValue]:
    """Numbers of which an f-string says that they are several, whatever they are.

    Not a share ("3 of {n} segments"), not a limit that is a constant, and not what has decimals.
    """
    for text in ast.walk(tree):
        if not isinstance(text, ast.JoinedStr):
            continue
        before = ""
        for value, after in zip(text.values, [*text.values[1:], None], strict=True):
            plural = isinstance(after, ast.Constant) and PLURAL.match(str(after.value))
            if isinstance(value, ast.FormattedValue) and plural and is_count(value.value):
                share = before.endswith(" of ") or MANY.search(before)
                if not share and value.format_spec is None:
                    yield value
            before = str(value.value) if isinstance(value, ast.Constant) else ""


def is_count(value: ast.expr) -> bool:
    """A length, maybe one more or less, or a name in small letters; other calls may make text."""
    if isinstance(value, ast.BinOp):
        return is_count(value.left)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "len"
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "X")
    return name == name.lower() and name not in TEXTS


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('f"{name}: {len(x)} segments"', 1),
        ('f"found {self.systems} systems"', 1),
        ("f\"{counted(len(x), 'segment')}\"", 0),
        ('f"{a} of {b} segments"', 0),
        ('f"at most {MOST} rows"', 0),
        ('f"more than {most} rows"', 0),
        ('f"{mean:.1f} words"', 0),
        ('f"{len(offsets) - 1} segments"', 1),
        ('f"{x} segmentation"', 0),
        ('f"{one.place} values"', 0),
    ],
)
def test_scanner_finds_counts_that_are_always_plural(code: str, found: int) -> None:
    assert len([*uncounted(ast.parse(code))]) == found


@pytest.mark.parametrize("package", sorted(path.name for path in SOURCE.iterdir() if path.is_dir()))
def test_no_text_says_1_segments(package: str) -> None:
    places = [
        f"{path.relative_to(REPOSITORY)}:{value.lineno}"
        for path in sorted((SOURCE / package).rglob("*.py"))
        if path.relative_to(REPOSITORY).as_posix() not in AS_PRINTED
        for value in uncounted(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert places == [], "expected counted(number, 'noun') of tertium.plurals"
