"""Inline mark-up of the Message Understanding Conferences (MUC-7, 1997).

``<ENAMEX TYPE="PERSON">``, ``<TIMEX …>`` and ``<NUMEX …>`` may be nested. A segment is a line,
so a line break is written ``&#10;``. Other tags, a bare ``<`` and a bare ``&`` are text.

The same files may have articles: ``<DOC>`` … ``</DOC>`` around each, with its name in ``<DOCID>``
or ``<DOCNO>`` or as ``<DOC id=…>``. What is translated stands in ``<TEXT>``; without one it is all
but the name. ``<p>`` begins a paragraph, else empty lines part them. Lines are wrapped anywhere, so
a line break is a blank.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import AnnotatedText, Entity, shortened
from tertium.text.files import TextFile
from tertium.text.formats.sgml import decode_entities
from tertium.text.formats.xml_events import declared_text

_DOCUMENT: Final = re.compile(r"<DOC(?P<attributes>\s[^<>]*)?>", re.IGNORECASE)
_DOCUMENT_END: Final = re.compile(r"</DOC\s*>", re.IGNORECASE)
_SEGMENT: Final = re.compile(r"<seg[\s>]", re.IGNORECASE)
_NAME_ATTRIBUTE: Final = re.compile(
    r"""\s(?:doc)?id\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_DOCUMENT_NAME: Final = re.compile(r"<(DOCID|DOCNO)>([^<]*)</\1\s*>", re.IGNORECASE)
_TEXT_TAG: Final = re.compile(r"<(/?)TEXT(?:\s[^<>]*)?>", re.IGNORECASE)
_PARAGRAPH_TAG: Final = re.compile(r"<(/?)p(?:\s[^<>]*)?>", re.IGNORECASE)
_EMPTY_LINE: Final = re.compile(r"\n[ \t\r]*\n\s*")
# Other white space, such as the narrow space inside 1 000, belongs to the text.
BLANKS: Final = re.compile(r"[ \t\r\n\f]+")


class Paragraph(NamedTuple):
    """Text with its mark-up, on one line; ``line`` is where it begins in the file.

    ``written`` is the same as the file has it, from the character ``start`` on.
    """

    line: int
    marked: str
    start: int
    written: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The paragraphs of one document; ``place`` is its file."""

    name: str
    place: str
    paragraphs: tuple[Paragraph, ...]


def is_articles(file: TextFile) -> bool:
    """Whether a file begins with an article and has no segments of a test set."""
    content = declared_text(file)
    return _DOCUMENT.match(content.lstrip()) is not None and _SEGMENT.search(content) is None


def annotated_articles(file: TextFile) -> Iterator[tuple[int, AnnotatedText]]:
    """Every paragraph of a file with its line."""
    for article in articles_of(file):
        for number, paragraph in enumerate(article.paragraphs, 1):
            parsed = parse_muc(paragraph.marked, f"{file.name}:{paragraph.line}")
            yield paragraph.line, replace(parsed, document=article.name, paragraph=str(number))


def articles_of(file: TextFile) -> Iterator[Article]:
    """The articles of a file."""
    content = declared_text(file)
    line, position = 1, 0
    while start := _DOCUMENT.search(content, position):
        line += content.count("\n", position, start.start())
        where = f"{file.name}:{line}"
        _require_blank(file.name, content, position, start.start())
        end = _DOCUMENT_END.search(content, start.end())
        if end is None or _DOCUMENT.search(content, start.end(), end.start()):
            raise InputError(f"{where}: found <DOC> without end, expected </DOC>")
        body = content[start.end() : end.start()]
        name = _name(start["attributes"] or "", body, where)
        paragraphs = chain.from_iterable(
            paragraphs_of(text, line + body.count("\n", 0, place), start.end() + place)
            for place, text in _texts(body, where)
        )
        yield Article(name=name, place=file.name, paragraphs=tuple(paragraphs))
        line += content.count("\n", start.start(), end.end())
        position = end.end()
    _require_blank(file.name, content, position, len(content))


def _require_blank(name: str, content: str, start: int, stop: int) -> None:
    """Nothing is left out silently: what stands between articles is an error."""
    rest = content[start:stop]
    if rest.strip():
        place = start + len(rest) - len(rest.lstrip())
        found = shortened(rest.strip(), 40)
        where = f"{name}:{content.count(chr(10), 0, place) + 1}"
        raise InputError(f"{where}: found '{found}', expected <DOC> and its article")


def _name(attributes: str, body: str, where: str) -> str:
    names = [next(filter(None, groups), "") for groups in _NAME_ATTRIBUTE.findall(attributes)]
    names += [found for _, found in _DOCUMENT_NAME.findall(body)]
    names = [decode_entities(name).strip() for name in names]
    if len(set(names)) != 1 or not names[0]:
        found = " and ".join(f"'{name}'" for name in names) or "<DOC> without a name"
        raise InputError(f"{where}: found {found}, expected one <DOCID> or <DOCNO>")
    return names[0]


def _texts(body: str, where: str) -> Iterator[tuple[int, str]]:
    """What is translated, with its place; blanks stand where the name of the article was."""
    tags = list(_TEXT_TAG.finditer(body))
    if [tag[1] for tag in tags] != ["", "/"] * (len(tags) // 2):
        raise InputError(f"{where}: found <TEXT> or </TEXT> alone, expected both in turn")
    for start, end in zip(tags[::2], tags[1::2], strict=True):
        yield start.end(), body[start.end() : end.start()]
    if not tags:
        yield 0, _DOCUMENT_NAME.sub(lambda name: re.sub(r"[^\n]", " ", name[0]), body)


def paragraphs_of(text: str, line: int, offset: int = 0) -> Iterator[Paragraph]:
    """Everything between tags or empty lines; ``line`` and ``offset`` are where the text starts."""
    tags = list(_PARAGRAPH_TAG.finditer(text))
    gaps = tags or list(_EMPTY_LINE.finditer(text))
    starts = [0, *(gap.end() for gap in gaps)]
    stops = [*(gap.start() for gap in gaps), len(text)]
    opened = [False, *(not tag[1] for tag in tags)] if tags else [False] * len(starts)
    counted = 0
    for start, stop, said in zip(starts, stops, opened, strict=True):
        inside = text[start:stop]
        marked = BLANKS.sub(" ", inside).strip(" ")
        # An empty paragraph counts where a tag says so: a system may have translated nothing.
        if marked or said:
            first = start + len(inside) - len(inside.lstrip())
            line += text.count("\n", counted, first)
            counted = first
            yield Paragraph(line, marked, offset + start, inside)


ELEMENTS: Final = {
    "DATE": "TIMEX",
    "TIME": "TIMEX",
    "DURATION": "TIMEX",
    "MONEY": "NUMEX",
    "PERCENT": "NUMEX",
    "QUANTITY": "NUMEX",
    "CARDINAL": "NUMEX",
    "ORDINAL": "NUMEX",
}
"""The element of a label; every other label is that of a name, ``ENAMEX``."""

ELEMENT: Final = "element"
"""The attribute of an entity whose element is not the one that its label has by `ELEMENTS`."""

_NAME: Final = re.compile(r"[A-Za-z_][\w.:-]*")
TAG: Final = re.compile(
    r"""<(?P<end>/?)(?P<element>ENAMEX|TIMEX|NUMEX)\b
        (?:(?P<attributes>(?:"[^"]*"|'[^']*'|[^<>"'])*)(?P<close>>))?""",
    re.IGNORECASE | re.VERBOSE,
)
ATTRIBUTE: Final = re.compile(
    rf"""\s+(?P<name>{_NAME.pattern})\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'>]+)"""
)


def element_of(label: str) -> str:
    """The element in which a label is written.

    >>> element_of("PERSON"), element_of("DATE"), element_of("MONEY")
    ('ENAMEX', 'TIMEX', 'NUMEX')
    """
    return ELEMENTS.get(label, "ENAMEX")


def parse_muc(segment: str, place: str = "segment") -> AnnotatedText:
    """The text of a segment and its entities; ``place`` stands in front of errors.

    >>> parse_muc('<ENAMEX TYPE="PERSON">Ann</ENAMEX> left').text
    'Ann left'
    """
    parts: list[str] = []
    length = position = 0
    opened: list[_Open] = []  # those that wait for their end
    entities: list[_Open] = []  # in the order of their starts
    while tag := TAG.search(segment, position):
        parts.append(decode_entities(segment[position : tag.start()]))
        length += len(parts[-1])
        position = tag.end()
        where = f"{place}, character {tag.start() + 1}"
        element = tag["element"].upper()
        if tag["close"] is None:
            raise InputError(f"{where}: found '{shortened(segment[tag.start() :])}', expected '>'")
        if not tag["end"]:
            entities.append(_Open(element, tag["attributes"], length, where))
            opened.append(entities[-1])
            continue
        expected = f"</{opened[-1].element}>" if opened else "a start tag before it"
        if not opened or opened[-1].element != element or tag["attributes"].strip():
            raise InputError(f"{where}: found {tag[0]}, expected {expected}")
        opened.pop().end = length
    if opened:
        last = opened[-1]
        raise InputError(
            f"{last.where}: found <{last.element}> without end, expected {last.closing}"
        )
    parts.append(decode_entities(segment[position:]))
    return AnnotatedText(
        text="".join(parts), entities=tuple(entity.entity() for entity in entities)
    )


class _Open:
    """A start tag, and later the place of its end."""

    __slots__ = ("attributes", "element", "end", "start", "where")

    def __init__(self, element: str, attributes: str, start: int, where: str) -> None:
        self.element = element
        self.attributes = attributes
        self.start = self.end = start
        self.where = where

    @property
    def closing(self) -> str:
        return f"</{self.element}>"

    def entity(self) -> Entity:
        attributes = _attributes(self.attributes, self.element, self.where)
        label = next((attributes.pop(key) for key in [*attributes] if key.upper() == "TYPE"), "")
        if not label:
            raise InputError(f"{self.where}: found <{self.element}> without TYPE, expected one")
        if self.end == self.start:
            raise InputError(
                f"{self.where}: found an empty <{self.element}>, expected text before its end"
            )
        if self.element != element_of(label):
            attributes[ELEMENT] = self.element
        return Entity(start=self.start, end=self.end, label=label, attributes=attributes)


def _attributes(written: str, element: str, where: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    offset = 0
    while match := ATTRIBUTE.match(written, offset):
        name, value = match["name"], match["value"]
        if name.upper() in map(str.upper, attributes):
            raise InputError(f"{where}: found attribute {name} twice, expected once")
        if name == ELEMENT:
            raise InputError(f"{where}: found attribute {name}, expected another name")
        attributes[name] = decode_entities(value[1:-1] if value[0] in "\"'" else value)
        offset = match.end()
    if rest := written[offset:].strip():
        raise InputError(
            f"{where}: found '{shortened(rest)}' in <{element}>, expected attributes NAME=\"value\""
        )
    return attributes


def to_muc(annotated: AnnotatedText) -> str:
    """The segment with its entities marked; what mark-up cannot hold is an error.

    >>> to_muc(AnnotatedText(text="AT&T", entities=(Entity(start=0, end=4, label="ORG"),)))
    '<ENAMEX TYPE="ORG">AT&amp;T</ENAMEX>'
    """
    if annotated != annotated.bare():
        raise InputError(
            "inline mark-up: found document, paragraph, id or other attributes of the segment, "
            "expected text and entities alone (AnnotatedText.bare)"
        )
    parts: list[str] = []
    position = 0
    for place, tag in _tags(annotated.entities):
        parts += (annotated.text[position:place].translate(_ESCAPES), tag)
        position = place
    return "".join([*parts, annotated.text[position:].translate(_ESCAPES)])


def _tags(entities: Iterable[Entity]) -> Iterator[tuple[int, str]]:
    """Every tag with its place, from left to right."""
    opened: list[Entity] = []
    for entity in entities:
        while opened and opened[-1].end <= entity.start:
            yield opened[-1].end, end_tag(opened.pop())
        if opened and entity.end > opened[-1].end:
            raise InputError(
                f"inline mark-up: found {entity} crossing {opened[-1]}, expected one inside "
                "the other"
            )
        yield entity.start, start_tag(entity)
        opened.append(entity)
    while opened:
        yield opened[-1].end, end_tag(opened.pop())


def start_tag(entity: Entity) -> str:
    """What stands before an entity."""
    return f"<{_element(entity)} {_written({'TYPE': entity.label, **entity.attributes})}>"


def end_tag(entity: Entity) -> str:
    """What stands behind an entity."""
    return f"</{_element(entity)}>"


def _element(entity: Entity) -> str:
    return str(entity.attributes.get(ELEMENT) or element_of(entity.label))


def _written(attributes: Mapping[str, object]) -> str:
    shown = {name: value for name, value in attributes.items() if name != ELEMENT}
    for name, value in shown.items():
        clashes = sum(name.upper() == other.upper() for other in shown) > 1
        if clashes or not isinstance(value, str) or not _NAME.fullmatch(name):
            raise InputError(
                f"inline mark-up: found attribute {name}={value!r}, "
                "expected a name of its own and text"
            )
    return " ".join(f'{name}="{quoted(str(value))}"' for name, value in shown.items())


def quoted(value: str) -> str:
    """A value as it stands between quotation marks."""
    return value.translate(_QUOTED)


# A line break would end the segment, and a byte-order mark at the start of a file is dropped.
_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", "\n": "&#10;", "\r": "&#13;", "\ufeff": "&#65279;"}
)
_QUOTED: Final = {**_ESCAPES, ord('"'): "&quot;", ord(">"): "&gt;"}
