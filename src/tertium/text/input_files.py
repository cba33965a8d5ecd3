"""Open reference, system, source and document files of any known format."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, TypeVar

from tertium.errors import InputError, OptionError
from tertium.text.corpus import Chunk
from tertium.text.feeds import Feed
from tertium.text.file_names import KNOWN_FORMATS, format_of, is_pattern
from tertium.text.files import TextFile, kept
from tertium.text.given_files import GivenFile
from tertium.text.inputs import Inputs

if TYPE_CHECKING:
    from tertium.text.articles import ArticleUnit
    from tertium.text.column_roles import ColumnRoles
    from tertium.text.keyed_segments import Records
__all__ = ["Chunk", "Inputs", "open_inputs"]

AnyPath: TypeAlias = str | PathLike[str]
T = TypeVar("T")

STDIN = "-"


def open_inputs(
    references: AnyPath | Sequence[AnyPath],
    systems: AnyPath | Sequence[AnyPath] | None = (),
    *,
    source: AnyPath | None = None,
    documents: AnyPath | None = None,
    format: str = "auto",  # noqa: A002 (the word that users know)
    columns: Mapping[str, str | Sequence[str]] | None = None,
    names: Sequence[str] | None = None,
    num_refs: int = 1,
    stdin: BinaryIO | None = None,
    articles: "ArticleUnit" = "paragraph",
    labels: bool = True,
    called: Mapping[str, str] | None = None,
) -> Inputs:
    """Open everything that one evaluation needs, aligned segment by segment.

    The format of a file follows from its extension unless ``format`` says it; plain text is a
    segment a line, CoNLL-U a segment a block. ``-`` is standard input. Without ``systems`` the
    hypotheses are those of the reference files, if these are tables or XML that have some, else
    standard input; with ``None`` there are none. ``columns`` renames columns of tables, as in
    ``{"reference": "target"}``; ``num_refs`` references are separated by tabs in one file of
    plain text; ``names`` replaces the names of the systems.

    A folder is one of articles, as ``.muc`` files are. Their paragraphs are aligned by document
    and number; with ``articles="document"`` documents need not have the same number of them.

    A pattern (``out/*.txt``) is all files of plain text that are called so, read as one; so is a
    folder with ``format="text"``. They must be called alike, and each be as long as its like; every
    file is a document.

    Tables, marked-up and parsed files are read now, plain text and plain columns of Parquet when
    chunks are asked for. Without ``labels`` nobody will ask for documents, genres and paragraphs.
    ``called`` names the systems that would be called after some files.
    """
    reader = _Reader(format=format, columns=columns, stdin=stdin, labels=labels)
    given_references = [reader.read(path) for path in _paths(references)]
    if not given_references:
        raise InputError("references: found no file, expected at least one")
    given_source = None if source is None else reader.read(source)
    given_systems = [reader.read(path) for path in _paths(systems or ())]
    own_labels = None if documents is None else reader.documents(documents)
    if not given_systems and systems is not None:
        own = [given for given in given_references if given.has_systems]
        given_systems = own or [reader.read(STDIN)]
    reader.check_columns()

    sources = [] if given_source is None else [given_source]
    every = _with_aligned_articles((*given_references, *sources, *given_systems), articles)
    first, last = len(given_references), len(given_references) + len(sources)
    given_references, sources, given_systems = every[:first], every[first:last], every[last:]
    document_labels = _documents_of_sets(every)
    order = _first(given.records for given in every if given.records and given.records.keys)
    given_references = [given.ordered_like(order) for given in given_references]
    sources = [given.ordered_like(order) for given in sources]
    given_systems = [given.ordered_like(order) for given in given_systems]

    if called is not None:
        given_systems = [one._replace(called=called.get(one.file.name)) for one in given_systems]
    named = [pair for given in given_systems for pair in given.system_feeds()]
    told = [given.records for given in (*given_references, *sources) if given.records]
    labelled = [own_labels, *told] if own_labels else told
    return Inputs(
        references=_reference_feeds(given_references, num_refs),
        systems=tuple(feed for _, feed in named),
        system_names=_system_names(named, names),
        source=sources[0].source_feed()
        if sources
        else _first(given.told_source() for given in given_references),
        documents=_first((*(one.documents for one in labelled), document_labels)),
        genres=_first(one.genres for one in labelled),
        paragraphs=_first(one.paragraphs for one in labelled),
        ids=_first(one.ids for one in told),
        labels_name=own_labels.name if own_labels else "",
    )


class _Reader:
    """Reads each file once, and standard input at most once."""

    def __init__(
        self,
        *,
        format: str,  # noqa: A002
        columns: Mapping[str, str | Sequence[str]] | None,
        stdin: BinaryIO | None,
        labels: bool,
    ) -> None:
        if format != "auto" and format not in KNOWN_FORMATS:
            from tertium.suggestions import did_you_mean

            raise OptionError(did_you_mean("format", format, ("auto", *KNOWN_FORMATS)))
        self._format = format
        self._columns = _columns(columns) if columns else None
        self._stdin = stdin
        self._stdin_used = False
        self._labels = labels
        self._read: dict[str, GivenFile] = {}

    def file(self, path: AnyPath) -> TextFile:
        """The file of a path or standard input, which is kept for further passes."""
        if os.fspath(path) != STDIN:
            return TextFile.find(path)
        if self._stdin_used:
            raise InputError("-: standard input for two inputs, expected for one")
        self._stdin_used = True
        return TextFile(name="stdin", data=kept(self._stdin or sys.stdin.buffer))

    def read(self, path: AnyPath) -> GivenFile:
        """The file, with its records unless it is plain text."""
        name = os.fspath(path)
        if name == STDIN or name not in self._read:
            self._read[name] = self._read_folder(name) or self._read_new(self.file(path))
        return self._read[name]

    def documents(self, path: AnyPath) -> "Records":
        """The document and genre of every segment."""
        from tertium.text.documents import read_documents

        return read_documents(self.file(path))

    def check_columns(self) -> None:
        """Every renamed column must be in some table: none is left out silently."""
        tables = [given.records for given in self._read.values() if given.records]
        renamed = self._columns.renamed if self._columns else {}
        for role, columns in renamed.items():
            for column in columns:
                if not any(column in table.found for table in tables):
                    names = ", ".join(table.name for table in tables) or "the inputs"
                    raise InputError(f"{names}: no column '{column}', expected for the {role}")

    def _read_folder(self, name: str) -> GivenFile | None:
        """A folder of articles or of plain text, or the files of a pattern."""
        folder = name != STDIN and os.path.isdir(name)
        if (folder and self._format == "text") or (not folder and is_pattern(name)):
            from tertium.text.many.file_set import find_set

            return GivenFile(file=TextFile(name=name), many=find_set(name))
        if not folder:
            return None
        from pathlib import Path

        from tertium.text.articles import read_folder

        return GivenFile(file=TextFile(name=name), records=read_folder(Path(name)))

    def _read_new(self, file: TextFile) -> GivenFile:
        kind = format_of(file.name) if self._format == "auto" else self._format
        # Imported on use: with plain text, which is most common, start-up time is felt.
        if kind == "text":
            return GivenFile(file=file)
        if kind in ("muc", "sgml"):
            from tertium.text.articles import is_articles, read_articles

            if is_articles(file):
                return GivenFile(file=file, records=read_articles(file))
        if kind == "muc":
            return GivenFile(file=file)
        if kind in ("sgml", "xml"):
            from tertium.text.markup import read_markup

            return GivenFile(file=file, records=read_markup(file, kind))
        if kind == "conllu":
            from tertium.text.conllu import read_conllu

            return GivenFile(file=file, blocks=read_conllu(file))
        return self._read_table(file, kind)

    def _read_table(self, file: TextFile, kind: str) -> GivenFile:
        from tertium.text.tables import read_table

        columns = self._columns or _columns(None)
        if kind == "parquet":
            from tertium.text.parquet.feeds import stored_table

            if stored := stored_table(file, columns, labels=self._labels):
                return GivenFile(file=file, records=stored.records, stored=stored)
        return GivenFile(file=file, records=read_table(file, kind, columns))


def _columns(columns: Mapping[str, str | Sequence[str]] | None) -> "ColumnRoles":
    from tertium.text.column_roles import ColumnRoles

    return ColumnRoles.of(columns)


def _with_aligned_articles(every: Sequence[GivenFile], unit: "ArticleUnit") -> list[GivenFile]:
    """The files; those of articles with the same paragraphs."""
    files = [given.records for given in every if given.records and given.has_articles]
    if not files:
        return list(every)
    from tertium.text.articles import aligned_articles

    folder = next((one.file.name for one in every if os.path.isdir(one.file.name)), None)
    if folder is not None and len(files) < len(every):
        raise InputError(f"{folder}: is a directory, expected a file, or articles in every input")
    aligned = iter(aligned_articles(files, unit))
    return [one._replace(records=next(aligned)) if one.has_articles else one for one in every]


def _documents_of_sets(every: Sequence[GivenFile]) -> tuple[str, ...] | None:
    """The file of each segment, where there are many that are read as one; all sets are alike."""
    sets = [given.many for given in every if given.many]
    if not sets:
        return None
    from tertium.text.many.file_set import common_sizes

    pairs = zip(sets[0].keys, common_sizes(sets), strict=True)
    return tuple(key for key, size in pairs for _ in range(size))


def _paths(given: AnyPath | Sequence[AnyPath]) -> list[AnyPath]:
    return [given] if isinstance(given, str | PathLike) else list(given)


def _first(candidates: Iterable[T | None]) -> T | None:
    return next((candidate for candidate in candidates if candidate is not None), None)


def _reference_feeds(given: Sequence[GivenFile], num_refs: int) -> tuple[Feed, ...]:
    if num_refs < 1:
        raise OptionError(f"num_refs: {num_refs}, expected at least 1")
    if num_refs > 1 and (len(given) > 1 or not given[0].has_lines):
        raise OptionError(
            f"num_refs: {num_refs} with {len(given)} reference files, "
            "expected one file of plain text with tabs"
        )
    return tuple(one.reference_feed(num_refs) for one in given)


def _system_names(
    named: Sequence[tuple[str, Feed]], names: Sequence[str] | None
) -> tuple[str, ...]:
    if names is not None and len(names) != len(named):
        raise OptionError(f"names: found {len(names)}, expected {len(named)}, one for each system")
    chosen = tuple(name for name, _ in named) if names is None else tuple(names)
    first: dict[str, str] = {}
    for name, (_, feed) in zip(chosen, named, strict=True):
        if name in first:
            raise InputError(
                f"{feed.name}: system name '{name}' is that of {first[name]} too, "
                "expected different names"
            )
        first[name] = feed.name
    return chosen
