"""Pages of names: all texts of a test set, the workbench of one, where two annotators differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from tertium.report.html.wording import direction
from tertium.serve.annotation.agreement import NameAgreement, Pair, adjudication, name_agreement
from tertium.serve.annotation.files import EXTENSIONS
from tertium.serve.annotation.layers import ADJUDICATED, TYPES, LayerSummary, Name, layers, names_of
from tertium.serve.annotation.scores import NameScores, name_scores
from tertium.serve.annotation.suggestions import taggers
from tertium.serve.annotation.targets import (
    Target,
    TargetText,
    document_members,
    target_text,
    targets,
)
from tertium.serve.evaluation.sets import one_test_set
from tertium.serve.web.access import Access, Slug, needs
from tertium.serve.web.api.names import BASE, Annotator, Document, Other, Start, TargetKey, the_text
from tertium.serve.web.rendering import render
from tertium.serve.web.shell import project_shell

router = APIRouter()

AT_ONCE: Final = 100
"""Segments of one page."""
WORDS: Final = {
    "type": "they chose different types",
    "ends": "they begin or end elsewhere",
    "first": "only the first has a name here",
    "second": "only the second has a name here",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRow:
    """A text in the overview."""

    key: str
    name: str
    layers: tuple[LayerSummary, ...]
    agreement: tuple[NameAgreement, ...]


def _surroundings(session: Session, access: Access, test_set: str) -> dict[str, Any]:
    """What all pages of names show."""
    return {
        **project_shell(session, access, test_set),
        "test_set": one_test_set(session, access.project_id, test_set),
        "base": BASE.format(project=access.project, test_set=test_set),
    }


@router.get(BASE)
def overview(
    access: Annotated[Access, needs("reader")], project: Slug, test_set: Slug
) -> HTMLResponse:
    """All texts, who has marked names in them, and the scores that follow."""
    with access.reading() as session:
        around = _surroundings(session, access, test_set)
        found = name_scores(session, around["test_set"].id)
        rows = [_row(session, one) for one in targets(session, around["test_set"].id)]
    return render(
        access,
        "names/overview.html",
        **around,
        texts=rows,
        scores=found,
        labels=list(found.systems[0].types) if found.systems else [],
        formats=list(EXTENSIONS),
        headline=_headline(found),
    )


def _row(session: Session, target: Target) -> TextRow:
    who = layers(session, target)
    text = target_text(session, target) if len(who) > 1 else None
    people = [one.annotator for one in who if one.annotator != ADJUDICATED]
    return TextRow(
        key=target.key,
        name=target.name,
        layers=who,
        agreement=tuple(_agreement(session, text, *pair) for pair in combinations(people, 2))
        if text is not None
        else (),
    )


def _agreement(session: Session, text: TargetText, first: str, second: str) -> NameAgreement:
    one, other = (names_of(session, text.target, who) for who in (first, second))
    return name_agreement(first, second, one, other, text.segments)


def _headline(found: NameScores) -> str:
    if not found.references:
        return (
            "No names are marked in a reference yet. Choose a text below, or import a file: "
            "the share of these names that each system has will stand here."
        )
    systems = [one for one in found.systems if not one.human]
    named = " and ".join(f"{one.name} (by {one.annotator})" for one in found.references)
    if not systems:
        return f"Names are marked in {named}. There is no output yet to look for them in."
    best, worst = systems[0], systems[-1]
    first = (
        f"{best.system} has {best.total.found:g} of the {best.total.listed:g} names marked in "
        f"{named}, which is {best.total.score:.1f} %"
    )
    if len(systems) == 1:
        return f"{first}."
    return f"{first}; {worst.system} has the fewest, {worst.total.score:.1f} %."


@router.get(BASE + "/{target}")
def workbench(
    access: Annotated[Access, needs("reader")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    annotator: Annotator = None,
    document: Document = None,
    start: Start = 0,
) -> HTMLResponse:
    """One article of a text, or a part of it, to mark names in."""
    with access.reading() as session:
        around = _surroundings(session, access, test_set)
        text = the_text(session, access, test_set, target)
        known = [one.annotator for one in layers(session, text.target)]
        may = access.may("editor")
        who = annotator or (access.actor if may else next(iter(known), access.actor))
        used = {one.type for layer in known for one in names_of(session, text.target, layer)}
    pages = _pages(text)
    place = next((k for k, one in enumerate(pages) if one == (document, start)), 0)
    return render(
        access,
        "names/text.html",
        **around,
        text=text,
        annotator=who,
        annotators=list(dict.fromkeys([who, access.actor, *known])) if may else known or [who],
        editable=may and (who in (access.actor, ADJUDICATED) or access.role == "owner"),
        types=[*TYPES, *sorted(used - set(TYPES))],
        taggers=taggers(),
        pages=[(k, _title(text, one)) for k, one in enumerate(pages)],
        place=place,
        document=pages[place][0],
        start=pages[place][1],
        limit=AT_ONCE,
        addresses=[_query(one, who) for one in pages],
    )


def _pages(text: TargetText) -> list[tuple[str | None, int]]:
    """The articles, long ones in parts: document and first segment in it."""
    known = text.documents is not None
    return [
        (document if known else None, start)
        for document, members in document_members(text).items()
        for start in range(0, len(members), AT_ONCE)
    ] or [(None, 0)]


def _title(text: TargetText, page: tuple[str | None, int]) -> str:
    document, start = page
    size = len(text.segments)
    if document is not None:
        size = len(document_members(text)[document])
        if size <= AT_ONCE:
            return document
    part = f"{start + 1}–{min(start + AT_ONCE, size)}"
    return f"segments {part}" if document is None else f"{document}, {part}"


def _query(page: tuple[str | None, int], annotator: str) -> str:
    document, start = page
    values = {} if document is None else {"document": document}
    return urlencode({**values, "start": start, "annotator": annotator})


@router.get(BASE + "/{target}/differences")
def differences(
    access: Annotated[Access, needs("reader")],
    *,
    project: Slug,
    test_set: Slug,
    target: TargetKey,
    first: Other,
    second: Other,
) -> HTMLResponse:
    """Where two annotators differ, to be decided."""
    with access.reading() as session:
        around = _surroundings(session, access, test_set)
        text = the_text(session, access, test_set, target)
        found = _agreement(session, text, first, second)
        state = adjudication(session, text, first, second)
    different = sum(one.difference != "same" for one in found.pairs)
    same = len(found.pairs) - different
    return render(
        access,
        "names/differences.html",
        **around,
        text=text,
        found=found,
        open=[_shown(text, one, first, second) for one in state.open],
        decided=state.decided,
        adjudicated=ADJUDICATED,
        share=lambda value: "–" if value is None else f"{100 * value:.1f} %",
        headline=f"They agree at {same} of {len(found.pairs)} places where either has a name.",
    )


def _shown(text: TargetText, pair: Pair, first: str, second: str) -> dict[str, Any]:
    segment = text.segments[pair.segment]
    sides = (("1", first, pair.first), ("2", second, pair.second))
    return {
        "segment": pair.segment,
        "words": WORDS[pair.difference],
        "direction": direction(segment),
        "sides": [(number, who, list(_pieces(segment, names))) for number, who, names in sides],
        "first_names": [_place(one) for one in pair.first],
        "second_names": [_place(one) for one in pair.second],
    }


def _place(name: Name) -> dict[str, Any]:
    return {"segment": name.segment, "start": name.start, "end": name.end, "type": name.type}


def _pieces(segment: str, names: Sequence[Name]) -> Iterator[dict[str, str]]:
    """The text with its outermost names, each a piece."""
    position = 0
    for one in names:
        if one.start < position:
            continue
        yield {"text": segment[position : one.start], "type": "", "tint": ""}
        tint = TYPES.index(one.type) + 1 if one.type in TYPES else 9
        yield {
            "text": segment[one.start : one.end],
            "type": one.type,
            "tint": f"t{tint}",
        }
        position = one.end
    yield {"text": segment[position:], "type": "", "tint": ""}
