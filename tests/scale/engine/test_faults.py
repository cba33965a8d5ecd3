"""What goes wrong with data, flags or the cluster is one line, and nothing that is done is lost."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import MissingExtraError, OptionError, TertiumError
from tertium.scale.engine import Cluster, PartitionedCorpus, score_partitions
from tertium.scale.engine.work import PartFolder
from tests.support.commands import error, output, ran
from tests.support.scale.partitions import cut, segments, write_table

arrow = pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
pytest.importorskip("distributed", reason="the extra dask is not installed")

SOME = segments(120)
ENGINE = ("--engine", "dask")


def texts(folder: Path, parts: int = 4) -> tuple[Path, Path]:
    """Folders of references and of hypotheses, plain text."""
    for name in ("reference", "hypothesis_a"):
        (folder / name).mkdir()
        for number, part in enumerate(cut(SOME, parts)):
            lines = [getattr(one, name) + "\n" for one in part]
            (folder / name / f"{number}.txt").write_text("".join(lines), encoding="utf-8")
    return folder / "reference", folder / "hypothesis_a"


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "ribes", "nist"])
def test_a_partition_that_is_no_text_stops_or_is_left_out(
    metric: str, tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    references, systems = texts(tmp_path)
    bad = systems / "2.txt"
    lines = bad.read_bytes().split(b"\n")
    lines[1] = b"\xff\xfe"
    bad.write_bytes(b"\n".join(lines))
    words = ("score", str(references), "-i", str(systems), "-m", metric, "-f", "json")
    there = (*ENGINE, "--scheduler", scheduler)
    message = f"{bad}:2: invalid UTF-8, expected UTF-8 text"
    assert error(capsys, *words, *there) == f"tertium: {message}"
    found = json.loads(output(capsys, *words, *there, "--skip-bad"))
    assert f"left out partition 3 of 4: {message}" in found["warnings"]
    # The rest has the scores of a run that never saw the partition.
    bad.unlink()
    (references / "2.txt").unlink()
    rest = json.loads(output(capsys, *words, *there))
    assert found["systems"] == rest["systems"]
    assert found["segments"] == rest["segments"]


@pytest.mark.slow
def test_bytes_in_parquet_are_told_with_their_row(
    tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from pyarrow import parquet

    tables = tmp_path / "tables"
    tables.mkdir()
    write_table(tables / "0.parquet", SOME[:20])
    broken = arrow.array([b"a", b"\xff"], arrow.binary()).view(arrow.string())
    parquet.write_table(
        arrow.table({"reference": broken, "hypothesis_a": ["a", "b"], "hypothesis_b": ["a", "b"]}),
        tables / "1.parquet",
    )
    said = error(capsys, "score", str(tables), *ENGINE, "--scheduler", scheduler)
    assert "1.parquet: column 'reference', row 2: found bytes that are no UTF-8" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"text": ["a"]}, "1.parquet: found text, expected a hypothesis beside the reference"),
        (
            {"hypothesis_a": ["a"], "hypothesis_b": ["a"]},
            "1.parquet: found hypothesis_a, hypothesis_b, expected a column 'reference'",
        ),
        ({"reference": ["a"]}, "1.parquet: found reference, expected a hypothesis beside"),
        ({"reference": ["a"], "hypothesis": [1]}, "'hypothesis' is a number, expected text"),
        ({"reference": ["a"], "hypothesis": [None]}, "segment 1: no 'hypothesis', expected one"),
        ({"reference": ["a"], "hypothesis_c": ["a"]}, "found systems c, expected a, b (as "),
    ],
)
def test_columns_that_are_missing_or_no_text(
    columns: dict[str, list[Any]],
    expected: str,
    tmp_path: Path,
    scheduler: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from pyarrow import parquet

    tables = tmp_path / "tables"
    tables.mkdir()
    write_table(tables / "0.parquet", SOME[:20])
    parquet.write_table(arrow.table(columns), tables / "1.parquet")
    said = error(capsys, "score", str(tables), *ENGINE, "--scheduler", scheduler)
    assert expected in said
    assert "1.parquet" in said


@pytest.mark.slow
def test_a_column_that_is_not_there(
    tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_table(tmp_path / "0.parquet", SOME[:20])
    words = ("score", str(tmp_path), "--columns", "reference=target")
    said = error(capsys, *words, *ENGINE, "--scheduler", scheduler)
    assert said.endswith("0.parquet: no column 'target', expected for the reference")


@pytest.mark.slow
def test_partitions_of_other_lengths(
    tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    references, systems = texts(tmp_path)
    (systems / "3.txt").write_text("one\n", encoding="utf-8")
    words = ("score", str(references), "-i", str(systems))
    said = error(capsys, *words, *ENGINE, "--scheduler", scheduler)
    assert f"{systems / '3.txt'}: 1 segment, expected" in said


@pytest.mark.slow
def test_partitions_without_segments_count_nothing(
    tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    references, systems = texts(tmp_path)
    for folder in (references, systems):
        (folder / "1.txt").write_bytes(b"")
    words = ("score", str(references), "-i", str(systems), "-m", "bleu", "ribes", "-f", "json")
    there = (*ENGINE, "--scheduler", scheduler)
    found = output(capsys, *words, *there)
    for folder in (references, systems):
        (folder / "1.txt").unlink()
    assert output(capsys, *words, *there) == found
    for folder in (references, systems):
        for file in folder.iterdir():
            file.write_bytes(b"")
    assert error(capsys, *words, *there).endswith("0 segments, expected at least one")


def test_other_numbers_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    references, systems = texts(tmp_path)
    (systems / "3.txt").unlink()
    said = error(capsys, "score", str(references), "-i", str(systems), *ENGINE)
    assert said == f"tertium: {systems}: found 3 files, expected 4 (as {references})"


def test_other_names_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    references, systems = texts(tmp_path)
    (systems / "3.txt").rename(systems / "4.txt")
    words = ("score", str(references), "-i", str(systems), *ENGINE)
    said = f"{systems}: found a file '4', expected '3' (as {references})"
    assert error(capsys, *words) == f"tertium: {said}"
    pattern = f"{systems}/?.txt"
    with pytest.raises(TertiumError, match="found a file '4', expected '3'"):
        PartitionedCorpus(references=[f"{references}/*.txt"], systems=[pattern]).partitions()


def test_files_are_matched_by_what_wildcards_stand_for(tmp_path: Path) -> None:
    for number in (10, 9):
        for name in ("ref", "sys"):
            (tmp_path / f"{name}.{number}.{name}").touch()
    corpus = PartitionedCorpus(
        references=[str(tmp_path / "ref.*.ref")], systems=[str(tmp_path / "sys.*.sys")]
    )
    found = [[Path(file).name for file in one.files] for one in corpus.partitions()]
    assert found == [["ref.10.ref", "sys.10.sys"], ["ref.9.ref", "sys.9.sys"]]


@pytest.mark.parametrize("name", ["nothing-*.txt", "empty"])
def test_no_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    said = error(capsys, "score", str(tmp_path / name), *ENGINE)
    assert said.endswith("found no file, expected at least one partition")


@pytest.mark.slow
def test_an_address_that_does_not_answer() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
    cluster = Cluster(scheduler=address, patience=1)
    with pytest.raises(TertiumError, match=rf"^{address}: found no answer, expected a scheduler"):
        run_on(cluster)


@pytest.mark.parametrize("address", ["nonsense://x", "tcp://127.0.0.1:notaport"])
def test_an_address_without_sense(address: str) -> None:
    with pytest.raises(TertiumError, match=rf"^{address}: found .*, expected a scheduler of Dask"):
        run_on(Cluster(scheduler=address, patience=1))


def run_on(cluster: Cluster) -> None:
    score_partitions(PartitionedCorpus(references=["x.parquet"]), cluster=cluster)


def test_a_package_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"distributed is missing, .*\[dask\]"):
        run_on(Cluster())


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (("--workers", "2"), "--workers: found without an engine, expected with --engine dask"),
        (("--resume", "x"), "--resume: found without an engine, expected with --engine dask"),
        (("--skip-bad",), "--skip-bad: found without an engine, expected with --engine dask"),
        ((*ENGINE, "--first-segment", "3", "--statistics", "x.parquet"), "--first-segment: found"),
        (
            (*ENGINE, "--scheduler", "tcp://x", "--workers", "2"),
            "workers: found 2 with a scheduler",
        ),
        ((*ENGINE, "-i", "-"), "-: found standard input, expected files that workers can read"),
        ((*ENGINE, "-m", "nee"), "nee: found with an engine, expected without"),
    ],
)
def test_flags_that_do_not_fit(
    flags: tuple[str, ...], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a").write_text("x\n", encoding="utf-8")
    assert expected in error(capsys, "score", str(tmp_path / "a"), *flags)


def test_sections_that_need_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, "compare", str(tmp_path), *ENGINE, "--sections", "words")
    assert said.startswith("tertium: --sections: found words with --engine, expected scores")


def test_an_engine_that_nobody_knows(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(capsys, "score", "x", "--engine", "sparc").status == 2


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"threads": 0}])
def test_numbers_that_make_no_sense(wrong: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="found 0, expected at least 1"):
        Cluster(**wrong)  # type: ignore[arg-type]


IDENTITY = {"tertium": "1", "metrics": ["bleu"], "inputs": [["a"], ["b"]]}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"tertium": "2"}, "found tertium 1, expected 2, as asked for now"),
        ({"metrics": ["chrf"]}, 'found metrics ["bleu"], expected ["chrf"], as asked for now'),
        ({"inputs": [["a"]]}, "found 2 inputs, expected 1, as asked for now"),
        ({"inputs": [["a"], ["c"]]}, 'found inputs ["b"], expected ["c"], as asked for now'),
    ],
)
def test_a_folder_of_another_run_is_refused(
    changed: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    PartFolder(tmp_path / "kept", IDENTITY)
    PartFolder(tmp_path / "kept", IDENTITY)
    with pytest.raises(TertiumError) as caught:
        PartFolder(tmp_path / "kept", {**IDENTITY, **changed})
    assert expected in str(caught.value)


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("", encoding="utf-8")
    with pytest.raises(TertiumError, match=r"found thesis\.tex and no manifest\.json, expected"):
        PartFolder(tmp_path, IDENTITY)
    (tmp_path / "manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(TertiumError, match="found no sense"):
        PartFolder(tmp_path, IDENTITY)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(TertiumError, match="expected a folder to write into"):
        PartFolder(file, IDENTITY)


def test_a_part_whose_files_have_changed_is_refused(tmp_path: Path) -> None:
    folder = PartFolder(tmp_path / "kept", IDENTITY)
    folder.keep(0, {"x": 1}, None, [["a", 3, "0"]])
    assert folder.part(0, lambda: [["a", 3, "0"]]) == {"x": 1}
    assert folder.part(1, list) is None
    with pytest.raises(
        TertiumError, match=r'found files \["a", 3, "0"\], expected \["a", 4, "0"\]'
    ):
        folder.part(0, lambda: [["a", 4, "0"]])
