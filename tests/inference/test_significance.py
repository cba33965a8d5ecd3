"""One p-value for one pair wherever it is shown, named families, clusters that hold, floors."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium import report
from tertium.compare import ComparisonSettings, compare
from tertium.compare.score_results import CLUSTER, ScoreTable
from tertium.compare.scores import score_table
from tertium.inference import (
    Family,
    MetricRows,
    all_pairs_of,
    units_of,
    with_intervals,
    with_paired_bootstrap,
    with_randomization,
)
from tertium.inference.p_values import p_value_text
from tertium.metrics.contract.table import parse_metric
from tertium.results import BaselineTest
from tertium.scored import Slices
from tertium.study.study import study
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs
from tests.support.commands import error, json_output, output, ran
from tests.support.sample import FILES, LABELLED, REFERENCES

pytestmark = pytest.mark.slow

SYSTEMS = FILES[FILES.index("-i") + 1 :]
WER = parse_metric("wer")


@pytest.fixture(scope="module")
def sample() -> Chunk:
    return open_inputs(REFERENCES, SYSTEMS, documents=LABELLED[1]).load()


# ---- one p-value ----------------------------------------------------------------------------


@pytest.mark.parametrize("resample", ["auto", "segments"])
def test_one_pair_has_one_p_value(
    resample: str, sample: Chunk, capsys: pytest.CaptureFixture[str]
) -> None:
    """Score, compare and report, all as they come, of the command line and of Python."""
    flags = [*FILES, *LABELLED, "-m", "bleu", "wer", "--resample", resample, "-f", "json"]
    scored = json.loads(output(capsys, "score", *flags, "--paired-ar"))
    compared = json.loads(output(capsys, "compare", *flags, "--sections", "scores"))
    reported = study(
        sample.corpus,
        sample.systems,
        ["bleu", "wer"],
        audit=False,
        resample=resample,  # type: ignore[arg-type]
        most_explained=0,
    )
    assert reported.comparison is not None
    assert reported.comparison.scores is not None
    whole = compared["scores"]["slices"][0]
    rows = reported.comparison.scores.slices[0].scores
    assert (whole["unit"], whole["units"]) == {
        "auto": ("document", 8),
        "segments": ("segment", 92),
    }[resample]
    for s in (1, 2):
        for m in (0, 1):
            first = scored["systems"][s]["scores"][m]["test"]
            ((test, second),) = whole["systems"][s]["scores"][m]["tests"].items()
            (third,) = rows[s][m].tests
            assert first["method"] == test == third.test
            assert first["p_value"] == second["p_value"] == third.p_value
            assert first["adjusted_p_value"] == second["adjusted_p_value"] == third.adjusted
            assert (first["unit"], first["units"]) == (whole["unit"], whole["units"])


def test_p_values_are_two_sided_and_sacrebleus_has_a_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    flags = ["score", *FILES, "-m", "bleu", "--paired-bs", "-f", "json"]
    ours = json.loads(output(capsys, *flags))["systems"][1]["scores"][0]["test"]
    theirs = json.loads(output(capsys, *flags, "--one-sided"))["systems"][1]["scores"][0]["test"]
    assert (ours["kind"], theirs["kind"]) == ("two-sided", "sacrebleu")
    assert theirs["p_value"] == theirs["p_value_sacrebleu"] == ours["p_value_sacrebleu"]
    assert ours["p_value"] > 1.5 * theirs["p_value"]
    assert theirs["family"] == "not corrected for 2 tests: 2 systems"
    table = output(capsys, "score", *FILES, "--paired-bs", "--one-sided")
    assert "one-sided as in sacreBLEU and Moses" in table


def test_five_segments_have_no_star(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {"ref": "a b c d", "old": "a x y d", "new": "a b c d"}
    paths = {}
    for name, text in texts.items():
        paths[name] = str(tmp_path / name)
        Path(paths[name]).write_text(f"{text}\n" * 5, encoding="utf-8")
    files = ["score", paths["ref"], "-i", paths["old"], paths["new"], "-m", "wer"]
    table = output(capsys, *files, "--paired-bs")
    assert re.search(r"^new +0\.00 +0\.00 +0\.0625 +0\.0625$", table, re.MULTILINE)
    assert "exact randomization by 5 segments, two-sided, all 32 swaps" in table
    assert "warning: 5 segments, fewer than 120: bootstrap intervals are rough" in table
    one_sided = output(capsys, *files, "--paired-bs", "--one-sided")
    assert "*" not in one_sided.splitlines()[3]  # 0.0001, but of five segments
    made = json_output(capsys, *files, "--confidence")
    assert made["warnings"][0].startswith("5 segments, fewer than 120")


def test_one_segment_has_no_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text"
    path.write_text("a b c d\n", encoding="utf-8")
    table = output(capsys, "score", str(path), "-i", str(path), "--confidence")
    assert "±" not in table
    assert "warning: 1 segment, nothing to draw from: no intervals" in table


def test_a_warning_that_has_no_place_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    captured = ran(capsys, "score", *FILES, *LABELLED, "-ci", "-f", "tsv")
    assert captured.status == 0
    assert captured.err.startswith("tertium: warning: 8 documents, fewer than 20: ")
    assert "warning" not in captured.out


# ---- units ----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [with_intervals, with_paired_bootstrap, with_randomization])
def test_evaluations_say_their_unit(make: Callable[..., tertium.Evaluation], sample: Chunk) -> None:
    evaluation = tertium.evaluate(sample.corpus, sample.systems, rows=True)
    for resample, unit, units in (("auto", "document", 8), ("segments", "segment", 92)):
        score = make(evaluation, resample=resample).systems[1].scores[0]
        for made in (score.interval, score.test):
            assert made is None or (made.unit, made.units) == (unit, units)
        assert ("|resample:documents|" in score.signature) == (unit == "document")
        assert parse_metric(f"BLEU|{score.signature}") == parse_metric("bleu")


def test_score_draws_documents(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["score", *FILES, *LABELLED, "-ci", "-cin", "50"]
    assert "bootstrap interval by 8 documents, 50 resamples" in output(capsys, *flags)
    by_segment = output(capsys, *flags, "--resample", "segments")
    assert "bootstrap interval by 92 segments, 50 resamples" in by_segment


def test_slices_of_one_document_are_tested_by_segment(sample: Chunk) -> None:
    found = compare(
        sample.corpus, sample.systems[:2], sections=["scores"], by="document", trials=99
    )
    assert found.scores is not None
    units = {(one.unit, one.units) for one in found.scores.slices}
    assert units == {("document", 8), ("segment", 10), ("segment", 13)}
    assert found.scores.units == "8 documents (in slices of one document: its segments)"


@pytest.mark.parametrize("command", ["score", "compare", "audit", "report"])
def test_documents_that_are_not_known(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--paired-bs"] if command == "score" else []
    message = error(capsys, command, *FILES, *flags, "--resample", "documents")
    assert "found no document labels, expected a file of documents (--documents)" in message


def test_what_nothing_uses_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    message = error(capsys, "score", *FILES, "--resample", "documents")
    assert "--resample: found alone, expected with --confidence or --paired-bs" in message
    message = error(capsys, "score", *FILES, "--paired-ar", "--one-sided")
    assert "--one-sided: found alone, expected with --paired-bs" in message


def test_audits_draw_documents(sample: Chunk, capsys: pytest.CaptureFixture[str]) -> None:
    from tertium.audit.deletion import resamples

    units = units_of(len(sample.corpus), sample.corpus.documents)
    draws = resamples(units, seed=1, alpha=0.05)
    for number in range(units.count):
        together = draws[:, units.of_segment == number]
        assert (together == together[:, :1]).all()
    flags = ["audit", *FILES, *LABELLED, "--only", "deletion"]
    assert "bootstrap by 8 documents, too few to be exact" in output(capsys, *flags)
    assert "bootstrap by 92 segments" in output(capsys, *flags, "--resample", "segments")


@pytest.mark.shared
def test_documents_of_wmt12_widen_intervals(shared_data: Path) -> None:
    folder = shared_data / "wmt12"
    outputs = folder / "system-outputs/es-en"
    systems = [str(outputs / f"newstest2012.es-en.{name}") for name in ("onlineA", "UPC")]
    whole = open_inputs([str(folder / "newstest2012-ref.en.sgm")], systems).load()
    evaluation = tertium.evaluate(whole.corpus, whole.systems, rows=True)
    halves = {}
    for resample in ("documents", "segments"):
        made = with_intervals(evaluation, resample=resample)
        interval = made.systems[0].scores[0].interval
        assert interval is not None
        halves[resample] = interval.half_width
        assert interval.units == {"documents": 99, "segments": 3003}[resample]
    assert halves["documents"] / halves["segments"] > 3


# ---- families -------------------------------------------------------------------------------


def noise(rng: np.random.Generator) -> ScoreTable:
    """Three systems of equal quality, three metrics, four genres and the whole."""
    groups = []
    for _ in range(3):
        rows = np.zeros((3, 80, len(WER.columns)))
        rows[..., 0], rows[..., -1] = rng.binomial(20, 0.3, (3, 80)), 20
        groups.append(MetricRows(metric=WER, rows=rows))
    slices = Slices.of(list("abcd" * 20))
    settings = ComparisonSettings(
        tests=("randomization",), trials=999, seed=int(rng.integers(1 << 30))
    )
    return score_table(
        ["base", "new", "other"], groups, settings, references="1", by="genre", slices=slices
    )


@pytest.mark.slow
def test_the_correction_covers_the_table() -> None:
    rng, tables = np.random.default_rng(3), 150
    corrected = plain = 0
    for _ in range(tables):
        table = noise(rng)
        verdicts = [
            one
            for part in table.slices
            for row in part.scores
            for score in row
            for one in score.tests
        ]
        assert len(verdicts) == table.families["randomization"].tests == 30
        corrected += any(one.significant for one in verdicts)
        plain += any(one.p_value <= 0.05 for one in verdicts)
    assert corrected / tables <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / tables)
    assert plain / tables > 0.5
    assert str(table.families["randomization"]) == (
        "max-T over 6 tests: 2 systems × 3 metrics, and Bonferroni over 5 slices"
    )
    assert str(table.cluster_family) == "max-T over 9 tests: 3 pairs × 3 metrics"


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("holm", "Holm over 6 tests: 3 systems × 2 metrics"),
        ("benjamini-hochberg", "Benjamini-Hochberg over 6 tests: 3 systems × 2 metrics"),
        ("none", "not corrected for 6 tests: 3 systems × 2 metrics"),
    ],
)
def test_families_are_named(correction: str, expected: str) -> None:
    sides = (("system", 3), ("metric", 2), ("slice", 1))
    family = Family(correction=correction, sides=sides)  # type: ignore[arg-type]
    assert str(family) == expected
    assert str(replace(family, sides=(("system", 1),))) == "a single test"


@pytest.mark.parametrize(
    ("systems", "expected"),
    [
        (1, "Bonferroni over 3 slices"),
        (2, "max-T over 2 tests: 2 systems, and Bonferroni over 3 slices"),
    ],
)
def test_slices_are_corrected_beside_the_tests_in_them(systems: int, expected: str) -> None:
    sides = (("system", systems), ("metric", 1), ("slice", 3))
    assert str(Family(correction="max-t", sides=sides)) == expected


@pytest.mark.parametrize(("correction", "trials"), [("holm", 119), ("max-t", 1), ("none", 1)])
def test_holm_needs_trials_for_each_of_its_tests(correction: str, trials: int) -> None:
    """The smallest p-value of N trials is 1/(N + 1), which times six tests may be 0.05."""
    family = Family(correction=correction, sides=(("system", 6),))  # type: ignore[arg-type]
    assert family.fewest_trials(0.05) == trials


def test_tables_show_p_values_and_families(capsys: pytest.CaptureFixture[str]) -> None:
    by = [*LABELLED, "--by", "genre", "--resample", "segments"]
    flags = [*FILES, "-m", "bleu", "wer", "--sections", "scores", *by]
    text = output(capsys, "compare", *flags)
    assert "max-T over 4 tests: 2 systems × 2 metrics, and Bonferroni over 3 slices" in text
    assert re.search(
        r"^ +alder .*\+15\.86 ± \d\.\d\d\* +<0\.0001 +<0\.0003 +1 ", text, re.MULTILINE
    )
    assert "(smallest with these trials: 0.0001)" in text
    latex = output(capsys, "compare", *flags, "-f", "latex")
    assert "% raw p: against birch, two-sided (smallest with these trials: 0.0001)" in latex
    assert "$<$0.0001" in latex
    scored = output(capsys, "score", *FILES, "-m", "bleu", "wer", "--paired-bs", "-f", "latex")
    assert "$<$0.0001$^*$" in scored
    assert "% corrected p: max-T over 4 tests: 2 systems × 2 metrics\n" in scored
    assert "% *: significant at the 5 % level" in scored


def test_documents_too_few_for_the_family_are_told(sample: Chunk) -> None:
    metrics = ["bleu", "wer", "ter"]
    found = compare(sample.corpus, sample.systems, metrics, sections=["scores"], correction="holm")
    assert found.scores is not None
    # Six tests: the smallest p-value of 8 documents, 2 / 256, is significant; of nine pairs not.
    assert not [one for one in found.scores.findings if one.startswith("randomization:")]
    assert (
        "clusters: 8 documents cannot find anything significant, fewer tests or another "
        "correction could (Holm over 9 tests: 3 pairs × 3 metrics)"
    ) in found.scores.findings
    usual = compare(sample.corpus, sample.systems, metrics, sections=["scores"])
    assert usual.scores is not None
    assert not [one for one in usual.scores.findings if "cannot find anything" in one]


# ---- clusters and floors --------------------------------------------------------------------


def test_a_cluster_means_what_it_says() -> None:
    """Two systems that differ, held together by a third: the words must not deny it."""
    rng = np.random.default_rng(7)
    rows = np.zeros((4, 200, len(WER.columns)))
    shares = np.array([0.30, 0.315, 0.33, 0.5])
    rows[..., 0], rows[..., -1] = rng.binomial(20, shares[:, np.newaxis], (4, 200)), 20
    names = ["a", "b", "c", "d"]
    (pairs,) = all_pairs_of([MetricRows(metric=WER, rows=rows)], names)
    assert pairs.clusters() == (("a", "b", "c"), ("d",))
    matrix = pairs.matrix()
    assert matrix[0, 2] <= 0.05  # inside a cluster some pairs may differ
    assert (matrix[:3, 3] <= 0.05).all()  # and all differ from all below
    assert "some pairs may differ" in CLUSTER


def test_no_page_denies_a_difference(sample: Chunk, capsys: pytest.CaptureFixture[str]) -> None:
    found = study(
        sample.corpus, sample.systems, ["bleu"], audit=False, resample="segments", most_explained=0
    )
    page = report.page(found)
    text = output(capsys, "compare", *FILES, "--sections", "scores")
    assert "cannot be told apart" not in page + text
    for shown in (page, text):
        assert "inside a cluster some pairs may differ" in shown
        assert "randomization" in shown
    assert "smallest with these trials: 0.0001" in page
    assert "95 % bootstrap intervals by 92 segments" in page


@pytest.mark.parametrize(
    ("p_value", "floor", "expected"),
    [
        (0.04321, 0.0, "0.0432"),
        (1 / 1001, 1 / 1001, "<0.0010"),
        (2 / 1001, 1 / 1001, "0.0020"),
        (1 / 10_001, 1 / 10_001, "<0.0001"),
        (2 / 10_001, 1 / 10_001, "0.0002"),
        (1 / 51, 1 / 51, "<0.0197"),
        (2**-40, 0.0, "<0.0001"),  # exact, but four digits can say no less
        (1.0, 0.5, "1.0000"),
    ],
)
def test_p_values_say_no_more_than_trials_can(p_value: float, floor: float, expected: str) -> None:
    assert p_value_text(p_value, floor) == expected


def test_the_smallest_reportable_p_value_of_a_test() -> None:
    """1 / (1 + trials), times the tests that Holm counts; exact tests have no such limit."""
    made = BaselineTest(method="bootstrap", trials=99, seed=1, unit="segment", units=9)
    assert (made.exact, made.significant, made.p_value, made.family) == (False, False, None, "")
    assert made.to_dict()["floor"] == made.floor == made.adjusted_floor == 0.01
    assert made._replace(covered=3).adjusted_floor == pytest.approx(0.03)
    assert made._replace(covered=300).adjusted_floor == 1
    assert made._replace(exact=True).to_dict()["floor"] == 0
