"""Small files that stand for very large ones, one for each format that is read.

Most are gzip: a compressed block can be written again and again, for a file may have many members.
"""

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

BLOCK: Final = 1 << 20
BLOCKS: Final = 320
"""Megabytes when they are decompressed; as Python objects ten to fifty times as much."""


def packed(start: str, repeated: str, blocks: int = BLOCKS) -> bytes:
    """Gzip of a start and of something that is repeated for gigabytes."""
    block = (repeated * (BLOCK // len(repeated))).encode()
    return gzip.compress(start.encode()) + gzip.compress(block, 9) * blocks


def repeated_values(rows: int = 1_000_000) -> bytes:
    """Parquet: one value of 10 kB, and a million rows that name it."""
    import pyarrow as arrow
    from pyarrow import parquet

    stream = io.BytesIO()
    index = arrow.array(np.zeros(rows, dtype=np.int32))
    column = arrow.DictionaryArray.from_arrays(index, ["a" * 10_000])
    parquet.write_table(
        arrow.table({"reference": column, "hypothesis": column}), stream, compression="gzip"
    )
    return stream.getvalue()


def long_list() -> bytes:
    """Parquet: one row of very many references, and very many rows of one."""
    import pyarrow as arrow
    from pyarrow import parquet

    stream = io.BytesIO()
    offsets = np.concatenate([[0], np.arange(100_000, 130_001)]).astype(np.int32)
    lists = arrow.ListArray.from_arrays(offsets, arrow.array(["a"] * 130_000))
    parquet.write_table(arrow.table({"reference": lists, "hypothesis": ["a"] * 30_001}), stream)
    return stream.getvalue()


def workbook() -> bytes:
    """XLSX: cells without end, which grow less than what is refused for that alone."""
    kinds = "http://schemas.openxmlformats.org"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{kinds}/package/2006/content-types"/>',
        "xl/workbook.xml": f'<workbook xmlns="{kinds}/spreadsheetml/2006/main"/>',
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
        with archive.open("xl/worksheets/sheet1.xml", "w") as part:
            for number in range(400):
                part.write(f'<row r="{number}"/><c t="str"><v>x</v></c>'.encode() * 10_000)
    return stream.getvalue()


def zeros() -> bytes:
    """NPZ: a matrix of 400 MB of zeros, three gigabytes as doubles."""
    stream = io.BytesIO()
    header = {"descr": "|i1", "fortran_order": False, "shape": (20_000, 20_000)}
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("0.matrix.npy", "w") as part,
    ):
        np.lib.format.write_array_header_1_0(part, header)
        for _ in range(400):
            part.write(bytes(1_000_000))
    return stream.getvalue()


def growing_row() -> bytes:
    """JSON lines: each row has a system that no other has, which makes a column of all rows."""
    rows = (
        json.dumps({"reference": "a", "hypotheses": {f"s{number}": "a"}})
        for number in range(30_000)
    )
    return "\n".join(rows).encode()


_UNIT = "<trans-unit><source/></trans-unit>"
_CUE = "00:00:01.000 --> 00:00:02.000\na\n\n"

TEXTS: Final[Mapping[str, Callable[[], bytes]]] = {
    "text": lambda: packed("", "\n"),
    "tsv": lambda: packed("source\treference\n", "\t\n"),
    "csv": lambda: packed("source,reference\n", ",\n"),
    "jsonl": lambda: packed("", '{"reference":""}\n'),
    "parquet": repeated_values,
    "sgml": lambda: packed('<refset><doc docid="d">', "<seg></seg>"),
    "xml": lambda: packed("<dataset>", "<p>"),
    "conllu": lambda: packed("", "# a\n\n"),
    "muc": lambda: packed('<DOC id="d"><TEXT>', "<p>a"),
    "xliff": lambda: packed("<xliff><file><body>", _UNIT),
    "tmx": lambda: packed("<tmx><body>", "<tu/>"),
    "po": lambda: packed("", 'msgid "a"\nmsgstr ""\n\n'),
    "srt": lambda: packed("", f"1\n{_CUE}"),
    "vtt": lambda: packed("WEBVTT\n\n", _CUE),
    "xlsx": workbook,
}
"""One for each format of texts."""

STRUCTURES: Final[Mapping[str, Callable[[], bytes]]] = {
    "samples": lambda: packed('{"id": 0, "hypotheses": [', '"a",'),
    "flat": lambda: packed("", "\n"),
    "fairseq": lambda: packed("S-0\ta\n", "H-0\t-1\ta\n"),
    "choices": lambda: packed('{"choices": [', "{},"),
    "moses": lambda: packed("", "0 ||| a ||| f= 1 ||| 1\n"),
    "marian": lambda: packed("", "0 ||| a ||| f= 1 ||| 1\n"),
    "travatar": lambda: packed("", "0 ||| a ||| 1 ||| f=1\n"),
    "plf": lambda: packed("(", "(('a',0,1),),"),
    "confusion": lambda: packed("", "a 1\n"),
    "mesh": lambda: gzip.compress(
        b"name a\n" + b"".join(b"align %d a 1\n" % number for number in range(900_000)), 1
    ),
    "openfst": lambda: packed("", "0 1 a a\n"),
    "hypergraph": lambda: packed("# target ||| features\n1 1\n1000000000\n", "a |||\n"),
    "travatar-json": lambda: packed('{"nodes": [', "{},"),
}
"""One for each format of n-best lists, lattices and forests."""

NAMES: Final[Mapping[str, Callable[[], bytes]]] = {
    "muc": lambda: packed("", "a\n"),
    "conll": lambda: packed("", "a O\n\n"),
    "jsonl": lambda: packed("", '{"text":"a","entities":[]}\n'),
}
"""One for each format of annotated names."""


def _one_frame(block: bytes) -> bytes:
    """Half a gigabyte as one frame of Zstandard, of which 16 kB hold all."""
    frame = __import__("zstandard").ZstdCompressor().compressobj()
    return b"".join([*(frame.compress(block) for _ in range(64)), frame.flush()])


COMPRESSIONS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    ".gz": lambda block: gzip.compress(block, 9),
    ".bz2": lambda block: __import__("bz2").compress(block),
    ".xz": lambda block: __import__("lzma").compress(block, preset=1),
    ".zst": _one_frame,
}
"""What makes a member of a compressed file."""


def compressed(suffix: str) -> bytes:
    """Empty lines without end, in some compression."""
    return COMPRESSIONS[suffix](b"\n" * (1 << 23)) * (BLOCKS // 8)


SUFFIXES: Final = {"text": ".txt", "sgml": ".sgm", "xliff": ".xlf"}


def text_name(kind: str) -> str:
    """A file name that says the format, and its compression where it has one."""
    suffix = SUFFIXES.get(kind, f".{kind}")
    return f"bomb{suffix}" + ("" if kind in {"parquet", "xlsx"} else ".gz")


def write(folder: Path, name: str, data: bytes) -> str:
    """The path of a bomb, which is small itself."""
    assert len(data) < 8_000_000
    path = folder / name
    path.write_bytes(data)
    return str(path)
