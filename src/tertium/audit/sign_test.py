"""Audit: does the sign test contradict itself, or the scores? (Chiang et al. 2008, section 3.1)."""

from typing import Final

import numpy as np

from tertium.audit.case import Case
from tertium.audit.findings import Finding
from tertium.audit.leads import lead
from tertium.inference.sign_test import SignTest, Substitutions, substitutions

NAME: Final = "sign-test"


def sign_test(case: Case) -> list[Finding]:
    """Pairs of which each system is "significantly better" than the other come first.

    Under a metric that is a mean of segment scores with fixed weights, an output that improves
    one system worsens the other by being taken away, so a mutual contradiction cannot happen.
    """
    tests = {pair: pair_test(case, *pair) for pair in case.pairs}
    return [
        _finding(case, pair, test)
        for pair, test in tests.items()
        if test.contradicts_itself or test.contradicts_scores
    ]


def pair_test(case: Case, better: int, worse: int) -> SignTest:
    """The sign test of a pair in both directions; the system with the better score is first."""
    scores = case.scores
    into_better, into_worse = replaced(case, better, worse)
    return SignTest(
        metric=case.metric,
        baseline=float(scores[better]),
        system=float(scores[worse]),
        into_baseline=into_better,
        into_system=into_worse,
    )


def replaced(case: Case, first: int, second: int) -> tuple[Substitutions, Substitutions]:
    """What each system's segments do to the other's score; other audits ask for it too."""
    columns = case.kept("columns", lambda: np.ascontiguousarray(case.rows.swapaxes(1, 2)))
    return case.kept(
        ("substitutions", first, second),
        lambda: substitutions(
            case.metric, columns[first].T, columns[second].T, level=1 - case.alpha
        ),
    )


def _finding(case: Case, pair: tuple[int, int], test: SignTest) -> Finding:
    first, second = (case.names[i] for i in pair)
    into_first, into_second = test.into_baseline, test.into_system
    mutual = test.contradicts_itself
    by_score = lead(case, pair)
    p_values = into_first.p_value, into_second.p_value
    if mutual:
        word = "better" if into_first.verdict > 0 else "worse"
        meaning = (
            f"By the sign test {second} is significantly {word} than {first} "
            f"(p = {p_values[0]:.2g}), and {first} than {second} (p = {p_values[1]:.2g})."
        )
        advice = (
            "Do not use the sign test with this metric; use bootstrap resampling or approximate "
            "randomization, or a decomposable metric such as GRR."
        )
    else:
        deviating = into_first.verdict > 0
        owner, p_value = (first, p_values[0]) if deviating else (second, p_values[1])
        meaning = (
            f"{first} has the better score ({by_score}), but segment by segment, in the company "
            f"of {owner}'s others, the sign test finds {second} significantly better "
            f"(p = {p_value:.2g})."
        )
        paid = case.metric.penalised_lengths == "corpus"
        advice = (
            "Few segments with large differences outweigh many with small ones"
            f"{', or long segments make up for short ones' if paid else ''}: look at the segments "
            "before claiming either."
        )
    words, targets = case.lengths.words, case.lengths.closest
    return Finding(
        audit=NAME,
        metric=case.metric.spec,
        systems=(first, second),
        severity="serious" if mutual else "warning",
        size=by_score.share,
        numbers={
            "mutual": mutual,
            "lead": by_score.to_dict(),
            "scores": {first: test.baseline, second: test.system},
            "length_ratios": {
                case.names[i]: float(words[i].sum() / max(1.0, targets[i].sum())) for i in pair
            },
            f"{second} into {first}": into_first.to_dict(),
            f"{first} into {second}": into_second.to_dict(),
            "p_value": max(p_values) if mutual else min(p_values),
        },
        meaning=meaning,
        advice=advice,
    )
