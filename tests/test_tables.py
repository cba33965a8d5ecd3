"""Tables in every format; for pipes they are what rich would show there, though it is not asked."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tertium.report.console import console_text, rich_text, view_text
from tertium.tables import Cell, Column, Lines, Table, html, latex, lines, markdown, table_tsv

# Blanks at the ends are the hard part; wide, combining and invisible signs the other one.
names = st.text(st.sampled_from("ab _-漢字é↓±\u0301\u200b"), max_size=6)
numbers = st.sampled_from(["23.35", "100.00", "0.0312*", "0.0312 ", "", "-1.50", "<0.0010 "])


def by_rich(shown: Table | Lines) -> str:
    """What the pipe would get if it were asked to show what it cannot make by itself."""
    lines = (line.rstrip() for line in rich_text(shown).split("\n"))
    return "\n".join(lines).strip("\n") + "\n"


@st.composite
def tables(draw: st.DrawFn) -> Table:
    labels = tuple(
        Column(draw(names), draw(st.sampled_from(["left", "right"])))
        for _ in range(draw(st.integers(1, 2)))
    )
    widths = draw(st.lists(st.integers(1, 2), min_size=1, max_size=3))
    groups = [Column(draw(names), joined=number > 0) for width in widths for number in range(width)]
    row = st.tuples(
        *(names.map(Cell) for _ in labels),
        *(numbers.map(lambda text: Cell(text, "strong")) for _ in groups),
    )
    section = st.lists(row, min_size=1, max_size=3).map(tuple)
    sections = draw(st.lists(section, min_size=1, max_size=3))
    return Table(
        title=draw(names),
        columns=(*labels, *groups),
        sections=tuple(sections),
        labels=len(labels),
        header=draw(st.booleans()),
    )


@given(tables())
def test_a_table_is_what_rich_shows(table: Table) -> None:
    assert console_text(table) == by_rich(table)


@given(st.lists(names, min_size=1, max_size=4))
def test_notes_are_what_rich_shows(texts: list[str]) -> None:
    notes = lines(texts, copied=True)
    assert console_text(notes) == by_rich(notes)


def test_line_breaks_tabs_and_marks_are_left_to_rich() -> None:
    for text in ("two\nlines", "tab\tbed", "\x1b[1m", "\u0301", "e\u0301"):
        table = Table(
            columns=(Column("system"), Column("BLEU")), sections=(((Cell(text), Cell("1")),),)
        )
        assert table.plain() is None
        assert console_text(table) == by_rich(table)
        assert lines([text]).plain() is None


SCORES = Table(
    title="scores",
    remark="2 of them",
    columns=(Column("system", "left"), Column("BLEU ± 95 %"), Column("raw p", joined=True)),
    sections=(
        ((Cell("a_b"), Cell("30.1 ± 0.5", "best"), Cell("")),),
        ((Cell("x|y"), Cell("-1.25"), Cell("<0.001*")),),
    ),
)
VIEW: list[Table | Lines] = [SCORES, lines(["2 segments & more"], "faint")]


def test_markdown_is_a_table_of_github() -> None:
    assert "".join(markdown(VIEW)).splitlines() == [
        "**scores**  2 of them",
        "",
        "| system | BLEU ± 95 % | raw p |",
        "| --- | ---: | ---: |",
        r"| a\_b | **30.1 ± 0.5** |  |",
        r"| x\|y | -1.25 | \<0.001\* |",
        "",
        "2 segments & more",
    ]


def test_latex_is_a_booktabs_table_with_signs_as_formulas() -> None:
    assert "".join(latex(VIEW)).splitlines() == [
        "% scores 2 of them",
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"system & BLEU $\pm$ 95\,\% & raw $p$ \\",
        r"\midrule",
        r"a\_b & \textbf{30.1 $\pm$ 0.5} &  \\",
        r"\midrule",
        r"x$|$y & $-1.25$ & $<$0.001$^*$ \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% 2 segments & more",
    ]


def test_html_escapes_every_cell() -> None:
    assert "".join(html(VIEW)) == (
        "<table><caption>scores  2 of them</caption>"
        "<tr><th>system</th><th>BLEU ± 95 %</th><th>raw p</th></tr>"
        "<tr><td>a_b</td><td><b>30.1 ± 0.5</b></td><td></td></tr>"
        "<tr><td>x|y</td><td>-1.25</td><td>&lt;0.001*</td></tr></table>\n"
        "<p>2 segments &amp; more</p>\n"
    )


def test_tsv_of_a_view_has_its_tables() -> None:
    assert "".join(table_tsv([*VIEW, SCORES])).splitlines() == [
        *(three := ["system\tBLEU ± 95 %\traw p", "a_b\t30.1 ± 0.5\t", "x|y\t-1.25\t<0.001*"]),
        "",
        *three,
    ]


def test_rows_of_one_are_not_set_apart_in_text_and_rules_can_be_left_out() -> None:
    assert view_text([SCORES]).splitlines()[3:] == [
        "a_b       30.1 ± 0.5",
        "x|y            -1.25   <0.001*",
    ]
    assert "".join(replace(SCORES, ruled=False).latex()).count("midrule") == 1


def test_close_parts_and_wrapped_lines() -> None:
    sentence = lines(["  word" * 3], wrapped=10, close=True)
    assert view_text([lines(["first"]), sentence, lines(["last"])]).splitlines() == [
        "first",
        "  word",
        "  word",
        "  word",
        "",
        "last",
    ]


def test_a_narrow_terminal_has_blocks_that_repeat_the_labels() -> None:
    from io import StringIO

    from rich.console import Console

    row = tuple(map(Cell, ("alder", "0.123", "0.456", "0.789")))
    whole = Table(title="t", columns=tuple(map(Column, "abcd")), sections=((row,),))
    console = Console(file=StringIO(), width=20, color_system=None)
    with console.capture() as capture:
        console.print(whole)
    shown = [line.split() for line in capture.get().splitlines() if line.strip()]
    assert shown[0] == ["t"]
    assert ["alder", "0.123"] in shown
    assert ["t", "(continued)"] in shown
    assert {cell for line in shown for cell in line} >= {"0.123", "0.456", "0.789"}
