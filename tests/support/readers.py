"""Every reader of a file by a name, and files for them: whole ones, and pieces that damage them."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tertium.choices import RATING_FORMATS, SPAN_FORMATS
from tertium.decode import Damages, FormatOptions
from tertium.decode.formats.kinds import FORMATS as STRUCTURES
from tertium.decode.formats.openfst import read_symbols
from tertium.decode.formats.segments import read as read_structures
from tertium.decode.mbr.matrix_files import read_matrices
from tertium.decode.weights import read_weights
from tertium.errors import TertiumError
from tertium.meta.ratings.files import read_ratings, read_scores
from tertium.meta.ratings.system_names import read_names
from tertium.meta.spans.files import read_spans
from tertium.metrics.edit.terp import read_phrases, read_words
from tertium.metrics.foreign.score_files import read_scores as read_score_file
from tertium.metrics.resources.paraphrases import read_paraphrases
from tertium.text.annotations.files import FORMATS as ANNOTATIONS
from tertium.text.annotations.files import read_annotations
from tertium.text.formats.table import KNOWN_FORMATS
from tertium.text.input_files import open_inputs, read_systems
from tertium.tune.statistics_files import read_statistics
from tests.support.decode_files import FOREST, GOOD
from tests.support.ratings import RANKS

SENTENCES = [["the", "house"], ["good"]]

TEXT = [name for name in KNOWN_FORMATS if name != "parquet"]
"""Bytes of Parquet files are damaged one by one: few bytes look like one."""


def text(path: str, format: str) -> object:  # noqa: A002 - the word of all readers
    return open_inputs([path], [path], format=format).load()


def structures(path: str, format: str | None = None) -> object:  # noqa: A002
    options = FormatOptions(size=2) if format == "flat" else None
    return list(read_structures(path, format=format, options=options, damages=Damages()))


def matrices(path: str) -> object:
    return read_matrices(path).of(0, ("a",), ("b",))


READERS: dict[str, Callable[[str], object]] = {
    **{f"text {name}": partial(text, format=name) for name in TEXT},
    **{f"systems {name}": partial(read_systems, format=name) for name in TEXT},
    **{f"annotations {name}": partial(read_annotations, format=name) for name in ANNOTATIONS},
    **{f"ratings {name}": partial(read_ratings, format=name) for name in RATING_FORMATS},
    **{f"spans {name}": partial(read_spans, format=name) for name in SPAN_FORMATS},
    **{f"structures {name}": partial(structures, format=name) for name in STRUCTURES},
    "structures by look": structures,
    "published scores": read_scores,
    "weights": read_weights,
    "names": read_names,
    "symbols": read_symbols,
    "statistics": lambda path: read_statistics(path, path),
    "paraphrases": lambda path: read_paraphrases(path, SENTENCES, lowercase=True),
    "phrases": lambda path: read_phrases(path, SENTENCES),
    "stop words": read_words,
}  # fmt: skip
NAMED: dict[str, Callable[[str], object]] = {
    **{f"scores{end}": read_score_file for end in (".txt", ".tsv", ".csv", ".json", ".jsonl")},
    **{f"metric.seg{end}": read_score_file for end in (".score", "", ".scores")},
    **{f"matrices{end}": matrices for end in (".tsv", ".csv", ".jsonl", ".npy", ".npz")},
}
"""Readers that go by a file's name."""


def lines(*some: str) -> bytes:
    return "".join(f"{line}\n" for line in some).encode()


WHOLE = [
    *(text.encode() for text in GOOD.values()),
    FOREST.encode(),
    lines(RANKS, "deu,eng,-1,-1,2,j,-1,A,-1,B,-1,C,1,2,-1"),
    lines("system\tsegment\tjudge\tcriterion\trating\tpair", "A\t2\tj\thuman\t0.5\tde-en"),
    lines("LP DATA SYSTEM SID HUMAN", "de-en t A 2 0.5"),
    lines(json.dumps({"system": "A", "segment": 2, "human": 0.5, "pair": "de-en"})),
    lines("system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity",
          "A\td\t1\t1\tr\ts\ta <v>day</v>\tStyle\tMinor"),
    lines(json.dumps({"source": "s", "hypothesis": "a day", "segment_id": 1, "system_id": "A",
                      "rater_id": "r", "errors": [{"start": 0, "end": 1, "severity": "minor"}]})),
    lines("u,wmt23.A,1,TGT,eng,deu,60,d#A,False,[],1.0,2.5"),
    lines('<refset setid="s" srclang="a" trglang="b"><doc docid="d"><seg id="1">a &amp; b</seg>',
          "</doc></refset>"),
    lines("<dataset><doc id='d'><src><p><seg id='1'>a</seg></p></src></doc></dataset>"),
    lines("reference\thypothesis\tsystem\tid", "a b\tc\tA\t1"),
    lines(json.dumps({"reference": ["a", "b"], "hypothesis": "c", "id": 1})),
    lines("1\tdogs\tdog\tNOUN\tNN\t_\t2\tnsubj\t_\t_", "2\trun\trun\tVERB\tVB\t_\t0\troot\t_\t_"),
    lines('<ENAMEX TYPE="LOCATION">New York</ENAMEX> is large .'),
    lines("New B-LOC", "York I-LOC", "", "is O"),
    lines(json.dumps({"text": "New York", "entities": [{"start": 0, "end": 8, "label": "LOC"}]})),
    lines("FEATURES_TXT_BEGIN_0 0 1 2 lm tm", "0.5 1", "FEATURES_TXT_END_0"),
    lines("LM0= 0.5 1", "TM0 -2"), b'{"lm": 0.5, "tm": 1e9}',
    lines("0.5", "the house", "a home", "0.25", "good", "fine"),
    lines("0.5 0.2 <p>the house</p> <p>a home</p>"),
    lines("system\tsegment\tscore", "A\t1\t0.5"), lines("0.5", "0.25"),
    lines("segment\thypothesis\treference\tutility", "1\ta\tb\t0.5"),
]  # fmt: skip
PIECES = b"""\x00 \xff \xef\xbb\xbf \r \n \t , " ' { } [ ] < > & ; | = : ( ) \\ # nan inf 1e999 -1
9999999999999 ||| </seg> <seg> <!ENTITY [0] null true \xf0\x9f\x99\x82 \xd7\x90 \xe4\xb8\xad
\xed\xa0\x80""".split()


def refusal(read: Callable[[str], object], path: Path, data: bytes) -> str:
    """What a reader says of these bytes; nothing where it reads them."""
    path.write_bytes(data)
    try:
        read(str(path))
    except TertiumError as error:
        return str(error)
    return ""
