"""A comparison for papers: tables for the package booktabs, sentences as a list."""

import re
from collections.abc import Iterator
from typing import Final

from tertium.compare.comparison import Comparison
from tertium.compare.sentences import Marked, SentenceDifferences
from tertium.report.comparison.cells import ComparisonCell, Grid
from tertium.report.comparison.grids import comparison_grids
from tertium.report.latex import escape_latex
from tertium.results import titles

_SYMBOLS: Final = str.maketrans(
    {
        "<": "$<$",
        ">": "$>$",
        "|": "$|$",
        "Δ": r"$\Delta$",
        "±": r"$\pm$",
        "↓": r"$\downarrow$",
        "†": r"$^\dagger$",
        "‡": r"$^\ddagger$",
        "*": r"$^*$",
        "–": "--",
    }
)
_SIGNED: Final = re.compile(r"[+-]\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def comparison_latex(comparison: Comparison, *, decimals: int = 2) -> Iterator[str]:
    """A ``tabular`` for the package booktabs for each table; sentences as a list."""
    for grid in comparison_grids(comparison, decimals=decimals):
        yield from latex_table(grid)
    if comparison.scores is not None:
        metrics = titles(comparison.scores.metrics)
        for title, signature in zip(metrics, comparison.scores.signatures, strict=True):
            yield latex_comment(f"{title}: {signature}")
        for note in comparison.scores.notes:
            yield latex_comment(note)
        for finding in comparison.scores.findings:
            yield latex_comment(finding)
    for found in comparison.sentences or ():
        yield from _latex_sentences(found, decimals)


def latex_table(grid: Grid) -> Iterator[str]:
    """A grid as a ``tabular``, after its title as a comment."""
    sides = "".join("l" if number in grid.left else "r" for number in range(len(grid.headings)))
    yield latex_comment(grid.title)
    yield f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n"
    yield _latex_row([_latex(heading) for heading in grid.headings])
    for group in grid.groups:
        yield "\\midrule\n"
        for row in group:
            yield _latex_row([_latex_cell(cell) for cell in row])
    yield "\\bottomrule\n\\end{tabular}\n"


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + " \\\\\n"


def _latex_cell(cell: ComparisonCell) -> str:
    # A hyphen is no minus: signed numbers are set as formulas.
    text = _latex(cell.text.strip())
    if _SIGNED.match(cell.text):
        text = _SIGNED.sub(lambda match: f"${match[0]}$", text)
    return f"\\textbf{{{text}}}" if cell.best else text


def _latex(text: str) -> str:
    return escape_latex(text).translate(_SYMBOLS)


def latex_comment(text: str) -> str:
    """One line that LaTeX skips, whatever breaks a system's name has."""
    return f"% {' '.join(text.split())}\n"


def _latex_sentences(found: SentenceDifferences, decimals: int) -> Iterator[str]:
    yield latex_comment(f"{found.system} and {found.baseline}, right words in bold")
    yield "\\begin{description}\n"
    decimals += found.metric.finer
    for pair in (*found.better, *found.worse):
        part = f"${pair.effect:+.{decimals + 1}f}$ of ${found.delta:+.{decimals}f}$"
        change = f"{_latex(found.metric.title)} {part}, by itself ${pair.delta:+.{decimals}f}$"
        yield f"\\item[{pair.number}] {change}\n"
        for text in pair.references:
            yield f"\n  reference: {_latex(text)}\n"
        for name, hypothesis in ((found.baseline, pair.baseline), (found.system, pair.system)):
            yield f"\n  {_latex(name)}: {_latex_marked(hypothesis)}\n"
    yield "\\end{description}\n"


def _latex_marked(hypothesis: Marked) -> str:
    parts, end = [], 0
    for start, stop in hypothesis.spans:
        parts.append(_latex(hypothesis.text[end:start]))
        parts.append(f"\\textbf{{{_latex(hypothesis.text[start:stop])}}}")
        end = stop
    return "".join([*parts, _latex(hypothesis.text[end:])])
