"""``tertium convert``: n-best lists, lattices and forests in another format, counted or drawn."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import configure_format, configure_output, configure_weights
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
from tertium.decode.formats.kinds import WRITTEN
from tertium.errors import InputError, OptionError
from tertium.plurals import counted
from tertium.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tertium.decode.formats.segments import Numbered, Segments
    from tertium.decode.structures.inspection import Inspection

EXAMPLES: Final = """\
examples:
  tertium convert dev.nbest.gz -o dev.jsonl
      Moses' lists as JSON lines
  tertium convert dev.plf -o dev.fst --skip-bad
      lattices for OpenFst's programs, damaged lines left out
  tertium convert hg.gz --weights weights.txt --best 100 -o dev.nbest
      the 100 best derivations of a forest under these weights
  tertium convert dev.nbest.gz --inspect
      nothing is written: segments, hypotheses, words and features are counted
  tertium convert lattices/*.fst.gz --inspect -f json
      nodes, arcs and paths of each file, for programs
  tertium convert dev.plf --draw 2 -o second.svg
      the second lattice as a drawing (Graphviz' text for any other name)
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium convert FILE … [-o FILE] [--to FORMAT | --inspect | --draw N] [flags]"
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
    add = parser.add_argument_group("what is shown instead").add_argument
    add("--inspect", action="store_true", help="count what is in the files, and write nothing else")
    configure_format(add, FORMS, set_default=False)
    add(
        "--draw",
        metavar="N",
        type=whole_number(1),
        help="draw the N-th lattice or forest (SVG if the output is called so)",
    )


def run(arguments: Namespace) -> int:
    """Convert one structure after the other; or count everything, or draw one."""
    check_output(arguments.output)
    _check(arguments)
    if arguments.draw:
        write_output([_drawing(arguments)], arguments.output)
    elif arguments.inspect:
        _inspect(arguments)
    else:
        _convert(arguments)
    return 0


def _check(arguments: Namespace) -> None:
    """Refuse flags that would do nothing, before anything is read."""
    if arguments.format and not arguments.inspect:
        raise OptionError("-f: found no --inspect, expected it, or --to for what is written")
    mode = "--draw" if arguments.draw else "--inspect" if arguments.inspect else None
    if mode is not None:
        for flag in ("to", "best", "weights", "combine", "lossy"):
            if getattr(arguments, flag):
                raise OptionError(
                    f"--{flag}: found {mode}, which writes no lists, expected neither"
                )
    arguments.format = arguments.format or "text"


# ---- another format -------------------------------------------------------------------------


def _convert(arguments: Namespace) -> None:

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


def _counted(structures: "Segments", advance: "Callable[[int], None]") -> "Iterator[Numbered]":
    for structure in structures:
        yield structure
        advance(1)


# ---- what is in the files -------------------------------------------------------------------


def _inspect(arguments: Namespace) -> None:
    from tertium.decode.structures.inspection import inspect

    options = format_options(arguments)
    inspections = []
    with progress_bar(lambda: len(arguments.files)) as advance:
        for path in arguments.files:
            inspections.append(
                inspect(
                    found_file(path),
                    format=arguments.from_format,
                    options=options,
                    skip_bad=arguments.skip_bad,
                )
            )
            advance(1)
    show(inspections, arguments, FORMS)
    tell_damages([message for inspection in inspections for message in inspection.damages])


def _drawing(arguments: Namespace) -> str:
    from tertium.decode.structures.nbest import NBest

    if len(arguments.files) > 1:
        raise OptionError(f"--draw: found {counted(len(arguments.files), 'file')}, expected one")
    structures = found_structures(arguments, arguments.files)
    structure = structures.of_number(arguments.draw)
    tell_damages(structures.damages.messages)
    if isinstance(structure, NBest):
        raise InputError(f"{arguments.files[0]}: found n-best lists, expected what can be drawn")
    svg = arguments.output is not None and arguments.output.lower().endswith(".svg")
    return structure.to_svg() if svg else structure.to_dot()


def _text(inspections: "Sequence[Inspection]", arguments: Namespace) -> "Iterable[str]":
    from tertium.report.decoding.structures import inspection_view

    return on_screen(arguments, inspection_view(inspections))


def _json(inspections: "Sequence[Inspection]", _: Namespace) -> "Iterable[str]":
    return json_pieces(
        {"version": __version__, "files": [inspection.to_dict() for inspection in inspections]}
    )


FORMS: Final[Forms["Sequence[Inspection]"]] = {"text": _text, "json": _json}
