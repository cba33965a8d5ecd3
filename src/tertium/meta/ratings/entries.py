"""What a line of a ratings file says, before lines are put together."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple, overload

from tertium.errors import InputError
from tertium.meta.ratings.judgments import Exclusion, Floats, Indices
from tertium.text.decimals import number_in, whole

_PAIR: Final = re.compile(r"[a-z]{2,3}-[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")


UNRANKED: Final = -1


class Rating(NamedTuple):
    """One number for a system or a segment of it; ``segment`` counts from 0, None is all.

    ``kind`` is empty for outputs of systems and names a control else (`tertium.meta.spans.span`);
    ``begin`` and ``seconds`` are when the work on it began and how long it took, if known;
    ``document`` is the name of the document that the segment is of. ``located`` says whether the
    segment is the test set's number, or only tells items apart.
    """

    place: str
    system: str
    value: float
    criterion: str
    pair: str = ""
    testset: str = ""
    domain: str = ""
    segment: int | None = None
    judge: str = ""
    kind: str = ""
    begin: float | None = None
    seconds: float | None = None
    document: str = ""
    located: bool = True


class _LazyRatings(Sequence[Rating]):
    """Ratings that become objects when they are asked for."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: int) -> Rating: ...

    @overload
    def __getitem__(self, index: slice) -> list[Rating]: ...

    def __getitem__(self, index: int | slice) -> Rating | list[Rating]:
        numbers = range(len(self))[index]
        if isinstance(numbers, range):
            return [self._at(number) for number in numbers]
        return self._at(numbers)

    def _at(self, index: int) -> Rating:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatingColumns(_LazyRatings):
    """The ratings of a file of mt-metrics-eval with a line for each segment of each system.

    ``system`` and ``segment`` are indices; a segment of a system is there once. ``documents`` has
    the document of every segment, if known. Millions of such ratings are usual, and a `Rating` for
    each would take a hundred times their memory.
    """

    name: str
    criterion: str
    pair: str
    systems: tuple[str, ...]
    system: Indices = field(repr=False)
    segment: Indices = field(repr=False)
    values: Floats = field(repr=False)
    documents: tuple[str, ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.values)

    def _at(self, index: int) -> Rating:
        segment = int(self.segment[index])
        return Rating(
            place=self.location(index),
            system=self.systems[self.system[index]],
            value=float(self.values[index]),
            criterion=self.criterion,
            pair=self.pair,
            segment=segment,
            document=self.documents[segment] if self.documents else "",
        )

    def location(self, index: int) -> str:
        """File and line of a rating."""
        return f"{self.name}:{index + 1}"


class JoinedRatings(_LazyRatings):
    """Ratings of several files, one after the other; each part is a sequence or in columns."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Sequence[Rating]]) -> None:
        self.parts = tuple(parts)

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __iter__(self) -> Iterator[Rating]:
        return chain.from_iterable(self.parts)

    def _at(self, index: int) -> Rating:
        for part in self.parts:
            if index < len(part):
                return part[index]
            index -= len(part)
        raise IndexError(index)


def parts_of(ratings: Sequence[Rating]) -> tuple[Sequence[Rating], ...]:
    """The parts of ratings that were joined; others are the only part."""
    return ratings.parts if isinstance(ratings, JoinedRatings) else (ratings,)


class Ranking(NamedTuple):
    """Some systems' output of one segment in a judge's order; a lower rank is better.

    A system without a name, or with the rank −1, was not ranked. ``texts`` are the outputs that
    were shown, and ``source``, if the file has them; ``located`` is as in `Rating`.
    """

    place: str
    pair: str
    segment: int
    judge: str
    systems: tuple[str, ...]
    ranks: tuple[int, ...]
    criterion: str = "rank"
    testset: str = ""
    texts: tuple[str, ...] = ()
    source: str = ""
    located: bool = True


@dataclass(slots=True)
class OmissionCounts:
    """Counts what is left out while files are read; the first of each kind is the example."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, reason: str, example: str, count: int = 1, *, pair: str = "") -> None:
        """Count something that is left out of a language pair, or of all."""
        key = (pair, reason)
        self.counts[key] = self.counts.get(key, 0) + count
        self.examples.setdefault(key, example)

    def exclusions(self, pair: str | None = None) -> tuple[Exclusion, ...]:
        """All that was left out, or what concerns one language pair."""
        return tuple(
            Exclusion(reason=reason, count=count, example=self.examples[of, reason], pair=of)
            for (of, reason), count in self.counts.items()
            if count and (pair is None or of in {"", pair})
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRows:
    """All that some files say, and what was left out or mended while they were read."""

    ratings: Sequence[Rating] = ()
    rankings: tuple[Ranking, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()


def is_pair(text: str) -> bool:
    """Whether a text is a language pair.

    >>> is_pair("es-en"), is_pair("zh-en.mqm"), is_pair("en-zh_TW")
    (True, False, True)
    """
    return _PAIR.fullmatch(text) is not None


def read_value(text: str, location: str, grades: Mapping[str, float] | None = None) -> float:
    """A number, the number of a grade, or NaN for what was not rated."""
    if grades is not None and text.strip() in grades:
        return grades[text.strip()]
    more = f", a grade ({' '.join(grades)})" if grades else ""
    return number_in(text, location, expected=f"a number{more} or None")


def read_segment(text: str, location: str) -> int:
    """A segment's place from 0 on; files count from 1.

    >>> read_segment("1", "ratings.tsv:2")
    0
    """
    number = whole(text)
    if not number:
        raise InputError(f"{location}: segment '{text}', expected a number from 1 on")
    return number - 1


# Languages by the names and three-letter codes that files of ratings have for them.

_CODES: Final = """
    am:amharic,amh ar:arabic,ara be:belarusian,bel bg:bulgarian,bul bn:bengali,ben
    cs:czech,ces,cze,cz da:danish,dan de:german,deu,ger en:english,eng es:spanish,spa
    et:estonian,est fa:persian,fas,per fi:finnish,fin fr:french,fra,fre gu:gujarati,guj
    ha:hausa,hau he:hebrew,heb hi:hindi,hin hr:croatian,hrv
    ht:haitian,haitian_creole,hat hu:hungarian,hun hy:armenian,hye id:indonesian,ind
    is:icelandic,isl,ice it:italian,ita ja:japanese,jpn kk:kazakh,kaz km:khmer,khm
    ko:korean,kor lt:lithuanian,lit lv:latvian,lav mk:macedonian,mkd nl:dutch,nld,dut
    no:norwegian,nor pl:polish,pol ps:pashto,pus pt:portuguese,por ro:romanian,ron,rum
    ru:russian,rus sk:slovak,slk sl:slovenian,slv sr:serbian,srp sv:swedish,swe
    ta:tamil,tam th:thai,tha tr:turkish,tur uk:ukrainian,ukr vi:vietnamese,vie
    xh:xhosa,xho zh:chinese,zho,chi zu:zulu,zul
"""
LANGUAGES: Final = {
    name.replace("_", " "): code
    for entry in _CODES.split()
    for code, _, names in [entry.partition(":")]
    for name in names.split(",")
}
"""Name or three-letter code, in lower case → two-letter code."""


def language(name: str) -> str:
    """A two-letter code where the language is known, else the name in lower case.

    >>> language("Czech"), language("deu"), language("Klingon")
    ('cs', 'de', 'klingon')
    """
    key = name.strip().lower()
    return LANGUAGES.get(key, key)


def language_pair(text: str) -> str:
    """A pair as ratings are grouped by, whichever codes it has; other names stay as they are.

    >>> language_pair("eng-ces"), language_pair("en-zh_TW"), language_pair("news")
    ('en-cs', 'en-zh_TW', 'news')
    """
    return "-".join(LANGUAGES.get(part.lower(), part) for part in text.split("-"))
