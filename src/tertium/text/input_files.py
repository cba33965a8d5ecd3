"""Open reference, system, source and document files of any known format."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.text.corpus import Chunk
from tertium.text.feeds import Feed
from tertium.text.files import TextFile
from tertium.text.given_files import GivenFile
from tertium.text.inputs import Inputs
from tertium.text.reader import STDIN, AnyPath, Reader

if TYPE_CHECKING:
    from tertium.text.articles import ArticleUnit
    from tertium.text.keyed_segments import Key
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
) -> Inputs:
    """Open everything that one evaluation needs, aligned segment by segment.

    The format of a file follows from its content, then from its extension, unless ``format`` says
    it; plain text is a segment a line, CoNLL-U a segment a block. ``-`` is standard input.
    Without ``systems`` the hypotheses are those of the reference files, if these are tables or
    XML that have some, else standard input; with ``None`` there are none. ``columns`` renames
    columns of tables, as in ``{"reference": "target"}``; ``num_refs`` references are separated by
    tabs in one file of plain text; ``names`` replaces the names of the systems.

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
    )
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
        keys=None if order is None else order.keys,
        labels_name=own_labels.name if own_labels else "",
        max_tokens=max_tokens,
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
    reader = Reader(format=format, columns=None, stdin=None, labels=False)
    given = reader.read(file)
    if keys is not None:
        from tertium.text.keyed_segments import Records

        given = given.ordered_like(
            Records(name="the test set", size=len(keys), found=(), keys=keys)
        )
    named = given.system_feeds()
    names = _system_names(named, None)
    systems = []
    for name, (_, feed) in zip(names, named, strict=True):
        with closing(feed.open()) as cursor:
            systems.append((name, cursor.take(sys.maxsize)[0]))
    return systems


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
