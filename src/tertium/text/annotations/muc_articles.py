"""Articles and their paragraphs in files of the Message Understanding Conferences.

A file has ``<DOC>`` … ``</DOC>`` for each article, with its name in ``<DOCID>`` or ``<DOCNO>`` or
as ``<DOC id=…>``. What is translated stands in ``<TEXT>``; without one it is all but the name.
``<p>`` begins a paragraph, else empty lines part them. Lines are wrapped anywhere, so a line
break is a blank.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple

from tertium.errors import InputError
from tertium.text.annotations.annotated_text import AnnotatedText, shortened
from tertium.text.annotations.muc import parse_muc
from tertium.text.files import TextFile
from tertium.text.formats.xml_events import declared_text
from tertium.text.sgml import decode_entities

_DOCUMENT: Final = re.compile(r"<DOC(?P<attributes>\s[^<>]*)?>", re.IGNORECASE)
_DOCUMENT_END: Final = re.compile(r"</DOC\s*>", re.IGNORECASE)
_SEGMENT: Final = re.compile(r"<seg[\s>]", re.IGNORECASE)
_NAME_ATTRIBUTE: Final = re.compile(
    r"""\s(?:doc)?id\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_NAME: Final = re.compile(r"<(DOCID|DOCNO)>([^<]*)</\1\s*>", re.IGNORECASE)
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
        for number, one in enumerate(article.paragraphs, 1):
            parsed = parse_muc(one.marked, f"{file.name}:{one.line}")
            yield one.line, replace(parsed, document=article.name, paragraph=str(number))


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
    names = [next(filter(None, found), "") for found in _NAME_ATTRIBUTE.findall(attributes)]
    names += [found for _, found in _NAME.findall(body)]
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
        yield 0, _NAME.sub(lambda name: re.sub(r"[^\n]", " ", name[0]), body)


def paragraphs_of(text: str, line: int, place: int = 0) -> Iterator[Paragraph]:
    """Everything between tags or empty lines; ``line`` and ``place`` are where the text starts."""
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
            yield Paragraph(line, marked, place + start, inside)
