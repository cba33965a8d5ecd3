"""The figures of HLT 2002, and names that people annotated."""

from importlib import import_module
from pathlib import Path

import pytest
from experiments.__main__ import DOCS, EXPERIMENTS
from experiments.data import Data
from experiments.hlt2002.annotated_names import Lexicon
from experiments.sections import Claim


def test_the_longest_known_name_is_taken_from_the_left() -> None:
    known = Lexicon.of(["European Parliament", "Parliament", "Strasbourg", "European Parliament"])
    assert known.longest == 2
    text = known.annotated("the european parliament met in Strasbourg; Parliament rose, european")
    assert [text.surface(one) for one in text.entities] == [
        "european parliament", "Strasbourg", "Parliament",
    ]  # fmt: skip


def test_every_figure_of_the_paper_with_numbers_is_there() -> None:
    """Figure 1 is a flow chart; 3 and 4, 5 to 7, 10 and 11 share a section."""
    assert {
        "hlt2002.figure2",
        "hlt2002.figures3_4",
        "hlt2002.figures5_7",
        "hlt2002.figure8",
        "hlt2002.figure9",
    } < set(EXPERIMENTS)
    assert {
        "hlt2002.figures10_11",
        "hlt2002.table1",
        "hlt2002.table2",
        "hlt2002.table2_annotated",
    } < set(EXPERIMENTS)
    page = (DOCS / "experiments.md").read_text(encoding="utf-8")
    for number in (2, 5, 10, 11):
        assert list((DOCS / "figures").glob(f"hlt_figure{number}*.svg"))
        assert f"(figures/hlt_figure{number}" in page


@pytest.mark.shared
@pytest.mark.parametrize("name", ["hlt2002.figure2", "hlt2002.figures3_4"])
def test_the_page_has_what_the_experiment_prints(shared_data: Path, name: str) -> None:
    pytest.importorskip("plotly", reason="figures need the extra 'plots'")
    section = import_module(f"experiments.{name}").run(Data(shared_data))
    assert section.to_markdown() in (DOCS / "experiments.md").read_text(encoding="utf-8")
    assert isinstance(section.blocks[-1], Claim)
