"""What an annotation is, whatever file it came from."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from tertium.errors import InputError

_ALTERNATIVES: Final = "ALT"
_ALIASES: Final = "aliases"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A named entity: the characters ``start`` to ``end`` (not included) of a text.

    Places count code points, as Python strings do. ``attributes`` are what a format says
    beyond the label, such as ``STATUS`` in MUC mark-up. Two of them name further accepted forms:
    ``ALT``, as in MUC, with ``|`` between them, and ``aliases``, a list.
    """

    start: int
    end: int
    label: str
    attributes: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.label:
            raise InputError(f"entity {self.start}–{self.end}: empty label, expected a type")
        for key, value in self.attributes.items():
            if key.lower() == _ALIASES and not _is_list_of_texts(value):
                raise InputError(f"entity {self}: '{key}' {value!r}, expected a list of texts")
            if key.upper() == _ALTERNATIVES and not isinstance(value, str):
                raise InputError(f"entity {self}: '{key}' {value!r}, expected text with | between")

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other forms in which the entity counts as the same.

        >>> Entity(start=0, end=3, label="LOC", attributes={"ALT": "NYC|New York City"}).aliases
        ('NYC', 'New York City')
        """
        values: list[str] = []
        for key, value in self.attributes.items():
            if key.upper() == _ALTERNATIVES and isinstance(value, str):
                values += value.split("|")
            elif key.lower() == _ALIASES and isinstance(value, list | tuple):
                values += value
        return tuple(form for form in map(str.strip, values) if form)

    def __str__(self) -> str:
        return f"{self.label} {self.start}–{self.end}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedText:
    """A segment with its entities, outer ones before those inside them.

    ``tokens`` are the places where a file of columns cut the text. They serve to write such a
    file again and are no part of the annotation: texts that differ in nothing else are equal.
    """

    text: str
    entities: tuple[Entity, ...] = ()
    document: str | None = None
    paragraph: str | None = None
    id: str | None = None
    attributes: Mapping[str, object] = field(default_factory=dict, hash=False)
    tokens: tuple[tuple[int, int], ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        for entity in self.entities:
            if not 0 <= entity.start < entity.end <= len(self.text):
                raise InputError(
                    f"entity {entity}: outside of the text or empty, "
                    f"expected 0 ≤ start < end ≤ {len(self.text)}"
                )
        ordered = sorted(self.entities, key=lambda entity: (entity.start, -entity.end))
        object.__setattr__(self, "entities", tuple(ordered))

    def surface(self, entity: Entity) -> str:
        """The characters of an entity.

        >>> text = AnnotatedText(text="to Ann", entities=(Entity(start=3, end=6, label="PER"),))
        >>> text.surface(text.entities[0])
        'Ann'
        """
        return self.text[entity.start : entity.end]

    def bare(self) -> "AnnotatedText":
        """Text and entities alone, as inline mark-up holds them."""
        return AnnotatedText(text=self.text, entities=self.entities, tokens=self.tokens)

    def moved_to(self, text: str) -> "AnnotatedText":
        """The same entities in a text that differs in white space only, as tokenised text does.

        >>> columns = AnnotatedText(text="Ann 's", entities=(Entity(start=0, end=3, label="PER"),))
        >>> columns.moved_to("  Ann's").entities
        (Entity(start=2, end=5, label='PER', attributes={}),)
        """
        if text == self.text:
            return self
        mine, theirs = _visible(self.text), _visible(text)
        if [self.text[i] for i in mine] != [text[i] for i in theirs]:
            raise InputError(
                f"annotated text '{shortened(self.text)}', expected '{shortened(text)}'"
            )

        def moved(start: int, end: int) -> tuple[int, int]:
            first, last = bisect_left(mine, start), bisect_left(mine, end) - 1
            return (theirs[first], theirs[last] + 1) if first <= last else (0, 0)

        entities = []
        for entity in self.entities:
            start, end = moved(entity.start, entity.end)
            entities.append(replace(entity, start=start, end=end))
        tokens = tuple(moved(start, end) for start, end in self.tokens)
        return replace(self, text=text, entities=tuple(entities), tokens=tokens)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _visible(text: str) -> list[int]:
    return [index for index, character in enumerate(text) if not character.isspace()]


def shortened(text: str, width: int = 60) -> str:
    """The beginning of a text, for errors of one line."""
    line = text.replace("\n", "⏎").replace("\r", "⏎")
    return line if len(line) <= width else f"{line[: width - 1]}…"


@contextmanager
def at(place: str) -> Iterator[None]:
    """Put a place in front of the errors of values, which do not know where they came from."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
