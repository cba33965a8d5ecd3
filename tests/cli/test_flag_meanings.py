"""One spelling of a flag means one thing in every command that has it."""

import re

import pytest
from tools.flags import commands, descriptions, flags_of_commands, main

from tertium.cli.main import COMMANDS
from tests.support.commands import ran

OF_ANOTHER_PROGRAM = {"mteval"}
"""Commands whose flags are those of the program that they stand for."""

EVERY = "*"

MEANINGS = {
    "--alpha": ("the significance level", "score merge decide power"),
    "--by": ("numbers of each slice", "score merge compare nee"),
    "--criterion": ("what was rated", "report"),
    "--documents": ("labels of every segment", "meta_judges meta_rank meta_spans nee tune"),
    "--first-segment": ("number of the first segment", "score"),
    "--format": ("how the result is written", EVERY),  # each lists its own formats
    "--input": ("files of what is judged", "meta_spans tune"),
    "--language-pair": ("the languages of the text", "nee"),
    "--lossy": ("write what the format can say", "rerank"),
    "--lower-is-better": ("metrics that are errors", "meta_worth"),
    "--max-tokens": ("longest text, in words", "meta_orange mbr rerank oracle"),
    "--measure": ("agreement by", "meta_straw-men"),
    "--measures": ("measures of agreement", "meta_rank"),
    "--metric": ("the metric the command works by", "filter nee oracle"),
    "--metrics": (
        "metrics that score",
        "compare meta_agree meta_curve meta_fit meta_orange meta_rank meta_worth tune",
    ),
    "--only": ("of all that is done, this alone", "plot"),
    "--output": ("where the result goes", "plot serve_export-site"),
    "--paths": ("how many best paths to choose from", "tune"),
    "--permute": ("what a test between metrics exchanges", "meta_rank"),
    "--plot": ("draw it to this file", "oracle"),
    "--plot-kind": ("which plot", "meta_rank"),
    "--ratings": ("what people said of systems", "report"),
    "--references": ("references of each segment", "meta_orange oracle rerank"),
    "--resample": ("what resampling draws", "meta_agree"),
    "--resume": ("where finished work is kept", "mbr"),
    "--scores": ("files of scores", "meta_agree meta_rank meta_worth"),
    "--segment": ("numbers of segments, from 1", "explain"),
    "--skip-bad": ("leave out what cannot be read", "score compare"),
    "--store": (
        "the store of a server",
        "serve serve_user serve_backup serve_restore serve_check serve_export-site",
    ),
    "--to": ("the format that is written", "filter rerank"),
    "--top": ("how many of the first are shown", "decide rerank"),
    "--trials": (
        "how often is drawn",
        "report plot score merge compare decide meta_orange meta_rank",
    ),
    "--workers": ("processes of our own", "serve"),
}  # fmt: skip
"""Spelling → its one meaning, and the commands whose help says it in words of their own.

`EVERY` stands for all of them. All other commands that have the spelling share one help. A flag
whose help is new here fails the test: if it means the same, add the command; if not, spell it
otherwise.
"""

SHAPES = {
    "--power": "decide asks for it only if told",
    "--resume": "mbr knows a folder without being told",
    "--segment": "one, or, of explain, several",
    "--trials": "what -cin sets in score",
    "--workers": "read by serve itself",
    "--language-pair": "nee takes a language alone, too",
    "--paths": "sets what the search calls best",
}
"""Spellings whose flags are stored or read in several ways, and why the meaning is one."""

FLAGS = {
    spelling: {name: flag for name, flag in flags.items() if name not in OF_ANOTHER_PROGRAM}
    for spelling, flags in flags_of_commands().items()
}
LONG = sorted({flag.option_strings[-1] for flags in FLAGS.values() for flag in flags.values()})


@pytest.mark.parametrize("spelling", LONG)
def test_a_spelling_has_one_meaning(spelling: str) -> None:
    _, *others = descriptions(FLAGS[spelling]).values()
    own_words = {name for names in others for name in names}
    _, listed = MEANINGS.get(spelling, ("", ""))
    if listed == EVERY:
        return
    assert own_words == {name.replace("_", " ") for name in listed.split()}


@pytest.mark.parametrize("spelling", LONG)
def test_a_spelling_is_stored_and_read_in_one_way(spelling: str) -> None:
    shapes = {
        (flag.dest, flag.nargs, getattr(flag.type, "__qualname__", None))
        for flag in FLAGS[spelling].values()
    }
    assert (len(shapes) > 1) == (spelling in SHAPES)


def test_a_short_spelling_belongs_to_one_long_one() -> None:
    singular = {"--metric": "--metrics"}  # -m, whether a command takes one or several
    for spelling, flags in FLAGS.items():
        if flags and not spelling.startswith("--"):
            long = {flag.option_strings[-1] for flag in flags.values()}
            assert len({singular.get(name, name) for name in long}) == 1, spelling


def test_the_table_has_no_spelling_that_is_gone() -> None:
    assert MEANINGS.keys() | SHAPES.keys() <= set(LONG)


FORMER = {
    "filter --scores": "--write-scores",
    "automaton --points": "--cost-points",
    "oracle --points": "--curve-points",
    "mbr --best": "--paths",
    "mbr -m": "--also",
    "rerank --metrics": "--also",
    "mbr --margin": "--prune-arcs",
    "decide --evidence": "--metric-kind",
    "tune --statistics": "--moses-statistics",
    "tune --by": "--for-each",
    "tune --report": "--also",
    "audit --by": "--slices",
    "merge --segments": "--expect-segments",
    "meta straw-men --segments": "--max-segments",
    "meta spans --list": "--list-errors",
    "meta spans --raters": "--judges",
    "nee --units": "--compare-units",
    "nee --language": "--language-pair",
    "decide --level": "--alpha",
    "compare --confidence-level": "--alpha",
}


@pytest.mark.parametrize("former", FORMER)
def test_a_former_spelling_does_the_same_and_names_the_new_one(
    former: str, capsys: pytest.CaptureFixture[str]
) -> None:
    *command, spelling = former.split()
    values = {"--points": "3", "--by": "genre", "--evidence": "BLEU=trained", "--level": "0.9"}
    value = values.get(spelling, "1")
    words = [spelling, *([value] * (2 if spelling == "--statistics" else 1))]
    if former in {"filter --scores", "automaton --points", "meta spans --list", "nee --units"}:
        words = [spelling]
    if spelling == "--confidence-level":
        words = [spelling, "0.9"]
    outcome = ran(capsys, *command, "no-such-file", *words)
    first = outcome.err.splitlines()[0]
    assert first == f"tertium: warning: '{spelling}' is now '{FORMER[former]}'"
    help_text = ran(capsys, *command, "--help-all").out
    assert not re.search(rf"(?m)^  .*{spelling}(?![-\w])", help_text.partition("examples:")[0])


def test_a_typing_error_in_a_former_spelling_leads_to_the_new_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = ran(capsys, "tune", "no-such-file", "--reports", "ter").err
    assert said.startswith("tertium tune: unknown flag '--reports'; did you mean '--also'?")


def test_the_table_of_flags_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--slices"]) == 0
    assert capsys.readouterr().out.startswith("--slices\n    by LABEL · slices for reversals")
    assert main(["--several"]) == 0
    shown = capsys.readouterr().out
    assert set(re.findall(r"(?m)^--\S+", shown)) == set(MEANINGS)
    assert {name.split()[0] for name, _ in commands(COMMANDS)} == set(COMMANDS)
