"""``tertium automaton``: WRR and k-GRR of a reference as an automaton, for other programs."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.formats import found_file
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output
from tertium.errors import InputError, OptionError

if TYPE_CHECKING:
    from tertium.decode.oracle.automaton import RecognitionAutomaton

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
  tertium automaton reference.en -m 'grr[k=2,alpha=-0.9,beta=1]' --points
      costs in points: the cost of a path is minus the score
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium automaton REF [-m METRIC] [flags]"
    parser.epilog = EXPLANATION
    add = parser.add_argument
    add("reference", metavar="REF", help="a segment a line; - is stdin")
    add("-m", "--metric", metavar="METRIC", default="grr", help="grr or wrr (default: grr)")
    add("--segment", metavar="N", type=whole_number(1), help="only the N-th")
    add(
        "--words",
        metavar="FILE",
        nargs="+",
        default=[],
        help="n-best lists, lattices or forests whose words 'any word' stands for",
    )
    add("--points", action="store_true", help="costs are minus the metric's points, 0 to 100")
    add("--save-symbols", metavar="FILE", help="the labels and their numbers")
    add(
        "-f",
        "--format",
        choices=("openfst", "svg", "dot"),
        help="text of OpenFst, drawing, Graphviz' text (default: by the output's name)",
    )
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")


def run(arguments: Namespace) -> int:
    """Build and write."""
    check_output(arguments.output)
    check_output(arguments.save_symbols)

    from tertium.decode.oracle.automaton_drawing import automaton_dot, automaton_svg

    kind = arguments.format or _kind(arguments.output)
    drawn = kind != "openfst"
    if drawn and (arguments.words or arguments.points or arguments.save_symbols):
        raise OptionError(f"--words, --points, --save-symbols: found -f {kind}, expected openfst")
    automata = _automata(arguments)
    if drawn:
        if len(automata) > 1:
            raise OptionError(f"-f {kind}: found {len(automata)} segments, expected --segment N")
        draw = automaton_svg if kind == "svg" else automaton_dot
        write_output([draw(automata[0])], arguments.output)
        return 0
    words = _vocabulary(arguments)
    if words is not None:
        words |= dict.fromkeys(word for one in automata for word in one.words)
    texts = [one.to_openfst(words, points=arguments.points) for one in automata]
    if arguments.save_symbols:
        from tertium.decode.oracle.automaton import ANY_LABEL

        shared = words or dict.fromkeys([*(w for one in automata for w in one.words), ANY_LABEL])
        write_output([automata[0].symbols(shared)], arguments.save_symbols)
    write_output(["\n".join(texts)], arguments.output)
    return 0


def _kind(output: str | None) -> str:
    name = (output or "").lower()
    return next((kind for kind in ("svg", "dot") if name.endswith(f".{kind}")), "openfst")


def _automata(arguments: Namespace) -> "list[RecognitionAutomaton]":
    from tertium.decode.oracle.automaton import RecognitionAutomaton
    from tertium.decode.word_metrics import word_metric
    from tertium.text.lines import numbered_lines

    metric = word_metric(arguments.metric, of_words=True)
    file = found_file(arguments.reference)
    lines = list(numbered_lines(file))
    if arguments.segment:
        lines = lines[arguments.segment - 1 : arguments.segment]
    if not lines:
        expected = f"segment {arguments.segment}" if arguments.segment else "a segment"
        raise InputError(f"{file.name}: found no such line, expected {expected}")
    automata = []
    for number, text in lines:
        try:
            automata.append(RecognitionAutomaton.of(metric, text))
        except InputError as error:
            raise InputError(f"{file.name}: line {number}: {error}") from None
    return automata


def _vocabulary(arguments: Namespace) -> "dict[str, None] | None":
    """The words of structures; hypotheses of lists are cut at blanks, as their words are."""
    if not arguments.words:
        return None
    from tertium.decode.formats.input import read
    from tertium.decode.structures.nbest import NBest

    found: dict[str, None] = {}
    for path in arguments.words:
        for one in read(found_file(path)):
            texts = one.hypotheses if isinstance(one, NBest) else ()
            words = one.vocabulary if not isinstance(one, NBest) else " ".join(texts).split()
            found.update(dict.fromkeys(words))
    return found
