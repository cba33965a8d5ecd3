"""Small files that stand for very large ones: refused in one line, with the place and the cure.

Each is read by a process of its own, whose memory the system limits.
"""

import json
import sys
from typing import Any, Final, NamedTuple

import pytest

from tertium.decode.formats.kinds import FORMATS as STRUCTURES
from tertium.text.annotations import FORMATS as NAMES
from tertium.text.files import COMPRESSIONS
from tertium.text.formats.table import KNOWN_FORMATS
from tests.support import bombs
from tests.support.commands import python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")

MEMORY: Final = "400M"
ADDRESSES: Final = 3 << 30
SECONDS: Final = 60
"""Of one processor for one file; each takes a second or two."""

PROGRAM = """
import io, json, os, resource, sys, traceback

import numpy, pyarrow.parquet, openpyxl, polib
import tertium.meta, tertium.decode
from tertium.cli.main import main
from tertium.decode.mbr.matrix_files import SavedMatrices
from tertium.errors import TertiumError
from tertium.metrics.foreign.score_files import read_scores
from tertium.text.annotations import read_annotations

READERS = {
    "names": lambda path, kind: read_annotations(path, format=kind),
    "scores": lambda path, kind: read_scores(path),
    "ratings": lambda path, kind: tertium.meta.read_ratings(path),
    "spans": lambda path, kind: tertium.meta.read_spans(path),
    "matrices": lambda path, kind: SavedMatrices(path)[0],
}


def outcome(reader, words):
    sys.stderr = io.StringIO()
    if reader == "command":
        try:
            status = main(words)
        except SystemExit as end:
            status = end.code
        return status, sys.stderr.getvalue()
    os.environ["TERTIUM_MAX_MEMORY"] = "100M"  # for readers alone less is enough, and quicker
    try:
        READERS[reader](*words)
    except (TertiumError, MemoryError) as error:
        return 2, f"{type(error).__name__}: {error}\\n"
    return 0, ""


for reader, *words in json.load(sys.stdin):
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
            resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]),) * 2)
            status, said = outcome(reader, words)
        except BaseException:
            status, said = 70, traceback.format_exc()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        os.write(write, json.dumps([status, said[:4000], peak]).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        found = stream.read()
    os.waitpid(child, 0)
    print(found.decode() or '[-1, "killed", 0]', flush=True)
"""
"""Forks for each file, so that imports are paid once and no file has the memory of another."""


class Bomb(NamedTuple):
    """A file that is small itself, and the command or the reader that it is given to."""

    name: str
    data: Any
    words: tuple[str, ...]
    file: str


def command(name: str, data: Any, file: str, *words: str) -> Bomb:
    return Bomb(name, data, ("command", *words), file)


AUDIT: Final = ("audit", "FILE", "-i", "FILE")
"""A command that holds its texts; 'score' goes through plain text in pieces."""

CASES: Final = [
    *(
        command(f"text {kind}", data, bombs.text_name(kind), *AUDIT)
        for kind, data in bombs.TEXTS.items()
    ),
    *(
        command(f"structures {kind}", data, f"bomb.{kind}.gz", "convert", "--inspect", "FILE",
                "--from", kind, *(("--lines", "100000000") if kind == "flat" else ()))
        for kind, data in bombs.STRUCTURES.items()
    ),
    *(
        Bomb(f"names {kind}", data, ("names", "FILE", kind), "bomb.gz")
        for kind, data in bombs.NAMES.items()
    ),
    *(
        command(f"compression {suffix}", lambda suffix=suffix: bombs.compressed(suffix),
                f"bomb{suffix}", *AUDIT)
        for suffix in bombs.COMPRESSIONS
    ),
    command("json list", lambda: bombs.packed("[", '{"a":1},'), "list.json.gz", *AUDIT),
    command("quoted tsv", lambda: bombs.packed('source\treference\n"a""b"\t""\n', "\t\n"),
            "quoted.tsv.gz", *AUDIT),
    command("csv without lines", lambda: bombs.packed("source,reference\n", "a,"),
            "wide.csv.gz", *AUDIT),
    command("columns of one row", bombs.growing_row, "systems.jsonl", *AUDIT),
    command("references of one row", bombs.long_list, "lists.parquet", *AUDIT),
    command("documents", lambda: bombs.packed("", "a\tb\n"), "documents.gz",
            "score", "FILE", "-i", "FILE", "--documents", "FILE"),
    Bomb("scores", lambda: bombs.packed("", "1\n"), ("scores", "FILE", ""), "bomb.txt.gz"),
    Bomb("scores json", lambda: bombs.packed('{"a": [', "{},"), ("scores", "FILE", ""),
         "a.json.gz"),
    Bomb("ratings", lambda: bombs.packed("system\tsegment\trating\n", "a\t1\t2\n"),
         ("ratings", "FILE", ""), "ratings.tsv.gz"),
    Bomb("spans", lambda: bombs.packed(
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n",
        "a\tb\t1\t1\tr\ts\tt\tx\tminor\n"), ("spans", "FILE", ""), "mqm.tsv.gz"),
    Bomb("matrices", bombs.zeros, ("matrices", "FILE", ""), "bomb.npz"),
]  # fmt: skip


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, int]]:
    """What came of every file: the status, what was said, and megabytes at the most."""
    folder = tmp_path_factory.mktemp("bombs")
    asked = []
    for number, one in enumerate(CASES):
        place = folder / str(number)
        place.mkdir()
        path = bombs.write(place, one.file, one.data())
        asked.append([path if word == "FILE" else word for word in one.words])
    done = python(
        "-c", PROGRAM, str(ADDRESSES), str(SECONDS), text=json.dumps(asked).encode(),
        variables={"TERTIUM_MAX_MEMORY": MEMORY, "ARROW_DEFAULT_MEMORY_POOL": "system"},
    )  # fmt: skip
    assert done.status == 0, done.err
    results = [json.loads(line) for line in done.out.splitlines()]
    return {one.name: result for one, result in zip(CASES, results, strict=True)}


@pytest.mark.parametrize("case", CASES, ids=lambda one: one.name)
def test_a_bomb_is_refused_in_one_line(
    case: Bomb, outcomes: dict[str, tuple[int, str, int]]
) -> None:
    status, said, peak = outcomes[case.name]
    assert status == 2, said
    assert said.count("\n") == 1
    assert case.file in said
    assert "more than " in said
    assert "--max-memory" in said
    assert peak < 700


def test_every_format_has_its_bomb() -> None:
    """Whoever adds a format says here what too much of it is."""
    assert set(bombs.TEXTS) == set(KNOWN_FORMATS)
    assert set(bombs.STRUCTURES) == set(STRUCTURES)
    assert set(bombs.NAMES) == set(NAMES)
    assert set(bombs.COMPRESSIONS) == set(COMPRESSIONS)
