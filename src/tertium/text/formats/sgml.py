"""NIST and WMT test sets in SGML and XML.

Two shapes are known: ``<srcset|refset|tstset><doc docid= sysid= genre=><seg id=>`` (one set
per file or many, one ``sysid`` or ``refid`` per reference or system) and, since WMT21,
``<dataset><doc id= domain=>`` with ``<src>``, ``<ref translator=>`` and ``<hyp system=>`` in
each document. Segments are matched by document and segment. Documents of a WMT test suite
(attribute ``testsuite``) have no references and are not part of the test set: left out.

SGML of test sets is seldom SGML, so its scanner is tolerant: only the tags of test sets are looked
for, in any case, and a bare ``&`` or ``<`` in a segment and an unclosed or unknown tag around
segments do no harm.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from html.entities import html5

from tertium._native import Texts
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.formats.table import ReadingOptions
from tertium.text.formats.xml_events import declared_text, scan_xml
from tertium.text.keyed_segments import Key, Records, described
from tertium.text.memory import CELL, Budget

SETS = {"srcset": "source", "refset": "reference", "tstset": "system"}
PARTS = {"src": "source", "ref": "reference", "hyp": "system"}


def read_test_set(file: TextFile, options: ReadingOptions) -> Records:
    """All the segments of a file, matched within it, or the paragraphs of articles."""
    if options.format == "sgml":
        from tertium.text.articles import is_articles, read_articles

        if is_articles(file):
            return read_articles(file)
    collector = _Collector(file.name)
    if options.format == "sgml":
        scan_sgml(file, collector.start, collector.end, collector.text)
    else:
        cure = " (format 'sgml' is tolerant)"
        scan_xml(file, collector.start, collector.end, collector.text, cure)
    return collector.records()


class _Collector:
    """Segments of each source, reference and system, by document and segment."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._sets: dict[tuple[str, str], dict[Key, str]] = {}
        self._genres: dict[str, str] = {}
        self._dataset = False
        self._role: str | None = None
        self._set_label = ""
        self._label = ""
        self._document: str | None = None
        self._skipped = False
        self._counted = 0
        self._segment: str | None = None
        self._texts: list[str] = []
        self._line = 0

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """A tag opens; tags without a meaning here (p, hl, mteval, …) do nothing."""
        self._line = line
        if tag in SETS:
            self._role = SETS[tag]
            self._label = self._set_label = _first(attributes, "sysid", "refid")
        elif tag == "doc":
            self._start_document(attributes)
        elif tag in PARTS:
            self._dataset = True
            self._role = PARTS[tag]
            self._label = _first(attributes, "translator", "system")
            self._counted = 0
        elif tag == "seg":
            self._start_segment(attributes)

    def end(self, tag: str) -> None:
        """A tag closes."""
        if tag == "seg" and self._segment is not None:
            self._end_segment()
        elif tag == "doc":
            self._document = None
            self._skipped = False

    def text(self, text: str) -> None:
        """Characters, which count inside segments only."""
        if self._segment is not None:
            self._texts.append(text)

    def _start_document(self, attributes: Mapping[str, str]) -> None:
        document = _first(attributes, "docid", "id")
        if not document:
            raise self._error("<doc> without a docid", "one for every document")
        self._document = document
        self._skipped = "testsuite" in attributes
        self._label = _first(attributes, "sysid", "refid") or self._set_label
        self._counted = 0
        genre = _first(attributes, "genre", "domain")
        if genre:
            self._genres[document] = genre

    def _start_segment(self, attributes: Mapping[str, str]) -> None:
        if self._document is None:
            raise self._error("<seg> outside of <doc>", "<doc docid=…> around it")
        if self._role is None:
            raise self._error("<seg> outside of a set", "<srcset>, <refset>, <tstset> or <dataset>")
        self._counted += 1
        self._segment = attributes.get("id") or str(self._counted)
        self._texts = []

    def _end_segment(self) -> None:
        document, segment, role = self._document, self._segment, self._role
        self._segment = None
        if self._skipped or document is None or segment is None or role is None:
            return
        segments = self._sets.setdefault((role, self._label), {})
        key = (document, segment)
        if key in segments:
            raise self._error(f"{described(key)} twice{_of(role, self._label)}", "once")
        # A line break inside a segment only wraps the file's lines.
        lines = "".join(self._texts).replace("\r", "\n").split("\n")
        segments[key] = " ".join(part for line in lines if (part := line.strip(" \t")))

    def _error(self, found: str, expected: str) -> InputError:
        return InputError(f"{self._name}:{self._line}: {found}, expected {expected}")

    def records(self) -> Records:
        """The sets as columns in the order of the first reference (of the source since WMT21)."""
        if not self._sets:
            raise InputError(
                f"{self._name}: no segments, expected <seg> in <srcset>, <refset>, <tstset> "
                "or <dataset>"
            )
        first = ("source", "reference") if self._dataset else ("reference", "source")
        ranks = {role: rank for rank, role in enumerate((*first, "system"))}
        leading = min(self._sets, key=lambda name: ranks[name[0]])
        keys = tuple(self._sets[leading])
        cells = Budget(self._name, row=CELL, rows="segments of all sets")
        cells.add(rows=len(keys) * len(self._sets))
        columns = {name: self._column(name, leading) for name in self._sets}
        sources = [column for (role, _), column in columns.items() if role == "source"]
        if len(sources) > 1:
            raise InputError(f"{self._name}: {counted(len(sources), 'source')}, expected one")
        return Records(
            name=self._name,
            size=len(keys),
            found=tuple(dict.fromkeys(role for role, _ in self._sets)),
            keys=keys,
            source=sources[0] if sources else None,
            references=tuple(
                column for (role, _), column in columns.items() if role == "reference"
            ),
            systems=tuple(
                (label or None, column)
                for (role, label), column in columns.items()
                if role == "system"
            ),
            documents=tuple(document for document, _ in keys),
            genres=tuple(self._genres.get(document, "") for document, _ in keys)
            if self._genres
            else None,
        )

    def _column(self, name: tuple[str, str], leading: tuple[str, str]) -> Texts:
        """One set in the order of the leading one, with every segment that must be there."""
        segments, wanted = self._sets[name], self._sets[leading]
        for key in segments:
            if key not in wanted:
                raise InputError(
                    f"{self._name}: {described(key)}{_of(*name)}, "
                    f"expected only those{_of(*leading)}"
                )
        # Since WMT21 a translator may have done only some of the documents.
        optional = _documents(wanted) - _documents(segments) if self._may_lack(name) else set()
        for key in wanted:
            if key not in segments and key[0] not in optional:
                raise InputError(
                    f"{self._name}: no {described(key)}{_of(*name)}, expected as{_of(*leading)}"
                )
        return Texts([segments.get(key) for key in wanted])

    def _may_lack(self, name: tuple[str, str]) -> bool:
        return self._dataset and name[0] == "reference"


def _documents(keys: Iterable[Key]) -> set[str]:
    return {document for document, _ in keys}


def _first(attributes: Mapping[str, str], *names: str) -> str:
    return next((attributes[name] for name in names if attributes.get(name)), "")


def _of(role: str, label: str) -> str:
    return f" of {role} '{label}'" if label else f" of the {role}"


_TAG = re.compile(
    r"(?P<comment><!--)|<(?P<end>/?)(?P<tag>srcset|refset|tstset|doc|seg|src|ref|hyp)"
    r"(?P<attributes>(?:\s[^<>]*)?)>",
    re.IGNORECASE | re.DOTALL,
)
_SET = re.compile(
    r"<(?P<tag>srcset|refset|tstset)(?P<attributes>(?:\s[^<>]*)?)>", re.IGNORECASE | re.DOTALL
)
_SEGMENT_END = re.compile(r"</seg\s*>", re.IGNORECASE)
_SEGMENT_START = re.compile(r"<seg[\s>]", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ATTRIBUTE = re.compile(r"""\s*([\w:.-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"']+)""")
ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]*));")


def scan_sgml(
    file: TextFile,
    start: Callable[[str, Mapping[str, str], int], None],
    end: Callable[[str], None],
    text: Callable[[str], None],
) -> None:
    """Report the tags and the text of segments in order."""
    content = declared_text(file)
    line, counted, offset = 1, 0, 0
    last_close = content.rfind("-->")
    while match := _TAG.search(content, offset):
        line += content.count("\n", counted, match.start())
        counted, offset = match.start(), match.end()
        if match["comment"]:
            # One that never ends is none; to look for an end but once is quick on any file.
            close = content.find("-->", offset) if offset <= last_close else -1
            offset = close + 3 if close >= 0 else offset
            continue
        tag = match["tag"].lower()
        if match["end"]:
            end(tag)
            continue
        where = f"{file.name}:{line}"
        attributes, closed = _attributes(match["attributes"], tag, where)
        start(tag, attributes, line)
        if tag == "seg":
            if not closed:
                found = _SEGMENT_END.search(content, offset)
                if found is None or _SEGMENT_START.search(content, offset, found.start()):
                    raise InputError(f"{where}: <seg> without an end, expected </seg>")
                text(decode_entities(_without_comments(content[offset : found.start()])))
                offset = found.end()
            end(tag)


def set_attributes(file: TextFile) -> dict[str, str]:
    """The attributes of the first set's tag, such as ``setid`` and ``trglang``; none without it.

    Of a file of another kind there are none.
    """
    found = _SET.search(declared_text(file))
    return {} if found is None else _attributes(found["attributes"], found["tag"], file.name)[0]


def _without_comments(text: str) -> str:
    """What is left of a segment; what begins after the last end of a comment is none."""
    end = text.rfind("-->") + 3 if "-->" in text else 0
    return _COMMENT.sub("", text[:end]) + text[end:]


def _attributes(written: str, tag: str, where: str) -> tuple[dict[str, str], bool]:
    """Attributes by lower-case name, and whether the tag closes itself."""
    closed = written.endswith("/")
    written = written.removesuffix("/").rstrip()
    found: dict[str, str] = {}
    offset = 0
    while match := _ATTRIBUTE.match(written, offset):
        value = match[2]
        quoted = value[0] in "\"'"
        found[match[1].lower()] = decode_entities(value[1:-1] if quoted else value)
        offset = match.end()
    if offset < len(written):
        rest = " ".join(written[offset : offset + 200].split())
        raise InputError(f'{where}: <{tag} … {rest}>, expected attributes name="value"')
    return found, closed


def decode_entities(text: str) -> str:
    """Decode what ends in a semicolon; a bare ampersand, as in ``AT&T``, is itself.

    >>> decode_entities("AT&T &amp; &quot;caf&#233;&quot; &unknown;")
    'AT&T & "café" &unknown;'
    """
    return ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    decimal, hexadecimal, name = entity.groups()
    if name is not None:
        return html5.get(f"{name};", entity[0])
    code = int(decimal) if decimal else int(hexadecimal, 16)
    is_character = 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF
    return chr(code) if is_character else entity[0]
