"""Flags for files of n-best lists, lattices and forests, the same for every command."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.values import whole_number
from tertium.decode.formats.kinds import FORMATS

if TYPE_CHECKING:
    from tertium.decode.formats.table import FormatOptions
    from tertium.text.files import TextFile

FORMAT_HELP: Final = """\
formats:
  samples        n-best   {"hypotheses": […], "logprobs": […]}, one a line
  flat           n-best   plain text, --lines lines a segment
  moses          n-best   0 ||| text ||| LM0= -37.2 ||| -105.5
  marian         n-best   the same, the fields found by their look
  travatar       n-best   0 ||| text ||| -105.5 ||| lm=-37.2
  plf            lattice  ((('ein',-0.2,1),('haus',-0.5,2),),(('haus',0,1),),)
  openfst        lattice  0 1 the the 1.5, final states alone
  hypergraph     forest   [0] the ||| LM0=-3.3 ||| 1, nodes bottom-up
  travatar-json  forest   {"nodes": […], "edges": […]}, one a line
"""


def configure_formats(parser: ArgumentParser) -> None:
    """Declare how files are to be read."""
    group = parser.add_argument_group("how files are read")
    add = group.add_argument
    add(
        "--from", dest="from_format", metavar="FORMAT", choices=FORMATS, help="default: by its look"
    )
    add("--skip-bad", action="store_true", help="leave out what is damaged, and say how much")
    add("--trim", action="store_true", help="leave out states that are on no path")
    add("--lines", metavar="N", type=whole_number(1), help="lines a segment (flat)")
    add("--logprobs", metavar="FILE", help="log-probabilities, a line for each (flat)")
    add(
        "--fields",
        metavar="NAMES",
        help="such as id,text,other,features,score (moses, marian, travatar)",
    )
    add("--symbols", metavar="FILE", help="words and their numbers (openfst)")
    add(
        "--side",
        choices=("input", "output"),
        default="output",
        help="labels that are the words (openfst; default: output)",
    )
    add(
        "--boundary",
        metavar="WORD",
        nargs="+",
        default=["<s>", "</s>"],
        help="words to read as empty (lattices, forests; default: <s> </s>)",
    )


def format_options(arguments: Namespace) -> "FormatOptions":
    """The options that the flags give."""
    from tertium.decode.formats.table import FormatOptions

    return FormatOptions(
        fields=tuple(arguments.fields.split(",")) if arguments.fields else None,
        size=arguments.lines,
        logprobs=arguments.logprobs,
        symbols=arguments.symbols,
        side=arguments.side,
        boundary=tuple(arguments.boundary),
        trim=arguments.trim,
    )


def found_file(path: str) -> "TextFile":
    """The file of that name; ``-`` is standard input."""
    from tertium.text.files import TextFile

    if path == "-":
        return TextFile(name="standard input", data=sys.stdin.buffer.read())
    return TextFile.find(path)


def tell_damages(count: int, first: str) -> None:
    """Say on standard error what was left out."""
    if count:
        print(f"tertium: skipped {count} damaged; the first: {first}", file=sys.stderr)
