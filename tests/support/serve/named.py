"""A test set in a store, with texts in which names are to be marked."""

from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from tertium.serve.annotation.layers import Change
from tertium.serve.annotation.targets import Target, TargetText, target_text, targets
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import (
    Output,
    Project,
    StoredReference,
    StoredSystem,
    TestSet,
)
from tertium.serve.store.texts import keep_text
from tests.support.places import SAMPLE


def sample_lines(name: str) -> list[str]:
    """A text of the sample."""
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


def named_set(
    store: Store,
    references: Mapping[str, Sequence[str]],
    outputs: Mapping[str, Sequence[str]],
    *,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    slug: str = "names",
    project: str = "news",
) -> int:
    """The id of a new test set in a new project."""
    with store.writing() as session:
        made = Project(slug=project, name=project.title())
        session.add(made)
        session.flush()
        test_set = TestSet(
            project_id=made.id,
            slug=slug,
            name=slug.title(),
            target_language="en",
            segments=len(next(iter(references.values()))),
            sources_text_id=None if sources is None else keep_text(session, sources).id,
            documents_text_id=None if documents is None else keep_text(session, documents).id,
        )
        session.add(test_set)
        session.flush()
        for position, (name, lines) in enumerate(references.items()):
            text = keep_text(session, lines)
            session.add(
                StoredReference(
                    test_set_id=test_set.id, name=name, position=position, text_id=text.id
                )
            )
        for name, lines in outputs.items():
            _add_output(session, test_set.id, name, lines)
        return test_set.id


def _add_output(session: Session, test_set_id: int, name: str, lines: Sequence[str]) -> None:
    system = StoredSystem(test_set_id=test_set_id, name=name)
    text = keep_text(session, lines)
    session.add(system)
    session.flush()
    session.add(
        Output(
            system_id=system.id, number=1, text_id=text.id, sha256=text.sha256, uploaded_by="ann"
        )
    )


def sample_set(store: Store) -> int:
    """The bundled sample."""
    return named_set(
        store,
        {f"reference {number}": sample_lines(f"reference.{number}.en") for number in (1, 2)},
        {name: sample_lines(f"systems/{name}.txt") for name in ("alder", "elm")},
        sources=sample_lines("source.de"),
        documents=[line.split("\t")[0] for line in sample_lines("documents.tsv")[1:]],
    )


def text_named(session: Session, test_set_id: int, name: str) -> TargetText:
    """A text of a test set by the name that people know."""
    found: Target = next(one for one in targets(session, test_set_id) if one.name == name)
    return target_text(session, found)


def added(segment: int, start: int, end: int, label: str, key: str = "") -> Change:
    """A name that an annotator adds."""
    key = key or f"{segment} {start} {end} {label}"
    return Change(segment=segment, action="add", start=start, end=end, type=label, client_key=key)
