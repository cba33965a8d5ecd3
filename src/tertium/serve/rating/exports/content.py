"""What files are made from, and how names and numbers are written in them."""

import json
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from tertium.meta.ratings.entries import Rating
from tertium.meta.spans.span import Annotations
from tertium.serve.errors import ConflictError
from tertium.serve.rating.material import ItemMaterial, material_of
from tertium.serve.rating.protocols import Protocol, protocol_named
from tertium.serve.rating.results import (
    Answered,
    annotations,
    current_answers,
    file_rows,
    rating_entries,
)
from tertium.serve.store.schema import Campaign


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What exports are made from."""

    campaign: Campaign
    protocol: Protocol
    material: ItemMaterial = field(repr=False)
    answers: tuple[Answered, ...] = field(repr=False)

    @classmethod
    def of(cls, session: Session, campaign: Campaign) -> "Results":
        """All that counts in a campaign now; none at all is an error."""
        answers = current_answers(session, campaign)
        if not answers:
            raise ConflictError(f"campaign {campaign.id}: found no rating yet, expected one")
        return cls(
            campaign=campaign,
            protocol=protocol_named(campaign.protocol),
            material=material_of(session, campaign),
            answers=answers,
        )

    @property
    def rows(self) -> list[Rating]:
        """A row for every number."""
        if self.protocol.marked:
            return list(file_rows(self.campaign, self.answers, self.material).ratings)
        return list(rating_entries(self.campaign, self.answers, self.material))

    @property
    def marks(self) -> Annotations:
        """Marked errors, or scores without any."""
        return annotations(self.campaign, self.answers, self.material)


def plain(text: str) -> str:
    """A name that divides no column."""
    return " ".join(text.split())


def number(value: float) -> int | float:
    """A whole number without its point."""
    return int(value) if float(value).is_integer() else value


def json_line(value: Any) -> str:
    """A value on one line, its letters as they are."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
