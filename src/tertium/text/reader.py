"""Reads files of any known format, each of them once."""

import os
import sys
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias, cast

from tertium.errors import InputError, OptionError
from tertium.text.file_names import KNOWN_FORMATS, is_pattern
from tertium.text.files import TextFile, kept
from tertium.text.formats.content import file_format
from tertium.text.given_files import GivenFile

if TYPE_CHECKING:
    from tertium.text.column_roles import ColumnRoles
    from tertium.text.formats.inline_codes import InlineCodes
    from tertium.text.formats.quoting import Quoting
    from tertium.text.keyed_segments import Records

AnyPath: TypeAlias = str | PathLike[str] | TextFile
"""A path, or a file that is held already: nothing by its name is looked for."""
STDIN: Final = "-"


class Reader:
    """Reads each file once, and standard input at most once."""

    def __init__(
        self,
        *,
        format: str,  # noqa: A002
        columns: Mapping[str, str | Sequence[str]] | None,
        stdin: BinaryIO | None,
        labels: bool,
        inline_codes: str = "drop",
        quoting: str = "auto",
        held: bool = False,
    ) -> None:
        if format != "auto" and format not in KNOWN_FORMATS:
            from tertium.suggestions import did_you_mean

            raise OptionError(did_you_mean("format", format, ("auto", *KNOWN_FORMATS)))
        self._format = format
        self._columns = _columns(columns) if columns else None
        self._stdin = stdin
        self._stdin_used = False
        self._labels = labels
        if inline_codes != "drop":
            from tertium.text.formats.inline_codes import check_inline_codes

            check_inline_codes(inline_codes)
        if quoting != "auto":
            from tertium.text.formats.quoting import check_quoting

            check_quoting(quoting)
        self._inline_codes = cast("InlineCodes", inline_codes)
        self._quoting = cast("Quoting", quoting)
        self._held = held  # tables are read whole, for rows may be picked or put in order
        self._read: dict[str, GivenFile] = {}

    def file(self, path: AnyPath) -> TextFile:
        """The file of a path or standard input, which is kept for further passes."""
        if isinstance(path, TextFile):
            return path
        if os.fspath(path) != STDIN:
            return TextFile.find(path)
        if self._stdin_used:
            raise InputError("-: standard input for two inputs, expected for one")
        self._stdin_used = True
        return TextFile(name="stdin", data=kept(self._stdin or sys.stdin.buffer))

    def read(self, path: AnyPath) -> GivenFile:
        """The file, with its records unless it is plain text."""
        if isinstance(path, TextFile):
            return self._read_held(path)
        name = os.fspath(path)
        if name == STDIN or name not in self._read:
            self._read[name] = self._read_folder(name) or self._read_new(self.file(path))
        return self._read[name]

    def documents(self, path: AnyPath) -> "Records":
        """The document and genre of every segment."""
        from tertium.text.documents import read_documents

        return read_documents(self.file(path))

    def check_columns(self) -> None:
        """Every renamed column must be in some table: none is left out silently."""
        tables = [given.records for given in self._read.values() if given.records]
        renamed = self._columns.renamed if self._columns else {}
        for role, columns in renamed.items():
            for column in columns:
                if not any(column in table.found for table in tables):
                    names = ", ".join(table.name for table in tables) or "the inputs"
                    raise InputError(f"{names}: no column '{column}', expected for the {role}")

    def _read_held(self, file: TextFile) -> GivenFile:
        """A file that has no place on this machine; two may have one name."""
        key = f"{file.name}\0{id(file)}"
        if key not in self._read:
            self._read[key] = self._read_new(file)
        return self._read[key]

    def _read_folder(self, name: str) -> GivenFile | None:
        """A folder of articles or of plain text, or the files of a pattern."""
        folder = name != STDIN and os.path.isdir(name)
        if (folder and self._format == "text") or (not folder and is_pattern(name)):
            from tertium.text.many.file_set import find_set

            return GivenFile(file=TextFile(name=name), many=find_set(name))
        if not folder:
            return None
        from pathlib import Path

        from tertium.text.articles import read_folder

        return GivenFile(file=TextFile(name=name), records=read_folder(Path(name)))

    def _read_new(self, file: TextFile) -> GivenFile:
        kind = file_format(file, self._format)
        # Imported on use: with plain text, which is most common, start-up time is felt.
        match kind:
            case "text":
                return GivenFile(file=file)
            case "muc" | "sgml" | "xml":
                return self._read_markup(file, kind)
            case "conllu":
                from tertium.text.conllu import read_conllu

                return GivenFile(file=file, blocks=read_conllu(file))
            case "xliff" | "tmx" | "po" | "srt" | "vtt":
                return GivenFile(file=file, records=self._read_segments(file, kind))
            case _:
                return self._read_table(file, kind)

    def _read_markup(self, file: TextFile, kind: str) -> GivenFile:
        if kind in ("muc", "sgml"):
            from tertium.text.articles import is_articles, read_articles

            if is_articles(file):
                return GivenFile(file=file, records=read_articles(file))
        if kind == "muc":
            return GivenFile(file=file)
        from tertium.text.markup import read_markup

        return GivenFile(file=file, records=read_markup(file, kind))

    def _read_segments(self, file: TextFile, kind: str) -> "Records":
        """A file of translators' tools or of subtitles."""
        match kind:
            case "xliff":
                from tertium.text.formats.xliff import read_xliff

                return read_xliff(file, self._inline_codes)
            case "tmx":
                from tertium.text.formats.tmx import read_tmx

                return read_tmx(file, self._columns, self._inline_codes)
            case "po":
                from tertium.text.formats.po import read_po

                return read_po(file)
            case "srt":
                from tertium.text.formats.subtitles import read_srt

                return read_srt(file, self._inline_codes)
            case _:
                from tertium.text.formats.subtitles import read_vtt

                return read_vtt(file, self._inline_codes)

    def _read_table(self, file: TextFile, kind: str) -> GivenFile:
        from tertium.text.tables import read_table

        columns = self._columns or _columns(None)
        if kind == "parquet" and not self._held:
            from tertium.text.parquet.feeds import stored_table

            if stored := stored_table(file, columns, labels=self._labels):
                return GivenFile(file=file, records=stored.records, stored=stored)
        return GivenFile(file=file, records=read_table(file, kind, columns, self._quoting))


def _columns(columns: Mapping[str, str | Sequence[str]] | None) -> "ColumnRoles":
    from tertium.text.column_roles import ColumnRoles

    return ColumnRoles.of(columns)
