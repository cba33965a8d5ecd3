"""A flag that several commands have is one flag: the same names, values, help and defaults."""

import argparse
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import pytest

from tertium.choices import DEFAULT_SEED
from tertium.cli.main import COMMANDS
from tertium.cli.meta.command import ACTIONS
from tertium.cli.shell.parser import SELDOM, CommandParser
from tests.support.commands import output

PLACES = {
    **{name: place for name, (place, _) in COMMANDS.items() if name != "meta"},
    **{f"meta {name}": place for name, (place, _) in ACTIONS.items()},
}


def actions(name: str) -> Iterator[argparse.Action]:
    parser = CommandParser(f"tertium {name}", "")
    import_module(PLACES[name]).configure(parser)
    yield from parser._actions  # noqa: SLF001 (argparse has no other list of them)


FLAGS = {
    name: {flag: action for action in actions(name) for flag in action.option_strings}
    for name in PLACES
}


ALIKE = {
    *("--tokenize", "--lowercase", "--language-pair", "--seed", "--resample", "--width"),
    *("--quiet", "--source"),
}
"""Flags that mean one thing; of the others each command says a word more."""

MOST_SHOWN = 15
"""Flags that the short help of a command may have."""


def having(flag: str) -> dict[str, argparse.Action]:
    """The commands that have it; a former spelling, which no help shows, is none of theirs."""
    found = {name: flags[flag] for name, flags in FLAGS.items() if flag in flags}
    return {name: action for name, action in found.items() if action.help != argparse.SUPPRESS}


@pytest.mark.parametrize(
    ("flag", "least"),
    [
        *(("--metrics", 10), ("--metric", 3), ("--tokenize", 5), ("--lowercase", 5)),
        *(("--seed", 9), ("--alpha", 8), ("--resample", 4), ("--trials", 4), ("--format", 17)),
        *(("--width", 10), ("--output", 19), ("--quiet", 5), ("--references", 3)),
        *(("--documents", 10), ("--source", 9), ("--weights", 5), ("--input", 10)),
    ],
)
def test_one_spelling_and_one_kind_of_value(flag: str, least: int) -> None:
    found = having(flag)
    assert len(found) >= least
    names, values, kinds, helps = set(), set(), set(), set()
    for command, action in found.items():
        own = {("score", "--trials"), ("merge", "--trials"), ("meta agree", "--resample")}
        if (command, flag) in own:
            continue  # sacreBLEU's --confidence-n; systems and segments instead of documents
        names.add(tuple(action.option_strings))
        kinds.add((type(action), action.nargs, getattr(action.type, "__qualname__", None)))
        values.add(action.metavar)
        helps.add((action.help or "").partition(" (default")[0])
    assert len(names) == 1 or flag == "--input"  # of systems; of mbr's and rerank's lists
    assert len(kinds) == 1
    several = {"--output": {"FILE", "FOLDER"}, "--input": {"SYS", "LIST"}}
    assert values == several[flag] if flag in several else len(values) == 1
    if flag in ALIKE:
        assert len(helps) == 1, helps
    for text in helps:
        if flag == "--documents":
            assert text.startswith("document and genre of every segment")
        if flag == "--weights":
            assert text.startswith("weights of the features, as Moses or JSON has them")
        if flag == "--references":
            assert text.startswith("references of each segment, in any format")


SMALLEST = {
    0: {"--seed", "--width", "--paired-jobs", "--paths", "--samples", "--restarts", "--directions",
        "--band"},
    2: {"--order", "--hold-out", "--folds"},
}  # fmt: skip
"""The smallest values of flags that take whole numbers, where it is not 1."""

LARGE = {"tune": {"--paths"}}
"""Flags of a name above that are about something else in a command."""


def accepts(action: argparse.Action, value: str) -> bool:
    assert callable(action.type)
    try:
        action.type(value)
    except (argparse.ArgumentTypeError, ValueError):
        return False
    return True


@pytest.mark.parametrize("name", PLACES)
def test_whole_numbers_from_the_smallest_sensible_one_on_are_accepted(name: str) -> None:
    for flag, action in FLAGS[name].items():
        if "whole_number" not in getattr(action.type, "__qualname__", ""):
            continue
        if action.help == argparse.SUPPRESS:  # a former spelling, read as the flag of today
            continue
        long = action.option_strings[-1]
        listed = [least for least, flags in SMALLEST.items() if long in flags]
        smallest = listed[0] if listed and long not in LARGE.get(name, ()) else 1
        accepted = [value for value in range(-1, 6) if accepts(action, str(value))]
        assert accepted == list(range(smallest, 6)), flag
        assert not accepts(action, "2.5")
        assert not accepts(action, "two")


@pytest.mark.parametrize("name", PLACES)
def test_the_default_in_the_help_is_the_default(name: str) -> None:
    for action in FLAGS[name].values():
        shown = re.search(r"\(default: ([\d.]+)\)", str(action.help).replace(",", ""))
        if shown and isinstance(action.default, (int, float)):
            assert float(shown[1]) == action.default, action.option_strings


def test_seeds_are_the_same_everywhere() -> None:
    for action in having("--seed").values():
        assert action.default in {DEFAULT_SEED, None}
        assert f"(default: {DEFAULT_SEED})" in (action.help or "")


@pytest.mark.parametrize("name", [name for name in PLACES if "--format" in FLAGS[name]])
def test_every_form_is_a_choice_and_every_choice_is_told(name: str) -> None:
    action = FLAGS[name]["--format"]
    assert action.choices
    choices = tuple(action.choices)
    assert action.default in {None, *choices}
    for choice in choices:
        assert f"{choice} " in (action.help or "")
    forms: Mapping[str, Any] | None = getattr(import_module(PLACES[name]), "FORMS", None)
    if name in {"plot", "automaton"}:
        assert forms is None  # files and drawings, not results
    else:
        assert forms
        assert set(forms) <= set(choices)
        assert all(map(callable, forms.values()))
        if name != "rerank":  # whose lists are written while they come
            assert tuple(forms) == choices


def test_help_shows_what_people_need_and_help_all_every_flag(
    capsys: pytest.CaptureFixture[str],
) -> None:
    known = {spelling for flags in FLAGS.values() for spelling in flags}
    assert known >= SELDOM
    for name, flags in FLAGS.items():
        short = output(capsys, *name.split(), "--help")
        whole = output(capsys, *name.split(), "--help-all")
        told = {flag for flag, action in flags.items() if action.help != argparse.SUPPRESS}
        assert {flag for flag in told if flag not in whole} == set()
        assert len(re.findall(r"(?m)^  -", short)) <= MOST_SHOWN
        assert ("--help-all" in short) == (len(short) < len(whole))
        assert output(capsys, "help", *name.split(), "--all") == whole
