"""Metrics in the Language Model Evaluation Harness: a task in YAML, with a model that knows it."""

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tests.support.integrations.texts import HYPOTHESES, REFERENCES, value

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

pytest.importorskip("lm_eval", reason="lm-eval is missing: make test-integrations")
registry = pytest.importorskip("lm_eval.api.registry")

from tertium.integrations.lm_eval import (  # noqa: E402
    Judged,
    corpus_score,
    judged,
    several_references,
    spec_of,
)

TASK = """
task: made_up
dataset_path: json
dataset_kwargs:
  data_files: {{test: {data}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{source}}}}"
doc_to_target: "{{{{reference}}}}"
generation_kwargs: {{until: ["<end>"]}}
{metrics}
"""
ONE = """
metric_list:
  - metric: tertium_chrf
    word_order: 2
    aggregation: !function tertium.integrations.lm_eval.corpus_score
    higher_is_better: true
  - metric: tertium_ter
    aggregation: tertium
    higher_is_better: false
"""
SEVERAL = """
process_results: !function utils.process_results
metric_list:
  - metric: tertium_bleu
    aggregation: !function tertium.integrations.lm_eval.corpus_score
    higher_is_better: true
"""
UTILS = """
from tertium.integrations.lm_eval import several_references

process_results = several_references("references", "bleu")
"""


def knowing() -> Any:
    model: Any = pytest.importorskip("lm_eval.api.model").LM

    class Knowing(model):  # type: ignore[misc]
        def generate_until(self, requests: Any, **_: Any) -> list[str]:
            return [HYPOTHESES[int(one.args[0])] for one in requests]

        def loglikelihood(self, requests: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any) -> Any:
            raise NotImplementedError

    return Knowing()


def results(folder: Path, metrics: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", folder / "cache")
    data = folder / "data.jsonl"
    rows = [
        json.dumps({"source": str(place), "reference": one[0], "references": one})
        for place, one in enumerate(REFERENCES)
    ]
    data.write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "utils.py").write_text(UTILS, encoding="utf-8")
    task = TASK.format(data=data, metrics=metrics)
    (folder / "made_up.yaml").write_text(task, encoding="utf-8")
    manager = pytest.importorskip("lm_eval.tasks").TaskManager
    found = pytest.importorskip("lm_eval").simple_evaluate(
        model=knowing(),
        tasks=["made_up"],
        task_manager=manager(include_path=str(folder), include_defaults=False),
        bootstrap_iters=0,
    )
    return {
        name.partition(",")[0]: number
        for name, number in found["results"]["made_up"].items()
        if name.startswith("tertium")
    }


def test_a_task_names_metrics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    single = [[one[0]] for one in REFERENCES]
    found = results(tmp_path, ONE, monkeypatch)
    assert found["tertium_chrf"] == value("chrf[word_order=2]", HYPOTHESES, single)
    assert found["tertium_ter"] == value("ter", HYPOTHESES, single)


def test_a_task_with_several_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = results(tmp_path, SEVERAL, monkeypatch)
    assert found["tertium_bleu"] == value("bleu", HYPOTHESES, REFERENCES)


def test_every_metric_is_registered_with_its_direction() -> None:
    from tertium.metrics.contract.table import METRICS

    for name in METRICS:
        assert registry.get_metric(f"tertium_{name}") is not None
        assert registry.is_higher_better(f"tertium_{name}") == METRICS[name].higher_is_better
        assert registry.get_metric_aggregation(f"tertium_{name}") is corpus_score
    assert registry.get_metric("bleu") is not None  # the harness's own are there, too


def test_options_are_those_of_the_metric() -> None:
    one = judged("bleu", references=["a"], predictions=["b"], tokenizer="intl", lowercase=True)
    assert one == Judged("bleu[tokenizer=intl,lowercase=yes]", "b", ("a",))
    assert judged("wer", references=[["a", "b"]], predictions=["c"]) == ("wer", "c", ("a", "b"))
    assert spec_of("chrf", {"word_order": 2, "lowercase": False}) == "chrf[word_order=2]"
    with pytest.raises(tertium.OptionError, match="tokeniser"):
        spec_of("bleu", {"tokeniser": "intl"})


def test_refusals() -> None:
    with pytest.raises(tertium.InputError, match="corpus_score: found no document, expected"):
        corpus_score([])
    with pytest.raises(tertium.InputError, match="corpus_score: found bleu, ter, expected"):
        corpus_score([Judged("bleu", "a", ("a",)), Judged("ter", "a", ("a",))])
    with pytest.raises(tertium.OptionError, match="several_references: found no metric"):
        several_references("references")
    with pytest.raises(tertium.InputError, match=r"found no column 'gold' \(but text\), expected"):
        several_references("gold", "bleu")({"text": "a"}, ["b"])
