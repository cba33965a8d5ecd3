"""Curves of several metrics, and those that come with tertium, measured at WMT."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from tertium.meta.worth.curve import Worth, WorthCurve
from tertium.metrics.contract.base import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthTable:
    """Curves, where they come from, and the differences that were looked up in them."""

    curves: tuple[WorthCurve, ...]
    provenance: str
    deltas: tuple[float, ...] = ()

    @property
    def looked_up(self) -> tuple[tuple[WorthCurve, tuple[Worth, ...]], ...]:
        """What each difference is worth by each curve."""
        return tuple((one, tuple(map(one.at, self.deltas))) for one in self.curves)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "provenance": self.provenance,
            "curves": [
                {**one.to_dict(), "looked_up": [each.to_dict() for each in some]}
                for one, some in self.looked_up
            ],
        }


@cache
def _kept() -> dict[str, Any]:
    text = files("tertium").joinpath("data", "worth.json").read_text(encoding="utf-8")
    kept: dict[str, Any] = json.loads(text)
    return kept


def shipped_table(deltas: Sequence[float] = ()) -> WorthTable:
    """All curves that come with tertium, the metrics that it runs first."""
    kept = _kept()
    return WorthTable(
        curves=tuple(WorthCurve.from_dict(one) for one in kept["curves"]),
        provenance=kept["provenance"],
        deltas=tuple(deltas),
    )


def shipped_worth(metric: Metric, delta: float, kind: str = "") -> Worth | None:
    """The human agreement with a difference of this metric; none if nobody measured it.

    ``kind`` is the kind of pair, such as *two LLMs* (`pair_kind`). Options change the size of a
    score, so that only the metric as it was measured has a curve.
    """
    names = {metric.spec, *_names(metric)}
    found = [one for one in shipped_table().curves if one.metric in names and one.kind == kind]
    return found[0].at(delta) if found else None


def pair_kind(ahead: str, behind: str, llms: Collection[str]) -> str:
    """The kind of a pair where the first system is ahead; empty where no LLM is known.

    >>> pair_kind("online", "gpt", ["gpt"]), pair_kind("online", "gpt", [])
    ('a classic system ahead of an LLM', '')
    """
    if not llms:
        return ""
    return KINDS[ahead in llms, behind in llms]


KINDS: Final = {
    (False, False): "two classic systems",
    (True, True): "two LLMs",
    (False, True): "a classic system ahead of an LLM",
    (True, False): "an LLM ahead of a classic system",
}
"""Whether the system ahead and the other are LLMs → the kind of pair that has a curve."""


def _names(metric: Metric) -> tuple[str, ...]:
    """Scores from elsewhere go by the name that they were given."""
    foreign = metric.name in {"scores", "command"}
    return (metric.title,) if foreign else ()
