"""Plain text, compression, labels and alignment; tables and markup have their own files."""

import bz2
import gzip
import io
import lzma
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium._native import Texts
from tertium.errors import InputError, MissingExtraError, OptionError, TertiumError
from tertium.installation import install_hint
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.formats.table import KNOWN_FORMATS
from tertium.text.input_files import open_inputs
from tertium.text.references import References
from tests.support.effort import examples
from tests.support.reading import hypotheses, joined, references, written

# Everything that splitlines() or universal newlines would take for the end of a line.
NOT_LINE_ENDS = "a\rb\x00c\x0bd\x0ce\x1cf\x1dg\x1eh\x85i\u2028j\u2029k"
segments_of_text = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\ufeff"), max_size=9),
    max_size=12,
)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        ("\n", [""]),
        ("one\ntwo\n", ["one", "two"]),
        ("one\ntwo", ["one", "two"]),
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("one\r\n\r\n", ["one", ""]),
        ("one\r\r\n", ["one\r"]),
        ("\ufeffone\n\ufefftwo\n", ["\ufeffone", "\ufefftwo"]),
        ("\ufeff", ["\ufeff"]),
        (NOT_LINE_ENDS + "\n\tb \n", [NOT_LINE_ENDS, "\tb "]),
    ],
)
def test_lines_of_plain_text(tmp_path: Path, content: str, expected: list[str]) -> None:
    path = written(tmp_path / "a.txt", content)
    chunk = open_inputs([path], [path]).load()
    assert hypotheses(chunk) == [expected]
    assert references(chunk) == [expected]


def test_lines_longer_than_a_block(tmp_path: Path) -> None:
    lines = ["short", "é" * 5_000_000, "", "x" * 3_000_000, "end"]
    path = written(tmp_path / "a.txt", "\n".join(lines))
    packed = written(tmp_path / "b.txt.gz", gzip.compress("\n".join(lines).encode(), 1))
    inputs = open_inputs([path], [packed])
    assert hypotheses(inputs.load()) == references(inputs.load()) == [lines]


@pytest.mark.slow
def test_many_blocks(tmp_path: Path) -> None:
    lines = [f"line {number} " + "ü" * (number % 90) for number in range(60_000)]
    path = written(tmp_path / "a", "\n".join(lines))
    packed = written(tmp_path / "b.xz", lzma.compress("\n".join(lines).encode(), preset=0))
    for segments in (1000, 32768):
        chunks = list(open_inputs([path], [packed]).chunks(segments))
        assert [line for chunk in chunks for line in hypotheses(chunk)[0]] == lines
        assert [line for chunk in chunks for line in references(chunk)[0]] == lines


@settings(deadline=None)  # threads and files
@given(segments_of_text, st.sampled_from([1, 2, 7]), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_chunks_are_the_whole(
    tmp_path_factory: pytest.TempPathFactory,
    segments: list[str],
    size: int,
    end: str,
    ended: bool,
) -> None:
    folder = tmp_path_factory.mktemp("chunks")
    text = end.join(segments) + (end if segments and (ended or not segments[-1]) else "")
    one = written(folder / "one.txt", text)
    other = written(folder / "other.txt.gz", gzip.compress(text.encode()))
    genres = written(
        folder / "all.docs", "".join(f"g{i % 3}\td{i}\n" for i in range(len(segments)))
    )
    inputs = open_inputs([one, other], [one, other], documents=genres, names=["a", "b"])
    whole = joined(inputs, sys.maxsize)
    assert joined(inputs, size) == whole == joined(inputs, size)
    assert whole["hypotheses"] == whole["references"] == [segments, segments]


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.gz", gzip.compress),
        ("a.txt.gz", lambda data: gzip.compress(data[:5]) + gzip.compress(data[5:])),
        ("a.xz", lzma.compress),
        ("a.bz2", bz2.compress),
    ],
)
def test_compression(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    path = written(tmp_path / name, pack(b"one\ntwo\n"))
    inputs = open_inputs([path], [path])
    assert hypotheses(inputs.load()) == [["one", "two"]]
    assert inputs.system_names == ("a",)


def test_zstandard(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    lines = [str(number) * 9 for number in range(40_000)]
    data = "\n".join(lines).encode()
    frames = zstandard.compress(data[:70_000]) + zstandard.compress(data[70_000:])
    path = written(tmp_path / "a.txt.zst", frames)
    assert hypotheses(open_inputs([path], [path]).load()) == [lines]
    cut = written(tmp_path / "b.zst", frames[:-5])
    with pytest.raises(InputError, match=r"b\.zst: damaged \(it ends inside a frame\), expected"):
        open_inputs([cut], [cut]).load()


@pytest.mark.parametrize(("name", "extra"), [("a.zst", "zst"), ("a.parquet", "parquet")])
def test_missing_extras_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = written(tmp_path / name, b"")
    with pytest.raises(MissingExtraError, match=rf"a\.\w+: .* {re.escape(install_hint(extra))}"):
        open_inputs([path], [path]).load()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"one\nt\xffo\n", "a.txt:2: invalid UTF-8, expected UTF-8 text"),
        ("a.txt", b"one\n\xed\xa0\x80", "a.txt:2: invalid UTF-8, expected UTF-8 text"),
        ("a.tsv", b"reference\nt\xffo\n", "a.tsv:2: invalid UTF-8, expected UTF-8 text"),
        ("a.csv", b"reference\nt\xffo\n", "a.csv:2: invalid UTF-8, expected UTF-8 text"),
        ("a.sgm", b"<refset>\n\n\xff", "a.sgm:3: invalid UTF-8, expected UTF-8 text"),
        (
            "a.gz",
            gzip.compress(b"one\ntwo\n" * 99, mtime=0)[:-9],
            "a.gz: damaged (Compressed file ended",
        ),
        ("a.gz", b"one\ntwo\n", "a.gz: damaged (Not a gzipped file (b'on')), expected a whole .gz"),
        ("a.xz", lzma.compress(b"one\n")[:-9], "a.xz: damaged (Compressed file ended"),
        ("a.xz", b"one\n", "a.xz: damaged (Input format not supported"),
        ("a.bz2", bz2.compress(b"one\n")[:-9], "a.bz2: damaged (Compressed file ended"),
        ("a.bz2", b"one\n", "a.bz2: damaged (Invalid data stream), expected a whole .bz2 file"),
    ],
)
def test_damaged_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / name, content)
    with pytest.raises(InputError) as error:
        open_inputs([name], [name]).load()
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_the_bad_line_is_numbered_in_any_block(tmp_path: Path) -> None:
    lines = [b"x" * 100] * 30_000
    lines[25_000] = b"\xc3("
    path = written(tmp_path / "a.txt", b"\n".join(lines))
    with pytest.raises(InputError, match=r"a\.txt:25001: invalid UTF-8"):
        list(open_inputs([path], [path]).chunks(1000))


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name, message in [
        ("none.txt", "none.txt: no such file or directory, expected a readable file"),
        ("folder", "folder: found no file, expected one for every article"),
        ("a\x00b", "a\x00b: embedded null byte, expected a readable file"),
    ]:
        with pytest.raises(InputError) as error:
            open_inputs([name], [name])
        assert str(error.value) == message


@pytest.mark.skipif(not hasattr(os, "pread"), reason="files are opened again for each pass")
def test_a_file_that_is_replaced_after_it_was_opened(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "one\n")
    inputs = open_inputs([path], [path])
    path.unlink()
    written(tmp_path / "a.txt", "two\nthree\n")
    for _ in range(2):
        assert references(inputs.load()) == [["one"]]


def test_more_files_than_may_stay_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.text.files.HELD_OPEN", 0)
    path = written(tmp_path / "a.txt", "one\n")
    inputs = open_inputs([path], [path])
    assert references(inputs.load()) == [["one"]]
    path.unlink()
    with pytest.raises(InputError, match=r"a\.txt: no such file or directory, expected"):
        inputs.load()


def test_every_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [written(tmp_path / f"{name}.txt", f"{name}\n") for name in "abc"]
    opened: list[str] = []
    for module, name in ((os, "open"), (io, "FileIO")):
        function: Callable[..., object] = getattr(module, name)

        def watched(path: str, *rest: object, function: Callable[..., object] = function) -> object:
            opened.append(path)
            return function(path, *rest)

        monkeypatch.setattr(module, name, watched)
    inputs = open_inputs(paths[:1], paths[1:])
    for _ in range(2):
        inputs.load()
    assert sorted(opened) == [str(path) for path in paths]


@pytest.mark.parametrize(
    ("reference", "system", "message"),
    [
        (5, 9, "sys.txt: 9 segments, expected 5 (reference ref.en)"),
        (9, 5, "sys.txt: 5 segments, expected 9 (reference ref.en)"),
        (0, 3, "sys.txt: 3 segments, expected 0 (reference ref.en)"),
        (3, 0, "sys.txt: 0 segments, expected 3 (reference ref.en)"),
        (14, 15, "sys.txt: 15 segments, expected 14 (reference ref.en)"),
    ],
)
def test_counts_that_differ(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    reference: int,
    system: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.en", "r\n" * reference)
    written(tmp_path / "sys.txt", "\n".join("s" * system))
    for segments in (1, 2, 7, 100):
        with pytest.raises(InputError) as error:
            list(open_inputs(["ref.en"], ["sys.txt"]).chunks(segments))
        assert str(error.value) == message


def test_counts_are_true_even_past_many_blocks_and_bad_lines(tmp_path: Path) -> None:
    reference = written(tmp_path / "ref", "r\n" * 10)
    system = written(tmp_path / "sys", b"s" * 99 + b"\n" + (b"\xff" * 99 + b"\n") * 50_000 + b"end")
    packed = written(tmp_path / "sys.gz", gzip.compress(system.read_bytes()))
    for path in (system, packed):
        chunks = open_inputs([reference], [path]).chunks(10)
        with pytest.raises(InputError, match="invalid UTF-8"):
            next(chunks)
    good = written(tmp_path / "good", b"s" * 99 + b"\n" + (b"x" * 99 + b"\n") * 50_000 + b"end")
    with pytest.raises(InputError, match="50002 segments, expected 10"):
        next(open_inputs([reference], [good]).chunks(11))


def test_threads_end_with_the_iterator(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "one\n" * 100)
    bad = written(tmp_path / "bad.txt", b"one\n" * 50 + b"\xff\n" * 50)
    before = threading.active_count()
    chunks = open_inputs([path], [path]).chunks(10)
    assert len(next(chunks)) == 10
    chunks.close()
    assert threading.active_count() == before
    chunks = open_inputs([path, path], [bad]).chunks(10)
    with pytest.raises(InputError, match=r"bad\.txt:51: invalid UTF-8"):
        list(chunks)
    assert threading.active_count() == before


def test_standard_input(tmp_path: Path) -> None:
    path = written(tmp_path / "ref.txt", "one\ntwo\n")
    none: list[str] = []
    for systems in (none, ["-"]):
        inputs = open_inputs([path], systems, stdin=io.BytesIO(b"eins\nzwei\n"))
        assert inputs.system_names == ("stdin",)
        for _ in range(2):  # it is kept for a second pass
            assert hypotheses(inputs.load()) == [["eins", "zwei"]]
    inputs = open_inputs(["-"], [path], stdin=io.BytesIO(b"eins\nzwei\n"))
    assert references(inputs.load()) == [["eins", "zwei"]]
    for paths, systems in [(["-"], []), (["-"], ["-"]), (["-", "-"], [str(path)])]:
        with pytest.raises(InputError, match="standard input for two inputs, expected for one"):
            open_inputs(paths, systems, stdin=io.BytesIO(b""))


def test_standard_input_of_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "ref.txt", "one\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"eins\n")))
    assert hypotheses(open_inputs([path]).load()) == [["eins"]]


def test_pipes_are_kept(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"one\n",))
    writer.start()
    inputs = open_inputs([pipe], [written(tmp_path / "a.txt", "two\n")])
    writer.join()
    assert references(inputs.load()) == references(inputs.load()) == [["one"]]


def test_options_that_do_not_fit(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "one\n")
    with pytest.raises(OptionError, match="unknown format 'xlm'; did you mean 'xml'"):
        open_inputs([path], [path], format="xlm")
    with pytest.raises(OptionError, match="unknown column role 'refrence'; did you mean"):
        open_inputs([path], [path], columns={"refrence": "target"})
    with pytest.raises(InputError, match="no column 'target', expected for the reference"):
        open_inputs([path], [path], columns={"reference": "target"})
    with pytest.raises(InputError, match="references: found no file, expected at least one"):
        open_inputs([], [path])
    with pytest.raises(OptionError, match="segments: 0, expected at least 1"):
        open_inputs([path], [path]).chunks(0)


@settings(max_examples=examples(300), deadline=None)  # the first Parquet file imports its package
@given(
    kind=st.sampled_from(KNOWN_FORMATS),
    data=st.one_of(
        st.binary(max_size=60),
        st.lists(
            st.sampled_from(
                b"<refset> <doc docid='d'> <seg id=1> </seg> a &#0; <!-- \t , \" \n \r [[".split(
                    b" "
                )
                + b'{"reference":" "} reference hypothesis'.split(b" ")
            ),
            max_size=12,
        ).map(b"".join),
    ),
)
def test_any_bytes_are_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: bytes
) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    path = written(tmp_path_factory.mktemp("any") / "bytes", data)
    message = str(path)
    try:
        chunk = open_inputs([path], [path], format=kind).load()
    except TertiumError as error:
        message = str(error)
    else:
        assert len(references(chunk)[0]) == len(hypotheses(chunk)[0])
    assert message.startswith(str(path))
    assert "\n" not in message


def test_corpus_checks_its_lengths() -> None:
    two = References([Texts(["one", "two"])])
    with pytest.raises(InputError, match=r"ref: 1 genres, expected 2 \(references\)"):
        Corpus(references=two, name="ref", genres=("news",))
    with pytest.raises(InputError, match=r"sys: 1 segment, expected 2 \(reference ref\)"):
        Chunk(
            corpus=Corpus(references=two, name="ref"),
            systems=(System(name="sys", hypotheses=Texts(["one"])),),
        )


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("memory://tertium/none.txt", "memory://tertium/none.txt: /tertium/none.txt, expected a "),
        ("file:///no/such/file.txt", "file:///no/such/file.txt: no such file or directory, exp"),
        ("nonsense://host/a.txt", "nonsense://host/a.txt: protocol not known: nonsense, exp"),
    ],
)
def test_a_remote_file_that_cannot_be_fetched_is_named(url: str, message: str) -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    for place in range(2):
        names = ["memory://tertium/there.txt"] * 2
        names[place] = url
        with pytest.raises(InputError, match=f"^{re.escape(message)}"), fetched(b"a\n"):
            open_inputs(names[:1], names[1:]).load()


def test_a_remote_file_is_read_like_any_other() -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    with fetched(gzip.compress(b"a\nb\n")) as url:
        whole = open_inputs([url], [url]).load()
    assert references(whole) == [["a", "b"]]
    assert hypotheses(whole) == [["a", "b"]]


@contextmanager
def fetched(data: bytes) -> Iterator[str]:
    """A file in memory, which fsspec reads as it reads remote ones."""
    import fsspec

    system = fsspec.filesystem("memory")
    system.pipe_file("/tertium/there.txt", data)
    try:
        yield "memory://tertium/there.txt"
    finally:
        system.rm_file("/tertium/there.txt")


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    message = (
        f"memory://a: the package fsspec is missing, expected for URLs: {install_hint('dask')}"
    )
    with pytest.raises(MissingExtraError) as raised:
        open_inputs(["memory://a"], ["memory://a"]).load()
    assert str(raised.value) == message
