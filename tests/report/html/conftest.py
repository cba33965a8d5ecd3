"""A browser, and the report of the sample to open in it."""

from pathlib import Path

import pytest

from tertium import report
from tertium.cli.demo import SAMPLE
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.contract.table import AnyMetric
from tertium.study.study import study
from tertium.text.input_files import open_inputs


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    references = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
    systems = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
    whole = open_inputs(
        references,
        systems,
        source=str(SAMPLE / "source.de"),
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    path = tmp_path_factory.mktemp("report") / "report.html"
    names = NamedEntityEvaluator(annotations=str(SAMPLE / "entities.jsonl"), quantities=False)
    metrics: list[AnyMetric] = ["bleu", "ter", names]
    result = study(whole.corpus, whole.systems, metrics, trials=200, command="tertium …")
    path.write_text(report.page(result), encoding="utf-8")
    return path
