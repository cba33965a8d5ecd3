"""``tertium convert``: n-best lists, lattices and forests from one format to another."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import configure_output, configure_weights
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    configure_formats,
    found_structures,
    tell_damages,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar
from tertium.decode.formats.kinds import WRITTEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tertium.decode.formats.segments import Numbered, Segments

EXAMPLES: Final = """\
examples:
  tertium convert dev.nbest.gz -o dev.jsonl
      Moses' lists as JSON lines
  tertium convert dev.plf -o dev.fst --skip-bad
      lattices for OpenFst's programs, damaged lines left out
  tertium convert hg.gz --weights weights.txt --best 100 -o dev.nbest
      the 100 best derivations of a forest under these weights
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium convert FILE … [-o FILE] [--to FORMAT] [flags]"
    parser.epilog = FORMAT_HELP + "\n" + EXAMPLES
    parser.add_argument("files", metavar="FILE", nargs="+", help="one after the other; - is stdin")
    configure_formats(parser)
    group = parser.add_argument_group("what is written")
    add = group.add_argument
    configure_output(add)
    add("--to", metavar="FORMAT", choices=WRITTEN, help="default: by the name of the output")
    add("--best", metavar="N", type=whole_number(1), help="this many paths, as n-best lists")
    configure_weights(add, default="those of the files")
    add("--combine", action="store_true", help="features · weights in the place of all features")
    add("--lossy", action="store_true", help="leave out what the format cannot say")


def run(arguments: Namespace) -> int:
    """Convert one structure after the other."""
    check_output(arguments.output)

    from tertium.decode.formats.conversion import convert, write_pieces
    from tertium.decode.formats.detection import format_for_output
    from tertium.decode.formats.table import format_named
    from tertium.decode.weights import check_names, read_weights

    target = format_named(arguments.to or format_for_output(arguments.output))
    weights = None if arguments.weights is None else read_weights(arguments.weights)
    structures = found_structures(arguments, arguments.files)
    with progress_bar(lambda: None) as advance:
        pieces = convert(
            _counted(structures, advance),
            target,
            best=arguments.best,
            weights=weights,
            combine=arguments.combine,
            lossy=arguments.lossy,
        )
        if arguments.output in {None, "-"}:
            sys.stdout.writelines(pieces)
        else:
            write_pieces(pieces, arguments.output)
    if weights is not None:
        check_names(weights, structures.feature_names, arguments.weights)
    tell_damages(structures.damages.messages)
    return 0


def _counted(structures: "Segments", advance: "Callable[[int], None]") -> "Iterator[Numbered]":
    for one in structures:
        yield one
        advance(1)
