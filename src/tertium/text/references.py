"""References of a whole corpus, prepared once for each way of reading them."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from io import IOBase
from typing import Any, TypeAlias, TypeVar, cast

from tertium._native import Texts, reference_columns
from tertium.errors import InputError
from tertium.plurals import counted

Hypotheses: TypeAlias = Sequence[str] | Texts
SegmentReferences: TypeAlias = str | Sequence[str | None]


Prepared = TypeVar("Prepared")


class References:
    """The references of every segment, one column for each set.

    A column entry of ``None`` is a reference that does not exist for that segment: segments
    may have different numbers of references, and at least one must remain.

    >>> references = References.of(["one reference", ["first", "second"]])
    >>> len(references), references.count
    (2, 'var')
    """

    __slots__ = ("_prepared", "columns", "reused")

    def __init__(self, columns: Iterable[Texts], *, reused: bool = True) -> None:
        """With ``reused=False``, tokens are not kept for another system, which is faster."""
        self.columns = tuple(columns)
        self.reused = reused
        self._prepared: dict[Hashable, object] = {}
        if not self.columns:
            raise InputError("references: found no reference set, expected at least one")
        for number, column in enumerate(self.columns, 1):
            if len(column) != len(self.columns[0]):
                raise InputError(
                    f"reference set {number}: {counted(len(column), 'segment')}, "
                    f"expected {len(self.columns[0])} (reference set 1)"
                )

    @classmethod
    def of(cls, references: "AnyReferences", *, reused: bool = True) -> "References":
        """Take ``[segment]`` or ``[segment][reference]`` strings, or references as they are.

        In a dict, a data frame or an Arrow table every column is a set of references.

        >>> References.of({"first": ["one", "two"], "second": ["eins", None]}).count
        'var'
        """
        if isinstance(references, References):
            return references
        try:
            columns, bare = reference_columns(_segments_of(references))
        except (TypeError, ValueError) as error:
            raise InputError(f"references: {_wrong_segment(references) or error}") from None
        if bare >= 0:
            raise InputError(f"segment {bare + 1}: no reference, expected at least one")
        return cls(columns, reused=reused)

    def __len__(self) -> int:
        return len(self.columns[0])

    def of_segment(self, index: int) -> list[str]:
        """The references that exist for one segment."""
        return [text for column in self.columns if (text := column[index]) is not None]

    @property
    def count(self) -> str:
        """How many references a segment has, or ``var`` where that differs."""
        ragged = any(column.any_missing for column in self.columns)
        return "var" if ragged else str(len(self.columns))

    def prepared(self, key: Hashable, build: Callable[[tuple[Texts, ...]], Prepared]) -> Prepared:
        """``build(columns)``, made on first use and kept: many systems share the work."""
        if key not in self._prepared:
            self._prepared[key] = build(self.columns)
        return cast("Prepared", self._prepared[key])


AnyReferences: TypeAlias = References | Sequence[SegmentReferences] | Mapping[str, Hypotheses]


def _segments_of(references: AnyReferences) -> Sequence[SegmentReferences]:
    """The references of every segment, out of whatever holds them."""
    if isinstance(references, str):
        raise InputError("references: found one string, expected one entry per segment")
    if isinstance(references, list | tuple):
        return references
    sets = named_columns(references)
    if sets is None:
        column = _values(references, "references")
        return [() if text is None else text for text in column]
    columns = [_values(column, name) for name, column in sets.items()]
    if len({len(column) for column in columns}) > 1:
        found = ", ".join(
            f"{name} {len(column)}" for name, column in zip(sets, columns, strict=True)
        )
        raise InputError(f"references: found columns of different lengths ({found}), expected one")
    return list(zip(*columns, strict=True))


def _wrong_segment(references: object) -> str:
    """The first entry that is neither a reference nor several; empty where there is none."""
    for number, entry in enumerate(references if isinstance(references, list | tuple) else (), 1):
        if not isinstance(entry, Iterable):
            found = "None" if entry is None else type(entry).__name__
            return f"segment {number}: found {found}, expected a string or a list of strings"
    return ""


def column_of(segments: Hypotheses | Sequence[str | None], location: str) -> Texts:
    """The segments as a native column; ``location`` names them in an error.

    They may be a column of a data frame of pandas or Polars, too, or an array of NumPy or Arrow.
    """
    if isinstance(segments, Texts):
        return segments
    try:
        return Texts(_values(segments, location))
    except (TypeError, ValueError) as error:
        raise InputError(f"{location}: {error}") from None


def named_columns(table: object) -> dict[str, Any] | None:
    """The columns of a dict, a data frame or an Arrow table by name; None for what is no table.

    >>> named_columns({"A": ["one segment"]}), named_columns(["one segment"])
    ({'A': ['one segment']}, None)
    """
    if isinstance(table, Mapping):
        return {str(name): column for name, column in table.items()}
    names = getattr(table, "column_names", None)  # Arrow; its `columns` are not names
    names = getattr(table, "columns", None) if names is None else names
    if names is None or isinstance(table, References):
        return None
    frame: Any = table
    return {str(name): frame[name] for name in names}


def _values(column: Any, location: str) -> Sequence[str | None]:
    """The strings of a column, None where one is missing, whichever library holds them."""
    if isinstance(column, list | tuple):
        return column
    if isinstance(column, str):
        raise InputError(f"{location}: found one string, expected a sequence of segments")
    if (columns := named_columns(column)) is not None:
        raise InputError(
            f"{location}: found a table of {', '.join(columns) or 'no columns'}, expected one "
            "column"
        )
    for convert in ("to_pylist", "to_list", "tolist"):  # Arrow, Polars and pandas, NumPy
        if hasattr(column, convert):
            values = getattr(column, convert)()
            if hasattr(column, "isna"):  # pandas, which has several values for what is missing
                missing = column.isna().tolist()
                values = [None if gap else text for text, gap in zip(values, missing, strict=True)]
            return cast("list[str | None]", values)
    if not isinstance(column, Sequence):
        found = "an open file" if isinstance(column, IOBase) else type(column).__name__
        raise InputError(f"{location}: found {found}, expected a list of segments")
    return column


def aligned(hypotheses: Hypotheses, references: AnyReferences) -> tuple[Texts, References]:
    """Both sides as native columns of the same length, or an error with both counts."""
    column = column_of(hypotheses, "hypotheses")
    if column.any_missing:
        raise InputError("hypotheses: found None, expected a string for every segment")
    prepared = References.of(references, reused=False)
    if len(column) != len(prepared):
        hint = (
            "; the references look transposed, expected [segment][reference]"
            if len(prepared.columns) == len(column)
            else ""
        )
        raise InputError(
            f"hypotheses: {counted(len(column), 'segment')}, "
            f"expected {len(prepared)} (references){hint}"
        )
    return column, prepared
