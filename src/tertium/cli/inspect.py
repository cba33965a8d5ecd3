"""``tertium inspect``: what is in files of n-best lists, lattices and forests."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import configure_shown
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    configure_formats,
    format_options,
    found_file,
    found_structures,
    tell_damages,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output
from tertium.cli.shell.progress import progress_bar
from tertium.cli.shell.result import Forms, json_pieces, on_screen, show
from tertium.errors import InputError, OptionError
from tertium.plurals import counted
from tertium.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tertium.decode.structures.inspection import Inspection

EXAMPLES: Final = """\
examples:
  tertium inspect dev.nbest.gz
      segments, hypotheses, words, features
  tertium inspect lattices/*.fst.gz -f json
      nodes, arcs and paths of each file, for programs
  tertium inspect dev.plf --draw 2 -o second.svg
      the second lattice as a drawing (Graphviz' text for any other name)
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium inspect FILE … [flags]"
    parser.epilog = FORMAT_HELP + "\n" + EXAMPLES
    parser.add_argument("files", metavar="FILE", nargs="+", help="- is standard input")
    configure_formats(parser)
    group = parser.add_argument_group("what is shown")
    add = group.add_argument
    configure_shown(add, FORMS)
    add(
        "--draw",
        metavar="N",
        type=whole_number(1),
        help="draw the N-th lattice or forest (SVG if the output is called so)",
    )


def run(arguments: Namespace) -> int:
    """Count everything, or draw one."""
    check_output(arguments.output)
    if arguments.draw:
        write_output([_drawing(arguments)], arguments.output)
        return 0

    from tertium.decode.structures.inspection import inspect

    options = format_options(arguments)
    found = []
    with progress_bar(lambda: len(arguments.files)) as advance:
        for path in arguments.files:
            one = inspect(
                found_file(path),
                format=arguments.from_format,
                options=options,
                skip_bad=arguments.skip_bad,
            )
            found.append(one)
            advance(1)
    show(found, arguments, FORMS)
    tell_damages([message for one in found for message in one.damages])
    return 0


def _text(found: "Sequence[Inspection]", arguments: Namespace) -> "Iterable[str]":
    from tertium.report.decoding.structures import inspection_view

    return on_screen(arguments, inspection_view(found))


def _json(found: "Sequence[Inspection]", _: Namespace) -> "Iterable[str]":
    return json_pieces({"version": __version__, "files": [one.to_dict() for one in found]})


FORMS: Final[Forms["Sequence[Inspection]"]] = {"text": _text, "json": _json}


def _drawing(arguments: Namespace) -> str:
    from tertium.decode.structures.nbest import NBest

    if len(arguments.files) > 1:
        raise OptionError(f"--draw: found {counted(len(arguments.files), 'file')}, expected one")
    structures = found_structures(arguments, arguments.files)
    one = structures.of_number(arguments.draw)
    tell_damages(structures.damages.messages)
    if isinstance(one, NBest):
        raise InputError(f"{arguments.files[0]}: found n-best lists, expected what can be drawn")
    svg = arguments.output is not None and arguments.output.lower().endswith(".svg")
    return one.to_svg() if svg else one.to_dot()
