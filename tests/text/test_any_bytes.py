"""Every reader of a file takes any bytes: it gives a value, or one line that says what is wrong."""

import gzip
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.decode import Damages, FormatOptions
from tertium.decode.formats.input import read as read_structures
from tertium.decode.formats.kinds import FORMATS as STRUCTURES
from tertium.decode.formats.openfst_text import read_symbols
from tertium.decode.mbr.matrix_files import read_matrices
from tertium.decode.weights import read_weights
from tertium.errors import TertiumError
from tertium.meta.agreement.choices import FORMATS as RATINGS
from tertium.meta.agreement.choices import SPAN_FORMATS
from tertium.meta.ratings.files import read_ratings, read_scores
from tertium.meta.ratings.system_names import read_names
from tertium.meta.spans.files import read_spans
from tertium.metrics.edit.terp_tables import read_phrases, read_words
from tertium.metrics.foreign.score_files import read_scores as read_score_file
from tertium.metrics.resources.paraphrases import read_paraphrases
from tertium.scored import Scored, scored
from tertium.text.annotations.files import FORMATS as ANNOTATIONS
from tertium.text.annotations.files import read_annotations
from tertium.text.file_names import KNOWN_FORMATS
from tertium.text.input_files import open_inputs, read_systems
from tertium.tune.statistics_files import read_statistics
from tests.support.decode_files import FOREST, GOOD
from tests.support.effort import examples
from tests.support.ratings import RANKS

SENTENCES = [["the", "house"], ["good"]]

TEXT = [name for name in KNOWN_FORMATS if name != "parquet"]
"""Bytes of Parquet files are damaged one by one below: few bytes look like one."""


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
    **{f"ratings {name}": partial(read_ratings, format=name) for name in RATINGS},
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


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """A file that was whole, with places written over, or cut off, or compressed."""
    data = draw(st.sampled_from(WHOLE)) * draw(st.integers(1, 2))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        piece = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=2)))
        data = data[:place] + piece + data[place + draw(st.integers(0, 4)) :]
    match draw(st.integers(0, 9)):
        case 0:
            return gzip.compress(data, mtime=0)[: draw(st.integers(0, 60))]
        case 1:
            return data[: draw(st.integers(0, len(data)))]
        case _:
            return data


ANY = st.one_of(
    changed(),
    changed(),
    st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join),
    st.binary(max_size=60),
)


def refusal(read: Callable[[str], object], path: Path, data: bytes) -> str:
    """What a reader says of these bytes; nothing where it reads them."""
    path.write_bytes(data)
    try:
        read(str(path))
    except TertiumError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=examples(100), deadline=None)
@given(data=ANY)
def test_any_bytes_are_a_value_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.bytes"
    said = refusal(READERS[name], path, data)
    assert "\n" not in said
    assert len(said) < 2000


@pytest.mark.parametrize("name", NAMED)
@settings(max_examples=examples(100), deadline=None)
@given(data=ANY)
def test_any_bytes_of_a_name_are_a_value_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    said = refusal(NAMED[name], path, data)
    assert "\n" not in said
    assert len(said) < 2000


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Whole Parquet files: texts, scores, statistics."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("parquet")
    texts = {"reference": ["a b", "c"], "hypothesis": ["a", "猫"], "system": ["A", "A"]}
    parquet.write_table(arrow.table(texts), folder / "texts.parquet")
    scores = {"system": ["A", "A"], "segment": [1, 2], "score": [0.5, 0.25]}
    parquet.write_table(arrow.table(scores), folder / "scores.parquet")
    corpus = tertium.Corpus(references=["a b", "c"], documents=["d", "e"])
    systems = [tertium.System(name="A", hypotheses=["a", "c"])]
    scored(corpus, systems, ["bleu", "ter"]).save(folder / "statistics.parquet")
    return [path.read_bytes() for path in sorted(folder.iterdir())]


@pytest.mark.parametrize(
    "read",
    [partial(text, format="parquet"), read_systems, read_score_file, matrices, Scored.load],
    ids=["text", "systems", "scores", "matrices", "statistics"],
)
@settings(max_examples=examples(150), deadline=None)
@given(data=st.data())
def test_damaged_parquet_is_a_value_or_one_line(
    tmp_path_factory: pytest.TempPathFactory,
    tables: list[bytes],
    read: Callable[[str], object],
    data: st.DataObject,
) -> None:
    whole = bytearray(data.draw(st.sampled_from(tables)))
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    kept = data.draw(st.one_of(st.just(len(whole)), st.integers(0, len(whole))))
    path = tmp_path_factory.getbasetemp() / "damaged.parquet"
    assert "\n" not in refusal(read, path, bytes(whole[:kept]))
