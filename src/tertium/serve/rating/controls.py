"""Hidden controls: who notices damage, and who says the same again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.serve.rating.results import Answered, worth


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A rater's controls: damaged outputs that were rated below the whole ones, and repetitions."""

    damaged: int = 0
    noticed: int = 0
    repeated: int = 0
    same: int = 0

    def to_dict(self) -> dict[str, int]:
        """Numbers only, ready for JSON."""
        return {
            "damaged": self.damaged,
            "noticed": self.noticed,
            "repeated": self.repeated,
            "same": self.same,
        }


def controls(answers: Sequence[Answered]) -> dict[int, Control]:
    """Rater → controls; only those count whose original the rater rated, too."""
    whole = {(one.rater_id, one.item_id): one for one in answers if one.kind == "regular"}
    found: dict[int, Control] = {}
    for one in answers:
        original = whole.get((one.rater_id, one.of)) if one.of is not None else None
        if original is None:
            continue
        so_far = found.get(one.rater_id, Control())
        if one.kind == "degraded":
            worse = all(_noticed(one, original, output) for output in one.texts)
            so_far = replace(
                so_far, damaged=so_far.damaged + 1, noticed=so_far.noticed + int(worse)
            )
        else:
            same = _numbers(one.answers) == _numbers(original.answers)
            so_far = replace(so_far, repeated=so_far.repeated + 1, same=so_far.same + int(same))
        found[one.rater_id] = so_far
    return found


def _noticed(one: Answered, original: Answered, output: str) -> bool:
    """Whether the damaged output was rated lower; in a ranking, the last place is enough."""
    value = worth(one.answers[output])
    others = [worth(answer) for key, answer in one.answers.items() if key != output]
    return value < worth(original.answers[output]) or (bool(others) and value < min(others))


def _numbers(answers: Any) -> dict[str, float]:
    return {output: worth(answer) for output, answer in answers.items()}
