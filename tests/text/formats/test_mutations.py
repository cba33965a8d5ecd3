"""Damaged files of every format end in a score or in one line, in bounded time and memory.

Hypothesis draws the damage; a process of its own with a limit on its memory runs the command on
many damaged files, one after the other. Workbooks and gzip are damaged outside and inside.
"""

import gzip
import io
import json
import sys
import zipfile
from pathlib import Path
from random import Random

import pytest
from experiments.evidence.formats import REFUSED, WRITERS, Files, sample_rows
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.support.commands import python
from tests.support.effort import examples

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform == "win32", reason="Windows has no limit on a process's memory"
    ),
]

SECONDS = 60
"""A damaged file of a few kilobytes takes milliseconds; more than this is a hang."""
EACH = 4
"""Damaged files of a format in one process."""
MEMORY = 1 << 30
"""Bytes that reading it may need beside the program itself."""

PROGRAM = """
import contextlib, io, json, pathlib, resource, signal, sys

from tertium.cli.main import main
import numpy, openpyxl, polib, pyarrow.parquet  # before the limit is set

size = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + {memory}, size + {memory}))
for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    out, err = io.StringIO(), io.StringIO()
    signal.alarm({seconds})
    paths = {{path.name.partition(".")[0]: str(path) for path in folder.iterdir()}}
    words = ["score", paths["reference"], "-m", "bleu", "-q"]
    words += ["-i", paths["system"]] if "system" in paths else []
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as end:
            status = end.code
    signal.alarm(0)
    sys.__stdout__.write(json.dumps([folder.name, status, err.getvalue()]) + chr(10))
    sys.__stdout__.flush()
"""

PIECES = [
    b"\x00", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b'""', b"\t", b"\n", b"\r", b",", b";",
    b"<", b">", b"&", b"&lt;", b"</", b"<!--", b"-->", b"]]>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"<?xml version='1.0' encoding='utf-7'?>", b"{", b"}", b"[", b"]", b"\\", b"\\u0000",
    b"\\ud800", b"msgid", b"msgstr[9]", b"#~", b"NaN", b"1e999", b"-1", b"99999999999", b"null",
    b"\xed\xa0\x80",
    b"xml:lang='en'", b"<target>", b"<g>", b"--> 00:00:00,000",
]  # fmt: skip


def changed(data: bytes, random: Random) -> bytes:
    """A file with some changes at some places."""
    for _ in range(random.randint(1, 4)):
        at, size = random.randint(0, len(data)), random.randint(1, 200)
        piece = random.choice([*PIECES, random.randbytes(random.randint(1, 4))])
        before, after = data[:at], data[at:]
        match random.choice(["flip", "cut", "drop", "insert", "repeat", "move"]):
            case "flip":
                data = before + bytes(byte ^ piece[0] for byte in after[:2]) + after[2:]
            case "cut":
                data = before
            case "drop":
                data = before + after[size:]
            case "insert":
                data = before + piece + after
            case "repeat":
                data = before + after[:size] * (size + 1) + after[size:]
            case _:
                data = after[:size] + before + after[size:]
    return data


def damaged(data: bytes, random: Random) -> bytes:
    """A file that is damaged; a workbook or a compressed one perhaps inside."""
    inside = random.random() < 0.7
    if inside and data.startswith(b"\x1f\x8b"):
        return gzip.compress(changed(gzip.decompress(data), random), mtime=0)
    if not inside or not data.startswith(b"PK"):
        return changed(data, random)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", 8) as new:
        chosen = random.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, changed(content, random) if name == chosen else content)
    return out.getvalue()


ROWS = sample_rows()[:6]
PARSES = b"".join(
    b"# segment = %d\n1\tdogs\tdog\tNOUN\tNN\t_\t2\tnsubj\t_\t_\n"
    b"2\trun\trun\tVERB\tVB\t_\t0\troot\t_\t_\n\n" % number
    for number in range(1, 7)
)
WHOLE = {
    "CoNLL-U": (".conllu", Files(PARSES, PARSES)),
    **{writer.name: (writer.extension, writer.write(ROWS)) for writer in WRITERS},
    **{name: (".txt", Files(data, data)) for name, data in REFUSED.items()},
}


@settings(max_examples=examples(15), deadline=None, phases=[Phase.generate])
@given(seed=st.integers(0, 1 << 32))
def test_damaged_files_end_in_a_score_or_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    random = Random(seed)
    folder = tmp_path_factory.mktemp("damaged")
    for name, (extension, files) in WHOLE.items():
        for number in range(EACH):
            place = folder / f"{name.replace('/', '-')} {number}"
            place.mkdir()
            ending = random.choice([extension, ".txt", ""])
            whole = files.system is not None and random.random() < 0.5
            reference = files.reference if whole else damaged(files.reference, random)
            (place / f"reference{ending}").write_bytes(reference)
            if files.system is not None:
                (place / f"system{ending}").write_bytes(damaged(files.system, random))
    program = PROGRAM.format(memory=MEMORY, seconds=SECONDS)
    outcome = python("-c", program, str(folder))
    ends = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.status == 0, (outcome.err[-2000:], ends[-1:])
    assert len(ends) == EACH * len(WHOLE)
    for name, status, err in ends:
        assert status in {0, 2}, (name, folder, err)
        assert "Traceback" not in err, (name, folder, err)
        assert status == 0 or err.count("\n") == 1, (name, folder, err)


def test_the_limits_are_those_of_the_process(tmp_path: Path) -> None:
    """What needs more memory than is allowed ends in one line, too: the limit is at work."""
    place = tmp_path / "large"
    place.mkdir()
    texts = "word " * (1 << 24) + "\n"  # 80 MB, a segment of 16 million words
    (place / "reference.txt").write_text(texts, encoding="utf-8")
    (place / "system.txt").write_text(texts, encoding="utf-8")
    program = PROGRAM.format(memory=1 << 26, seconds=10 * SECONDS)
    outcome = python("-c", program, str(tmp_path))
    (_, status, err) = json.loads(outcome.out)
    assert status == 2
    assert err.startswith("tertium: memory: found too little")
