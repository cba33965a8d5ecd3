"""Samples of today's models as JSON lines, the project's own format for n-best lists.

``{"id": 0, "source": "…", "references": ["…"], "hypotheses": ["…"], "logprobs": [-3.1]}``, and
``"features": {"lm": [-2.0]}`` where there are any. Only the hypotheses are needed; without an
``id`` the lines are counted from 0. Other keys are not kept.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tertium.decode.formats.json_lines import as_object, parsed_object
from tertium.decode.formats.lines import Damages, numbered_lines, shortened
from tertium.decode.nbest import NBest
from tertium.errors import InputError
from tertium.text.files import TextFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """An object on each line, a list of hypotheses in each object."""

    name: ClassVar[str] = "samples"
    holds: ClassVar[type] = NBest
    sign: ClassVar[int] = 1

    def read(self, file: TextFile, damages: Damages) -> Iterator[NBest]:
        """The lists of a file."""
        segment = 0
        for line_number, text in numbered_lines(file, damages):
            if not text.strip():
                continue
            try:
                yield _list(parsed_object(text), segment)
            except (ValueError, InputError) as error:
                damages.add(InputError(f"{file.name}: line {line_number}: {error}"))
            segment += 1

    def write(self, lists: Iterable[NBest]) -> Iterator[str]:
        """A line for each list."""
        for one in lists:
            value: dict[str, Any] = {"id": one.segment}
            if one.source is not None:
                value["source"] = one.source
            if one.references:
                value["references"] = list(one.references)
            value["hypotheses"] = list(one.hypotheses)
            if one.scores is not None:
                value["logprobs"] = one.scores.tolist()
            if one.feature_names:
                columns = one.features.T.tolist()
                value["features"] = dict(zip(one.feature_names, columns, strict=True))
            yield json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"

    def losses(self, one: NBest) -> list[str]:
        """What would be left out: nothing."""
        return []

    def obstacles(self, one: NBest) -> list[str]:
        """What JSON cannot say: nothing."""
        return []


def _list(value: dict[str, Any], segment: int) -> NBest:
    number = value.get("id", segment)
    if type(number) is not int or not 0 <= number < 2**31:
        raise ValueError(f"id: found {shortened(str(number))}, expected a number from 0 on")
    source = value.get("source")
    if source is not None and not isinstance(source, str):
        raise ValueError(f"source: found {shortened(str(source))}, expected a string")
    references = value.get("references", [])
    references = [references] if isinstance(references, str) else references
    hypotheses = _strings(value.get("hypotheses"), "hypotheses")
    scores = value.get("logprobs")
    features = as_object(value.get("features", {}), "features")
    columns = [_numbers(column, name, len(hypotheses)) for name, column in features.items()]
    return NBest(
        segment=number,
        hypotheses=hypotheses,
        feature_names=tuple(features),
        features=np.array(columns).reshape(len(features), len(hypotheses)).T,
        scores=None
        if scores is None
        else np.array(_numbers(scores, "logprobs", len(hypotheses)), dtype=np.float64),
        source=source,
        references=_strings(references, "references"),
    )


def _strings(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"{name}: found {shortened(str(value))}, expected a list of strings")
    return tuple(value)


def _numbers(value: Any, name: str, size: int) -> list[float]:
    if not isinstance(value, list) or not all(type(one) in {int, float} for one in value):
        raise ValueError(f"{name}: found {shortened(str(value))}, expected a list of numbers")
    if len(value) != size:
        raise ValueError(f"{name}: found {len(value)} numbers, expected {size} (hypotheses)")
    try:
        return [float(one) for one in value]
    except OverflowError:
        raise ValueError(
            f"{name}: found a number beyond all bounds, expected finite ones"
        ) from None
