"""The tables of docs/input.md are what their command prints."""

from experiments.evidence.formats import read_table, refused_table

from tests.support.places import DOCS


def test_the_page_shows_what_the_command_prints() -> None:
    page = (DOCS / "input.md").read_text(encoding="utf-8")
    assert "\n".join(read_table()) in page
    assert "\n".join(refused_table()) in page


def test_all_scores_of_the_table_are_equal() -> None:
    cells = [row.split(" | ")[2:] for row in read_table()[2:]]
    scores = {cell.strip(" |") for row in cells for cell in row}
    assert len(scores) == 1
