"""What a fit may be tried on: never on systems that it has seen under another criterion."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.meta import FitCase, fit
from tertium.meta.fit.cases import cases_by_test_set, matched_case, splits_of
from tertium.meta.ratings.judgments import Judgments
from tertium.metrics.contract.table import parse_metric
from tests.support.commands import json_output
from tests.support.fitting import planted, texts_of


def rated(case: FitCase, criterion: str, values: Sequence[float]) -> FitCase:
    judgments = replace(case.judgments, criterion=criterion, values=np.array(values), segments=None)
    return replace(case, judgments=judgments)


@pytest.mark.slow
def test_random_ratings_are_not_foretold() -> None:
    """Adequacy and fluency are one random number each, much alike, as people's often are.

    Whatever is fitted to them is worth nothing on systems that were held out: the mean gain over
    the metric's own parameters is not above 0 by more than two standard errors. Held out by
    criterion, the gain is well above 0.
    """
    rng = np.random.default_rng(5)
    corpus, systems = texts_of(3, 12, 20)
    names = tuple(one.name for one in systems)
    gains = []
    for _ in range(30):
        adequacy = rng.normal(size=12)
        cases = [
            FitCase(
                judgments=Judgments(name="toy", criterion=criterion, systems=names, values=values),
                corpus=corpus,
                systems=systems,
            )
            for criterion, values in (
                ("adequacy", adequacy),
                ("fluency", adequacy + 0.3 * rng.normal(size=12)),
            )
        ]
        found = fit("grr", cases, evaluations=40)
        assert found.validation == "systems"
        gains.append(found.held_out - found.held_out_default)
    error = np.std(gains, ddof=1) / len(gains) ** 0.5
    assert np.mean(gains) <= 2 * error


def test_a_system_is_held_out_under_all_criteria_at_once() -> None:
    case = planted("bleu", systems=12)
    rng = np.random.default_rng(0)
    cases = [case, rated(case, "fluency", rng.normal(size=12).tolist())]
    matched = [matched_case(one, parse_metric("bleu"), "pearson", fixed=True) for one in cases]
    how, splits = splits_of(matched, None, None, 1)
    assert how == "systems"
    for _, (adequacy, fluency) in splits:
        assert adequacy == fluency
        assert len(adequacy or ()) >= 3
    held = sorted(place for _, (some, _) in splits for place in some or ())
    assert held == list(range(12))


def test_cases_that_share_an_output_are_one_test_set() -> None:
    first, other = planted("bleu", seed=1), planted("bleu", seed=2, name="later")
    cases = [first, other, rated(first, "fluency", list(range(12)))]
    matched = [matched_case(one, parse_metric("bleu"), "pearson", fixed=True) for one in cases]
    assert cases_by_test_set(matched) == [[0, 2], [1]]
    how, splits = splits_of(matched, None, None, 1)
    assert how == "test-sets"
    assert [name for name, _ in splits] == ["toy planted, toy fluency", "later planted"]
    _, (left, other_left, fluency_left) = splits[0]
    assert left == fluency_left == tuple(range(12))
    assert other_left is None


@pytest.mark.slow
def test_systems_that_one_criterion_lacks_are_no_obstacle() -> None:
    """People rated the fluency of seven systems only: a fold may have two of them."""
    case = planted("grr[alpha=2.0,beta=1.0]", systems=12)
    seven = replace(
        case,
        judgments=replace(
            case.judgments,
            criterion="fluency",
            systems=case.judgments.systems[:7],
            values=case.judgments.values[:7],
            segments=None,
        ),
    )
    found = fit("grr", [case, seven], evaluations=40)
    assert len(found.folds) == 2
    assert all(not np.isnan(one.fitted) for one in found.folds)


def test_a_system_rated_by_two_criteria_is_one_system() -> None:
    """Five systems under two criteria are too few for a fit, as five systems are."""
    case = planted("grr[alpha=2.0,beta=1.0]", systems=5)
    found = fit("grr", [case, rated(case, "fluency", [3, 1, 4, 1, 5])], evaluations=10)
    assert found.systems == 5
    assert found.warnings[0].startswith("5 systems are too few to fit anything")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus, systems = texts_of(3, 7, 10)
    rows = ["system\tcriterion\trating"]
    for number, one in enumerate(systems):
        texts = [text or "" for text in one.hypotheses.to_list()]
        (tmp_path / f"{one.name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
        rows += [f"{one.name}\t{name}\t{number}" for name in ("adequacy", "fluency")]
    references = [text or "" for text in corpus.references.columns[0].to_list()]
    (tmp_path / "ref").write_text("\n".join(references) + "\n", encoding="utf-8")
    (tmp_path / "ratings.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    words = [str(tmp_path / "ref"), "-i", *map(str, sorted(tmp_path.glob("s*.txt")))]
    words += ["-m", "grr", "--ratings", str(tmp_path / "ratings.tsv"), "--evaluations", "20"]
    [found] = json_output(capsys, "meta", "fit", *words)["fits"]
    assert found["validation"] == "systems"
    assert [one["name"] for one in found["folds"]] == ["fold 1 of 2", "fold 2 of 2"]
