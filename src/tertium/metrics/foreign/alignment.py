"""Which rows of a table of scores belong to which segments of a system."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.metrics.foreign.score_table import Column, ForeignScores
from tertium.metrics.foreign.segment_metric import strings
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System
from tertium.text.decimals import whole
from tertium.text.formats.table import system_name

Places: TypeAlias = NDArray[np.intp]
"""The row of every segment, −1 for one that has none."""

SHIFTS: Final = (1, -1, 2, -2)
"""By how many segments scores are tried to be out of step, to say so."""
_SHOWN: Final = 40


class TablePart(NamedTuple):
    """Which part of a table is meant: a language pair, one system's column, the first number."""

    column: str = ""
    pair: str = ""
    system: str = ""
    first: str = "auto"


def aligned_scores(
    table: ForeignScores, choice: TablePart, system: System, corpus: Corpus
) -> Column:
    """A score for each segment of the system, NaN where the table says that there is none."""
    wide = not choice.column and len(table.scores) > 1 and table.is_wide([system.name])
    values = table.values(table.column(system.name if wide else choice.column))
    rows = range(len(table)) if table.systems is None else table.rows_of_system(system.name)
    chosen = table.rows_of_pair(choice.pair, rows)
    if table.systems is None:
        if table.hypotheses is not None and table.segments is None and table.ids is None:
            return values[_by_text(table, chosen, values, system, corpus)]
        if not wide:
            _check_column(table, choice, system)
    keyed = _by_key(table, chosen, system, corpus)
    if keyed is not None:
        found = keyed
    elif table.segments is None:
        if len(chosen) != len(corpus):
            raise InputError(
                f"{table.name}: {counted(len(chosen), 'score')} of {system.name}, "
                f"expected {len(corpus)} (reference {corpus.name})"
            )
        found = np.array(chosen, dtype=np.intp)
    else:
        found = _by_number(table, chosen, system, corpus, choice.first)
    _check_texts(table, found, system)
    return np.where(found < 0, np.nan, values[found])


def _check_column(table: ForeignScores, choice: TablePart, system: System) -> None:
    """Scores that do not say whose they are must be those of a system by name."""
    if choice.system not in {"", system.name} or (
        not choice.system and system_name(table.name) != system.name
    ):
        whose = choice.system or "no system"
        raise InputError(
            f"{table.name}: found scores of {whose}, expected those of {system.name}: "
            f"system={system.name}, or {{system}} in the name of a file for each"
        )


def _by_key(
    table: ForeignScores, rows: Sequence[int], system: System, corpus: Corpus
) -> Places | None:
    """The row of every segment by what names it in both; nothing if that is not known.

    WMT's names of documents begin with the language pair and the domain, which its files of scores
    have apart.
    """
    if corpus.ids is None or (table.ids is None and table.documents is None):
        return None
    names = _row_names(table, rows)
    known = {identifier: place for place, identifier in enumerate(corpus.ids)}
    if not known.keys() & set(names):
        bare = [_without_front(identifier) for identifier in corpus.ids]
        known = {name: place for place, name in enumerate(bare)}
        names = [_without_front(name) for name in names]
        if len(known) < len(bare) or not known.keys() & set(names):
            _refuse_parts(table, rows, corpus)
            return None
    rows_of_segments = np.full(len(corpus), -1, dtype=np.intp)
    missing, over = known.keys() - set(names), set(names) - known.keys()
    if missing and over:
        raise InputError(
            f"{table.name}: {len(corpus) - len(missing)} of {len(corpus)} segments in common with "
            f"{corpus.name} for {system.name}, {len(over)} only here (such as '{min(over)}') and "
            f"{len(missing)} only there (such as '{min(missing)}'), expected all, or no others"
        )
    for row, name in zip(rows, names, strict=True):
        index = known.get(name, -1)
        if index < 0:
            continue  # a segment that is not scored here, of another part of the test set
        if rows_of_segments[index] >= 0:
            raise InputError(
                f"{table.places[row]}: found a score of '{name}' of {system.name} again, "
                f"expected it once ({table.places[rows_of_segments[index]]})"
            )
        rows_of_segments[index] = row
    return rows_of_segments


def _row_names(table: ForeignScores, rows: Sequence[int]) -> list[str]:
    """What names the segment of each row: an id, or a document and, if it has several, a number."""
    if table.ids is not None:
        return [table.ids[row] for row in rows]
    documents = [(table.documents or ())[row] for row in rows]
    if table.segments is None or len(set(documents)) == len(documents):
        return documents
    numbers = [table.segments[row] for row in rows]
    return [f"{document}:{number}" for document, number in zip(documents, numbers, strict=True)]


def _refuse_parts(table: ForeignScores, rows: Sequence[int], corpus: Corpus) -> None:
    """Refuse scores of paragraphs for documents; other names may only be another way to count."""
    documents = {_without_front(document) for document in table.documents or ()}
    if table.segments is not None and any(
        _without_front(identifier) in documents for identifier in corpus.ids or ()
    ):
        raise InputError(
            f"{table.name}: found {counted(len(rows), 'score')} of parts of documents, expected "
            "one for each "
            f"of {counted(len(corpus), 'segment')} (--paragraphs)"
        )


def _without_front(name: str) -> str:
    """A name of WMT25 or WMT26 without language pair, domain and kind of medium.

    >>> _without_front("cs-de_DE_#_speech_#_vid_0fjuxisFgs8:1"), _without_front("news-7")
    ('0fjuxisFgs8:1', 'news-7')
    """
    return re.sub(r"^.*_#+_(?:vid_)?", "", name)


def _by_number(
    table: ForeignScores, rows: Sequence[int], system: System, corpus: Corpus, first: str
) -> Places:
    labels = table.segments or ()
    places = _places(table, rows, corpus, first)
    rows_of_segments = np.full(len(corpus), -1, dtype=np.intp)
    for row, index in zip(rows, places, strict=True):
        if not 0 <= index < len(corpus):
            raise InputError(
                f"{table.places[row]}: found segment {labels[row]} of {system.name}, expected "
                f"{counted(len(corpus), 'segment')} (reference {corpus.name})"
            )
        if rows_of_segments[index] >= 0:
            raise InputError(
                f"{table.places[row]}: found segment {labels[row]} of {system.name} again, "
                f"expected it once ({table.places[rows_of_segments[index]]})"
            )
        rows_of_segments[index] = row
    return rows_of_segments


def _places(table: ForeignScores, rows: Sequence[int], corpus: Corpus, first: str) -> Iterator[int]:
    """The segments of some rows, from 0: by number, else by the identifiers of the corpus."""
    labels = table.segments or ()
    numbers = [whole(labels[row]) for row in rows]
    if None not in numbers:
        begin = _first_number(table, first, len(corpus))
        yield from (number - begin for number in numbers if number is not None)
        return
    known = {identifier: index for index, identifier in enumerate(corpus.ids or ())}
    for row in rows:
        if labels[row] not in known:
            expected = "one of the corpus" if known else "a whole number"
            raise InputError(
                f"{table.places[row]}: found segment '{labels[row]}', expected {expected}"
            )
        yield known[labels[row]]


def _first_number(table: ForeignScores, first: str, segments: int) -> int:
    """The number of the first segment: 0 or 1, as told, or as the numbers there are show."""
    if first != "auto":
        return int(first)
    labels = set(table.segments or ())
    if "0" in labels:
        return 0
    if str(segments) in labels:
        return 1
    raise InputError(
        f"{table.name}: found segments neither 0 nor {segments}, "
        "expected to know the number of the first: first=0 or first=1"
    )


def _bare(text: str) -> str:
    """Text as it is compared: tools strip it, and some write line breaks as signs."""
    return " ".join(text.replace("\\n", " ").split())


def _check_texts(table: ForeignScores, rows: Places, system: System) -> None:
    """The text that was scored, where the table has it, must be the one that is there."""
    if table.hypotheses is None:
        return
    own = [_bare(text) for text in strings(system.hypotheses)]
    given = [None if row < 0 else _bare(table.hypotheses[row]) for row in rows.tolist()]
    wrong = [i for i, text in enumerate(given) if text not in {None, own[i]}]
    if not wrong:
        return
    index = wrong[0]
    raise InputError(
        f"{table.places[rows[index]]}: found the text '{_cut(given[index] or '')}', expected "
        f"'{_cut(own[index])}' (segment {index + 1} of {system.name}){_shift(given, own)}"
    )


def _shift(given: Sequence[str | None], own: Sequence[str]) -> str:
    """A word on scores that fit when they are moved, if that is what is wrong."""
    for shift in SHIFTS:
        pairs = [
            (text, own[i + shift])
            for i, text in enumerate(given)
            if 0 <= i + shift < len(own) and text is not None
        ]
        if len(pairs) > 1 and all(expected == other for expected, other in pairs):
            return f"; the scores are {abs(shift)} too {'early' if shift > 0 else 'late'}"
    return ""


def _by_text(
    table: ForeignScores, rows: Sequence[int], values: Column, system: System, corpus: Corpus
) -> Places:
    """The row with the text of every segment; its source and reference, too, if both tell them."""
    texts = table.hypotheses or ()
    index: dict[str, list[int]] = {}
    for row in rows:
        index.setdefault(_bare(texts[row]), []).append(row)
    sources = None if corpus.sources is None else strings(corpus.sources)
    order = np.empty(len(corpus), dtype=np.intp)
    for place, text in enumerate(strings(system.hypotheses)):
        candidates = index.get(_bare(text), [])
        if table.sources is not None and sources is not None:
            own = _bare(sources[place])
            candidates = [row for row in candidates if _bare(table.sources[row]) == own]
        if table.references is not None:
            others = {"", *map(_bare, corpus.references.of_segment(place))}
            candidates = [row for row in candidates if _bare(table.references[row]) in others]
        if not candidates:
            raise InputError(
                f"{table.name}: found no score of '{_cut(text)}' (segment {place + 1} of "
                f"{system.name}), expected one for every text"
            )
        _check_equal(table, candidates, values)
        order[place] = candidates[0]
    return order


def _check_equal(table: ForeignScores, rows: Sequence[int], values: Column) -> None:
    """One text has one score, wherever it stands; the last digits depend on its neighbours."""
    some = values[list(rows)]
    if len(rows) > 1 and not np.allclose(some, some[0], rtol=1e-3, atol=1e-3, equal_nan=True):
        other = int(np.argmax(np.abs(some - some[0])))
        raise InputError(
            f"{table.places[rows[other]]}: found {some[other]:g} for a text that has "
            f"{some[0]:g} before ({table.places[rows[0]]}), expected one score"
        )


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
