"""The metric in Hugging Face's ``evaluate``: loaded, combined, fed in pieces; without a network."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tests.support.integrations.texts import (
    HYPOTHESES,
    METRICS,
    REFERENCES,
    SCRIPT_REFERENCES,
    SCRIPTS,
    value,
)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

evaluate = pytest.importorskip("evaluate", reason="evaluate is missing: make test-integrations")

from tertium.integrations.evaluate import SCRIPT, Tertium  # noqa: E402


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", str(tmp_path))
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", True)


def loaded(spec: str, **options: Any) -> Any:
    return evaluate.load(SCRIPT, spec, **options)


@pytest.mark.parametrize("metric", METRICS)
def test_a_loaded_metric_has_the_bits_of_score(metric: str) -> None:
    found = loaded(metric).compute(predictions=HYPOTHESES, references=REFERENCES)
    expected = tertium.score(HYPOTHESES, REFERENCES, metric)
    spec = tertium.parse_metric(metric).spec
    assert found == {spec: expected.value, f"{spec} signature": expected.signature}


def test_pieces_and_single_references() -> None:
    metric = loaded("bleu")
    single = [one[0] for one in REFERENCES]
    metric.add(prediction=HYPOTHESES[0], reference=single[0])
    metric.add_batch(predictions=HYPOTHESES[1:], references=single[1:])
    assert metric.compute()["bleu"] == tertium.score(HYPOTHESES, single).value


def test_several_metrics_in_one_and_by_argument() -> None:
    expected = {name: value(name, HYPOTHESES, REFERENCES) for name in ("ter", "chrf")}
    both = Tertium("ter", "chrf").compute(predictions=HYPOTHESES, references=REFERENCES)
    asked = loaded("bleu").compute(
        predictions=HYPOTHESES, references=REFERENCES, metrics=["ter", "chrf"]
    )
    assert both == asked
    assert {name: both[name] for name in expected} == expected


def test_combined() -> None:
    combined = evaluate.combine([Tertium("ter"), loaded("chrf"), SCRIPT])
    found = combined.compute(predictions=HYPOTHESES, references=REFERENCES)
    for name in ("ter", "chrf", "bleu"):
        assert found[name] == value(name, HYPOTHESES, REFERENCES)


def test_a_metric_that_sees_all_references_first() -> None:
    found = Tertium("nist").compute(predictions=HYPOTHESES, references=REFERENCES)
    assert found["nist"] == value("nist", HYPOTHESES, REFERENCES)


def test_other_scripts_and_empty_texts() -> None:
    for keep in (False, True):
        module = Tertium("chrf", keep_in_memory=keep)
        found = module.compute(predictions=SCRIPTS, references=SCRIPT_REFERENCES)
        assert found["chrf"] == value("chrf", SCRIPTS, SCRIPT_REFERENCES)


def test_a_spec_with_a_path_stays_in_the_folder(tmp_path: Path) -> None:
    module = Tertium("bleu[tokenizer=intl]", "chrf")
    assert Path(module.data_dir).is_relative_to(tmp_path)
    absolute = Tertium('command[run="/bin/cat ../x"]')
    assert Path(absolute.data_dir).resolve().is_relative_to(tmp_path)


def test_unknown_names_and_lengths() -> None:
    with pytest.raises(tertium.OptionError, match="unknown metric 'blue'; did you mean 'bleu'"):
        Tertium("blue")
    with pytest.raises(ValueError, match="Mismatch in the number of predictions"):
        Tertium("bleu").compute(predictions=["a"], references=["a", "b"])
