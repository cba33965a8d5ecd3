"""Print every flag of every command: spelling, what it sets, what it takes, and its help.

    python tools/flags.py              # all spellings, and which commands have them
    python tools/flags.py --several    # those that commands describe in different words
    python tools/flags.py --scores     # of this spelling

`tests/cli/test_flag_meanings.py` holds that a spelling means one thing in every command.
"""

import sys
from argparse import SUPPRESS, Action
from collections import defaultdict
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from tertium.cli.main import COMMANDS
from tertium.cli.shell.parser import CommandParser

OF_EVERY_COMMAND: Final = {"-h", "--help", "--help-all", "--max-memory"}


def commands(table: Mapping[str, tuple[str, str]], parent: str = "") -> Iterator[tuple[str, str]]:
    """Every command and every action of one, such as ``meta agree``, and its module."""
    for name, (module, _) in table.items():
        actions = getattr(import_module(module), "ACTIONS", {})
        if not actions or name == "serve":  # which does something without an action, too
            yield f"{parent}{name}", module
        yield from commands(actions, f"{parent}{name} ")


def flags_of_commands() -> dict[str, dict[str, Action]]:
    """Spelling → command → the flag; former spellings, which help does not show, are left out."""
    table: dict[str, dict[str, Action]] = defaultdict(dict)
    for command, module in commands(COMMANDS):
        parser = CommandParser(f"tertium {command}", "")
        import_module(module).configure(parser)
        for action in parser._actions:  # noqa: SLF001 (argparse has no other list of them)
            for spelling in action.option_strings:
                if action.help != SUPPRESS and spelling not in OF_EVERY_COMMAND:
                    table[spelling][command] = action
    return dict(sorted(table.items()))


def described(flag: Action) -> str:
    """The help of a flag without its default, which commands choose."""
    return " ".join((flag.help or "").partition(" (default")[0].split())


def descriptions(flags: Mapping[str, Action]) -> dict[str, list[str]]:
    """Help → the commands that have it; the help of most commands comes first."""
    found: dict[str, list[str]] = defaultdict(list)
    for command, flag in flags.items():
        found[described(flag)].append(command)
    return dict(sorted(found.items(), key=lambda row: (-len(row[1]), row[1])))


def main(words: list[str]) -> int:
    """Print the table."""
    for spelling, flags in flags_of_commands().items():
        rows = descriptions(flags)
        if words == ["--several"] and len(rows) == 1:
            continue
        if words and words != ["--several"] and spelling not in words:
            continue
        print(spelling)
        for text, names in rows.items():
            flag = flags[names[0]]
            print(f"    {flag.dest} {flag.metavar or ''} · {text} · {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
