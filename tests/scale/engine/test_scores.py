"""Partitions on a cluster have the scores of one run over all of them, to the last bit."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from tertium.text.inputs import Inputs
from tests.support.commands import output
from tests.support.scale.partitions import cut, segments, write_tables

pytest.importorskip("distributed", reason="the extra dask is not installed")
pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
pytestmark = pytest.mark.slow

SOME = segments(500)

ASKED = [
    ("-m", "bleu", "chrf", "ter", "wer"),
    ("-m", "bleu", "ribes"),  # whose statistics have fractions
    ("-m", "nist", "bleu"),  # sees all references first
    ("-m", "amber[tfidf=tf-idf]"),
    ("-m", "bleu", "--by", "genre"),
    ("-m", "ribes", "bleu", "--by", "document"),
    ("-m", "nist", "--by", "length"),
    ("-m", "chrf", "-sl"),
    ("-m", "bleu", "ribes", "--paired-bs"),
    ("-m", "bleu", "--confidence", "--resample", "segments"),
    ("-m", "nist", "--paired-ar", "--paired-ar-n", "200"),
]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    kinds = ("parquet", "jsonl", "tsv")
    folder = tmp_path_factory.mktemp("texts")
    return {kind: write_tables(folder / kind, SOME, 7, kind) for kind in kinds}


def whole(tables: Path, kind: str) -> str:
    return str(tables.parent / f"whole.{kind}")


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_all_that_is_asked_for(
    asked: tuple[str, ...],
    tables: dict[str, Path],
    scheduler: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tables["parquet"]
    there = ("--engine", "dask", "--scheduler", scheduler)
    engine = output(capsys, "score", str(path), *asked, *there, "-f", "json")
    plain = output(capsys, "score", whole(path, "parquet"), *asked, "-f", "json")
    assert engine == plain
    assert json.loads(plain)["segments"] == len(SOME)


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "tsv"])
@pytest.mark.parametrize("chunk", [50, 10_000])
def test_tables_of_any_format_and_chunks_across_partitions(
    kind: str,
    chunk: int,
    tables: dict[str, Path],
    scheduler: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # What is added up at a time decides the last digit of fractions, and lies across partitions.
    monkeypatch.setattr(Inputs.chunks, "__defaults__", (chunk,))
    monkeypatch.setattr(import_module("tertium.scale.merge"), "CHUNK", chunk)
    asked = ("-m", "ribes", "bleu", "-f", "json")
    path = tables[kind]
    there = ("--engine", "dask", "--scheduler", scheduler)
    pattern = str(path / f"part-*.{kind}")
    assert output(capsys, "score", pattern, *asked, *there) == output(
        capsys, "score", whole(path, kind), *asked
    )


def test_plain_text_in_folders(
    tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("reference", "hypothesis_a", "hypothesis_b"):
        (tmp_path / name).mkdir()
        lines = [getattr(one, name) + "\n" for one in SOME]
        (tmp_path / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
        for number, part in enumerate(cut(SOME, 5)):
            lines = [getattr(one, name) + "\n" for one in part]
            (tmp_path / name / f"{number}.txt").write_text("".join(lines), encoding="utf-8")
    words = [str(tmp_path / name) for name in ("reference", "hypothesis_a", "hypothesis_b")]
    asked = ("-m", "bleu", "chrf", "-f", "json")
    there = ("--engine", "dask", "--scheduler", scheduler)
    engine = output(capsys, "score", words[0], "-i", *words[1:], *asked, *there)
    first, *others = [f"{word}.txt" for word in words]
    assert engine == output(capsys, "score", first, "-i", *others, *asked)


def test_an_address_that_only_fsspec_reads(
    tables: dict[str, Path], scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tables["parquet"]
    there = ("--engine", "dask", "--scheduler", scheduler)
    plain = output(capsys, "score", whole(path, "parquet"), "-f", "json")
    for url in (f"file://{path}", f"file://{path}/part-*.parquet"):
        assert output(capsys, "score", url, *there, "-f", "json") == plain


def test_statistics_are_those_of_one_run(
    tables: dict[str, Path], scheduler: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tables["parquet"]
    kept = tmp_path / "kept.parquet"
    there = ("--engine", "dask", "--scheduler", scheduler, "--statistics", str(kept))
    asked = ("-m", "bleu", "ribes", "-f", "json")
    engine = output(capsys, "score", str(path), *asked, *there)
    assert output(capsys, "merge", str(kept), "-f", "json") == engine
    paired = output(capsys, "merge", str(kept), "--paired-bs", "-f", "json")
    plain = output(capsys, "score", whole(path, "parquet"), *asked[:3], "--paired-bs", "-f", "json")
    assert paired == plain


@pytest.mark.parametrize(
    "asked",
    [
        ("-m", "bleu", "ribes", "--test", "all", "--trials", "300"),
        ("-m", "chrf", "--by", "genre"),
        ("-m", "bleu", "--by", "length"),
    ],
    ids=" ".join,
)
def test_comparison(
    asked: tuple[str, ...],
    tables: dict[str, Path],
    scheduler: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tables["parquet"]
    there = ("--engine", "dask", "--scheduler", scheduler)
    engine = output(capsys, "compare", str(path), *asked, *there, "-f", "json")
    scores = ("--sections", "scores", "-f", "json")
    assert engine == output(capsys, "compare", whole(path, "parquet"), *asked, *scores)
