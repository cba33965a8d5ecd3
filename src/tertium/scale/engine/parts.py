"""What is known of a partition that was scored: sums, from which scores are made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.scored.tally import Total


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed:
    """One system's rows under one metric: their sum, also by slice."""

    row: tuple[float, ...]
    slices: dict[str, tuple[float, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, total: Total) -> "Summed":
        """What was added up."""
        slices = {label: tuple(row.tolist()) for label, row in total.slices.items()}
        return cls(row=tuple(total.sum.tolist()), slices=slices)

    def add_to(self, total: Total) -> None:
        """Put it to others."""
        slices = {label: np.array(row) for label, row in self.slices.items()}
        total.add_sums(np.array(self.row), slices)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What is known of a partition that was scored, or why it could not be (``fault``).

    Sums that are ``exact`` have no fraction in any row: their order is no matter. Of others there
    is a file of rows.
    """

    number: int
    place: str
    systems: tuple[str, ...] = ()
    segments: int = 0
    references: str = "1"
    exact: bool = True
    sums: tuple[tuple[Summed, ...], ...] = ()
    fault: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has every digit of a number."""
        return {
            **{name: getattr(self, name) for name in Part.__slots__},
            "sums": [
                [{name: getattr(one, name) for name in Summed.__slots__} for one in some]
                for some in self.sums
            ],
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], place: str) -> "Part":
        """What `to_dict` gave."""
        try:
            return cls(
                **{
                    **told,
                    "systems": tuple(told["systems"]),
                    "sums": tuple(
                        tuple(
                            Summed(
                                row=tuple(one["row"]),
                                slices={key: tuple(row) for key, row in one["slices"].items()},
                            )
                            for one in some
                        )
                        for some in told["sums"]
                    ),
                }
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{place}: found a part without sense ({error!r}), expected what an earlier run "
                "wrote"
            ) from None
