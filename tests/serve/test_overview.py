"""The overview of a project: verdicts, changes, and what waits."""

import pytest

from tertium.serve.evaluation.work import ask_for_scores, ask_for_verdict
from tertium.serve.overview import Overview, names_of, overview
from tertium.serve.store.connection import Store
from tertium.serve.workers import work_once
from tests.support.serve.evaluations import BETTER, WORSE, make_project, make_test_set, send
from tests.support.serve.site import Site


def found(store: Store, project: int) -> Overview:
    with store.reading() as session:
        return overview(session, project)


def test_a_card_has_the_verdict_and_what_the_last_upload_changed(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        send(session, made, "other", WORSE)
        send(session, made, "mine", WORSE)
        send(session, made, "mine", BETTER)
    whole = found(store, project)
    (card,) = whole.cards
    assert "mine" in card.sentence
    assert names_of(whole) == ["other", "mine"]
    assert card.meter is not None
    assert card.uploads is not None
    assert card.number == 2
    assert card.change is not None
    assert card.change.text.startswith("+")
    assert card.change.text.endswith("BLEU")
    assert card.change.mark is not None
    assert card.change.mark.mark > 50
    assert [wait.action for wait in card.waits] == ["Audit"]


def test_what_is_missing_waits_for_somebody(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
    (card,) = found(store, project).cards
    assert [(wait.text, wait.action) for wait in card.waits] == [("No output yet", "Upload")]
    with store.writing() as session:
        send(session, made, "alone", BETTER)
    (card,) = found(store, project).cards
    assert card.change is None
    assert [wait.action for wait in card.waits] == ["Add a second", "Audit"]


def test_large_test_sets_are_not_tested_while_somebody_waits(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        send(session, made, "mine", WORSE)
        send(session, made, "mine", BETTER)
        send(session, made, "other", WORSE)
    monkeypatch.setattr("tertium.serve.overview.MOST_TESTED", 1)
    (card,) = found(store, project).cards
    assert card.sentence.startswith("mine has the highest BLEU, ")
    assert card.meter is None
    assert card.change is not None
    assert card.change.words == "not tested here"
    assert card.change.mark is None


def test_a_worker_finds_the_verdict_on_a_large_test_set(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        for name, text in (("mine", BETTER), ("other", WORSE), ("third", WORSE)):
            send(session, made, name, text)
    (tested,) = found(store, project).cards
    monkeypatch.setattr("tertium.serve.overview.MOST_TESTED", 1)
    monkeypatch.setattr("tertium.serve.evaluation.work.TESTED_LATER", 1)
    with store.writing() as session:
        assert ask_for_scores(session, "ann", made.id) is None
        ask_for_verdict(session, "ann", made.id)  # one waits already
    assert work_once(store, "w")
    assert not work_once(store, "w")
    (card,) = found(store, project).cards
    assert (card.sentence, card.meter, card.ranks) == (tested.sentence, tested.meter, tested.ranks)
    assert card.ranks["BLEU"]["mine"][0] == 1
    with store.writing() as session:
        send(session, made, "other", BETTER)
    (card,) = found(store, project).cards
    assert (card.meter, card.ranks) == (None, {})


def test_small_test_sets_need_no_worker(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        send(session, made, "mine", BETTER)
        send(session, made, "other", WORSE)
        assert ask_for_scores(session, "ann", made.id) is None
    assert not work_once(store, "w")


def test_the_matrix_says_who_may_be_first_and_who_sent_nothing(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        for name in ("News", "Talks"):
            made = make_test_set(session, project, name=name, metrics=("bleu", "chrf"))
            send(session, made, "mine", BETTER)
            send(session, made, "other", WORSE)
            if name == "Talks":
                send(session, made, "rare", WORSE)
    bleu, chrf = found(store, project).matrices
    assert (bleu.metric, chrf.metric) == ("BLEU", "chrF")
    assert bleu.systems == ("mine", "other", "rare")
    news, talks = bleu.rows
    assert (news.name, news.systems, talks.systems) == ("News", 2, 3)
    assert news.cells[2] is None
    for row in (news, talks):
        mine = row.cells[0]
        assert mine is not None
        assert mine.first
        assert mine.start == 0


def test_an_empty_project_offers_the_one_action_that_helps(site: Site) -> None:
    client = site.client("editor")
    made = client.post("/api/v1/projects", json={"name": "Fresh"})
    assert made.status_code == 201
    page = client.get("/projects/fresh").text
    assert "No test set yet" in page
    assert page.count("btn primary") == 1
    assert '<a class="btn primary" href="/projects/fresh/new-test-set">' in page


def test_who_only_reads_is_offered_nothing_to_change(site: Site) -> None:
    assert "btn primary" not in site.client("reader").get("/projects/own").text
