"""``tertium oracle``: the best that n-best lists, lattices and forests hold."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import (
    configure_former,
    configure_language,
    configure_metric,
    configure_references,
    configure_shown,
    configure_weights,
)
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    as_lines,
    check_missing,
    configure_formats,
    configure_missing,
    found_references,
    found_structures,
    tell_damages,
    tell_missing,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, as_json, on_screen, show
from tertium.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tertium.decode.formats.table import Structure
    from tertium.decode.oracle.candidates import OracleSetting
    from tertium.decode.oracle.curves import OracleCurve
    from tertium.decode.oracle.oracles import Oracles
    from tertium.metrics.contract.base import Metric

EXPLANATION: Final = """\
The best hypothesis of each segment by the metric, among all that the structures hold. Exact for
grr, wrr and wer, on lists, lattices and forests alike, and then it is the best corpus too: the
denominator of these rates depends on the references alone. Other metrics are climbed to, one
segment at a time, and the result says 'approximate'; --exact finds the best corpus by BLEU where
lattices and lists are small enough, and says a bound where they are not.

Words of lattices and forests are not cut again; references are cut by the metric's tokenizer,
'none' for lattices and forests unless the metric's brackets say otherwise.

examples:
  tertium oracle dev.plf reference.en
      the best paths of lattices by 4-GRR, and what BLEU, TER and others say of them
  tertium oracle dev.nbest reference.0 reference.1 -m wrr --k-best 5 -f json
      five oracles for each list, with features and model scores
  tertium oracle lattices/*.fst -r reference.en -m grr[alpha=-0.9,beta=1] --also bleu -f lines
      the oracles alone, for a decoder's training
  tertium oracle dev.nbest reference.en -m bleu --curve sizes --plot curve.html
      how much longer lists could help
"""

ALSO: Final = ("bleu", "bleu-sbp", "grr", "wrr", "ter")
"""What the oracles are also scored by."""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium oracle STRUCTURES REF … [-m METRIC] [flags]"
    parser.epilog = f"{FORMAT_HELP}\n{EXPLANATION}"
    parser.add_argument(
        "files",
        metavar="STRUCTURES REF",
        nargs="+",
        help="n-best lists, lattices or forests, and references for each segment; - is stdin",
    )
    configure_references(parser.add_argument, what="all files before are structures then")
    configure_weights(parser.add_argument, default="those of the files")
    configure_formats(parser, limited=True)
    _configure_search(parser)
    _configure_output(parser)


def _configure_search(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is looked for").add_argument
    configure_metric(add, "grr", what="what is maximized")
    configure_language(add)
    add(
        "--also",
        metavar="METRIC",
        nargs="+",
        default=list(ALSO),
        help=f"scores of the outcome beside it (default: {' '.join(ALSO)})",
    )
    add("--k-best", metavar="N", type=whole_number(1), default=1, help="oracles a segment")
    add(
        "--band",
        metavar="N",
        type=whole_number(0),
        help="forests: n words pass n ± N reference words (approximate)",
    )
    add(
        "--beam",
        metavar="N",
        type=whole_number(1),
        help="forests: states that a node leads to from each state (approximate)",
    )
    add(
        "--exact",
        action="store_true",
        help="bleu, bleu-sbp: the exact oracle of lists and lattices that are small enough, else a "
        "bound",
    )
    add(
        "--curve",
        choices=("sizes", "margins"),
        help="oracle scores against the size of n-best lists, or the distance from the best score",
    )
    points = add(
        "--curve-points",
        dest="points",
        metavar="X",
        nargs="+",
        type=float,
        default=[],
        help="sizes or margins of the curve (default: doubling until everything is kept)",
    )
    configure_former(add, "--points", points)


def _configure_output(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is shown").add_argument
    configure_shown(add, FORMS, width=2, quiet=True)
    configure_missing(add)
    add("--plot", metavar="FILE", help="draw the curve: .html, .svg, .png or .pdf")


def run(arguments: Namespace) -> int:
    """Search, and print only when everything has been found."""
    check_output(arguments.output)
    check_output(arguments.plot)
    _check(arguments)

    from tertium.cli.shell.progress import progress_bar
    from tertium.decode.oracle.curves import oracle_curve
    from tertium.decode.oracle.oracles import corpus_oracle
    from tertium.decode.weights import check_names

    files, reference_files = arguments.files, arguments.references
    if not reference_files:
        files, reference_files = files[:1], files[1:]
    references = found_references(reference_files)
    structures = found_structures(arguments, files)
    _check_pruning(arguments, structures.first)
    setting, also = _setting(arguments, of_words=structures.of_words)
    if references is not None:
        structures.check_first(len(references), reference_files[0])
    curve = result = None
    with progress_bar(lambda: None, quiet=arguments.quiet) as step:
        if arguments.curve:
            curve = oracle_curve(
                structures,
                references,
                setting,
                also,
                kind=arguments.curve,
                points=arguments.points,
                step=step,
            )
        else:
            result = corpus_oracle(structures, references, setting, also, step=step)
    if isinstance(setting.weights, Mapping):
        check_names(setting.weights, structures.feature_names, arguments.weights)
    if references is not None:
        structures.check(len(references), reference_files[0])
    tell_damages(structures.damages.messages)
    if curve is not None:
        _draw(curve, arguments.plot)
        show(curve, arguments, CURVE_FORMS)
    if result is not None:
        tell_missing((one.segment for one in result.segments), result.in_all)
        show(result, arguments, FORMS)
    return 0


def _check(arguments: Namespace) -> None:
    """Refuse flags that contradict each other before anything is read."""
    check_missing(arguments)
    for flag, value in (("--curve-points", arguments.points), ("--plot", arguments.plot)):
        if value and not arguments.curve:
            raise OptionError(f"{flag}: found no --curve, expected --curve sizes or margins")
    if arguments.curve and arguments.format == "lines":
        raise OptionError("--curve: found -f lines, expected text or json")
    if arguments.curve and arguments.k_best > 1:
        raise OptionError(f"--curve: found --k-best {arguments.k_best}, expected 1")


def _check_pruning(arguments: Namespace, first: "Structure") -> None:
    """Refuse flags that would do nothing."""
    from tertium.decode.structures.forest import Forest

    for flag in ("band", "beam"):
        if getattr(arguments, flag) is not None and not isinstance(first, Forest):
            kind = "lattices" if hasattr(first, "nodes") else "n-best lists"
            raise OptionError(f"--{flag}: found {kind}, expected forests for it")


def _setting(arguments: Namespace, *, of_words: bool) -> "tuple[OracleSetting, list[Metric]]":
    """What to maximise and what to score by; lattices and forests are made of words already."""
    from tertium.cli.flags.chosen_metrics import language_tokenizer
    from tertium.decode.oracle.candidates import OracleSetting
    from tertium.decode.weights import read_weights, word_metric

    metric, *also = (
        word_metric(text, of_words=of_words, tokenizer=language_tokenizer(arguments))
        for text in (arguments.metric, *arguments.also)
    )
    for one in (metric, *also):
        if one.needs_sources:
            raise OptionError(
                f"{one.title}: found a metric that reads sources, expected one of references "
                "alone, as 'tertium oracle' knows no sources ('tertium rerank' does)"
            )
    setting = OracleSetting(
        metric=metric,
        count=arguments.k_best,
        weights=read_weights(arguments.weights) if arguments.weights else None,
        band=arguments.band,
        beam=arguments.beam,
        exact=arguments.exact,
    )
    return setting, also


def _draw(curve: "OracleCurve", path: str | None) -> None:
    if path is not None:
        from tertium.report.decoding.oracle import curve_figure
        from tertium.report.plots.files import write_figure

        write_figure(curve_figure(curve), path)


def _text(result: "Oracles", arguments: Namespace) -> "Iterable[str]":
    from tertium.report.decoding.oracle import oracle_view

    return on_screen(arguments, oracle_view(result, decimals=arguments.width))


def _curve_text(curve: "OracleCurve", arguments: Namespace) -> "Iterable[str]":
    from tertium.report.decoding.oracle import curve_view

    return on_screen(arguments, curve_view(curve, decimals=arguments.width))


FORMS: Final[Forms["Oracles"]] = {"text": _text, "lines": as_lines, "json": as_json}
CURVE_FORMS: Final[Forms["OracleCurve"]] = {"text": _curve_text, "json": as_json}
