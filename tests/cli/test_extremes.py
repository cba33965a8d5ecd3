"""Input of extreme size and shape: answered or refused in one line, in bounded time and memory.

Bombs of a gigabyte were tried by hand, as docs/develop/limits.md says; here they are smaller. All
else has its full size once, marked slow where that takes seconds.
"""

import gzip
import lzma
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tertium.decode import format_named
from tertium.errors import InputError, LimitError
from tertium.text import lines
from tertium.text.files import TextFile
from tertium.text.input_files import open_inputs
from tertium.text.lines import LineCursor
from tests.support.commands import error, json_output, output, ran, shell
from tests.support.decode_files import read_text

METRICS = ["bleu", "chrf", "ter", "wer", "per", "grr", "gtm", "meteor", "ribes", "rouge-l", "nist"]


def written(folder: Path, **texts: str | bytes) -> list[str]:
    paths = []
    for name, text in texts.items():
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        paths.append(str(path))
    return paths


def scores(capsys: pytest.CaptureFixture[str], *words: str) -> list[float]:
    return [float(one) for one in output(capsys, "score", *words, "-b", "-w", "6").split()]


@pytest.mark.parametrize("command", ["score", "compare", "audit", "decide", "power", "explain"])
def test_no_segment_at_all(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, one, two = written(tmp_path, ref="", one="", two="")
    assert "0 segments, expected at least one" in error(capsys, command, ref, "-i", one, two)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["score", "compare", "audit", "decide", "power", "explain", "report", "filter"]
)
@pytest.mark.parametrize("text", ["القط جلس هنا\n", "\n"], ids=["words", "blank"])
def test_a_single_segment(
    command: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, one, two = written(tmp_path, ref=text, one=text, two="x\n")
    more = {"report": ["-o", str(tmp_path / "r.html")], "filter": ["-m", "wer", "--max", "0"]}
    systems = [one] if command == "filter" else [one, two]
    done = ran(capsys, command, ref, "-i", *systems, *more.get(command, []))
    # 'decide' may say no, and 'power' that one segment shows nothing.
    assert done.status in ({2} if command == "power" else {0, 1})
    assert done.err.count("\n") <= 1


def full_size(small: int, full: int) -> pytest.MarkDecorator:
    """A test of some count, and of the full one where there is time for it."""
    return pytest.mark.parametrize("count", [small, pytest.param(full, marks=pytest.mark.slow)])


@full_size(300_000, 5_000_000)
def test_empty_lines_without_end(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (ref,) = written(tmp_path, ref="\n" * count)
    assert scores(capsys, ref, "-i", ref, "-m", "bleu", "chrf", "wer") == [100, 100, 0]


@full_size(5_000, 100_000)
def test_very_many_references(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (ref, one) = written(tmp_path, ref="\t".join(["a b c d"] * count), one="a b c e")
    words = [ref, "-nr", str(count), "-i", one]
    assert scores(capsys, *words, "-m", "wer", "ter") == [25, 25]
    assert scores(capsys, *words, "-m", "bleu", "chrf", "meteor")[0] > 0


@full_size(400, 10_000)
def test_very_many_systems(count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (ref,) = written(tmp_path, ref="a b c d e\n")
    systems = [
        written(tmp_path, **{f"s{number}": f"a b c d {number}\n"})[0] for number in range(count)
    ]
    found = json_output(capsys, "score", ref, "-i", *systems, "-m", "wer")
    assert [one["scores"][0]["score"] for one in found["systems"]] == [20] * len(systems)


@pytest.mark.slow
def test_tokens_of_a_million_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long = "a" * 1_000_000
    ref, one = written(tmp_path, ref=f"{long} b\n", one=f"{long}c b\n")
    assert scores(capsys, ref, "-i", one, "-m", "wer", "per", "ter") == [50, 50, 50]
    assert scores(capsys, ref, "-i", ref, "-m", "meteor", "rouge-l", "chrf") == [100, 100, 100]


PLANES = [chr(plane * 0x10000 + place) for plane in range(17) for place in (0x41, 0xFFFD, 0xFFFF)]
"""Of each plane: a place, the last but two, and the last, which is no character."""


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", ["none", "13a", "intl", "char", "zh"])
def test_every_plane_of_unicode(
    tokenizer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = " ".join(PLANES) + "\0 \ufeff\n"
    (ref,) = written(tmp_path, ref=text)
    assert scores(capsys, ref, "-i", ref, "-m", "bleu", "wer", "-tok", tokenizer) == [100, 0]
    if tokenizer == "13a":
        found = scores(capsys, ref, "-i", ref, "-q", "-m", *METRICS)
        best = {"ter": 0, "wer": 0, "per": 0}
        assert found[:-1] == [best.get(name, 100) for name in METRICS[:-1]]


def test_half_a_character(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (table,) = written(
        tmp_path, **{"t.jsonl": '{"reference": "\\ud800", "hypothesis": "\\udfff"}\n'}
    )
    assert "t.jsonl: segment 1: a lone surrogate, expected UTF-8 text" in error(
        capsys, "score", table
    )


@pytest.mark.parametrize("kind", ["gz", "xz", "zst"])
def test_small_files_that_hold_too_much(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line of 64 MiB under a limit of 2, and a whole file under the same."""
    monkeypatch.setattr(lines, "LONGEST", 1 << 21)
    monkeypatch.setenv("TERTIUM_MAX_MEMORY", "64M")
    data = b"a " * (1 << 25)
    if kind == "zst":
        packed = pytest.importorskip("zstandard", reason="the package is not installed").compress(
            data
        )
    else:
        packed = gzip.compress(data, 1) if kind == "gz" else lzma.compress(data, preset=0)
    assert len(packed) < len(data) // 100
    path = tmp_path / f"bomb.{kind}"
    path.write_bytes(packed)
    said = rf"bomb.{kind}:1: a line of more than 2 MiB, expected segments"
    with closing(LineCursor(TextFile.find(path))) as cursor, pytest.raises(InputError, match=said):
        cursor.take(1)
    with pytest.raises(LimitError, match=rf"bomb.{kind}: more than 5 MB of text"):
        TextFile.find(path).read()


ENTITIES = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n'
SET = '<refset setid="s"><doc docid="d"><seg id="1">&b;</seg></doc></refset>\n'


def test_entities_that_multiply(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    xml, sgml = written(tmp_path, **{"r.xml": ENTITIES + SET, "r.sgm": ENTITIES + SET})
    assert "r.xml:1: an entity declaration, expected none" in error(capsys, "score", xml, "-i", xml)
    # The tolerant reader declares nothing: what it does not know stays as it is.
    whole = open_inputs(sgml, None).load()
    assert whole.corpus.references.of_segment(0) == ["&b;"]


@pytest.mark.parametrize(
    "text",
    [
        '<refset><doc docid="d">' + "<!-- " * 200_000,
        SET.replace("&b;", "<!-- " * 200_000),
        SET.replace("&b;", "<!-- x -->" * 100_000 + "y"),
        "<refset><doc docid='d'>" + "<seg id=1>x" * 50_000,
        "<" * 300_000,
    ],
    ids=["comments", "comments in a segment", "ended comments", "segments", "signs"],
)
def test_markup_that_never_ends(text: str, tmp_path: Path) -> None:
    """Each takes a tenth of a second; looked through anew from each place, minutes."""
    (path,) = written(tmp_path, **{"r.sgm": text})
    before = time.process_time()
    try:
        found = open_inputs(path, None).load().corpus.references.of_segment(0)[0]
    except InputError as refused:
        assert "r.sgm" in str(refused)  # noqa: PT017
    else:
        assert found in {"y", ("<!-- " * 200_000).rstrip()}
    assert time.process_time() - before < 10


DEEP = 100_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plf", "(" * DEEP + "'a'" + ")" * DEEP),
        ("samples", '{"id": 0, "hypotheses": ' + "[" * DEEP + "]" * DEEP + "}"),
        ("travatar-json", '{"nodes": ' + "[" * DEEP + "]" * DEEP + "}"),
        ("samples", '{"id": ' + "9" * DEEP + ', "hypotheses": ["a"]}'),
    ],
)
def test_deep_nesting_of_structures(name: str, text: str) -> None:
    with pytest.raises(InputError) as refused:
        read_text(text, name)
    assert "line 1" in str(refused.value)
    assert len(str(refused.value)) < 400


def test_deep_nesting_of_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for value in ("[" * DEEP + "]" * DEEP, "9" * DEEP):
        (table,) = written(
            tmp_path, **{"t.jsonl": f'{{"reference": {value}, "hypothesis": "a"}}\n'}
        )
        said = error(capsys, "score", table)
        assert f"{table}:1: " in said
        assert len(said) < 500
    deep = "<p>" * DEEP + '<doc id="d"><ref><seg id="1">a</seg></ref></doc>' + "</p>" * DEEP
    (xml,) = written(tmp_path, **{"r.xml": f"<dataset>{deep}</dataset>"})
    assert len(open_inputs(xml, None).load()) == 1


@pytest.mark.parametrize(
    "spec", ["bleu" + "[" * 3000, "bleu[smoothing=" + "a[" * 3000 + "]" * 3000]
)
def test_deep_nesting_of_metrics(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (ref,) = written(tmp_path, ref="a\n")
    assert "tertium: " in error(capsys, "score", ref, "-i", ref, "-m", spec)


@pytest.mark.slow
def test_chains_are_no_recursion() -> None:
    """As deep as twenty times what Python allows to nest."""
    nodes = 20_000
    rest = "".join(f"1\n[{node}] a |||\n" for node in range(nodes))
    forest = f"# target ||| features\n{nodes + 1} {nodes + 1}\n1\n<s> |||\n{rest}"
    (found,) = read_text(forest, "hypergraph")
    assert next(iter(found.paths())).text.count("a") == nodes
    (lattice,) = read_text("(" + "(('a',0,1),)," * nodes + ")", "plf")
    assert "".join(format_named("plf").write([lattice])).count("'a'") == nodes


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted as on Linux")
def test_memory_does_not_grow_with_the_vocabulary_of_repeated_text(tmp_path: Path) -> None:
    """A segment of 50 MB in a process of its own."""
    written(tmp_path, ref=b"word after word after other words, " * 1_450_000 + b"\n")
    (tmp_path / "peak.py").write_text(
        "import resource, sys\nfrom tertium.cli.main import main\n"
        "main(['score', 'ref', '-i', 'ref', '-b', '-m', 'bleu', 'chrf', 'ter', '-q'])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)\n"
    )
    # By a pipe of a shell: what another process starts has its peak to begin with.
    done = shell(f"{sys.executable} peak.py | cat", tmp_path)
    *values, peak = done.out.split()
    assert values == ["100.0", "100.0", "0.0"]
    assert int(peak) < 1500
