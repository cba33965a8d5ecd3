"""``tertium inspect``: what is in files of n-best lists, lattices and forests."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.formats import (
    FORMAT_HELP,
    configure_formats,
    format_options,
    found_file,
    tell_damages,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output
from tertium.cli.shell.progress import progress_bar
from tertium.errors import InputError, OptionError
from tertium.version import __version__

if TYPE_CHECKING:
    from tertium.decode.formats.table import Structure

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
    add(
        "-f",
        "--format",
        choices=("text", "json"),
        default="text",
        help="for people or for programs (default: text)",
    )
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")
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
    if arguments.format == "json":
        from tertium.report.json_text import json_text

        shown = json_text({"version": __version__, "files": [one.to_dict() for one in found]})
    else:
        from tertium.report.console import console_text
        from tertium.report.decoding.structures import inspection_view

        screen = None if arguments.output else sys.stdout
        shown = console_text(inspection_view(found), screen)
    write_output([shown], arguments.output)
    tell_damages([message for one in found for message in one.damages])
    return 0


def _drawing(arguments: Namespace) -> str:
    from tertium.decode.structures.nbest import NBest

    if len(arguments.files) > 1:
        raise OptionError(f"--draw: found {len(arguments.files)} files, expected one")
    one = _structure(arguments)
    if isinstance(one, NBest):
        raise InputError(f"{arguments.files[0]}: found n-best lists, expected what can be drawn")
    svg = arguments.output is not None and arguments.output.lower().endswith(".svg")
    return one.to_svg() if svg else one.to_dot()


def _structure(arguments: Namespace) -> "Structure":
    from tertium.decode.formats.numbered_lines import Damages
    from tertium.decode.formats.segments import Segments

    damages = Damages(skip=arguments.skip_bad)
    structures = Segments(
        [found_file(arguments.files[0])],
        format=arguments.from_format,
        options=format_options(arguments),
        damages=damages,
    )
    for number, one in structures:
        if number >= arguments.draw - 1:
            tell_damages(damages.messages)
            if number == arguments.draw - 1:
                return one
            break
    found = f"{structures.count} segments"
    if structures.count >= arguments.draw:
        found = f"segment {arguments.draw} missing or damaged"
    raise InputError(f"{arguments.files[0]}: {found}, expected {arguments.draw} at least")
