"""Flags for files of n-best lists, lattices and forests, the same for every command."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final, Protocol

from tertium.cli.flags.common import Add
from tertium.cli.flags.values import whole_number
from tertium.decode.formats.kinds import FORMATS
from tertium.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tertium.decode.formats.segments import Segments
    from tertium.decode.formats.table import FormatOptions
    from tertium.text.files import TextFile

FORMAT_HELP: Final = """\
formats:
  samples        n-best   {"hypotheses": […], "logprobs": […]}, one on each line
  flat           n-best   plain text, as many lines for each segment as --lines says
  fairseq        n-best   S-0, T-0, H-0, D-0 and P-0 before the lines of a run
  choices        n-best   {"choices": [{"message": {"content": "…"}, "logprobs": …}]}, one a line
  moses          n-best   0 ||| text ||| LM0= -37.2 ||| -105.5
  marian         n-best   the same; the fields are found from their content
  travatar       n-best   0 ||| text ||| -105.5 ||| lm=-37.2
  plf            lattice  ((('ein',-0.2,1),('haus',-0.5,2),),(('haus',0,1),),)
  confusion      lattice  Haus 0.1 aus 0.4 EPSILON 0.5, a line for each place (Moses)
  mesh           lattice  align 0 the 0.9 *DELETE* 0.1 (SRILM)
  openfst        lattice  0 1 the the 1.5, final states alone
  hypergraph     forest   [0] the ||| LM0=-3.3 ||| 1, nodes bottom-up
  travatar-json  forest   {"nodes": […], "edges": […]}, one a line
"""


class HasLines(Protocol):
    """What chose a text for each segment."""

    def lines(self, missing: str = "") -> "Iterator[str]":
        """A line for each segment, ``missing`` for those without a text."""


def configure_formats(parser: ArgumentParser, *, limited: bool = False) -> None:
    """Declare how files are to be read; ``limited`` if candidates may be too long for a metric."""
    group = parser.add_argument_group("how files are read")
    add = group.add_argument
    add(
        "--from",
        dest="from_format",
        metavar="FORMAT",
        choices=FORMATS,
        help="format of the files, see below (default: found from their content)",
    )
    add("--skip-bad", action="store_true", help="leave out what is damaged, and say how much")
    if limited:
        add(
            "--max-tokens",
            metavar="N",
            type=whole_number(1),
            help="refuse candidates of more than N words, and name the first (n-best; default: "
            "no limit)",
        )
    add("--trim", action="store_true", help="leave out states that are on no path")
    add("--lines", metavar="N", type=whole_number(1), help="how many lines each segment has (flat)")
    add("--logprobs", metavar="FILE", help="log-probabilities, a line for each (flat)")
    add(
        "--fields",
        metavar="NAMES",
        help="what the fields are, such as id,text,other,features,score (moses, marian, travatar)",
    )
    add("--symbols", metavar="FILE", help="words and their numbers (openfst)")
    add(
        "--side",
        choices=("input", "output"),
        default="output",
        help="which labels are the words (openfst; default: output)",
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
    from tertium.text.files import TextFile, kept

    if path == "-":
        return TextFile(name="standard input", data=kept(sys.stdin.buffer))
    return TextFile.find(path)


def found_structures(arguments: Namespace, files: "Sequence[str | TextFile]") -> "Segments":
    """The n-best lists, lattices or forests of files, read as the flags say when asked for."""
    from tertium.decode.formats.numbered_lines import Damages
    from tertium.decode.formats.segments import Segments

    return Segments(
        [found_file(file) if isinstance(file, str) else file for file in files],
        format=arguments.from_format,
        options=format_options(arguments),
        damages=Damages(skip=arguments.skip_bad),
        max_tokens=getattr(arguments, "max_tokens", None),
    )


def found_references(paths: "Sequence[str]") -> "list[tuple[str, ...]] | None":
    """The references of each segment, if there are files of them."""
    from tertium.text.input_files import read_references

    return read_references(paths) if paths else None


def found_sources(path: str | None, segments: int | None = None) -> "list[str] | None":
    """The source of each segment, if there is a file of them."""
    if path is None:
        return None
    from tertium.text.input_files import read_sources

    return read_sources(path, segments)


def configure_missing(add: Add) -> None:
    """Declare what ``-f lines`` has for a segment without an output."""
    add("--missing", metavar="TEXT", help="-f lines: for segments without one (default: empty)")


def check_missing(arguments: Namespace) -> None:
    """Refuse a text for segments without an output where there are no lines."""
    if arguments.missing is not None and arguments.format != "lines":
        raise OptionError(f"--missing: found it with -f {arguments.format}, expected -f lines")


def as_lines(result: "HasLines", arguments: Namespace) -> "Iterable[str]":
    """The form that has the chosen texts and nothing else."""
    return result.lines(arguments.missing or "")


def tell_damages(messages: "Sequence[str]") -> None:
    """Say on standard error what was left out, all of it."""
    if messages:
        said = "".join(f"\n  {message}" for message in messages)
        print(f"tertium: skipped {len(messages)} damaged:{said}", file=sys.stderr)


def tell_missing(numbers: "Iterable[int]", segments: int) -> None:
    """Say on standard error which of the segments have no output."""
    from tertium.decode.formats.segments import missing_of, ranges_of

    if missing := missing_of(numbers, segments):
        count = f"{len(missing)} of {segments} segments"
        print(f"tertium: nothing for {count}: {ranges_of(missing)}", file=sys.stderr)
