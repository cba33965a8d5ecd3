"""Many files that are read as one: patterns, and folders of plain text."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.text.file_sets import find_set
from tertium.text.input_files import open_inputs
from tests.support.commands import error, json_output, output
from tests.support.effort import examples


def written(folder: Path, files: dict[str, list[str]]) -> Path:
    for name, lines in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = "".join(f"{line}\n" for line in lines).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return folder


REFERENCES = {"a.txt": ["the cat", "sat"], "b.txt": [], "sub/c.txt": ["القط", "猫", "x"]}
OUTPUTS = {"a.txt.gz": ["the cat", "sits"], "b.txt": [], "sub/c.txt": ["القط", "狗", "x"]}


@given(
    sizes=st.lists(st.integers(0, 5), min_size=1, max_size=6),
    last=st.booleans(),
    chunk=st.integers(1, 7),
)
@settings(max_examples=examples(40), deadline=None)
def test_they_are_one_file(
    sizes: list[int], last: bool, chunk: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("many")
    lines = [[f"line {file} {k}" for k in range(size)] for file, size in enumerate(sizes)]
    for number, some in enumerate(lines):
        text = "\n".join(some) + ("\n" if last and some else "")
        (folder / f"{number:02}.txt").write_text(text)
    pattern = str(folder / "*.txt")
    whole = [line for some in lines for line in some]
    inputs = open_inputs(pattern, pattern)
    assert inputs.system_names == (folder.name,)
    found: list[str | None] = []
    documents: list[str] = []
    for one in inputs.chunks(chunk):
        found += one.systems[0].hypotheses.to_list()
        documents += one.corpus.documents or ()
    assert found == whole
    assert documents == [f"{n:02}" for n, size in enumerate(sizes) for _ in range(size)]


def test_scores_are_those_of_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refs, outs = written(tmp_path / "refs", REFERENCES), written(tmp_path / "mine", OUTPUTS)
    names = ["a.txt", "b.txt", "sub/c.txt"]
    one = tmp_path / "ref"
    one.write_text("".join((refs / name).read_text() for name in names))
    other = tmp_path / "mine.txt"
    plain = {**OUTPUTS, "a.txt": OUTPUTS["a.txt.gz"]}
    other.write_text("".join(f"{line}\n" for name in names for line in plain[name]))
    words = ["score", str(refs), "-i", str(outs), "--input-format", "text", "-m", "chrf", "wer"]
    found = json_output(capsys, *words, "--by", "document")
    whole = json_output(capsys, "score", str(one), "-i", str(other), "-m", "chrf", "wer")
    for two, plain_score in zip(
        found["systems"][0]["scores"], whole["systems"][0]["scores"], strict=True
    ):
        assert two["score"] == plain_score["score"]
        assert list(two["slices"]) == ["a", "sub/c"]
    assert found["systems"][0]["system"] == "mine"
    shown = output(capsys, "score", str(refs / "**" / "*.txt"), "-i", str(other), "-b", "-m", "wer")
    assert shown == output(capsys, "score", str(one), "-i", str(other), "-b", "-m", "wer")


def test_what_wildcards_stand_for_is_the_name(tmp_path: Path) -> None:
    written(tmp_path, {"ref/doc-2.en": ["b"], "ref/doc-10.en": ["a"], "out/2.hyp": ["b"]})
    written(tmp_path, {"out/10.hyp": ["a"], "out/.hidden": ["x"]})
    whole = open_inputs(str(tmp_path / "ref/doc-*.en"), str(tmp_path / "out/*.hyp")).load()
    assert whole.systems[0].hypotheses.to_list() == ["a", "b"]
    assert whole.corpus.documents == ("10", "2")
    assert whole.systems[0].name == "out"
    assert find_set(str(tmp_path / "ref/doc-?.en")).keys == ("2",)
    assert find_set(str(tmp_path / "ref/doc-[12]*.en")).keys == ("1/0", "2/")
    odd = tmp_path / "what?.txt"
    odd.write_text("is a file\n")
    assert open_inputs(str(odd), str(odd)).load().corpus.references.of_segment(0) == ["is a file"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a": ["x"]}, r"out/\*: found no file 'b', expected as .*ref/\*"),
        ({"a": ["x"], "b": ["y"], "c": []}, r"ref/\*: found no file 'c', expected as .*out/\*"),
        ({"a": ["x", "y"], "b": []}, r"out/a: 2 segments, expected 1 \(reference .*ref/a\)"),
        ({"a": ["x"], "b.tsv": []}, "b.tsv: found tsv, expected plain text"),
    ],
)
def test_sets_must_be_alike(files: dict[str, list[str]], message: str, tmp_path: Path) -> None:
    written(tmp_path / "ref", {"a": ["x"], "b": ["y"]})
    written(tmp_path / "out", files)
    with pytest.raises(InputError, match=message):
        open_inputs(str(tmp_path / "ref/*"), str(tmp_path / "out/*"))


def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    none = str(tmp_path / "none*")
    assert f"{none}: found no file, expected files with" in error(capsys, "score", none, "-i", none)
    written(tmp_path / "ref", {"a": ["x"], "b": ["y"]})
    (tmp_path / "ref" / "b").write_bytes(b"good\n\xff\n")
    words = ["score", str(tmp_path / "ref"), "--input-format", "text", "-i", str(tmp_path / "ref")]
    assert "ref/b:2: invalid UTF-8" in error(capsys, *words)
    (tmp_path / "empty").mkdir()
    words[1] = str(tmp_path / "empty")
    assert "empty: found no file, expected some of plain text" in error(capsys, *words)
    (tmp_path / "ref" / "b").write_text("y\nz\n")
    short = tmp_path / "short"
    short.write_text("x\n")
    assert "short: 1 segment, expected 3" in error(
        capsys, "score", str(tmp_path / "ref/*"), "-i", str(short)
    )


@pytest.mark.slow
def test_thousands_of_files(tmp_path: Path) -> None:
    files = {f"{number:05}.txt": [f"text {number}", "b"] for number in range(3000)}
    folder = written(tmp_path / "ref", files)
    whole = open_inputs(folder, folder, format="text").load()
    assert len(whole) == 6000
    assert whole.corpus.references.of_segment(5998) == ["text 2999"]
