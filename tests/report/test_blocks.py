"""Tables for pipes are what rich would show there, though rich is not asked."""

from hypothesis import given
from hypothesis import strategies as st

from tertium.report.blocks import Blocks, Column, Notes, TextCell
from tertium.report.console import console_text, rich_text

# Blanks at the ends are the hard part; wide, combining and invisible signs the other one.
names = st.text(st.sampled_from("ab _-漢字é↓±\u0301\u200b"), max_size=6)
numbers = st.sampled_from(["23.35", "100.00", "0.0312*", "0.0312 ", "", "-1.50", "<0.0010 "])


def by_rich(shown: Blocks | Notes) -> str:
    """What the pipe would get if it were asked to show what it cannot make by itself."""
    lines = (line.rstrip() for line in rich_text(shown).split("\n"))
    return "\n".join(lines).strip("\n") + "\n"


@st.composite
def tables(draw: st.DrawFn) -> Blocks:
    labels = tuple(
        Column(draw(names), draw(st.sampled_from(["left", "right"])))
        for _ in range(draw(st.integers(1, 2)))
    )
    widths = draw(st.lists(st.integers(1, 2), min_size=1, max_size=3))
    groups = tuple(tuple(Column(draw(names)) for _ in range(width)) for width in widths)
    row = st.tuples(
        *(names.map(TextCell) for _ in labels),
        *(numbers.map(lambda text: TextCell(text, "bold")) for group in groups for _ in group),
    )
    section = st.lists(row, min_size=1, max_size=3).map(tuple)
    sections = draw(st.lists(section, min_size=1, max_size=3))
    return Blocks(labels=labels, groups=groups, sections=tuple(sections))


@given(tables())
def test_a_table_is_what_rich_shows(table: Blocks) -> None:
    assert console_text(table) == by_rich(table)


@given(st.lists(names, min_size=1, max_size=4))
def test_notes_are_what_rich_shows(lines: list[str]) -> None:
    notes = Notes(tuple(lines))
    assert console_text(notes) == by_rich(notes)


def test_line_breaks_tabs_and_marks_are_left_to_rich() -> None:
    for text in ("two\nlines", "tab\tbed", "\x1b[1m", "\u0301", "e\u0301"):
        table = Blocks(
            (Column("system"),), ((Column("BLEU"),),), (((TextCell(text), TextCell("1")),),)
        )
        assert table.plain() is None
        assert console_text(table) == by_rich(table)
        assert Notes((text,)).plain() is None
