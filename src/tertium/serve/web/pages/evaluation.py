"""Pages of test sets: leaderboard, comparison, a system over time, segments, settings."""

from functools import partial
from typing import Annotated, Any, Final

import numpy as np
from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from tertium.decide.strength import CAPPED, DEFINITION, MANY
from tertium.report.html.charts import distribution
from tertium.report.html.page import browser_script
from tertium.report.html.verdict import pair_meters, sentence_parts
from tertium.serve.evaluation.comparison import MOST_TEXTS, PairView, pair_view
from tertium.serve.evaluation.corpora import board, latest_outputs, partial_boards
from tertium.serve.evaluation.leaderboard import Leaderboard, history, history_plot, leaderboard
from tertium.serve.evaluation.metrics import DEFAULTS, offered
from tertium.serve.evaluation.pictures import (
    board_meter,
    chips_of,
    drawn_entries,
    pair_chips,
    pair_forest,
)
from tertium.serve.evaluation.sets import one_test_set
from tertium.serve.evaluation.systems import OutputView, output, system, systems
from tertium.serve.evaluation.work import jobs_of_test_set, kept_audit
from tertium.serve.web.access import HIGHEST, PUBLIC, Access, Identifier, Slug, needs
from tertium.serve.web.rendering import HERE, isolated, render
from tertium.serve.web.shell import project_shell
from tertium.text.formats.table import EXTENSIONS

router = APIRouter()
SET = "/projects/{project}/test-sets/{test_set}"
Reader = Annotated[Access, needs("reader")]
Editor = Annotated[Access, needs("editor")]
SHOWN_JOBS: Final = 3
Column = Annotated[int, Query(ge=1, le=1000, description="the column that the table is sorted by")]
Chosen = Annotated[int | None, Query(ge=1, le=HIGHEST)]


@router.get("/assets/segments.js")
def segments_script(access: Annotated[Access, PUBLIC]) -> Response:
    """The segment browser of reports, with a start of its own."""
    start = (HERE / "static" / "segments.js").read_text(encoding="utf-8")
    headers = {"cache-control": "no-cache"}
    return Response(browser_script(start), media_type="text/javascript", headers=headers)


@router.get("/projects/{project}/new-test-set")
def new_test_set(access: Editor, project: Slug) -> HTMLResponse:
    """The form for a new test set."""
    with access.reading() as session:
        return render(
            access,
            "evaluation/new.html",
            **project_shell(session, access),
            formats=", ".join(EXTENSIONS),
            defaults=", ".join(DEFAULTS),
            metrics=offered(),
        )


@router.get("/projects/{project}/explain")
def explain_page(access: Reader, project: Slug) -> HTMLResponse:
    """Why a pasted text scores what it does."""
    with access.reading() as session:
        return render(
            access,
            "evaluation/explain.html",
            **project_shell(session, access),
            metrics=offered(),
            defaults=DEFAULTS,
        )


@router.get(SET)
def leaderboard_page(
    access: Reader, project: Slug, test_set: Slug, sort: Column = 1
) -> HTMLResponse:
    """Who leads, how sure that is, and everything that is known of the test set."""
    with access.reading() as session:
        known = _known(access, session, test_set)
        one = known["test_set"]
        newest = latest_outputs(session, one.id)
        jobs = partial(jobs_of_test_set, session, access.project_id, one.id, most=SHOWN_JOBS)
        audit = kept_audit(session, access.project_id, one.id, newest) if newest else None
        whole = board(session, one.id, newest)
        found = leaderboard(whole, partial_boards(session, one.id, whole))
        report = audit[1].report if audit else None
        return render(
            access,
            "evaluation/leaderboard.html",
            **known,
            board=found,
            rows=drawn_entries(found, sort - 1),
            sort=sort - 1,
            why=_reason(found),
            chips=chips_of(report, "#audit") if newest else (),
            meters=tuple(filter(None, (board_meter(whole, report),))),
            evidence=DEFINITION,
            capped=CAPPED,
            many=MANY,
            isolated=partial(isolated, names=[each.system for each in newest]),
            jobs=jobs(lambda job: job.state in {"queued", "running", "failed"}),
            reports=jobs(lambda job: (job.kind, job.state) == ("report", "done")),
            audit=audit,
            formats=", ".join(EXTENSIONS),
        )


def _reason(found: Leaderboard) -> str:
    """What the headline rests on, in the words of its leads; and what is still missing."""
    sentences = []
    if found.waiting:
        sentences.append(f"Being computed: {', '.join(found.waiting)}.")
    if len(found.entries) > 1 and found.leads:
        kinds: dict[str, list[str]] = {}
        for lead in found.leads:
            kinds.setdefault(lead.verdict.partition(":")[0], []).append(lead.metric)
        whole = len(found.leads)
        told = (f"{verdict} by {len(some)} of {whole}" for verdict, some in kinds.items())
        sentences.append(f"First and second: {'; '.join(told)} metrics.")
    return " ".join(sentences)


@router.get(f"{SET}/compare")
def comparison_page(
    access: Reader, project: Slug, test_set: Slug, first: Chosen = None, second: Chosen = None
) -> HTMLResponse:
    """Two outputs side by side; without a choice, the best two by the first metric."""
    with access.reading() as session:
        known = _known(access, session, test_set)
        one = known["test_set"]
        pair = _pair(session, one.id, first, second)
        problem, view, segments = "", None, False
        if len(pair) == 2:
            chosen = board(session, one.id, pair)
            audit = kept_audit(session, access.project_id, one.id, tuple(pair))
            if chosen.scored is None:
                problem = "Scores of these outputs are being computed; come back in a moment."
            else:
                view = pair_view(chosen, audit[1] if audit else None)
                segments = 2 * one.segments <= MOST_TEXTS
        else:
            problem = "There is nothing to compare yet: send the output of two systems."
        return render(
            access,
            "evaluation/compare.html",
            **known,
            isolated=partial(isolated, names=[each.system for each in pair]),
            systems=systems(session, one.id),
            pair=pair,
            view=view,
            **({} if view is None else _drawn(view)),
            problem=problem,
            segments=segments,
        )


def _drawn(view: PairView) -> dict[str, Any]:
    """The pictures of a pair."""
    plot = pair_forest(view)
    spread = distribution(view.gains)
    say, why = sentence_parts(view.whole)
    witness = f"{view.witness[:1].upper()}{view.witness[1:]}." if view.witness else ""
    return {
        "say": say,
        "why": " ".join(filter(None, (why, witness))),
        "meters": pair_meters(view.whole, (), (0, 1)),
        "evidence": DEFINITION,
        "capped": CAPPED,
        "plot": plot,
        "drawn": any(row.whisker is not None for row in plot.rows),
        "chips": pair_chips(view),
        "spread": spread,
        "decimals": 1 if spread.limit >= 1 else 3,
    }


@router.get(f"{SET}/segments")
def segments_page(access: Reader, project: Slug, test_set: Slug) -> HTMLResponse:
    """All segments with the newest output of every system."""
    with access.reading() as session:
        known = _known(access, session, test_set)
        newest = latest_outputs(session, known["test_set"].id)
        whole = board(session, known["test_set"].id, newest)
    if whole.scored is None:
        return render(access, "evaluation/segments.html", **known, outputs=(), sent=bool(newest))
    if len(newest) * known["test_set"].segments > MOST_TEXTS:
        newest = newest[: max(1, MOST_TEXTS // known["test_set"].segments)]
    metric = whole.scored.metrics[0]
    sign = -1 if metric.higher_is_better else 1
    scores = sign * whole.scored.scores_of(metric)[: len(newest)]
    best = np.argsort(scores, kind="stable")[:2].tolist()
    return render(
        access, "evaluation/segments.html", **known, outputs=newest, sent=True, best=best[::-1]
    )


@router.get(f"{SET}/systems/{{system}}")
def system_page(access: Reader, project: Slug, test_set: Slug, system: Identifier) -> HTMLResponse:
    """A system over time."""
    with access.reading() as session:
        known = _known(access, session, test_set)
        one = _system(session, known["test_set"].id, system)
        found = history(board(session, known["test_set"].id, one.outputs[-60:]))
        plots = [(each, history_plot(each)) for each in found]
        scores = {
            point.output: [each.points[place].text for each in found]
            for place, point in enumerate(found[0].points if found else ())
        }
        return render(
            access,
            "evaluation/system.html",
            **known,
            system=one,
            histories=found,
            plots=plots,
            scores=scores,
        )


@router.get(f"{SET}/settings")
def test_set_settings(access: Editor, project: Slug, test_set: Slug) -> HTMLResponse:
    """Name, languages, licence, metrics and the end of a test set."""
    with access.reading() as session:
        known = _known(access, session, test_set)
    return render(access, "evaluation/settings.html", **known, metrics=offered())


def _known(access: Access, session: Session, slug: str) -> dict[str, Any]:
    return {
        **project_shell(session, access, slug),
        "test_set": one_test_set(session, access.project_id, slug),
    }


def _pair(
    session: Session, test_set_id: int, first: int | None, second: int | None
) -> list[OutputView]:
    """The outputs asked for; in the place of one that is not, the best others."""
    asked = [output(session, test_set_id, one) for one in (first, second) if one is not None]
    if len({one.id for one in asked}) == 2:
        return asked
    ranked = leaderboard(board(session, test_set_id, latest_outputs(session, test_set_id)))
    others = [one.output for one in ranked.entries if one.output not in asked]
    if asked:
        found = [asked[0], *others[:1]]
        return found if first is not None or len(found) < 2 else found[::-1]
    return others[1::-1]


_system = system
"""As the service calls it: a route has a parameter of this name."""
