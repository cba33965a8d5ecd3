"""argparse with the manners of this command line: one-line errors, compact help."""

import argparse
import os
import sys
from argparse import SUPPRESS
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from tertium.text.memory import FLAG, MemoryLimit, choose_memory, memory_size

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

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


OTHER_FLAGS: Final = {
    **dict.fromkeys(
        ("-r", "--ref", "--refs", "--reference", "--references"),
        "references come first, without a flag",
    ),
    **dict.fromkeys(
        ("--hyp", "--hyps", "--hypothesis", "--hypotheses", "--sys", "--system", "--systems"),
        "systems come after -i",
    ),
}
"""What flags of other programs are here, in commands that begin with references."""


SELDOM: Final = frozenset(
    {
        # how files are read, where it cannot be told from them
        *("--names", "--num-refs", "--input-format", "--inline-codes", "--quoting", "--columns"),
        *("--pair", "--common", "--paragraphs", "--max-tokens", "--encoding", "--first-segment"),
        *("--skip-bad", "--trim", "--lines", "--logprobs", "--fields", "--symbols", "--side"),
        *("--boundary", "--missing", "--skip-missing", "--expect-segments", "--in-order"),
        *("--vary-references", "--names-file", "--domain", "--testset", "--ratings-format"),
        *("--spans-format", "--include-references", "--exclude", "--lower-is-better", "--grades"),
        *("--ranks", "--judges", "--z-scores", "--criterion", "--ner", "--annotations", "--kinds"),
        # how metrics see the text
        *("--lowercase", "--smooth-method", "--smooth-value", "--source-tokenize"),
        *("--chrf-char-order", "--chrf-word-order", "--chrf-beta", "--chrf-whitespace"),
        *("--chrf-lowercase", "--chrf-eps-smoothing", "--ter-case-sensitive"),
        *("--ter-asian-support", "--ter-no-punct", "--ter-normalized"),
        # how tests and searches are done
        *("--trials", "--seed", "--alpha", "--interval"),
        *("--resample", "--one-sided", "--two-sided", "--paired-bs", "--paired-bs-n"),
        *("--paired-ar-n", "--paired-jobs", "--correction", "--runs", "--permute"),
        *("--published-williams", "--matrix-type", "--samples", "--all-paths", "--precision"),
        *("--ratio", "--word-penalty", "--reference-words", "--band", "--beam", "--also"),
        *("--prune-arcs", "--evidence", "--pseudo-references", "--max-segments", "--for-each"),
        *("--moses-statistics", "--iterations", "--exact"),
        *("--restarts", "--directions", "--patience", "--epochs", "--step", "--l2", "--pairs"),
        *("--paths", "--no-average", "--fixed", "--shell", "--decoder-timeout", "--costs"),
        *("--held-out-references", "--held-out-input", "--held-out-source", "--bounds"),
        *("--validation", "--folds", "--optimiser", "--evaluations", "--shrinkage"),
        *("--against-training", "--alignment", "--approximate", "--below", "--orders"),
        # how it is written
        *("--width", "--score-only", "--short", "--quiet", "--top", "--order", "--no-color"),
        *("--plot-kind", "--list-errors", "--points", "--cost-points", "--curve-points", "--lossy"),
        *("--statistics", "--no-audit", "--texts", "--metric-kind", "--llm", "--save-symbols"),
        # where it is done
        *("--threads", "--engine", "--scheduler", "--workers", "--resume", "--follow", "--every"),
        *("--save-matrix", "--load-matrix", "--state", "--track"),
        *("--force", "--version", "--max-memory"),
    }
)
"""Flags that ``--help`` leaves to ``--help-all``: what most people never need."""

FEW: Final = 16
"""A command with no more flags than these shows all of them."""


class WholeHelp(argparse.Action):
    """``--help-all``: the help with every flag."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Show it and end the program."""
        sys.stdout.write(argparse.ArgumentParser.format_help(parser))
        parser.exit()


class _LimitMemory(argparse.Action):
    """Sets the limit at once: the flags of an action are parsed when its command runs already."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        choose_memory(MemoryLimit(memory_size(str(values))))


class CommandParser(argparse.ArgumentParser):
    """A parser whose errors are one line, like all others of the command line."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(
            prog=prog, description=description, formatter_class=CompactHelp, allow_abbrev=False
        )
        self.add_argument("--help-all", action=WholeHelp, nargs=0, help=argparse.SUPPRESS)
        self.add_argument(
            FLAG,
            metavar="SIZE",
            action=_LimitMemory,
            default=SUPPRESS,
            help="memory that may be used, such as 4G, 50%% or none (default: 80%%)",
        )

    def format_help(self) -> str:
        """The help without the flags that few need; ``--help-all`` has these too."""
        flags = [action for action in self._actions if action.help is not argparse.SUPPRESS]
        seldom = [flag for flag in flags if SELDOM.intersection(flag.option_strings)]
        if len(flags) <= FEW or not seldom:
            return super().format_help()
        texts = {action: action.help for action in seldom}
        groups, epilog = self._action_groups, self.epilog
        hidden = {
            *seldom,
            *(action for action in self._actions if action.help is argparse.SUPPRESS),
        }
        try:
            for action in seldom:
                action.help = argparse.SUPPRESS
            self._action_groups = [
                group
                for group in groups
                if not hidden.issuperset(group._group_actions)  # noqa: SLF001 (no other list)
            ]
            self.epilog = f"{len(seldom)} more flags: {self.prog} --help-all\n\n{epilog or ''}"
            return super().format_help()
        finally:
            self._action_groups, self.epilog = groups, epilog
            for action, text in texts.items():
                action.help = text

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Write the help; argparse would hide that nobody reads it, where it fills a buffer."""
        (sys.stdout if file is None else file).write(self.format_help())

    def parse_args(  # type: ignore[override]  # this one makes a namespace of its own
        self, args: Sequence[str] | None = None, namespace: None = None
    ) -> argparse.Namespace:
        """Parse; of words that are no flags, the first is named with what is near it."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(self._unknown(unknown))
        return parsed

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Write; argparse would not tell that nobody reads, which long help finds at once."""
        if message:
            (file or sys.stderr).write(message)

    def _unknown(self, words: Sequence[str]) -> str:
        word = next((word for word in words if word.startswith("-")), None)
        if word is None:
            return f"found '{words[0]}', expected a flag before it"
        from difflib import get_close_matches

        name = word.partition("=")[0]
        if name in OTHER_FLAGS and any(
            action.dest == "references" for action in self._named_by_place()
        ):
            return f"unknown flag '{name}'; {OTHER_FLAGS[name]}"
        for near in get_close_matches(name, self._option_string_actions, n=1):
            # of a former spelling, the one of today
            flag = getattr(self._option_string_actions[near], "successor", near)
            return f"unknown flag '{name}'; did you mean '{flag}'?"
        return f"unknown flag '{name}'"

    def _named_by_place(self) -> list[argparse.Action]:
        return [action for action in self._actions if not action.option_strings]

    def error(self, message: str) -> NoReturn:
        """End the program with the message and a hint."""
        end = "" if message.endswith("?") else ";"
        self.exit(USAGE_ERROR, f"{self.prog}: {message}{end} see '{self.prog} --help'\n")
