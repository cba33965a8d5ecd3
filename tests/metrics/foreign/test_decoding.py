"""Foreign metrics inside decoding and tuning: utilities, features, what is tuned for."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tertium import InputError
from tertium.cli.main import main
from tertium.decode import mbr
from tertium.decode.mbr.matrix_files import read_matrices
from tertium.metrics.foreign.command import CommandMetric, stop_programs
from tests.support.commands import error, output

pytestmark = pytest.mark.slow

# Words that hypothesis and first reference share, and those that the source has in capitals.
PROGRAM = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    words = set(row["hypothesis"].split())
    found = len(words & set(row["references"][0].split()))
    print(found + 10 * len(words & set((row["source"] or "").lower().split())), flush=True)
"""


@pytest.fixture(autouse=True)
def _stopped() -> object:
    yield
    stop_programs()


@pytest.fixture
def metric(tmp_path: Path) -> CommandMetric:
    path = tmp_path / "score.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return CommandMetric(run=f"{sys.executable} {path}", label="Mine", release="1", model="none")


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """Two segments; by the texts alone the first wins, by the source the last."""
    path = tmp_path / "lists.jsonl"
    rows = [
        {"hypotheses": ["a b c", "a b d", "x"], "logprobs": [-1, -1, -1]},
        {"hypotheses": ["e f", "e g", "y"], "logprobs": [-1, -1, -1]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.txt"
    path.write_text("X\nY\n", encoding="utf-8")
    return path


def test_a_program_as_the_utility(metric: CommandMetric) -> None:
    texts = ["a b c", "a b d", "x"]
    assert mbr(texts, metric).text == "a b c"
    chosen = mbr(texts, metric.of_source("X"), keep_matrix=True)
    assert chosen.text == "x"
    assert chosen.matrix is not None
    assert chosen.matrix.tolist() == [[3, 2, 0], [2, 3, 0], [10, 10, 11]]


def test_a_pair_without_a_score_cannot_be_chosen_by(tmp_path: Path) -> None:
    path = tmp_path / "none.py"
    path.write_text("import sys\nfor line in sys.stdin: print('null', flush=True)\n", "utf-8")
    with pytest.raises(InputError, match="Mine: found no score of candidate 1 against pseudo"):
        mbr(["a", "b"], CommandMetric(run=f"{sys.executable} {path}", label="Mine"))


def test_the_commands(
    metric: CommandMetric, lists: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "mbr", str(lists), "--utility", metric.recipe, "-f", "lines"
    assert output(capsys, *words) == "a b c\ne f\n"
    assert output(capsys, *words, "--source", str(source)) == "x\ny\n"
    words = "rerank", str(lists), "--add-metric", f"1*{metric.recipe}", "-f", "lines"
    assert output(capsys, *words) == "a b c\ne f\n"
    assert output(capsys, *words, "--source", str(source)) == "x\ny\n"
    features = output(capsys, *words[:-1], "nbest", "--to", "samples")
    assert "Metric_Mine" in features
    source.write_text("X\n", encoding="utf-8")
    message = error(capsys, *words, "--source", str(source))
    assert message == "tertium: sources: found 1 segment, expected more than 1 (segment)"


def test_before_and_after_by_a_program(
    metric: CommandMetric, lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = tmp_path / "reference.txt"
    reference.write_text("a b d\ne g\n", encoding="utf-8")
    words = "mbr", str(lists), "--utility", "bleu", "-r", str(reference), "--also", metric.recipe
    found = json.loads(output(capsys, *words, "-f", "json"))["scores"][-1]
    assert (found["title"], found["before"], found["after"]) == ("Mine", 1.5, 1.5)
    assert "1.5000   1.5000      +0.0000" in output(capsys, *words)


def test_tuning_for_a_program(
    metric: CommandMetric, tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists, reference = tmp_path / "dev.nbest", tmp_path / "reference.txt"
    lines = [
        "0 ||| a b ||| one= 1 two= 0 ||| 1",
        "0 ||| x ||| one= 0 two= 1 ||| 0",
        "1 ||| e f ||| one= 1 two= 0 ||| 1",
        "1 ||| y ||| one= 0 two= 1 ||| 0",
    ]
    lists.write_text("\n".join(lines) + "\n", encoding="utf-8")
    reference.write_text("a b\ne f\n", encoding="utf-8")
    words = ["tune", str(reference), "-i", str(lists), "-m", metric.recipe, "-f", "json"]
    for more, best in (([], "one"), (["--source", str(source)], "two")):
        assert main([*words, *more]) == 0
        weights = json.loads(capsys.readouterr().out)["tuned"][0]["weights"]
        assert max(weights, key=weights.get) == best
    apart = ["--held-out-input", str(lists), "--held-out-references", str(reference)]
    scores = []
    for more in ([], ["--held-out-source", str(source)]):
        found = json.loads(output(capsys, *words, *apart, *more, "--source", str(source)))
        scores.append(found["tuned"][0]["held_out"]["scores"][0])
    assert scores == [0.0, 10.0]  # of x and y, without and with their sources
    message = error(capsys, *words, "--held-out-source", str(source))
    assert message.endswith("found it alone, expected it with --held-out-input")


def test_an_oracle_knows_no_sources(
    metric: CommandMetric, lists: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asking = replace(metric, source="yes")
    for flags in (["-m", asking.recipe], ["-m", "wrr", "--also", asking.recipe]):
        message = error(capsys, "oracle", str(lists), str(source), *flags)
        assert message.startswith("tertium: Mine: found a metric that reads sources, expected one")


def test_scores_of_files_cannot_choose(
    lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "COMET-refA.seg.score"
    path.write_text("one\t1\n", encoding="utf-8")
    message = error(capsys, "mbr", str(lists), "--utility", f"scores[file={path}]")
    assert message.startswith("tertium: COMET is read from a file, which has no scores of other")


TABLE = [
    (segment, candidate, reference, float(len(candidate) * (candidate != reference)))
    for segment, texts in enumerate((("a b c", "a b d", "x"), ("e f", "e g", "y")))
    for candidate in texts
    for reference in reversed(texts)
]


@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl", "parquet"])
def test_a_table_of_utilities(
    kind: str, lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("segment", "candidate", "reference", "utility")
    path = tmp_path / f"utilities.{kind}"
    if kind == "parquet":
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        columns = dict(zip(names, map(list, zip(*TABLE, strict=True)), strict=True))
        parquet.write_table(arrow.table(columns), path)
    elif kind == "jsonl":
        rows = (json.dumps(dict(zip(names, row, strict=True))) for row in TABLE)
        path.write_text("\n".join(rows), encoding="utf-8")
    else:
        sign = "\t" if kind == "tsv" else ","
        rows = (sign.join(map(str, row)) for row in (names, *TABLE))
        path.write_text("\n".join(rows), encoding="utf-8")
    words = "mbr", str(lists), "--load-matrix", str(path), "-f", "lines"
    assert output(capsys, *words) == "a b c\ne f\n"
    matrix = read_matrices(path).of(1, ("e g", "y"), ("y", "e f"))
    assert matrix.tolist() == [[3, 3], [0, 1]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("segment\tcandidate\treference\tutility\n", "empty, expected utilities"),
        ("segment\tcandidate\treference\n0\ta\tb\n", "expected segment from 0, candidate, "),
        ("segment\tcandidate\treference\tscore\n-1\ta\tb\t1\n", "expected segment from 0"),
        ("segment\tcandidate\treference\tscore\n0\ta\tb\tnan\n", "expected segment from 0"),
        (
            "segment\tcandidate\treference\tscore\n0\ta\tb\t1\n0\ta\tb\t2\n",
            "u.tsv:3: found 2 for texts that have 1 before, expected one utility",
        ),
        (
            "segment\tcandidate\treference\tscore\n0\ta\tb\t1\n",
            "segment 0: found no utility of 'a b c' against 'a b c', expected one",
        ),
        (
            "segment\tcandidate\treference\tscore\n7\ta\tb\t1\n",
            "found no row of segment 0, expected some",
        ),
    ],
)
def test_tables_that_are_none(
    text: str, message: str, lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "u.tsv"
    path.write_text(text, encoding="utf-8")
    assert message in error(capsys, "mbr", str(lists), "--load-matrix", str(path))


def test_a_name_that_says_nothing(
    lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = error(capsys, "mbr", str(lists), "--load-matrix", str(tmp_path / "u.xls"))
    assert "u.xls: found none of .npz, .npy, .parquet, .tsv, .csv and .jsonl" in message


# Shared words, of texts that it has by number; what it encodes and compares goes to a file.
ENCODER = """
import json, sys
vectors = []
with open(sys.argv[1], "a") as seen:
    for line in sys.stdin:
        row = json.loads(line)
        if "texts" in row:
            del vectors[row["first"]:]
            vectors.extend(set(text.split()) for text in row["texts"])
            print("texts", len(row["texts"]), file=seen, flush=True)
            print(len(vectors), flush=True)
        else:
            found = len(vectors[row["hypothesis"]] & vectors[row["references"][0]])
            source = set() if row["source"] is None else vectors[row["source"]]
            source = {word.lower() for word in source}
            print("pair", file=seen, flush=True)
            print(found + 10 * len(vectors[row["hypothesis"]] & source), flush=True)
"""


@pytest.fixture
def encoder(tmp_path: Path) -> CommandMetric:
    path = tmp_path / "encode.py"
    path.write_text(ENCODER, encoding="utf-8")
    run = f"{sys.executable} {path} {tmp_path / 'seen'}"
    return CommandMetric(run=run, label="Mine", release="1", model="none", encode=True, cache=False)


def seen(folder: Path) -> list[str]:
    return (folder / "seen").read_text(encoding="utf-8").split("\n")[:-1]


def test_all_pairs_of_a_list_cost_one_encoding_of_each_text(
    encoder: CommandMetric, metric: CommandMetric, tmp_path: Path
) -> None:
    texts = [f"word{i} word{i % 7} word{i % 3} x{i}" for i in range(40)]
    ours = mbr(texts, encoder.of_source("X"), keep_matrix=True)
    assert ours.matrix is not None
    counts = [int(line.split()[1]) for line in seen(tmp_path) if line.startswith("texts")]
    assert sum(counts) == 41  # the source, too
    assert seen(tmp_path).count("pair") == 1600
    theirs = mbr(texts, metric.of_source("X"), keep_matrix=True)
    assert theirs.matrix is not None
    assert ours.matrix.tolist() == theirs.matrix.tolist()


def test_texts_are_remembered_from_one_list_to_the_next(
    encoder: CommandMetric, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = replace(encoder, batch=2)
    assert mbr(["a b c", "a b d", "x"], encoder).text == "a b c"
    assert mbr(["a b c", "a b d", "a b e"], encoder).text == "a b c"
    assert [line for line in seen(tmp_path) if line != "pair"] == ["texts 2", "texts 1", "texts 1"]
    monkeypatch.setattr("tertium.metrics.foreign.command.MOST_TEXTS", 3)
    assert mbr(["a b c", "a b d", "x"], encoder).text == "a b c"  # all forgotten, and sent again
    assert [line for line in seen(tmp_path) if line != "pair"][3:] == ["texts 2", "texts 1"]


def test_a_program_that_does_not_take_texts_is_refused(metric: CommandMetric) -> None:
    path = Path(metric.run.split()[1])
    path.write_text("import sys\nfor line in sys.stdin: print(7, flush=True)\n", encoding="utf-8")
    with pytest.raises(InputError, match="Mine: found the answer 7 to a line of texts, expected 2"):
        mbr(["a b", "a c"], replace(metric, encode=True))


def test_a_program_that_dies_is_given_its_texts_again(
    encoder: CommandMetric, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(encoder.run.split()[1])
    dying = ENCODER.replace(
        'print("pair", file=seen, flush=True)',
        'print("pair", file=seen, flush=True); '
        "len(open(sys.argv[1]).readlines()) == 6 and sys.exit(3)",
    )
    path.write_text(dying, encoding="utf-8")
    assert mbr(["a b c", "a b d", "x"], encoder).text == "a b c"
    assert "restarting it" in capsys.readouterr().err
    assert [line for line in seen(tmp_path) if line != "pair"] == ["texts 3", "texts 3"]
