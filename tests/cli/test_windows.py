r"""What Windows does otherwise: line ends, paths such as ``C:\out\mine.txt``, and what is written.

Where tests run on another system, such a path is a name that has a colon and backslashes, and
whatever takes it apart would not find the file.
"""

import io
import json
import shutil
import sys
from pathlib import Path
from typing import IO

import pytest

import tertium
from tertium.cli.demo import SAMPLE
from tertium.cli.shell.output import set_up_streams, write_output
from tertium.metrics.contract.table import parse_metric
from tertium.text.tokenizers import Tokenizer
from tertium.tune.loop import Decoder
from tests.support.commands import json_output, output

REFERENCES = [str(SAMPLE / f"reference.{n}.en") for n in (1, 2)]
OUTPUT = str(SAMPLE / "systems" / "elm.txt")


def with_windows_lines(path: str, folder: Path) -> str:
    copy = folder / Path(path).name
    copy.write_bytes(Path(path).read_bytes().replace(b"\n", b"\r\n"))
    return str(copy)


@pytest.mark.parametrize("metric", ["bleu", "chrf[whitespace=yes]", "ter", "wer[tokenizer=none]"])
def test_windows_lines_score_the_same(
    metric: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *references, system = (with_windows_lines(one, tmp_path) for one in (*REFERENCES, OUTPUT))
    expected = json_output(capsys, "score", *REFERENCES, "-i", OUTPUT, "-m", metric, "-sl")
    found = json_output(capsys, "score", *references, "-i", system, "-m", metric, "-sl")
    assert found["systems"] == expected["systems"]


def test_windows_lines_of_tables_and_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = str(SAMPLE / "documents.tsv")
    copy = with_windows_lines(documents, tmp_path)
    words = ["score", *REFERENCES, "-i", OUTPUT, "--by", "genre", "--documents"]
    assert (
        json_output(capsys, *words, copy)["systems"]
        == (json_output(capsys, *words, documents)["systems"])
    )
    for name, sign in (("a.tsv", "\t"), ("a.csv", ",")):
        rows = ["reference hypothesis", "one two", "three three"]
        plain, windows = tmp_path / name, tmp_path / f"windows-{name}"
        plain.write_text("\n".join(rows).replace(" ", sign) + "\n", encoding="utf-8")
        windows.write_bytes(("\r\n".join(rows).replace(" ", sign) + "\r\n").encode())
        found = [json_output(capsys, "score", str(one), "-m", "wer") for one in (plain, windows)]
        assert [one["systems"][0]["scores"][0]["score"] for one in found] == [50.0, 50.0]


def test_windows_lines_of_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = json.dumps({"id": 0, "references": ["a b c"], "hypotheses": ["a b d", "a b c"]})
    path = tmp_path / "lists.jsonl"
    path.write_bytes(f"{line}\r\n".encode())
    assert output(capsys, "mbr", str(path), "-f", "lines") == "a b d\n"
    assert output(capsys, "oracle", "--each", str(path), "-f", "lines") == "a b c\n"


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    r"""A folder in which files can be called ``C:\data\…``."""
    if sys.platform == "win32":
        return f"{tmp_path}\\"
    monkeypatch.chdir(tmp_path)
    return "C:\\data\\"


def test_paths_of_windows_are_paths(drive: str, capsys: pytest.CaptureFixture[str]) -> None:
    reference, system, documents = (f"{drive}{name}" for name in ("ref.en", "elm.txt", "doc.tsv"))
    shutil.copy(REFERENCES[0], reference)
    shutil.copy(OUTPUT, system)
    shutil.copy(SAMPLE / "documents.tsv", documents)
    scores = f"{drive}scores.tsv"
    Path(scores).write_text("".join(f"{n}\n" for n in range(92)), encoding="utf-8")
    words = ["score", reference, "-i", system, "--documents", documents, "--by", "genre"]
    metric = f"scores[file={scores},system=elm,name=mine]"
    found = json_output(capsys, *words, "-m", "bleu", metric, "--names", "elm")
    plain = json_output(capsys, "score", REFERENCES[0], "-i", OUTPUT, "--names", "elm")
    bleu, mine = found["systems"][0]["scores"]
    assert bleu["score"] == plain["systems"][0]["scores"][0]["score"]
    assert mine["score"] == 45.5
    assert str(parse_metric(metric).file) == scores  # type: ignore[attr-defined]
    assert mine["metric"] == "mine"
    target = f"{drive}out.json"
    assert output(capsys, *words, "-f", "json", "-o", target) == ""
    assert json.loads(Path(target).read_text(encoding="utf-8"))["systems"]


def test_models_at_paths_of_windows_are_looked_for_there(drive: str) -> None:
    pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    path = f"{drive}no.model"
    with pytest.raises(tertium.TertiumError) as error:
        Tokenizer.parse(f"spm[{path}]")
    assert path in str(error.value)


def test_files_have_the_same_line_ends_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is written on Windows is the same as one from elsewhere, byte for byte."""
    asked: list[str | None] = []

    class Watched(io.TextIOWrapper):
        def __init__(
            self, stream: IO[bytes], encoding: str, errors: str, newline: str | None = None
        ) -> None:
            asked.append(newline)
            super().__init__(stream, encoding=encoding, errors=errors, newline=newline)

    monkeypatch.setattr(io, "TextIOWrapper", Watched)
    write_output(["one\n", "two\n"], str(tmp_path / "out.txt"))
    assert (tmp_path / "out.txt").read_bytes() == b"one\ntwo\n"
    assert asked == ["\n"]


def test_pipes_have_the_same_line_ends_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    piped = io.TextIOWrapper(raw, encoding="cp1252", newline="\r\n")  # as Windows opens it
    monkeypatch.setattr(sys, "stdout", piped)
    set_up_streams()
    piped.write("one ±\n")
    piped.flush()
    assert raw.getvalue() == "one ±\n".encode()


def test_a_decoder_is_ended_where_there_are_no_groups_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("os.killpg", raising=False)
    program = "import time; time.sleep(600)"
    decoder = Decoder(template=f"'{sys.executable}' -c '{program}' {{nbest}}", timeout=0.2)
    with pytest.raises(tertium.TertiumError, match=r"found it running after 0\.2 seconds"):
        decoder.run(decoder.words(nbest="x"), tmp_path / "log", "decoder")
