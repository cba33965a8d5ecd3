"""Write the manual pages in `man/` from the flags that commands declare; `--check` only compares.

`man tertium` lists the commands, `man tertium-score` tells of one. Wheels have the pages, too.
"""

import re
import sys
from argparse import SUPPRESS, Action
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

import tertium
from tertium.cli.main import COMMANDS, EXAMPLES, SUMMARY
from tertium.cli.shell.parser import CommandParser
from tertium.version import __version__

PAGES: Final = Path(__file__).resolve().parents[1] / "man"
PACKAGE: Final = str(Path(tertium.__file__).parent)


def pages() -> dict[str, str]:
    """The name of every page, and what is on it."""
    found = {"tertium.1": overview()}
    for words, place, line in commands(COMMANDS, "tertium"):
        found[f"{words.replace(' ', '-')}.1"] = page(words, place, line)
    return found


def commands(table: Mapping[str, tuple[str, str]], parent: str) -> Iterator[tuple[str, str, str]]:
    """Every command and every action of one: what is typed, its module, its line of help."""
    for name, (place, line) in table.items():
        yield f"{parent} {name}", place, line
        yield from commands(getattr(import_module(place), "ACTIONS", {}), f"{parent} {name}")


def overview() -> str:
    """The page of the program: what commands there are."""
    lines = [*head("tertium", SUMMARY.rstrip("."), ["tertium COMMAND …", "tertium COMMAND --help"])]
    lines += [".SH DESCRIPTION", plain(SUMMARY), ".SH COMMANDS"]
    for words, _, line in commands(COMMANDS, "tertium"):
        lines += [".TP", bold(f"{words.replace(' ', '-')}(1)"), plain(f"{line}.")]
    lines += epilog(EXAMPLES)
    lines += [".SH ENVIRONMENT", ".TP", bold("NO_COLOR"), plain("no colors, if it is not empty.")]
    lines += [".TP", bold("TERTIUM_THREADS"), plain("how many threads to use, if not all.")]
    lines += [".TP", bold("TERTIUM_MAX_MEMORY")]
    lines += [plain("how much memory to use, such as 4G, if not 80 %; as --max-memory.")]
    lines += [".SH EXIT STATUS", ".TP", bold("0"), plain("all went well.")]
    lines += [".TP", bold("2"), plain("the input or a flag is wrong; one line says what.")]
    lines += [".TP", bold("130"), plain("interrupted by Ctrl-C.")]
    return "\n".join(lines) + "\n"


def page(words: str, place: str, line: str) -> str:
    """The page of a command."""
    parser = CommandParser(words, f"{line[0].upper()}{line[1:]}.")
    import_module(place).configure(parser)
    lines = [*head(words, line, usage(parser)), ".SH DESCRIPTION", plain(parser.description or "")]
    for group in parser._action_groups:  # noqa: SLF001 - argparse has no other list of them
        shown = [one for one in group._group_actions if one.help != SUPPRESS]  # noqa: SLF001
        if shown:
            lines.append(f".SH {plain((group.title or 'flags').upper())}")
            lines += [plain(one) for one in (group.description or "").splitlines()]
            for action in shown:
                lines += [".TP", *flag(parser, action)]
    lines += epilog(parser.epilog or "")
    lines += [".SH SEE ALSO", bold("tertium(1)")]
    return "\n".join(lines).replace(plain(PACKAGE), "…/tertium") + "\n"


def head(words: str, line: str, typed: list[str]) -> Iterator[str]:
    """What every page begins with."""
    name = words.replace(" ", "-")
    yield '.\\" -*- coding: utf-8 -*- made by tools/generate_manual.py'
    yield f'.TH {plain(name.upper())} 1 "" "tertium {__version__}" "tertium"'
    yield f".SH NAME\n{plain(name)} \\- {plain(line)}"
    yield ".SH SYNOPSIS\n.nf"
    yield from map(bold, typed)
    yield ".fi"


def usage(parser: CommandParser) -> list[str]:
    """How the command is typed."""
    if parser.usage:
        return [one.strip() for one in parser.usage.splitlines()]
    values = [one for one in parser._actions if not one.option_strings]  # noqa: SLF001
    names = (str(one.metavar or one.dest) for one in values)
    return [" ".join([parser.prog, *names, "[flags]"])]


def flag(parser: CommandParser, action: Action) -> Iterator[str]:
    """A flag or word, and what it means."""
    formatter = parser._get_formatter()  # noqa: SLF001 - the very texts that --help shows
    yield bold(formatter._format_action_invocation(action))  # noqa: SLF001
    yield plain(" ".join(formatter._expand_help(action).split()) if action.help else "")  # noqa: SLF001


def epilog(text: str) -> Iterator[str]:
    """What stands below the flags; a line such as ``examples:`` begins a part."""
    inside = False
    for line in text.splitlines():
        if found := re.fullmatch(r"([a-z][a-z ]*):", line):
            yield from [".fi"] if inside else []
            yield f".SH {found[1].upper()}\n.nf"
            inside = True
        elif line.strip():
            if not inside:
                yield ".PP\n.nf"
                inside = True
            yield plain(line)
        elif inside:
            yield ".sp"
    yield from [".fi"] if inside else []


def bold(text: str) -> str:
    """In bold letters."""
    return f"\\fB{plain(text).removeprefix(chr(92) + '&')}\\fR"


def plain(text: str) -> str:
    r"""As it is, though signs at the beginning of a line and backslashes mean something to roff.

    >>> print(plain("-i"), plain(".nothing"), plain("a\\b"))
    \-i \&.nothing a\eb
    """
    shown = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


def main(words: list[str]) -> int:
    """Write, or compare."""
    wanted = pages()
    kept = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.1")}
    if "--check" in words:
        wrong = sorted(name for name in wanted | kept if wanted.get(name) != kept.get(name))
        if wrong:
            print(f"man: found others than the flags of today, expected {wrong[0]}; make man")
        return 1 if wrong else 0
    PAGES.mkdir(exist_ok=True)
    for name in kept.keys() - wanted:
        (PAGES / name).unlink()
    for name, text in wanted.items():
        (PAGES / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {len(wanted)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
