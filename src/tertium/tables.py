r"""One table for every command, as text, TSV, Markdown, LaTeX and HTML.

A `Table` has columns, sections of rows, and a mark on each cell that is to stand out; `Lines` are
what stands above or below it. A view is a sequence of both, which `markdown`, `latex` and
`html` render; `tsv` renders rows of numbers for programs. A terminal is shown a view
by rich, for which both are renderables: what is too wide for it is split into blocks of columns,
one below the other, and nothing is cut. Pipes and files have no width and no colors: for them the
same text is made here, because rich takes longer to import than most files take to score.

To show something new, make a `Table` of it: no format needs to be told.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from tertium.errors import MissingExtraError
from tertium.installation import install_hint

if TYPE_CHECKING:
    import pandas
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table as RichTable
    from rich.text import Text

Mark: TypeAlias = Literal[
    "", "best", "strong", "faint", "code", "gain", "loss", "serious", "warning", "advice"
]
"""Why a cell stands out."""

STYLES: Final[dict[Mark, str]] = {
    "": "",
    "best": "bold green",
    "strong": "bold",
    "faint": "dim",
    "code": "",
    "gain": "green",
    "loss": "red",
    "serious": "bold red",
    "warning": "yellow",
    "advice": "italic",
}
"""How a terminal shows each mark."""

_BOLD: Final = frozenset({"best", "strong", "serious"})
"""Marks that are bold wherever text can be."""

_GAP: Final = 3
"""Columns of a terminal between two cells."""
_SHORT: Final = 16
"""Text of so many characters stays whole when a terminal is narrow."""
_HEADING: Final = 12
"""Longer headings, and longer than the cells below, are broken between words if they must be."""

UNLIMITED: Final = 100_000
"""Wider than any table: a pipe has no edge at which names would have to be cut."""


class Column(NamedTuple):
    """A heading, and the side on which its cells stand: text left, numbers right.

    A ``joined`` column stays beside the one before it where a narrow terminal splits a table, and
    text is not broken between lines where it is ``whole``.
    """

    title: str
    side: Literal["left", "right"] = "right"
    joined: bool = False
    whole: bool = False


class Cell(NamedTuple):
    """A text, and why it stands out."""

    text: str
    mark: Mark = ""


Row: TypeAlias = tuple[Cell, ...]
Section: TypeAlias = tuple[Row, ...]
"""Rows that are to be compared with one another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Sections of rows under columns, of which the first ``labels`` are repeated in every block.

    ``remark`` stands behind the title. Without a ``header`` the columns have no names. LaTeX has
    a rule between sections unless they are not ``ruled``, such as one for each of 3,000 segments.
    A table that is ``close`` follows what is before it without an empty line.
    """

    columns: tuple[Column, ...]
    sections: tuple[Section, ...]
    title: str = ""
    remark: str = ""
    labels: int = 1
    header: bool = True
    ruled: bool = True
    close: bool = False

    @property
    def rows(self) -> Iterator[Row]:
        """All rows, of whatever section."""
        return (row for section in self.sections for row in section)

    def plain(self) -> str | None:
        """The table without an edge; ``None`` if it has signs whose look only rich knows."""
        widths = self._widths()
        whole = sum(widths) + _GAP * (len(widths) - 1)
        titles = [column.title for column in self.columns]
        if whole > UNLIMITED or not _are_plain(
            (self.title, *titles, *(cell.text for row in self.rows for cell in row))
        ):
            return None

        def line(cells: Iterable[str]) -> str:
            aligned = zip(self.columns, cells, widths, strict=True)
            return (" " * _GAP).join(_aligned(*cell) for cell in aligned)

        lines = [self._heading()] if self.title else []
        if self.header:
            lines += [line(titles), "─" * whole]
        for number, section in enumerate(self.sections):
            if number > 0 and self._spaced:
                lines.append("")
            lines += [line(cell.text for cell in row) for row in section]
        return "\n".join(lines)

    @property
    def _spaced(self) -> bool:
        """Whether sections are set apart: not where each is a single row."""
        return any(len(section) > 1 for section in self.sections)

    def _heading(self) -> str:
        return f"{self.title}  {self.remark}" if self.remark else self.title

    def markdown(self) -> Iterator[str]:
        """The table of GitHub and its kin; it cannot do without a header."""
        if self.title:
            yield f"**{_markdown(self.title)}**"
            if self.remark:
                yield f"  {_markdown(self.remark)}"
            yield "\n\n"
        heads = (_markdown(column.title) if self.header else "" for column in self.columns)
        yield _markdown_row(heads)
        yield _markdown_row("---:" if column.side == "right" else "---" for column in self.columns)
        for row in self.rows:
            yield _markdown_row(map(_markdown_cell, row))

    def latex(self) -> Iterator[str]:
        """A ``tabular`` for the package booktabs, after its title as a comment."""
        if self.title:
            yield latex_comment(self._heading())
        sides = "".join(column.side[0] for column in self.columns)
        yield f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n"
        if self.header:
            yield _latex_row(_latex_heading(column.title) for column in self.columns)
        for number, section in enumerate(self.sections):
            if self.header if number == 0 else self.ruled:
                yield "\\midrule\n"
            for row in section:
                yield _latex_row(map(_latex_cell, row))
        yield "\\bottomrule\n\\end{tabular}\n"

    def html(self) -> str:
        """A plain table for notebooks and pages; every cell is escaped."""
        from html import escape

        head = "".join(f"<th>{escape(column.title)}</th>" for column in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{_html_cell(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows
        )
        title = f"<caption>{escape(self._heading())}</caption>" if self.title else ""
        return f"<table>{title}{f'<tr>{head}</tr>' if self.header else ''}{body}</table>"

    def __rich_console__(
        self, console: "Console", options: "ConsoleOptions"
    ) -> "Iterator[RenderableType]":
        if self._width() > options.max_width and (narrow := self._with_broken_headings()) != self:
            yield narrow
            return
        from rich.text import Text

        for number, columns in enumerate(self._packed(options.max_width)):
            if number > 0:
                yield ""
            if self.title:
                continued = " (continued)" if number > 0 else ""
                remark = f"  {self.remark}" if self.remark else ""
                yield Text.assemble((f"{self.title}{continued}", "bold"), remark)
            yield self._rich_table(columns)

    def _groups(self) -> Iterator[range]:
        """The columns after the labels, those together that stay together."""
        first = self.labels
        for number in range(first + 1, len(self.columns)):
            if not self.columns[number].joined:
                yield range(first, number)
                first = number
        if first < len(self.columns):
            yield range(first, len(self.columns))

    def _packed(self, width: int) -> Iterator[list[int]]:
        """The columns of each block, behind the labels."""
        own = self._widths()
        labels = sum(each + _GAP for each in own[: self.labels]) - _GAP
        block: list[int] = []
        used = labels
        for group in self._groups():
            needed = sum(self._least(number, own[number]) + _GAP for number in group)
            if block and used + needed > width:
                yield block
                block, used = [], labels
            block += group
            used += needed
        yield block

    def _least(self, number: int, width: int) -> int:
        """What a column needs: text may go on in the next line."""
        column = self.columns[number]
        return width if column.side == "right" or column.whole else min(_SHORT, width)

    def _with_broken_headings(self) -> "Table":
        from textwrap import wrap

        cells = self._widths(headings=False)
        return replace(
            self,
            columns=tuple(
                column._replace(
                    title="\n".join(
                        wrap(column.title, max(_HEADING, width), break_long_words=False)
                    )
                )
                for column, width in zip(self.columns, cells, strict=True)
            ),
        )

    def _width(self) -> int:
        widths = self._widths()
        return sum(widths) + _GAP * (len(widths) - 1)

    def _widths(self, *, headings: bool = True) -> list[int]:
        cells = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        return [
            max(
                max((_width(line) for line in column.title.split("\n")), default=0)
                if headings and self.header
                else 0,
                max((_width(cell.text) for cell in texts), default=0),
            )
            for column, texts in zip(self.columns, cells, strict=True)
        ]

    def _rich_table(self, block: Sequence[int]) -> "RichTable":
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(
            box=box.SIMPLE_HEAD if self.header else box.SIMPLE,
            show_header=self.header,
            show_edge=False,
            pad_edge=False,
            header_style="bold",
        )
        widths = self._widths()
        shown = [*range(self.labels), *block]
        for number in shown:
            column = self.columns[number]
            wraps = number < self.labels or column.side == "left"
            if column.whole or not wraps:
                table.add_column(Text(column.title), justify=column.side, no_wrap=True)
            else:
                table.add_column(
                    Text(column.title),
                    justify=column.side,
                    overflow="fold",
                    min_width=self._least(number, widths[number]) if len(shown) > 1 else None,
                )
        for section in self.sections:
            for row in section:
                table.add_row(*(_rich(row[number]) for number in shown))
            if self._spaced:
                table.add_section()
        return table


class TextLine(NamedTuple):
    """A line of pieces; one that is to be ``copied`` stays one line, however narrow a terminal."""

    pieces: tuple[Cell, ...]
    copied: bool = False

    @property
    def text(self) -> str:
        """The line without its marks."""
        return "".join(piece.text for piece in self.pieces)


class Lines(NamedTuple):
    """Lines above or below a table.

    They are ``wrapped`` at so many columns where there is no terminal, too, and follow what is
    before them without an empty line if they are ``close``.
    """

    lines: tuple[TextLine, ...]
    wrapped: int = 0
    close: bool = False

    def plain(self) -> str | None:
        """The lines; ``None`` if they have signs whose look only rich knows."""
        texts = [line.text for line in self.lines]
        return "\n".join(self._wrapped(texts)) if _are_plain(texts) else None

    def _wrapped(self, texts: Iterable[str]) -> Iterator[str]:
        """Lines that are indented go on indented; a word that is too long stays whole."""
        if not self.wrapped:
            yield from texts
            return
        from textwrap import wrap

        for text in texts:
            indent = " " * (len(text) - len(text.lstrip()))
            yield from wrap(
                text.lstrip(),
                self.wrapped,
                initial_indent=indent,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            ) or [""]

    def __rich_console__(
        self, console: "Console", options: "ConsoleOptions"
    ) -> "Iterator[RenderableType]":
        from rich.text import Text

        if self.wrapped:
            for text in self._wrapped(line.text for line in self.lines):
                yield Text(text, no_wrap=True, overflow="ignore")
            return
        for line in self.lines:
            pieces = [(piece.text, STYLES[piece.mark]) for piece in line.pieces]
            if line.copied:
                yield Text.assemble(*pieces, no_wrap=True, overflow="ignore")
            else:
                yield Text.assemble(*pieces)


Part: TypeAlias = Table | Lines
View: TypeAlias = Sequence[Part]
"""What a command shows, in order."""


def lines(
    texts: Iterable[str],
    mark: Mark = "",
    *,
    copied: bool = False,
    wrapped: int = 0,
    close: bool = False,
) -> Lines:
    """Lines that have one mark each."""
    made = tuple(TextLine((Cell(text, mark),), copied) for text in texts)
    return Lines(made, wrapped=wrapped, close=close)


def table(
    titles: Sequence[str],
    rows: Iterable[Sequence[str | Cell]],
    *,
    title: str = "",
    left: Iterable[int] = (0,),
    labels: int = 1,
) -> Table:
    """A table of one section, each column by itself; those in ``left`` are text.

    >>> print(table(["system", "BLEU"], [["alder", "30.10"]]).plain())
    system    BLEU
    ──────────────
    alder    30.10
    """
    text = frozenset(left)
    return Table(
        title=title,
        columns=tuple(
            Column(name, "left" if number in text else "right")
            for number, name in enumerate(titles)
        ),
        sections=(
            tuple(
                tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row)
                for row in rows
            ),
        ),
        labels=labels,
    )


# Views in each format.


def markdown(view: View) -> Iterator[str]:
    """Tables and paragraphs."""
    for number, part in enumerate(view):
        if number > 0:
            yield "\n"
        if isinstance(part, Table):
            yield from part.markdown()
        else:
            texts = ("".join(map(_markdown_cell, line.pieces)) for line in part.lines)
            yield "  \n".join(texts) + "\n"


def latex(view: View) -> Iterator[str]:
    """A ``tabular`` for each table; lines are comments."""
    for part in view:
        if isinstance(part, Table):
            yield from part.latex()
        else:
            yield from (latex_comment(line.text) for line in part.lines if line.text)


def html(view: View) -> Iterator[str]:
    """Tables and paragraphs, a part of a page."""
    for part in view:
        if isinstance(part, Table):
            yield f"{part.html()}\n"
        else:
            texts = ("".join(map(_html_cell, line.pieces)) for line in part.lines)
            yield f"<p>{'<br>'.join(texts)}</p>\n"


_TABS: Final = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def tsv(names: Sequence[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    r"""Names, then rows with all digits; what is missing is empty, and a row stays one line.

    >>> list(tsv(["system", "bleu"], [["a\tb", 30.125], ["c", None]]))
    ['system\tbleu\n', 'a\\tb\t30.125\n', 'c\t\n']
    """
    yield tsv_row(names)
    for row in rows:
        yield tsv_row(row)


def record_tsv(records: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """The names of the first record, then the values of each; nothing without a record."""
    for number, record in enumerate(records):
        if number == 0:
            yield tsv_row(record)
        yield tsv_row(record.values())


def tsv_row(values: Iterable[object]) -> str:
    """One line of values with all digits, whatever a name holds."""
    texts = [
        value if isinstance(value, str) else "" if value is None else repr(value)
        for value in values
    ]
    line = "\t".join(texts)
    if "\n" in line or "\r" in line or line.count("\t") >= len(texts):
        line = "\t".join(text.translate(_TABS) for text in texts)
    return f"{line}\n"


def table_tsv(view: View) -> Iterator[str]:
    """The tables of a view that has no numbers of its own for programs, as they are shown."""
    for number, part in enumerate(part for part in view if isinstance(part, Table)):
        if number > 0:
            yield "\n"
        yield from tsv(
            [column.title for column in part.columns],
            ([cell.text.strip() for cell in row] for row in part.rows),
        )


# Markdown, HTML and LaTeX have signs of their own.

_MARKDOWN: Final = r"([\\`*_\[\]<>|])"


def _markdown(text: str) -> str:
    return re.sub(_MARKDOWN, r"\\\1", " ".join(text.splitlines()).strip())


def _markdown_row(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |\n"


def _markdown_cell(cell: Cell) -> str:
    text = _markdown(cell.text)
    if cell.mark == "code":
        return f"`{cell.text.replace('|', chr(92) + '|')}`"
    return f"**{text}**" if text and cell.mark in _BOLD else text


def _html_cell(cell: Cell) -> str:
    from html import escape

    return f"<b>{escape(cell.text)}</b>" if cell.mark in _BOLD else escape(cell.text)


_LATEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\n": " ",
        "\r": " ",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)
_SYMBOLS: Final = str.maketrans(
    {
        **{sign: f"${sign}$" for sign in "<>|"},
        "Δ": r"$\Delta$",
        "±": r"$\pm$",
        "×": r"$\times$",
        "↓": r"$\downarrow$",
        "→": r"$\rightarrow$",
        "†": r"$^\dagger$",
        "‡": r"$^\ddagger$",
        "*": r"$^*$",
        "–": "--",
        "α": r"$\alpha$",
        "β": r"$\beta$",
        "κ": r"$\kappa$",
        "ρ": r"$\rho$",
        "σ": r"$\sigma$",
        "τ": r"$\tau$",
        "²": "$^2$",
        "−": "$-$",
    }
)
# Compiled where they are used: a table as text needs none of them.
_SIGNED: Final = r"[+-]\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_PERCENT: Final = r"(?<=\d) \\%"
_PROBABILITY: Final = r"(?<=\braw )p\b|(?<=\bcorrected )p\b|^p(?= runs|-value)"


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> escape_latex("50%_a\\b")
    '50\\%\\_a\\textbackslash{}b'
    """
    return text.translate(_LATEX)


def latex_text(text: str) -> str:
    r"""The same with signs that are set as formulas.

    >>> latex_text("Δ < 5_%")
    '$\\Delta$ $<$ 5\\_\\%'
    """
    return escape_latex(text).translate(_SYMBOLS)


def latex_comment(text: str) -> str:
    """One line that LaTeX skips, whatever breaks a system's name has."""
    return f"% {' '.join(text.split())}\n"


def _latex_heading(text: str) -> str:
    return re.sub(_PROBABILITY, "$p$", re.sub(_PERCENT, r"\\,\\%", latex_text(text)))


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + " \\\\\n"


def _latex_cell(cell: Cell) -> str:
    # A hyphen is no minus: signed numbers are set as formulas.
    text = latex_text(cell.text.strip())
    if re.match(_SIGNED, cell.text):
        text = re.sub(_SIGNED, lambda match: f"${match[0]}$", text)
    return f"\\textbf{{{text}}}" if text and cell.mark in _BOLD else text


def _rich(cell: Cell) -> "Text":
    from rich.text import Text

    return Text(cell.text, style=STYLES[cell.mark])


def _are_plain(texts: Iterable[str]) -> bool:
    """Whether every character is seen; of those that take no column, rich drops some."""
    return all(text.isprintable() and (text.isascii() or all(map(_width, text))) for text in texts)


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _aligned(column: Column, text: str, width: int) -> str:
    if column.side == "right":
        text = text.rstrip()
        return " " * (width - _width(text)) + text
    return text + " " * (width - _width(text))


# Results as notebooks show them and as pandas takes them.


def dataframe(rows: Iterable[dict[str, object]]) -> "pandas.DataFrame":
    """A row for every dictionary; needs pandas."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError(
            f"to_dataframe: package 'pandas' is not installed; {install_hint('pandas')}"
        ) from None
    return pandas.DataFrame(list(rows))


def html_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A plain table for notebooks; every cell is escaped.

    >>> html_table(["system"], [["<b>"]])
    '<table><tr><th>system</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    return table(titles, rows).html()
