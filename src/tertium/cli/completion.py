"""``tertium completion``: let a shell complete commands, flags, choices and metrics by TAB."""

import os
from argparse import SUPPRESS, ArgumentParser, Namespace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tertium.cli.shell.parser import CommandParser
from tertium.errors import MissingExtraError
from tertium.installation import install_hint

if TYPE_CHECKING:
    from collections.abc import Mapping

SHELLS: Final = ("bash", "zsh", "fish", "tcsh", "powershell")

EXAMPLES: Final = """\
examples:
  eval "$(tertium completion bash)"                   in ~/.bashrc
  eval "$(tertium completion zsh)"                    in ~/.zshrc, after 'compinit'
  tertium completion fish | source                    in ~/.config/fish/config.fish
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = EXAMPLES
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


def run(arguments: Namespace) -> int:
    """Print what the shell has to read at its start."""
    print(_argcomplete().shellcode(["tertium"], shell=arguments.shell))
    return 0


def complete(commands: "Mapping[str, tuple[str, str]]") -> None:
    """Answer a shell that asks what may come next, and end; it asks through the environment."""
    line = os.environ.get("COMP_LINE", "")[: int(os.environ.get("COMP_POINT", "100000"))].split()
    parser = CommandParser("tertium", "")
    parser.add_argument("-V", "--version", action="store_true", help="show the version")
    _add_commands(parser, commands, line[1:])
    _argcomplete().autocomplete(parser, always_complete_options="long", exclude=["--help"])


def _add_commands(
    parser: ArgumentParser, commands: "Mapping[str, tuple[str, str]]", words: list[str]
) -> None:
    """All names; of the one that the line has, the flags too. The others need no import."""
    parts = parser.add_subparsers(parser_class=_Part)
    for name, (place, line) in commands.items():
        part = parts.add_parser(name, help=line)
        if name not in words[:1]:
            continue
        module = import_module(place)
        actions = getattr(module, "ACTIONS", None)
        if actions:
            _add_commands(part, actions, words[1:])
        else:
            module.configure(part)
            _add_metrics(part)


def _add_metrics(parser: ArgumentParser) -> None:
    from tertium.metrics.contract.table import METRICS

    for action in parser._actions:  # noqa: SLF001  # argparse has no other list of them
        if action.dest in {"metric", "metrics"} or action.metavar == "METRIC":
            # Names alone: of a mapping, zsh and fish would show the values.
            action.completer = lambda **_: list(METRICS)  # type: ignore[attr-defined]


class _Part(CommandParser):
    """A parser as ``add_subparsers`` makes it."""

    def __init__(self, *, prog: str, **_: Any) -> None:
        super().__init__(prog, SUPPRESS)


def _argcomplete() -> Any:
    try:
        return import_module("argcomplete")
    except ImportError:
        raise MissingExtraError(
            f"completion: package 'argcomplete' is not installed; {install_hint('completion')}"
        ) from None
