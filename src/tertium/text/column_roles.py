"""Which column of a table plays which role, and rows sorted into those roles.

Names of columns by role: ``source``; ``reference`` and every other one that begins so;
``hypothesis`` (a system called after the file) or ``hypothesis_NAME`` and ``hypothesis:NAME``;
``document``, ``segment``, ``id``, ``genre``, ``pair``; and the synonyms that
people write. In JSON lines and Parquet, references may be a list or an object, and hypotheses an
object ``{name: text}``. Other columns are left alone.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from tertium._native import Texts, concatenate
from tertium.errors import InputError, OptionError
from tertium.suggestions import did_you_mean
from tertium.text.files import TextFile
from tertium.text.keyed_segments import Records
from tertium.text.memory import CELL, Budget
from tertium.text.named_rows import kind_of, named_rows

if TYPE_CHECKING:
    from tertium.text.formats.quoting import Quoting
    from tertium.text.formats.table import ReadingOptions

ROLES = (
    "source",
    "reference",
    "hypothesis",
    "document",
    "segment",
    "paragraph",
    "genre",
    "id",
    "pair",
)
"""What ``--columns`` can name."""
TEXT: Final = "text"
"""The role of columns such as ``target``: what the file was given for."""
LANGUAGES: Final = ("source language", "target language")
LABELS = ("document", "segment", "paragraph", "genre", "id", "pair", *LANGUAGES)
IDENTIFIERS: Final = ("id", "segment", "document")
BY_POSITION: Final = "none"
"""The column of ``--columns id=none``: segments are joined by their order."""
BATCH = 1 << 14

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "source": ("source", "src", "source_text", "src_text", "source_segment", "sources"),
    "hypothesis": (
        "hypothesis", "hypotheses", "hyp", "hyps", "mt", "prediction", "predictions", "pred",
        "output", "outputs", "system_output", "completion", "candidate", "hypothesis_segment",
    ),
    TEXT: (
        "target", "tgt", "target_text", "tgt_text", "target_segment", "translation",
        "translations", "text",
    ),
    "document": ("document", "doc_id", "docid", "document_id", "documentid", "doc"),
    "segment": (
        "segment", "segment_id", "segmentid", "seg_id", "segid", "seg", "sid", "sentence_id",
        "sent_id", "line_id", "line", "idx", "index",
    ),
    "paragraph": ("paragraph",),
    "genre": ("genre", "domain"),
    "id": ("id", "item_id", "itemid", "uid", "uuid", "guid", "example_id", "sample_id", "tuid"),
    "pair": ("pair", "lp", "language_pair", "langpair", "lang_pair", "langs"),
    LANGUAGES[0]: ("src_lang", "source_lang", "source_language"),
    LANGUAGES[1]: ("tgt_lang", "target_lang", "target_language"),
}  # fmt: skip
"""How columns of a role are called, in any case; of several, the first is the column meant."""

_ROLE_OF: Final = {name: role for role, names in NAMES.items() for name in names}
_SYSTEM: Final = re.compile(
    r"(?:hypothesis[_:]|(?:hyp|mt|prediction|output|system|translation):|hyp_)(.+)", re.IGNORECASE
)
_REFERENCE: Final = re.compile(r"reference.*|refs?|refs?_?(?:[a-z]|\d+)|ref_text")
_NO_TEXT: Final = re.compile(r".*_(?:ids?|lang|language|len|length|score|tokens|words)")
"""Columns that tell something about a text, and are none."""
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:[_-][A-Za-z]+)*")
_INNER: Final = ("ref", "reference", "text", "translation")
"""Where the text of a reference is that comes as an object."""


class ColumnKey(NamedTuple):
    """Where a value goes; ``part`` is a system's name or the number in a list of references."""

    role: str
    column: str
    part: str | int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnRoles:
    """Names of columns by role; ``renamed`` replaces the usual names of a role.

    A name with dots is a path into objects (``translation.en``), unless a column is called so.
    """

    renamed: Mapping[str, tuple[str, ...]]
    by_position: bool = False

    @classmethod
    def of(cls, columns: Mapping[str, str | Sequence[str]] | None) -> "ColumnRoles":
        """Take ``{role: column}`` or ``{role: [column, …]}``."""
        for role in columns or {}:
            if role not in ROLES:
                raise OptionError(did_you_mean("column role", role, ROLES))
        renamed = {
            role: (names,) if isinstance(names, str) else tuple(names)
            for role, names in (columns or {}).items()
        }
        by_position = renamed.get("id") == (BY_POSITION,)
        if by_position:
            del renamed["id"]
        return cls(renamed=renamed, by_position=by_position)

    @property
    def paths(self) -> tuple[str, ...]:
        """Names that may be paths into objects."""
        return tuple(name for names in self.renamed.values() for name in names if "." in name)

    def keys(self, column: str) -> tuple[ColumnKey, ...]:
        """The roles that a column plays: none, one, or all those it is named for.

        >>> [key.role for key in ColumnRoles.of({"reference": "target"}).keys("target")]
        ['reference']
        """
        named = [
            ColumnKey(role, column, column if role == "hypothesis" and len(names) > 1 else None)
            for role, names in self.renamed.items()
            if column in names
        ]
        if named:
            return tuple(named)
        key = _usual_key(column)
        return () if key is None or key.role in self.renamed else (key,)

    def key(self, column: str) -> ColumnKey | None:
        """The first role that a column plays, if any.

        >>> ColumnRoles.of(None).key("Target").role, ColumnRoles.of(None).key("hypothesis_UPC").part
        ('text', 'UPC')
        """
        return next(iter(self.keys(column)), None)

    def wants(self, column: str) -> bool:
        """Whether a column plays a role, or has one inside that does."""
        return self.key(column) is not None or any(
            path.startswith(f"{column}.") for path in self.paths
        )


def _usual_key(column: str) -> ColumnKey | None:
    plain = _plain(column)
    role = _ROLE_OF.get(plain)
    if role is not None:
        return ColumnKey(role, column)
    if _NO_TEXT.fullmatch(plain):
        return None
    system = _SYSTEM.fullmatch(column.strip())
    if system:
        return ColumnKey("hypothesis", column, system[1])
    return ColumnKey("reference", column) if _REFERENCE.fullmatch(plain) else None


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
        self._paths = columns.paths
        self._header = {column: self._keys(column) for column in header}
        self._growing: dict[ColumnKey, _Growing] = {}
        self._inside: dict[str, None] = {}  # paths to what objects have, for errors
        self._rows = 0
        # A system or reference that one row has is a column of all rows.
        self._cells = Budget(name, row=CELL, rows="cells")

    def add(self, place: str, cells: Mapping[str, object]) -> None:
        """Put the cells of a row where they belong; ``place`` names the row in an error."""
        for column, cell in cells.items():
            if column not in self._header:
                self._header[column] = self._keys(column)
            for key in self._header[column]:
                self._put(key, cell, place)
        for path in self._paths:
            if path not in cells:
                found, cell = _at_path(cells, path)
                if found:
                    keys = self._header.setdefault(path, self._columns.keys(path))
                    for key in keys:
                        self._put(key, cell, place)
        self._rows += 1
        self._cells.add(rows=len(self._growing))

    def _keys(self, column: str) -> tuple[ColumnKey, ...]:
        """The roles of a column; one that has another inside plays none itself."""
        inside = any(path.startswith(f"{column}.") for path in self._paths)
        return () if inside else self._columns.keys(column)

    def _put(self, key: ColumnKey, cell: object, location: str) -> None:
        if key.role == TEXT and isinstance(cell, dict) and all(map(_LANGUAGE.fullmatch, cell)):
            self._inside.update(dict.fromkeys(f"{key.column}.{name}" for name in cell))
            return
        for part, value in _parts(key, cell):
            growing = self._growing.get(part)
            if growing is None:
                self._cells.add(rows=self._rows)  # which have none of it
                growing = _Growing(self._name, self._first)
                self._growing[part] = growing
            growing.put(self._rows, _text(value, part, location))

    def records(self) -> Records:
        """All the rows."""
        if self._rows == 0:
            self._growing = {
                key: _Growing(self._name) for keys in self._header.values() for key in keys
            }
        self._growing = {key: self._growing[key] for key in preferred(self._growing)}
        return table_records(
            self._name,
            self._rows,
            (*self._header, *self._inside),
            {role: self._columns_of(role) for role in (*LABELS, "source", TEXT)}
            | {role: list(self._texts(role)) for role in ("reference", "hypothesis")},
            self._columns,
        )

    def _columns_of(self, role: str) -> list[tuple[ColumnKey, Texts]]:
        """Columns of a role that must be full; an identifier with gaps identifies nothing."""
        chosen = self._columns.renamed.get(role, NAMES.get(role, ("",))[:1])
        return [
            (key, texts)
            for key, texts in self._texts(role, chosen if role in IDENTIFIERS else None)
            if role not in IDENTIFIERS or not texts.any_missing
        ]

    def _texts(
        self, role: str, required: Sequence[str] | None = None
    ) -> Iterator[tuple[ColumnKey, Texts]]:
        for key, growing in self._growing.items():
            if key.role == role:
                texts = growing.texts(self._rows)
                full = role not in {"reference", TEXT} and (
                    required is None or key.column in required
                )
                if full and growing.gap is not None:
                    number = self._first + growing.gap + 1
                    raise InputError(
                        f"{self._name}: segment {number}: no {described(key)}, "
                        "expected one in every row"
                    )
                yield key, texts


def preferred(keys: Iterable[ColumnKey]) -> list[ColumnKey]:
    """The columns that count: one that is called after its role needs no help of synonyms."""
    found = list(keys)
    exact = {key.role for key in found if _is_exact(key)}
    return [key for key in found if key.role not in exact or _is_exact(key)]


def _is_exact(key: ColumnKey) -> bool:
    plain = _plain(key.column)
    match key.role:
        case "source":
            return plain == "source"
        case "reference":
            return plain.startswith("reference") or key.part is not None
        case "hypothesis":
            return plain.startswith("hypothes") or key.part is not None
        case _:
            return False


def table_records(
    name: str,
    size: int,
    found: tuple[str, ...],
    columns: Mapping[str, Sequence[tuple[ColumnKey, Texts]]],
    roles: ColumnRoles,
) -> Records:
    """The columns of a table by role, checked."""
    sources = columns["source"]
    if len(sources) > 1:
        raise _twofold(name, "source", [key for key, _ in sources])
    plain = [key for key, _ in columns["hypothesis"] if key.part is None]
    if len(plain) > 1:
        raise _twofold(name, "hypothesis", plain)
    if len(columns[TEXT]) > 1:
        raise _twofold(name, "hypothesis", [key for key, _ in columns[TEXT]])
    labels = {role: _label_columns(name, columns[role], roles) for role in LABELS}
    identifiers = {role: _identifying(labels[role]) for role in IDENTIFIERS if labels[role]}
    if "id" in roles.renamed:
        identifiers = {role: identifier for role, identifier in identifiers.items() if role == "id"}
    documents = _first_labels(labels["document"])
    return Records(
        name=name,
        size=size,
        found=found,
        source=sources[0][1] if sources else None,
        references=tuple(texts for _, texts in columns["reference"]),
        systems=tuple(
            (None if key.part is None else str(key.part), texts)
            for key, texts in columns["hypothesis"]
        ),
        texts=tuple((key.column, texts) for key, texts in columns[TEXT]),
        documents=documents,
        genres=_first_labels(labels["genre"]),
        paragraphs=_first_labels(labels["paragraph"]),
        pairs=_pairs(labels, documents),
        identifiers={}
        if roles.by_position
        else {r: identifier[1] for r, identifier in identifiers.items()},
        id_columns={}
        if roles.by_position
        else {r: identifier[0] for r, identifier in identifiers.items()},
        is_table=True,
    )


def in_role(records: Records, role: str) -> Records:
    """The table with its neutral texts (``target``, ``text``) in the role it was given for.

    A table of references may have hypotheses beside them; then neutral texts are these.
    """
    if not records.texts or (records.source is not None and role == "source"):
        return records
    (column, texts), *_ = records.texts
    if role == "source":
        return replace(records, source=texts, texts=())
    if role == "hypothesis":
        own = records.systems or ((None, texts),)
        return replace(records, systems=own, texts=())
    if records.references:
        own = records.systems or ((None, texts),)
        return replace(records, systems=own, texts=())
    if records.systems:
        raise InputError(
            f"{records.name}: found {', '.join(records.found)}, expected to know what '{column}' "
            f"is beside a hypothesis: --columns reference={column}"
        )
    return replace(records, references=(texts,), texts=())


Labels = tuple[str, ...]


def _label_columns(
    name: str, columns: Sequence[tuple[ColumnKey, Texts]], roles: ColumnRoles
) -> list[tuple[str, Labels]]:
    """Columns of one role, the one that is named best first."""
    if not columns:
        return []
    role = columns[0][0].role
    if len(columns) > 1 and role not in IDENTIFIERS:
        raise _twofold(name, role, [key for key, _ in columns])
    order = roles.renamed.get(role) or NAMES[role]
    ranked = sorted(
        columns,
        key=lambda column: (
            order.index(column[0].column)
            if column[0].column in order
            else order.index(_plain(column[0].column))
        ),
    )
    return [
        (key.column, tuple(sys.intern(label or "") for label in texts.to_list()))
        for key, texts in ranked
    ]


def _plain(column: str) -> str:
    return re.sub(r"[\s-]+", "_", column.strip().lower())


def _identifying(columns: Sequence[tuple[str, Labels]]) -> tuple[str, Labels]:
    """The first column of some that names every row, else the first."""
    unique = (column for column in columns if len(set(column[1])) == len(column[1]))
    return next(unique, columns[0])


def _first_labels(columns: Sequence[tuple[str, Labels]]) -> Labels | None:
    return columns[0][1] if columns else None


def _pairs(
    labels: Mapping[str, Sequence[tuple[str, Labels]]], documents: Labels | None
) -> Labels | None:
    """The language pair of every row: a column, two of languages, or a part of WMT's names."""
    if labels["pair"]:
        return labels["pair"][0][1]
    sides = [_first_labels(labels[side]) for side in LANGUAGES]
    if sides[0] is not None and sides[1] is not None:
        both = zip(*(side for side in sides if side is not None), strict=True)
        return tuple(sys.intern(f"{source}-{target}") for source, target in both)
    if documents is None:
        return None
    found = [pair_of_document(document) for document in documents]
    return None if None in found else tuple(pair for pair in found if pair is not None)


def pair_of_document(document: str) -> str | None:
    """The language pair that a document of WMT25 or WMT26 has in its name.

    >>> pair_of_document("cs-de_DE_#_dialogue_#_MUL0088")
    'cs-de_DE'
    >>> pair_of_document("WMT26_###_edu_###_ces_Latn_###_deu_Latn_###_edu00733")
    'ces_Latn-deu_Latn'
    """
    parts = document.split("_###_")
    if len(parts) > 4:
        return sys.intern(f"{parts[2]}-{parts[3]}")
    pair, mark, _ = document.partition("_#_")
    return sys.intern(pair) if mark and re.fullmatch(r"[a-z]{2,3}-[a-z]{2,3}\w*", pair) else None


def _twofold(name: str, role: str, keys: Sequence[ColumnKey]) -> InputError:
    columns = " and ".join(f"'{key.column}'" for key in keys)
    cure = f"--columns {role}={keys[0].column}"
    return InputError(f"{name}: {columns} both give the {role}, expected one column ({cure})")


def _at_path(cells: Mapping[str, object], path: str) -> tuple[bool, object]:
    """What lies at a path of names with dots, the longest name that there is first."""
    if path in cells:
        return True, cells[path]
    parts = path.split(".")
    for size in range(len(parts) - 1, 0, -1):
        inner = cells.get(".".join(parts[:size]))
        if isinstance(inner, dict):
            found, cell = _at_path(inner, ".".join(parts[size:]))
            if found:
                return True, cell
    return False, None


def described(key: ColumnKey) -> str:
    """A column in words.

    >>> described(ColumnKey("hypothesis", "hypotheses", "UPC"))
    "'hypotheses' of 'UPC'"
    """
    return f"'{key.column}'" + (f" of '{key.part}'" if isinstance(key.part, str) else "")


def _parts(key: ColumnKey, cell: object) -> Iterator[tuple[ColumnKey, object]]:
    """One value, or those of a list of references or of an object of hypotheses or references."""
    if key.role == "reference" and isinstance(cell, list):
        for number, value in enumerate(cell):
            yield key._replace(part=number), value
    elif key.role == "reference" and isinstance(cell, dict):
        for name, value in cell.items():
            yield key._replace(part=name), _inner_text(value)
    elif key.role in {"hypothesis", TEXT} and isinstance(cell, dict):
        for name, value in cell.items():
            yield ColumnKey("hypothesis", key.column, name), _inner_text(value)
    else:
        yield key, cell


def _inner_text(value: object) -> object:
    """The text of a reference that has more to tell, such as WMT25's."""
    if not isinstance(value, dict):
        return value
    return next((value[name] for name in _INNER if name in value), value)


def _text(value: object, key: ColumnKey, location: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if key.role in LABELS and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if key.role in IDENTIFIERS and _plain(key.column) not in IDENTIFIERS:
        return None  # a column that is only called like one that names segments
    raise InputError(f"{location}: {described(key)} is {kind_of(value)}, expected text")


def read_corpus_table(file: TextFile, options: "ReadingOptions") -> Records:
    """The reader of tables that are held in memory."""
    return read_table(file, options.format, options.columns, options.quoting)


def read_table(
    file: TextFile, kind: str, columns: ColumnRoles, quoting: "Quoting" = "auto"
) -> Records:
    """All the rows of a table, checked."""
    if kind == "parquet":
        from tertium.text.parquet_tables import read_parquet

        plain = read_parquet(file, columns)
        if plain is not None:
            return plain
    header, rows = named_rows(file, kind, columns.wants, quoting)
    table = TableBuilder(file.name, columns, header or ())
    optional = _optional(header or [], columns) if kind in {"tsv", "csv", "xlsx"} else []
    for location, row in rows:
        for column in optional:
            row[column] = row[column] or None
        table.add(location, row)
    return table.records()


def _optional(header: list[str], columns: ColumnRoles) -> list[str]:
    """Columns where an empty cell is a reference that does not exist.

    With one column it is an empty reference, as an empty line of plain text is.
    """
    keys = {column: columns.key(column) for column in header}
    references = [column for column, key in keys.items() if key and key.role == "reference"]
    return references if len(references) > 1 else []
