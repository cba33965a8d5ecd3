"""``tertium cache``: scores of other programs that are kept, so that each text is scored once."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import configure_shown
from tertium.cli.shell.output import check_output, write_output
from tertium.cli.shell.result import Forms, show, view_forms
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.metrics.foreign.cache import CacheContents
    from tertium.tables import Part

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
    configure_shown(parser.add_argument, FORMS)


def run(arguments: Namespace) -> int:
    """Show the cache, or clear it."""
    check_output(arguments.output)
    from tertium.metrics.foreign.cache import cache_contents, clear_cache

    if arguments.clear is not None and arguments.format == "json":
        raise OptionError("--format: found json with --clear, expected one of them")
    contents = cache_contents()
    if contents is None:
        write_output(["no cache: TERTIUM_CACHE turns it off\n"], arguments.output)
        return 0
    if arguments.clear is not None:
        from tertium.plurals import counted

        gone = clear_cache(arguments.clear)
        write_output([f"{contents.path}: {counted(gone, 'score')} forgotten\n"], arguments.output)
        return 0
    show(contents, arguments, FORMS)
    return 0


def _view(contents: "CacheContents", _: Namespace) -> "Iterable[Part]":
    from tertium.tables import lines, table

    if not contents.metrics:
        return [lines([f"{contents.path}: empty"])]
    rows = [(*metric.identity[:4], str(metric.scores)) for metric in contents.metrics]
    titles = ("metric", "model", "version", "precision", "scores")
    size = lines([f"{contents.path}: {contents.size / 1e6:.1f} MB"])
    return [table(titles, rows, left=range(4), labels=4), size]


FORMS: Final[Forms["CacheContents"]] = view_forms(_view)
