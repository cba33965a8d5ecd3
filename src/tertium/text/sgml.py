"""A tolerant scanner for the SGML of test sets, which is seldom SGML.

Only the tags of test sets are looked for, in any case, so a bare ``&`` or ``<`` in a segment
and an unclosed or unknown tag around segments do no harm.
"""

import re
from collections.abc import Callable, Mapping
from html.entities import html5

from tertium.errors import InputError
from tertium.text.files import TextFile
from tertium.text.formats.xml_events import declared_text

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
    line, counted, place = 1, 0, 0
    last_close = content.rfind("-->")
    while match := _TAG.search(content, place):
        line += content.count("\n", counted, match.start())
        counted, place = match.start(), match.end()
        if match["comment"]:
            # One that never ends is none; to look for an end but once is quick on any file.
            close = content.find("-->", place) if place <= last_close else -1
            place = close + 3 if close >= 0 else place
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
                found = _SEGMENT_END.search(content, place)
                if found is None or _SEGMENT_START.search(content, place, found.start()):
                    raise InputError(f"{where}: <seg> without an end, expected </seg>")
                text(decode_entities(_without_comments(content[place : found.start()])))
                place = found.end()
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
    place = 0
    while match := _ATTRIBUTE.match(written, place):
        value = match[2]
        quoted = value[0] in "\"'"
        found[match[1].lower()] = decode_entities(value[1:-1] if quoted else value)
        place = match.end()
    if place < len(written):
        rest = " ".join(written[place : place + 200].split())
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
