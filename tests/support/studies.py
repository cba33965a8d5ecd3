"""The bundled sample, studied."""

from typing import Any

from tertium.cli.demo import SAMPLE
from tertium.study.results import Study
from tertium.study.study import study
from tertium.text.input_files import open_inputs

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
SYSTEMS = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]


def sample_study(*metrics: str, **options: Any) -> Study:
    """All systems of the sample, with its documents."""
    whole = open_inputs(REFERENCES, SYSTEMS, documents=str(SAMPLE / "documents.tsv")).load()
    return study(whole.corpus, whole.systems, metrics, command="tertium report x", **options)
