"""Tables of a few rows, written in the formats that have named columns."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tertium.text.input_files import Chunk

Rows = Sequence[Mapping[str, Any]]


def jsonl(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def tsv(path: Path, rows: Rows) -> Path:
    lines = ["\t".join(rows[0]), *("\t".join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def csv(path: Path, rows: Rows) -> Path:
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def parquet(path: Path, rows: Rows) -> Path:
    arrow = pytest.importorskip("pyarrow")
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    pytest.importorskip("pyarrow.parquet").write_table(arrow.table(columns), path)
    return path


WRITERS: dict[str, Callable[[Path, Rows], Path]] = {
    "jsonl": jsonl,
    "tsv": tsv,
    "csv": csv,
    "parquet": parquet,
}


def hypotheses(chunk: Chunk) -> list[list[str | None]]:
    return [system.hypotheses.to_list() for system in chunk.systems]
