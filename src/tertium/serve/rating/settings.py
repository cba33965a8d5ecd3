"""How a campaign is set up: who gets what, what is shown, and which controls are hidden in it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, get_args

from tertium.serve.errors import RequestError
from tertium.serve.rating.protocols import shown

Way = Literal["fixed", "redundant", "dynamic"]
WAYS: Final[tuple[Way, ...]] = get_args(Way)
SIGHTS: Final = ("source", "reference")
MOST_CONTROLS: Final = 0.5
MOST_TOGETHER: Final = 9
"""Outputs of a ranking: every rank has a digit."""
MOST_CONSTITUENTS: Final = 10_000
LONGEST: Final = 20_000
"""Characters of a text to the raters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSettings:
    """What the organiser of a campaign decides.

    Args:
        assignment: ``fixed`` gives every rater everything, ``redundant`` each item to
            ``redundancy`` raters, ``dynamic`` does so and begins where the order of two systems is
            most uncertain.
        redundancy: raters of an item, where not everybody rates everything.
        together: outputs of a ranking.
        segments: how many segments are drawn from the test set; None takes all.
        show: what is shown beside the output: source, reference or both.
        context: segments of the same document shown before and after.
        degraded: the share of items shown again with damage, to see who notices.
        repeated: the share of items shown again as they were, to see who says the same.
        instructions: the organiser's words to the raters.
        tutorial: items to begin with; each has a source, outputs, what is expected, and feedback.
        constituents: parts of sources whose translation is judged, at most one of a segment; each
            has its ``segment`` (from 1), the words of the source as ``text``, and maybe their
            translations as ``outputs``, by system.
    """

    assignment: Way = "fixed"
    redundancy: int = 2
    together: int = 5
    segments: int | None = None
    show: tuple[str, ...] = ("source",)
    context: int = 1
    degraded: float = 0.0
    repeated: float = 0.0
    instructions: str = ""
    tutorial: tuple[dict[str, Any], ...] = ()
    constituents: tuple[dict[str, Any], ...] = ()

    def __post_init__(self) -> None:
        _one_of(self.assignment, WAYS, "assignment")
        _whole(self.redundancy, 1, 100, "redundancy")
        _whole(self.together, 2, MOST_TOGETHER, "together")
        _whole(self.context, 0, 20, "context")
        if self.segments is not None:
            _whole(self.segments, 1, 10_000_000, "segments")
        for name in ("degraded", "repeated"):
            value = getattr(self, name)
            fits = isinstance(value, int | float) and not isinstance(value, bool)
            if not fits or not 0 <= value <= MOST_CONTROLS:
                raise RequestError(
                    f"{name}: found {shown(value)}, expected a share from 0 to {MOST_CONTROLS}"
                )
        if not isinstance(self.show, list | tuple):
            raise RequestError(f"show: found {shown(self.show)}, expected a list of {SIGHTS}")
        for one in self.show:
            _one_of(one, SIGHTS, "show")
        _text(self.instructions, "instructions")
        object.__setattr__(self, "show", tuple(dict.fromkeys(self.show)))
        object.__setattr__(self, "tutorial", _tutorial(self.tutorial))
        object.__setattr__(self, "constituents", _constituents(self.constituents))

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "CampaignSettings":
        """From JSON; an unknown name is an error."""
        known = {one.name for one in fields(cls)}
        for name in values:
            if name not in known:
                raise RequestError(
                    f"settings: found {shown(name)}, expected {', '.join(sorted(known))}"
                )
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, text and lists only, ready for JSON."""
        lists = {name: list(getattr(self, name)) for name in ("show", "tutorial", "constituents")}
        return {**asdict(self), **lists}


def _tutorial(given: object) -> tuple[dict[str, Any], ...]:
    """Every item with a source, outputs, ranges that answers should be in, and feedback."""
    if not isinstance(given, list | tuple) or len(given) > 50:
        raise RequestError(f"tutorial: found {shown(given)}, expected a list of at most 50 items")
    made = []
    for number, one in enumerate(given, 1):
        place = f"tutorial {number}"
        if not isinstance(one, dict) or not one.keys() <= {
            "source", "outputs", "expected", "feedback", "reference", "constituent",
        }:  # fmt: skip
            raise RequestError(
                f"{place}: expected source, outputs, and maybe reference, constituent, expected, "
                "feedback"
            )
        texts = [one.get("source", ""), one.get("feedback", ""), one.get("reference", "")]
        outputs = one.get("outputs")
        if not isinstance(outputs, list) or not 1 <= len(outputs) <= MOST_TOGETHER:
            raise RequestError(
                f"{place}: outputs: found {shown(outputs)}, expected 1 to {MOST_TOGETHER} texts"
            )
        for text in (*texts, *outputs):
            _text(text, place)
        constituent = one.get("constituent", "")
        _text(constituent, f"{place}: constituent")
        if constituent not in texts[0]:
            raise RequestError(
                f"{place}: constituent: found {shown(constituent)}, expected words of its source"
            )
        made.append(
            {
                "source": texts[0],
                "constituent": constituent,
                "reference": texts[2],
                "outputs": list(outputs),
                "expected": _ranges(one.get("expected", []), len(outputs), place),
                "feedback": texts[1],
            }
        )
    return tuple(made)


def _constituents(given: object) -> tuple[dict[str, Any], ...]:
    """Every one with its segment, its words, and what systems made of them; one of a segment."""
    if not isinstance(given, list | tuple) or len(given) > MOST_CONSTITUENTS:
        raise RequestError(
            f"constituents: found {shown(given)}, expected a list of at most {MOST_CONSTITUENTS}"
        )
    made: dict[int, dict[str, Any]] = {}
    for number, one in enumerate(given, 1):
        place = f"constituents {number}"
        if not isinstance(one, dict) or not {"segment", "text"} <= one.keys() <= {
            "segment", "text", "outputs",
        }:  # fmt: skip
            raise RequestError(
                f"{place}: found {shown(one)}, expected such as "
                '{"segment": 3, "text": "ein rotes Dach", "outputs": {"system": "a red roof"}}'
            )
        segment, outputs = one["segment"], one.get("outputs", {})
        _whole(segment, 1, 10_000_000, f"{place}: segment")
        if segment in made:
            raise RequestError(
                f"{place}: found a second one of segment {segment}, expected one of each segment "
                "(judge others in a campaign of their own)"
            )
        if not isinstance(outputs, dict):
            raise RequestError(f"{place}: outputs: found {shown(outputs)}, expected an object")
        for text in (one["text"], *outputs, *outputs.values()):
            _text(text, place)
            if not text.strip():
                raise RequestError(f"{place}: found no words, expected some of the source")
        made[segment] = {"segment": segment, "text": one["text"], "outputs": dict(outputs)}
    return tuple(made.values())


def _ranges(given: object, outputs: int, place: str) -> list[dict[str, list[float]]]:
    """For each output, the lowest and the highest number that a criterion should get."""
    if given == []:
        return [{} for _ in range(outputs)]
    if not isinstance(given, list) or len(given) != outputs:
        raise RequestError(
            f"{place}: expected: found {shown(given)}, expected a list with one object for each "
            f"of {outputs} outputs"
        )
    for one in given:
        fits = isinstance(one, dict) and all(
            isinstance(key, str)
            and isinstance(ends, list)
            and len(ends) == 2
            and all(isinstance(end, int | float) and not isinstance(end, bool) for end in ends)
            for key, ends in one.items()
        )
        if not fits:
            raise RequestError(
                f"{place}: expected: found {shown(one)}, expected such as "
                '{"score": [60, 100]} or {"errors": [1, 3]}'
            )
    return given


def _text(value: object, place: str) -> None:
    """Refuse what is no text, too long, or no Unicode: half of a pair of surrogates."""
    fits = isinstance(value, str) and len(value) <= LONGEST
    if fits:
        fits = not any("\ud800" <= one <= "\udfff" or one == "\0" for one in str(value))
    if not fits:
        raise RequestError(
            f"{place}: found {shown(value)}, expected text of at most {LONGEST} characters"
        )


def _one_of(value: object, known: tuple[str, ...], name: str) -> None:
    if not isinstance(value, str) or value not in known:
        raise RequestError(f"{name}: found {shown(value)}, expected {', '.join(known)}")


def _whole(value: object, low: int, high: int, name: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RequestError(f"{name}: found {shown(value)}, expected {low} to {high}")
