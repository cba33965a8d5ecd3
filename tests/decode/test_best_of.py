"""The best of each list is the one that a loop over single candidates would find."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.decode.best_of import Best, BestOf
from tertium.decode.formats.segments import aligned_lines
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.foreign.segment_metric import SegmentMetric
from tests.support.commands import error, output, ran
from tests.support.effort import examples

TEXTS = st.sampled_from(
    ["", "a b c", "a b", "the cat sat on the mat", "قطة جلست", "猫が座る", "a c"]
)


@given(
    lists=st.lists(
        st.tuples(st.lists(TEXTS, min_size=1, max_size=4), st.lists(TEXTS, min_size=1, max_size=2)),
        max_size=6,
    ),
    metric=st.sampled_from(["chrf", "bleu", "ter", "wer", "nist"]),
    batch=st.sampled_from([1, 3, 1000]),
)
@settings(max_examples=examples(80), deadline=None)
def test_it_is_a_loop_over_single_candidates(
    lists: list[tuple[list[str], list[str]]], metric: str, batch: int
) -> None:
    references = [own for _, own in lists]
    if metric == "nist" and not lists:
        return
    given_lists = [
        NBest(segment=number, hypotheses=tuple(texts)) for number, (texts, _) in enumerate(lists)
    ]
    chosen = tertium.parse_metric(metric)
    if chosen.needs_fit:
        chosen = chosen.fit(references)
    alone = chosen.for_segments()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[BestOf.__module__], "BATCH", batch)
        found = list(BestOf(metric, references).run(given_lists))
    assert [one.segment for one in found] == list(range(len(lists)))
    for one, (texts, own) in zip(found, lists, strict=True):
        scores = [float(alone.score(alone.statistics([text], [own]))[0]) for text in texts]
        best = max(scores) if alone.higher_is_better else min(scores)
        assert one.score == best
        assert one.place == scores.index(best) + 1  # of equals the first
        assert one.text == texts[one.place - 1]
        assert one.candidates == len(texts)


class Sourced(SegmentMetric):
    """Scores that need a source, of which some do not exist."""

    name = title = "sourced"
    summary = "none"

    @property
    def needs_sources(self) -> bool:
        return True

    def scores(
        self, sources: object, hypotheses: Sequence[str], references: object
    ) -> list[float | None]:
        assert isinstance(sources, list)
        return [
            float(len(source)) if text == source else None
            for source, text in zip(sources, hypotheses, strict=True)
        ]


def test_sources_and_scores_that_do_not_exist() -> None:
    lists = [NBest(segment=0, hypotheses=("x", "uno")), NBest(segment=1, hypotheses=("x", "y"))]
    first, second = BestOf(Sourced(), [["r"], ["r"]], sources=["uno", "dos"]).run(lists)
    assert (first.text, first.score) == ("uno", 3.0)
    assert second.place == 1
    assert np.isnan(second.score)
    assert second.to_dict()["score"] is None
    with pytest.raises(InputError, match="found no sources"):
        list(BestOf(Sourced(), [["r"], ["r"]]).run(lists))


def test_missing_references() -> None:
    lists = [NBest(segment=number, hypotheses=("a",)) for number in range(3)]
    with pytest.raises(InputError, match="found 1 segment, expected more than 1"):
        list(BestOf("chrf", [["a"]]).run(lists))
    with pytest.raises(InputError, match="segment 0: found no reference, expected at least one"):
        list(BestOf("chrf").run(lists))
    chooser = BestOf("chrf", [["a"]], skip_missing=True)
    assert [one.segment for one in chooser.run(lists)] == [0]
    assert chooser.missing == [1, 2]
    own = NBest(segment=0, hypotheses=("b", "a"), references=("a",))
    assert [one.text for one in BestOf("chrf").run([own])] == ["a"]
    with pytest.raises(OptionError, match="nist: found references in the lists alone"):
        BestOf("nist")
    with pytest.raises(InputError, match="segment 0: found no hypothesis"):
        list(BestOf("chrf", [["a"]]).run([NBest(segment=0, hypotheses=())]))


def test_lines_must_be_in_order() -> None:
    found = [Best(segment=n, place=1, candidates=1, score=0.0, text=str(n)) for n in (2, 1)]
    with pytest.raises(InputError, match="segment 1: found after segment 2, expected in order"):
        list(aligned_lines(found, lambda: 3))


MOSES = "0 ||| a b ||| lm= -1 ||| -1\n0 ||| a c d ||| lm= -2 ||| -2\n2 ||| ق ط ||| lm= -3 ||| -3\n"


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    (tmp_path / "nbest").write_text(MOSES, encoding="utf-8")
    (tmp_path / "ref").write_text("a c d\nx\nق ط\n", encoding="utf-8")
    return ["oracle", "--each", str(tmp_path / "nbest"), "-r", str(tmp_path / "ref")]


def test_the_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, *words) == "a c d\n\nق ط\n"
    assert output(capsys, *words, "--missing", "-") == "a c d\n-\nق ط\n"
    assert output(capsys, *words, "-m", "wer", "-f", "tsv").splitlines() == [
        "segment\tplace\tcandidates\tscore\ttext",
        "0\t2\t2\t0.0\ta c d",
        "2\t1\t1\t0.0\tق ط",
    ]
    lines = output(capsys, *words, "-f", "jsonl").splitlines()
    assert json.loads(lines[0]) == {
        "segment": 0, "place": 2, "candidates": 2, "score": 100.0, "text": "a c d",
    }  # fmt: skip
    assert "unknown metric 'chfr'; did you mean 'chrf'?" in error(capsys, *words, "-m", "chfr")
    assert "--missing: found it with -f tsv" in error(capsys, *words, "--missing", "-", "-f", "tsv")


def test_plain_text_and_lists_without_references(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flat = tmp_path / "flat"
    flat.write_text("a b\na c d\nx\ny\nz\nw\nq\nq\n", encoding="utf-8")
    plain = ["oracle", "--each", str(flat), "--lines", "2", *words[3:]]
    done = ran(capsys, *plain)
    assert (done.status, done.out) == (2, "")
    assert "found 3 segments, expected more than 3" in done.err
    done = ran(capsys, *plain, "--skip-missing")
    assert (done.status, done.out) == (0, "a c d\nx\nz\n\n")
    assert done.err == "tertium: left out 1 list without a reference: 3\n"
    sample = tmp_path / "samples.jsonl"
    sample.write_text('{"hypotheses": ["a", "b"], "references": ["b"]}\n', encoding="utf-8")
    assert output(capsys, "oracle", "--each", str(sample)) == "b\n"


def test_the_former_command_does_the_same_and_names_this_one(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = "'tertium best-of' is now 'tertium oracle --each'"
    assert output(capsys, "best-of", *words[2:], warning=said) == output(capsys, *words)
    assert ran(capsys, "help", "best-of").out == ran(capsys, "oracle", "--help").out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--also", "bleu"], "--also: found with --each, expected without it"),
        (["--k-best", "2"], "--k-best: found with --each, expected without it"),
        (["--weights", "w"], "--weights: found with --each, expected without it"),
        (["--curve", "sizes"], "--curve: found with --each, expected without it"),
        (["--curve-points", "1"], "--curve-points: found with --each, expected without it"),
        (["-f", "json"], "-f json: found it with --each, expected lines, tsv, jsonl"),
    ],
)
def test_flags_of_a_corpus_are_refused_list_by_list(
    words: list[str], more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in error(capsys, *words, *more)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--source", "s"], "--source: found without --each, expected with it"),
        (["--skip-missing"], "--skip-missing: found without --each, expected with it"),
        (["-tok", "char"], "--tokenize: found without --each, expected with it"),
        (["--engine", "dask"], "--engine: found without --each, expected with it"),
        (["--workers", "2"], "--workers: found without an engine, expected with --engine dask"),
        (["-f", "tsv"], "-f tsv: found it without --each, expected text, lines, json"),
    ],
)
def test_flags_of_single_lists_are_refused_for_a_corpus(
    words: list[str], more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in error(capsys, "oracle", *words[2:], *more)
