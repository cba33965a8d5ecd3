"""Results of `decide` and `compare` as notebooks show them: the verdict card and the forest plot.

The styles of pages are nested in a class, so that nothing else of the notebook changes. All is
static: no script, no link, and no id, for the same result may be shown twice.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from tertium.decide.decision import Decision
from tertium.decide.evidence import MetricEvidence
from tertium.decide.rules import verdicts
from tertium.decide.verdict import Verdict
from tertium.inference.power import detectable_difference
from tertium.plurals import counted
from tertium.report.html.charts import Effect, forest
from tertium.report.html.page import REPORT_FOLDER, templates
from tertium.report.html.verdict import finding_chips, metric_effects, pair_meters, sentence_parts
from tertium.report.html.wording import without_folders

if TYPE_CHECKING:
    from tertium.compare.comparison import Comparison

MOST_DRAWN: Final = 12
"""Systems beside the baseline that are drawn; a table has all."""
END: Final = "<!-- end of the drawing -->"
"""Stands between what is drawn and the tables below."""
_QUANTILE: Final = 1.959964
"""Half of a 95 % interval in standard errors."""


def decision_html(decision: Decision) -> str:
    """The verdicts with their evidence, drawn, and the scores they rest on."""
    return _drawn(
        decision.verdicts, decision.baseline, notes=(decision.witness, decision.procedure)
    )


def comparison_html(comparison: "Comparison") -> str:
    """The differences of all systems from the baseline, drawn; nothing where there are none."""
    table = comparison.scores
    if table is None or len(table.systems) < 2:
        return ""
    found = tuple(
        replace(verdict, metrics=tuple(_with_detectable(piece) for piece in verdict.metrics))
        for verdict in verdicts(table)
    )
    notes = ("No audit was asked: what might take a lead away is told by decide and audit.",)
    return _drawn(found, comparison.baseline, notes=notes, table=False)


def _with_detectable(piece: MetricEvidence) -> MetricEvidence:
    """The smallest difference detected with 80 % power, from the width of the interval."""
    if piece.interval is None:
        return piece
    error = piece.interval.half_width / _QUANTILE
    return replace(piece, detectable=detectable_difference(error))


def _sentence(note: str) -> str:
    text = without_folders(note).removesuffix(".")
    return f"{text[:1].upper()}{text[1:]}."


def _drawn(
    found: Sequence[Verdict], baseline: str, *, notes: Sequence[str], table: bool = True
) -> str:
    first = found[0]
    several = len(found) > 1
    say, why = sentence_parts(first)
    chips = [replace(chip, href=None) for chip in finding_chips(first.findings)]
    if several:
        say, why, chips = f"{counted(len(found), 'system')} beside {baseline}", "", []
    effects: list[Effect] = []
    for verdict in found[:MOST_DRAWN]:
        group = sentence_parts(verdict)[0] if several else ""
        effects += [replace(effect, group=group) for effect in metric_effects(verdict)]
    made: str = (
        templates()
        .get_template("notebook.html")
        .render(
            css=_nested_styles(),
            say=say,
            why=why,
            meters=() if several else pair_meters(first, (), (0, 0)),
            chips=chips,
            plot=forest("" if several else first.system, baseline, effects),
            several=several,
            left=len(found) - MOST_DRAWN,
            scores=_scores(found, baseline) if table else None,
            notes=[_sentence(note) for note in notes if note],
            end=END,
        )
    )
    return made


def _scores(found: Sequence[Verdict], baseline: str) -> tuple[list[str], list[list[str]]]:
    """The headings and the rows of the table: the baseline, then every system."""
    titles = [
        f"{without_folders(piece.title)}{'' if piece.metric.higher_is_better else ' ↓'}"
        for piece in found[0].metrics
    ]
    own = [piece.metric.shown(piece.baseline) for piece in found[0].metrics]
    others = [
        [verdict.system, *(piece.metric.shown(piece.system) for piece in verdict.metrics)]
        for verdict in found
    ]
    return ["system", *titles], [[baseline, *own], *others]


@cache
def _nested_styles() -> str:
    """Tokens and components inside of one class, whose element takes the place of the page."""
    texts = [
        (REPORT_FOLDER / "assets" / f"{name}.css").read_text(encoding="utf-8")
        for name in ("tokens", "components")
    ]
    whole = "\n".join(texts).replace(":root", "&").replace("\nbody {", "\n& {")
    return f".tertium {{\n{whole}\n}}"
