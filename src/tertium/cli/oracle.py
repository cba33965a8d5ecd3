"""``tertium oracle``: the best that n-best lists, lattices and forests hold.

Of a corpus as a whole in `_search`, or with ``--each`` of one list at a time in `_choose_of_each`.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import (
    configure_also,
    configure_format,
    configure_former,
    configure_metric,
    configure_output,
    configure_quiet,
    configure_references,
    configure_source,
    configure_text,
    configure_weights,
    configure_width,
)
from tertium.cli.flags.engine import check_engine, configure_engine
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    as_lines,
    check_missing,
    configure_formats,
    configure_missing,
    found_references,
    found_sources,
    found_structures,
    tell_damages,
    tell_missing,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.lone_numpy import import_lone_numpy
from tertium.cli.shell.output import check_output, write_output
from tertium.cli.shell.result import Forms, as_json, on_screen, show
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.decode.best_of import Best
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

With --each every candidate of n-best lists is scored alone, as 'tertium score -sl' scores segments,
and the best of each list is taken, of equal ones the first. Lists are read, scored and written as
they come, and all files named are lists: references come by -r, or are in the lists.

examples:
  tertium oracle dev.plf reference.en
      the best paths of lattices by 4-GRR, and what BLEU, TER and others say of them
  tertium oracle dev.nbest reference.0 reference.1 -m wrr --k-best 5 -f json
      five oracles for each list, with features and model scores
  tertium oracle lattices/*.fst -r reference.en -m grr[alpha=-0.9,beta=1] --also bleu -f lines
      the oracles alone, for a decoder's training
  tertium oracle dev.nbest reference.en -m bleu --curve sizes --plot curve.html
      how much longer lists could help
  tertium oracle --each train.nbest -r train.en > best.en
      the candidate of each source with the best chrF, a line for each
  tertium oracle --each samples.jsonl.gz -r train.en -m ter -f tsv
      by TER, with segment, place in the list, number of candidates and score
  tertium oracle --each candidates.txt --lines 8 -r train.en --skip-missing
      eight lines of plain text for each source; those without a reference are left out
  tertium oracle --each samples/ -r references/ --engine dask --resume done -f jsonl -o best.jsonl
      as many files of references as of lists, on all processors; see docs/scale.md
"""

ALSO: Final = ("bleu", "bleu-sbp", "grr", "wrr", "ter")
"""What the oracles are also scored by."""

OF_EACH: Final = ("source", "skip_missing", "tokenize", "lowercase", "engine")
OF_CORPUS: Final = (
    *("weights", "also", "k_best", "band", "beam", "exact", "curve", "points", "plot", "width"),
)
"""What is for one list at a time alone, and what for the corpus as a whole."""


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
    _configure_lists(parser)
    _configure_output(parser)
    configure_engine(parser, skip_bad=False)


def _configure_search(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is looked for").add_argument
    configure_metric(add, "grr; with --each chrf", what="what is maximized", set_default=False)
    configure_text(add, tokenizer="as each metric has it")
    configure_also(add, ALSO)
    add("--k-best", metavar="N", type=whole_number(1), help="oracles a segment (default: 1)")
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
        help="sizes or margins of the curve (default: doubling until everything is kept)",
    )
    configure_former(add, "--points", points)


def _configure_lists(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("n-best lists, each for itself").add_argument
    add("--each", action="store_true", help="the best of each list by its own score, as they come")
    configure_source(add)
    add(
        "--skip-missing",
        action="store_true",
        help="leave out lists without a reference, and say which",
    )


def _configure_output(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is shown").add_argument
    configure_format(
        add,
        FORMS,
        purposes=LIST_PURPOSES,
        set_default=False,
        told="text; with --each lines",
    )
    configure_width(add, None, told="2")
    configure_output(add)
    configure_quiet(add)
    configure_missing(add)
    add("--plot", metavar="FILE", help="draw the curve: .html, .svg, .png or .pdf")


def run(arguments: Namespace) -> int:
    """Search, and print only when everything has been found; or list by list, as they come."""
    check_output(arguments.output)
    check_output(arguments.plot)
    _check(arguments)
    if arguments.each:
        _choose_of_each(arguments)
    else:
        _search(arguments)
    return 0


def _search(arguments: Namespace) -> None:

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
        tell_missing((segment.segment for segment in result.segments), result.in_all)
        show(result, arguments, CORPUS_FORMS)


def _check(arguments: Namespace) -> None:
    """Refuse flags that contradict each other before anything is read; defaults are the mode's."""
    mode, other = ("with", "without") if arguments.each else ("without", "with")
    idle = OF_CORPUS if arguments.each else OF_EACH
    for name in idle:
        if getattr(arguments, name):
            flag = {"points": "--curve-points"}.get(name, f"--{name.replace('_', '-')}")
            raise OptionError(f"{flag}: found {mode} --each, expected {other} it")
    forms: Mapping[str, object] = LIST_FORMS if arguments.each else CORPUS_FORMS
    if arguments.format not in {None, *forms}:
        found = f"found it {mode} --each"
        raise OptionError(f"-f {arguments.format}: {found}, expected {', '.join(forms)}")
    arguments.format = arguments.format or next(iter(forms))
    check_missing(arguments)
    check_engine(arguments)
    arguments.metric = arguments.metric or ("chrf" if arguments.each else "grr")
    if arguments.each:
        return
    arguments.also = arguments.also or list(ALSO)
    arguments.k_best = arguments.k_best or 1
    arguments.width = 2 if arguments.width is None else arguments.width
    arguments.points = arguments.points or []
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


CORPUS_FORMS: Final[Forms["Oracles"]] = {"text": _text, "lines": as_lines, "json": as_json}
CURVE_FORMS: Final[Forms["OracleCurve"]] = {"text": _curve_text, "json": as_json}


# ---- the best of each list ------------------------------------------------------------------


def _choose_of_each(arguments: Namespace) -> None:
    """Choose list by list, and write what was chosen as it comes."""
    import_lone_numpy()

    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.cli.shell.progress import progress_bar
    from tertium.decode.best_of import BestOf

    (metric,) = chosen_metrics([arguments.metric], text_flags(arguments))
    if arguments.engine is not None:
        _choose_by_engine(arguments, metric)
        return
    references = found_references(arguments.references)
    chooser = BestOf(
        metric,
        references,
        sources=found_sources(arguments.source),
        skip_missing=arguments.skip_missing,
    )
    lists = found_structures(arguments, arguments.files)

    def segments() -> int:
        return max(len(references or ()), lists.count)

    def total() -> int | None:
        return None if references is None else len(references)

    with progress_bar(total, quiet=arguments.quiet) as step:
        chosen = chooser.run(lists, step=step)
        shown = LIST_FORMS[arguments.format](chosen, arguments, segments)
        write_output(shown, arguments.output)
    tell_damages(lists.damages.messages)
    _tell_skipped(chooser.missing)


def _choose_by_engine(arguments: Namespace, metric: "Metric") -> None:
    from tertium.cli.lists import chosen_by_engine

    chosen = chosen_by_engine(arguments, metric)
    shown = LIST_FORMS[arguments.format](chosen.best, arguments, lambda: chosen.segments)
    write_output(shown, arguments.output)
    tell_damages(chosen.damages)
    _tell_skipped(list(chosen.missing))


def _tell_skipped(segments: list[int]) -> None:
    if segments:
        import sys

        from tertium.decode.formats.segments import ranges_of
        from tertium.plurals import counted

        which = f"{counted(len(segments), 'list')} without a reference"
        print(f"tertium: left out {which}: {ranges_of(sorted(segments))}", file=sys.stderr)


def _lines(
    best: "Iterable[Best]", arguments: Namespace, segments: Callable[[], int]
) -> Iterator[str]:
    from tertium.decode.formats.segments import aligned_lines

    return aligned_lines(best, segments, arguments.missing or "")


def _tsv(best: "Iterable[Best]", _: Namespace, __: Callable[[], int]) -> Iterator[str]:
    yield "segment\tplace\tcandidates\tscore\ttext\n"
    for choice in best:
        text = " ".join(choice.text.splitlines()).replace("\t", " ")
        yield f"{choice.segment}\t{choice.place}\t{choice.candidates}\t{choice.score!r}\t{text}\n"


def _json_lines(best: "Iterable[Best]", _: Namespace, __: Callable[[], int]) -> Iterator[str]:
    import json

    for choice in best:
        yield json.dumps(choice.to_dict(), ensure_ascii=False) + "\n"


LIST_FORMS: Final = {"lines": _lines, "tsv": _tsv, "jsonl": _json_lines}
FORMS: Final[Mapping[str, object]] = {**CORPUS_FORMS, **LIST_FORMS}
LIST_PURPOSES: Final = {
    "lines": "the texts alone, a line for each segment",
    "tsv": "with scores, for spreadsheets (--each)",
    "jsonl": "with scores, for programs (--each)",
}
