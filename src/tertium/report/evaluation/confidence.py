"""What stands beside a score: how far it may be off, and whether it differs from the baseline."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tertium.plurals import counted
from tertium.results import BaselineTest, Evaluation, Interval, Score


def drawn_text(made: Interval | BaselineTest) -> str:
    """What was resampled: the unit and how many there are; nothing where that is not known."""
    return "" if made.unit is None else f" by {counted(made.units or 0, made.unit)}"


class EvidenceColumn(NamedTuple):
    """A column that follows the scores of each metric."""

    title: str
    latex: str
    text: Callable[[Score, int], str]


def evidence_columns(evaluation: Evaluation) -> tuple[EvidenceColumn, ...]:
    """The columns that an evaluation with intervals or tests needs; none for a plain one."""
    score = evaluation.systems[0].scores[0]
    found = []
    if score.interval is not None:
        level = f"{100 * score.interval.level:g}"
        marks = {"percentile": ("± ", "$\\pm$ "), "bca": ("BCa ", "BCa ")}
        mark, latex = marks[score.interval.method]
        found.append(
            EvidenceColumn(
                title=f"{mark}{level} %", latex=f"{latex}{level}\\,\\%", text=_interval_text
            )
        )
    if score.test is not None:
        found.append(EvidenceColumn(title="raw p", latex="raw $p$", text=_raw_p_text))
        if score.test.kind == "two-sided":
            column = EvidenceColumn(
                title="corrected p", latex="corrected $p$", text=_corrected_p_text
            )
            found.append(column)
    return tuple(found)


def evidence_cells(
    columns: Sequence[EvidenceColumn], score: Score | None, decimals: int
) -> list[str]:
    """What these columns show beside a score; nothing beside one that has no evidence."""
    return [column.text(score, decimals) if score else "" for column in columns]


def _interval_text(score: Score, decimals: int) -> str:
    if score.interval is None:
        return ""
    # The heading of the column has the sign.
    return score.interval.text(decimals + score.metric.finer).removeprefix("± ")


def _raw_p_text(score: Score, _: int) -> str:
    if score.test is None or score.test.p_value is None:
        return ""
    from tertium.inference.p_values import p_value_text

    # What follows the number keeps the digits of a column under one another.
    alone = score.test.kind == "sacrebleu"  # not corrected, so that the star stands here
    star = ("*" if score.test.significant else " ") if alone else ""
    return p_value_text(score.test.p_value, score.test.floor) + star


def _corrected_p_text(score: Score, _: int) -> str:
    if score.test is None or score.test.adjusted_p_value is None:
        return ""
    from tertium.inference.p_values import p_value_text

    star = "*" if score.test.significant else " "
    return p_value_text(score.test.adjusted_p_value, score.test.adjusted_floor) + star


def evidence_numbers(score: Score) -> dict[str, float | None]:
    """The same for programs: names and numbers, in the order of columns."""
    numbers: dict[str, float | None] = {}
    if score.interval is not None:
        numbers |= {"low": score.interval.low, "high": score.interval.high}
    if score.test is not None:
        numbers |= {"p": score.test.p_value, "adjusted_p": score.test.adjusted_p_value}
    return numbers


def score_text(score: Score, decimals: int) -> str:
    """A score as sacreBLEU's lines have it: ``22.7 (μ = 22.6 ± 0.6) (p = 0.0310)``."""
    decimals += score.metric.finer
    text = f"{score.value:.{decimals}f}"
    if score.interval is not None:
        text += f" (μ = {score.interval.mean:.{decimals}f} {score.interval.text(decimals)})"
    if score.test is not None and score.test.p_value is not None:
        from tertium.inference.p_values import p_value_text

        shown = p_value_text(score.test.p_value, score.test.floor)
        text += f" (p {shown[0]} {shown[1:]})" if shown[0] == "<" else f" (p = {shown})"
    return text


def evidence_notes(evaluation: Evaluation, *, segments: bool = False) -> list[str]:
    """What a reader must know of the columns beside the scores, which segments do not have."""
    warnings = [f"warning: {one}" for one in evaluation.warnings]
    if segments:
        return warnings
    score = evaluation.systems[0].scores[0]
    notes = []
    if score.interval is not None:
        notes.append(
            f"{_interval_note(score.interval)}{drawn_text(score.interval)}, "
            f"{score.interval.trials} resamples, seed {score.interval.seed}"
        )
    if score.test is not None:
        notes += _test_notes(evaluation.systems[0].system, score.test)
    return [*notes, *warnings]


def _interval_note(interval: Interval) -> str:
    level = f"{100 * interval.level:g} %"
    if interval.method == "bca":
        return f"BCa {level}: bias-corrected and accelerated bootstrap interval"
    return f"± {level}: half the width of the bootstrap interval"


def _test_notes(baseline: str, test: BaselineTest) -> list[str]:
    from tertium.inference.p_values import least_text

    kind = "two-sided" if test.kind == "two-sided" else "one-sided as in sacreBLEU and Moses"
    if test.exact:
        method = f"exact randomization{drawn_text(test)}, {kind}, all {test.trials} swaps"
    else:
        method, trials = {
            "bootstrap": ("paired bootstrap", "resamples"),
            "randomization": ("approximate randomization", "trials"),
        }[test.method]
        method = (
            f"{method}{drawn_text(test)}, {kind}, {test.trials} {trials} "
            f"(smallest: {least_text(test.floor)}), seed {test.seed}"
        )
    level = f"{100 * (1 - test.level):g} % level"
    notes = [f"raw p: against {baseline}, {method}"]
    if test.kind == "two-sided":
        notes.append(f"corrected p: {test.family}")
    family = f"; {test.family}" if test.kind != "two-sided" and test.family else ""
    return [*notes, f"*: significant at the {level}{family}"]
