"""The additive statistics of AMBER: which stand where in a row."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tertium.metrics.contract.base import Rows

Strategy: TypeAlias = Literal["ngram", "fixed-gap", "flexible-gap", "skip"]
Counts: TypeAlias = Mapping[str, Rows]
"""Statistics by name; those of several orders have them on the last axis."""

GAPS: Final[tuple[Strategy, ...]] = ("fixed-gap", "flexible-gap", "skip")
"""The strategies with gaps, in the order of their statistics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the statistics of one text type stand in their part of a row."""

    order: int
    counted: int
    gaps: tuple[Strategy, ...]
    weighted: bool

    @property
    def fields(self) -> tuple[tuple[str, range | None], ...]:
        """Names, and the orders that each has a column for; None for a single column."""
        plain, gapped, single = range(1, self.counted + 1), range(2, self.order + 1), None
        gaps = [(f"{gap}_{kind}", gapped) for gap in self.gaps for kind in ("matches", "totals")]
        grams = [(kind, plain) for kind in ("matches", "totals", "reference")]
        lengths = [
            (f"{side}_{unit}", single)
            for unit in ("words", "characters")
            for side in ("hypothesis", "reference", "smaller", "larger")
        ]
        rest = ("short_words", "long_words", "spearman_loss", "kendall_loss", "segments")
        weights = [(f"tf-idf_{name}", orders) for name, orders in grams + gaps]
        return (
            *grams,
            ("matched_segments", plain),
            *gaps,
            *lengths,
            *((name, single) for name in rest),
            *(weights if self.weighted else []),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The name of each column."""
        return tuple(
            name if n is None else f"{name}_{n}"
            for name, orders in self.fields
            for n in (orders if orders is not None else [None])
        )

    def counts(self, rows: Rows) -> Counts:
        """The statistics of a row, or of an array of rows, by name."""
        found: dict[str, Rows] = {}
        begin = 0
        for name, orders in self.fields:
            width = 1 if orders is None else len(orders)
            part = rows[..., begin : begin + width]
            found[name] = part[..., 0] if orders is None else part
            begin += width
        return found
