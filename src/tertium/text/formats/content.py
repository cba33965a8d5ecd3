"""The format of a file by its first bytes; its name decides only where these leave it open.

Text is what remains, so each test asks for more than a sign that a sentence can begin with: a
root element that is known, keys at the start of all the first lines, a cue number above its
times, names of columns in two cells. What is recognized and cannot be read is refused with the
cure, never scored.
"""

import re
from contextlib import closing
from typing import Final

from tertium.errors import InputError
from tertium.text.files import PEEKED, TextFile
from tertium.text.formats.table import FORMATS, format_of

SAMPLED: Final = 1 << 11
"""Bytes that tell UTF-16 without a mark."""

LINES: Final = 20
"""First lines that must all look like JSON."""

KNOWN_COLUMNS: Final = 2
"""Names of columns that a table has, whatever the file is called."""

TEXT_CURE: Final = "--input-format text reads its lines as they are"

_PICTURE = "save the text in a file, a segment per line"
_OFFICE = "save it as text, or as a table in .xlsx, .csv or .tsv"
_ARCHIVE = "unpack it"
_ARROW = "save it as Parquet"
BINARY: Final = {
    b"%PDF-": ("a PDF document", _PICTURE),
    b"{\\rtf": ("an RTF document", _OFFICE),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("an office document", _OFFICE),
    b"\x89PNG": ("a picture", _PICTURE),
    b"\xff\xd8\xff": ("a picture", _PICTURE),
    b"GIF87a": ("a picture", _PICTURE),
    b"GIF89a": ("a picture", _PICTURE),
    b"II*\0": ("a picture", _PICTURE),
    b"MM\0*": ("a picture", _PICTURE),
    b"RIFF": ("a picture or a recording", _PICTURE),
    b"OggS": ("a recording", _PICTURE),
    b"fLaC": ("a recording", _PICTURE),
    b"ID3\x03": ("a recording", _PICTURE),
    b"ID3\x04": ("a recording", _PICTURE),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", _ARCHIVE),
    b"Rar!\x1a\x07": ("a RAR archive", _ARCHIVE),
    b"SQLite format 3\0": ("a database", "export the table as CSV"),
    b"\x7fELF": ("a program", "name the file of its output"),
    b"ARROW1\0\0": ("an Arrow file", _ARROW),
    b"ORC\x0a": ("an ORC file", _ARROW),
    b"Obj\x01": ("an Avro file", _ARROW),
    b"\x93NUMPY": ("a NumPy array", _PICTURE),
    b"\x89HDF\r\n": ("an HDF5 file", _ARROW),
}
"""How files begin that are no text: what they are, and what to do."""

_HTML_ROOTS: Final = {"html", "head", "body", "meta", "title", "script", "style"}
_OFFICE_PARTS: Final = {
    "word/": ("a Word document", _OFFICE),
    "ppt/": ("a presentation", _OFFICE),
    "content.xml": ("an OpenDocument file", _OFFICE),
    "META-INF/container.xml": ("an e-book", _PICTURE),
}

# Patterns are compiled on use: most files are plain text, and start-up time is felt.
_ROOT: Final = r"<([A-Za-z_][\w.-]*)(?::([\w.-]+))?(?=[\s/>])"
_NUMBERED_SEGMENT: Final = r"(?i)<seg\s+id\s*="
_DOCUMENT_PARTS: Final = r"(?i)</doc\s*>|<(?:seg|text|docid|docno)[\s>]"
_OBJECT: Final = r'\s*\{\s*"(?:[^"\\\n]|\\.)*"\s*:\s*["\[{\dtfnNI-]'
_OBJECTS: Final = r'\[\s*\{\s*"(?:[^"\\\n]|\\.)*"\s*:'


def file_format(file: TextFile, told: str = "auto") -> str:
    """The format of a file: what the caller was told, else its content, else its name.

    Content that is recognized but cannot be read is an `InputError` with the cure.
    """
    if told != "auto":
        return told
    if file.format is None:
        named = format_of(file.name)
        shown = content_format(file.beginning, file, named)
        # Only the name can say whether the reader of mark-up is to be tolerant.
        by_name = shown in {"sgml", "xml"} and named in {"sgml", "xml", "muc"}
        file.format = named if by_name else shown or named
    return file.format


def is_plain_text(file: TextFile, told: str = "auto") -> bool:
    """Whether a file is read a segment a line; what cannot be read at all is not."""
    try:
        return file_format(file, told) == "text"
    except InputError:
        return False


def content_format(start: bytes, file: TextFile, named: str) -> str | None:
    """The format that the first bytes show beyond doubt, or ``None``."""
    for kind, row in FORMATS.rows.items():
        if row.magic and start.startswith(row.magic):
            return kind
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_format(file)
    check_readable(start, file.name)
    text = start.decode("utf-8", "ignore").removeprefix("\ufeff").lstrip()
    first = text[:1]
    if first == "<":
        return _markup_format(text, file.name)
    if first in {"{", "["}:
        return _bracket_format(text, file.name, cut=len(start) == PEEKED)
    for kind, row in FORMATS.rows.items():
        if first and first in row.first and re.match(row.pattern, _without_comments(text)):
            return kind
    return _table_format(text, named)


def check_readable(start: bytes, name: str) -> None:
    r"""Refuse what begins like a file that is no text.

    >>> check_readable(b"7z\xbc\xaf\x27\x1c", "a.txt")
    Traceback (most recent call last):
    tertium.errors.InputError: a.txt: a 7z archive, expected text (unpack it)
    """
    for sign, (kind, cure) in BINARY.items():
        if start.startswith(sign):
            raise _refusal(name, kind, cure)
    if start[257:262] == b"ustar":
        raise _refusal(name, "a tar archive", _ARCHIVE)
    if b"\0" in start:  # a blank in UTF-16, and hardly ever in text
        for offset, codec in ((1, "UTF-16LE"), (0, "UTF-16BE")):
            high = start[offset:SAMPLED:2]
            # The upper bytes of letters say their script: small numbers for all alphabets.
            if len(high) > 7 and sum(byte < 0x20 for byte in high) * 10 > len(high) * 9:
                cure = f"'iconv -f {codec} -t UTF-8' makes it"
                found = f"{codec} without a byte-order mark"
                raise _refusal(name, found, cure, expected="UTF-8 text")


def _refusal(name: str, kind: str, cure: str, expected: str = "text") -> InputError:
    return InputError(f"{name}: {kind}, expected {expected} ({cure})")


def _zip_format(file: TextFile) -> str:
    import io
    import zipfile

    try:
        with closing(file.raw()) as raw, zipfile.ZipFile(raw) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, io.UnsupportedOperation):
        if format_of(file.name) == "xlsx":
            return "xlsx"  # whose reader says what is wrong
        raise _refusal(file.name, "a damaged ZIP archive", _ARCHIVE) from None
    if any(name.startswith("xl/workbook.") for name in names):
        return "xlsx"
    for part, (kind, cure) in _OFFICE_PARTS.items():
        if any(name.startswith(part) for name in names):
            raise _refusal(file.name, kind, cure)
    raise _refusal(file.name, "a ZIP archive", _ARCHIVE)


def _markup_format(text: str, name: str) -> str | None:
    """By the root element; a sentence that begins with a tag has none that is known."""
    declared = text[:5].lower() == "<?xml"
    at = 0
    while text.startswith(("<?", "<!"), at):
        if (
            text[at : at + 9].lower() == "<!doctype"
            and text[at + 9 :].lstrip()[:4].lower() == "html"
        ):
            raise _html(name)
        close = "-->" if text.startswith("<!--", at) else "?>" if text[at + 1] == "?" else ">"
        if close == ">" and 0 <= text.find("[", at) < text.find(">", at):
            close = "]>"
        end = text.find(close, at)
        if end < 0:
            return "xml" if declared else None
        at = end + len(close)
        while text[at : at + 1].isspace():
            at += 1
    found = re.match(_ROOT, text[at:])
    if found is None:
        numbered = re.match(_NUMBERED_SEGMENT, text[at:])
        return "xml" if declared else "sgml" if numbered else None
    root = (found[2] or found[1]).lower()
    if root in _HTML_ROOTS:
        raise _html(name)
    if root == "doc" and not declared and not re.search(_DOCUMENT_PARTS, text[at:]):
        return None  # a sentence that begins with a tag
    rows = FORMATS.rows.items()
    kind = next((name for name, row in rows if root in row.roots), None) or (
        "sgml" if re.match(_NUMBERED_SEGMENT, text[at:]) else None
    )
    if kind in {None, "sgml"} and (declared or (kind is None and _is_element(text[at:], found))):
        return "xml"
    return kind


def _is_element(text: str, root: re.Match[str]) -> bool:
    """Whether a text is one element whose first tag has a line for itself, and so has the last."""
    opening = text.partition("\n")[0].rstrip()
    tag = root[0][1:]
    return (
        opening.find(">") == len(opening) - 1
        and not opening.endswith("/>")
        and text.rstrip().endswith(f"\n</{tag}>")
    )


def _html(name: str) -> InputError:
    return _refusal(name, "an HTML page", f"save its text, a segment per line; {TEXT_CURE}")


def _bracket_format(text: str, name: str, *, cut: bool) -> str | None:
    if text.startswith("[Script Info]"):
        raise _refusal(name, "subtitles of Advanced SubStation Alpha", "save them as .srt or .vtt")
    if re.match(_OBJECTS, text):
        return "jsonl"
    lines = text.split("\n", LINES)
    lines = lines[:-1] if len(lines) > 1 and (cut or len(lines) > LINES) else lines
    if lines[0].strip() == "{" and re.match(_OBJECT, text):
        return "jsonl"  # one object over many lines
    return "jsonl" if all(re.match(_OBJECT, line) for line in lines if line.strip()) else None


def _without_comments(text: str) -> str:
    """What follows the comments at the start of PO and CoNLL-U."""
    at = 0
    while at < len(text) and text[at] in "#\r\n":
        end = text.find("\n", at)
        at = end + 1 if end >= 0 else len(text)
    return text[at:]


def _table_format(text: str, named: str) -> str | None:
    """A row of column names of which two are known."""
    header = text.partition("\n")[0].rstrip("\r")
    table = named in {"tsv", "csv"}
    if not table and (" " in header or not any(separator in header for separator in ",;\t")):
        return None
    from tertium.text.column_roles import ColumnRoles
    from tertium.text.named_rows import delimiter_of

    separator, known = delimiter_of(header, ColumnRoles.of(None).key)
    if table:
        return "csv" if named == "tsv" and separator != "\t" and known > 1 else None
    if known < KNOWN_COLUMNS:
        return None
    return "tsv" if separator == "\t" else "csv"
