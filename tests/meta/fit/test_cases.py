"""What fitting is given: statistics that depend on parameters, and cases that do not fit."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.meta.agreement.shared_systems import of_systems
from tertium.meta.fit.cases import FitCase, matched_case, statistics_are_fixed
from tertium.meta.fit.fits import fit
from tertium.meta.ratings.judgments import Judgments
from tertium.metrics.contract.table import parse_metric
from tertium.text.corpus import System
from tests.support.fitting import planted

# ---- statistics -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "fixed"), [("amber", True), ("bleu[weights=0.2+0.3+0.4+0.1]", True), ("grr", False)]
)
def test_which_parameters_enter_the_statistics(spec: str, *, fixed: bool) -> None:
    metric = parse_metric(spec)
    every = range(len(metric.parameters()))
    assert statistics_are_fixed(planted("bleu"), metric, list(every)) is fixed


def test_a_wrong_guess_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    case = planted("grr[alpha=0.2,beta=1.5]")
    right = fit("grr", [case], evaluations=30, validation="none")
    monkeypatch.setattr("tertium.meta.fit.fits.statistics_are_fixed", lambda *_: True)
    assert fit("grr", [case], evaluations=30, validation="none").to_dict() == right.to_dict()


def test_some_systems_of_a_case() -> None:
    case = matched_case(planted("bleu"), parse_metric("bleu"), "pearson", fixed=True)
    some = of_systems(case.aligned, [3, 1, 4])
    assert some.systems == ("s3", "s1", "s4")
    np.testing.assert_array_equal(some.ratings, case.aligned.ratings[[3, 1, 4]])


# ---- errors ---------------------------------------------------------------------------------


def tied(case: FitCase) -> FitCase:
    judgments = Judgments(
        name="toy",
        criterion="tied",
        systems=case.judgments.systems,
        values=np.ones(len(case.systems)),
    )
    return FitCase(judgments=judgments, corpus=case.corpus, systems=case.systems)


def lonely(case: FitCase) -> FitCase:
    """Only one of the systems was rated."""
    judgments = Judgments(
        name="toy", criterion="few", systems=case.judgments.systems[:1], values=np.ones(1)
    )
    return FitCase(judgments=judgments, corpus=case.corpus, systems=case.systems)


@pytest.mark.parametrize(
    ("metric", "change", "options", "message"),
    [
        ("wer", None, {}, "wer: found no free parameters, expected some to fit"),
        ("grr", None, {"parameters": ["alfa"]}, "unknown parameter of grr 'alfa'; did you mean"),
        ("grr", None, {"bounds": {"alpha": (2, 3)}}, "found alpha=1, expected within its bounds"),
        ("grr", None, {"measure": "r"}, "unknown measure 'r'"),
        ("grr", None, {"validation": "test-sets"}, "found 1 test set, expected at least 2"),
        ("grr", None, {"validation": "all"}, "unknown validation 'all'"),
        ("grr", None, {"folds": 9}, "folds: found 9, expected 2 to 4"),
        ("grr", None, {"shrinkage": -1}, "shrinkage: found -1, expected 0 or more"),
        ("grr", None, {"optimiser": "adam"}, "unknown optimiser 'adam'"),
        ("grr", None, {"evaluations": 0}, "evaluations: found 0"),
        ("grr", lonely, {}, "found 1 system with rating and score, expected at least 2"),
        ("grr", tied, {}, "grr: its pearson with people is not defined on all of toy tied"),
    ],
)
def test_errors(
    metric: str,
    change: Callable[[FitCase], FitCase] | None,
    options: dict[str, Any],
    message: str,
) -> None:
    case = planted("bleu")
    with pytest.raises((InputError, OptionError), match=message):
        fit(metric, [change(case) if change else case], **({"evaluations": 5} | options))


def test_cases_that_do_not_fit() -> None:
    case = planted("bleu")
    with pytest.raises(InputError, match="found 'toy planted' twice, expected different cases"):
        fit("grr", [case, case])
    with pytest.raises(InputError, match="found no rated systems"):
        fit("grr", [])
    short = System(name="short", hypotheses=Texts(["a"]))
    with pytest.raises(InputError, match=r"short: 1 segment, expected 40 \(reference ref\)"):
        FitCase(judgments=case.judgments, corpus=case.corpus, systems=(short,))
