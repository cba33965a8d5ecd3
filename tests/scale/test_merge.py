"""Parts that are put together are what one run over all texts gives, to the last bit."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, OptionError
from tertium.evaluation import evaluate_inputs
from tertium.inference import with_intervals, with_paired_bootstrap
from tertium.scale import merge
from tertium.scored import Scored
from tertium.text.input_files import open_inputs
from tests.support.effort import examples
from tests.support.scale.parts import Texts, changed

pytestmark = pytest.mark.slow

pytest.importorskip("pyarrow", reason="files of statistics need pyarrow")


@given(data=st.data(), segments=st.integers(1, 30))
@settings(max_examples=examples(40), deadline=None)
def test_any_parts_in_any_order_give_the_same_bits(data: st.DataObject, segments: int) -> None:
    cuts = data.draw(st.lists(st.integers(1, segments - 1), max_size=5)) if segments > 1 else []
    with TemporaryDirectory() as folder:
        texts = Texts(Path(folder), segments)
        parts = texts.parts(sorted(set(cuts)))
        shuffled = data.draw(st.permutations(parts))
        for by in (None, "genre", "document", "length"):
            plain = texts.evaluated(0, segments, by=by, segments=True)
            found = merge(shuffled, by=by, segments=True, expected=segments)
            assert found.to_dict() == plain.to_dict()  # JSON has all digits


def test_sums_of_chunks_are_those_of_one_run(tmp_path: Path) -> None:
    """Past one chunk, where the order of additions can be seen in the last bit."""
    texts = Texts(tmp_path, 70_001)
    metrics = ("bleu[reference_length=average]", "ribes")
    parts = texts.parts([10_000, 32_768, 47_123], metrics=metrics)
    plain = texts.evaluated(0, texts.segments, metrics=metrics)
    found = merge(parts[::-1])
    assert found.to_dict() == plain.to_dict()
    sums = [merge([path], first_segment=n).systems[0].scores[1].statistics
            for path, n in zip(parts, (1, 10_001, 32_769, 47_124), strict=True)]  # fmt: skip
    naive = sums[0] + sums[1] + sums[2] + sums[3]
    assert (naive != found.systems[0].scores[1].statistics).any()  # the test could fail


def test_intervals_and_tests_are_those_of_one_run(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 60)
    plain = texts.evaluated(0, 60, rows=True)
    found = merge(texts.parts([7, 40]), rows=True)
    for add in (with_intervals, with_paired_bootstrap):
        assert add(found, trials=200).to_dict() == add(plain, trials=200).to_dict()


def test_parts_of_parts(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 40)
    a, b, c, d = texts.parts([5, 11, 30])
    left, right = str(tmp_path / "left.parquet"), str(tmp_path / "right.parquet")
    merge([b, a], statistics=left)
    merge([d, c], statistics=right, first_segment=12)
    whole = merge([right, left], expected=40)
    assert whole.to_dict() == texts.evaluated(0, 40).to_dict()


def test_a_part_may_be_empty(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 9)
    parts = [texts.part(0, 0), texts.part(0, 4), texts.part(4, 4), texts.part(4, 9)]
    found = merge(parts[::-1], by="genre")
    assert found.to_dict() == texts.evaluated(0, 9, by="genre").to_dict()
    with pytest.raises(InputError, match="0 segments, expected at least one"):
        merge(parts[:1])
    with pytest.raises(InputError, match=r"4\.4\.parquet: .*segments 1 to 4 are missing"):
        merge([parts[0], parts[2]])
    with pytest.raises(InputError, match="0 segments, expected at least one"):
        texts.evaluated(3, 3)  # that is no part of anything


@pytest.mark.parametrize(
    ("spans", "options", "message"),
    [
        ([(0, 4), (5, 9)], {},
         r"5\.9\.parquet: found segments from 6 on, expected from 5 on .*segment 5 is missing"),
        ([(0, 4), (2, 9)], {},
         "found segments from 3 on, expected from 5 on .*: segments 3 to 4 are there twice"),
        ([(0, 4), (0, 4)], {}, "segments 1 to 4 are there twice"),
        ([(3, 9)], {}, "found segments from 4 on, expected from 1 on: segments 1 to 3 are missing"),
        ([(0, 4), (4, 8)], {"expected": 9},
         r"4\.8\.parquet: found 8 segments up to here, expected 9 in all"),
    ],
)  # fmt: skip
def test_gaps_and_overlaps_are_refused(
    tmp_path: Path, spans: list[tuple[int, int]], options: dict[str, int], message: str
) -> None:
    texts = Texts(tmp_path, 9)
    parts = [texts.part(*span) for span in spans]
    with pytest.raises(InputError, match=message):
        merge(parts[::-1], **options)  # type: ignore[arg-type]


def test_other_metrics_and_options_are_refused(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 9)
    first = texts.part(0, 4, metrics=["bleu"])
    for metrics, message in [
        (["chrf"], r"4\.9\.parquet: found metrics chrf, expected bleu \(as .*0\.4\.parquet\)"),
        (["bleu[order=2]"], r"found metrics bleu\[order=2\], expected bleu "),
        (["bleu", "chrf"], "found metrics bleu, chrf, expected bleu "),
    ]:
        with pytest.raises(InputError, match=message):
            merge([first, texts.part(4, 9, metrics=metrics)])


def test_other_systems_and_versions_are_refused(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 9)
    first, second = texts.parts([4], metrics=["bleu"])
    older = str(changed(Path(second), version="0.0.1"))
    expected = rf"changed\.parquet: found tertium 0\.0\.1, expected {tertium.__version__} \(as"
    with pytest.raises(InputError, match=expected):
        merge([first, older])
    with pytest.raises(InputError, match=r"changed\.parquet: found statistics of tertium 0\.0\.1"):
        merge([older, first])
    inputs = open_inputs([str(tmp_path / "0.4.9")], [str(tmp_path / "2.4.9")], names=["z"])
    other = str(tmp_path / "other.parquet")
    evaluate_inputs(inputs, ["bleu"], statistics=other, first_segment=5)
    with pytest.raises(InputError, match=r"other\.parquet: found systems z, expected x, y \(as"):
        merge([first, other])
    with pytest.raises(InputError, match="found no file of statistics, expected at least one"):
        merge([])


def test_parts_without_numbers(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 9)
    paths = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    texts.evaluated(0, 4, statistics=paths[0])
    texts.evaluated(4, 9, statistics=paths[1])
    with pytest.raises(InputError, match=r"a\.parquet: found no number of its first segment"):
        merge(paths)
    assert merge(paths, in_order=True).to_dict() == texts.evaluated(0, 9).to_dict()
    assert merge(paths[:1]).segments == 4


def test_what_depends_on_all_references_is_refused_in_parts(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 9)
    with pytest.raises(OptionError, match="nist: found a part of a corpus, expected all of it"):
        texts.part(0, 4, metrics=["bleu", "nist"])
    assert not list(tmp_path.glob("*.parquet"))
    paths = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    whole = texts.evaluated(0, 9, metrics=["nist"], statistics=paths[0])
    assert merge(paths[:1]).to_dict() == whole.to_dict()
    texts.evaluated(0, 4, metrics=["nist"], statistics=paths[1])
    with pytest.raises(InputError, match="found nist in parts, expected it of the whole corpus"):
        merge(paths, in_order=True)


def test_more_references_in_some_parts_must_be_meant(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 9)
    texts.evaluated(0, 4)
    texts.evaluated(4, 9)
    paths = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    for path, span, first, references in [(paths[0], "0.4", 1, "0"), (paths[1], "4.9", 5, "01")]:
        files = [str(tmp_path / f"{one}.{span}") for one in references]
        inputs = open_inputs(files, [str(tmp_path / f"2.{span}")], names=["x"])
        evaluate_inputs(inputs, ["bleu"], statistics=path, first_segment=first)
    with pytest.raises(InputError, match=r"found 2 references a segment, expected 1 .*vary-refer"):
        merge(paths)
    assert "nrefs:var" in merge(paths, vary_references=True).systems[0].scores[0].signature


def test_merged_statistics_can_be_loaded(tmp_path: Path) -> None:
    texts = Texts(tmp_path, 20)
    whole = str(tmp_path / "whole.parquet")
    merge(texts.parts([3, 12]), statistics=whole)
    loaded = Scored.load(whole)
    plain = texts.evaluated(0, 20, rows=True)
    for place, one in enumerate(plain.systems):
        for rows, score in zip(loaded.rows, one.scores, strict=True):
            assert score.rows is not None
            np.testing.assert_array_equal(rows[place], score.rows)
