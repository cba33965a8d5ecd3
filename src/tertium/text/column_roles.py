"""Which column of a table plays which role, and rows sorted into those roles."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tertium._native import Texts, concatenate
from tertium.errors import InputError, OptionError
from tertium.suggestions import did_you_mean
from tertium.text.keyed_segments import Records
from tertium.text.named_rows import kind_of

ROLES = ("source", "reference", "hypothesis", "document", "paragraph", "genre", "id")
LABELS = ("document", "paragraph", "genre", "id")
BATCH = 1 << 14


class ColumnKey(NamedTuple):
    """Where a value goes; ``part`` is a system's name or the number in a list of references."""

    role: str
    column: str
    part: str | int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnRoles:
    """Names of columns by role; ``renamed`` replaces the usual names of a role."""

    renamed: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, columns: Mapping[str, str | Sequence[str]] | None) -> "ColumnRoles":
        """Take ``{role: column}`` or ``{role: [column, …]}``."""
        for role in columns or {}:
            if role not in ROLES:
                raise OptionError(did_you_mean("column role", role, ROLES))
        return cls(
            renamed={
                role: (names,) if isinstance(names, str) else tuple(names)
                for role, names in (columns or {}).items()
            }
        )

    def key(self, column: str) -> ColumnKey | None:
        """The role that a column plays, if any.

        >>> ColumnRoles.of({"reference": "target"}).key("target").role
        'reference'
        >>> ColumnRoles.of(None).key("hypothesis_UPC").part
        'UPC'
        """
        for role, names in self.renamed.items():
            if column in names:
                several_systems = role == "hypothesis" and len(names) > 1
                return ColumnKey(role, column, column if several_systems else None)
        key = _usual_key(column)
        return None if key is None or key.role in self.renamed else key


def _usual_key(column: str) -> ColumnKey | None:
    for prefix in ("hypothesis_", "hypothesis:"):
        if column.startswith(prefix) and column != prefix:
            return ColumnKey("hypothesis", column, column.removeprefix(prefix))
    role = {"hypotheses": "hypothesis", "domain": "genre"}.get(column, column)
    if column.startswith("reference"):
        role = "reference"
    return ColumnKey(role, column) if role in ROLES else None


class _Growing:
    """A growing column; batches become native at once, so that strings do not pile up."""

    __slots__ = ("_batch", "_first", "_name", "_parts", "gap", "size")

    def __init__(self, name: str, first: int = 0) -> None:
        self._name = name
        self._first = first
        self._batch: list[str | None] = []
        self._parts: list[Texts] = []
        self.size = 0
        self.gap: int | None = None  # the first row without a value

    def put(self, row: int, value: str | None) -> None:
        """Set the value of a row; rows left out before it have none."""
        while self.size < row:
            self._append(None)
        self._append(value)

    def texts(self, rows: int) -> Texts:
        """The whole column; rows left out at the end have no value."""
        while self.size < rows:
            self._append(None)
        self._flush()
        return self._parts[0] if len(self._parts) == 1 else concatenate(self._parts)

    def _append(self, value: str | None) -> None:
        if value is None and self.gap is None:
            self.gap = self.size
        self._batch.append(value)
        self.size += 1
        if len(self._batch) == BATCH:
            self._flush()

    def _flush(self) -> None:
        try:
            self._parts.append(Texts(self._batch))
        except ValueError:
            first = self._first + self.size - len(self._batch)
            bad = next(i for i, text in enumerate(self._batch, 1) if not _is_utf8(text))
            raise InputError(
                f"{self._name}: segment {first + bad}: a lone surrogate, expected UTF-8 text"
            ) from None
        self._batch = []


def _is_utf8(text: str | None) -> bool:
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        return False
    return True


class TableBuilder:
    """Rows sorted into columns by role, then checked; ``first`` of the table are left out."""

    def __init__(
        self, name: str, columns: ColumnRoles, header: Iterable[str] = (), *, first: int = 0
    ) -> None:
        self._name = name
        self._columns = columns
        self._first = first
        self._header = {column: columns.key(column) for column in header}
        self._growing: dict[ColumnKey, _Growing] = {}
        self._rows = 0

    def add(self, place: str, cells: Mapping[str, object]) -> None:
        """Put the cells of a row where they belong; ``place`` names the row in an error."""
        for column, cell in cells.items():
            if column not in self._header:
                self._header[column] = self._columns.key(column)
            key = self._header[column]
            if key is not None:
                for part, value in _parts(key, cell):
                    growing = self._growing.get(part)
                    if growing is None:
                        growing = _Growing(self._name, self._first)
                        self._growing[part] = growing
                    growing.put(self._rows, _text(value, part, place))
        self._rows += 1

    def records(self) -> Records:
        """All the rows."""
        if self._rows == 0:
            self._growing = {key: _Growing(self._name) for key in self._header.values() if key}
        ids = self._labels("id")
        return Records(
            name=self._name,
            size=self._rows,
            found=tuple(self._header),
            keys=None if ids is None else tuple((label,) for label in ids),
            source=self._only("source"),
            references=tuple(texts for _, texts in self._texts("reference")),
            systems=tuple(
                (None if key.part is None else str(key.part), texts)
                for key, texts in self._texts("hypothesis")
            ),
            documents=self._labels("document"),
            genres=self._labels("genre"),
            paragraphs=self._labels("paragraph"),
        )

    def _texts(self, role: str) -> Iterator[tuple[ColumnKey, Texts]]:
        for key, growing in self._growing.items():
            if key.role == role:
                texts = growing.texts(self._rows)
                if role != "reference" and growing.gap is not None:
                    number = self._first + growing.gap + 1
                    raise InputError(
                        f"{self._name}: segment {number}: no {described(key)}, "
                        "expected one in every row"
                    )
                yield key, texts

    def _only(self, role: str) -> Texts | None:
        columns = list(self._texts(role))
        if len(columns) > 1:
            names = " and ".join(f"'{key.column}'" for key, _ in columns)
            raise InputError(f"{self._name}: {names} both give the {role}, expected one column")
        return columns[0][1] if columns else None

    def _labels(self, role: str) -> tuple[str, ...] | None:
        texts = self._only(role)
        if texts is None:
            return None
        return tuple(sys.intern(label or "") for label in texts.to_list())


def described(key: ColumnKey) -> str:
    """A column in words.

    >>> described(ColumnKey("hypothesis", "hypotheses", "UPC"))
    "'hypotheses' of 'UPC'"
    """
    return f"'{key.column}'" + (f" of '{key.part}'" if isinstance(key.part, str) else "")


def _parts(key: ColumnKey, cell: object) -> Iterator[tuple[ColumnKey, object]]:
    """One value, or those of a list of references or of an object of hypotheses."""
    if key.role == "reference" and isinstance(cell, list):
        for number, value in enumerate(cell):
            yield key._replace(part=number), value
    elif key.role == "hypothesis" and isinstance(cell, dict):
        for name, value in cell.items():
            yield key._replace(part=name), value
    else:
        yield key, cell


def _text(value: object, key: ColumnKey, place: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if key.role in LABELS and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"{place}: {described(key)} is {kind_of(value)}, expected text")
