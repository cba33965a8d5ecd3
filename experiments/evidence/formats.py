"""One test set written in every format that is read, and scored: all scores must be equal.

``python -m experiments.evidence.formats`` prints the tables of docs/input.md: a row for each
format, with the score of the sample's system *alder* (and five segments full of signs) when the
files have their own extension, ``.txt`` and none; then what is recognized and refused. `WRITERS`
and `REFUSED` serve the tests.
"""

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from tertium import parse_metric
from tertium.cli.demo import SAMPLE
from tertium.errors import InputError
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs


class Row(NamedTuple):
    """A segment of the test set."""

    id: str
    document: str
    source: str
    reference: str
    hypothesis: str


class Files(NamedTuple):
    """The bytes of a file of references and of a system's; a table has both in one."""

    reference: bytes
    system: bytes | None = None


class Writer(NamedTuple):
    """How a format is written."""

    name: str
    by: str
    extension: str
    write: Callable[[Sequence[Row]], Files]


SIGNS: Final = (
    ('Er sagte: "Ja!"', 'He said "yes!"', 'He said: "Yes!"'),
    ('"Nein", rief sie.', '"No," she cried.', '"No", cried she.'),
    ('"Ganz."', '"All of it."', '"All of it."'),
    ("Müller & Söhne; 3 < 5, 5 > 3", "Müller & Sons; 3 < 5, 5 > 3", "Miller & sons; 3 < 5, 5 > 3"),
    ("{0} von {1}: '100 %' 猫 🙂", "{0} of {1}: '100 %' 猫 🙂", "{0} from {1}: '100 %' 猫 🙂"),
)
"""Segments with what formats must escape: source, reference, hypothesis."""


def sample_rows() -> list[Row]:
    """The sample's first reference and its system alder, and some segments with `SIGNS`."""

    def lines(name: str) -> list[str]:
        return (SAMPLE / name).read_text(encoding="utf-8").splitlines()

    documents = [line.split("\t")[0] for line in lines("documents.tsv")[1:]]
    texts = [lines(name) for name in ("source.de", "reference.1.en", "systems/alder.txt")]
    texts = [[*column, *more] for column, more in zip(texts, zip(*SIGNS, strict=True), strict=True)]
    documents += ["signs"] * len(SIGNS)
    return [
        Row(str(number), *columns)
        for number, columns in enumerate(zip(documents, *texts, strict=True), 1)
    ]


def _lines(texts: Sequence[str], encoding: str = "utf-8") -> bytes:
    return "".join(f"{text}\n" for text in texts).encode(encoding)


def _plain(
    rows: Sequence[Row],
    encoding: str = "utf-8",
    pack: Callable[[bytes], bytes] = bytes,
) -> Files:
    sides = ([row.reference for row in rows], [row.hypothesis for row in rows])
    reference, system = (pack(_lines(texts, encoding)) for texts in sides)
    return Files(reference, system)


def _zstandard(data: bytes) -> bytes:
    packed: bytes = import_module("zstandard").ZstdCompressor().compress(data)
    return packed


_COLUMNS: Final = ("id", "source", "reference", "hypothesis")


def _cells(rows: Sequence[Row]) -> list[list[str]]:
    return [[getattr(row, name) for name in _COLUMNS] for row in rows]


def _bare_tsv(rows: Sequence[Row]) -> Files:
    return Files(_lines(["\t".join(cells) for cells in [list(_COLUMNS), *_cells(rows)]]))


def _separated(rows: Sequence[Row], encoding: str = "utf-8", **dialect: Any) -> Files:
    out = io.StringIO(newline="")
    writer = csv.writer(out, **dialect)
    writer.writerow(_COLUMNS)
    writer.writerows(_cells(rows))
    return Files(out.getvalue().encode(encoding))


def _frame(rows: Sequence[Row]) -> Any:
    return import_module("pandas").DataFrame(_cells(rows), columns=_COLUMNS)


def _pandas_tsv(rows: Sequence[Row]) -> Files:
    text: str = _frame(rows).to_csv(sep="\t", index=False)
    return Files(text.encode())


def _pandas_json(rows: Sequence[Row]) -> Files:
    text: str = _frame(rows).to_json(orient="records", force_ascii=False, indent=2)
    return Files(text.encode())


def _pandas_parquet(rows: Sequence[Row]) -> Files:
    out = io.BytesIO()
    _frame(rows).to_parquet(out)
    return Files(out.getvalue())


def _json_lines(rows: Sequence[Row]) -> Files:
    objects = [dict(zip(_COLUMNS, cells, strict=True)) for cells in _cells(rows)]
    return Files(_lines([json.dumps(one, ensure_ascii=False) for one in objects]))


def _workbook(rows: Sequence[Row]) -> Files:
    book = import_module("openpyxl").Workbook()
    for cells in [list(_COLUMNS), *_cells(rows)]:
        book.active.append(cells)
    out = io.BytesIO()
    book.save(out)
    return Files(out.getvalue())


def _by_document(rows: Sequence[Row]) -> dict[str, list[Row]]:
    documents: dict[str, list[Row]] = {}
    for row in rows:
        documents.setdefault(row.document, []).append(row)
    return documents


def _sgml(rows: Sequence[Row]) -> Files:
    def written(tag: str, side: str) -> bytes:
        parts = [f'<{tag} setid="sample" srclang="de" trglang="en">']
        for document, some in _by_document(rows).items():
            parts.append(f'<doc docid={quoteattr(document)} sysid="alder">')
            parts += [f'<seg id="{row.id}">{escape(getattr(row, side))}</seg>' for row in some]
            parts.append("</doc>")
        return _lines([*parts, f"</{tag}>"])

    return Files(written("refset", "reference"), written("tstset", "hypothesis"))


def _articles(rows: Sequence[Row]) -> Files:
    def written(side: str) -> bytes:
        parts = []
        for document, some in _by_document(rows).items():
            parts.append(f"<DOC>\n<DOCID> {escape(document)} </DOCID>\n<TEXT>")
            parts += [f"<p>{escape(getattr(row, side))}</p>" for row in some]
            parts.append("</TEXT>\n</DOC>")
        return _lines(parts)

    return Files(written("reference"), written("hypothesis"))


def _wmt_xml(rows: Sequence[Row], encoding: str = "utf-8") -> Files:
    parts = [f'<?xml version="1.0" encoding="{encoding}"?>', '<dataset id="sample">']
    for document, some in _by_document(rows).items():
        parts.append(f"<doc id={quoteattr(document)}>")
        for tag, side in (
            ('src lang="de"', "source"),
            ('ref lang="en" translator="A"', "reference"),
            ('hyp lang="en" system="alder"', "hypothesis"),
        ):
            parts.append(f"<{tag}><p>")
            parts += [f'<seg id="{row.id}">{escape(getattr(row, side))}</seg>' for row in some]
            parts.append(f"</p></{tag.split()[0]}>")
        parts.append("</doc>")
    text = "\n".join([*parts, "</dataset>\n"])
    return Files(text.encode(encoding, "xmlcharrefreplace"))


def _two_files(rows: Sequence[Row], write: Callable[[Sequence[tuple[Row, str]]], bytes]) -> Files:
    sides = ([(row, row.reference) for row in rows], [(row, row.hypothesis) for row in rows])
    return Files(*map(write, sides))


def _xliff_1(pairs: Sequence[tuple[Row, str]]) -> bytes:
    units = [
        f'<trans-unit id="{row.id}"><source>{escape(row.source)}</source>'
        f'<target><g id="1">{escape(target)}</g><x id="2"/></target></trans-unit>'
        for row, target in pairs
    ]
    return _lines(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">',
            (
                '<file original="sample" source-language="de" target-language="en" '
                'datatype="plaintext"><body>'
            ),
            *units,
            "</body></file></xliff>",
        ]
    )


def _xliff_2(pairs: Sequence[tuple[Row, str]]) -> bytes:
    units = [
        f'<unit id="{row.id}"><segment><source>{escape(row.source)}</source>'
        f'<target><pc id="1">{escape(target)}</pc></target></segment></unit>'
        for row, target in pairs
    ]
    return _lines(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            (
                '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="de" '
                'trgLang="en"><file id="sample">'
            ),
            *units,
            "</file></xliff>",
        ]
    )


def _tmx(pairs: Sequence[tuple[Row, str]]) -> bytes:
    units = [
        f'<tu tuid="{row.id}"><tuv xml:lang="de"><seg>{escape(row.source)}</seg></tuv>'
        f'<tuv xml:lang="en"><seg><bpt i="1">&lt;b&gt;</bpt>{escape(target)}'
        '<ept i="1">&lt;/b&gt;</ept></seg></tuv></tu>'
        for row, target in pairs
    ]
    return _lines(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            (
                '<tmx version="1.4"><header creationtool="x" creationtoolversion="1" '
                'segtype="sentence" o-tmf="x" adminlang="en" srclang="de" datatype="text"/><body>'
            ),
            *units,
            "</body></tmx>",
        ]
    )


def _po(pairs: Sequence[tuple[Row, str]]) -> bytes:
    polib = import_module("polib")
    catalog = polib.POFile()
    catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8", "Language": "en"}
    for row, target in pairs:
        catalog.append(polib.POEntry(msgctxt=row.id, msgid=row.source, msgstr=target))
    return str(catalog).encode()


def _time(row: Row, offset: int, comma: str) -> str:
    seconds = 3 * int(row.id) + offset
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{comma}000"


def _srt(pairs: Sequence[tuple[Row, str]]) -> bytes:
    return _lines(
        [
            f"{row.id}\n{_time(row, 0, ',')} --> {_time(row, 2, ',')}\n<i>{text}</i>\n"
            for row, text in pairs
        ]
    )


def _vtt(pairs: Sequence[tuple[Row, str]]) -> bytes:
    cues = [
        f"{row.id}\n{_time(row, 0, '.')} --> {_time(row, 2, '.')} align:start\n"
        f"<v Ann>{escape(text)}</v>\n"
        for row, text in pairs
    ]
    return _lines(["WEBVTT\n", *cues])


WRITERS: Final = (
    Writer("plain text", "Python", ".en", _plain),
    Writer("plain text, gzip", "gzip", ".en.gz", partial(_plain, pack=gzip.compress)),
    Writer("plain text, xz", "lzma", ".en.xz", partial(_plain, pack=lzma.compress)),
    Writer("plain text, bzip2", "bz2", ".en.bz2", partial(_plain, pack=bz2.compress)),
    Writer("plain text, Zstandard", "zstandard", ".en.zst", partial(_plain, pack=_zstandard)),
    Writer("plain text, UTF-16 with a mark", "Python", ".en", partial(_plain, encoding="utf-16")),
    Writer("plain text, UTF-32 with a mark", "Python", ".en", partial(_plain, encoding="utf-32")),
    Writer("TSV, quotes are text", "Python", ".tsv", _bare_tsv),
    Writer("TSV", "pandas", ".tsv", _pandas_tsv),
    Writer("TSV, Excel's dialect", "csv", ".tsv", partial(_separated, dialect="excel-tab")),
    Writer(
        "TSV, all cells quoted, UTF-16",
        "csv",
        ".tsv",
        partial(_separated, encoding="utf-16", delimiter="\t", quoting=csv.QUOTE_ALL),
    ),
    Writer("CSV", "csv", ".csv", _separated),
    Writer("CSV with semicolons", "csv", ".csv", partial(_separated, delimiter=";")),
    Writer("JSON lines", "json", ".jsonl", _json_lines),
    Writer("JSON, a list", "pandas", ".json", _pandas_json),
    Writer("Parquet", "pandas", ".parquet", _pandas_parquet),
    Writer("XLSX", "openpyxl", ".xlsx", _workbook),
    Writer("SGML (NIST)", "Python", ".sgm", _sgml),
    Writer("MUC articles", "Python", ".muc", _articles),
    Writer("XML (WMT)", "Python", ".xml", _wmt_xml),
    *(
        Writer(f"XML in {name}", "Python", ".xml", partial(_wmt_xml, encoding=name))
        for name in ("gb18030", "big5", "shift_jis", "euc-jp", "iso-8859-1")
    ),
    Writer("XLIFF 1.2", "Python", ".xlf", partial(_two_files, write=_xliff_1)),
    Writer("XLIFF 2.0", "Python", ".xlf", partial(_two_files, write=_xliff_2)),
    Writer("TMX", "Python", ".tmx", partial(_two_files, write=_tmx)),
    Writer("PO", "polib", ".po", partial(_two_files, write=_po)),
    Writer("SRT", "Python", ".srt", partial(_two_files, write=_srt)),
    Writer("WebVTT", "Python", ".vtt", partial(_two_files, write=_vtt)),
)


def _archive(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "text\n")
    return out.getvalue()


REFUSED: Final = {
    "HTML": b"<!DOCTYPE html>\n<html><body><p>The house.</p></body></html>\n",
    "ZIP": _archive("a.txt"),
    "Word (DOCX)": _archive("[Content_Types].xml", "word/document.xml"),
    "OpenDocument (ODS, ODT)": _archive("mimetype", "content.xml"),
    "Word and Excel before 2007": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
    "PDF": b"%PDF-1.7\n1 0 obj\n",
    "RTF": b"{\\rtf1\\ansi The house.}\n",
    "PNG": b"\x89PNG\r\n\x1a\n",
    "JPEG": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "subtitles (ASS, SSA)": b"[Script Info]\nScriptType: v4.00+\n",
    "SQLite": b"SQLite format 3\0",
    "Arrow, Feather": b"ARROW1\0\0",
    "tar": b"a.txt".ljust(257, b"\0") + b"ustar\x0000".ljust(255, b"\0"),
    "UTF-16 without a mark": "The house is large.\n".encode("utf-16-le"),
    "XML in an unknown encoding": b"<?xml version='1.0' encoding='klingon-1'?>\n<dataset/>\n",
}
"""What is recognized under any name and cannot be read."""


def read_back(folder: Path, files: Files, extension: str) -> Chunk:
    """Files with that extension, opened as every command opens them."""
    reference = folder / f"reference{extension}"
    reference.write_bytes(files.reference)
    systems = []
    if files.system is not None:
        systems.append(folder / f"alder{extension}")
        systems[0].write_bytes(files.system)
    return open_inputs([reference], systems).load()


def score(chunk: Chunk) -> float:
    """BLEU of the only system."""
    (system,) = chunk.systems
    bleu = parse_metric("bleu")
    rows = bleu.statistics(system.hypotheses, chunk.corpus.references)
    return float(bleu.score(rows.sum(axis=0)))


def refusal(folder: Path, data: bytes) -> str:
    """What is said of a file that is called a text."""
    path = folder / "system.txt"
    path.write_bytes(data)
    try:
        open_inputs([path], [path]).load()
    except InputError as error:
        return str(error).replace(f"{folder}/", "")
    return ""


def read_table() -> list[str]:
    """The formats that are read, with the score under three names each."""
    rows = sample_rows()
    table = [
        "| format | written by | own extension | `.txt` | no extension |",
        "|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as name:
        for writer in WRITERS:
            files = writer.write(rows)
            endings = (writer.extension, ".txt", "")
            scores = [score(read_back(Path(name), files, ending)) for ending in endings]
            shown = " | ".join(f"{value:.4f}" for value in scores)
            table.append(f"| {writer.name} | {writer.by} | {shown} |")
    return table


def refused_table() -> list[str]:
    """What is refused, and how."""
    table = ["| content | error message for `system.txt` |", "|---|---|"]
    with tempfile.TemporaryDirectory() as name:
        for kind, data in REFUSED.items():
            table.append(f"| {kind} | {refusal(Path(name), data)} |")
    return table


def main() -> int:
    """Print both tables."""
    print("\n".join([*read_table(), "", *refused_table()]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
