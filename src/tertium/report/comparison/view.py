"""A comparison for people: on a terminal with colours, elsewhere with brackets."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.compare.comparison import Comparison
from tertium.compare.score_results import ScoreTable
from tertium.compare.sentences import Marked, SentenceDifferences, SentencePair
from tertium.decide.rules import verdicts
from tertium.plurals import counted
from tertium.report.comparison.cells import Grid
from tertium.report.comparison.grids import detail_grids, score_grids
from tertium.report.plain_table import plain_table
from tertium.results import titles

_SHORT: Final = 16

RIGHT: Final = "bold green"
"""How a terminal shows what a hypothesis has right, and the best score."""


UNAUDITED: Final = "(by scores alone; 'tertium decide' asks the audits, too)"
"""What a comparison cannot know: whether an output is damaged, or a lead rests on little."""


def comparison_view(
    comparison: Comparison, *, decimals: int = 2, terminal: int | None = None
) -> RenderableType:
    """Every section under its heading.

    ``terminal`` is the width of one; without a terminal right words are in brackets, not
    coloured, and lines are as long as they need to be.
    """
    shown: list[RenderableType] = []
    scores = comparison.scores
    if scores is not None:
        answers = [
            replace(one, identical=one.system in comparison.identical) for one in verdicts(scores)
        ]
        shown += [*(Text(one.sentence) for one in answers), Text(UNAUDITED), Text("")]
        for grid in score_grids(scores, decimals, terminal):
            shown += _titled(grid)
        shown += [*_notes(scores), Text("")]
    for grid in detail_grids(comparison, decimals=decimals):
        shown += _titled(grid)
    for found in comparison.sentences or ():
        shown += _sentences_view(found, decimals=decimals, brackets=terminal is None)
    cutter = comparison.cutter
    case = ", lower-cased" if cutter.lowercase else ""
    marks = "" if cutter.tokenizer.punctuation else ", without punctuation"
    size = counted(comparison.segments, "segment")
    cut = f"{size}; tokenized with {cutter.tokenizer.name}{case}{marks}"
    return Group(*shown, Text(cut, style="dim"))


def _titled(grid: Grid) -> list[RenderableType]:
    return [Text(grid.title, style="bold"), grid_table(grid), Text("")]


def grid_table(grid: Grid) -> Table:
    """A grid as a terminal shows it; the best cells stand out."""
    table = plain_table()
    for number, heading in enumerate(grid.headings):
        if number in grid.left:
            table.add_column(Text(heading), overflow="fold", min_width=_least_width(grid, number))
        else:
            table.add_column(Text(heading), justify="right", overflow="fold")
    for group in grid.groups:
        for row in group:
            table.add_row(*(Text(cell.text, style=RIGHT if cell.best else "") for cell in row))
        if len(group) > 1:
            table.add_section()
    return table


def _least_width(grid: Grid, column: int) -> int:
    """Names that are short stay whole when a terminal is narrow."""
    texts = [row[column].text for group in grid.groups for row in group]
    return min(_SHORT, max(map(len, [grid.headings[column], *texts])))


def _notes(table: ScoreTable) -> Iterator[Text]:
    yield from (Text(note, style="dim") for note in table.notes)
    for title, signature in zip(titles(table.metrics), table.signatures, strict=True):
        # A signature must stay one line, to be copied.
        yield Text(f"{title}  {signature}", style="dim", no_wrap=True, overflow="ignore")
    for finding in table.findings:
        yield Text(finding, style="yellow")


def _sentences_view(
    found: SentenceDifferences, *, decimals: int, brackets: bool
) -> list[RenderableType]:
    shown: list[RenderableType] = []
    for word, pairs in (("better", found.better), ("worse", found.worse)):
        if pairs:
            heading = f"segments that make {found.system} {word} than {found.baseline}"
            shown += [Text(heading, style="bold"), Text("")]
        for pair in pairs:
            shown += [*_pair_view(found, pair, decimals=decimals, brackets=brackets), Text("")]
    return shown


def _pair_view(
    found: SentenceDifferences, pair: SentencePair, *, decimals: int, brackets: bool
) -> list[RenderableType]:
    width = max(map(len, (found.system, found.baseline, "reference"))) + 1
    shown = found.metric.shown
    scores = (
        f"{found.metric.title} {shown(pair.baseline_score, decimals)} → "
        f"{shown(pair.system_score, decimals)} ({shown(pair.delta, decimals, sign='+')})"
    )
    effect = shown(pair.effect, decimals + 1, sign="+")
    part = f"{effect} of the {shown(found.delta, decimals, sign='+')} between the systems"
    lines: list[RenderableType] = [
        Text.assemble((f"segment {pair.number}", "bold"), f"  {part}; {scores} by itself"),
        *(Text(f"  {'reference:':<{width}} {text}") for text in pair.references),
    ]
    for name, hypothesis in ((found.baseline, pair.baseline), (found.system, pair.system)):
        label = f"{name}:"
        text = Text(hypothesis.bracketed) if brackets else _styled(hypothesis)
        lines.append(Text.assemble(f"  {label:<{width}} ", text))
    return lines


def _styled(hypothesis: Marked) -> Text:
    text = Text(hypothesis.text)
    for start, stop in hypothesis.spans:
        text.stylize(RIGHT, start, stop)
    return text
