"""n-best lists in many files on a cluster: what one run over all of them chooses."""

import json
import random
from pathlib import Path

import pytest

from tests.support.commands import error, output, ran
from tests.support.scale.partitions import WORDS

pytest.importorskip("distributed", reason="the extra dask is not installed")
pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
pytestmark = pytest.mark.slow

COUNT, PARTS = 60, 4


def made(*, ids: bool) -> tuple[list[str], list[str]]:
    """Lines of JSON with lists, and a reference for each."""
    rng = random.Random(3)
    lists, references = [], []
    for number in range(COUNT):
        words = rng.choices(WORDS, k=rng.randint(2, 9))
        texts = [
            " ".join(
                rng.choice([a, b]) for a, b in zip(words, rng.choices(WORDS, k=9), strict=False)
            )
            for _ in range(6)
        ]
        told = {"hypotheses": texts, "logprobs": [-rng.random() for _ in texts]}
        lists.append(json.dumps({**({"id": number} if ids else {}), **told}, ensure_ascii=False))
        references.append(" ".join(words))
    return lists, references


def write(folder: Path, lines: list[str], suffix: str) -> tuple[str, str]:
    """One file of all lines, and a folder of several."""
    folder.mkdir()
    whole = folder.parent / f"{folder.name}{suffix}"
    whole.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    size = COUNT // PARTS
    for number in range(PARTS):
        some = lines[number * size : (number + 1) * size]
        text = "".join(f"{line}\n" for line in some)
        (folder / f"{number}{suffix}").write_text(text, encoding="utf-8")
    return str(whole), str(folder)


@pytest.mark.parametrize("form", ["lines", "tsv", "jsonl"])
@pytest.mark.parametrize("parted", [True, False])
def test_best_of(
    form: str, parted: bool, tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, references = made(ids=not parted)
    whole, folder = write(tmp_path / "lists", lists, ".jsonl")
    reference, reference_folder = write(tmp_path / "references", references, ".txt")
    there = ("--engine", "dask", "--scheduler", scheduler, "-f", form)
    given = reference_folder if parted else reference
    engine = output(capsys, "oracle", "--each", folder, "-r", given, *there)
    assert engine == output(capsys, "oracle", "--each", whole, "-r", reference, "-f", form)
    assert engine.count("\n") >= COUNT


def test_best_of_by_a_metric_that_sees_all_references(
    tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, references = made(ids=True)
    whole, folder = write(tmp_path / "lists", lists, ".jsonl")
    reference, reference_folder = write(tmp_path / "references", references, ".txt")
    there = ("-m", "nist", "-f", "tsv", "--engine", "dask", "--scheduler", scheduler)
    plain = output(capsys, "oracle", "--each", whole, "-r", reference, "-m", "nist", "-f", "tsv")
    assert output(capsys, "oracle", "--each", folder, "-r", reference, *there) == plain
    said = error(capsys, "oracle", "--each", folder, "-r", reference_folder, *there)
    assert "nist: found references in several files, expected all in one" in said


@pytest.mark.parametrize("form", ["lines", "json", "jsonl", "text"])
@pytest.mark.parametrize("ids", [True, False])
def test_mbr(
    form: str, ids: bool, tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, references = made(ids=ids)
    whole, folder = write(tmp_path / "lists", lists, ".jsonl")
    reference, reference_folder = write(tmp_path / "references", references, ".txt")
    flags = ("--utility", "chrf", "--scale", "0.5", "-f", form)
    there = (*flags, "--engine", "dask", "--scheduler", scheduler)
    plain = output(capsys, "mbr", whole, *flags)
    assert output(capsys, "mbr", folder, *there) == plain
    judged = output(capsys, "mbr", whole, "-r", reference, *flags)
    given = reference if ids else reference_folder
    assert output(capsys, "mbr", folder, "-r", given, *there) == judged


def test_mbr_with_separate_pseudo_references_goes_on(
    tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, _ = made(ids=True)
    whole, folder = write(tmp_path / "lists", lists, ".jsonl")
    few = [
        json.dumps({"id": i, "hypotheses": json.loads(one)["hypotheses"][:3]})
        for i, one in enumerate(lists)
    ]
    beam, beam_folder = write(tmp_path / "beam", few, ".jsonl")
    flags = ("--utility", "bleu", "-f", "jsonl")
    plain = output(capsys, "mbr", beam, "--pseudo-references", whole, *flags)
    kept = tmp_path / "kept"
    there = ("--engine", "dask", "--scheduler", scheduler, "--resume", str(kept))
    words = ("mbr", beam_folder, "--pseudo-references", folder, *flags, *there)
    assert output(capsys, *words) == plain
    (kept / "part-000002.json").unlink()
    before = (kept / "part-000001.json").stat().st_mtime_ns
    assert output(capsys, *words) == plain
    assert (kept / "part-000001.json").stat().st_mtime_ns == before
    other = error(capsys, *[one if one != "bleu" else "chrf" for one in words])
    assert "found utility" in other
    assert "as asked for now" in other


def test_files_that_are_damaged(
    tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, references = made(ids=True)
    _, folder = write(tmp_path / "lists", lists, ".jsonl")
    reference, _ = write(tmp_path / "references", references, ".txt")
    bad = Path(folder) / "2.jsonl"
    bad.write_bytes(bad.read_bytes().replace(b'{"id": 3', b'\xff{"id": 3', 3))
    words = ("oracle", "--each", folder, "-r", reference, "-f", "jsonl")
    there = ("--engine", "dask", "--scheduler", scheduler)
    assert f"{bad}: line 1: found byte 0xff, expected UTF-8" in error(capsys, *words, *there)
    left = ran(capsys, *words, *there, "--skip-bad")
    assert left.status == 0
    assert f"skipped 3 damaged:\n  {bad}: line 1: found byte 0xff, expected UTF-8" in left.err
    assert left.out.count("\n") == COUNT - 3
    bad.write_bytes(b"")
    left = ran(capsys, *words, *there, "--skip-bad")
    assert left.status == 0
    assert f"left out partition 3 of 4: {bad}: found nothing to choose from" in left.err
    assert left.out.count("\n") == COUNT - COUNT // PARTS


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("mbr", "{}", "--utility", "linear-bleu"), "found linear-bleu with --engine"),
        (("mbr", "{}", "--save-matrix", "x.npz"), "--save-matrix: found with --engine"),
        (("mbr", "{}", "--resume"), "--resume: found alone with --engine, expected a folder"),
        (("mbr", "-"), "-: found standard input, expected files that workers can read"),
    ],
)
def test_what_an_engine_cannot_do(
    words: tuple[str, ...], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, _ = made(ids=True)
    _, folder = write(tmp_path / "lists", lists, ".jsonl")
    said = error(capsys, *(word.replace("{}", folder) for word in words), "--engine", "dask")
    assert expected in said


def test_a_folder_without_an_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, "mbr", str(tmp_path), "-f", "lines", "--resume", "kept")
    assert said == "tertium: --resume: found without an engine, expected with --engine dask"
