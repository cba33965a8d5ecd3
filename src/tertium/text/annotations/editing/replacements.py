"""Parts of a text replaced by others, and what is to change in a segment."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tertium.text.annotations.annotated_text import Entity

Place: TypeAlias = tuple[int, int]


class Replacement(NamedTuple):
    """The characters ``start`` to ``stop`` become ``text``; of an empty part, they stand before."""

    start: int
    stop: int
    text: str


def replaced(content: str, replacements: Iterable[Replacement]) -> str:
    """The text with all of them; those at one place stand in the order in which they came.

    >>> replaced("abc", [Replacement(1, 2, "-"), Replacement(0, 0, "<")])
    '<a-c'
    """
    parts: list[str] = []
    position = 0
    for start, stop, text in sorted(replacements, key=lambda one: one[:2]):
        parts += (content[position:start], text)
        position = stop
    return "".join([*parts, content[position:]])


def lines_of(content: str) -> Iterator[tuple[int, str]]:
    r"""Every line with the place where it begins, cut as `numbered_lines` cuts them.

    >>> list(lines_of("a\r\n\nb"))
    [(0, 'a'), (3, ''), (4, 'b')]
    """
    start = 0
    while start < len(content):
        stop = content.find("\n", start)
        stop = len(content) if stop < 0 else stop
        yield start, content[start:stop].removesuffix("\r")
        start = stop + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How the names of a segment become others; numbers are places in the list of its names.

    A name whose characters stay the same and whose label does not is retyped, so that whatever
    else its file says of it stays.
    """

    removed: frozenset[int]
    retyped: dict[int, str]
    added: tuple[Entity, ...]

    def __bool__(self) -> bool:
        return bool(self.removed or self.retyped or self.added)

    @classmethod
    def between(cls, found: Sequence[Entity], wanted: Sequence[Entity]) -> "Changes":
        """From the names that a file has to those that it is to have."""
        fresh = [one for one in dict.fromkeys(map(_key, wanted)) if one not in map(_key, found)]
        kept = set(map(_key, wanted))
        removed: list[int] = []
        retyped: dict[int, str] = {}
        for number, one in enumerate(found):
            if _key(one) in kept:
                continue
            other = next((new for new in fresh if new[:2] == (one.start, one.end)), None)
            if other is None:
                removed.append(number)
            else:
                fresh.remove(other)
                retyped[number] = other[2]
        return cls(
            removed=frozenset(removed),
            retyped=retyped,
            added=tuple(Entity(start=a, end=b, label=label) for a, b, label in fresh),
        )


def _key(entity: Entity) -> tuple[int, int, str]:
    return entity.start, entity.end, entity.label
