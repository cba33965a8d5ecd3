"""One JSON shape over all commands, as docs/json.md has it; data frames and tables of results."""

import doctest
import json
import re
import shlex
from typing import Any

import pytest

import tertium
from tertium.cli.demo import SAMPLE
from tertium.compare import Comparison
from tertium.errors import OptionError
from tertium.text.input_files import open_inputs
from tests.support.commands import output
from tests.support.places import DOCS
from tests.support.tables import cells

DOCUMENT = DOCS / "json.md"
SECTIONS = re.split(r"^## ", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:-1]
SYSTEMS = ("systems/birch.txt", "systems/elm.txt")
PAIR = ["reference.1.en", "reference.2.en", "-i", *SYSTEMS]


def documented(section: str) -> dict[str, bool]:
    """The paths of a section's table, and whether each must be there."""
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \|$", section, flags=re.MULTILINE)
    return {path: not said.startswith("with ") for path, said in rows}


def paths(value: Any, wanted: set[str], place: str = "") -> set[str]:
    """Keys on top, of systems, of their scores, and along what is documented."""
    found = set()
    if isinstance(value, list):
        for one in value:
            found |= paths(one, wanted, place)
    elif isinstance(value, dict):
        for key, one in value.items():
            path = f"{place}.{key}" if place else key
            deeper = path in {"systems", "systems[].scores"} or any(
                other.startswith(f"{path}[]") for other in wanted
            )
            if deeper and isinstance(one, list):
                found |= paths(one, wanted, f"{path}[]")
                found.add(f"{path}[]")
            else:
                found.add(path)
    return found


@pytest.mark.parametrize("section", SECTIONS, ids=lambda one: one.split("`")[1])
def test_the_documented_keys_are_those_that_are_printed(
    section: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SAMPLE)
    match = re.search(r"^```sh\ntertium (.*)\n```", section, flags=re.MULTILINE)
    assert match is not None
    made = json.loads(output(capsys, *shlex.split(match[1])))
    expected = documented(section)
    found = paths(made, set(expected))
    missing = [path for path, must in expected.items() if must and path not in found]
    assert missing == []
    shallow = re.compile(r"(systems\[\]\.(scores\[\]\.)?)?[a-z_]+")
    assert {path for path in found if shallow.fullmatch(path)} <= set(expected)
    assert next(iter(made)) == "version"
    assert made["version"] == tertium.__version__
    assert made["segments"] == 92
    assert [one["system"] for one in made["systems"]] == ["birch", "elm"]
    for one in made["systems"]:
        for score in one["scores"]:
            assert {"metric", "score", "signature", "higher_is_better"} <= set(score)


def test_the_same_metric_has_the_same_numbers_everywhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SAMPLE)
    commands = [["score"], ["compare", "--sections", "scores"], ["audit", "--only", "licence"]]
    seen = [
        [
            (one["system"], score["metric"], score["score"], score["higher_is_better"])
            for one in json.loads(
                output(capsys, name, *PAIR, *flags, "-m", "bleu", "ter", "-f", "json")
            )["systems"]
            for score in one["scores"]
        ]
        for name, *flags in [*commands, ["explain"]]
    ]
    assert all(one == seen[0] for one in seen)
    assert len(seen[0]) == 4


@pytest.mark.parametrize(
    "command",
    [
        ["meta", "agree", *PAIR, "systems/alder.txt", "--ratings", "ratings.tsv", "-m", "bleu"],
        ["meta", "judges", "--ratings", "ratings.tsv"],
        ["metrics", "bleu"],
    ],
    ids=lambda one: " ".join(one[:2]),
)
def test_the_version_is_on_top(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SAMPLE)
    made = json.loads(output(capsys, *command, "-f", "json"))
    assert next(iter(made)) == "version"
    for one in made.get("agreements", []):
        assert set(one["systems"][0]) == {"system", "rating", "score"}


def test_the_example_of_the_page_runs() -> None:
    (block,) = re.findall(
        r"^```python\n(.*?)^```", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    parsed = doctest.DocTestParser().get_doctest(block, {}, "json.md", str(DOCUMENT), 0)
    results = doctest.DocTestRunner().run(parsed)
    assert results.attempted > 5
    assert results.failed == 0


# ---- Python ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compared() -> Comparison:
    whole = open_inputs(
        [str(SAMPLE / f"reference.{n}.en") for n in (1, 2)],
        [str(SAMPLE / one) for one in SYSTEMS],
        source=str(SAMPLE / "source.de"),
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    return tertium.compare(whole.corpus, whole.systems, ["bleu", "ter"], by="genre", trials=200)


def test_a_comparison_as_data_frames(compared: Comparison) -> None:
    pytest.importorskip("pandas")
    frame = compared.to_dataframe()
    assert len(frame) == 3 * 2 * 2  # slices, systems, metrics
    assert set(frame["genre"]) == {"all", "news", "web"}
    assert frame.loc[0, "score"] == pytest.approx(52.38, abs=0.005)
    for name, records in compared.tables.items():
        assert len(compared.to_dataframe(name)) == len(records) > 0
    assert {"source_words", "source_lengths", "histograms"} <= set(compared.tables)
    with pytest.raises(OptionError, match="unknown table 'sentence'; did you mean 'sentences'"):
        compared.to_dataframe("sentence")


def test_an_audit_as_a_data_frame() -> None:
    pytest.importorskip("pandas")
    references = ["a b c d e f"] * 30
    systems = [
        tertium.System(name="right", hypotheses=references),
        tertium.System(name="loud", hypotheses=["A B C D E F"] * 30),
    ]
    report = tertium.audit(tertium.Corpus(references=references), systems, ["wer"])
    frame = report.to_dataframe()
    assert len(frame) == len(report) > 0
    assert list(frame["severity"]) == [one.severity for one in report]
    leads = [one.numbers["lead"]["p_value"] for one in report if "lead" in one.numbers]
    assert leads
    assert frame["p_value"].dropna().tolist() == leads


def test_an_explanation_as_a_data_frame_and_a_table() -> None:
    pytest.importorskip("pandas")
    corpus = tertium.Corpus(references=["the cat sat", "a dog"])
    systems = [tertium.System(name="<one>", hypotheses=["the cat", "a dog"])]
    found = tertium.explain(corpus, systems, "bleu", segments=[1])
    frame = found.to_dataframe()
    assert set(frame["part"]) == {one.name for one in found.systems[0].components}
    assert "brevity penalty" in set(frame["part"])
    shown = cells(found._repr_html_())
    assert shown[:2] == ["BLEU", "<one>"]
    assert "segment 1, <one>" in shown
    assert "the cat sat" in shown
    assert repr(found).startswith("<Explanation of bleu: <one> ")
