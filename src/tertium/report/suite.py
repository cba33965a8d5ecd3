"""The result of a suite: one table over all test sets, and the file that CI systems read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from xml.etree import ElementTree

from tertium.metrics.contract.table import parse_metric
from tertium.plurals import counted
from tertium.suite.results import PooledDifference, SetResult, SuiteResult, changes
from tertium.tables import Cell, Column, Lines, Mark, Part, Row, Table, lines

_MARKS: Final[Mapping[str, Mark]] = {"better": "gain", "worse": "loss"}


def suite_view(result: SuiteResult, before: Mapping[str, Any] | None = None) -> Iterator[Part]:
    """The answers, the table of all test sets, and what must be known of it.

    With an earlier run ``before`` it is said what has changed since.
    """
    yield lines(result.sentences)
    titles = _titles(result)
    yield Table(
        columns=(
            Column("test set", "left", whole=True),
            Column("system", "left", whole=True),
            *(Column(title) for title in titles.values()),
            Column("verdict", "left"),
        ),
        sections=(
            *(tuple(_rows(test_set, list(titles))) for test_set in result.sets),
            *_pooled_section(result, list(titles)),
        ),
        labels=2,
    )
    yield _notes(result)
    if before is not None:
        yield _since(result, before)


def _titles(result: SuiteResult) -> dict[str, str]:
    """The metrics of all test sets, and the headings of their columns."""
    titles: dict[str, str] = {}
    for test_set in result.sets:
        for score in test_set.decision["systems"][0]["scores"]:
            arrow = "" if score["higher_is_better"] else " ↓"
            titles.setdefault(_key(score), f"Δ {_key(score)}{arrow}")
    for test_set in result.sets:
        for title in test_set.missing:
            titles.setdefault(title, f"Δ {title}")
    return titles


def _key(score: Mapping[str, Any]) -> str:
    """The column of a score: tokenizers and languages differ between test sets of one suite."""
    name = str(score["metric"])
    try:
        metric = parse_metric(name)
    except Exception:  # noqa: BLE001 (a metric of a file or a program, which has its own name)
        return name
    return str(metric.title)


def _rows(test_set: SetResult, metrics: Sequence[str]) -> Iterator[Row]:
    for number, verdict in enumerate(test_set.systems):
        scores = {_key(score): score for score in verdict["scores"]}
        yield (
            Cell(test_set.name if number == 0 else ""),
            Cell(verdict["system"]),
            *(
                _difference(scores[metric]) if metric in scores else _missing(test_set, metric)
                for metric in metrics
            ),
            Cell(verdict["verdict"]),
        )


def _missing(test_set: SetResult, metric: str) -> Cell:
    """Why a test set has no score: it could not be had, as a note says, or it was not asked for."""
    return Cell("missing" if metric in test_set.missing else "not asked", "faint")


def _difference(score: Mapping[str, Any]) -> Cell:
    mark: Mark = _MARKS.get(score["direction"], "")
    star = "*" if score["significant"] else " "
    return Cell(f"{score['delta']:+.{_decimals(score['score'])}f}{star}", mark)


def _decimals(score: float) -> int:
    """As many as tell scores apart: those of trained metrics mostly lie between 0 and 1."""
    return 4 if abs(score) < 2 else 2


def _pooled_section(result: SuiteResult, metrics: Sequence[str]) -> Iterator[tuple[Row, ...]]:
    rows: list[Row] = []
    for system in result.systems:
        mine = {
            _key({"metric": pooled.metric}): pooled
            for pooled in result.pooled
            if pooled.system == system
        }
        if mine:
            sets = max(pooled.sets for pooled in mine.values())
            rows.append(
                (
                    Cell("" if rows else "pooled", "strong"),
                    Cell(system),
                    *(_pooled_cell(mine.get(metric)) for metric in metrics),
                    Cell(f"mean of {counted(sets, 'test set')}"),
                )
            )
    if rows:
        yield tuple(rows)


def _pooled_cell(pooled: PooledDifference | None) -> Cell:
    if pooled is None:
        return Cell("–", "faint")
    width = _decimals(pooled.score)
    return Cell(f"{pooled.delta:+.{width}f} [{pooled.low:+.{width}f}, {pooled.high:+.{width}f}]")


def _notes(result: SuiteResult) -> Lines:
    first = result.sets[0].decision
    sets = len(result.sets)
    procedure = (
        f"baseline: {first['baseline']}; * significant at {result.alpha:g} over all test sets, "
        f"each at {result.alpha / sets:.2g}; pooled: random effects, "
        f"{100 - 100 * result.alpha:g} % interval"
    )
    notes = [procedure]
    for test_set in result.sets:
        requirement = test_set.decision["requirement"]
        if requirement is not None:
            notes += [f"{test_set.name}: {obstacle}" for obstacle in requirement["obstacles"]]
        notes += [f"{test_set.name}: no {title}: {why}" for title, why in test_set.missing.items()]
        notes += [
            f"{test_set.name}: warning: {warning}" for warning in test_set.decision["warnings"]
        ]
        notes += [f"{test_set.name}: {finding}" for finding in dict.fromkeys(_serious(test_set))]
    if cached := sum(test_set.cached for test_set in result.sets):
        notes.append(f"unchanged since an earlier run: {cached} of {counted(sets, 'test set')}")
    return lines(notes, wrapped=100)


def _serious(test_set: SetResult) -> Iterator[str]:
    for verdict in test_set.systems:
        for finding in verdict.get("findings", ()):
            if finding["severity"] == "serious":
                yield f"serious: {finding['meaning']}"


def _since(result: SuiteResult, before: Mapping[str, Any]) -> Lines:
    changed = changes(result, before)
    if not changed:
        return lines(["since the last run: no score has changed"])
    rows = [
        f"  {name}, {system}, {_key({'metric': metric})}: {points:+.2f}"
        for (name, system, metric), points in changed.items()
    ]
    return lines([f"since the last run: {counted(len(changed), 'score')} changed", *rows])


def junit(result: SuiteResult) -> Iterable[str]:
    """A test case for each test set, which fails where what was required does not hold."""
    broken = sum(not test_set.holds for test_set in result.sets)
    count = {"tests": str(len(result.sets)), "failures": str(broken), "errors": "0"}
    root = ElementTree.Element("testsuites", {"name": "tertium", **count})
    suite = ElementTree.SubElement(root, "testsuite", {"name": result.name, **count})
    for test_set in result.sets:
        case = ElementTree.SubElement(
            suite, "testcase", name=test_set.name, classname=f"tertium.{result.name}"
        )
        sentences = "\n".join(verdict["sentence"] for verdict in test_set.systems)
        requirement = test_set.decision["requirement"]
        if requirement is not None and not requirement["holds"]:
            obstacles = requirement["obstacles"]
            failure = ElementTree.SubElement(
                case, "failure", message=_xml_text(obstacles[0]), type=requirement["required"]
            )
            failure.text = _xml_text("\n".join(obstacles))
        ElementTree.SubElement(case, "system-out").text = _xml_text(sentences)
    ElementTree.indent(root)
    yield f"{ElementTree.tostring(root, encoding='unicode', xml_declaration=False)}\n"


def _xml_text(text: str) -> str:
    """The text without characters that XML cannot have."""
    return "".join(sign for sign in text if sign in "\t\n\r" or sign >= " ")
