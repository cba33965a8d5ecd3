"""What raters are asked, a frozen value for each protocol, and answers held against it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from tertium.plain import Plain
from tertium.serve.errors import RequestError
from tertium.suggestions import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Numbers to choose from; ``whole`` is whether only whole ones count."""

    criterion: str
    low: int
    high: int
    whole: bool
    labels: Mapping[int, str] = field(default_factory=dict)

    def checked(self, value: object, place: str) -> float:
        """The number itself, or an error that says what is expected."""
        fits = isinstance(value, int if self.whole else int | float) and not isinstance(value, bool)
        if not fits or not self.low <= value <= self.high:  # type: ignore[operator]
            kind = "a whole number" if self.whole else "a number"
            raise RequestError(
                f"{place}: {self.criterion}: found {shown(value)}, expected {kind} from "
                f"{self.low} to {self.high}"
            )
        return value  # type: ignore[return-value]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "criterion": self.criterion,
            "low": self.low,
            "high": self.high,
            "whole": self.whole,
            "labels": {str(value): text for value, text in self.labels.items()},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol(Plain):
    """What is asked of every output that is shown.

    ``scales`` are numbers to give, ``ranked`` asks for an order of several outputs, ties allowed.
    With ``constituents``, only the translation of a marked part of the source is judged.
    Where there are ``severities``, errors are marked in the text; where there are ``categories``,
    each of them gets one.
    """

    name: str
    title: str
    instructions: str
    scales: tuple[Scale, ...] = ()
    ranked: bool = False
    constituents: bool = False
    severities: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()

    @property
    def marked(self) -> bool:
        """Whether errors are marked in the text."""
        return bool(self.severities)

    @property
    def rank_criterion(self) -> str:
        """What a rank is called in exports, as readers of WMT's files call it."""
        return "constituent" if self.constituents else "rank"


def shown(value: object) -> str:
    """A value for an error, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def protocol_named(name: str) -> Protocol:
    """The protocol of a name, or an error that says what is near."""
    if name not in PROTOCOLS:
        raise RequestError(did_you_mean("protocol", name, tuple(PROTOCOLS)))
    return PROTOCOLS[name]


_HUNDRED: Final = {0: "no meaning kept", 33: "some meaning kept", 66: "most meaning kept",
                   100: "perfect"}  # fmt: skip

CATEGORIES: Final = (
    "accuracy/mistranslation",
    "accuracy/addition",
    "accuracy/omission",
    "accuracy/untranslated text",
    "fluency/grammar",
    "fluency/spelling",
    "fluency/punctuation",
    "fluency/register",
    "fluency/inconsistency",
    "fluency/character encoding",
    "terminology/inappropriate for context",
    "terminology/inconsistent use",
    "style/awkward",
    "locale convention/address format",
    "locale convention/currency format",
    "locale convention/date format",
    "locale convention/name format",
    "locale convention/telephone format",
    "locale convention/time format",
    "other",
    "source error",
    "non-translation!",
)
"""The hierarchy of Freitag et al. (2021), as files of MQM write it."""

_EACH: Final = (
    Protocol(
        name="adequacy-fluency",
        title="Adequacy and fluency",
        instructions=(
            "Adequacy: how much of the meaning is there? Fluency: how well does it read, whatever "
            "it means? Both from 1 (very bad) to 5 (very good)."
        ),
        scales=(
            Scale(
                criterion="adequacy",
                low=1,
                high=5,
                whole=True,
                labels={1: "none", 2: "little", 3: "much", 4: "most", 5: "all"},
            ),
            Scale(
                criterion="fluency",
                low=1,
                high=5,
                whole=True,
                labels={
                    1: "broken",
                    2: "disfluent",
                    3: "non-native",
                    4: "good",
                    5: "flawless",
                },
            ),
        ),
    ),
    Protocol(
        name="ranking",
        title="Ranking",
        instructions=(
            "Order the translations from the best (1) to the worst. Equally good ones get the same "
            "rank."
        ),
        ranked=True,
    ),
    Protocol(
        name="constituent-ranking",
        title="Ranking of constituents",
        instructions=(
            "Part of the source is highlighted. Order the translations of that part only, from the "
            "best (1) to the worst; the rest of the sentence does not count. Equally good ones get "
            "the same rank. Highlights in translations may be slightly off."
        ),
        ranked=True,
        constituents=True,
    ),
    Protocol(
        name="constituent-acceptance",
        title="Acceptable constituents",
        instructions=(
            "Part of the source is highlighted. Is the translation of that part acceptable? The "
            "rest of the sentence does not count. If you are not sure, skip it. Highlights in "
            "translations may be slightly off."
        ),
        scales=(
            Scale(
                criterion="constituent-accept",
                low=0,
                high=1,
                whole=True,
                labels={0: "no", 1: "yes"},
            ),
        ),
        constituents=True,
    ),
    Protocol(
        name="direct-assessment",
        title="Direct assessment",
        instructions="How much of the meaning does the translation keep? 0 is nothing, 100 is all.",
        scales=(Scale(criterion="da", low=0, high=100, whole=False),),
    ),
    Protocol(
        name="scalar-quality",
        title="Scalar quality",
        instructions=(
            "How good is the translation, in meaning and in grammar? Look at the words under the "
            "scale."
        ),
        scales=(Scale(criterion="sqm", low=0, high=100, whole=False, labels=_HUNDRED),),
    ),
    Protocol(
        name="esa",
        title="Error span annotation",
        instructions=(
            "Mark every error in the translation: minor, or major where the meaning suffers. Mark "
            "missing text, too. Then give a score to the whole."
        ),
        scales=(Scale(criterion="score", low=0, high=100, whole=False, labels=_HUNDRED),),
        severities=("minor", "major"),
    ),
    Protocol(
        name="mqm",
        title="MQM",
        instructions=(
            "Mark every error, say how severe it is and of which category. Mark errors of the "
            "source and missing text, too. A text without errors is simply sent on."
        ),
        severities=("minor", "major", "critical", "neutral"),
        categories=CATEGORIES,
    ),
)

PROTOCOLS: Final[Mapping[str, Protocol]] = MappingProxyType({one.name: one for one in _EACH})


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
