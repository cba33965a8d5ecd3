"""The command ``tertium``: finds the sub-command, runs it, turns errors into one line."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn

from tertium.cli.shell.ends import (
    closed_pipe,
    ended_status,
    error_status,
    failure,
    heed_endings_in_native_work,
)
from tertium.cli.shell.output import say_what_was_replaced, set_up_streams, shown_warnings
from tertium.cli.shell.parser import CommandParser
from tertium.text.memory import limited_memory
from tertium.version import __version__

GROUPS: Final = {
    "score and decide": {
        "score": ("tertium.cli.score", "score systems against references"),
        "decide": (
            "tertium.cli.decide",
            "say in words whether systems are better than a baseline",
        ),
        "suite": ("tertium.cli.suite", "decide many test sets at once: one table, one exit code"),
        "compare": (
            "tertium.cli.compare",
            "show where systems differ from a baseline, and how sure that is",
        ),
        "audit": ("tertium.cli.audit", "look for reasons not to trust a score"),
        "power": ("tertium.cli.power", "say which differences a test set can show"),
        "nee": ("tertium.cli.nee", "say which names of the references an output has (NEE)"),
        "mteval": (
            "tertium.cli.mteval",
            "score SGML sets with the flags and output of mteval-v13a",
        ),
        "merge": ("tertium.cli.merge", "make one score of parts that were scored separately"),
    },
    "look": {
        "report": (
            "tertium.cli.report",
            "write a page to look at: findings, scores, plots, segments",
        ),
        "explain": ("tertium.cli.explain", "show what a score is made of, down to single words"),
        "plot": ("tertium.cli.plot", "draw the plots of a report as files for a paper"),
    },
    "people": {
        "serve": (
            "tertium.cli.serve.command",
            "evaluate, rate and annotate as a team in the browser",
        ),
        "meta": ("tertium.cli.meta.command", "compare metrics with ratings by people"),
        "push": ("tertium.cli.serve.push", "send a system's output to a server"),
    },
    "choose and tune": {
        "mbr": ("tertium.cli.mbr", "choose the text most like all other likely ones (MBR)"),
        "rerank": ("tertium.cli.rerank", "sort n-best lists anew, by other weights or by metrics"),
        "tune": ("tertium.cli.tune", "find the weights with which a decoder scores best"),
        "oracle": (
            "tertium.cli.oracle",
            "find the best texts in n-best lists, lattices and forests, by references",
        ),
        "automaton": ("tertium.cli.automaton", "write references as automata that score any text"),
    },
    "data": {
        "filter": ("tertium.cli.filter", "keep the pairs of texts that have a good score"),
        "convert": (
            "tertium.cli.convert",
            "write n-best lists, lattices and forests in another format, or count them",
        ),
    },
    "set-up": {
        "demo": ("tertium.cli.demo", "score a small sample, to see what the tables look like"),
        "metrics": ("tertium.cli.metrics", "list the metrics, their papers and their options"),
        "cache": ("tertium.cli.cache", "show or clear the kept scores of other programs"),
        "completion": ("tertium.cli.completion", "let the shell complete commands by TAB"),
    },
}
"""Group of commands → command → its module, which has ``configure(parser)`` and
``run(arguments) -> int``, and a line of help. Only the module of the command in use is imported."""

COMMANDS: Final = {name: row for group in GROUPS.values() for name, row in group.items()}

FORMER_COMMANDS: Final = {"inspect": ("convert", "--inspect"), "best-of": ("oracle", "--each")}
"""Commands of earlier versions → the words that do the same today."""

EVERYDAY: Final = frozenset(
    {
        *("score", "decide", "compare", "audit", "report", "explain", "serve", "meta", "mbr"),
        *("tune", "filter", "metrics", "demo"),
    }
)
"""The commands of ``tertium --help``; ``tertium help --all`` has every one."""

WITHOUT_CORE: Final = frozenset({"metrics", "completion"})
"""Commands that do no native work: the core is not imported only to be told of signals."""

SUMMARY: Final = "Scores machine translation, and says how far a score can be trusted."
EXAMPLES: Final = """\
examples:
  tertium demo
  tertium metrics
  tertium score reference.en -i system.en
  tertium help score
"""


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may come next
        from tertium.cli.completion import complete

        complete(COMMANDS)
    fallback = set_up_streams()
    try:
        with limited_memory():
            status = dispatch(sys.argv[1:] if words is None else words)
            sys.stdout.flush()
        say_what_was_replaced(fallback)
    except KeyboardInterrupt as end:
        return ended_status(end)
    except BrokenPipeError:
        return closed_pipe()
    except (OSError, MemoryError) as error:
        return failure(error)
    except Exception as error:  # noqa: BLE001 (whatever was not foreseen)
        return error_status(error)
    return status


def dispatch(words: Sequence[str]) -> int:
    """Import the command's module, let it declare its flags, parse the words and run it."""
    if words and words[0] == "help":  # as git has it: 'tertium help score'
        whole = {"-a", "--all"} & set(words)
        named = [word for word in words[1:] if word not in whole]
        words = [*named, "--help-all" if whole else "--help"]
    if words and words[0] in FORMER_COMMANDS:
        now = FORMER_COMMANDS[words[0]]
        said = f"'tertium {words[0]}' is now 'tertium {' '.join(now)}'"
        print(f"tertium: warning: {said}", file=sys.stderr)
        words = [*now, *words[1:]]
    if not words or words[0] not in COMMANDS:
        _without_command(words)
    command, *rest = words
    place, line = COMMANDS[command]
    module = import_module(place)
    parser = CommandParser(f"tertium {command}", f"{line[0].upper()}{line[1:]}.")
    module.configure(parser)
    arguments = parser.parse_args(rest)
    if command not in WITHOUT_CORE:
        heed_endings_in_native_work()
    with shown_warnings(quiet=getattr(arguments, "quiet", False)):
        status: int = module.run(arguments)
    if programs := sys.modules.get("tertium.metrics.foreign.command"):
        programs.stop_programs()  # one that has said too much is an error
    return status


def _without_command(words: Sequence[str]) -> NoReturn:
    """Answer ``--help``, ``--version`` and nothing at all, or say what is unknown."""
    parser = CommandParser("tertium", SUMMARY)
    parser.epilog = EXAMPLES
    parser.usage = "tertium COMMAND …"
    parser.add_argument("-V", "--version", action="version", version=f"tertium {__version__}")
    whole = "--help-all" in words
    for title, commands in GROUPS.items():
        group = parser.add_argument_group(title)
        for name, (_, line) in commands.items():
            if whole or name in EVERYDAY:
                group.add_argument(name, help=line, nargs="?")
    if not whole:
        left = [name for name in COMMANDS if name not in EVERYDAY]
        parser.epilog = f"more, by 'tertium help --all':\n  {' '.join(left)}\n\n{EXAMPLES}"
    if not words:
        parser.print_help()
        parser.exit()
    if words[0].startswith("-"):
        parser.parse_args(words[:1])  # ends the program
    from tertium.suggestions import did_you_mean

    parser.error(did_you_mean("command", words[0], COMMANDS))
