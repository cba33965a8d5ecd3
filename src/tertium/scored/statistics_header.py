"""What a file of statistics says of itself, so that its rows are known again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.version import __version__

KEY: Final = b"tertium"
"""The header's key in the metadata of the Parquet file."""

LABELS: Final = {
    "document": "documents",
    "genre": "genres",
    "paragraph": "paragraphs",
    "id": "ids",
}
"""Columns of the file that have a label for every segment, and the fields of a corpus they are."""

SEGMENT: Final = "segment"
LENGTH: Final = "reference_length"
"""Columns that every file has: the number of each segment, and the words of its references."""


def check_statistics_name(path: str) -> None:
    """Refuse a name that does not say Parquet, which is what will be written."""
    if not path.endswith(".parquet"):
        raise OptionError(f"statistics: found {path}, expected a name that ends in .parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMetric:
    """A metric as it was when rows were made."""

    spec: str
    signature: str
    columns: tuple[str, ...]
    fitted: bool = False
    """Whether the rows depend on all references of the corpus, so that none can be added."""

    @classmethod
    def of(cls, metric: Metric, references: str) -> Self:
        """What must be known of a metric."""
        return cls(
            spec=metric.recipe,
            signature=metric.signature(references),
            columns=metric.columns,
            fitted=metric.needs_fit,
        )

    @property
    def identity(self) -> str:
        """The signature without the number of references, which may differ between parts."""
        return self.signature.partition("|")[2]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "spec": self.spec,
            "signature": self.signature,
            "columns": list(self.columns),
            "fitted": self.fitted,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """All of it; ``first_segment`` is there if the rows are of a part of a corpus."""

    version: str
    corpus: str
    references: str
    systems: tuple[str, ...]
    metrics: tuple[KnownMetric, ...]
    labels: tuple[str, ...]
    first_segment: int | None

    def to_json(self) -> str:
        """The text that stands in the file."""
        return json.dumps(
            {
                "version": self.version,
                "first_segment": self.first_segment,
                "corpus": self.corpus,
                "references": self.references,
                "systems": list(self.systems),
                "labels": list(self.labels),
                "metrics": [one.to_dict() for one in self.metrics],
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str | bytes, place: str) -> Self:
        """The header of a file; an error says that it is damaged."""
        try:
            told = json.loads(text)
            return cls(
                version=told["version"],
                first_segment=told["first_segment"],
                corpus=told["corpus"],
                references=told["references"],
                systems=tuple(told["systems"]),
                labels=tuple(told["labels"]),
                metrics=tuple(
                    KnownMetric(**{**one, "columns": tuple(one["columns"])})
                    for one in told["metrics"]
                ),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{place}: found a header without sense ({error!r}), "
                "expected what 'tertium score --statistics' writes"
            ) from None

    @property
    def columns(self) -> list[str]:
        """The names of all columns of statistics, those of a system and metric together."""
        return [
            f"{system}/{metric.spec}/{column}"
            for system in self.systems
            for metric in self.metrics
            for column in metric.columns
        ]

    def built(self, place: str, given: Sequence[AnyMetric] = ()) -> tuple[Metric, ...]:
        """The metrics, ready to score rows; ``given`` are those that no text describes.

        They must be what they were when the rows were made.
        """
        if self.version != __version__:
            raise InputError(
                f"{place}: found statistics of tertium {self.version}, expected {__version__}, "
                "which reads them: score again"
            )
        known = {metric.spec: metric for metric in map(as_metric, given)}
        return tuple(self._built(one, place, known) for one in self.metrics)

    def _built(self, known: KnownMetric, place: str, given: dict[str, Metric]) -> Metric:
        try:
            metric = given.get(known.spec) or as_metric(known.spec)
        except TertiumError as error:
            raise InputError(f"{place}: {error}") from None
        now = KnownMetric.of(metric, self.references)
        if (now.identity, now.columns) != (known.identity, known.columns):
            raise InputError(
                f"{place}: found {known.spec} as {known.signature} ({', '.join(known.columns)}), "
                f"expected {now.signature} ({', '.join(now.columns)})"
            )
        return metric
