"""A project as a folder of pages that anybody may read: nothing runs, nothing is asked for.

``site_files`` renders what the server shows of a project, ``write_site`` puts it into a folder.
Pages link each other by relative addresses, so that they open from a disk as from any web host.

What is public was chosen, not left over: names of systems, scores, intervals, tests, ratings of
closed campaigns by system. Who sent or rated something, what waits for whom, and drafts are in no
value that a template is handed. Texts of test sets and notes of members come only when asked for:
a test set that can be read can be trained on, and a note was written for the team. Findings of
audits quote texts, so that without these only their kinds are told.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.audit.findings import AuditReport
from tertium.decide.strength import CAPPED, DEFINITION, MANY
from tertium.errors import InputError
from tertium.report.html.charts import Chip, Meter, Trend, trend
from tertium.report.html.page import REPORT_FOLDER, page
from tertium.report.html.verdict import finding_title
from tertium.serve.errors import NotFoundError
from tertium.serve.evaluation.corpora import Board, board, latest_outputs, partial_boards
from tertium.serve.evaluation.downloads import comparison_file
from tertium.serve.evaluation.leaderboard import history, leaderboard
from tertium.serve.evaluation.pictures import board_meter, chips_of, drawn_entries
from tertium.serve.evaluation.projects import project_view
from tertium.serve.evaluation.sets import TestSetView, all_test_sets
from tertium.serve.evaluation.systems import SystemView, systems
from tertium.serve.evaluation.work import kept_audit
from tertium.serve.overview import names_of, overview
from tertium.serve.rating.analysis import analysed
from tertium.serve.rating.pace import RankedRow, ranked_rows
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Campaign, Project
from tertium.serve.web.rendering import HERE, isolated, templates
from tertium.study.study import study
from tertium.text.output_files import drafted
from tertium.version import __version__

ALL: Final = "all"
"""What stands for every test set."""
MANIFEST: Final = "site.json"
"""The list of files, by which a folder is known to have been written here."""
MOST_UPLOADS: Final = 60
"""The last outputs of a system whose scores are drawn over time."""
STYLES: Final = (
    REPORT_FOLDER / "assets" / "tokens.css",
    REPORT_FOLDER / "assets" / "components.css",
    HERE / "static" / "serve.css",
    HERE / "static" / "evaluation.css",
    HERE / "static" / "rating" / "dashboard.css",
)
SCRIPTS: Final = (
    HERE / "static" / "theme.js",
    HERE / "static" / "matrix.js",
    HERE / "static" / "sorting.js",
)
ICON: Final = HERE / "static" / "icon.svg"


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteChoice:
    """What of a project becomes public."""

    test_sets: tuple[str, ...] = ()
    """Test sets by their addresses; none means all."""
    texts: tuple[str, ...] = ()
    """Test sets whose texts are public, or ``all``."""
    notes: bool = False
    """Whether notes and tags of members are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadPoint:
    """One output of a system: when it came, and its scores."""

    number: int
    day: str
    scores: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemHistory:
    """The outputs of a system over time, by all metrics; the first one is drawn."""

    name: str
    metrics: tuple[str, ...]
    line: Trend
    points: tuple[UploadPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRanking:
    """What people's ratings in a closed campaign say of systems."""

    campaign: str
    criterion: str
    rows: tuple[RankedRow, ...]


def site_files(store: Store, slug: str, choice: SiteChoice) -> Iterator[tuple[str, bytes]]:
    """Every file of a site, by its path below the folder."""
    with store.reading() as session:
        project_id = _project(session, slug)
        chosen = _chosen(session, project_id, choice)
        project = project_view(session, project_id)
        kept = {one.slug for one in chosen}
        found = overview(session, project_id, thorough=True, only=kept)
        readable = kept if ALL in choice.texts and ALL not in kept else kept & set(choice.texts)
        shared = {"project": project, "notes": choice.notes, "version": __version__}
        yield (
            "index.html",
            _rendered(
                "site/index.html",
                **shared,
                root=".",
                board=found,
                isolated=partial(isolated, names=names_of(found)),
            ),
        )
        for one in chosen:
            yield from _test_set_files(session, one, one.slug in readable, shared)
    for path in (*STYLES, *SCRIPTS, ICON):
        yield f"assets/{path.name}", path.read_bytes()


def write_site(folder: Path, files: Iterator[tuple[str, bytes]]) -> int:
    """Write a site into a folder that is new, empty, or has a site; the number of its files.

    Files of the site that was there before are removed, or what was taken back would stay public.
    """
    stale = _stale(folder)
    made = dict(files)
    # Until all is written, the list has everything that a run which is cut short may leave.
    _write(folder, MANIFEST, _manifest({*stale, *made}))
    for name in stale - made.keys() - {MANIFEST}:
        (folder / name).unlink(missing_ok=True)
    for name, data in made.items():
        _write(folder, name, data)
    _write(folder, MANIFEST, _manifest(made))
    return len(made) + 1


def _write(folder: Path, name: str, data: bytes) -> None:
    path = folder / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: {error.strerror}, expected a folder to write") from None
    with drafted(path) as stream:
        stream.write(data)


def _stale(folder: Path) -> set[str]:
    """The files that an earlier site has in a folder; a folder of something else is an error."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return set()
    try:
        names = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        stale = {
            name for name in names if (folder / name).resolve().is_relative_to(folder.resolve())
        }
    except (OSError, ValueError, TypeError, KeyError):
        raise InputError(
            f"{folder}: found other files, expected a new folder, an empty one, or one with a site"
        ) from None
    return stale


def _manifest(files: Iterable[str]) -> bytes:
    about = {"generator": f"tertium {__version__}", "files": sorted({*files, MANIFEST})}
    return (json.dumps(about, indent=1, ensure_ascii=False) + "\n").encode()


def _project(session: Session, slug: str) -> int:
    query = select(Project.id).where(Project.slug == slug, Project.deleted_at.is_(None))
    found = session.scalar(query)
    if found is None:
        known = session.scalars(
            select(Project.slug).where(Project.deleted_at.is_(None)).order_by(Project.slug)
        ).all()
        raise NotFoundError(f"project {slug!r}: found {_listed(known)}, expected one of these")
    return found


def _chosen(session: Session, project_id: int, choice: SiteChoice) -> list[TestSetView]:
    known = {one.slug: one for one in all_test_sets(session, project_id)}
    asked = (*choice.test_sets, *(one for one in choice.texts if one != ALL))
    for slug in asked:
        if slug not in known:
            raise NotFoundError(f"test set {slug!r}: found {_listed(known)}, expected one of these")
    chosen = [
        one for slug, one in known.items() if not choice.test_sets or slug in choice.test_sets
    ]
    return sorted(chosen, key=lambda one: one.name)


def _listed(names: Sequence[str] | Mapping[str, Any]) -> str:
    return ", ".join(names) or "none"


def _test_set_files(
    session: Session,
    test_set: TestSetView,
    readable: bool,  # noqa: FBT001
    shared: dict[str, Any],
) -> Iterator[tuple[str, bytes]]:
    newest = latest_outputs(session, test_set.id)
    whole = board(session, test_set.id, newest)
    found = leaderboard(whole, partial_boards(session, test_set.id, whole))
    audit = kept_audit(session, test_set.project_id, test_set.id, newest) if newest else None
    report = None if audit is None else audit[1].report
    downloads = []
    if whole.scored is not None and len(newest) > 1:
        for kind in ("json", "tsv"):
            name, _, text = comparison_file(whole, test_set.slug, kind)
            downloads.append(name)
            yield f"data/{name}", text.encode("utf-8", errors="replace")
    if readable and whole.scored is not None:
        text = page(study(whole.scored))
        yield f"reports/{test_set.slug}.html", text.encode("utf-8", errors="replace")
    yield (
        f"test-sets/{test_set.slug}.html",
        _rendered(
            "site/test_set.html",
            **shared,
            root="..",
            test_set=test_set,
            board=found,
            rows=drawn_entries(found, 0),
            chips=_chips(report, readable=readable) if newest else (),
            meters=_meters(whole, report, readable=readable),
            evidence=DEFINITION,
            capped=CAPPED,
            many=MANY,
            isolated=partial(isolated, names=[one.system for one in newest]),
            downloads=downloads,
            report=f"reports/{test_set.slug}.html" if readable and whole.scored else "",
            histories=_histories(session, test_set, notes=shared["notes"]),
            rankings=_rankings(session, test_set),
        ),
    )


def _chips(report: AuditReport | None, *, readable: bool) -> tuple[Chip, ...]:
    """The kinds of findings, without a link: what they quote is told only beside the texts."""
    if report is None:
        return ()
    if readable:
        return tuple(replace(one, href=None) for one in chips_of(report, ""))
    quiet = [replace(one, meaning=finding_title(one), numbers={}) for one in report.findings]
    chips = chips_of(replace(report, findings=tuple(quiet)), "")
    return tuple(replace(one, href=None, tip="") for one in chips)


def _meters(whole: Board, report: AuditReport | None, *, readable: bool) -> tuple[Meter, ...]:
    found = board_meter(whole, report)
    if found is None:
        return ()
    return (found if readable or report is None else replace(found, note=""),)


def _histories(session: Session, test_set: TestSetView, *, notes: bool) -> list[SystemHistory]:
    """Every system that sent several outputs which have scores."""
    found = (_history(session, test_set, one, notes) for one in systems(session, test_set.id))
    return [one for one in found if one is not None]


def _history(
    session: Session,
    test_set: TestSetView,
    system: SystemView,
    notes: bool,  # noqa: FBT001
) -> SystemHistory | None:
    if len(system.outputs) < 2:
        return None
    found = history(board(session, test_set.id, system.outputs[-MOST_UPLOADS:]))
    if not found or any(point.value is None for point in found[0].points):
        return None
    first = found[0].points
    values = [point.value or 0.0 for point in first]
    ends = [
        (point.low, point.high)
        for point in first
        if point.low is not None and point.high is not None
    ]
    return SystemHistory(
        name=system.name,
        metrics=tuple(one.title for one in found),
        line=trend(
            values,
            ends if len(ends) == len(values) else (),
            higher_is_better=found[0].higher_is_better,
        ),
        points=tuple(
            UploadPoint(
                number=point.number,
                day=f"{point.at:%Y-%m-%d}",
                scores=tuple(one.points[place].text for one in found),
                note=point.note if notes else "",
            )
            for place, point in enumerate(first)
        ),
    )


def _rankings(session: Session, test_set: TestSetView) -> list[PublicRanking]:
    """What people said, of campaigns that are closed: nobody is to be swayed by the others."""
    query = select(Campaign).where(Campaign.test_set_id == test_set.id, Campaign.state == "closed")
    return [
        PublicRanking(campaign=one.name, criterion=criterion["name"], rows=ranked_rows(criterion))
        for one in session.scalars(query.order_by(Campaign.id)).all()
        for criterion in analysed(session, one)["criteria"]
    ]


def _rendered(name: str, **values: Any) -> bytes:
    return templates().get_template(name).render(**values).encode("utf-8", errors="replace")
