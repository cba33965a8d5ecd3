"""PO catalogs of gettext, read by polib (extra ``po``).

A segment is named by its message, with ``msgctxt`` in front where it has one; every plural form
is a segment. The header and obsolete messages are left out. Strings are taken as they are: PO
has no inline codes of its own.
"""

import re
from importlib import import_module
from typing import Any, Final

from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint
from tertium.text.files import TextFile
from tertium.text.formats.table import ReadingOptions
from tertium.text.formats.xml_events import decoded_by
from tertium.text.keyed_segments import Records, TranslationUnit, bilingual_records
from tertium.text.lines import BYTE_ORDER_MARK
from tertium.text.memory import Budget

MESSAGE: Final = 3000
"""Bytes of memory that polib takes for a message beside its text."""
LINE: Final = 500
"""The same for a line: one of comments is a text by itself."""
_CHARSET: Final = re.compile(rb"Content-Type:[^\n]*?charset=([A-Za-z][A-Za-z0-9._:-]*)")
_LINE: Final = re.compile(
    r"""\s*(?:(?:msgctxt|msgid|msgid_plural|msgstr)(?:\[\d{1,2}\])?\s*)?"(?:[^"\\]|\\.)*+"\s*"""
)
_CONTEXT_END: Final = "|"
"""Between a context and its message; gettext's own sign (U+0004) cannot be printed."""


def read_po(file: TextFile, _options: ReadingOptions) -> Records:
    """The messages and their translations."""
    polib = _polib(file.name)
    data = file.read().removeprefix(BYTE_ORDER_MARK)
    Budget(file.name, row=MESSAGE, rows="messages").add(rows=data.count(b"msgid"))
    Budget(file.name, row=LINE, rows="lines").add(rows=data.count(b"\n"))
    charset = _CHARSET.search(data)
    # A template says CHARSET, to be filled in.
    name = charset[1].decode("ascii") if charset and charset[1] != b"CHARSET" else "utf-8"
    text = decoded_by(data, name, file.name)
    _check_lines(text, file.name)
    try:
        # polib takes a text for a path if there is a file of that name.
        entries = polib.pofile(f"{text}\n\n", wrapwidth=0, check_for_duplicates=False)
    except Exception as error:  # noqa: BLE001 - it raises whatever it stumbles on
        found = " ".join(str(error).replace("in po file None ", "").split())[:200]
        raise InputError(
            f"{file.name}: {found or type(error).__name__}, expected a PO catalog"
        ) from None
    units = [unit for entry in entries if not entry.obsolete for unit in _units(entry)]
    return bilingual_records(file.name, units, "messages (msgid and msgstr)")


def _check_lines(text: str, name: str) -> None:
    """Refuse a line without a whole string: polib would take what is there, or a part of it."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#") and not _LINE.fullmatch(line):
            found = " ".join(line.split())[:60]
            raise InputError(
                f"{name}:{number}: found '{found}', expected msgid, msgstr or msgctxt and a string "
                "in quotes"
            )


def _units(entry: Any) -> list[TranslationUnit]:
    context = f"{entry.msgctxt}{_CONTEXT_END}" if entry.msgctxt is not None else ""
    key = f"{context}{entry.msgid}"
    if not entry.msgid_plural:
        return [TranslationUnit(key=(key,), source=entry.msgid, target=entry.msgstr)]
    return [
        TranslationUnit(
            key=(f"{key}[{number}]",),
            source=entry.msgid if number == 0 else entry.msgid_plural,
            target=target,
        )
        for number, target in sorted(entry.msgstr_plural.items())
    ]


def _polib(name: str) -> Any:
    try:
        return import_module("polib")
    except ImportError:
        raise MissingExtraError(
            f"{name}: the package polib is missing, expected for PO files: {install_hint('po')}"
        ) from None
