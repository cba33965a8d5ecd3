"""References of a whole corpus, prepared once for each way of reading them."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeAlias, TypeVar, cast

from tertium._native import Texts, reference_columns
from tertium.errors import InputError
from tertium.plurals import counted

Hypotheses: TypeAlias = Sequence[str] | Texts
SegmentReferences: TypeAlias = str | Sequence[str | None]
AnyReferences: TypeAlias = "References | Sequence[SegmentReferences]"

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
    def of(cls, references: AnyReferences, *, reused: bool = True) -> "References":
        """Take ``[segment]`` or ``[segment][reference]`` strings, or references as they are."""
        if isinstance(references, References):
            return references
        if isinstance(references, str):
            raise InputError("references: found one string, expected one entry per segment")
        try:
            columns, bare = reference_columns(references)
        except (TypeError, ValueError) as error:
            raise InputError(f"references: {error}") from None
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


def column_of(segments: Sequence[str | None] | Texts, place: str) -> Texts:
    """The segments as a native column; ``place`` names them in an error."""
    if isinstance(segments, Texts):
        return segments
    if isinstance(segments, str):
        raise InputError(f"{place}: found one string, expected a sequence of segments")
    try:
        return Texts(segments)
    except (TypeError, ValueError) as error:
        raise InputError(f"{place}: {error}") from None


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
