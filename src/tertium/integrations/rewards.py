"""Rewards for training by samples: minimum risk, policy gradients, GRPO.

A reward is the score of a segment with the sign that makes higher better.

>>> rewards([["a cat", "a dog sat"], ["the house"]], ["a cat", "the house"], "wer")
[array([   0., -100.]), array([0.])]
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.integrations.packages import package, ready
from tertium.metrics.contract.base import Metric, Scores
from tertium.metrics.contract.table import AnyMetric
from tertium.plurals import counted
from tertium.text.references import SegmentReferences

Baseline: TypeAlias = Literal["none", "mean", "others"]
"""What is subtracted: nothing, the mean of the samples of one source, or that of the others."""


def rewards(
    samples: Sequence[Sequence[str]],
    references: Sequence[SegmentReferences],
    metric: AnyMetric = "chrf",
    *,
    baseline: Baseline = "none",
    scale: float = 1.0,
) -> list[Scores]:
    """The rewards of the samples of each source, as one array for each.

    ``baseline`` "mean" subtracts the mean of the source's samples, "others" the mean of all
    samples but the one that is judged, which keeps gradients unbiased. ``scale`` is a factor:
    0.01 brings a score of 0 to 100 to 0 to 1.
    """
    if len(samples) != len(references):
        raise InputError(
            f"samples: {counted(len(samples), 'source')}, expected {len(references)} (references)"
        )
    chosen = _checked(metric, baseline)
    counts = [len(some) for some in samples]
    flat = [text for some in samples for text in some]
    theirs = [
        reference for reference, count in zip(references, counts, strict=True) for _ in range(count)
    ]
    scores = signed_scores(chosen, flat, theirs) * scale
    ends = np.cumsum(counts).tolist()
    return [
        centred(scores[end - count : end], baseline)
        for end, count in zip(ends, counts, strict=True)
    ]


def reward_tensor(
    samples: Sequence[Sequence[str]],
    references: Sequence[SegmentReferences],
    metric: AnyMetric = "chrf",
    *,
    baseline: Baseline = "none",
    scale: float = 1.0,
    device: Any = None,
) -> Any:
    """`rewards` as a tensor, (sources, samples); every source has the same number of samples."""
    counts = {len(some) for some in samples}
    if len(counts) > 1:
        raise InputError(
            f"samples: found {min(counts)} to {max(counts)} for a source, expected as many for each"
        )
    torch = package("torch", "rewards", "torchmetrics")
    values = rewards(samples, references, metric, baseline=baseline, scale=scale)
    return torch.tensor(np.array(values), dtype=torch.float64, device=device)


class Reward:
    """A reward function for trainers such as TRL's: ``reward(prompts, completions, **columns)``.

    The column ``references`` of the data set has the reference of each completion, or a list of
    several. Completions may be texts or conversations, of which the last message counts. A
    baseline is taken over completions of equal prompts; GRPO subtracts one of its own.

    >>> reward = Reward("chrf", scale=0.01)
    >>> reward(prompts=["x", "x"], completions=["a cat", "dog"], references=["a cat", "a cat"])
    [1.0, 0.0]
    """

    def __init__(
        self,
        metric: AnyMetric = "chrf",
        *,
        column: str = "references",
        baseline: Baseline = "none",
        scale: float = 1.0,
    ) -> None:
        self.metric = _checked(metric, baseline)
        self.column = column
        self.baseline: Baseline = baseline
        self.scale = scale
        # Trainers log it by this name.
        self.__name__ = self.metric.spec

    def __call__(
        self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
    ) -> list[float | None]:
        """The reward of each completion; None where the metric has no score."""
        references = columns.get(self.column)
        if references is None:
            known = ", ".join(columns) or "none"
            raise InputError(
                f"columns: found no '{self.column}' (but {known}), expected references"
            )
        for name, values in (("prompts", prompts), (self.column, references)):
            if len(values) != len(completions):
                raise InputError(
                    f"{name}: {counted(len(values), 'row')}, expected {len(completions)} "
                    "(completions)"
                )
        texts = [text_of(completion) for completion in completions]
        scores = signed_scores(self.metric, texts, references) * self.scale
        if self.baseline != "none":
            groups: dict[Hashable, list[int]] = {}
            for index, prompt in enumerate(prompts):
                groups.setdefault(text_of(prompt, whole=True), []).append(index)
            for places in groups.values():
                scores[places] = centred(scores[places], self.baseline)
        return [None if np.isnan(value) else value for value in scores.tolist()]


def signed_scores(
    metric: Metric, hypotheses: Sequence[str], references: Sequence[SegmentReferences]
) -> Scores:
    """The scores of segments, with the sign that makes higher better."""
    if not len(hypotheses):
        return np.zeros(0)
    scores = metric.for_segments().score(metric.statistics(hypotheses, references))
    return scores if metric.higher_is_better else 0.0 - scores


def centred(scores: Scores, baseline: Baseline) -> Scores:
    """Scores of one source's samples minus their baseline; a single sample has nothing beside it.

    >>> centred(np.array([1.0, 2.0, 6.0]), "mean"), centred(np.array([1.0, 2.0, 6.0]), "others")
    (array([-2., -1.,  3.]), array([-3. , -1.5,  4.5]))
    """
    if baseline == "none" or not len(scores):
        return scores
    others = baseline == "others" and len(scores) > 1
    expected = (scores.sum() - scores) / (len(scores) - 1) if others else scores.mean()
    return np.asarray(scores - expected)


def text_of(message: Any, *, whole: bool = False) -> str:
    """A text as it is, or what the last message of a conversation says; ``whole`` takes all.

    >>> text_of([{"role": "assistant", "content": "Hello."}])
    'Hello.'
    """
    if isinstance(message, str):
        return message
    if isinstance(message, Mapping) and isinstance(message.get("content"), str):
        return str(message["content"])
    if isinstance(message, Sequence) and message:
        return "\n".join(map(text_of, message)) if whole else text_of(message[-1])
    raise InputError(
        f"completion: found {type(message).__name__}, expected a text or a list of messages"
    )


def _checked(metric: AnyMetric, baseline: str) -> Metric:
    if baseline not in {"none", "mean", "others"}:
        raise OptionError(f"baseline: found '{baseline}', expected none, mean or others")
    return ready(metric)
