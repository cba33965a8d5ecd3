"""Pairs are kept by the score that each has alone, whatever their format and the batches."""

import csv
import gzip
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, OptionError, TertiumError
from tertium.scale import filter_pairs
from tertium.scale import filters as filters_module
from tests.support.commands import error, output, process, ran, shell
from tests.support.effort import examples

HYPOTHESES = ["the cat sat", "", "ein Hund", "القط على", "the cat sat down", "猫坐着"]
REFERENCES = ["the cat sat", "x", "a dog ran", "القط على السجادة", "zzz", "猫坐在垫子上"]


def alone(metric: str, hypothesis: str, reference: str) -> float:
    """The plain way: one pair at a time."""
    chosen = tertium.parse_metric(metric).for_segments()
    return float(chosen.score(chosen.statistics([hypothesis], [reference]))[0])


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def write(path: Path, texts: list[str]) -> Path:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    return write(tmp_path / "ref", REFERENCES), write(tmp_path / "hyp", HYPOTHESES)


WORDS = st.text(st.sampled_from("ab ü猫"), max_size=8)


@pytest.mark.parametrize("metric", ["chrf", "wer", "bleu[order=2]"])
@given(
    rows=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=12),
    low=st.floats(-10, 110),
    width=st.floats(0, 60),
    batch=st.integers(1, 5),
)
@settings(max_examples=examples(40), deadline=None)
def test_it_is_a_loop_over_single_pairs(
    metric: str,
    rows: list[tuple[str, str]],
    low: float,
    width: float,
    batch: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("pairs")
    references = write(folder / "ref", [reference for _, reference in rows])
    hypotheses = write(folder / "hyp", [hypothesis for hypothesis, _ in rows])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filters_module, "BATCH", batch)
        found = filter_pairs(
            references,
            hypotheses,
            output=folder / "kept.jsonl",
            metric=metric,
            minimum=low,
            maximum=low + width,
            scores=True,
        )
    scores = [alone(metric, *row) for row in rows]
    expected = [
        {"hypothesis": hypothesis, "reference": reference, "score": score}
        for (hypothesis, reference), score in zip(rows, scores, strict=True)
        if low <= score <= low + width
    ]
    assert [json.loads(line) for line in lines(folder / "kept.jsonl")] == expected
    assert (found.pairs, found.kept, found.unscored) == (len(rows), len(expected), 0)
    assert found.below == sum(score < low for score in scores)
    assert found.above == sum(score > low + width for score in scores)


def test_bounds_are_kept(sides: tuple[Path, Path], tmp_path: Path) -> None:
    score = alone("chrf", "ein Hund", "a dog ran")
    for low, high in ((score, None), (None, score), (score, score)):
        filter_pairs(*sides, output=tmp_path / "kept", minimum=low, maximum=high)
        assert "ein Hund\ta dog ran" in lines(tmp_path / "kept")


@pytest.mark.parametrize("name", ["kept.tsv", "kept.csv.gz", "kept.jsonl.xz", "kept.jsonl.bz2"])
def test_what_is_kept_can_be_filtered_again(
    name: str, sides: tuple[Path, Path], tmp_path: Path
) -> None:
    first = filter_pairs(*sides, output=tmp_path / name, minimum=20)
    again = filter_pairs(tmp_path / name, output=tmp_path / f"again.{name}", minimum=20)
    assert first.kept == again.pairs == again.kept > 1
    assert (tmp_path / name).read_bytes() == (tmp_path / f"again.{name}").read_bytes()
    fewer = filter_pairs(tmp_path / name, output=tmp_path / name, minimum=90)
    assert fewer.kept == 1  # a file may be replaced by what is kept of it


def test_rows_of_tables_stay_what_they_are(tmp_path: Path) -> None:
    table = tmp_path / "pairs.jsonl"
    kept = '{"reference":["a b","c"],  "n": 1.50, "hypothesis":"a b", "url": "\\u00e4"}'
    table.write_text(f'{kept}\n{{"reference": ["x"], "hypothesis": "q"}}\n', encoding="utf-8")
    filter_pairs(table, output=tmp_path / "out.jsonl", minimum=50)
    assert lines(tmp_path / "out.jsonl") == [kept]
    filter_pairs(table, output=tmp_path / "out.jsonl", minimum=50, scores=True)
    assert lines(tmp_path / "out.jsonl") == [kept[:-1] + ', "score": 100.0}']
    with pytest.raises(InputError, match="found a 'score' already, expected none"):
        filter_pairs(tmp_path / "out.jsonl", output=tmp_path / "x.jsonl", minimum=50, scores=True)
    commas = tmp_path / "pairs.csv"
    commas.write_text('id,mt,human\n1,"a, ""b""","a, b"\n2,x,"line\none"\n', encoding="utf-8")
    columns = {"hypothesis": "mt", "reference": "human"}
    filter_pairs(commas, output=tmp_path / "out.csv", minimum=-1, columns=columns, scores=True)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["mt"], row["human"]) for row in rows] == [
        ("1", 'a, "b"', "a, b"),
        ("2", "x", "line\none"),
    ]
    assert float(rows[0]["score"]) == alone("chrf", 'a, "b"', "a, b")
    tabs = tmp_path / "pairs.tsv"
    tabs.write_text("hypothesis\treference\treference2\na\t\ta\nb\tb\t\n", encoding="utf-8")
    filter_pairs(tabs, output=tmp_path / "out.tsv", minimum=100)
    assert (tmp_path / "out.tsv").read_text() == tabs.read_text()


def test_parquet(tmp_path: Path, sides: tuple[Path, Path]) -> None:
    arrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    table = arrow.table(
        {
            "hypothesis": arrow.array(HYPOTHESES, arrow.large_string()),
            "reference": [[one] for one in REFERENCES],
            "n": arrow.array(range(6), arrow.int16()),
        }
    ).replace_schema_metadata({"who": "us"})
    parquet.write_table(table, tmp_path / "pairs.parquet", row_group_size=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filters_module, "BATCH", 2)
        found = filter_pairs(
            tmp_path / "pairs.parquet", output=tmp_path / "o.parquet", minimum=50, scores=True
        )
    kept = parquet.read_table(tmp_path / "o.parquet")
    assert kept.schema.names == ["hypothesis", "reference", "n", "score"]
    assert kept.schema.field("n").type == arrow.int16()
    assert kept.schema.metadata[b"who"] == b"us"
    assert kept.num_rows == found.kept > 0
    assert kept["n"].to_pylist()[0] == 0
    made = filter_pairs(*sides, output=tmp_path / "made.parquet", minimum=50)
    assert parquet.read_table(tmp_path / "made.parquet").num_rows == made.kept == found.kept
    with pytest.raises(OptionError, match="found tsv, expected parquet as the pairs have it"):
        filter_pairs(tmp_path / "pairs.parquet", output=tmp_path / "o.tsv", minimum=50)
    with pytest.raises(OptionError, match=r"found \.gz, expected none, as Parquet is compressed"):
        filter_pairs(tmp_path / "pairs.parquet", output=tmp_path / "o.parquet.gz", minimum=50)
    with pytest.raises(OptionError, match="standard output, expected a file for Parquet"):
        filter_pairs(tmp_path / "pairs.parquet", output="-", minimum=50)


def test_files_side_by_side(sides: tuple[Path, Path], tmp_path: Path) -> None:
    names = [tmp_path / "kept.hyp", tmp_path / "kept.ref.gz", tmp_path / "kept.src"]
    reference, hypothesis = sides
    filter_pairs(reference, hypothesis, source=reference, output="-", minimum=90, texts=names)
    assert lines(names[0]) == ["the cat sat"]
    assert gzip.decompress(names[1].read_bytes()).decode() == "the cat sat\n"
    assert lines(names[2]) == ["the cat sat"]
    with pytest.raises(OptionError, match="found 3 files, expected 2: hypothesis, reference"):
        filter_pairs(*sides, output="-", minimum=90, texts=names)
    with pytest.raises(OptionError, match="found one file twice"):
        filter_pairs(*sides, output="-", minimum=90, texts=[names[0]] * 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "found no bound, expected a minimum or a maximum"),
        ({"minimum": 3, "maximum": 2}, "minimum: found 3, expected at most 2"),
        ({"minimum": float("nan")}, "minimum: found nan, expected a number"),
        ({"minimum": 1, "metric": "nist"}, "expected a metric that needs not see all references"),
        ({"minimum": 1, "metric": "chfr"}, "did you mean 'chrf'"),
    ],
)
def test_options(sides: tuple[Path, Path], options: dict[str, float], message: str) -> None:
    with pytest.raises(TertiumError, match=message):
        filter_pairs(*sides, output="-", **options)  # type: ignore[arg-type]


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    kept = write(tmp_path / "kept.jsonl", ["before"])
    table = tmp_path / "pairs.jsonl"
    good = '{"hypothesis": "a", "reference": "a"}\n'
    table.write_text(good * 9 + '{"reference": "a"}\n', encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filters_module, "BATCH", 4)
        with pytest.raises(InputError, match="segment 10: no 'hypothesis'"):
            filter_pairs(table, output=kept, minimum=1)
    assert lines(kept) == ["before"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["kept.jsonl", "pairs.jsonl"]
    table.write_text(good + '{"hypothesis": "a", "reference": null}\n', encoding="utf-8")
    with pytest.raises(InputError, match="segment 2: no reference, expected at least one"):
        filter_pairs(table, output=kept, minimum=1)
    table.write_text('{"hypotheses": {"A": "a", "B": "b"}, "reference": "a"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="found 2 systems, expected one"):
        filter_pairs(table, output=kept, minimum=1)
    short = write(tmp_path / "short", ["a"])
    with pytest.raises(InputError, match="1 segment, expected 10"):
        filter_pairs(write(tmp_path / "long", ["a"] * 10), short, output=kept, minimum=1)
    tabs = write(tmp_path / "tabs", ["a\tb"])
    with pytest.raises(InputError, match="found a text with a tab"):
        filter_pairs(short, tabs, output=tmp_path / "kept.tsv", minimum=0)
    assert lines(kept) == ["before"]


def test_nothing_at_all(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty", [])
    found = filter_pairs(empty, empty, output=tmp_path / "kept.tsv", minimum=1)
    assert (found.pairs, str(found)) == (0, "kept 0 of 0 pairs")
    assert lines(tmp_path / "kept.tsv") == ["hypothesis\treference"]


def test_the_command(
    sides: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["filter", str(sides[0]), "-i", str(sides[1])]
    done = ran(capsys, *words, "--min", "90", "--write-scores")
    assert done.out == "hypothesis\treference\tscore\nthe cat sat\tthe cat sat\t100.0\n"
    assert done.err == "tertium: kept 1 of 6 pairs (16.7%); 5 below 90\n"
    assert output(capsys, *words, "-q", "--min", "90", "--to", "jsonl") == (
        '{"hypothesis": "the cat sat", "reference": "the cat sat"}\n'
    )
    kept = str(tmp_path / "kept.tsv")
    shown = output(capsys, *words, "-q", "-m", "ter", "--max", "40", "-o", kept, "--summary", "-")
    assert {name: json.loads(shown)[name] for name in ("metric", "maximum", "pairs", "kept")} == {
        "metric": "ter", "maximum": 40.0, "pairs": 6, "kept": len(lines(Path(kept))) - 1,
    }  # fmt: skip
    assert "expected a bound of the score" in error(capsys, *words)
    assert "--texts: found --output too" in error(
        capsys, *words, "--min", "1", "-o", kept, "--texts", "a", "b"
    )
    assert "expected -o FILE" in error(capsys, *words, "--min", "1", "--summary", "-")
    assert "-i: found 2 files" in error(capsys, *words, str(sides[1]), "--min", "1")


@pytest.mark.slow
def test_hypotheses_from_a_pipe(sides: tuple[Path, Path]) -> None:
    done = process("filter", str(sides[0]), "--min", "90", "-q", text=sides[1].read_bytes())
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[1:] == ["the cat sat\tthe cat sat"]


def test_a_table_from_a_pipe_keeps_its_columns() -> None:
    table = b"id\thypothesis\treference\n7\ta b\ta b\n8\tx\ty\n"
    words = ["filter", "-", "--input-format", "tsv", "--min", "90", "-q"]
    done = process(*words, text=table)
    assert (done.status, done.err) == (0, "")
    assert done.out == "id\thypothesis\treference\n7\ta b\ta b\n"
    done = process(*words, "--columns", "hypothesis=mt", text=table)
    assert "found no hypothesis, expected a column 'mt'" in done.err


@pytest.mark.slow
def test_memory_is_that_of_a_batch(tmp_path: Path) -> None:
    """A table of a hundred megabytes; the peak is asked of the process that filtered it."""
    text = " ".join(f"word{number}" for number in range(120))
    row = json.dumps({"hypothesis": text, "reference": text}) + "\n"
    count = (100 << 20) // len(row)
    with (tmp_path / "pairs.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(row for _ in range(count))
    (tmp_path / "peak.py").write_text(
        "import resource\nfrom tertium.scale import filter_pairs\n"
        "found = filter_pairs('pairs.jsonl', output='/dev/null', metric='wer', maximum=0)\n"
        "print(found.kept, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)\n"
    )
    # By a pipe of a shell: what another process starts has its peak to begin with.
    kept, peak = shell(f"{sys.executable} peak.py | cat", tmp_path).out.split()
    assert int(kept) == count
    assert sys.platform != "linux" or int(peak) < 400
