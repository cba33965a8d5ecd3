"""Annotated texts, written and read back."""

from tertium.text.annotations import FORMATS, AnnotatedText, Entity, annotation_lines
from tertium.text.files import TextFile


def entity(start: int, end: int, label: str, /, **attributes: object) -> Entity:
    """A name, and what is known of it."""
    return Entity(start=start, end=end, label=label, attributes=attributes)


def read(lines: str, kind: str) -> list[AnnotatedText]:
    """What a file with these lines says."""
    reader, _ = FORMATS[kind]
    return [one for _, one in reader(TextFile(name="file", data=lines.encode()))]


def written(texts: list[AnnotatedText], kind: str) -> str:
    """The lines of a file."""
    return "".join(annotation_lines(texts, kind))


NEW_YORK = AnnotatedText(text="in New York City", entities=(entity(3, 16, "LOC"),))
