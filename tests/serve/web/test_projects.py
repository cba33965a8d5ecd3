import pytest

from tertium.serve.accounts.callers import LOCAL
from tertium.serve.accounts.log import entries
from tertium.serve.errors import ConflictError, NotFoundError, RequestError
from tertium.serve.evaluation.projects import (
    change_project,
    create_project,
    delete_project,
    project_view,
    projects,
)
from tertium.serve.evaluation.words import slug_of
from tertium.serve.store.connection import Store
from tests.support.serve.site import Site

HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}"


def test_a_project_from_beginning_to_end(store: Store) -> None:
    with store.writing() as session:
        made = create_project(session, LOCAL, " News 2026 ", note="first")
        again = create_project(session, LOCAL, "News 2026")
        chosen = create_project(session, LOCAL, "X", slug="chosen")
    assert (made.name, made.slug, again.slug, chosen.slug) == (
        "News 2026",
        "news-2026",
        "news-2026-2",
        "chosen",
    )
    with store.writing() as session:
        changed = change_project(session, LOCAL, made.id, name="Other")
        assert (changed.name, changed.note, changed.slug) == ("Other", "first", "news-2026")
        delete_project(session, LOCAL, made.id)
    with store.writing() as session:
        assert [one.slug for one in projects(session, LOCAL)] == ["news-2026-2", "chosen"]
        with pytest.raises(NotFoundError):
            project_view(session, made.id)
        # The address is free again, and nothing was lost.
        assert create_project(session, LOCAL, "News 2026").slug == "news-2026"
        assert [one.action for one in entries(session, project_id=made.id)] == [
            "delete project",
            "change project",
            "create project",
        ]


def test_addresses_are_made_of_names() -> None:
    assert slug_of("Ünser  Projekt: 2026!") == "unser-projekt-2026"
    assert slug_of("新闻") == slug_of("...") == ""
    assert len(slug_of("a-" * 100)) <= 64


def test_what_is_refused(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        assert create_project(session, LOCAL, "新闻").slug == "project"
        assert create_project(session, LOCAL, "أخبار").slug == "project-2"
        with pytest.raises(RequestError, match="found nothing"):
            create_project(session, LOCAL, " \t ")
        with pytest.raises(ConflictError, match="slug: project is taken"):
            create_project(session, LOCAL, "x", slug="project")
        for slug in ("A", "a b", "../x", "", "-", "a--b", "x" * 65):
            with pytest.raises(RequestError, match="slug: found"):
                create_project(session, LOCAL, "x", slug=slug)


def test_names_are_never_taken_for_markup(site: Site) -> None:
    owner = site.client("owner")
    made = owner.post("/api/v1/projects", json={"name": HOSTILE, "note": HOSTILE}).json()
    assert made["name"] == HOSTILE
    for page in ("/", f"/projects/{made['slug']}", f"/projects/{made['slug']}/settings"):
        text = owner.get(page).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
        assert "{{7*7}}" in text


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": " "},
        {"name": "a\nb"},
        {"name": "a\x00b"},
        {"name": "x" * 201},
        {"name": 7},
        {"name": "x", "slug": "No Slug"},
        {"name": "x", "more": 1},
        {"name": "x", "note": "\x00"},
        [],
        "text",
    ],
)
def test_bad_values_are_one_sentence(site: Site, body: object) -> None:
    answer = site.client("owner").post("/api/v1/projects", json=body)
    assert answer.status_code == 422
    assert set(answer.json()) == {"error", "place"}
    assert answer.json()["error"].startswith("body")
    assert len(site.client("owner").get("/api/v1/projects").json()) == 1


def test_a_body_that_is_no_json(site: Site) -> None:
    owner = site.client("owner")
    for content in (b"{", b"\xff\xfe", b'"\\ud800"', b'{"name": "\\ud800"}'):
        answer = owner.post(
            "/api/v1/projects", content=content, headers={"content-type": "application/json"}
        )
        assert answer.status_code in {400, 422}
        assert set(answer.json()) == {"error", "place"}


def test_pages_that_do_not_exist_say_so(site: Site) -> None:
    for path in ("/none", "/projects/none", "/projects/%00", "/projects/A%20b"):
        answer = site.client("owner").get(path)
        assert answer.status_code in {404, 422}
        assert "<h1>" in answer.text
    assert site.client("owner").get("/api/v1/none").json()["error"] == "Not Found"
    assert site.client("owner").put("/api/v1/projects").status_code == 405
