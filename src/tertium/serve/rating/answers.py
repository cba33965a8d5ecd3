"""What a rater answered, held against the protocol: place, found, expected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tertium.serve.errors import RequestError
from tertium.serve.rating.protocols import Protocol, shown

MOST_ERRORS: Final = 200
"""Errors in one output; more are no work of a person."""
SIDES: Final = ("target", "source")

Answers = dict[str, dict[str, Any]]
"""Output → what was said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """What was shown: the source, and each output by the letter that the rater sees."""

    source: str = field(repr=False)
    outputs: Mapping[str, str] = field(repr=False)


def checked(protocol: Protocol, values: object, texts: Texts) -> Answers:
    """The answers in one form, or an error that says which of them is wrong."""
    if not isinstance(values, dict):
        raise RequestError(f"values: found {shown(values)}, expected an object of outputs")
    if values.keys() != texts.outputs.keys():
        raise RequestError(
            f"values: found {_names(values)}, expected one of each output: {_names(texts.outputs)}"
        )
    return {slot: _answer(protocol, values[slot], texts, slot) for slot in sorted(texts.outputs)}


def _answer(protocol: Protocol, said: object, texts: Texts, slot: str) -> dict[str, Any]:
    place = f"values of {slot}"
    wanted = [scale.criterion for scale in protocol.scales]
    wanted += ["rank"] if protocol.ranked else []
    wanted += ["errors"] if protocol.marked else []
    if not isinstance(said, dict):
        raise RequestError(f"{place}: found {shown(said)}, expected {', '.join(wanted)}")
    if said.keys() != set(wanted):
        raise RequestError(f"{place}: found {_names(said)}, expected {', '.join(wanted)}")
    answer: dict[str, Any] = {
        scale.criterion: scale.checked(said[scale.criterion], place) for scale in protocol.scales
    }
    if protocol.ranked:
        answer["rank"] = _rank(said["rank"], len(texts.outputs), place)
    if protocol.marked:
        answer["errors"] = _errors(protocol, said["errors"], texts, slot)
    return answer


def _rank(value: object, most: int, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise RequestError(
            f"{place}: rank: found {shown(value)}, expected a whole number from 1 to {most}"
        )
    return value


def _errors(protocol: Protocol, given: object, texts: Texts, slot: str) -> list[dict[str, Any]]:
    place = f"values of {slot}: errors"
    if not isinstance(given, list):
        raise RequestError(f"{place}: found {shown(given)}, expected a list")
    if len(given) > MOST_ERRORS:
        raise RequestError(f"{place}: found {len(given)}, expected no more than {MOST_ERRORS}")
    return [
        _error(protocol, one, texts, slot, f"{place} {number}")
        for number, one in enumerate(given, 1)
    ]


def _error(protocol: Protocol, one: object, texts: Texts, slot: str, place: str) -> dict[str, Any]:
    if not isinstance(one, dict):
        raise RequestError(f"{place}: found {shown(one)}, expected an object")
    side = _choice(one.get("side", "target"), SIDES, f"{place}: side")
    text = texts.source if side == "source" else texts.outputs[slot]
    if one.get("missing") is True:
        start = end = len(texts.outputs[slot])
        side = "target"
    else:
        start, end = (_offset(one.get(key), len(text), f"{place}: {key}") for key in _ENDS)
        if start >= end:
            raise RequestError(f"{place}: found {start} to {end}, expected an end after the start")
    severity = _choice(one.get("severity"), protocol.severities, f"{place}: severity")
    category = ""
    if protocol.categories:
        category = _choice(one.get("category"), protocol.categories, f"{place}: category")
    elif one.get("category") not in {None, ""}:
        raise RequestError(
            f"{place}: category: found {shown(one['category'])}, expected none in {protocol.name}"
        )
    return {"side": side, "start": start, "end": end, "severity": severity, "category": category}


_ENDS: Final = ("start", "end")


def _offset(value: object, most: int, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise RequestError(f"{place}: found {shown(value)}, expected 0 to {most} (characters)")
    return value


def _choice(value: object, known: tuple[str, ...], place: str) -> str:
    if not isinstance(value, str) or value not in known:
        raise RequestError(f"{place}: found {shown(value)}, expected {', '.join(known)}")
    return value


def _names(values: Mapping[Any, Any]) -> str:
    names = ", ".join(sorted(shown(key).strip("'") for key in values)[:10])
    return names or "nothing"
