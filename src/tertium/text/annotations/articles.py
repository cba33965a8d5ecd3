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
from tertium.text.annotations.muc import parse_muc
from tertium.text.annotations.values import AnnotatedText, shortened
from tertium.text.files import TextFile
from tertium.text.sgml import decode_entities, decoded

_START: Final = re.compile(r"\s*<DOC(?:\s[^<>]*)?>", re.IGNORECASE)
_DOCUMENT: Final = re.compile(
    r"<DOC(?P<attributes>\s[^<>]*)?>(?P<body>.*?)</DOC\s*>", re.IGNORECASE | re.DOTALL
)
_NAME_ATTRIBUTE: Final = re.compile(
    r"""\s(?:doc)?id\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_NAME: Final = re.compile(r"<(DOCID|DOCNO)>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_TEXT: Final = re.compile(r"<TEXT(?:\s[^<>]*)?>(.*?)</TEXT\s*>", re.IGNORECASE | re.DOTALL)
_TEXT_TAG: Final = re.compile(r"</?TEXT(?:\s[^<>]*)?>", re.IGNORECASE)
_PARAGRAPH_TAG: Final = re.compile(r"<(/?)p(?:\s[^<>]*)?>", re.IGNORECASE)
_EMPTY_LINE: Final = re.compile(r"\n[ \t\r]*\n\s*")
# Other white space, such as the narrow space inside 1 000, belongs to the text.
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")


class Paragraph(NamedTuple):
    """Text with its mark-up, on one line; ``line`` is where it begins in the file."""

    line: int
    marked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The paragraphs of one document; ``place`` is its file."""

    name: str
    place: str
    paragraphs: tuple[Paragraph, ...]


def is_articles(file: TextFile) -> bool:
    """Whether a file begins with an article and has no segments of a test set."""
    content = decoded(file)
    return (
        _START.match(content) is not None
        and re.search(r"<seg[\s>]", content, re.IGNORECASE) is None
    )


def annotated_articles(file: TextFile) -> Iterator[tuple[int, AnnotatedText]]:
    """Every paragraph of a file with its line."""
    for article in articles_of(file):
        for number, (line, marked) in enumerate(article.paragraphs, 1):
            parsed = parse_muc(marked, f"{file.name}:{line}")
            yield line, replace(parsed, document=article.name, paragraph=str(number))


def articles_of(file: TextFile) -> Iterator[Article]:
    """The articles of a file."""
    content = decoded(file)
    position = 0
    for match in _DOCUMENT.finditer(content):
        where = f"{file.name}:{_line(content, match.start())}"
        _require_blank(file.name, content, position, match.start())
        if _START.search(match["body"]):
            raise InputError(f"{where}: found <DOC> without end, expected </DOC>")
        name = _name(match["attributes"] or "", match["body"], where)
        paragraphs = chain.from_iterable(
            paragraphs_of(body, _line(content, match.start("body") + place))
            for place, body in _bodies(match["body"], where)
        )
        yield Article(name=name, place=file.name, paragraphs=tuple(paragraphs))
        position = match.end()
    _require_blank(file.name, content, position, len(content))


def _line(content: str, position: int) -> int:
    return content.count("\n", 0, position) + 1


def _require_blank(name: str, content: str, start: int, stop: int) -> None:
    """Nothing is left out silently: what stands between articles is an error."""
    rest = content[start:stop]
    if rest.strip():
        place = start + len(rest) - len(rest.lstrip())
        found = shortened(rest.strip(), 40)
        expected = "</DOC>" if _START.match(rest) else "<DOC> and its article"
        raise InputError(f"{name}:{_line(content, place)}: found '{found}', expected {expected}")


def _name(attributes: str, body: str, where: str) -> str:
    names = [next(filter(None, found), "") for found in _NAME_ATTRIBUTE.findall(attributes)]
    names += [found for _, found in _NAME.findall(body)]
    names = [decode_entities(name).strip() for name in names]
    if len(set(names)) != 1 or not names[0]:
        found = " and ".join(f"'{name}'" for name in names) or "<DOC> without a name"
        raise InputError(f"{where}: found {found}, expected one <DOCID> or <DOCNO>")
    return names[0]


def _bodies(body: str, where: str) -> Iterator[tuple[int, str]]:
    """What is translated, with its place; blanks stand where the name of the article was."""
    texts = list(_TEXT.finditer(body))
    if len(_TEXT_TAG.findall(body)) != 2 * len(texts):
        raise InputError(f"{where}: found <TEXT> without end, expected </TEXT>")
    for text in texts:
        yield text.start(1), text[1]
    if not texts:
        yield 0, _NAME.sub(lambda name: re.sub(r"[^\n]", " ", name[0]), body)


def paragraphs_of(text: str, line: int) -> Iterator[Paragraph]:
    """Everything between tags or empty lines; ``line`` is that of the start of the text."""
    tags = list(_PARAGRAPH_TAG.finditer(text)) or None
    gaps = tags or list(_EMPTY_LINE.finditer(text))
    starts = [0, *(gap.end() for gap in gaps)]
    stops = [*(gap.start() for gap in gaps), len(text)]
    opened = [False, *(tags is not None and not gap[1] for gap in gaps)] if tags else []
    for number, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        marked = _BLANKS.sub(" ", text[start:stop]).strip(" ")
        # An empty paragraph counts where a tag says so: a system may have translated nothing.
        if marked or (opened and opened[number]):
            lead = len(text[start:stop]) - len(text[start:stop].lstrip())
            yield Paragraph(line + text.count("\n", 0, start + lead), marked)
