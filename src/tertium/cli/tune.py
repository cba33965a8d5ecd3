"""``tertium tune``: weights under which a metric scores a decoder's output best."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tertium.cli.flags.common import (
    configure_also,
    configure_documents,
    configure_former,
    configure_metrics,
    configure_seed,
    configure_shown,
    configure_source,
    configure_text,
    configure_weights,
)
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    configure_formats,
    format_options,
    found_file,
    found_sources,
    tell_damages,
    tell_missing,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar
from tertium.cli.shell.result import Forms, as_json, on_screen, show
from tertium.errors import InputError, OptionError
from tertium.plurals import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tertium.metrics.contract.base import Metric
    from tertium.tune import (
        LabelledTuning,
        LoopReport,
        Material,
        SearchOptions,
        TrainingOptions,
        TuningReport,
    )
    from tertium.tune.surfaces import Surface

    Tuning: TypeAlias = TuningReport | LabelledTuning | LoopReport


ITERATIONS: Final = 15
"""How often a decoder runs at most."""

EXAMPLES: Final = """\
examples:
  tertium tune reference.en -i run1.nbest.gz run2.nbest.gz --weights weights.txt
      merge the lists of two runs and tune for BLEU
  tertium tune reference.en -i dev.nbest -m bleu bleu-sbp --also ter grr --hold-out 2
      for each of two metrics; every second segment is held out
  tertium tune reference.en -i lattices/*.fst.gz --boundary 1 2 --costs --weights p.txt -f moses
      on lattices; print nothing but the weights
  tertium tune reference.en -i dev.nbest --algorithm mira --hold-out 2
      train many sparse features
  tertium tune reference.en -i dev.nbest --documents documents.tsv --for-each genre
      tune on each genre and on all, and score each result on each
  tertium tune --moses-statistics FEATSTAT.txt SCORESTAT.txt --weights weights.txt
      on what Moses' extractor wrote
  tertium tune reference.en --decoder './decode.sh {weights} {nbest}' --weights w.txt --state run
      run the decoder, tune, and again; after a kill the same line goes on where it was
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium tune REF … -i LIST … [-m METRIC …] [--weights FILE] [flags]"
    parser.epilog = FORMAT_HELP + "\n" + EXAMPLES
    _configure_input(parser)
    _configure_metrics(parser)
    _configure_search(parser)
    _configure_decoder(parser)
    configure_formats(parser)
    configure_shown(
        parser.add_argument_group("what is shown").add_argument,
        FORMS,
        width=2,
        purposes={"moses": "weights for Moses"},
    )


def _configure_input(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is tuned on").add_argument
    add(
        "references",
        metavar="REF",
        nargs="*",
        help="reference file, in any format; it comes before all flags",
    )
    add(
        "-i",
        "--input",
        metavar="LIST",
        nargs="+",
        default=[],
        help="n-best lists of one run or several; or lattices or forests, one for each segment",
    )
    statistics = add(
        "--moses-statistics",
        dest="statistics",
        metavar="FILE",
        nargs=2,
        help="instead: Moses' features and its BLEU statistics, FEATSTAT SCORESTAT",
    )
    configure_former(add, "--statistics", statistics)
    configure_source(add)
    configure_weights(add, default="those of the input, else 1; what tuning begins with")
    add(
        "--costs",
        action="store_true",
        help="features are costs, and weights are for them: the lowest sum is best",
    )
    add(
        "--hold-out",
        metavar="N",
        type=whole_number(2),
        help="do not tune on every N-th segment, but report its scores",
    )
    configure_documents(add, use="to tune on each genre and on all")
    by = add(
        "--for-each",
        dest="by",
        choices=("genre", "document"),
        help="with --documents: tune on each genre or each document (default: genre)",
    )
    configure_former(add, "--by", by)
    add(
        "--held-out-references",
        metavar="REF",
        nargs="+",
        default=[],
        help="references of other segments, to test the result on",
    )
    add("--held-out-input", metavar="LIST", nargs="+", default=[], help="lists of those segments")
    add(
        "--held-out-source",
        metavar="FILE",
        help="sources of those segments (default: those of the lists)",
    )


def _configure_metrics(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is tuned for").add_argument
    configure_metrics(add, ("bleu",), what="each by itself, side by side")
    configure_also(add, (), former=["--report"])
    configure_text(add, tokenizer="none: decoders write tokens")


def _configure_search(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("how it is searched").add_argument
    add(
        "--algorithm",
        choices=("mert", "mira", "perceptron", "pro"),
        default="mert",
        help="line searches for some dozens of features (mert), or training by updates, for "
        "thousands too (default: mert)",
    )
    add(
        "--restarts",
        metavar="N",
        type=whole_number(0),
        help="mert: searches from other random weights (default: 20)",
    )
    add(
        "--directions",
        metavar="N",
        type=whole_number(0),
        help="mert: random directions a round, beside each single weight (default: as many as "
        "features)",
    )
    add(
        "--patience",
        metavar="N",
        type=whole_number(1),
        help="mert: rounds without a gain before a search ends (default: 5)",
    )
    add(
        "--epochs",
        metavar="N",
        type=whole_number(1),
        help="mira, perceptron, pro: passes over the segments; the best one counts (default: 20)",
    )
    add(
        "--step",
        metavar="C",
        type=float,
        help="mira: the longest step; a smaller one changes weights less (default: 0.01)",
    )
    add(
        "--l2",
        metavar="X",
        type=float,
        help="pro: what the squares of the weights cost (default: 0.01)",
    )
    add(
        "--pairs",
        metavar="N",
        type=whole_number(1),
        help="pro: pairs drawn for each segment, of which the 50 that differ most count "
        "(default: 5000)",
    )
    add(
        "--paths",
        metavar="N",
        type=whole_number(1),
        help="mira, perceptron, pro: best paths of a lattice or forest to choose from, "
        "beside its best by WRR or GRR (default: 50)",
    )
    add(
        "--no-average",
        action="store_true",
        help="mira, perceptron: take the last weights of an epoch, not the mean of all",
    )
    add("--fixed", metavar="FEATURE", nargs="+", default=[], help="keep these weights")
    configure_seed(add)


def _configure_decoder(parser: ArgumentParser) -> None:
    add = parser.add_argument_group(
        "with the decoder in the loop",
        "{weights}, {weights_json}, {nbest} and {iteration} in the command stand for files and "
        "a number.",
    ).add_argument
    add("--decoder", metavar="COMMAND", help="reads {weights}, writes n-best lists to {nbest}")
    add("--shell", action="store_true", help="let a shell run the command")
    add(
        "--decoder-timeout",
        metavar="SECONDS",
        type=float,
        help="end a run that takes longer, and the tuning with it (default: wait)",
    )
    add(
        "--state",
        metavar="FOLDER",
        help="folder that keeps everything; the same command goes on from there",
    )
    add(
        "--iterations",
        metavar="N",
        type=whole_number(1),
        help=f"most rounds of decoding and tuning (default: {ITERATIONS})",
    )


def run(arguments: Namespace) -> int:
    """Tune, and print only when everything has been done."""
    check_output(arguments.output)
    _check(arguments)
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.decode.weights import OF_WORDS

    options = search_options(arguments)
    metrics = chosen_metrics(
        [*arguments.metrics, *(arguments.also or ())], text_flags(arguments), defaults=OF_WORDS
    )
    report: Tuning
    if arguments.decoder is None:
        report = _tuned(arguments, metrics, options)
    else:
        report = _looped(arguments, metrics[0], options)
    show(report, arguments, FORMS)
    return 0


def _check(arguments: Namespace) -> None:
    """Complain about flags that do not go together before anything is read."""
    several = len(arguments.metrics) > 1
    ways = {
        "-i": bool(arguments.input),
        "--moses-statistics": arguments.statistics is not None,
        "--decoder": arguments.decoder is not None,
    }
    given = [name for name, is_given in ways.items() if is_given]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise OptionError(f"input: found {found}, expected one of {', '.join(ways)}")
    if arguments.format == "moses" and several:
        raise OptionError(
            f"-f moses: found {counted(len(arguments.metrics), 'metric')}, expected one to print "
            "weights of"
        )
    for flag, needed in (
        ("--hold-out", "-i"),
        ("--held-out-input", "-i"),
        ("--costs", "-i"),
        ("--documents", "-i"),
        ("--skip-bad", "-i"),
        ("--shell", "--decoder"),
        ("--state", "--decoder"),
        ("--iterations", "--decoder"),
        ("--decoder-timeout", "--decoder"),
    ):
        value = getattr(arguments, flag.removeprefix("--").replace("-", "_"))
        if value and not ways[needed]:
            raise OptionError(f"{flag}: found it with {given[0]}, expected it with {needed}")
    if bool(arguments.held_out_references) != bool(arguments.held_out_input):
        raise OptionError("held-out: expected both --held-out-references and --held-out-input")
    if arguments.held_out_source and not arguments.held_out_input:
        raise OptionError("--held-out-source: found it alone, expected it with --held-out-input")
    if arguments.hold_out and arguments.held_out_input:
        raise OptionError("held-out: found --hold-out and --held-out-input, expected one")
    _check_documents(arguments)
    if arguments.statistics and arguments.references:
        raise OptionError(
            f"--moses-statistics: found reference {arguments.references[0]}, expected none"
        )
    if ways["--decoder"]:
        _check_decoder(arguments, several=several)


def _check_documents(arguments: Namespace) -> None:
    if arguments.by and not arguments.documents:
        raise OptionError("--for-each: found it without --documents, expected both")
    if arguments.documents and (arguments.held_out_input or arguments.format == "moses"):
        other = "--held-out-input" if arguments.held_out_input else "-f moses"
        raise OptionError(f"--documents: found it with {other}, expected --hold-out, text or json")


def _check_decoder(arguments: Namespace, *, several: bool) -> None:
    for flag in ("references", "weights", "state"):
        if not getattr(arguments, flag):
            name = "REF" if flag == "references" else f"--{flag}"
            raise OptionError(f"--decoder: found no {name}, expected it beside the command")
    if several or arguments.also:
        raise OptionError("--decoder: found several metrics, expected one to tune for")


def _tuned(
    arguments: Namespace,
    metrics: "list[Metric]",
    options: "SearchOptions | TrainingOptions",
) -> "TuningReport | LabelledTuning":
    from tertium.decode.formats.numbered_lines import Damages
    from tertium.decode.weights import check_names, read_weights
    from tertium.tune import read_material, read_statistics, tune

    start = None if arguments.weights is None else read_weights(arguments.weights)
    damages = Damages(skip=arguments.skip_bad)
    reading: dict[str, Any] = {
        "costs": arguments.costs,
        "format": arguments.from_format,
        "options": format_options(arguments),
        "damages": damages,
    }
    held_out, materials = None, []
    if arguments.statistics is not None:
        dev: Surface = read_statistics(*arguments.statistics)
        known: Mapping[str, float] = dict.fromkeys(dev.feature_names, 1.0)
    else:
        files = [found_file(path) for path in arguments.input]
        material = read_material(
            files,
            arguments.references,
            source=arguments.source,
            hold_out=arguments.hold_out,
            **reading,
        )
        dev, held_out, known = material.dev, material.held_out, material.weights
        materials.append(material)
    if arguments.held_out_input:
        files = [found_file(path) for path in arguments.held_out_input]
        apart = read_material(
            files, arguments.held_out_references, source=arguments.held_out_source, **reading
        )
        held_out = apart.dev
        materials.append(apart)
    if start is not None and any(name in start for name in dev.feature_names):
        check_names(start, dev.feature_names, arguments.weights)
    tell_damages(damages.messages)
    for one in materials:
        tell_missing((*one.dev_segments, *one.held_out_segments), one.segments)
    count = len(arguments.metrics)
    if arguments.documents:
        return _by_label(arguments, metrics, options, material, known if start is None else start)
    with progress_bar(lambda: count * steps_of(options)) as advance:
        return tune(
            dev,
            metrics[:count],
            known if start is None else start,
            held_out=held_out,
            also=metrics[count:],
            options=options,
            advance=advance,
        )


def _by_label(
    arguments: Namespace,
    metrics: "list[Metric]",
    options: "SearchOptions | TrainingOptions",
    material: "Material",
    start: "Mapping[str, float]",
) -> "LabelledTuning":
    from tertium.text.documents import labels_of
    from tertium.tune import tune_by_label

    by = arguments.by or "genre"
    labels = labels_of(found_file(arguments.documents), by)
    if len(labels) != material.segments:
        found = f"found {counted(len(labels), 'segment')}, expected {material.segments}"
        raise InputError(f"{arguments.documents}: {found} (references)")
    count = len(arguments.metrics)
    with progress_bar(lambda: count * steps_of(options) * (1 + len(set(labels)))) as advance:
        return tune_by_label(
            material.dev,
            [labels[number] for number in material.dev_segments],
            metrics[:count],
            start,
            by=by,
            held_out=material.held_out,
            held_out_labels=[labels[number] for number in material.held_out_segments],
            also=metrics[count:],
            options=options,
            advance=advance,
        )


def _looped(
    arguments: Namespace, metric: "Metric", options: "SearchOptions | TrainingOptions"
) -> "LoopReport":
    from functools import partial
    from pathlib import Path

    from tertium.decode.formats.segments import read_nbest
    from tertium.decode.weights import read_weights
    from tertium.tune import Decoder, read_references, tune_decoder

    references = read_references(arguments.references)
    return tune_decoder(
        Decoder(
            template=arguments.decoder, shell=arguments.shell, timeout=arguments.decoder_timeout
        ),
        references,
        metric,
        read_weights(arguments.weights),
        state=Path(arguments.state),
        read=partial(read_nbest, format=arguments.from_format, options=format_options(arguments)),
        iterations=arguments.iterations or ITERATIONS,
        options=options,
        sources=found_sources(arguments.source, len(references)),
        tell=lambda line: print(f"tertium tune: {line}", file=sys.stderr, flush=True),
    )


# ---- how weights are looked for -------------------------------------------------------------

_FIELDS: Final = {
    "restarts": ("restarts", ("mert",)),
    "directions": ("random_directions", ("mert",)),
    "patience": ("patience", ("mert",)),
    "epochs": ("epochs", ("mira", "perceptron", "pro")),
    "paths": ("paths", ("mira", "perceptron", "pro")),
    "step": ("step", ("mira",)),
    "l2": ("l2", ("pro",)),
    "pairs": ("pairs", ("pro",)),
    "no_average": ("average", ("mira", "perceptron")),
}
"""Flag → the field that it sets, and the algorithms that have it."""


def search_options(arguments: Namespace) -> "SearchOptions | TrainingOptions":
    """The options of the algorithm that was chosen; an error for flags of another one."""
    given = {}
    for flag, (field, algorithms) in _FIELDS.items():
        value = getattr(arguments, flag)
        if value is None or value is False:
            continue
        if arguments.algorithm not in algorithms:
            name = flag.replace("_", "-")
            expected = " or ".join(algorithms)
            raise OptionError(
                f"--{name}: found it with --algorithm {arguments.algorithm}, expected {expected}"
            )
        given[field] = not value if flag == "no_average" else value
    from tertium.tune import SearchOptions, TrainingOptions

    if arguments.algorithm == "mert":
        return SearchOptions(seed=arguments.seed, fixed=tuple(arguments.fixed), **given)
    return TrainingOptions(
        algorithm=arguments.algorithm, seed=arguments.seed, fixed=tuple(arguments.fixed), **given
    )


def steps_of(options: "SearchOptions | TrainingOptions") -> int:
    """How far a progress bar has to go for one metric."""
    from tertium.tune import SearchOptions

    return 1 + options.restarts if isinstance(options, SearchOptions) else options.epochs


# ---- forms ----------------------------------------------------------------------------------


def _text(report: "Tuning", arguments: Namespace) -> "Iterable[str]":
    from tertium.report.decoding.tune import labelled_view, loop_view, tuning_view
    from tertium.tune import LabelledTuning, LoopReport

    decimals = arguments.width
    if isinstance(report, LabelledTuning):
        return on_screen(arguments, labelled_view(report, decimals=decimals))
    if isinstance(report, LoopReport):
        return on_screen(arguments, loop_view(report, decimals=decimals))
    return on_screen(arguments, tuning_view(report, decimals=decimals))


def _moses(report: "Tuning", _: Namespace) -> "Iterable[str]":
    from tertium.tune import LabelledTuning, LoopReport, moses_text

    if isinstance(report, LabelledTuning):
        raise OptionError("-f moses: found weights of several genres, expected text or json")
    weights = report.weights if isinstance(report, LoopReport) else report.tuned[0].weights
    return [moses_text(weights)]


FORMS: Final[Forms["Tuning"]] = {"text": _text, "json": as_json, "moses": _moses}
