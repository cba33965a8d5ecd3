"""Formats of an evaluation, on scores written by hand so that every cell can be checked."""

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_metric
from tertium.plain import json_text
from tertium.report.console import console_text
from tertium.report.evaluation import (
    ScoreRow,
    best_values,
    columns,
    score_latex,
    score_lines,
    score_table,
    score_tsv,
    sections,
    short_signature,
    signature_notes,
    text_lines,
)
from tertium.results import Evaluation, Score, SystemScores, titles
from tertium.tables import escape_latex

SIGNATURE = parse_metric("bleu").signature(1)
SEGMENT_SIGNATURE = SIGNATURE.replace("eff:no", "eff:yes")


def score(value: float, metric: str | Metric = "bleu", **parts: object) -> Score:
    chosen = parse_metric(metric) if isinstance(metric, str) else metric
    statistics = np.zeros(len(chosen.columns))
    made = Score(metric=chosen, value=value, statistics=statistics, references="1")
    return replace(made, **parts)  # type: ignore[arg-type]


def evaluation(rows: dict[str, list[Score]], by: str | None = None) -> Evaluation:
    systems = [SystemScores(system=name, scores=tuple(scores)) for name, scores in rows.items()]
    return Evaluation(systems=tuple(systems), segments=2, by=by)


@pytest.fixture
def plain() -> Evaluation:
    return evaluation(
        {
            "base_line": [score(20.846), score(51.5, "wer")],
            "better": [score(31.0), score(42.25, "wer")],
        }
    )


@pytest.fixture
def sliced() -> Evaluation:
    slices = {"news": score(10.0), "web": score(30.0)}
    other = {"news": score(40.0), "web": score(5.0)}
    return evaluation(
        {"a": [score(20.0, slices=slices)], "b": [score(25.0, slices=other)]}, by="genre"
    )


@pytest.fixture
def segmented() -> Evaluation:
    first, second = np.array([0.0, 100.0]), np.array([12.34, 56.78])
    return evaluation({"a": [score(50.0, segments=first)], "b": [score(30.0, segments=second)]})


def joined(parts: Iterator[str]) -> list[str]:
    return "".join(parts).splitlines()


def test_tsv_has_all_digits(plain: Evaluation) -> None:
    assert joined(score_tsv(plain)) == [
        "system\tbleu\twer",
        "base_line\t20.846\t51.5",
        "better\t31.0\t42.25",
    ]


def test_tsv_of_slices(sliced: Evaluation) -> None:
    assert joined(score_tsv(sliced)) == [
        "genre\tsystem\tbleu",
        "all\ta\t20.0",
        "all\tb\t25.0",
        "news\ta\t10.0",
        "news\tb\t40.0",
        "web\ta\t30.0",
        "web\tb\t5.0",
    ]


def test_tsv_of_segments(segmented: Evaluation) -> None:
    assert joined(score_tsv(segmented, segments=True)) == [
        "segment\tsystem\tbleu",
        "1\ta\t0.0",
        "1\tb\t12.34",
        "2\ta\t100.0",
        "2\tb\t56.78",
    ]


@given(st.text(alphabet="a\t\n\r\\|é", min_size=1))
def test_a_row_stays_a_row_whatever_the_system_is_called(name: str) -> None:
    made = "".join(score_tsv(evaluation({name: [score(1.0)]})))
    assert [line.count("\t") for line in made.split("\n")] == [1, 1, 0]


def test_text_of_one_system_is_the_line_of_sacrebleu() -> None:
    metric = parse_metric("bleu")
    # sacreBLEU 2.6.0: corpus_bleu(["the cat sat on a mat"], [["the cat sat on the mat"]])
    row = metric.statistics(["the cat sat on a mat"], ["the cat sat on the mat"]).sum(axis=0)
    one = score(float(metric.score(row)), metric, statistics=row)
    details = "83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)"
    made = joined(text_lines(evaluation({"a": [one]})))
    assert made == [f"BLEU|{SIGNATURE} = 53.7 {details}"]


def test_text_names_systems_and_slices_where_there_are_several(sliced: Evaluation) -> None:
    heads = [line.split("\t")[:2] for line in joined(text_lines(sliced))]
    assert heads == [[system, part] for system in "ab" for part in ("all", "news", "web")]


def test_text_of_segments_has_the_signature_of_segments(segmented: Evaluation) -> None:
    one = replace(segmented, systems=segmented.systems[:1])
    assert joined(text_lines(one, segments=True)) == [
        f"BLEU|{SEGMENT_SIGNATURE} = 0.0",
        f"BLEU|{SEGMENT_SIGNATURE} = 100.0",
    ]
    assert joined(text_lines(segmented, segments=True))[1] == (
        f"1\tb\tBLEU|{SEGMENT_SIGNATURE} = 12.3"
    )


def test_scores_only(plain: Evaluation, segmented: Evaluation) -> None:
    assert joined(score_lines(plain)) == ["20.8\t51.5", "31.0\t42.2"]
    assert joined(score_lines(plain, decimals=0)) == ["21\t52", "31\t42"]
    assert joined(score_lines(segmented, segments=True)) == [
        "0.0",
        "12.3",
        "100.0",
        "56.8",
    ]


def test_latex_is_a_booktabs_table(plain: Evaluation) -> None:
    made = joined(score_latex(plain))
    assert made == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"system & BLEU & WER $\downarrow$ \\",
        r"\midrule",
        r"base\_line & 20.85 & 51.50 \\",
        r"better & \textbf{31.00} & \textbf{42.25} \\",
        r"\bottomrule",
        r"\end{tabular}",
        f"% BLEU: {SIGNATURE}",
        f"% WER: {parse_metric('wer').signature(1)}",
    ]


def test_latex_has_a_rule_for_each_slice_but_not_for_each_segment(
    sliced: Evaluation, segmented: Evaluation
) -> None:
    assert joined(score_latex(sliced)).count(r"\midrule") == 3
    assert joined(score_latex(segmented, segments=True)).count(r"\midrule") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b", r"a\_b"),
        ("100% & $5 #1", r"100\% \& \$5 \#1"),
        ("{x}", r"\{x\}"),
        ("~^\\", r"\textasciitilde{}\textasciicircum{}\textbackslash{}"),
    ],
)
def test_latex_escapes(text: str, expected: str) -> None:
    assert escape_latex(text) == expected


def test_json_numbers_are_numbers_with_their_signature(plain: Evaluation) -> None:
    made = json.loads(json_text(plain.to_dict()))
    one = made["systems"][0]["scores"][0]
    assert (one["metric"], one["score"], one["signature"]) == ("bleu", 20.846, SIGNATURE)
    assert one["statistics"]["hypothesis_length"] == 0.0


def test_json_has_no_number_that_json_does_not_know() -> None:
    made = json_text(evaluation({"é": [score(float("nan")), score(float("inf"))]}).to_dict())
    values = [one["score"] for one in json.loads(made)["systems"][0]["scores"]]
    assert values == [None, None]
    assert "é" in made  # text stays readable


def test_best_is_direction_aware_and_compares_what_is_shown(plain: Evaluation) -> None:
    rows, heads = next(sections(plain)), columns(plain)
    assert best_values(rows, heads, 2) == (31.0, 42.25)
    assert best_values(rows[:1], heads, 2) == (None, None)
    near = [
        ScoreRow(labels=(name,), values=(value, 0.0)) for name, value in [("a", 1.04), ("b", 1.01)]
    ]
    assert best_values(near, heads, 1)[0] == 1.0


def test_a_title_shows_options_only_where_two_would_be_the_same() -> None:
    average = parse_metric("bleu[reference_length=average]")
    assert titles([average]) == ["BLEU"]
    assert titles([parse_metric("bleu"), average, parse_metric("wer")]) == [
        "BLEU",
        "BLEU[reference_length=average]",
        "WER",
    ]


def test_plain_table(plain: Evaluation) -> None:
    assert console_text(score_table(plain)).splitlines() == [
        "system       BLEU   WER ↓",
        "─────────────────────────",
        "base_line   20.85   51.50",
        "better      31.00   42.25",
    ]


def test_table_of_slices_names_a_slice_once(sliced: Evaluation) -> None:
    made = console_text(score_table(sliced)).splitlines()
    assert [line for line in made[2:] if line.strip()] == [
        "all     a        20.00",
        "        b        25.00",
        "news    a        10.00",
        "        b        40.00",
        "web     a        30.00",
        "        b         5.00",
    ]


def test_nothing_is_cut_without_a_terminal() -> None:
    name = "a-very-long-system-name-" * 20
    made = console_text(score_table(evaluation({name: [score(1.0)], "[b]": [score(2.0)]})))
    assert name in made
    assert "[b]" in made  # no markup


def test_notes_tell_size_and_signatures(plain: Evaluation) -> None:
    made = console_text(signature_notes(plain)).splitlines()
    assert made[:2] == ["2 segments", f"BLEU  {SIGNATURE}"]
    short = console_text(signature_notes(plain, short=True)).splitlines()[1]
    assert short.startswith("BLEU  #:1|c:mixed|e:no|tok:13a|s:exp|v:tertium-")


def test_short_keys_are_those_of_sacrebleu() -> None:
    from sacrebleu.metrics.bleu import BLEU

    theirs = BLEU(trg_lang="en")
    theirs.corpus_score(["a"], [["a"]])
    full, short = theirs.get_signature().format(), theirs.get_signature().format(short=True)
    assert short_signature(full) == short
