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
from tertium.errors import MissingExtraError
from tertium.inference.p_values import p_value_text
from tertium.installation import install_hint
from tertium.meta.measures import MEASURES
from tertium.report.html.payload import SIGNS, payload
from tertium.report.plots.base import styles_of
from tertium.report.rows import titles
from tertium.report.study import Study
from tertium.version import __version__

if TYPE_CHECKING:
    from jinja2 import Template

_HERE: Final = Path(__file__).resolve().parent
SCRIPTS: Final = ("base", "plots", "matching", "detail", "list", "controls")
"""The parts of the page's own script; each may use what stands in front of it."""
SHOWN: Final = 2
"""Findings of one audit and metric that are told at once; the others are a click away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One score in the summary table."""

    value: float
    half_width: float | None
    delta: float | None
    p_value: str | None
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingSection:
    """All groups of one severity; ``overview`` has the audits of each metric."""

    severity: Severity
    words: str
    groups: tuple[FindingGroup, ...]
    overview: tuple[tuple[str, str], ...]


def require() -> None:
    """Complain at once if a package that the page needs is not installed."""
    _template()
    _plotly_script()


def page(study: Study) -> str:
    """One self-contained file: nothing in it asks any host for anything."""
    scripts = [_plotly_script(), _own_script()]
    return _template().render(
        study=study,
        title=f"{len(study.systems)} systems on {Path(study.corpus.name).name}",
        cells=[_cells(study, system) for system in range(len(study.systems))],
        sections=_finding_sections(study),
        titles=titles(study.metrics),
        styles=styles_of(study.names),
        signs=SIGNS,
        measures=MEASURES,
        signatures=list(
            zip(
                titles(study.metrics),
                (one.signature for one in study.evaluation.systems[0].scores),
                strict=True,
            )
        ),
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
            f"report: package 'jinja2' is not installed; {install_hint('report')}"
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


def _own_script() -> str:
    parts = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def _plotly_script() -> str:
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise MissingExtraError(
            f"report: package 'plotly' is not installed; {install_hint('report')}"
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
    pairs = zip(study.evaluation.systems[system].scores, study.compared(system), strict=True)
    for score, other in pairs:
        all_scores = study.scores_of(score.metric)
        best = all_scores.max() if score.metric.higher_is_better else all_scores.min()
        verdict = other.tests[0] if other and other.tests else None
        cells.append(
            Cell(
                value=score.value,
                half_width=score.interval.half_width if score.interval else None,
                delta=other.delta if other else None,
                p_value=p_value_text(verdict.p_value, verdict.floor) if verdict else None,
                significant=verdict.significant if verdict else False,
                cluster=other.cluster if other else None,
                best=bool(np.isclose(score.value, best, rtol=0, atol=0.005)),
            )
        )
    return cells


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


def _finding_sections(study: Study) -> list[FindingSection]:
    """The severities that were found, the worst first."""
    words = {"serious": "Serious", "warning": "Warnings", "note": "Notes"}
    groups = _finding_groups(study)
    sections = []
    for severity in SEVERITIES:
        some = tuple(one for one in groups if one.severity == severity)
        audits: dict[str, list[str]] = {}
        for one in some:
            audits.setdefault(one.metric, []).append(one.audit)
        if some:
            sections.append(
                FindingSection(
                    severity=severity,
                    words=words[severity],
                    groups=some,
                    overview=tuple((spec, ", ".join(names)) for spec, names in audits.items()),
                )
            )
    return sections


def _versions() -> list[tuple[str, str]]:
    from plotly import __version__ as plotly_version

    return [
        ("tertium", __version__),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
        ("Plotly", plotly_version),
    ]
