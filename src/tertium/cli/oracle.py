"""``tertium oracle``: the best that n-best lists, lattices and forests hold."""

import sys
from argparse import ArgumentParser, Namespace
from itertools import chain
from typing import TYPE_CHECKING, Final, TextIO

from tertium.cli.format_flags import (
    FORMAT_HELP,
    configure_formats,
    format_options,
    found_file,
    tell_damages,
)
from tertium.cli.output import check_output, write_output
from tertium.cli.values import whole_number
from tertium.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tertium.decode.formats.lines import Damages
    from tertium.decode.formats.table import Structure
    from tertium.decode.oracle_search import OracleSetting
    from tertium.metrics.base import Metric

EXPLANATION: Final = """\
The best hypothesis of each segment by the metric, among all that the structures hold. Exact for
grr, wrr and wer, on lists, lattices and forests alike, and then it is the best corpus too: the
denominator of these rates depends on the references alone. Other metrics are climbed to, one
segment at a time, and the result says 'approximate'.

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
    parser.add_argument(
        "-r",
        "--references",
        metavar="REF",
        nargs="+",
        default=[],
        help="references; all files before are structures then",
    )
    parser.add_argument("--weights", metavar="FILE", help="weights of the model's features")
    configure_formats(parser)
    _configure_search(parser)
    _configure_output(parser)


def _configure_search(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is looked for").add_argument
    add("-m", "--metric", metavar="METRIC", default="grr", help="what is maximised (default: grr)")
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
        "--curve",
        choices=("sizes", "margins"),
        help="oracle scores against the size of n-best lists, or the distance from the best score",
    )
    add(
        "--points",
        metavar="X",
        nargs="+",
        type=float,
        default=[],
        help="sizes or margins of the curve (default: doubling until everything is kept)",
    )


def _configure_output(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is shown").add_argument
    add(
        "-f",
        "--format",
        choices=("text", "lines", "json"),
        default="text",
        help="for people, the oracles alone, or for programs (default: text)",
    )
    add("-w", "--width", metavar="N", type=whole_number(0), default=2, help="decimals (default: 2)")
    add("--plot", metavar="FILE", help="draw the curve: .html, .svg, .png or .pdf")
    add("-q", "--quiet", action="store_true", help="no progress")
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")


def run(arguments: Namespace) -> int:
    """Search, and print only when everything has been found."""
    check_output(arguments.output)
    check_output(arguments.plot)
    _check(arguments)

    from tertium.cli.mbr import read_references
    from tertium.cli.progress import progress_bar
    from tertium.decode.formats.lines import Damages

    files, reference_files = arguments.files, arguments.references
    if not reference_files:
        files, reference_files = files[:1], files[1:]
    references = read_references(reference_files)
    damages = Damages(skip=arguments.skip_bad)
    structures = _Structures(arguments, files, damages)
    setting, also = _setting(arguments, of_words=structures.of_words)
    find = _curve if arguments.curve else _oracles
    with progress_bar(lambda: None, quiet=arguments.quiet) as step:
        shown = find(arguments, structures, references, setting, also, step)
    # A list of which every line was damaged is gone; nobody can tell it from one never written.
    excused = damages.count > 0 and not structures.of_words
    if references is not None and structures.segments != len(references) and not excused:
        raise InputError(
            f"{files[0]}: {structures.segments} segments, "
            f"expected {len(references)} (reference {reference_files[0]})"
        )
    tell_damages(damages.count, damages.first)
    write_output(shown, arguments.output)
    return 0


def _check(arguments: Namespace) -> None:
    """Refuse flags that contradict each other before anything is read."""
    for flag in ("points", "plot"):
        if getattr(arguments, flag) and not arguments.curve:
            raise OptionError(f"--{flag}: found no --curve, expected --curve sizes or margins")
    if arguments.curve and arguments.format == "lines":
        raise OptionError("--curve: found -f lines, expected text or json")
    if arguments.curve and arguments.k_best > 1:
        raise OptionError(f"--curve: found --k-best {arguments.k_best}, expected 1")


class _Structures:
    """The structures of files with the numbers of their segments; what is skipped counts."""

    def __init__(self, arguments: Namespace, files: list[str], damages: "Damages") -> None:
        from tertium.decode.nbest import NBest

        self.damages = damages
        self.rest = self._read(arguments, files)
        self.first = next(self.rest, None)
        if self.first is None:
            raise InputError(f"{files[0]}: found nothing to choose from, expected something")
        self.of_words = not isinstance(self.first[1], NBest)
        self.segments = 0

    def _read(self, arguments: Namespace, files: list[str]) -> "Iterator[tuple[int, Structure]]":
        from tertium.decode.reading import read

        options, place = format_options(arguments), 0
        for path in files:
            for one in read(
                found_file(path),
                format=arguments.from_format,
                options=options,
                damages=self.damages,
            ):
                # Lattices and forests have no numbers; one that was skipped had one too.
                yield place + self.damages.count, one
                place += 1

    def __iter__(self) -> "Iterator[tuple[int, Structure]]":
        for one in chain([self.first], self.rest):
            if one is not None:
                self.segments += 1
                yield one
        if self.of_words:
            self.segments += self.damages.count


def _setting(arguments: Namespace, *, of_words: bool) -> "tuple[OracleSetting, list[Metric]]":
    """What to maximise and what to score by; lattices and forests are made of words already."""
    from tertium.decode.oracle_finding import word_metric
    from tertium.decode.oracle_search import OracleSetting
    from tertium.decode.weights import read_weights

    setting = OracleSetting(
        metric=word_metric(arguments.metric, of_words=of_words),
        count=arguments.k_best,
        weights=read_weights(arguments.weights) if arguments.weights else None,
        band=arguments.band,
        beam=arguments.beam,
    )
    return setting, [word_metric(one, of_words=of_words) for one in arguments.also]


def _oracles(  # noqa: PLR0917 (the same as `_curve`)
    arguments: Namespace,
    structures: _Structures,
    references: "list[tuple[str, ...]] | None",
    setting: "OracleSetting",
    also: "list[Metric]",
    step: "Callable[[int], None]",
) -> "Iterable[str]":
    from tertium.decode.oracle_finding import corpus_oracle

    result = corpus_oracle(structures, references, setting, also, step=step)
    if arguments.format == "json":
        from tertium.report.lines import json_text

        return [json_text(result.to_dict())]
    from tertium.report.oracle import oracle_lines, oracle_view
    from tertium.report.tables import console_text

    if arguments.format == "lines":
        return oracle_lines(result)
    return [console_text(oracle_view(result, decimals=arguments.width), _screen(arguments))]


def _curve(  # noqa: PLR0917 (the same as `_oracles`)
    arguments: Namespace,
    structures: _Structures,
    references: "list[tuple[str, ...]] | None",
    setting: "OracleSetting",
    also: "list[Metric]",
    step: "Callable[[int], None]",
) -> "Iterable[str]":
    from tertium.decode.oracle_curves import oracle_curve

    result = oracle_curve(
        structures,
        references,
        setting,
        also,
        kind=arguments.curve,
        points=arguments.points,
        step=step,
    )
    if arguments.plot:
        from tertium.report.oracle import curve_figure
        from tertium.report.plots.files import write_figure

        write_figure(curve_figure(result), arguments.plot)
    if arguments.format == "json":
        from tertium.report.lines import json_text

        return [json_text(result.to_dict())]
    from tertium.report.oracle import curve_view
    from tertium.report.tables import console_text

    return [console_text(curve_view(result, decimals=arguments.width), _screen(arguments))]


def _screen(arguments: Namespace) -> TextIO | None:
    return None if arguments.output else sys.stdout
