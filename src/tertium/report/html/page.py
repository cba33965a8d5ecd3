"""The page: Jinja2 templates around tables made here and data read by the page's own script."""

import platform
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tertium.choices import Audience
from tertium.decide.strength import CAPPED, DEFINITION, MANY, RATED
from tertium.errors import MissingExtraError
from tertium.installation import install_hint, scipy_for
from tertium.meta.agreement.measures import MEASURES
from tertium.meta.spans.summary import span_report
from tertium.plurals import counted
from tertium.report.evaluation import evidence_notes
from tertium.report.html.breakdown import length_rows, metric_block
from tertium.report.html.charts import SHAPES, Distribution, Meter, distribution
from tertium.report.html.payload import (
    payload,
    segment_ratings,
)
from tertium.report.html.score_columns import score_columns
from tertium.report.html.verdict import first_screen
from tertium.report.html.wording import direction, without_folders
from tertium.results import titles
from tertium.study.answer import answer, doubt_groups
from tertium.study.results import Study
from tertium.study.standings import every_rating
from tertium.study.summary import plain_summary
from tertium.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

REPORT_FOLDER: Final = Path(__file__).resolve().parent
FIRST: Final = 5
"""Kinds of findings that are told at once; all others are a click away."""
STYLES: Final = ("tokens", "components", "browser", "report")
BROWSER: Final = (
    "base",
    "matching",
    "marks",
    "detail",
    "spread",
    "filters",
    "list",
    "words",
    "controls",
)
"""The parts of the script that show segments and words, wherever they are shown."""
SCRIPTS: Final = (*BROWSER, "pair", "plots", "start")
"""All parts of the page's own script; what is called at once comes last."""


def require() -> None:
    """Complain at once if a package that the page needs is not installed."""
    templates()
    with scipy_for("report", extra="report"):
        pass


def page(study: Study, *, audience: Audience = "experts") -> str:
    """One self-contained file: nothing in it asks any host for anything.

    It holds the report and a summary in plain words; ``audience`` is whom it opens for.
    """
    scripts = [_own_script()]
    groups = doubt_groups(study)
    decisive = sum(one.first.decisive for one in groups)
    first = [one for one in groups if one.first.matters][: max(FIRST, decisive)]
    systems = len(study.systems)
    told, rated = answer(study), every_rating(study)
    summary = plain_summary(study)
    return (
        templates()
        .get_template("page.html")
        .render(
            study=study,
            title=f"{systems} {'system' if systems == 1 else 'systems'} on "
            f"{without_folders(Path(study.corpus.name).name)}",
            command=without_folders(study.command),
            size=_size(study),
            parts=_parts(study),
            answer=told,
            witness=_capital(without_folders(told.witness)),
            first=first_screen(study, told, groups),
            audience=audience,
            summary=summary,
            summary_meter=None if summary.strength is None else Meter(strength=summary.strength),
            gains_title=without_folders(titles(study.metrics[0:1])[0]),
            gains_decimals=1 + study.metrics[0].finer,
            gains=_gains(study),
            definition=DEFINITION,
            rules=[CAPPED, *([MANY] if systems > 2 else []), *([RATED] if study.judgments else [])],
            groups=groups,
            first_groups=first,
            other_groups=[one for one in groups if one not in first],
            order=study.ranking(study.metrics[0]),
            cells=list(zip(*score_columns(study, rated), strict=True)),
            ratings=rated,
            score_notes=_score_notes(study),
            segment_ratings=segment_ratings(study),
            span_reports=[span_report(one) for one in study.spans],
            blocks=[
                metric_block(study, metric, without_folders(title))
                for metric, title in zip(study.metrics, titles(study.metrics), strict=True)
            ],
            lengths=length_rows(study) if study.comparison else None,
            shapes=SHAPES,
            without_folders=without_folders,
            direction=direction,
            specs=[without_folders(one.spec) for one in study.metrics],
            titles=list(map(without_folders, titles(study.metrics))),
            measures=MEASURES,
            signatures=list(
                zip(
                    map(without_folders, titles(study.metrics)),
                    (without_folders(one.signature) for one in study.evaluation.systems[0].scores),
                    strict=True,
                )
            ),
            versions=_versions(),
            css="\n".join(_asset(f"{name}.css") for name in STYLES),
            data=payload(study),
            scripts=scripts,
            policy=_policy(scripts),
        )
    )


@cache
def templates() -> "Environment":
    """The report's templates; components are imported by ``report/components/…`` everywhere."""
    try:
        from jinja2 import (
            ChoiceLoader,
            Environment,
            FileSystemLoader,
            PrefixLoader,
            StrictUndefined,
        )
    except ImportError:
        raise MissingExtraError(
            f"report: package 'jinja2' is not installed; {install_hint('report')}"
        ) from None
    own = FileSystemLoader(REPORT_FOLDER / "templates")
    return Environment(
        loader=ChoiceLoader([own, PrefixLoader({"report": own})]),
        autoescape=True,  # every name and text is somebody's input
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _size(study: Study) -> str:
    """What the scores rest on."""
    corpus = study.corpus
    documents = len(set(corpus.documents)) if corpus.documents else 0
    parts = [counted(len(corpus), "segment")]
    parts += [counted(documents, "document")] if documents else []
    count = corpus.references.count
    return " · ".join([*parts, f"{count} reference{'s' * (count != '1')}"])


def _parts(study: Study) -> list[tuple[str, str, int | None, bool]]:
    """The tabs: text, address, a number, and whether it is the current one."""
    found = 0 if study.audit is None else len(study.audit.findings)
    several = study.comparison is not None
    wanted = [
        ("Verdict" if several else "Score", "answer", True),
        ("Findings", "findings", True),
        ("Scores", "scores", True),
        ("Pair", "pair", len(study.systems) > 2),
        ("Plots", "plots", True),
        ("Words", "words", several),
        ("People", "people", study.agreement is not None),
        ("Errors", "marks", bool(study.spans)),
        ("Segments", "segments", True),
        ("Method", "method", True),
    ]
    return [
        (text, f"#{part}", found if part == "findings" and found else None, part == "answer")
        for text, part, there in wanted
        if there
    ]


def _gains(study: Study) -> Distribution | None:
    """By how much the second system is ahead, segment by segment, under the first metric."""
    if len(study.systems) != 2:
        return None
    metric = study.metrics[0]
    first, second = study.segments_of(metric)
    sign = 1 if metric.higher_is_better else -1
    return distribution((sign * (second - first)).tolist())


def _asset(name: str) -> str:
    return (REPORT_FOLDER / "assets" / name).read_text(encoding="utf-8")


def _own_script() -> str:
    return joined_script([_asset(f"{name}.js") for name in SCRIPTS])


def browser_script(start: str) -> str:
    """The segment browser for a page of somebody else, whose ``start`` loads the data."""
    return joined_script([*(_asset(f"{name}.js") for name in BROWSER), start])


def joined_script(parts: Sequence[str]) -> str:
    """Parts of a script as one function, in which each may use what the others have."""
    whole = "\n".join(parts)
    return f'"use strict";\n(() => {{\n{whole}\n}})();\n'


def _policy(scripts: Sequence[str]) -> str:
    """Only this script runs, known by its hash; nothing is loaded from anywhere."""
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _score_notes(study: Study) -> tuple[str, ...]:
    """What must be known of the scores and of clusters; the rest is told under *Method*."""
    if study.comparison is not None and (scores := study.comparison.scores) is not None:
        return (*study.corpus.notes, *filter(None, [scores.cluster_note]))
    return tuple(evidence_notes(study.evaluation))


def _versions() -> list[tuple[str, str]]:
    return [
        ("tertium", __version__),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
    ]
