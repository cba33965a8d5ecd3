"""The segments of a table or marked-up file, held in memory and matched by their keys."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tertium._native import Texts
from tertium.errors import InputError

# What names a segment: ("id",) in tables, ("document", "segment") in SGML and XML.
Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """One file's columns, all of the same length.

    A system without a name of its own (``None``) is called after the file. ``found`` is
    what the file has, for errors that say what was expected. ``any_role`` says that the file
    has one text for each segment, which is source, reference or hypothesis as it was given;
    ``one_target`` that it has sources and one target, which is reference or hypothesis as it was
    given. Paragraphs of ``articles`` are aligned by document and number.
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

    @property
    def ids(self) -> tuple[str, ...] | None:
        """The keys, each as one string."""
        return None if self.keys is None else tuple(map(":".join, self.keys))

    def ordered_like(self, other: "Records") -> "Records":
        """The same segments in the order of the other file, matched by key.

        Files whose segments are not named, or named in different ways, match by position.
        """
        if self.keys is None or other.keys is None or self.keys == other.keys:
            return self
        if {len(key) for key in self.keys} != {len(key) for key in other.keys}:
            return self
        places = _places(self.name, self.keys)
        wanted = _places(other.name, other.keys)
        for key in wanted:
            if key not in places:
                raise InputError(f"{self.name}: no {described(key)}, expected as in {other.name}")
        for key in places:
            if key not in wanted:
                raise InputError(
                    f"{self.name}: {described(key)}, expected only those of {other.name}"
                )
        order = [places[key] for key in other.keys]
        return replace(
            self,
            keys=other.keys,
            source=None if self.source is None else _picked(self.source, order),
            references=tuple(_picked(column, order) for column in self.references),
            systems=tuple((name, _picked(column, order)) for name, column in self.systems),
            documents=_picked_labels(self.documents, order),
            genres=_picked_labels(self.genres, order),
            paragraphs=_picked_labels(self.paragraphs, order),
        )


def described(key: Key) -> str:
    """A key in words.

    >>> described(("7",)), described(("news-1", "7"))
    ("id '7'", "document 'news-1' segment '7'")
    """
    if len(key) == 1:
        return f"id '{key[0]}'"
    document, segment = key
    return f"document '{document}' segment '{segment}'"


def _places(name: str, keys: Sequence[Key]) -> dict[Key, int]:
    places: dict[Key, int] = {}
    for place, key in enumerate(keys):
        first = places.setdefault(key, place)
        if first != place:
            raise InputError(
                f"{name}: {described(key)} in segments {first + 1} and {place + 1}, expected once"
            )
    return places


def _picked(column: Texts, order: Sequence[int]) -> Texts:
    return Texts([column[place] for place in order])


def _picked_labels(labels: Sequence[str] | None, order: Sequence[int]) -> tuple[str, ...] | None:
    return None if labels is None else tuple(labels[place] for place in order)
