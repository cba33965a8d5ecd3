"""The page: Jinja2 templates around tables made here and data read by the page's own script."""

import platform
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tertium.audit.findings import SEVERITIES, Finding, Severity
from tertium.compare.score_results import ComparedScore
from tertium.errors import MissingExtraError
from tertium.report.html.payload import payload
from tertium.report.plots.base import styles_of
from tertium.report.study import Study
from tertium.version import __version__

if TYPE_CHECKING:
    from jinja2 import Template

_HERE: Final = Path(__file__).resolve().parent
SHOWN: Final = 3
"""Findings of one audit and metric that are told at once; the others are a click away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One score in the summary table."""

    value: float
    half_width: float | None
    delta: float | None
    p_value: float | None
    significant: bool
    cluster: int | None
    best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingGroup:
    """The findings of one audit of one metric, the worst first."""

    audit: str
    metric: str
    severity: Severity
    first: tuple[Finding, ...]
    rest: tuple[Finding, ...]
    advice: tuple[str, ...]


def require() -> None:
    """Complain at once if a package that the page needs is not installed."""
    _template()
    _plotly_script()


def page(study: Study) -> str:
    """One self-contained file: nothing in it asks any host for anything."""
    scripts = [_plotly_script(), _asset("page.js")]
    return _template().render(
        study=study,
        title=f"{len(study.systems)} systems on {Path(study.corpus.name).name}",
        cells=[_cells(study, system) for system in range(len(study.systems))],
        groups=_finding_groups(study),
        counts=_severity_counts(study),
        styles=styles_of(study.names),
        signatures=[
            (one.metric.title, one.signature) for one in study.evaluation.systems[0].scores
        ],
        versions=_versions(),
        css=_asset("page.css"),
        data=payload(study),
        scripts=scripts,
        policy=_policy(scripts),
    )


def _template() -> "Template":
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise MissingExtraError(
            "report: package 'jinja2' is not installed; pip install 'tertium[report]'"
        ) from None
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,  # every name and text is somebody's input
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html")


def _asset(name: str) -> str:
    return (_HERE / "assets" / name).read_text(encoding="utf-8")


def _plotly_script() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise MissingExtraError(
            "report: package 'plotly' is not installed; pip install 'tertium[report]'"
        ) from None
    script: str = get_plotlyjs()
    return script


def _policy(scripts: Sequence[str]) -> str:
    """Only these two scripts run, known by their hashes; nothing is loaded from anywhere."""
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _cells(study: Study, system: int) -> list[Cell]:
    cells = []
    compared = _compared(study, system)
    for place, score in enumerate(study.evaluation.systems[system].scores):
        all_scores = study.scores_of(score.metric)
        best = all_scores.max() if score.metric.higher_is_better else all_scores.min()
        other = compared[place] if compared else None
        verdict = other.tests[0] if other and other.tests else None
        cells.append(
            Cell(
                value=score.value,
                half_width=score.interval.half_width if score.interval else None,
                delta=other.delta if other else None,
                p_value=verdict.adjusted if verdict else None,
                significant=verdict.significant if verdict else False,
                cluster=other.cluster if other else None,
                best=bool(np.isclose(score.value, best, rtol=0, atol=0.005)),
            )
        )
    return cells


def _compared(study: Study, system: int) -> tuple[ComparedScore, ...]:
    if study.comparison is None or study.comparison.scores is None:
        return ()
    return study.comparison.scores.slices[0].scores[system]


def _finding_groups(study: Study) -> list[FindingGroup]:
    if study.audit is None:
        return []
    ordered = sorted(study.audit.findings, key=lambda one: (one.metric, one.audit))
    groups = []
    for (metric, audit), some in groupby(ordered, key=lambda one: (one.metric, one.audit)):
        found = tuple(sorted(some, key=lambda one: SEVERITIES.index(one.severity)))
        groups.append(
            FindingGroup(
                audit=audit,
                metric=metric,
                severity=found[0].severity,
                first=found[:SHOWN],
                rest=found[SHOWN:],
                advice=tuple(dict.fromkeys(one.advice for one in found)),
            )
        )
    specs = [one.spec for one in study.metrics]
    return sorted(groups, key=lambda one: (SEVERITIES.index(one.severity), specs.index(one.metric)))


def _severity_counts(study: Study) -> list[tuple[str, str]]:
    """Each severity that was found, and how often in words."""
    found = study.audit.findings if study.audit is not None else ()
    words = {"serious": "serious one", "warning": "warning", "note": "note"}
    counts = [(name, sum(one.severity == name for one in found)) for name in SEVERITIES]
    return [
        (name, f"{count} {words[name]}{'s' if count > 1 else ''}")
        for name, count in counts
        if count
    ]


def _versions() -> list[tuple[str, str]]:
    from plotly import __version__ as plotly_version

    return [
        ("tertium", __version__),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
        ("Plotly", plotly_version),
    ]
