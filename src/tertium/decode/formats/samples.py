"""Samples of today's models as JSON lines, the project's own format for n-best lists.

``{"id": 0, "source": "…", "references": ["…"], "hypotheses": ["…"], "logprobs": [-3.1]}``, and
``"features": {"lm": [-2.0]}`` where there are any. Only the hypotheses are needed; without an
``id``, or with one that is no number, the lines are counted from 0. ``logprobs`` are a feature and
the model's scores, unless ``model_scores`` say by what else the model orders its hypotheses.
Other keys are not kept, but one that looks like a slip is an error.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, Final

import numpy as np

from tertium.decode.formats.numbered_lines import (
    LOGPROBS,
    Damages,
    as_list,
    as_object,
    log_probabilities,
    log_probability,
    read_lists,
    shortened,
    with_log_probabilities,
)
from tertium.decode.formats.table import OnlyRead
from tertium.decode.structures.arrays import no_numbers
from tertium.decode.structures.nbest import NBest
from tertium.plurals import counted
from tertium.text.files import TextFile

KEYS: Final = (
    "id",
    "source",
    "references",
    "hypotheses",
    LOGPROBS,
    "model_scores",
    "features",
)
_SLIPS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("score", "scores", "logprob", "log_probs", "log_probabilities", "logps"), LOGPROBS
    ),
    **dict.fromkeys(("ref", "refs"), "references"),
    **dict.fromkeys(("hyp", "hyps", "candidates", "samples", "translations"), "hypotheses"),
    **dict.fromkeys(("src",), "source"),
}
"""Keys that others use for what is called otherwise here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """An object on each line, a list of hypotheses in each object."""

    name: ClassVar[str] = "samples"
    holds: ClassVar[type] = NBest
    sign: ClassVar[int] = 1

    def read(self, file: TextFile, damages: Damages) -> Iterator[NBest]:
        """The lists of a file."""
        return read_lists(file, damages, _list)

    def write(self, lists: Iterable[NBest]) -> Iterator[str]:
        """A line for each list."""
        for nbest in lists:
            value: dict[str, Any] = {"id": nbest.label or nbest.segment}
            if nbest.source is not None:
                value["source"] = nbest.source
            if nbest.references:
                value["references"] = list(nbest.references)
            value["hypotheses"] = list(nbest.hypotheses)
            columns = dict(zip(nbest.feature_names, nbest.features.T.tolist(), strict=True))
            if nbest.scores is not None:
                scores = nbest.scores.tolist()
                if nbest.feature_names[:1] == (LOGPROBS,):
                    value[LOGPROBS] = columns.pop(LOGPROBS)
                if value.get(LOGPROBS) != scores:
                    value["model_scores"] = scores
            if columns:
                value["features"] = columns
            yield json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"

    def losses(self, nbest: NBest) -> list[str]:
        """What would be left out: nothing."""
        return []

    def obstacles(self, nbest: NBest) -> list[str]:
        """What JSON cannot say: nothing."""
        return []


def number_and_label(value: Any, index: int) -> tuple[int, str]:
    """A segment's number and, where it is called otherwise, its name.

    >>> number_and_label(7, 0), number_and_label("7", 0), number_and_label("news-7", 3)
    ((7, ''), (7, ''), (3, 'news-7'))
    """
    if value is None:
        return index, ""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        value = int(value)
    if type(value) is int and 0 <= value < 2**31:
        return value, ""
    if isinstance(value, str) and value:
        return index, value
    raise ValueError(f"id: found {shortened(str(value))}, expected a number from 0 on or some text")


def _list(value: dict[str, Any], index: int) -> NBest:
    segment, label = number_and_label(value.get("id"), index)
    _check_keys(value)
    source = value.get("source")
    if source is not None and not isinstance(source, str):
        raise ValueError(f"source: found {shortened(str(source))}, expected a string")
    references = value.get("references", [])
    references = [references] if isinstance(references, str) else references
    hypotheses = strings(value.get("hypotheses"), "hypotheses")
    size = len(hypotheses)
    features = as_object(value.get("features", {}), "features")
    if LOGPROBS in features and value.get(LOGPROBS) is not None:
        raise ValueError(f"{LOGPROBS}: found it among the features too, expected it once")
    columns = [_numbers(column, name, size) for name, column in features.items()]
    scores = value.get("model_scores")
    logprobs = value.get(LOGPROBS)
    return with_log_probabilities(
        NBest(
            segment=segment,
            label=label,
            hypotheses=hypotheses,
            feature_names=tuple(features),
            features=np.array(columns).reshape(len(features), size).T if columns else no_numbers(),
            scores=None if scores is None else np.array(_numbers(scores, "model_scores", size)),
            source=source,
            references=strings(references, "references"),
        ),
        None if logprobs is None else log_probabilities(_sized(logprobs, LOGPROBS, size), LOGPROBS),
    )


def _check_keys(value: Mapping[str, Any]) -> None:
    for key in value:
        if key not in KEYS:
            near = _SLIPS.get(key) or next(iter(get_close_matches(key, KEYS, 1, 0.85)), None)
            if near is not None:
                raise ValueError(
                    f"unknown key '{key}'; did you mean '{near}'? known: {', '.join(KEYS)}"
                )


def strings(value: Any, name: str) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{name}: found {shortened(str(value))}, expected a list of strings")
    return tuple(value)


def _numbers(value: Any, name: str, size: int) -> list[float]:
    if not isinstance(value, list) or not all(type(item) in {int, float} for item in value):
        raise ValueError(f"{name}: found {shortened(str(value))}, expected a list of numbers")
    try:
        return [float(value_) for value_ in _sized(value, name, size)]
    except OverflowError:
        raise ValueError(
            f"{name}: found a number beyond all bounds, expected finite ones"
        ) from None


def _sized(value: Any, name: str, size: int) -> list[Any]:
    if not isinstance(value, list):
        found = shortened(str(value))
        raise ValueError(f"{name}: found {found}, expected a list of numbers")  # noqa: TRY004
    if len(value) != size:
        raise ValueError(
            f"{name}: found {counted(len(value), 'number')}, expected {size} (hypotheses)"
        )
    return value


# Answers of served language models as JSON lines: one request a line, its samples as ``choices``.
#
# ``{"choices": [{"message": {"content": "…"}, "logprobs": {"content": [{"logprob": -0.1}]}}]}`` of
# chats, ``{"choices": [{"text": "…", "logprobs": {"token_logprobs": [-0.1]}}]}`` of completions,
# and either inside ``{"custom_id": "7", "response": {"body": …}}`` of batches. A text's log-
# probability is the sum of its tokens'. ``source`` and ``references`` may stand beside the choices.


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(OnlyRead):
    """An answer on each line, its choices are the hypotheses.

    A batch's ``custom_id`` numbers the segment if it is a number, and names it otherwise; the
    ``id`` of an answer is the server's own, and lines are counted.
    """

    name: ClassVar[str] = "choices"

    def read(self, file: TextFile, damages: Damages) -> Iterator[NBest]:
        """The lists of a file."""
        return read_lists(file, damages, _served_list)


def _served_list(value: dict[str, Any], index: int) -> NBest:
    segment, label = number_and_label(value.get("custom_id"), index)
    answer = value
    if "choices" not in value and "response" in value:
        if value.get("error") is not None:
            raise ValueError(f"error: found {shortened(str(value['error']))}, expected an answer")
        answer = as_object(as_object(value["response"], "response").get("body"), "response.body")
    choices = [
        as_object(choice, f"choices[{number}]")
        for number, choice in enumerate(as_list(answer.get("choices"), "choices"))
    ]
    references = value.get("references", [])
    source = value.get("source")
    if source is not None and not isinstance(source, str):
        raise ValueError(f"source: found {shortened(str(source))}, expected a string")
    nbest = NBest(
        segment=segment,
        label=label,
        hypotheses=tuple(_text(choice, number) for number, choice in enumerate(choices)),
        source=source,
        references=strings(
            [references] if isinstance(references, str) else references, "references"
        ),
    )
    sums = [_log_probability(choice, number) for number, choice in enumerate(choices)]
    return with_log_probabilities(nbest, log_probabilities(sums, "logprobs"))


def _text(choice: dict[str, Any], number: int) -> str:
    location = f"choices[{number}]"
    if "message" in choice:
        result, name = as_object(choice["message"], f"{location}.message").get("content"), "content"
    else:
        result, name = choice.get("text"), "text or message"
    if not isinstance(result, str):
        raise ValueError(f"{location}: found {shortened(str(result))} as {name}, expected a string")  # noqa: TRY004
    return result


def _log_probability(choice: dict[str, Any], number: int) -> float | None:
    """The sum over tokens; nothing where the server said nothing."""
    location = f"choices[{number}].logprobs"
    logprobs = choice.get("logprobs")
    if logprobs is None:
        return None
    tokens = as_object(logprobs, location)
    if tokens.get("content") is not None:
        values = [
            as_object(token, f"{location}.content").get("logprob")
            for token in as_list(tokens["content"], f"{location}.content")
        ]
    elif tokens.get("token_logprobs") is not None:
        values = as_list(tokens["token_logprobs"], f"{location}.token_logprobs")
    else:
        return None
    # The first token of a prompt that is echoed has none.
    known = [log_probability(value, location) for value in values if value is not None]
    return sum(known) if known else None
