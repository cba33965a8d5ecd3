"""argparse with the manners of this command line: one-line errors, compact help."""

import argparse
import os
from typing import Final, NoReturn

USAGE_ERROR: Final = 2


class CompactHelp(argparse.RawDescriptionHelpFormatter):
    """Examples keep their lines, and a flag's value is named once: ``-i, --input SYS …``."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=_width())

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._metavar_formatter(action, action.dest.upper())(1)[0]
        more = " …" if action.nargs == "+" else ""
        return f"{', '.join(action.option_strings)} {value}{more}"


def _width() -> int:
    # argparse would ask shutil, whose import takes longer than all the rest of --version.
    try:
        return min(100, os.get_terminal_size().columns)
    except OSError:  # not a terminal
        return 100


class CommandParser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others of the command line."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(
            prog=prog, description=description, formatter_class=CompactHelp, allow_abbrev=False
        )

    def error(self, message: str) -> NoReturn:
        """End the program with the message and a hint."""
        self.exit(USAGE_ERROR, f"{self.prog}: {message}; see '{self.prog} --help'\n")
