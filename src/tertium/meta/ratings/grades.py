"""Columns of grades: a letter or number a line, beside the rows of a table of ratings.

The files are called CRITERION.PAIR, as those of Sudoh, Takahashi and Nakamura (2021), who graded
the direct-assessment segments of WMT15–17 for adequacy and fluency.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import Rating, is_pair, read_value
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.text.numbers.decimals import decimal

GRADES: Final[Mapping[str, Mapping[str, float]]] = {
    "adequacy": {"S": 5.0, "A": 4.0, "B": 3.0, "C": 2.0, "F": 2.0, "O": 1.0, "N": 1.0},
    "fluency": {"S": 5.0, "A": 4.0, "B": 3.0, "D": 2.0, "F": 1.0},
}
"""Criterion → number of each letter. The files come without a key: the order is that of the mean
direct assessment of the segments with a letter. C and F are two kinds of wrong content, O and N
say something else or nothing; how far apart they lie is our convention."""


def parse_grades(pairs: Sequence[tuple[str, str]]) -> dict[str, float] | None:
    """Grades that a user gives as letter and number.

    >>> parse_grades([("A", "2"), ("B", "1")])
    {'A': 2.0, 'B': 1.0}
    """
    grades = {}
    for letter, text in pairs:
        number = decimal(text)
        if number is None:
            raise OptionError(f"grade '{letter}': found '{text}', expected a number")
        grades[letter] = number
    return grades or None


def is_grade_file(name: str) -> bool:
    """Whether a file is called CRITERION.PAIR.

    >>> is_grade_file("wmt17/adequacy.de-en"), is_grade_file("newstest2012.es-en.UPC")
    (True, False)
    """
    front, _, pair = Path(name).name.rpartition(".")
    return bool(front) and is_pair(pair)


def read_grades(
    file: TextFile, frame: Sequence[Rating], grades: Mapping[str, float] | None = None
) -> Iterator[Rating]:
    """The lines of a file as ratings of what the rows of ``frame`` rate, pair by pair."""
    front, _, pair = Path(file.name).name.rpartition(".")
    if not is_grade_file(file.name):
        raise InputError(f"{file.name}: found this name, expected CRITERION.PAIR")
    criterion = front.rpartition(".")[2].lower()
    rows = [row for row in frame if row.pair == pair and row.segment is not None]
    rows = [row for row in rows if row.criterion == rows[0].criterion]
    if not rows:
        raise InputError(
            f"{file.name}: found no table with rows of {pair} before it, "
            "expected one whose rows it goes along with"
        )
    scale = grades or GRADES.get(criterion)
    lines = list(numbered_lines(file))
    if len(lines) != len(rows):
        raise InputError(
            f"{file.name}: {counted(len(lines), 'line')}, expected {len(rows)} (rows of {pair} "
            "from "
            f"{rows[0].place})"
        )
    for (number, line), row in zip(lines, rows, strict=True):
        place = f"{file.name}:{number}"
        value = read_value(line, place, scale)
        yield row._replace(place=place, value=value, criterion=criterion)
