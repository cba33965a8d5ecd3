"""Systems and what they said over time: every output is numbered, and none is changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.serve.accounts.log import record
from tertium.serve.errors import ConflictError, NotFoundError
from tertium.serve.evaluation.uploads import SentFile, opened, shown_name
from tertium.serve.evaluation.words import name_of, note_of, tags_of
from tertium.serve.store.schema import Output, StoredSystem, TestSet, now
from tertium.serve.store.texts import PackedText, keep_packed, packed
from tertium.text.input_files import read_systems

MOST_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SentOutput:
    """One system's output, read and packed before anything is stored."""

    system: str
    text: PackedText
    hypotheses: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputView:
    """An output without its text."""

    id: int
    system_id: int
    system: str
    number: int
    sha256: str
    uploaded_at: datetime
    uploaded_by: str
    note: str
    tags: tuple[str, ...]

    @property
    def title(self) -> str:
        """How one of several outputs of a system is called."""
        return f"{self.system} #{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemView:
    """A system with its outputs, the oldest first."""

    id: int
    test_set_id: int
    name: str
    tags: tuple[str, ...]
    note: str
    created_at: datetime
    outputs: tuple[OutputView, ...]


def read_outputs(
    file: SentFile,
    *,
    segments: int,
    keys: tuple[tuple[str, ...], ...] | None = None,
    system: str | None = None,
    columns: Sequence[str] = (),
    format: str = "auto",  # noqa: A002 (the word that users know)
    place: str = "test set",
) -> tuple[SentOutput, ...]:
    """The systems of a file, whose segments must be those of the test set.

    ``system`` is the name of the only one; without it they are called as the file says.
    ``columns`` of a table have the outputs, those of several are called after them.
    """
    found = read_systems(opened(file), format=format, keys=keys, columns=chosen_columns(columns))
    if system is not None and len(found) != 1:
        names = ", ".join(name for name, _ in found[:5])
        raise InputError(
            f"{shown_name(file.name)}: {counted(len(found), 'system')} ({names}), expected one, "
            f"{system}"
        )
    if len(found) > MOST_AT_ONCE:
        raise InputError(
            f"{shown_name(file.name)}: {counted(len(found), 'system')}, expected at most "
            f"{MOST_AT_ONCE}"
        )
    outputs = []
    for name, texts in found:
        if len(texts) != segments:
            raise InputError(
                f"{shown_name(file.name)}: {counted(len(texts), 'segment')}, "
                f"expected {segments} ({place})"
            )
        lines = tuple(line or "" for line in texts.to_list())
        if not any(lines):
            raise InputError(f"{shown_name(file.name)}: no text of {name}, expected some")
        outputs.append(
            SentOutput(
                system=name_of(system or name, "system"), text=packed(lines), hypotheses=lines
            )
        )
    return tuple(outputs)


def chosen_columns(columns: Sequence[str]) -> dict[str, tuple[str, ...]] | None:
    """Columns of outputs as readers take them; none leaves the choice to the names."""
    return {"hypothesis": tuple(columns)} if columns else None


def add_output(
    session: Session,
    actor: str,
    test_set_id: int,
    sent: SentOutput,
    *,
    note: str = "",
    tags: Sequence[str] = (),
) -> OutputView:
    """Keep an output as the next number of its system, which is made where it is new."""
    # Two outputs of one system that are sent at once must not get the same number.
    test_set = session.get_one(TestSet, test_set_id, with_for_update=True)
    query = select(StoredSystem).where(
        StoredSystem.test_set_id == test_set_id, StoredSystem.name == sent.system
    )
    system = session.scalar(query)
    if system is None:
        system = StoredSystem(test_set_id=test_set_id, name=sent.system, tags=[])
        session.add(system)
        session.flush()
    last = session.scalar(select(func.max(Output.number)).where(Output.system_id == system.id))
    made = Output(
        system_id=system.id,
        number=(last or 0) + 1,
        text_id=keep_packed(session, sent.text).id,
        sha256=sent.text.sha256,
        uploaded_by=actor,
        note=note_of(note, "note"),
        tags=tags_of(tags),
    )
    session.add(made)
    session.flush()
    record(
        session,
        actor,
        "add output",
        project_id=test_set.project_id,
        target=f"{test_set.slug}/{system.id}/{made.number}",
    )
    return _output_view(made, system)


def systems(session: Session, test_set_id: int) -> tuple[SystemView, ...]:
    """The systems of a test set in the order in which they came, with all their outputs."""
    rows = session.scalars(
        select(StoredSystem)
        .where(StoredSystem.test_set_id == test_set_id, StoredSystem.deleted_at.is_(None))
        .order_by(StoredSystem.id)
    ).all()
    outputs = session.scalars(
        select(Output)
        .where(Output.system_id.in_([one.id for one in rows]), Output.deleted_at.is_(None))
        .order_by(Output.system_id, Output.number)
    ).all()
    return tuple(
        _system_view(one, [each for each in outputs if each.system_id == one.id]) for one in rows
    )


def all_outputs(session: Session, test_set_id: int) -> tuple[OutputView, ...]:
    """The outputs of all systems, in the order in which they came."""
    found = [output for one in systems(session, test_set_id) for output in one.outputs]
    return tuple(sorted(found, key=lambda output: output.id))


def system(session: Session, test_set_id: int, system_id: int) -> SystemView:
    """One system of a test set."""
    row = _existing(session, test_set_id, system_id)
    outputs = session.scalars(
        select(Output)
        .where(Output.system_id == row.id, Output.deleted_at.is_(None))
        .order_by(Output.number)
    ).all()
    return _system_view(row, outputs)


def change_system(
    session: Session,
    actor: str,
    test_set_id: int,
    system_id: int,
    *,
    name: str | None = None,
    tags: Sequence[str] | None = None,
    note: str | None = None,
) -> SystemView:
    """Rename a system, or say more of it."""
    row = _existing(session, test_set_id, system_id)
    if name is not None and (wanted := name_of(name, "name")) != row.name:
        query = select(StoredSystem.id).where(
            StoredSystem.test_set_id == test_set_id, StoredSystem.name == wanted
        )
        if session.scalar(query) is not None:
            raise ConflictError(f"name: {wanted} is that of another system, expected a new one")
        row.name = wanted
    if tags is not None:
        row.tags = tags_of(tags)
    if note is not None:
        row.note = note_of(note, "note")
    _record(session, actor, "change system", test_set_id, str(system_id))
    return system(session, test_set_id, system_id)


def delete_system(session: Session, actor: str, test_set_id: int, system_id: int) -> None:
    """Hide a system and free its name; outputs that people rated stay in the store."""
    row = _existing(session, test_set_id, system_id, lock=True)
    row.deleted_at = now()
    row.name = f"{row.name}\u241f{row.id}"
    _record(session, actor, "delete system", test_set_id, str(system_id))


def output(session: Session, test_set_id: int, output_id: int) -> OutputView:
    """One output of a test set."""
    query = (
        select(Output, StoredSystem)
        .join(StoredSystem, StoredSystem.id == Output.system_id)
        .where(
            Output.id == output_id,
            StoredSystem.test_set_id == test_set_id,
            Output.deleted_at.is_(None),
            StoredSystem.deleted_at.is_(None),
        )
    )
    found = session.execute(query).one_or_none()
    if found is None:
        raise NotFoundError(f"output {output_id}: found none in this test set")
    row, owner = found
    return _output_view(row, owner)


def change_output(
    session: Session,
    actor: str,
    test_set_id: int,
    output_id: int,
    *,
    tags: Sequence[str] | None = None,
    note: str | None = None,
) -> OutputView:
    """Say more of an output; its text stays as it is."""
    output(session, test_set_id, output_id)
    row = session.get_one(Output, output_id)
    if tags is not None:
        row.tags = tags_of(tags)
    if note is not None:
        row.note = note_of(note, "note")
    _record(session, actor, "change output", test_set_id, str(output_id))
    return output(session, test_set_id, output_id)


def delete_output(session: Session, actor: str, test_set_id: int, output_id: int) -> None:
    """Hide an output; its number is not given again."""
    output(session, test_set_id, output_id)
    session.get_one(Output, output_id).deleted_at = now()
    _record(session, actor, "delete output", test_set_id, str(output_id))


def _record(session: Session, actor: str, action: str, test_set_id: int, target: str) -> None:
    test_set = session.get_one(TestSet, test_set_id)
    whole = f"{test_set.slug}/{target}"
    record(session, actor, action, project_id=test_set.project_id, target=whole)


def _existing(
    session: Session, test_set_id: int, system_id: int, *, lock: bool = False
) -> StoredSystem:
    row = session.get(StoredSystem, system_id, with_for_update=lock)
    if row is None or row.test_set_id != test_set_id or row.deleted_at is not None:
        raise NotFoundError(f"system {system_id}: found none in this test set")
    return row


def _system_view(row: StoredSystem, outputs: Sequence[Output]) -> SystemView:
    return SystemView(
        id=row.id,
        test_set_id=row.test_set_id,
        name=row.name,
        tags=tuple(row.tags),
        note=row.note,
        created_at=row.created_at,
        outputs=tuple(_output_view(one, row) for one in outputs),
    )


def _output_view(row: Output, system: StoredSystem) -> OutputView:
    return OutputView(
        id=row.id,
        system_id=system.id,
        system=system.name,
        number=row.number,
        sha256=row.sha256,
        uploaded_at=row.uploaded_at,
        uploaded_by=row.uploaded_by,
        note=row.note,
        tags=tuple(row.tags),
    )
