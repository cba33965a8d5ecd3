"""The segments of a table or marked-up file, held in memory, and joined with others by key.

A key is what names a segment: an ``id``, a ``segment`` number, a document with a segment number, or
a document that is one segment (as in WMT25 and WMT26). `join_by_key` takes the first of these kinds
that names every segment of all files exactly once, and puts the files in the order of the first.
Files of which a kind of key is not known are joined by position; a unique column that goes unused
then is named in a note, since order is weaker evidence than a key.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.plurals import counted
from tertium.text.formats.table import system_name
from tertium.text.inputs import Feed, HeldFeed

# What names a segment: ("id",) in tables, ("document", "segment") in SGML and XML.
Key: TypeAlias = tuple[str, ...]
Kind: TypeAlias = tuple[str, ...]
"""The labels that a key is made of."""

KINDS: Final[tuple[Kind, ...]] = (
    ("id",),
    ("segment",),
    ("document", "segment"),
    ("document",),
)
"""Kinds of keys, the most telling first."""

PARAGRAPH_BREAK: Final = "\n\n"
ALL_PAIRS: Final = "all"
"""What ``--pair`` says to score several language pairs as one corpus."""
_SHOWN: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """One file's columns, all of the same length.

    A system without a name of its own (``None``) is called after the file. ``found`` is
    what the file has, for errors that say what was expected. ``any_role`` says that the file
    has one text for each segment, which is source, reference or hypothesis as it was given;
    ``one_target`` that it has sources and one target, which is reference or hypothesis as it was
    given. Paragraphs of ``articles`` are aligned by document and number, those of a whole folder,
    too (``is_folder``).
    ``identifiers`` are labels that may name segments (``id``, ``segment``, ``document``), with the
    names of their ``id_columns``; ``texts`` are columns such as ``target``, whose role follows from
    that of the file; ``is_table`` tells named columns from mark-up.
    """

    name: str
    size: int
    found: tuple[str, ...]
    keys: tuple[Key, ...] | None = None
    source: Texts | None = None
    references: tuple[Texts, ...] = ()
    systems: tuple[tuple[str | None, Texts], ...] = ()
    documents: tuple[str, ...] | None = None
    genres: tuple[str, ...] | None = None
    paragraphs: tuple[str, ...] | None = None
    any_role: bool = False
    one_target: bool = False
    articles: bool = False
    is_folder: bool = False
    identifiers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    id_columns: Mapping[str, str] = field(default_factory=dict)
    pairs: tuple[str, ...] | None = None
    texts: tuple[tuple[str, Texts], ...] = ()
    is_table: bool = False

    @property
    def labels(self) -> "Records":
        """What the file says of its segments beside their texts."""
        return self

    @property
    def has_systems(self) -> bool:
        """Whether there are hypotheses beside references."""
        return bool(self.systems and not (self.any_role or self.one_target))

    def reference_feed(self, _num_refs: int) -> Feed:
        """All references."""
        if not self.references:
            raise self._lacking("a column 'reference', <refset> or <ref>")
        return HeldFeed(name=self.name, columns=self.references)

    def source_feed(self) -> Feed:
        """The sources, for which the file was given."""
        if self.source is None:
            raise self._lacking("a column 'source', <srcset> or <src>")
        return HeldFeed(name=self.name, columns=(self.source,))

    def sources_beside(self) -> Feed | None:
        """The sources beside references, if any."""
        return None if self.source is None or self.any_role else self.source_feed()

    def system_feeds(self, name: str | None = None) -> list[tuple[str, Feed]]:
        """Every system; one without a name of its own is called ``name``, or after the file."""
        if not self.systems:
            raise self._lacking("a column 'hypothesis', <tstset> or <hyp>")
        file_name = name or system_name(self.name)
        return [
            (own or file_name, HeldFeed(name=self.name, columns=(texts,)))
            for own, texts in self.systems
        ]

    def _lacking(self, expected: str) -> InputError:
        found = ", ".join(" ".join(column.split()) for column in self.found)
        cure = " (--columns ROLE=COLUMN)" if self.is_table else ""
        return InputError(f"{self.name}: found {found}, expected {expected}{cure}")

    @property
    def ids(self) -> tuple[str, ...] | None:
        """The keys, each as one string."""
        return None if self.keys is None else tuple(map(":".join, self.keys))

    @property
    def candidates(self) -> dict[Kind, tuple[Key, ...]]:
        """All kinds of keys that the file has, unique or not."""
        found: dict[Kind, tuple[Key, ...]] = {}
        if self.keys is not None:
            found[_kind_of(self.keys)] = self.keys
        for kind in KINDS:
            if kind not in found and all(part in self.identifiers for part in kind):
                columns = (self.identifiers[part] for part in kind)
                found[kind] = tuple(zip(*columns, strict=True))
        return found

    def column_of(self, kind: Kind) -> str:
        """The columns that a kind of key stands in, as the file calls them."""
        return " + ".join(self.id_columns.get(part, part) for part in kind)

    def picked(self, order: Sequence[int]) -> "Records":
        """Some segments, in that order."""
        return replace(
            self,
            size=len(order),
            keys=None if self.keys is None else tuple(self.keys[i] for i in order),
            source=None if self.source is None else _picked(self.source, order),
            references=tuple(_picked(column, order) for column in self.references),
            systems=tuple((name, _picked(column, order)) for name, column in self.systems),
            texts=tuple((name, _picked(column, order)) for name, column in self.texts),
            documents=_picked_labels(self.documents, order),
            genres=_picked_labels(self.genres, order),
            paragraphs=_picked_labels(self.paragraphs, order),
            pairs=_picked_labels(self.pairs, order),
            identifiers={
                kind: tuple(labels[i] for i in order) for kind, labels in self.identifiers.items()
            },
        )

    def of_pair(self, pair: str) -> "Records":
        """The segments of one language pair; an empty text stands for the only one there is."""
        if self.pairs is None or pair == ALL_PAIRS:
            return self
        known = list(dict.fromkeys(self.pairs))
        if not pair and len(known) <= 1:
            return self
        fitting = [known_pair for known_pair in known if pair and is_same_pair(known_pair, pair)]
        fitting = [pair] if pair in known else fitting
        if len(fitting) != 1:
            shown = ", ".join(known[:_SHOWN]) + (", …" if len(known) > _SHOWN else "")
            expected = f"{pair} (--pair)" if pair else f"one (--pair {known[0]}, or --pair all)"
            raise InputError(
                f"{self.name}: found {len(known)} language pairs ({shown}), expected {expected}"
            )
        if len(known) == 1:
            return self
        return self.picked([i for i, pair in enumerate(self.pairs) if pair == fitting[0]])


class Joined(NamedTuple):
    """Files with the same segments in the same order, and what must be said of it.

    ``rows`` are those of the first file with keys that are left, if not all of them are.
    """

    files: list[Records]
    keys: tuple[Key, ...] | None = None
    notes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    rows: tuple[int, ...] | None = None


def join_by_key(
    files: Sequence[Records], *, common: bool = False, others: Sequence[str] = ()
) -> Joined:
    """The segments of all files in the order of the first that names them.

    ``others`` are files that name no segments, and so are joined by position. With ``common`` only
    segments that all files have are left. ``notes`` belong to the result, ``hints`` do not.
    """
    candidates = [file.candidates for file in files]
    kind = _shared_kind(candidates)
    named = [i for i, found in enumerate(candidates) if kind in found]
    lacking = [file for i, file in enumerate(files) if i not in named]
    unnamed = [*others, *(file.name for file in lacking)]
    if common and unnamed:
        raise OptionError(
            f"--common: found {unnamed[0]} without keys that it shares with the other files, "
            "expected an id or document of every segment in each"
        )
    if kind is None:
        _check_order(files, candidates)
        keys = next((file.keys for file in files if file.keys is not None), None)
        everything = [*(file.name for file in files), *others]
        return Joined(list(files), keys=keys, hints=_unused(files, everything))
    places = {i: _places(files[i].name, kind, candidates[i][kind]) for i in named}
    first = named[0]
    wanted = candidates[first][kind]
    notes: tuple[str, ...] = ()
    rows = None
    if common:
        wanted = tuple(key for key in wanted if all(key in some for some in places.values()))
        rows = tuple(places[first][key] for key in wanted)
        if any(len(some) > len(wanted) for some in places.values()):
            notes = (_on_common([files[i] for i in named], len(wanted)),)
        if not wanted:
            raise InputError(f"--common: found no segment that all files have, {_sizes(files)}")
    for i in named[1:] if not common else ():
        _check_equal(files[i].name, places[i], files[first].name, places[first], kind)
    joined = list(files)
    for i in named:
        order = [places[i][key] for key in wanted]
        ordered = files[i] if order == list(range(files[i].size)) else files[i].picked(order)
        joined[i] = replace(ordered, keys=wanted)
    hints = _unused(lacking, [files[first].name])
    if len(named) < len(files) + len(others):
        hints = (*_unused([files[first]], unnamed), *hints)
    return Joined(joined, keys=wanted, notes=notes, hints=hints, rows=rows)


def _shared_kind(candidates: Sequence[Mapping[Kind, Sequence[Key]]]) -> Kind | None:
    """The kind of key that most files have, each of its keys once in every file that has it."""
    best: tuple[int, Kind] | None = None
    for kind in KINDS:
        having = [found[kind] for found in candidates if kind in found]
        unique = all(len(set(keys)) == len(keys) for keys in having)
        if having and unique and (best is None or len(having) > best[0]):
            best = len(having), kind
    return None if best is None else best[1]


def _check_order(
    files: Sequence[Records], candidates: Sequence[Mapping[Kind, Sequence[Key]]]
) -> None:
    """Labels that name no segment must at least not contradict each other."""
    for kind in KINDS:
        every = zip(files, candidates, strict=True)
        having = [(file, found[kind]) for file, found in every if kind in found]
        for file, own in having[1:]:
            other, first = having[0]
            if own == first or not set(own) & set(first):
                continue
            if kind == ("id",) or file.keys is not None:
                for each, keys in ((file, own), (other, first)):
                    _places(each.name, kind, keys)  # says which key is there twice
            pairs = enumerate(zip(own, first, strict=False))
            row = next((i for i, (a, b) in pairs if a != b), None)
            if row is not None:  # else a file is longer, which is said where lengths are compared
                raise InputError(
                    f"{file.name}: {described(own[row], kind)} in segment {row + 1}, expected "
                    f"{described(first[row], kind)} as in {other.name}, since no column names "
                    "each segment (--columns id=COLUMN, or id=none to join by position)"
                )


def _unused(files: Sequence[Records], others: Sequence[str]) -> tuple[str, ...]:
    """Columns that name every segment, but of one file alone."""
    found = []
    for file in files:
        kinds = [
            kind
            for kind, keys in file.candidates.items()
            if file.is_table and len(set(keys)) == len(keys) and len(keys) > 1
        ]
        other = next((name for name in others if name != file.name), None)
        if kinds and other is not None:
            found.append(
                f"{file.name}: column '{file.column_of(kinds[0])}' names every segment, but "
                f"{other} "
                "has no such column: segments are joined by their order"
            )
    return tuple(found)


def _check_equal(
    name: str,
    places: Mapping[Key, int],
    first: str,
    wanted: Mapping[Key, int],
    kind: Kind,
    *,
    cured: bool = True,
) -> None:
    """Refuse files with different segments; ``cured`` names the flags of a command line."""
    here = [key for key in places if key not in wanted]
    there = [key for key in wanted if key not in places]
    if not here and not there:
        return
    shared = len(wanted) - len(there)
    parts = [
        f"{len(keys)} only {where} (such as {described(keys[0], kind)})"
        for keys, where in ((here, "here"), (there, "there"))
        if keys
    ]
    flags = "--columns id=COLUMN, or id=none to join by position"
    cure = f" ({f'--common scores the {shared} in common' if shared else flags})" if cured else ""
    raise InputError(
        f"{name}: {shared} of {len(wanted)} segments in common with {first}, "
        f"{' and '.join(parts)}, expected the same{cure}"
    )


def _on_common(files: Sequence[Records], left: int) -> str:
    return (
        f"scored on the {counted(left, 'segment')} that all files have (--common; {_sizes(files)})"
    )


def _sizes(files: Sequence[Records]) -> str:
    """How many segments there are in each file, which is called without its folder."""
    return ", ".join(f"{file.size} in {file.name.rpartition('/')[2]}" for file in files)


def with_paragraphs(
    files: Sequence[Records], *, common: bool = False, others: Sequence[str] = ()
) -> Joined:
    """Joined files with every paragraph as a segment of its own, the document its key and label.

    Paragraphs are separated by an empty line. All files must have as many in each document; with
    ``common`` documents where they do not are left out.
    """
    if others:
        raise OptionError(
            f"--paragraphs: found {others[0]}, expected tables alone, whose texts may have several"
        )
    sizes = {file.size for file in files}
    if len(sizes) > 1:
        raise InputError(f"--paragraphs: {_sizes(files)}, expected as many documents in every file")
    size = sizes.pop()
    counts = [_paragraph_counts(file) for file in files]
    totals = [_same(some) for some in zip(*counts, strict=True)]
    whole = [row for row, total in enumerate(totals) if total]
    if len(whole) < size and not common:
        row = totals.index(0)
        shown = ", ".join(
            f"{' or '.join(map(str, sorted(some[row])))} in {file.name}"
            for file, some in zip(files, counts, strict=True)
            if some[row]
        )
        raise InputError(
            f"{_document(files[0], row)}: found different numbers of paragraphs ({shown}), "
            f"expected as many in every file; {size - len(whole)} of {size} documents differ "
            "(--common leaves them out)"
        )
    notes: tuple[str, ...] = ()
    if len(whole) < size:
        left_out = f"{size - len(whole)} of {size} documents are left out (--common --paragraphs)"
        notes = (f"{left_out}: files have different numbers of paragraphs there",)
    if not whole:
        raise InputError(f"{files[0].name}: no document has as many paragraphs in all files")
    split = [_split(file.picked(whole), [totals[row] for row in whole]) for file in files]
    return Joined(split, keys=split[0].keys, notes=notes, rows=tuple(whole))


def _columns_of(records: Records) -> list[Texts]:
    sources = [] if records.source is None else [records.source]
    return [*sources, *records.references, *(texts for _, texts in records.systems)]


def _paragraph_counts(records: Records) -> list[set[int]]:
    """How many paragraphs the texts of each segment have."""
    columns = [column.to_list() for column in _columns_of(records)]
    return [
        {text.count(PARAGRAPH_BREAK) + 1 for text in row if text is not None}
        for row in zip(*columns, strict=True)
    ]


def _same(counts: Iterable[set[int]]) -> int:
    """The number of paragraphs that all files have, 0 where there is no such number."""
    found = set().union(*counts)
    return found.pop() if len(found) == 1 else 0


def _document(records: Records, row: int) -> str:
    name = str(row + 1) if records.ids is None else records.ids[row]
    return f"document '{name}'"


def _split(records: Records, counts: Sequence[int]) -> Records:
    """Every text in its paragraphs; labels as often as there are some."""

    def texts(column: Texts) -> Texts:
        found: list[str | None] = []
        for text, count in zip(column.to_list(), counts, strict=True):
            found += [None] * count if text is None else text.split(PARAGRAPH_BREAK)
        return Texts(found)

    def labels(given: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if given is None:
            return None
        return tuple(
            label for label, count in zip(given, counts, strict=True) for _ in range(count)
        )

    numbers = tuple(str(n) for count in counts for n in range(1, count + 1))
    ids = records.ids or tuple(str(number) for number in range(1, records.size + 1))
    documents = labels(records.documents or ids)
    return replace(
        records,
        size=len(numbers),
        keys=tuple(zip(labels(ids) or (), numbers, strict=True)),
        source=None if records.source is None else texts(records.source),
        references=tuple(map(texts, records.references)),
        systems=tuple((name, texts(column)) for name, column in records.systems),
        documents=documents,
        genres=labels(records.genres),
        paragraphs=numbers,
        pairs=labels(records.pairs),
        identifiers={},
    )


def described(key: Key, kind: Kind | None = None) -> str:
    """A key in words.

    >>> described(("7",)), described(("news-1", "7")), described(("news-1",), ("document",))
    ("id '7'", "document 'news-1' segment '7'", "document 'news-1'")
    """
    parts = kind or _kind_of((key,))
    return " ".join(f"{part} '{label}'" for part, label in zip(parts, key, strict=True))


def ordered_like_keys(records: Records, keys: Sequence[Key], name: str) -> Records:
    """The segments in the order of keys that were kept of another file, ``name``."""
    size = len(keys[0]) if keys else 0
    kinds = [kind for kind in records.candidates if len(kind) == size]
    if not kinds:
        return records
    wanted = {key: index for index, key in enumerate(keys)}
    kind = max(kinds, key=lambda kind: len(wanted.keys() & set(records.candidates[kind])))
    if records.candidates[kind] == tuple(keys):
        return records
    places = _places(records.name, kind, records.candidates[kind])
    _check_equal(records.name, places, name, wanted, kind, cured=False)
    return records.picked([places[key] for key in keys])


def _kind_of(keys: Sequence[Key]) -> Kind:
    return ("id",) if not keys or len(keys[0]) == 1 else ("document", "segment")


def is_same_pair(pair: str, wanted: str) -> bool:
    """Whether a language pair is the one that is meant, be it without script and region.

    >>> is_same_pair("cs-de_DE", "cs-de"), is_same_pair("ces_Latn-deu_Latn", "ces-deu")
    (True, True)
    """
    bare = "-".join(side.partition("_")[0] for side in pair.split("-"))
    return wanted == pair or bare.lower() == wanted.lower()


def _places(name: str, kind: Kind, keys: Sequence[Key]) -> dict[Key, int]:
    places: dict[Key, int] = {}
    for index, key in enumerate(keys):
        first = places.setdefault(key, index)
        if first != index:
            raise InputError(
                f"{name}: {described(key, kind)} in segments {first + 1} and {index + 1}, "
                "expected once"
            )
    return places


def _picked(column: Texts, order: Sequence[int]) -> Texts:
    return Texts([column[index] for index in order])


def _picked_labels(labels: Sequence[str] | None, order: Sequence[int]) -> tuple[str, ...] | None:
    return None if labels is None else tuple(labels[index] for index in order)


class TranslationUnit(NamedTuple):
    """A segment with its translation, which is missing (``None``) until there is one."""

    key: Key | None
    source: str
    target: str | None
    document: str = ""


def bilingual_records(name: str, units: Sequence[TranslationUnit], expected: str) -> Records:
    """Sources and targets; the targets are references or hypotheses, as the file was given.

    A missing target is no reference, and an empty hypothesis: nothing was translated.
    """
    if not units:
        raise InputError(f"{name}: no segments, expected {expected}")
    documents = tuple(unit.document for unit in units)
    return Records(
        name=name,
        size=len(units),
        found=("source", "target"),
        keys=unique_keys([unit.key for unit in units]),
        source=Texts([unit.source for unit in units]),
        references=(Texts([unit.target or None for unit in units]),),
        systems=((None, Texts([unit.target or "" for unit in units])),),
        documents=documents if any(documents) else None,
        one_target=True,
    )


def monolingual_records(name: str, keys: Sequence[Key | None], texts: Sequence[str]) -> Records:
    """One text for each segment, in whatever role the file was given."""
    column = Texts(list(texts))
    return Records(
        name=name,
        size=len(texts),
        found=("text",),
        keys=unique_keys(keys),
        source=column,
        references=(column,),
        systems=((None, column),),
        any_role=True,
    )


def unique_keys(keys: Sequence[Key | None]) -> tuple[Key, ...] | None:
    """The keys if they name every segment, and each but one."""
    known = tuple(key for key in keys if key is not None)
    return known if len(set(known)) == len(keys) else None
