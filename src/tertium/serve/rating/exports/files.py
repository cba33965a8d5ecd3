"""The files that a campaign can be downloaded as."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.errors import NotFoundError
from tertium.serve.rating.exports.browser_lines import write_appraise, write_pearmut
from tertium.serve.rating.exports.content import Results, json_line
from tertium.serve.rating.exports.score_files import write_archive
from tertium.serve.rating.exports.tables import write_jsonl, write_ranks, write_tsv
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import Protocol, protocol_named
from tertium.serve.store.schema import Campaign, Rater, RatingEvent, RatingItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A file to download."""

    name: str
    kind: str
    """The type of its content, for browsers."""
    data: bytes = field(repr=False)


def export_names(protocol: Protocol) -> tuple[str, ...]:
    """The files that a protocol can be exported to."""
    return tuple(name for name, one in EXPORTS.items() if one.fits(protocol))


def exported(session: Session, campaign: Campaign, name: str) -> Exported:
    """One file."""
    protocol = protocol_named(campaign.protocol)
    known = (*export_names(protocol), "events.jsonl")
    if name not in known:
        raise NotFoundError(
            f"export: found {name[:40]!r}, expected {', '.join(known)} of protocol {protocol.name}"
        )
    if name == "events.jsonl":
        lines = "".join(f"{json_line(one)}\n" for one in all_events(session, campaign))
        return Exported(name=name, kind="application/jsonl", data=lines.encode())
    made = EXPORTS[name]
    content = made.write(Results.of(session, campaign))
    data = content if isinstance(content, bytes) else content.encode()
    return Exported(name=name, kind=made.kind, data=data)


def all_events(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Everything that raters ever did, in order; what was taken back, too."""
    rows = session.execute(
        select(RatingEvent, RatingItem, Rater.label)
        .join(RatingItem, RatingItem.id == RatingEvent.item_id)
        .join(Rater, Rater.id == RatingEvent.rater_id)
        .where(RatingItem.campaign_id == campaign.id)
        .order_by(RatingEvent.id)
    )
    systems = material_of(session, campaign).systems
    for event, item, label in rows:
        tutorial = item.kind == "tutorial"
        yield {
            "event": event.id,
            "item": item.id,
            "kind": item.kind,
            "segment": None if tutorial else item.segments[0] + 1,
            "rater": label,
            "action": event.action,
            "values": {
                key if tutorial else systems[int(key)]: value for key, value in event.values.items()
            },
            "seconds": event.seconds,
            "at": event.at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class _Export:
    """How a file is written, and which protocols have it."""

    kind: str
    write: Callable[[Results], str | bytes]
    fits: Callable[[Protocol], bool] = lambda _: True


def _single(protocol: Protocol) -> bool:
    """Whether a whole output has one number, as Pearmut and Appraise know it."""
    return not (protocol.ranked or protocol.constituents) and len(protocol.scales) < 2


def _sentences_ranked(protocol: Protocol) -> bool:
    """Whether whole outputs are ranked: WMT's columns have no place to say that parts were."""
    return protocol.ranked and not protocol.constituents


EXPORTS: Final[Mapping[str, _Export]] = {
    "ratings.tsv": _Export("text/tab-separated-values", write_tsv),
    "ratings.jsonl": _Export("application/jsonl", write_jsonl),
    "mt-metrics-eval.zip": _Export("application/zip", write_archive),
    "wmt-ranks.csv": _Export("text/csv", write_ranks, _sentences_ranked),
    "pearmut.jsonl": _Export("application/jsonl", write_pearmut, _single),
    "appraise.csv": _Export("text/csv", write_appraise, _single),
}
