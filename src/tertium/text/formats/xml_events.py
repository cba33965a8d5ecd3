"""XML as calls for tags and text, in whatever encoding it declares.

Expat itself knows four encodings, so the text is decoded here and given to it as Unicode. Entity
declarations are refused: entities that expand to entities can fill the memory from a few lines.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final
from xml.parsers import expat

from tertium.errors import InputError
from tertium.text.files import TextFile
from tertium.text.lines import BYTE_ORDER_MARK
from tertium.text.memory import Budget

TAG: Final = 320
"""Bytes of memory that a tag may cost: a segment with its key, or a level of nesting."""
_DECLARED: Final = re.compile(
    rb"""\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._:-]*)["']"""
)
_WIDE: Final = {"utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le", "utf-32be", "ucs-2"}
"""Encodings that a file which begins with ``<?xml`` in single bytes cannot have."""
_NO_CHARSETS: Final = {
    "idna",
    "punycode",
    "unicode-escape",
    "raw-unicode-escape",
    "undefined",
    "utf-7",
}
"""Names that Python decodes by, and that are no encoding of a text."""


def scan_xml(
    file: TextFile,
    start: Callable[[str, Mapping[str, str], int], None],
    end: Callable[[str], None],
    text: Callable[[str], None],
    cure: str = "",
) -> None:
    """Report tags with their line, and text, in order; ``cure`` follows what a damaged file is."""
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(*_: object) -> None:
        raise InputError(
            f"{file.name}:{parser.CurrentLineNumber}: an entity declaration, expected none"
        )

    def unknown(name: str, *_: object) -> None:
        raise InputError(
            f"{file.name}:{parser.CurrentLineNumber}: unknown entity &{name};, expected plain text"
        )

    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = unknown
    parser.StartElementHandler = lambda tag, attributes: start(
        tag, attributes, parser.CurrentLineNumber
    )
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    try:
        parser.Parse(declared_text(file), True)
    except expat.ExpatError as error:
        found = expat.errors.messages.get(error.code, str(error))
        raise InputError(f"{file.name}:{error.lineno}: {found}, expected XML{cure}") from None


def declared_text(file: TextFile) -> str:
    """All the text of a file in the encoding that its XML declaration names, else in UTF-8."""
    data = file.read()
    Budget(file.name, row=TAG, rows="tags").add(rows=data.count(b"<"))
    Budget(file.name, rows="lines").add(rows=data.count(b"\n"))
    marked = data.startswith(BYTE_ORDER_MARK)
    declared = None if marked else _DECLARED.match(data[:1024])
    name = declared[1].decode("ascii").lower() if declared else "utf-8"
    return decoded_by(data.removeprefix(BYTE_ORDER_MARK), name, file.name)


def decoded_by(data: bytes, encoding: str, name: str) -> str:
    """Bytes in an encoding that the file itself names.

    >>> decoded_by("简体".encode("gb18030"), "GB18030", "a.xml")
    '简体'
    >>> decoded_by(b"text", "klingon-1", "a.xml")
    Traceback (most recent call last):
    tertium.errors.InputError: a.xml: encoding 'klingon-1', expected a known one such as UTF-8
    """
    encoding = "utf-8" if encoding.lower() in _WIDE else encoding
    known = encoding.lower().replace("_", "-") not in _NO_CHARSETS
    try:
        return data.decode(encoding if known else "")
    except UnicodeError as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        shown = encoding.upper()
        raise InputError(f"{name}:{line}: invalid {shown}, expected {shown} text") from None
    except (LookupError, ValueError):
        raise InputError(
            f"{name}: encoding '{encoding}', expected a known one such as UTF-8"
        ) from None
