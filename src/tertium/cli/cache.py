"""``tertium cache``: scores of other programs that are kept, so that each text is scored once."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.shell.output import write_output
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.metrics.foreign.cache import CacheContents

EXPLANATION: Final = """\
Scores of 'command' metrics are kept in one file, under the metric's name, model, version and
precision and a hash of source, hypothesis and references. It lies in the system's folder of caches;
the variable TERTIUM_CACHE names another folder, or turns the cache off.

examples:
  tertium cache
  tertium cache --clear COMET
  tertium cache --clear
  TERTIUM_CACHE=off tertium score reference.en -i system.en -m 'command[run="python score.py"]'
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = EXPLANATION
    parser.add_argument(
        "--clear",
        metavar="METRIC",
        nargs="*",
        help="forget the scores of metrics of these names (default: of all)",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("table", "json"),
        default="table",
        help="for people or for programs (default: table)",
    )


def run(arguments: Namespace) -> int:
    """Show the cache, or clear it."""
    from tertium.metrics.foreign.cache import cache_contents, clear_cache

    if arguments.clear is not None and arguments.format == "json":
        raise OptionError("--format: found json with --clear, expected one of them")
    contents = cache_contents()
    if contents is None:
        write_output(["no cache: TERTIUM_CACHE turns it off\n"])
        return 0
    if arguments.clear is not None:
        from tertium.results import counted

        gone = clear_cache(arguments.clear)
        write_output([f"{contents.path}: {counted(gone, 'score')} forgotten\n"])
        return 0
    write_output([_shown(contents, arguments.format)])
    return 0


def _shown(contents: "CacheContents", kind: str) -> str:
    if kind == "json":
        from tertium.report.json_text import json_text

        return json_text(contents.to_dict())
    if not contents.metrics:
        return f"{contents.path}: empty\n"
    from tertium.report.blocks import Blocks, Cell, Column
    from tertium.report.console import console_text

    names = ("metric", "model", "version", "precision")
    table = Blocks(
        labels=tuple(Column(title=name, justify="left") for name in names),
        groups=((Column(title="scores"),),),
        sections=(
            tuple(
                (*map(Cell, one.identity[:4]), Cell(str(one.scores))) for one in contents.metrics
            ),
        ),
    )
    size = f"\n{contents.path}: {contents.size / 1e6:.1f} MB\n"
    return console_text(table, sys.stdout) + size
