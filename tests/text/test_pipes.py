"""What comes through a pipe is read as a file is, however much it is."""

import gzip
import io
import random
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.text import files
from tertium.text.files import Spool, TextFile, kept
from tertium.text.input_files import open_inputs
from tertium.text.lines import LineCursor
from tests.support.commands import output, shell


class Dripping(io.RawIOBase):
    """A pipe that gives a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self._rest = data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        some, self._rest = self._rest[:3], self._rest[3:]
        buffer[: len(some)] = some
        return len(some)


@given(data=st.binary(max_size=40), limit=st.integers(0, 50))
def test_bytes_are_kept_in_memory_or_on_a_disk(data: bytes, limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "IN_MEMORY", limit)
        found = kept(Dripping(data))
    assert isinstance(found, Spool) == (len(data) > limit)
    file = TextFile(name="pipe", data=found)
    assert file.read() == data
    with closing(file.raw()) as one, closing(file.raw()) as two:  # each has its own place
        assert one.read(5) == data[:5]
        assert two.read() == data
        assert one.read() == data[5:]
        assert one.seek(-min(2, len(data)), io.SEEK_CUR) == max(0, len(data) - 2)
        assert one.read(1) == data[-2:][:1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_no_room_for_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "IN_MEMORY", 4)
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: io.FileIO("/dev/full", "w"))
    with pytest.raises(InputError, match=r"No space left on device, expected room .*TMPDIR"):
        kept(io.BytesIO(b"more than that"))


def test_lines_of_a_long_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "IN_MEMORY", 100)
    lines = [f"قط {number}" for number in range(200_000)]
    file = TextFile(name="pipe", data=kept(io.BytesIO("\n".join(lines).encode())))
    assert isinstance(file.data, Spool)
    for _ in range(2):
        with closing(LineCursor(file)) as cursor:
            assert cursor.take(len(lines) + 1).to_list() == lines


@pytest.mark.parametrize("compressed", [False, True])
def test_lines_in_pieces_of_any_size(tmp_path: Path, *, compressed: bool) -> None:
    rng = random.Random(5)
    # Some lines are longer than a block, most are short, and the average misleads.
    lines = ["ä" * rng.choice([0, 3, 60, 60, 60, 9000]) for _ in range(4000)]
    lines[1234], lines[-1] = "x" * (3 << 20), "last"
    path = tmp_path / ("lines.gz" if compressed else "lines")
    text = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(text) if compressed else text)
    taken: list[str | None] = []
    with closing(LineCursor(TextFile.find(path))) as cursor:
        for count in iter(lambda: rng.choice([1, 2, 100, 700]), None):
            piece = cursor.take(count).to_list()
            taken += piece
            if len(piece) < count:
                break
        assert cursor.take(1).to_list() == []
    assert taken == lines


def test_what_small_pieces_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large block for each line would be read as often as the file has lines."""
    sizes: list[int] = []
    read = files.Stream.read

    def noted(stream: files.Stream, size: int) -> bytes:
        found = read(stream, size)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(files.Stream, "read", noted)
    for name, pack in (("lines", bytes), ("lines.gz", gzip.compress)):
        text = b"some words of a line\n" * 50_000
        (tmp_path / name).write_bytes(pack(text))
        sizes.clear()
        with closing(LineCursor(TextFile.find(tmp_path / name))) as cursor:
            while len(cursor.take(5000)):
                pass
        assert sum(sizes) < 2.5 * len(text)


def test_a_metric_that_needs_two_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "IN_MEMORY", 4)
    reference = tmp_path / "ref"
    reference.write_text("a b c\nd e f\n")
    inputs = open_inputs(reference, stdin=io.BytesIO(b"a b c\nd e g\n"))
    first, second = (list(inputs.chunks(1)) for _ in range(2))
    for chunks in (first, second):
        assert [one.systems[0].hypotheses[0] for one in chunks] == ["a b c", "d e g"]


@pytest.mark.slow
def test_all_ways_to_name_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("ref", "a b c\nd e f\n"), ("sys", "a b c\nd x f\n")):
        (tmp_path / name).write_text(text)
    ref, sys_ = str(tmp_path / "ref"), str(tmp_path / "sys")
    expected = output(capsys, "score", ref, "-i", sys_, "-b", "-m", "wer")
    for line in (
        "tertium score ref -i <(cat sys) -b -m wer",
        "tertium score <(cat ref) -i <(cat sys) -b -m wer",
        "tertium score ref -i - -b -m wer < sys",
        "tertium score - -i sys -b -m wer < ref",
        "tertium score ref -i /dev/stdin -b -m wer < <(cat sys)",
    ):
        done = shell(line, tmp_path)
        assert (done.status, done.out, done.err) == (0, expected, ""), line


@pytest.mark.slow
def test_memory_does_not_grow_with_a_pipe(tmp_path: Path) -> None:
    row = b"word " * 200 + b"\n"
    count = (200 << 20) // len(row)
    (tmp_path / "ref").write_bytes(row * count)
    # By a shell: what another process starts has its peak to begin with.
    (tmp_path / "peak.py").write_text(
        "import resource, sys\nfrom tertium.cli.main import main\n"
        "main(['score', 'ref', '-b', '-m', 'wer', '-q'])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)\n"
    )
    done = shell(f"cat ref | {sys.executable} peak.py", tmp_path)
    score, peak = done.out.split()
    assert score == "0.0"
    assert sys.platform != "linux" or int(peak) < 350
    done = shell(f"head -c -5 ref | head -n -1 | {sys.executable} peak.py", tmp_path)
    assert f"stdin: {count - 1} segments, expected {count}" in done.err
