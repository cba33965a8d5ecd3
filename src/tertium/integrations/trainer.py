"""``compute_metrics`` for Hugging Face's ``Trainer`` and ``Seq2SeqTrainer``.

>>> from transformers import Seq2SeqTrainer  # doctest: +SKIP
>>> Seq2SeqTrainer(..., compute_metrics=ComputeMetrics(tokenizer))  # doctest: +SKIP
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np

from tertium.errors import InputError
from tertium.evaluation import score
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.text.references import References, SegmentReferences

NO_LABEL: Final = -100
"""What fills up labels and predictions of different lengths; no token has it."""


class DecodingTokenizer(Protocol):
    """What is used of a tokenizer of ``transformers``."""

    pad_token_id: int | None

    def batch_decode(self, sequences: Any, *, skip_special_tokens: bool) -> list[str]:
        """The text of each row of token numbers."""
        ...


class Predictions(Protocol):
    """What is read of an ``EvalPrediction``."""

    predictions: Any
    label_ids: Any


class ComputeMetrics:
    """Scores of what a model wrote beside the texts of its labels, or beside ``references``.

    Predictions may be numbers of tokens, logits, or a tuple that begins with one of them. With
    ``references`` the labels are not read; they are those of the whole evaluation set, in its
    order. The trainer's option ``batch_eval_metrics`` works, too: texts are kept until the last
    batch has come.
    """

    def __init__(
        self,
        tokenizer: DecodingTokenizer,
        metrics: Sequence[AnyMetric] = ("bleu", "chrf"),
        *,
        references: Sequence[SegmentReferences] | None = None,
    ) -> None:
        self.tokenizer = tokenizer
        self.metrics = tuple(as_metric(metric) for metric in metrics)
        self.references = references
        self._hypotheses: list[str] = []
        self._labels: list[str] = []

    def __call__(
        self,
        prediction: Predictions,
        compute_result: bool | None = None,  # noqa: FBT001
    ) -> dict[str, float]:
        """The score of each metric by its name; of a batch that is not the last, nothing."""
        self._hypotheses += self._texts(token_numbers(prediction.predictions))
        if self.references is None:
            if prediction.label_ids is None:
                raise InputError("labels: found none, expected label_ids or references=…")
            self._labels += self._texts(token_numbers(prediction.label_ids))
        if compute_result is False:
            return {}
        hypotheses, labels = self._hypotheses, self._labels
        self._hypotheses, self._labels = [], []
        shared = References.of(labels if self.references is None else self.references)
        return {metric.spec: score(hypotheses, shared, metric).value for metric in self.metrics}

    def _texts(self, numbers: Any) -> list[str]:
        padding = self.tokenizer.pad_token_id
        if padding is None:
            # The rows are cut where they were filled up: there is no token to fill them with.
            kept = [row[row != NO_LABEL] for row in numbers]
            return self.tokenizer.batch_decode(kept, skip_special_tokens=True)
        filled = np.where(numbers == NO_LABEL, padding, numbers)
        return self.tokenizer.batch_decode(filled, skip_special_tokens=True)


def token_numbers(predictions: Any) -> Any:
    """The numbers of tokens, (segments, tokens): of logits those that are highest.

    >>> token_numbers((np.array([[[0.1, 0.9], [0.8, 0.2]]]), "hidden states"))
    array([[1, 0]])
    """
    first = predictions[0] if isinstance(predictions, (tuple, list)) else predictions
    numbers = np.asarray(first.cpu() if hasattr(first, "cpu") else first)
    if numbers.ndim == 3:
        numbers = numbers.argmax(axis=-1)
    if numbers.ndim != 2:
        raise InputError(
            f"predictions: found {numbers.ndim} dimensions, expected 2 (segments, tokens) "
            "or 3 (segments, tokens, vocabulary)"
        )
    return numbers


def best_tokens(logits: Any, labels: Any) -> Any:  # noqa: ARG001 - as the trainer calls it
    """For ``preprocess_logits_for_metrics``: keeps the best token's number, not all logits.

    Without it the trainer holds a number for every word of the vocabulary at every position.
    """
    first = logits[0] if isinstance(logits, (tuple, list)) else logits
    return first.argmax(-1)
