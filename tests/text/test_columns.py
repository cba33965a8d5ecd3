"""Columns as people call them: synonyms, paths into objects, several systems, no guesses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError, TertiumError
from tertium.text.input_files import Inputs, open_inputs
from tests.support.commands import error, output
from tests.support.row_files import Rows, hypotheses, jsonl, parquet, tsv


def texts(inputs: Inputs) -> list[str | None]:
    return inputs.load().corpus.references.columns[0].to_list()


HYPOTHESES = [
    *("hypothesis", "Hypothesis", "predictions", "prediction", "mt", "MT", "target", "completion"),
    *("output", "translation", "hyp", "text", "candidate"),
]


@pytest.mark.parametrize("column", HYPOTHESES)
@pytest.mark.parametrize("references", ["reference", "references", "ref", "Ref", "refs", "refA"])
@pytest.mark.parametrize("source", ["source", "src", "SRC", "source_text"])
def test_columns_by_their_usual_names(
    tmp_path: Path, column: str, references: str, source: str
) -> None:
    path = tsv(tmp_path / "a.tsv", [{source: "s", references: "r", column: "h", "length": 3}])
    inputs = open_inputs([path])
    assert inputs.system_names == ("a",)
    chunk = inputs.load()
    assert hypotheses(chunk) == [["h"]]
    assert texts(inputs) == ["r"]
    assert chunk.corpus.sources is not None


@pytest.mark.parametrize("column", ["target", "translation", "text"])
def test_a_neutral_column_is_what_the_file_was_given_for(tmp_path: Path, column: str) -> None:
    paths = [jsonl(tmp_path / f"{one}.jsonl", [{"id": 1, column: one}]) for one in "abc"]
    chunk = open_inputs([paths[0]], [paths[1]], source=paths[2]).load()
    assert chunk.corpus.references.columns[0].to_list() == ["a"]
    assert hypotheses(chunk) == [["b"]]
    assert chunk.corpus.sources is not None
    assert chunk.corpus.sources.to_list() == ["c"]


AMBIGUOUS = [
    (
        {"ref": "r", "mt": "a", "prediction": "b"},
        (
            "'mt' and 'prediction' both give the hypothesis, expected one column "
            "(--columns hypothesis=mt)"
        ),
    ),
    (
        {"prediction": "a", "target": "b"},
        "expected to know what 'target' is beside a hypothesis: --columns reference=target",
    ),
    (
        {"src": "a", "ref": "b", "seg_length": 2},
        (
            "found src, ref, seg_length, expected a hypothesis beside the reference: "
            "--columns hypothesis=COLUMN, or -i SYSTEM (-i - for standard input)"
        ),
    ),
    (
        {"translation": {"de": "a", "en": "b"}, "ref": "c"},
        "found translation, ref, translation.de, translation.en, expected a hypothesis",
    ),
]


@pytest.mark.parametrize(("row", "message"), AMBIGUOUS)
def test_what_is_ambiguous_is_an_error_with_the_cure(
    tmp_path: Path, row: dict[str, Any], message: str
) -> None:
    with pytest.raises(TertiumError) as raised:
        open_inputs([jsonl(tmp_path / "a.jsonl", [row])])
    assert message in str(raised.value)


def test_a_column_called_after_its_role_needs_no_synonym(tmp_path: Path) -> None:
    row = {"hypothesis": "h", "output": "x", "reference": "r", "ref": "y", "reference_length": 4}
    inputs = open_inputs([tsv(tmp_path / "a.tsv", [row])])
    assert hypotheses(inputs.load()) == [["h"]]
    assert [one.to_list() for one in inputs.load().corpus.references.columns] == [["r"]]


def test_a_table_without_hypotheses_does_not_wait_for_the_keyboard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tsv(tmp_path / "a.tsv", [{"source": "s", "reference": "r", "Judge notes": "x"}])
    message = error(capsys, "score", str(path))
    assert "found source, reference, Judge notes, expected a hypothesis" in message


@pytest.mark.parametrize("write", [jsonl, parquet])
def test_paths_into_objects(tmp_path: Path, write: Callable[[Path, Rows], Path]) -> None:
    rows = [{"translation": {"de": "eins", "en": "one"}, "out": {"a": {"text": "uno"}}}]
    path = write(tmp_path / f"a.{'jsonl' if write is jsonl else 'parquet'}", rows)
    columns = {
        "source": "translation.de",
        "reference": "translation.en",
        "hypothesis": "out.a.text",
    }
    chunk = open_inputs([path], columns=columns).load()
    assert hypotheses(chunk) == [["uno"]]
    assert chunk.corpus.references.columns[0].to_list() == ["one"]
    with pytest.raises(InputError, match=r"no column 'translation\.fr', expected for the source"):
        open_inputs([path], columns={**columns, "source": "translation.fr"})


def test_several_systems_as_columns(tmp_path: Path) -> None:
    row = {"ref": "r", "hyp_A": "a", "hypothesis:B": "b", "mt:C": "c"}
    inputs = open_inputs([tsv(tmp_path / "a.tsv", [row])])
    assert inputs.system_names == ("A", "B", "C")
    wide = tsv(tmp_path / "wide.tsv", [{"ref": "r", "GPT": "a", "NLLB": "b"}])
    inputs = open_inputs([wide], columns={"hypothesis": ["GPT", "NLLB"]})
    assert inputs.system_names == ("GPT", "NLLB")
    assert hypotheses(inputs.load()) == [["a"], ["b"]]


LANGUAGE = (
    ("score",),
    ("compare", "--sections", "scores", "--trials", "20"),
    ("decide", "--no-audit", "--trials", "20"),
    ("audit", "--only", "copies"),
    ("explain",),
    ("power", "--trials", "20"),
)


@pytest.mark.parametrize("command", LANGUAGE, ids=lambda one: one[0])
def test_the_language_pair_chooses_the_tokenizer_in_every_command(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *flags = command
    for one, text in {"ref": "一二三四五", "a": "一二三四", "b": "一二三"}.items():
        (tmp_path / one).write_text(f"{text}\n" * 3, encoding="utf-8")
    files = [str(tmp_path / one) for one in ("ref", "a", "b")]
    said = output(
        capsys, name, files[0], "-i", *files[1:], "-m", "bleu", "-l", "en-zh", *flags, "-f", "json"
    )
    assert "bleu[tokenizer=zh]" in said
