"""Rows in files: complete or not there, and the same bits when they are read again."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.errors import InputError, OptionError, TertiumError
from tertium.inference import with_intervals, with_paired_bootstrap
from tertium.metrics.foreign.segment_metric import SegmentMetric
from tertium.scored import Scored, scored
from tertium.scored.statistics_file import KEY, Block, StatisticsFile, regular
from tests.support.commands import PATIENCE, started
from tests.support.scale.parts import changed

pytestmark = pytest.mark.slow

arrow = pytest.importorskip("pyarrow", reason="files of statistics need pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


class Odd(SegmentMetric):
    """Scores that only bits can tell apart."""

    name = title = "odd"
    summary = "none"

    def scores(self, sources: object, hypotheses: object, references: object) -> list[float]:
        return [-0.0, 0.1 + 0.2, 5e-324, 1e99][: len(references)]  # type: ignore[arg-type]


@pytest.fixture
def whole() -> Scored:
    corpus = tertium.Corpus(
        references=[["a cat sat", "the cat sat"], "a dog ran", "猫 が 座る", "قطة جلست"],
        documents=["d1", "d1", "d2", "d2"],
        genres=["news", "web", "news", "web"],
        ids=["1", "2", "3", "4"],
    )
    systems = [
        tertium.System(name="one", hypotheses=["a cat sat", "a cat", "", "قطة"]),
        tertium.System(name="a/b c", hypotheses=["a cat", "the dog ran", "猫", "قطة جلست"]),
    ]
    return scored(corpus, systems, ["bleu", "ribes", Odd()])


def test_what_is_loaded_is_what_was_saved(whole: Scored, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    whole.save(path)
    loaded = Scored.load(path, metrics=[Odd()])
    assert loaded.names == whole.names
    assert [one.spec for one in loaded.metrics] == ["bleu", "ribes", "odd"]
    for ours, theirs in zip(loaded.rows, whole.rows, strict=True):
        assert ours.tobytes() == theirs.tobytes()  # the sign of zero, too
        assert ours.strides == theirs.strides
    assert loaded.corpus.ids == ("1", "2", "3", "4")
    assert loaded.evaluation().to_dict() == whole.evaluation().to_dict()
    for by in ("genre", "document", "length"):
        assert loaded.slices(by).labels == whole.slices(by).labels
        np.testing.assert_array_equal(loaded.slices(by).of_segment, whole.slices(by).of_segment)
    assert set(loaded.slicings) == set(whole.slicings)
    for add in (with_intervals, with_paired_bootstrap):
        assert add(loaded, trials=50).to_dict() == add(whole, trials=50).to_dict()
    assert [one.name for one in tmp_path.iterdir()] == ["rows.parquet"]


@pytest.mark.parametrize(
    "needs_texts",
    [
        tertium.compare,
        tertium.audit,
        lambda rows: tertium.explain(rows, segments=[1]),
        lambda rows: rows.lengths,
    ],
)
def test_what_needs_texts_says_so(
    whole: Scored, tmp_path: Path, needs_texts: Callable[[Scored], object]
) -> None:
    path = tmp_path / "rows.parquet"
    whole.save(path)
    with pytest.raises(InputError, match=r"rows\.parquet: found statistics without texts"):
        needs_texts(Scored.load(path, metrics=[Odd()]))


def test_a_metric_that_no_text_describes(whole: Scored, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    whole.save(path)
    with pytest.raises(InputError, match=r"rows\.parquet: unknown metric 'odd'"):
        Scored.load(path)


def test_other_versions_are_refused(whole: Scored, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    whole.save(path)
    other = changed(path, version="0.0.1")
    expected = f"found statistics of tertium 0.0.1, expected {tertium.__version__}, which reads"
    with pytest.raises(InputError, match=expected):
        Scored.load(other)


def test_files_that_are_no_statistics(whole: Scored, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    whole.save(path)
    cases = {
        "text": (b"no table", "expected a Parquet file"),
        "half": (path.read_bytes()[:-100], "expected a Parquet file"),
        "none": (b"", "expected a Parquet file"),
    }
    for name, (data, message) in cases.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=f"{name}: .*{message}"):
            Scored.load(tmp_path / name)
    parquet.write_table(arrow.table({"a": [1]}), tmp_path / "other")
    with pytest.raises(InputError, match="other: found a table without a header of tertium's"):
        Scored.load(tmp_path / "other")
    parquet.write_table(
        parquet.read_table(path).replace_schema_metadata({KEY: b"{}"}), tmp_path / "bare"
    )
    with pytest.raises(InputError, match="bare: found a header without sense"):
        Scored.load(tmp_path / "bare")
    with pytest.raises(InputError, match=r"columns, expected the .* that its header tells"):
        Scored.load(changed(path, systems=("one", "two")))
    with pytest.raises(InputError, match="missing: found no file, expected a file of statistics"):
        Scored.load(tmp_path / "missing")
    with pytest.raises(InputError, match="found a folder, expected a file of statistics"):
        Scored.load(tmp_path)


def test_names_and_places_that_cannot_be_written(whole: Scored, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"found .*rows\.npz, expected a name that ends in"):
        whole.save(tmp_path / "rows.npz")
    with pytest.raises(TertiumError, match="No such file or directory, expected a file to write"):
        whole.save(tmp_path / "no" / "rows.parquet")
    twice = scored(whole.corpus, whole.systems, ["bleu", "bleu"])
    with pytest.raises(OptionError, match="found bleu twice, expected each metric once"):
        twice.save(tmp_path / "rows.parquet")


WRITER = """
import sys, time
from tertium.metrics.foreign.segment_metric import SegmentMetric
from tertium.evaluation import evaluate_inputs
from tertium.text.input_files import open_inputs

class Slow(SegmentMetric):
    name = title = "slow"
    summary = "none"
    calls = 0
    def scores(self, sources, hypotheses, references):
        Slow.calls += 1
        if Slow.calls == 2:
            print("half", flush=True)
            time.sleep(600)
        return [1.0] * len(hypotheses)

evaluate_inputs(open_inputs(sys.argv[1], sys.argv[1]), ["bleu", Slow()], statistics=sys.argv[2])
"""


def test_a_killed_writer_leaves_no_half_file(tmp_path: Path) -> None:
    text, path = tmp_path / "text", tmp_path / "rows.parquet"
    text.write_text("a b c\n" * 40_000, encoding="utf-8")  # two chunks
    path.write_bytes(b"what was there before")
    with started("-c", WRITER, str(text), str(path)) as writer:
        assert writer.stdout is not None
        assert next(writer.stdout) == b"half\n"
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait(PATIENCE)
    assert path.read_bytes() == b"what was there before"


def test_a_failed_run_leaves_nothing(tmp_path: Path) -> None:
    from tertium.evaluation import evaluate_inputs
    from tertium.text.input_files import open_inputs

    (tmp_path / "text").write_text("a b c\n" * 40_000, encoding="utf-8")
    (tmp_path / "short").write_text("a b c\n" * 39_000, encoding="utf-8")
    inputs = open_inputs(tmp_path / "text", tmp_path / "short")
    with pytest.raises(InputError, match="short: 39000 segments, expected 40000"):
        evaluate_inputs(inputs, statistics=tmp_path / "rows.parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["short", "text"]


def test_blocks_of_one_size() -> None:
    def block(start: int, stop: int) -> Block:
        numbers = np.arange(start, stop, dtype=float)
        labels = {"documents": [str(one) for one in range(start, stop)]}
        return Block(labels=labels, lengths=numbers, statistics=numbers[:, None])

    for cuts in ([10], [0, 10], [3, 3, 10], [4, 8, 10], [1, 2, 9, 10], [5, 10], [0]):
        starts = [0, *cuts[:-1]]
        given = [block(*span) for span in zip(starts, cuts, strict=True)]
        found = list(regular(given, 5))
        assert [len(one) for one in found] == ([5, 5] if cuts[-1] else [0])
        assert np.concatenate([one.lengths for one in found]).tolist() == list(range(cuts[-1]))
        labels = [label for one in found for label in one.labels["documents"]]
        assert labels == [str(one) for one in range(cuts[-1])]


def test_the_table_is_readable_by_others(whole: Scored, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    whole.save(path)
    with StatisticsFile(path) as file:
        assert (file.first, file.last, len(file)) == (1, 4, 4)
    table = parquet.read_table(path)
    assert table.column_names[:6] == ["segment", "document", "genre", "id", "reference_length",
                                      "one/bleu/matches_1"]  # fmt: skip
    assert table["segment"].to_pylist() == [1, 2, 3, 4]
