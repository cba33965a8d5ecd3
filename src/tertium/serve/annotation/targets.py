"""The texts in which names are marked, and their articles."""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.errors import NotFoundError
from tertium.serve.store.schema import Output, StoredReference, StoredSystem, TestSet
from tertium.serve.store.texts import lines_of, lines_or_gaps

Kind: TypeAlias = Literal["source", "reference", "output"]
KEY: Final = r"^(source|(reference|output)-[1-9][0-9]{0,9})$"
"""How an address names a text: ``source``, ``reference-3`` or ``output-12``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One text of a test set; ``name`` is how people know it."""

    test_set_id: int
    kind: Kind
    id: int
    name: str
    text_id: int

    @property
    def key(self) -> str:
        """How an address names it."""
        return "source" if self.kind == "source" else f"{self.kind}-{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetText:
    """A text with its segments, and the document of each where documents are known."""

    target: Target
    segments: tuple[str, ...]
    documents: tuple[str, ...] | None


def targets(session: Session, test_set_id: int) -> tuple[Target, ...]:
    """The source, the references, and the newest output of every system."""
    test_set = session.get_one(TestSet, test_set_id)
    found: list[Target] = []
    if test_set.sources_text_id is not None:
        found.append(_source(test_set, test_set.sources_text_id))
    references = select(StoredReference).where(StoredReference.test_set_id == test_set_id)
    found += map(_reference, session.scalars(references.order_by(StoredReference.position)))
    return (*found, *newest_outputs(session, test_set_id))


def newest_outputs(session: Session, test_set_id: int) -> tuple[Target, ...]:
    """The last output of every system, by the name of the system."""
    rows = session.execute(
        select(Output, StoredSystem)
        .join(StoredSystem, StoredSystem.id == Output.system_id)
        .where(StoredSystem.test_set_id == test_set_id)
        .order_by(StoredSystem.name, Output.number)
    )
    newest = {
        system.id: _output(output, system)
        for output, system in rows
        if output.deleted_at is None and system.deleted_at is None
    }
    return tuple(newest.values())


def target_of(session: Session, test_set_id: int, key: str) -> Target:
    """The text that an address names."""
    unknown = NotFoundError(f"text {key!r}: found none of this name in the test set")
    if not re.fullmatch(KEY, key):
        raise unknown
    kind, _, number = key.partition("-")
    test_set = session.get_one(TestSet, test_set_id)
    if kind == "source":
        if test_set.sources_text_id is None:
            raise unknown
        return _source(test_set, test_set.sources_text_id)
    if kind == "reference":
        reference = session.get(StoredReference, int(number))
        if reference is None or reference.test_set_id != test_set_id:
            raise unknown
        return _reference(reference)
    output = session.get(Output, int(number))
    system = None if output is None else session.get_one(StoredSystem, output.system_id)
    if output is None or system is None or system.test_set_id != test_set_id:
        raise unknown
    return _output(output, system)


def target_text(session: Session, target: Target) -> TargetText:
    """The segments of a text."""
    test_set = session.get_one(TestSet, target.test_set_id)
    documents = test_set.documents_text_id
    return TargetText(
        target=target,
        # A reference may lack a segment, in which there is nothing to mark.
        segments=tuple(line or "" for line in lines_or_gaps(session, target.text_id)),
        documents=None if documents is None else tuple(lines_of(session, documents)),
    )


def _source(test_set: TestSet, text_id: int) -> Target:
    return Target(
        test_set_id=test_set.id, kind="source", id=test_set.id, name="source", text_id=text_id
    )


def _reference(one: StoredReference) -> Target:
    return Target(
        test_set_id=one.test_set_id,
        kind="reference",
        id=one.id,
        name=one.name,
        text_id=one.text_id,
    )


def _output(output: Output, system: StoredSystem) -> Target:
    return Target(
        test_set_id=system.test_set_id,
        kind="output",
        id=output.id,
        name=f"{system.name} {output.number}",
        text_id=output.text_id,
    )


def document_members(text: TargetText) -> dict[str, list[int]]:
    """The segments of every document, in the order of the text; one if none are known."""
    members: dict[str, list[int]] = {}
    for number in range(len(text.segments)):
        label = text.documents[number] if text.documents is not None else "all segments"
        members.setdefault(label, []).append(number)
    return members
