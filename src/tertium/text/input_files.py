"""Open reference, system, source and document files of any known format."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.plurals import counted
from tertium.text.corpus import Chunk
from tertium.text.feeds import Feed
from tertium.text.files import TextFile
from tertium.text.given_files import GivenFile
from tertium.text.inputs import Inputs
from tertium.text.reader import STDIN, AnyPath, Reader

if TYPE_CHECKING:
    from tertium.text.articles import ArticleUnit
    from tertium.text.keyed_segments import Joined, Key, Records
__all__ = ["Chunk", "Inputs", "open_inputs", "read_systems"]

T = TypeVar("T")


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
        held=bool(pair) or common or split_paragraphs,
    )
    given_references = [
        _in_role(reader.read(path), "reference", pair) for path in _paths(references)
    ]
    if not given_references:
        raise InputError("references: found no file, expected at least one")
    given_source = None if source is None else _in_role(reader.read(source), "source", pair)
    given_systems = [
        _in_role(reader.read(path), "hypothesis", pair) for path in _paths(systems or ())
    ]
    own_labels = None if documents is None else reader.documents(documents)
    if not given_systems and systems is not None:
        given_systems = _own_systems(given_references) or [reader.read(STDIN)]
    reader.check_columns()

    sources = [] if given_source is None else [given_source]
    every = _with_aligned_articles((*given_references, *sources, *given_systems), articles)
    first, last = len(given_references), len(given_references) + len(sources)
    document_labels = _documents_of_sets(every)
    every, joined = _joined(every, common=common, split_paragraphs=split_paragraphs)
    given_references, sources, given_systems = every[:first], every[first:last], every[last:]
    if own_labels is not None and joined is not None and joined.rows is not None:
        own_labels = _labels_left(own_labels, joined, split_paragraphs=split_paragraphs)

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
) -> list[tuple[str, Texts]]:
    """The systems of one file with their names, each with all its segments.

    ``keys`` are those of the segments of a test set: a file that names its segments is put in
    their order, and refused if it has others.
    """
    reader = Reader(format=format, columns=None, stdin=None, labels=False, held=keys is not None)
    given = _in_role(reader.read(file), "hypothesis", None)
    if keys is not None and given.records is not None and given.stored is None:
        from tertium.text.keyed_segments import ordered_like_keys

        ordered = ordered_like_keys(given.records, keys, "the test set")
        given = given._replace(records=ordered)
    named = given.system_feeds()
    names = _system_names(named, None)
    systems = []
    for name, (_, feed) in zip(names, named, strict=True):
        with closing(feed.open()) as cursor:
            systems.append((name, cursor.take(sys.maxsize)[0]))
    return systems


def _in_role(given: GivenFile, role: str, pair: str | None) -> GivenFile:
    """The file with its rows of one language pair, and neutral texts in the role that it has."""
    if given.records is None or not given.records.is_table:
        return given
    from tertium.text.column_roles import in_role

    return given._replace(records=in_role(given.records.of_pair(pair or ""), role))


def _own_systems(references: Sequence[GivenFile]) -> list[GivenFile]:
    """The files of references that have hypotheses beside them.

    A table that has none is no reason to wait for a keyboard: ``-i -`` asks for standard input.
    """
    own = [given for given in references if given.has_systems]
    tables = [given.records for given in references if given.records and given.records.is_table]
    if tables and not own:
        found = ", ".join(" ".join(column.split()) for column in tables[0].found) or "no column"
        raise InputError(
            f"{tables[0].name}: found {found}, expected a hypothesis beside the reference: "
            "--columns hypothesis=COLUMN, or -i SYSTEM (-i - for standard input)"
        )
    return own


def _joined(
    every: Sequence[GivenFile], *, common: bool, split_paragraphs: bool
) -> "tuple[list[GivenFile], Joined | None]":
    """All files with the same segments, in the same order; each of them is put in order once."""
    # A table that is read by pieces names no segment; a file may be given for two roles.
    held = {id(one.records): one.records for one in every if one.records and one.stored is None}
    others = [one.file.name for one in every if id(one.records) not in held]
    if not held:
        if common:
            raise OptionError(f"--common: found {others[0]}, expected tables that name segments")
        if split_paragraphs:
            raise OptionError(f"--paragraphs: found {others[0]}, expected tables")
        return list(every), None
    from tertium.text.keyed_segments import join_by_key, with_paragraphs

    joined = join_by_key(list(held.values()), common=common, others=others)
    if split_paragraphs:
        split = with_paragraphs(joined.files, common=common, others=others)
        rows = split.rows
        if rows is not None and joined.rows is not None:
            rows = tuple(joined.rows[row] for row in rows)
        joined = split._replace(notes=(*joined.notes, *split.notes), hints=joined.hints, rows=rows)
    ordered = dict(zip(held, joined.files, strict=True))
    return [
        one._replace(records=ordered[id(one.records)]) if id(one.records) in held else one
        for one in every
    ], joined


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


def _with_aligned_articles(every: Sequence[GivenFile], unit: "ArticleUnit") -> list[GivenFile]:
    """The files; those of articles with the same paragraphs."""
    files = [given.records for given in every if given.records and given.has_articles]
    if not files:
        return list(every)
    from tertium.text.articles import aligned_articles

    named = (one.file.name for one in every if one.file.data is None)
    folder = next((name for name in named if os.path.isdir(name)), None)
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
    return [given] if isinstance(given, str | PathLike | TextFile) else list(given)


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
