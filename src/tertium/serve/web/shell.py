"""What surrounds the pages of a project: the switcher of projects, the tabs, what is at work.

Tabs of a test set (results, segments, names) lead to the one that is shown, or to the only one of
the project; where there are several, to a page that lists them.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Need
from tertium.serve.evaluation.projects import ProjectView, project_view, projects
from tertium.serve.store.schema import Campaign, Job, TestSet
from tertium.serve.web.access import Access

MOST_PROJECTS: Final = 12
"""Projects that the switcher lists; all others are a click away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """A section of a project; ``path`` begins below the server's root."""

    key: str
    title: str
    path: str
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """The top bar and the tabs of a project."""

    project: ProjectView
    others: tuple[ProjectView, ...]
    tabs: tuple[Tab, ...]
    jobs: int
    test_sets: tuple[tuple[str, str], ...]
    """Address and name of each test set."""


SECTIONS: Final[tuple[tuple[str, str, Need], ...]] = (
    ("overview", "Overview", "reader"),
    ("results", "Results", "reader"),
    ("segments", "Segments", "reader"),
    ("campaigns", "Campaigns", "reader"),
    ("names", "Names", "reader"),
    ("people", "People", "editor"),
    ("settings", "Settings", "editor"),
)
"""Key, title, and the role that the pages of a tab need."""
OF_TEST_SET: Final = {"results": "", "segments": "/segments", "names": "/names"}


def project_shell(session: Session, access: Access, test_set: str | None = None) -> dict[str, Any]:
    """What every page of a project is rendered with; ``test_set`` is the one it shows."""
    project = project_view(session, access.project_id)
    if access.campaign_id is not None:  # whose link opens one campaign sees nothing else
        return {"project": project, "shell": None}
    query = select(TestSet.slug, TestSet.name).where(
        TestSet.project_id == project.id, TestSet.deleted_at.is_(None)
    )
    sets = tuple((slug, name) for slug, name in session.execute(query.order_by(TestSet.name)))
    chosen = test_set or (sets[0][0] if len(sets) == 1 else None)
    running = _count(session, Campaign, Campaign.project_id == project.id, Campaign.state == "open")
    jobs = _count(session, Job, Job.project_id == project.id, Job.state.in_(("queued", "running")))
    base = f"/projects/{project.slug}"
    tabs = tuple(
        Tab(
            key=key,
            title=title,
            path=_path(base, key, chosen),
            number=(running or None) if key == "campaigns" else None,
        )
        for key, title, need in SECTIONS
        if access.may(need)
    )
    known = [one for one in projects(session, access.caller) if one.id != project.id]
    shell = Shell(
        project=project,
        others=tuple(known[:MOST_PROJECTS]),
        tabs=tabs,
        jobs=jobs,
        test_sets=sets,
    )
    return {"project": project, "shell": shell}


def _path(base: str, key: str, test_set: str | None) -> str:
    if key == "overview":
        return base
    if key in OF_TEST_SET and test_set is not None:
        return f"{base}/test-sets/{test_set}{OF_TEST_SET[key]}"
    return f"{base}/{key}"


def _count(session: Session, table: Any, *conditions: Any) -> int:
    return session.scalar(select(func.count()).select_from(table).where(*conditions)) or 0
