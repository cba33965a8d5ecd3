"""Test sets and outputs for tests: three segments, a few systems."""

import gzip

from sqlalchemy.orm import Session

from tertium.serve.evaluation.corpora import corpus_of
from tertium.serve.evaluation.scoring import keep_scores, score_text
from tertium.serve.evaluation.sets import (
    SetDescription,
    TestSetView,
    create_test_set,
    keys_of,
    read_test_set,
)
from tertium.serve.evaluation.systems import OutputView, add_output, read_outputs
from tertium.serve.evaluation.uploads import SentFile
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Project

REFERENCE = "The house is small .\nGood morning to you all !\nThe cat sat on the mat .\n" * 4
SECOND = "The house is little .\nGood morning , everybody !\nA cat sat on the mat .\n" * 4
SOURCE = "Das Haus ist klein .\nGuten Morgen zusammen !\nDie Katze saß auf der Matte .\n" * 4
BETTER = "The house is small .\nGood morning to you all !\nThe cat sat on a mat .\n" * 4
WORSE = "House the is small\nMorning good all !\nCat sits at mat .\n" * 4
DOCUMENTS = "".join(f"{'news' if i < 6 else 'web'}\tdoc{i // 3}\n" for i in range(12))


def file(name: str, text: str | bytes) -> SentFile:
    """A file that somebody sent; compressed where its name says so."""
    data = text.encode() if isinstance(text, str) else text
    return SentFile(name=name, data=gzip.compress(data) if name.endswith(".gz") else data)


def make_project(store: Store, slug: str = "p") -> int:
    """An empty project."""
    with store.writing() as session:
        project = Project(slug=slug, name="Project")
        session.add(project)
        session.flush()
        return project.id


def make_test_set(session: Session, project_id: int, **about: object) -> TestSetView:
    """A test set of twelve segments with two references, sources, documents and genres."""
    texts = read_test_set(
        [file("one.txt", REFERENCE), file("two.txt.gz", SECOND)],
        sources=file("source.txt", SOURCE),
        documents=file("docs.tsv", DOCUMENTS),
    )
    given = {"name": "News 2026", **about}
    return create_test_set(session, "ann", project_id, texts, SetDescription(**given))  # type: ignore[arg-type]


def send(session: Session, test_set: TestSetView, system: str, text: str) -> OutputView:
    """An output with its scores."""
    (sent,) = read_outputs(
        file(f"{system}.txt", text),
        segments=test_set.segments,
        keys=keys_of(session, test_set.id),
        system=system,
    )
    corpus = corpus_of(session, test_set.id)
    made = add_output(session, "ann", test_set.id, sent)
    keep_scores(session, made.id, score_text(corpus, sent.hypotheses, test_set.metrics))
    return made
