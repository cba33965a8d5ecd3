"""What the command line prints where the locale knows no UTF-8."""

import json
import os
import pty
from pathlib import Path

import pytest

from tertium.cli.demo import SAMPLE
from tests.support.commands import python, started

pytestmark = pytest.mark.slow

PLAIN = {"PYTHONUTF8": "0", "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}
LATIN = {"PYTHONIOENCODING": "latin-1"}
COMMON = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LC_"))}


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    """A reference and a system whose name and text are not ASCII."""
    reference = (SAMPLE / "reference.1.en").read_text(encoding="utf-8")
    (tmp_path / "réf.txt").write_text(reference, encoding="utf-8")
    (tmp_path / "Çelik.txt").write_text(reference.replace("the", "ðe"), encoding="utf-8")
    return [str(tmp_path / "réf.txt"), "-i", str(tmp_path / "Çelik.txt")]


def said(variables: dict[str, str], *words: str) -> tuple[str, str]:
    """What is printed, read as UTF-8, and what is said beside it."""
    done = python("-m", "tertium", *words, environment=COMMON, variables=variables)
    return done.out, done.err


def on_terminal(environment: dict[str, str], *words: str) -> str:
    """Everything a terminal gets to show."""
    ours, theirs = pty.openpty()
    whole = {**COMMON, **environment, "TERM": "dumb", "COLUMNS": "100"}
    with started("-m", "tertium", *words, environment=whole, stream=theirs):
        os.close(theirs)
        shown = b""
        try:
            while block := os.read(ours, 65536):
                shown += block
        except OSError:  # the other side is closed
            pass
    os.close(ours)
    return shown.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.slow
@pytest.mark.parametrize("locale", [PLAIN, LATIN], ids=["POSIX", "latin-1"])
@pytest.mark.parametrize("form", ["table", "json", "tsv"])
def test_pipes_get_utf_8_whatever_the_locale(
    inputs: list[str], locale: dict[str, str], form: str
) -> None:
    words = ["score", *inputs, "-m", "bleu", "wer", "-f", form]
    expected, no_errors = said({"PYTHONUTF8": "1"}, *words)
    assert "Çelik" in expected
    assert no_errors == ""
    assert said(locale, *words) == (expected, no_errors)


@pytest.mark.parametrize("locale", [PLAIN, LATIN], ids=["POSIX", "latin-1"])
def test_errors_name_files_as_they_are_written(locale: dict[str, str], tmp_path: Path) -> None:
    place = str(tmp_path / "Åland.txt")
    expected = f"tertium: {place}: no such file or directory, expected a readable file\n"
    assert said(locale, "score", place, "-i", place) == ("", expected)


def test_files_are_utf_8_whatever_the_locale(inputs: list[str], tmp_path: Path) -> None:
    place = tmp_path / "out.json"
    words = ["score", *inputs, "-m", "wer", "-f", "json", "-o", str(place)]
    assert said(PLAIN, *words) == ("", "")
    assert "Çelik" in json.dumps(json.loads(place.read_text("utf-8")), ensure_ascii=False)


def test_a_terminal_without_utf_8_gets_ascii_and_the_reason(inputs: list[str]) -> None:
    shown = on_terminal(PLAIN, "score", *inputs, "-m", "bleu", "wer")
    assert shown.isascii()
    *table, reason = shown.splitlines()
    heads = table[0].split()
    assert heads[-2:] == ["WER", "v"]
    assert set(table[1]) <= set("-+")
    assert table[2].startswith(r"\u00c7elik")
    assert reason.startswith("tertium: this terminal's encoding is ascii")
    whole = on_terminal({"PYTHONUTF8": "1"}, "score", *inputs, "-m", "bleu", "wer")
    assert "WER ↓" in whole
    assert "encoding" not in whole


def test_a_terminal_that_shows_everything_gets_no_reason() -> None:
    assert "encoding" not in on_terminal(PLAIN, "--version")
