"""Systems that were trained several times: means over runs, and what training alone can do."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tertium import Corpus, System, scored
from tertium.compare import compare
from tertium.compare.score_results import ScoreTable
from tertium.decide import decide
from tertium.errors import InputError, OptionError
from tertium.inference import MetricRows, all_pairs_of, approximate_randomization, runs_p_value
from tertium.metrics.contract.base import Rows, Scores
from tertium.scored.runs import AnyRuns, runs_of
from tertium.scored.scored import Scored
from tests.oracles import inference as oracle
from tests.support.commands import error, output
from tests.support.means import MEAN, rows_of_means

SEGMENTS = 40
NAMED = {"base": ["a", "b", "c"], "new": ["d", "e", "f"]}


def outputs(values: Scores) -> list[System]:
    """One system for each row of numbers, named a, b, c …"""
    return [
        System(name=name, hypotheses=[repr(float(one)) for one in some])
        for name, some in zip("abcdefghi", values, strict=False)
    ]


def corpus(segments: int = SEGMENTS) -> Corpus:
    return Corpus(references=["x"] * segments)


def values(*, effect: float, run: float = 0.0, seed: int = 3) -> Scores:
    """(6, segments): three runs of two systems, the second of them better by the effect."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=SEGMENTS)
    runs = run * np.array([-1.0, 0.2, 1.0] * 2)[:, np.newaxis]
    gain = effect * np.repeat([0.0, 1.0], 3)[:, np.newaxis]
    noise = 0.3 * rng.normal(size=(6, SEGMENTS))
    made: Scores = hard + gain + runs + noise
    return made


def table_of(given: Scored | Corpus, runs: AnyRuns = NAMED, **options: object) -> ScoreTable:
    found = compare(given, sections=["scores"], runs=runs, trials=999, **options)  # type: ignore[arg-type]
    assert found.scores is not None
    return found.scores


@pytest.fixture(scope="module")
def better() -> Scored:
    return scored(corpus(), outputs(values(effect=0.5)), [MEAN])


# ---- which runs are whose -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("base.1 base.2 new.1 new.2", {"base": [0, 1], "new": [2, 3]}),
        ("new-seed1 base-seed1 base-seed2 new-seed2", {"new": [0, 3], "base": [1, 2]}),
        ("a_run10 a_run9 b.run.1 b.run.2", {"a": [0, 1], "b": [2, 3]}),
        ("base.1.en base.2.en new.1.en new.2.en", {"base.en": [0, 1], "new.en": [2, 3]}),
        ("wmt-2.1 wmt-2.2 wmt-3.1 wmt-3.2", {"wmt-2": [0, 1], "wmt-3": [2, 3]}),
        ("系统.1 系统.2 نظام.1 نظام.2", {"系统": [0, 1], "نظام": [2, 3]}),
    ],
)
def test_numbers_at_the_end_of_names(names: str, expected: dict[str, list[int]]) -> None:
    found = runs_of(names.split(), "numbered")
    assert dict(zip(found.names, map(list, found.places), strict=True)) == expected


def test_names_and_patterns() -> None:
    found = runs_of(list("abcdef"), {"new": ["[def]"], "base": ["c", "a", "b"]})
    assert found.names == ("new", "base")  # the first is the baseline
    assert found.members == (("d", "e", "f"), ("c", "a", "b"))
    assert found.count == 3


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({"base": ["a", "b"], "new": ["c"]}, "runs: found 1 of new, expected 2"),
        ({"base": ["a", "b"]}, "runs: found 'c' in no system, expected it in one"),
        ({"base": ["*"]}, "found 1 system (base), expected a baseline"),
        ({"base": ["a", "b"], "new": ["b", "c"]}, "runs: found 'b' in 2 systems"),
        ({"base": ["a", "x"], "new": ["b", "c"]}, "unknown run 'x'"),
        ({"x": ["a"], "y": ["b"], "z": ["c"]}, "found 1 of each system, expected at least two"),
        ("numbered", "found 'a', expected a name that ends in a number, such as a.1"),
    ],
)
def test_what_does_not_fit_is_refused(runs: AnyRuns, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        runs_of(["a", "b", "c"], runs)


# ---- means and deviations -------------------------------------------------------------------


def test_scores_are_means_over_runs(better: Scored) -> None:
    table = table_of(better)
    runs = values(effect=0.5).mean(axis=1).reshape(2, 3)
    for row, expected in zip(table.slices[0].scores, runs, strict=True):
        assert row[0].runs == pytest.approx(tuple(expected))
        assert row[0].value == pytest.approx(expected.mean())
        assert row[0].deviation == pytest.approx(expected.std(ddof=1))
    new = table.slices[0].scores[1][0]
    assert new.delta == pytest.approx(runs[1].mean() - runs[0].mean())
    welch = stats.ttest_ind(runs[0], runs[1], equal_var=False).pvalue
    assert new.runs_p_value == pytest.approx(float(welch), rel=1e-9)
    assert new.tests[0].significant
    assert new.delta is not None
    assert new.delta_interval is not None
    assert new.delta_interval.low < new.delta < new.delta_interval.high
    assert [row[0].cluster for row in table.slices[0].scores] == [2, 1]


def test_slices_have_runs(better: Scored) -> None:
    labelled = Corpus(references=["x"] * SEGMENTS, genres=["news", "web"] * (SEGMENTS // 2))
    given = scored(labelled, better.systems, [MEAN])
    table = table_of(given, by="genre")
    news = table.slices[1].scores[1][0]
    expected = values(effect=0.5)[3:, ::2].mean(axis=1)
    assert news.runs == pytest.approx(tuple(expected))


@pytest.mark.parametrize("equal", [0.0, 1.5])
def test_runs_that_do_not_vary(equal: float) -> None:
    assert runs_p_value([1.0, 1.0], [1.0 + equal] * 2) == (0.0 if equal else 1.0)


def test_the_median_run_stands_for_its_system(better: Scored) -> None:
    found = compare(better, sections=["scores", "sentences", "words"], runs=NAMED, trials=99)
    means = values(effect=0.5).mean(axis=1)
    middle = [int(np.argsort(means[some])[1]) + some.start for some in (slice(0, 3), slice(3, 6))]
    assert found.systems == ("base", "new")
    assert found.sentences is not None
    assert found.sentences[0].delta == pytest.approx(means[middle[1]] - means[middle[0]])


# ---- tests ----------------------------------------------------------------------------------


def test_a_segment_is_swapped_in_all_runs_at_once() -> None:
    rng = np.random.default_rng(1)
    rows = rows_of_means(rng.normal(size=(2, 3, 5)))
    found = approximate_randomization(MEAN, rows[0], rows[1], trials=100, stratified=False)
    means: Rows = rows.mean(axis=1)
    every = oracle.swapped_differences(MEAN.score, means[0][np.newaxis], means[1][np.newaxis])
    assert found.exact
    assert found.trials == 2**5
    np.testing.assert_allclose(np.sort(found.null), np.sort(every), atol=1e-12)


def test_the_stratified_test_is_that_of_clark(better: Scored) -> None:
    table = table_of(better, test="all")
    tests = {one.test: one.p_value for one in table.slices[0].scores[1][0].tests}
    assert set(tests) == {"bootstrap", "randomization", "stratified"}
    rows = better.rows[0]
    clark = approximate_randomization(MEAN, rows[:3], rows[3:], trials=999)
    assert tests["stratified"] == clark.p_value
    assert clark.runs == 3


def test_what_training_could_make_is_not_significant() -> None:
    """Runs that differ far more than systems do, on so many segments that these are sure."""
    given = scored(corpus(), outputs(values(effect=0.5, run=1.0)), [MEAN])
    table = table_of(given, test="all")
    new = table.slices[0].scores[1][0]
    assert all(one.p_value < 0.01 for one in new.tests)
    assert new.runs_p_value is not None
    assert new.runs_p_value > 0.2
    assert not any(one.significant for one in new.tests)
    assert all(one.adjusted == new.runs_p_value for one in new.tests)
    assert [row[0].cluster for row in table.slices[0].scores] == [1, 1]
    (finding,) = (one for one in table.findings if "training again" in one)
    assert finding.startswith("new against base: training again could make the difference in mean")
    decision = decide(given, runs=NAMED, trials=999, audit=False)
    assert decision["new"].answer == "no difference"
    assert finding in decision.warnings


def test_decisions_take_runs(better: Scored) -> None:
    decision = decide(better, runs=NAMED, trials=999, audit=False)
    verdict = decision["new"]
    assert verdict.answer == "scores higher"
    table = table_of(better)
    assert verdict.metrics[0].interval == table.slices[0].scores[1][0].delta_interval
    assert verdict.metrics[0].delta == table.slices[0].scores[1][0].delta
    assert any("of one run of each system" in one for one in decision.warnings)


def test_pairs_of_runs() -> None:
    rows = rows_of_means(values(effect=0.5, run=1.0).reshape(2, 3, SEGMENTS))
    (found,) = all_pairs_of([MetricRows(metric=MEAN, rows=rows)], ["base", "new"], trials=99)
    by_runs = runs_p_value(*values(effect=0.5, run=1.0).mean(axis=1).reshape(2, 3))
    assert found.p_values[0] == pytest.approx(by_runs, rel=1e-9)


@pytest.mark.parametrize(
    ("test", "runs", "word"), [("sign", NAMED, "with"), ("stratified", None, "without")]
)
def test_tests_that_do_not_fit(better: Scored, test: str, runs: AnyRuns | None, word: str) -> None:
    with pytest.raises(
        OptionError, match=f"test: found '{test}' {word} runs, expected randomization"
    ):
        compare(better, runs=runs, test=test)  # type: ignore[arg-type]


# ---- the command line -----------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    rng = np.random.default_rng(2)
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "it", "was", "fat"]
    texts = [" ".join(rng.permutation(words)) for _ in range(30)]
    paths = [tmp_path / "reference.txt"]
    paths[0].write_text("\n".join(texts) + "\n", encoding="utf-8")
    for name, drop in (("base", 5), ("new", 7)):
        for run in (1, 2, 3):
            path = tmp_path / f"{name}.{run}.txt"
            lines = [" ".join(one.split()[: drop + int(rng.integers(2))]) for one in texts]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            paths.append(path)
    return [str(path) for path in paths]


def test_commands(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = [files[0], "-i", *files[1:], "-m", "bleu", "wer"]
    flags = ["--sections", "scores", "--trials", "500"]
    by_number = output(capsys, "compare", *asked, *flags, "--runs")
    by_pattern = output(capsys, "compare", *asked, *flags, "--runs", "base=base.*", "new=new.*")
    assert by_number == by_pattern
    assert "new scores higher than base, by BLEU and WER (error rate)." in by_number
    assert "p runs" in by_number
    assert "scores are means over 3 runs of each system; σ: their standard deviation" in by_number
    made = json.loads(output(capsys, "compare", *asked, *flags, "--runs", "-f", "json"))
    assert made["scores"]["runs"]["new"] == ["new.1", "new.2", "new.3"]
    runs = made["systems"][1]["scores"][0]["runs"]
    assert len(runs["scores"]) == 3
    assert runs["deviation"] == pytest.approx(np.std(runs["scores"], ddof=1))
    assert 0 < runs["p_value"] < 0.05
    head, *rest = output(capsys, "compare", *asked, *flags, "--runs", "-f", "tsv").splitlines()
    assert head.endswith("cluster\tbest_rank\tworst_rank\truns\truns_deviation\tp_runs")
    assert len(rest) == 4
    assert "σ" in output(capsys, "compare", *asked, *flags, "--runs", "-f", "latex")
    assert "new scores higher than base" in output(capsys, "decide", *asked, "--runs")


def test_flags_that_do_not_fit(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["compare", files[0], "-i", *files[1:]]
    message = error(capsys, *asked, "--runs", "base=base.1,base.2,base.3")
    assert "runs: found 'new.1' in no system, expected it in one" in message
    message = error(capsys, *asked, "--runs", "base=base.*", "base=new.*")
    assert "--runs: found 'base' twice, expected once, with all its runs" in message
    message = error(capsys, *asked, "--runs", "base.1")
    assert "found 'base.1', expected name=run,run, such as base=base.1,base.2" in message
    message = error(capsys, *asked[:-3], "--runs")
    assert "found 1 system (base)" in message
