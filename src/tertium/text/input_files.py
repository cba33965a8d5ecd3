"""Open reference, system, source and document files of any known format, each of them once."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias, TypeGuard, TypeVar, cast

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.plurals import counted
from tertium.text.corpus import Chunk
from tertium.text.files import TextFile, is_pattern, kept
from tertium.text.formats.content import file_format
from tertium.text.formats.table import FORMATS, ReadingOptions
from tertium.text.inputs import CorpusFile, Feed, Inputs, PlainText

if TYPE_CHECKING:
    from tertium.text.articles import ArticleUnit
    from tertium.text.column_roles import ColumnRoles
    from tertium.text.formats.inline_codes import InlineCodes
    from tertium.text.formats.quoting import Quoting
    from tertium.text.keyed_segments import Joined, Key, Records

__all__ = ["Chunk", "Inputs", "open_inputs", "read_systems"]

T = TypeVar("T")
AnyPath: TypeAlias = str | PathLike[str] | TextFile
"""A path, or a file that is held already: nothing by its name is looked for."""
STDIN: Final = "-"


class Reader:
    """Reads each file once, and standard input at most once."""

    def __init__(
        self,
        *,
        format: str,  # noqa: A002
        columns: Mapping[str, str | Sequence[str]] | None,
        stdin: BinaryIO | None,
        labels: bool,
        inline_codes: str = "drop",
        quoting: str = "auto",
        whole: bool = False,
    ) -> None:
        if format != "auto" and format not in FORMATS:
            from tertium.suggestions import did_you_mean

            raise OptionError(did_you_mean("format", format, ("auto", *FORMATS)))
        self._format = format
        self._columns = columns
        self._stdin = stdin
        self._stdin_used = False
        self._labels = labels
        if inline_codes != "drop":
            from tertium.text.formats.inline_codes import check_inline_codes

            check_inline_codes(inline_codes)
        if quoting != "auto":
            from tertium.text.formats.quoting import check_quoting

            check_quoting(quoting)
        self._inline_codes = cast("InlineCodes", inline_codes)
        self._quoting = cast("Quoting", quoting)
        self._whole = whole
        self._read: dict[str, CorpusFile] = {}

    def file(self, path: AnyPath) -> TextFile:
        """The file of a path or standard input, which is held for further passes."""
        if isinstance(path, TextFile):
            return path
        if os.fspath(path) != STDIN:
            return TextFile.find(path)
        if self._stdin_used:
            raise InputError("-: standard input for two inputs, expected for one")
        self._stdin_used = True
        return TextFile(name="stdin", data=kept(self._stdin or sys.stdin.buffer))

    def read(self, path: AnyPath) -> CorpusFile:
        """The file, with its records unless it is plain text."""
        if isinstance(path, TextFile):
            return self._read_held(path)
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
        if not self._columns:
            return
        tables = [labels for file in self._read.values() if (labels := file.labels)]
        renamed = self._roles().renamed
        for role, columns in renamed.items():
            for column in columns:
                if not any(column in table.found for table in tables):
                    names = ", ".join(table.name for table in tables) or "the inputs"
                    raise InputError(f"{names}: no column '{column}', expected for the {role}")

    def _read_held(self, file: TextFile) -> CorpusFile:
        """A file that has no path on this machine; two may have one name."""
        key = f"{file.name}\0{id(file)}"
        if key not in self._read:
            self._read[key] = self._read_new(file)
        return self._read[key]

    def _read_folder(self, name: str) -> CorpusFile | None:
        """A folder of articles or of plain text, or the files of a pattern."""
        folder = name != STDIN and os.path.isdir(name)
        if (folder and self._format == "text") or (not folder and is_pattern(name)):
            from tertium.text.file_sets import find_set

            return find_set(name)
        if not folder:
            return None
        from pathlib import Path

        from tertium.text.articles import read_folder

        return read_folder(Path(name))

    def _read_new(self, file: TextFile) -> CorpusFile:
        kind = file_format(file, self._format)
        if kind == "text":  # most files are, and start-up time is felt
            return PlainText(file)
        options = ReadingOptions(
            columns=self._roles(),
            inline_codes=self._inline_codes,
            quoting=self._quoting,
            labels=self._labels,
            whole=self._whole,
            format=kind,
        )
        return FORMATS[kind].read(file, options)

    def _roles(self) -> "ColumnRoles":
        from tertium.text.column_roles import ColumnRoles

        return ColumnRoles.of(self._columns)


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
    max_tokens: int | None = None,
    inline_codes: str = "drop",
    quoting: str = "auto",
    pair: str | None = None,
    common: bool = False,
    split_paragraphs: bool = False,
) -> Inputs:
    """Open everything that one evaluation needs, aligned segment by segment.

    The format of a file follows from its content, then from its extension, unless ``format`` says
    it; plain text is a segment a line, CoNLL-U a segment a block. ``-`` is standard input.
    Without ``systems`` the hypotheses are those of the reference files, if these are tables or
    XML that have some, else standard input; with ``None`` there are none. ``columns`` renames
    columns of tables, as in ``{"reference": "target"}``; ``num_refs`` references are separated by
    tabs in one file of plain text; ``names`` replaces the names of the systems.

    Files that name their segments (``id``, ``doc_id``, …) are joined by these keys, others by
    position (`tertium.text.keyed_segments`). Their sets of keys must be equal, unless ``common``
    takes those that all files have. ``pair`` chooses one of several language pairs, and
    ``split_paragraphs`` makes the paragraphs of each document segments.

    A folder is one of articles, as ``.muc`` files are. Their paragraphs are aligned by document
    and number; with ``articles="document"`` documents need not have the same number of them.

    A pattern (``out/*.txt``) is all files of plain text that are called so, read as one; so is a
    folder with ``format="text"``. They must be called alike, and each be as long as its like; every
    file is a document.

    Tables, marked-up and parsed files are read now, plain text and plain columns of Parquet when
    chunks are asked for. Without ``labels`` nobody will ask for documents, genres and paragraphs.
    ``called`` names the systems that would be called after some files. Segments of more than
    ``max_tokens`` are refused, by file and line. ``inline_codes`` of XLIFF, TMX and subtitles are
    dropped or kept ("drop", "keep"); with ``quoting`` "yes" or "no" the quotes of TSV enclose cells
    or are text, whatever they look like.
    """
    reader = Reader(
        format=format,
        columns=columns,
        stdin=stdin,
        labels=labels,
        inline_codes=inline_codes,
        quoting=quoting,
        whole=bool(pair) or common or split_paragraphs,
    )
    reference_files = [
        _in_role(reader.read(path), "reference", pair) for path in _paths(references)
    ]
    if not reference_files:
        raise InputError("references: found no file, expected at least one")
    source_files = [] if source is None else [_in_role(reader.read(source), "source", pair)]
    system_files = [
        _in_role(reader.read(path), "hypothesis", pair) for path in _paths(systems or ())
    ]
    own_labels = None if documents is None else reader.documents(documents)
    if not system_files and systems is not None:
        system_files = _own_systems(reference_files) or [reader.read(STDIN)]
    reader.check_columns()

    first, last = len(reference_files), len(reference_files) + len(source_files)
    files = _with_aligned_articles((*reference_files, *source_files, *system_files), articles)
    document_labels = _documents_of_sets(files)
    files, joined = _joined(files, common=common, split_paragraphs=split_paragraphs)
    if own_labels is not None and joined is not None and joined.rows is not None:
        own_labels = _labels_left(own_labels, joined, split_paragraphs=split_paragraphs)

    shown_names = called or {}
    named = [
        pair for file in files[last:] for pair in file.system_feeds(shown_names.get(file.name))
    ]
    beside = [records for file in files[:last] if (records := file.labels)]
    labelled = [own_labels, *beside] if own_labels else beside
    return Inputs(
        references=_reference_feeds(files[:first], num_refs),
        systems=tuple(feed for _, feed in named),
        system_names=_system_names(named, names),
        source=files[first].source_feed()
        if source_files
        else _first(file.sources_beside() for file in files[:first]),
        documents=_first((*(records.documents for records in labelled), document_labels)),
        genres=_first(records.genres for records in labelled),
        paragraphs=_first(records.paragraphs for records in labelled),
        ids=_first(records.ids for records in beside),
        keys=joined.keys if joined else None,
        labels_name=own_labels.name if own_labels else "",
        max_tokens=max_tokens,
        notes=joined.notes if joined else (),
        hints=joined.hints if joined else (),
    )


def read_systems(
    file: AnyPath,
    *,
    format: str = "auto",  # noqa: A002 (the word that users know)
    keys: "tuple[Key, ...] | None" = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
) -> list[tuple[str, Texts]]:
    """The systems of one file with their names, each with all its segments.

    ``keys`` are those of the segments of a test set: a file that names its segments is put in
    their order, and refused if it has others. ``columns`` renames columns of a table.
    """
    reader = Reader(
        format=format, columns=columns, stdin=None, labels=False, whole=keys is not None
    )
    opened = _in_role(reader.read(file), "hypothesis", None)
    reader.check_columns()
    if keys is not None and not isinstance(opened, PlainText) and _is_held(opened):
        from tertium.text.keyed_segments import ordered_like_keys

        opened = ordered_like_keys(opened, keys, "the test set")
    named = opened.system_feeds()
    names = _system_names(named, None)
    systems = []
    for name, (_, feed) in zip(names, named, strict=True):
        with closing(feed.open()) as cursor:
            systems.append((name, cursor.take(sys.maxsize)[0]))
    return systems


def _is_held(file: CorpusFile) -> "TypeGuard[Records]":
    """Whether the segments are in memory; said without an import that plain text does not need."""
    return file.labels is file


def _in_role(file: CorpusFile, role: str, pair: str | None) -> CorpusFile:
    """The file with its rows of one language pair, and neutral texts in the role that it has."""
    if not _is_held(file) or not file.is_table:
        return file
    from tertium.text.column_roles import in_role

    return in_role(file.of_pair(pair or ""), role)


def _own_systems(references: Sequence[CorpusFile]) -> list[CorpusFile]:
    """The files of references that have hypotheses beside them.

    A table that has none is no reason to wait for a keyboard: ``-i -`` asks for standard input.
    """
    own = [file for file in references if file.has_systems]
    tables = [labels for file in references if (labels := file.labels) and labels.is_table]
    if tables and not own:
        found = ", ".join(" ".join(column.split()) for column in tables[0].found) or "no column"
        raise InputError(
            f"{tables[0].name}: found {found}, expected a hypothesis beside the reference: "
            "--columns hypothesis=COLUMN, or -i SYSTEM (-i - for standard input)"
        )
    return own


def _joined(
    files: Sequence[CorpusFile], *, common: bool, split_paragraphs: bool
) -> "tuple[list[CorpusFile], Joined | None]":
    """All files with the same segments, in the same order; each of them is put in order once."""
    # A table that is read by pieces names no segment; a file may be given for two roles.
    held = {id(file): file for file in files if _is_held(file)}
    others = [file.name for file in files if id(file) not in held]
    if not held:
        if common:
            raise OptionError(f"--common: found {others[0]}, expected tables that name segments")
        if split_paragraphs:
            raise OptionError(f"--paragraphs: found {others[0]}, expected tables")
        return list(files), None
    from tertium.text.keyed_segments import join_by_key, with_paragraphs

    joined = join_by_key(list(held.values()), common=common, others=others)
    if split_paragraphs:
        split = with_paragraphs(joined.files, common=common, others=others)
        rows = split.rows
        if rows is not None and joined.rows is not None:
            rows = tuple(joined.rows[row] for row in rows)
        joined = split._replace(notes=(*joined.notes, *split.notes), hints=joined.hints, rows=rows)
    ordered: dict[int, CorpusFile] = dict(zip(held, joined.files, strict=True))
    return [ordered.get(id(file), file) for file in files], joined


def _labels_left(labels: "Records", joined: "Joined", *, split_paragraphs: bool) -> "Records":
    """Documents and genres of the segments that are left of the first file."""
    if split_paragraphs:
        raise OptionError(
            f"--documents: found {labels.name} with --paragraphs, expected the files' own documents"
        )
    rows = joined.rows or ()
    if rows and max(rows) >= labels.size:
        raise InputError(
            f"{labels.name}: {counted(labels.size, 'segment')}, expected at least {max(rows) + 1}"
        )
    return labels.picked(rows)


def _with_aligned_articles(files: Sequence[CorpusFile], unit: "ArticleUnit") -> list[CorpusFile]:
    """The files; those of articles with the same paragraphs."""
    articles = [file for file in files if _is_held(file) and file.articles]
    if not articles:
        return list(files)
    from tertium.text.articles import aligned_articles

    folder = next((file.name for file in articles if file.is_folder), None)
    if folder is not None and len(articles) < len(files):
        raise InputError(f"{folder}: is a directory, expected a file, or articles in every input")
    aligned = iter(aligned_articles(articles, unit))
    return [next(aligned) if _is_held(file) and file.articles else file for file in files]


def _documents_of_sets(files: Sequence[CorpusFile]) -> tuple[str, ...] | None:
    """The file of each segment, where there are many that are read as one; all sets are alike."""
    if all(isinstance(file, PlainText) for file in files):
        return None
    from tertium.text.file_sets import FileSet, common_sizes

    sets = [file for file in files if isinstance(file, FileSet)]
    if not sets:
        return None
    pairs = zip(sets[0].keys, common_sizes(sets), strict=True)
    return tuple(key for key, size in pairs for _ in range(size))


def _paths(paths: AnyPath | Sequence[AnyPath]) -> list[AnyPath]:
    return [paths] if isinstance(paths, str | PathLike | TextFile) else list(paths)


def _first(candidates: Iterable[T | None]) -> T | None:
    return next((candidate for candidate in candidates if candidate is not None), None)


def _reference_feeds(files: Sequence[CorpusFile], num_refs: int) -> tuple[Feed, ...]:
    if num_refs < 1:
        raise OptionError(f"num_refs: {num_refs}, expected at least 1")
    if num_refs > 1 and (len(files) > 1 or not isinstance(files[0], PlainText)):
        raise OptionError(
            f"num_refs: {num_refs} with {len(files)} reference files, "
            "expected one file of plain text with tabs"
        )
    return tuple(file.reference_feed(num_refs) for file in files)


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


def read_references(
    paths: Sequence[str | PathLike[str]],
    *,
    format: str = "auto",  # noqa: A002 (the word that users know)
    columns: Mapping[str, str | Sequence[str]] | None = None,
    num_refs: int = 1,
    stdin: BinaryIO | None = None,
) -> list[tuple[str, ...]]:
    """For each segment its references, of files of any format; see `open_inputs`."""
    inputs = open_inputs(
        paths, None, format=format, columns=columns, num_refs=num_refs, stdin=stdin
    )
    found = inputs.load().corpus.references
    if not len(found):
        raise InputError(f"{inputs.name}: 0 segments, expected at least one")
    return [tuple(found.of_segment(index)) for index in range(len(found))]


def read_sources(path: str | PathLike[str], segments: int | None = None) -> list[str]:
    """The source of each segment: plain text, or what a table or XML calls so.

    ``segments`` are as many as there are references.
    """
    corpus = open_inputs([path], None, source=path).load().corpus
    if segments is not None and len(corpus) != segments:
        raise InputError(
            f"{corpus.name}: {counted(len(corpus), 'segment')}, expected {segments} (references)"
        )
    return [] if corpus.sources is None else [text or "" for text in corpus.sources.to_list()]
