"""The table of formats of corpora: one row says everything that commands know of each.

To add a format, write its reader and its row here. Extensions, `--input-format`, the server's forms
and the names of systems follow from the row; `docs/input.md` needs a line, for which a test
looks. Other packages offer formats by the entry-point group ``tertium.readers``: a function from a
file and `ReadingOptions` to `Records`, or a `CorpusFormat`. As looking for them takes longer than
scoring many a file, they are asked for by name (``--input-format NAME``).
"""

from collections.abc import Mapping
from importlib import import_module
from os import PathLike, fspath, path
from typing import TYPE_CHECKING, Final, NamedTuple

from tertium.lazy import LazyTable
from tertium.text.files import extension_of, readable, uncompressed_name

if TYPE_CHECKING:
    from tertium.text.column_roles import ColumnRoles
    from tertium.text.files import TextFile
    from tertium.text.formats.inline_codes import InlineCodes
    from tertium.text.formats.quoting import Quoting
    from tertium.text.inputs import CorpusFile

TABLE_READER: Final = "tertium.text.column_roles:read_corpus_table"
TEST_SET_READER: Final = "tertium.text.formats.sgml:read_test_set"
PARSE: Final = r"1(?:-\d+)?\t[^\t\n]+(?:\t[^\t\n]*){4}\t(?:\d+|_)(?:\t[^\t\n]*){3}\r?\n"
"""The first word of CoNLL-U, with all its columns."""


class ReadingOptions(NamedTuple):
    """What users say of all their files; a reader takes what concerns its format.

    - ``columns``: columns of tables by role.
    - ``inline_codes``: whether those of translators' tools are dropped or kept.
    - ``quoting``: whether quotes of TSV enclose cells.
    - ``labels``: whether documents, genres and paragraphs are asked for.
    - ``whole``: tables are read whole, as rows may be picked or put in order.
    - ``format``: the format as which this file is read, for readers of several.
    """

    columns: "ColumnRoles"
    inline_codes: "InlineCodes" = "drop"
    quoting: "Quoting" = "auto"
    labels: bool = True
    whole: bool = False
    format: str = "text"


class CorpusFormat(NamedTuple):
    """How files of a format are called, recognized and read.

    - ``reader``: a function from a `TextFile` and `ReadingOptions` to a `CorpusFile`, mostly to
      `Records`, as ``module:name``; it is imported when a file of the format is met.
    - ``summary``: what it is, in a few words.
    - ``extensions``: by which a file is known whose content leaves it open.
    - ``magic``: bytes that all files of the format begin with.
    - ``roots``: root elements of XML.
    - ``first`` and ``pattern``: the characters with which the text may begin, and the regular
      expression that follows comments (lines that begin with ``#``) there.
    - ``has_systems``: whether a reference file of the format may have hypotheses beside it.

    Formats without a sign of their own (tables, JSON, SGML) are told apart in
    `tertium.text.formats.content`.
    """

    reader: str
    summary: str = ""
    extensions: tuple[str, ...] = ()
    magic: bytes = b""
    roots: tuple[str, ...] = ()
    first: str = ""
    pattern: str = ""
    has_systems: bool = True

    def read(self, file: "TextFile", options: ReadingOptions) -> "CorpusFile":
        """The file, whatever it has."""
        module, _, name = self.reader.partition(":")
        corpus_file: CorpusFile = getattr(import_module(module), name)(file, options)
        return corpus_file


class FormatTable(LazyTable[CorpusFormat]):
    """Formats by name; those of other packages come last."""

    def __init__(self, rows: Mapping[str, CorpusFormat]) -> None:
        readers = {name: row.reader for name, row in rows.items()}
        super().__init__("format", readers, group="tertium.readers")
        self.rows = rows

    def __getitem__(self, name: str) -> CorpusFormat:
        if name in self.rows:
            return self.rows[name]
        offered: object = super().__getitem__(name)
        return (
            offered
            if isinstance(offered, CorpusFormat)
            else CorpusFormat(reader=self.places()[name])
        )


FORMATS: Final = FormatTable(
    {
        "text": CorpusFormat(
            reader="tertium.text.inputs:read_lines",
            summary="plain text, a segment a line",
            extensions=(".txt",),
            has_systems=False,
        ),
        "tsv": CorpusFormat(
            reader=TABLE_READER,
            summary="a table with tabs between cells",
            extensions=(".tsv",),
        ),
        "csv": CorpusFormat(
            reader=TABLE_READER,
            summary="a table with commas, semicolons or bars between cells",
            extensions=(".csv",),
        ),
        "jsonl": CorpusFormat(
            reader=TABLE_READER,
            summary="an object of JSON a line, or a list of objects",
            extensions=(".json", ".jsonl", ".ndjson"),
        ),
        "parquet": CorpusFormat(
            reader="tertium.text.parquet_tables:read_parquet_table",
            summary="a table in Parquet",
            extensions=(".parquet",),
            magic=b"PAR1",
        ),
        "sgml": CorpusFormat(
            reader=TEST_SET_READER,
            summary="a test set of NIST or WMT in SGML, or articles",
            extensions=(".sgm", ".sgml"),
            roots=("srcset", "refset", "tstset", "mteval", "dataset", "doc"),
        ),
        "xml": CorpusFormat(
            reader=TEST_SET_READER,
            summary="a test set of WMT in XML",
            extensions=(".xml",),
        ),
        "conllu": CorpusFormat(
            reader="tertium.text.formats.conllu:read_conllu",
            summary="parsed text, a segment a block",
            extensions=(".conllu",),
            first="#0123456789",
            pattern=PARSE,
        ),
        "muc": CorpusFormat(
            reader="tertium.text.articles:read_muc",
            summary="articles with names marked up as in MUC",
            extensions=(".muc",),
        ),
        "xliff": CorpusFormat(
            reader="tertium.text.formats.xliff:read_xliff",
            summary="XLIFF 1.2 and 2",
            extensions=(".xlf", ".xliff", ".sdlxliff", ".mqxliff", ".mxliff"),
            roots=("xliff",),
            has_systems=False,
        ),
        "tmx": CorpusFormat(
            reader="tertium.text.formats.tmx:read_tmx",
            summary="a translation memory in TMX",
            extensions=(".tmx",),
            roots=("tmx",),
            has_systems=False,
        ),
        "po": CorpusFormat(
            reader="tertium.text.formats.po:read_po",
            summary="a catalog of gettext",
            extensions=(".po", ".pot"),
            first="#m",
            pattern=r'msg(?:id|ctxt)\s*"',
            has_systems=False,
        ),
        "srt": CorpusFormat(
            reader="tertium.text.formats.subtitles:read_srt",
            summary="subtitles of SubRip",
            extensions=(".srt",),
            first="0123456789",
            pattern=r"\d+[ \t]*\r?\n\d+:\d\d:\d\d[,.]\d{1,3}[ \t]*-->[ \t]*\d",
            has_systems=False,
        ),
        "vtt": CorpusFormat(
            reader="tertium.text.formats.subtitles:read_vtt",
            summary="subtitles in WebVTT",
            extensions=(".vtt",),
            first="W",
            pattern=r"WEBVTT(?:[ \t][^\n]*)?\r?\n(?:[^\n]*\n)*?[^\n]*-->",
            has_systems=False,
        ),
        "xlsx": CorpusFormat(
            reader=TABLE_READER,
            summary="the first sheet of an Excel workbook",
            extensions=(".xlsx", ".xlsm"),
        ),
    }
)

KNOWN_FORMATS: Final = tuple(FORMATS.rows)
"""The formats that need no other package of a plug-in."""
EXTENSIONS: Final = {
    extension: name for name, row in FORMATS.rows.items() for extension in row.extensions
}


def format_of(name: str) -> str:
    """The format that the extension names; every other name is plain text.

    >>> format_of("all.tsv.gz"), format_of("newstest2012.es-en.UPC")
    ('tsv', 'text')
    """
    return EXTENSIONS.get(extension_of(uncompressed_name(name)), "text")


def system_name(file: str | PathLike[str]) -> str:
    """The file's name without folder, compression and known extension.

    >>> system_name("out/online-A.txt.gz"), system_name("newstest2012.es-en.UPC")
    ('online-A', 'newstest2012.es-en.UPC')
    """
    name = path.basename(uncompressed_name(fspath(file)))
    return readable(path.splitext(name)[0] if extension_of(name) in EXTENSIONS else name)
