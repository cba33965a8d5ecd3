"""The experiments: how they are told, one run on real data, and that the page has them all."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from experiments.__main__ import EXPERIMENTS, write
from experiments.chiang2008.table1 import wmt08
from experiments.data import Data
from experiments.hlt2002.names import Names
from experiments.sections import Claim, Section, Table, change, number

from tertium.errors import InputError
from tests.support.places import DOCS, REPOSITORY

PAGE = DOCS / "experiments.md"
PAPERS = {
    "hlt2002": "Papineni et al. (HLT 2002)",
    "chiang2008": "Chiang et al. (2008)",
    "amber2011": "Chen and Kuhn (2011)",
}

TITLES = {
    "amber2011.fit": "AMBER's weights, fitted to people",
    "amber2011.continuity": f"{PAPERS['amber2011']}, equation 14:",
    "amber2011.refit": f"{PAPERS['amber2011']}, Table 6 again:",
    "hlt2002.figures3_4": f"{PAPERS['hlt2002']}, Figures 3 and 4:",
    "hlt2002.figures5_7": f"{PAPERS['hlt2002']}, Figures 5, 6 and 7:",
    "hlt2002.figures10_11": f"{PAPERS['hlt2002']}, Figures 10 and 11:",
    "hlt2002.table2_annotated": f"{PAPERS['hlt2002']}, Table 2 again:",
    "permutation_sizes": "The size of permutation tests between metrics",
}
"""Experiments whose title does not follow from their name."""


def heading(name: str) -> str:
    """What the title of an experiment begins with."""
    if name in TITLES:
        return TITLES[name]
    paper, _, place = name.partition(".")
    kind, number = re.fullmatch(r"([a-z]+)(\d)", place).groups()  # type: ignore[union-attr]
    return f"{PAPERS[paper]}, {kind if kind == 'section' else kind.title()} {number}:"


def test_every_module_with_a_section_is_run() -> None:
    folder = REPOSITORY / "experiments"
    files = folder.rglob("*.py")
    own = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in files
        if "\ndef run(data: Data) -> Section:" in path.read_text(encoding="utf-8")
    }
    assert own == set(EXPERIMENTS)
    for name in EXPERIMENTS:
        assert callable(import_module(f"experiments.{name}").run)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_page_has_a_section_for_every_experiment(name: str) -> None:
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(sections) == len(EXPERIMENTS)
    [section] = [one for one in sections if one.startswith(heading(name))]
    assert re.search(r"^\*\*(The paper's claim|Put to the test here):\*\*", section, re.MULTILINE)
    assert re.search(r"^\| :-- \|", section, flags=re.MULTILINE)


def test_the_page_has_all_its_figures_and_no_others() -> None:
    linked = re.findall(r"\]\(figures/([\w.-]+\.svg)\)", PAGE.read_text(encoding="utf-8"))
    there = {path.name for path in (PAGE.parent / "figures").glob("*.svg")}
    assert len(linked) == len(set(linked)) > 5
    assert set(linked) == there


def test_links_of_the_contents_lead_to_headings() -> None:
    text = PAGE.read_text(encoding="utf-8")
    links = re.findall(r"^- \[(.+)\]\(#([\w-]+)\)$", text, flags=re.MULTILINE)
    titles = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    assert [title for title, _ in links] == titles


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ({"here": True}, "Holds here."),
        ({"here": False}, "Does not hold here."),
        ({"a": False, "b": False}, "Holds in none of a, b."),
        ({}, "Could not be tested here."),
        ({"a": True, "b": True}, "Holds in all 2: a, b."),
        ({"a": True, "b": False}, "Holds in 1 of 2: a; not in b."),
    ],
)
def test_verdicts_follow_from_outcomes(outcomes: dict[str, bool], verdict: str) -> None:
    assert Claim(text="x", outcomes=outcomes).verdict == verdict


def test_a_claim_says_whose_data_it_was_tested_on() -> None:
    both = Claim(text="x.", original={"dev": True}, outcomes={"a": False, "b": False})
    assert both.to_markdown() == (
        "**The paper's claim:** x. *original data:* **Holds here.** "
        "*other data:* **Holds in none of a, b.**"
    )
    own = Claim(text="x.", outcomes={"a": True}, whose="Put to the test here")
    assert own.to_markdown() == "**Put to the test here:** x. **Holds here.**"


def test_every_verdict_of_the_page_says_on_which_data() -> None:
    claims = re.findall(r"^\*\*The paper's claim:\*\* .*$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(claims) > 20
    for claim in claims:
        untested = claim.endswith("**Could not be tested here.**")
        assert untested or re.search(r"\*(original|other) data:\* \*\*", claim), claim


def test_tables_and_numbers() -> None:
    table = Table(columns=["a|b", "n"], rows=[["x", number(-0.25, 2)], ["y", change(3)]])
    assert table.to_markdown().split("\n") == [
        "| a\\|b | n |",
        "| :-- | --: |",
        "| x | −0.25 |",
        "| y | +3.0 |",
    ]


def test_a_page_without_figures(tmp_path: Path) -> None:
    write([Section(title="One (1), two", blocks=["Text."])], tmp_path)
    text = (tmp_path / "experiments.md").read_text(encoding="utf-8")
    assert "- [One (1), two](#one-1-two)\n\n## One (1), two\n\nText.\n" in text


def test_names_are_learnt_from_capital_letters() -> None:
    known = Names.of(["we saw Mary Ann, the cook, and the Queen"] * 3)
    found = known.annotated("the queen saw mary ann 3 times, the cook 2.5")
    assert [found.surface(one) for one in found.entities] == ["queen", "mary ann", "3", "2.5"]


def test_a_folder_without_data_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no folder wmt12, expected"):
        Data(tmp_path)


@pytest.mark.shared
def test_one_experiment_on_real_data(shared_data: Path) -> None:
    pytest.importorskip("plotly", reason="figures need the extra 'plots'")
    section = import_module("experiments.hlt2002.table1").run(Data(shared_data))
    page = PAGE.read_text(encoding="utf-8")
    # What the page says was printed by this very experiment.
    assert section.to_markdown() in page
    assert [one.name for one in section.pictures] == ["hlt_table1"]


@pytest.mark.shared
def test_genres_on_real_data(shared_data: Path) -> None:
    section = import_module("experiments.chiang2008.table3").run(Data(shared_data))
    assert section.to_markdown() in PAGE.read_text(encoding="utf-8")
    claim = section.blocks[-1]
    assert isinstance(claim, Claim)
    assert claim.verdict == "Holds here."


@pytest.mark.shared
def test_ranks_and_constituents_of_wmt08(shared_data: Path) -> None:
    """Spearman's ρ ×100 on Rank and Con, as another program found them in the same judgments."""
    metrics = {
        "bleu[reference_length=shortest]": (37, 66),
        "bleu-sbp": (47, 64),
        "grr": (31, 65),
        "grr[alpha=-0.9,beta=1.0]": (53, -13),
    }
    found = wmt08(Data(shared_data), {spec: spec for spec in metrics})
    for spec, (rank, constituent) in metrics.items():
        assert found[spec]["Rank"] == pytest.approx(rank, abs=0.6)
        assert found[spec]["Con"] == pytest.approx(constituent, abs=0.6)
