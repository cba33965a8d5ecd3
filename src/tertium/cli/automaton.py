"""``tertium automaton``: WRR and k-GRR of a reference as an automaton, for other programs."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import (
    configure_format,
    configure_former,
    configure_metric,
    configure_output,
)
from tertium.cli.flags.formats import found_file
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output
from tertium.errors import OptionError
from tertium.plurals import counted

if TYPE_CHECKING:
    from tertium.decode.oracle.automaton import Automata

FORMATS: Final = {
    "openfst": "for other programs",
    "svg": "for people",
    "dot": "for Graphviz",
}

EXPLANATION: Final = """\
The automaton reads a hypothesis; the weight of the best way through it is the numerator of the
hypothesis' rate (Chiang et al. 2008, section 4.3). Composed with a lattice, in OpenFst or any
other library, its best path is what 'tertium oracle' finds. Costs are negative weights.

Insertions and substitutions take any word: an arc for each word of --words FILE, or one arc with
the label <any>, which OpenFst's sigma matcher can take.

examples:
  tertium automaton reference.en -m wrr --segment 3 -o third.svg
      a drawing (.svg), or Graphviz' text (.dot)
  tertium automaton reference.en -m grr --words dev.plf -o dev.fst.txt --save-symbols words.txt
      for every segment, an empty line between them; then fstcompile --acceptor=false …
  tertium automaton reference.en -m 'grr[k=2,alpha=-0.9,beta=1]' --cost-points
      costs in points: the cost of a path is minus the score
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium automaton REF [-m METRIC] [flags]"
    parser.epilog = EXPLANATION
    add = parser.add_argument
    add("reference", metavar="REF", help="one reference of each segment; - is stdin")
    configure_metric(add, "grr", what="grr or wrr")
    add("--segment", metavar="N", type=whole_number(1), help="only the N-th segment")
    add(
        "--words",
        metavar="FILE",
        nargs="+",
        default=[],
        help="n-best lists, lattices or forests whose words 'any word' stands for",
    )
    points = add(
        "--cost-points",
        dest="points",
        action="store_true",
        help="costs are minus the metric's points, 0 to 100",
    )
    configure_former(add, "--points", points)
    add("--save-symbols", metavar="FILE", help="write the labels and their numbers")
    configure_format(add, FORMATS, purposes=FORMATS, set_default=False, told="by the output's name")
    configure_output(add)


def run(arguments: Namespace) -> int:
    """Build and write."""
    check_output(arguments.output)
    check_output(arguments.save_symbols)

    kind = arguments.format or _kind(arguments.output)
    drawn = kind != "openfst"
    if drawn and (arguments.words or arguments.points or arguments.save_symbols):
        raise OptionError(
            f"--words, --cost-points, --save-symbols: found -f {kind}, expected openfst"
        )
    automata = _automata(arguments)
    if not drawn:
        if arguments.save_symbols:
            write_output([automata.symbols()], arguments.save_symbols)
        write_output([automata.to_openfst(points=arguments.points)], arguments.output)
        return 0

    from tertium.decode.oracle.automaton import automaton_dot, automaton_svg

    if len(automata.automata) > 1:
        found = f"found {counted(len(automata.automata), 'segment')}"
        raise OptionError(f"-f {kind}: {found}, expected --segment N")
    draw = automaton_svg if kind == "svg" else automaton_dot
    write_output([draw(automata.automata[0])], arguments.output)
    return 0


def _kind(output: str | None) -> str:
    name = (output or "").lower()
    return next((kind for kind in ("svg", "dot") if name.endswith(f".{kind}")), "openfst")


def _automata(arguments: Namespace) -> "Automata":
    from itertools import chain

    from tertium.decode.formats.segments import read
    from tertium.decode.oracle.automaton import Automata
    from tertium.decode.weights import word_metric
    from tertium.text.input_files import read_references

    metric = word_metric(arguments.metric)
    files = [found_file(path) for path in arguments.words]
    return Automata.of(
        metric,
        read_references([arguments.reference]),
        segment=arguments.segment,
        structures=chain.from_iterable(map(read, files)) if files else None,
        place=arguments.reference,
    )
