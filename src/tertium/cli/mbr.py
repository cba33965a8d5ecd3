"""``tertium mbr``: the text that is most like all that is probable."""

import sys
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.formats import (
    FORMAT_HELP,
    configure_formats,
    configure_missing,
    format_options,
    found_file,
    missing_text,
    tell_damages,
    tell_missing,
)
from tertium.cli.flags.mbr import (
    FORMULA_FLAGS,
    LINEAR_BLEU,
    SEARCH_FLAGS,
    check_flags,
    check_matrix_flags,
    configure_choice,
    configure_space,
    given,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.shell.output import check_output, write_output
from tertium.errors import InputError, OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tertium.decode.mbr.decision import MbrSetting
    from tertium.decode.mbr.matrix_files import SavedMatrices
    from tertium.decode.mbr.outcomes import MbrOutcome
    from tertium.decode.structures.nbest import NBest
    from tertium.metrics.contract.base import Metric

METRICS: Final = ("bleu", "chrf", "ter")
"""What the outcome is also scored by, if there are references."""

EXPLANATION: Final = """\
The candidate with the best expected utility is chosen, every probable text being a reference as
far as it is probable. INPUT may have n-best lists or samples (moses, marian, travatar, JSONL,
flat text), lattices (plf, openfst) or forests (hypergraph); its format is found by its look.

n-best lists are searched exactly, with any metric as the utility. For lattices and forests a
metric sees candidates and evidence that were ranked or sampled, and the result says so;
'linear-bleu' searches all paths of a lattice with exact n-gram posteriors.

examples:
  tertium mbr samples.jsonl --utility chrf -f lines > chosen.en
      sampled translations with log-probabilities; one line for each segment
  tertium mbr samples.txt --lines 128 --utility bleu -r reference.en
      128 equally probable lines for each segment; other metrics judge the outcome
  tertium mbr dev.nbest --utility grr --scale 0.5 --weights weights.txt -f json
      an n-best list under other weights, flattened
  tertium mbr samples.jsonl --utility ter --save-matrix utilities.npz
  tertium mbr samples.jsonl --utility ter --load-matrix utilities.npz --scale 0.3
      utilities are computed once
  tertium mbr lattices/*.fst --utility linear-bleu --precision 0.741 --ratio 0.62 --margin 5
      lattice minimum Bayes risk (Tromble et al. 2008)
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium mbr INPUT … [--utility METRIC] [flags]"
    parser.epilog = f"{FORMAT_HELP}\n{EXPLANATION}"
    _configure_input(parser)
    configure_choice(parser)
    configure_space(parser)
    shown = parser.add_argument_group("what is shown")
    add = shown.add_argument
    add("-r", "--references", metavar="REF", nargs="+", default=[], help="to score the outcome")
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        help=f"scores of the outcome beside the utility (default: {' '.join(METRICS)})",
    )
    add(
        "-f",
        "--format",
        choices=("text", "lines", "json"),
        default="text",
        help="for people, the chosen texts alone, or for programs (default: text)",
    )
    configure_missing(add)
    add("-w", "--width", metavar="N", type=whole_number(0), default=2, help="decimals (default: 2)")
    add("-q", "--quiet", action="store_true", help="no progress")
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")


def _configure_input(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is chosen from").add_argument
    add("input", metavar="INPUT", nargs="+", help="n-best lists, lattices or forests; - is stdin")
    add("--candidates", metavar="FILE", help="choose among these; INPUT is the evidence only")
    add("--weights", metavar="FILE", help="weights of the features (default: the file's scores)")
    configure_formats(parser)


def run(arguments: Namespace) -> int:
    """Choose, and print only when everything has been done."""
    check_output(arguments.output)
    check_output(arguments.save_matrix)
    check_matrix_flags(arguments)
    missing = missing_text(arguments)

    from tertium.cli.shell.progress import progress_bar
    from tertium.decode.formats.numbered_lines import Damages
    from tertium.decode.formats.segments import Segments
    from tertium.decode.mbr.decision import Decider
    from tertium.decode.mbr.matrix_files import MatrixWriter, SavedMatrices
    from tertium.decode.mbr.outcomes import mbr_corpus
    from tertium.decode.weights import check_names, read_weights
    from tertium.text.reference_files import read_references

    damages = Damages(skip=arguments.skip_bad)
    structures = Segments(
        [found_file(path) for path in arguments.input],
        format=arguments.from_format,
        options=format_options(arguments),
        damages=damages,
    )
    check_flags(arguments, structures.first)
    saved = SavedMatrices(arguments.load_matrix) if arguments.load_matrix else None
    setting, metrics = _setting(arguments, saved, of_words=structures.of_words)
    weights = read_weights(arguments.weights) if arguments.weights else None
    references = read_references(arguments.references) if arguments.references else None
    with ExitStack() as stack:
        step = stack.enter_context(progress_bar(lambda: None, quiet=arguments.quiet))
        keep = None
        if arguments.save_matrix:
            kind = arguments.matrix_type or "float64"
            keep = stack.enter_context(MatrixWriter(arguments.save_matrix, type=kind)).add
        outcome = mbr_corpus(
            structures,
            Decider(
                setting=setting,
                weights=weights,
                saved=saved,
                keep=keep,
                detailed=arguments.format == "json",
            ),
            candidates=_candidates(arguments),
            references=references,
            metrics=metrics,
            step=step,
        )
    if weights is not None:
        check_names(weights, structures.feature_names, arguments.weights)
    if arguments.metrics is not None and not outcome.scores:
        raise OptionError("-m: found no references of all segments, expected -r REF")
    # Lattices and forests have no numbers: if some were not written, nobody can tell which.
    if references is not None and structures.of_words and structures.count != len(references):
        raise InputError(
            f"{arguments.input[0]}: {structures.count} segments, "
            f"expected {len(references)} (reference {arguments.references[0]})"
        )
    segments = max(structures.count, len(references or ()))
    tell_damages(damages.messages)
    tell_missing((one.segment for one in outcome.decisions), segments)
    write_output(_shown(arguments, outcome, segments, missing), arguments.output)
    return 0


def _shown(
    arguments: Namespace, outcome: "MbrOutcome", segments: int, missing: str
) -> "Iterator[str]":
    if arguments.format == "json":
        from tertium.report.json_text import json_text

        return iter([json_text(outcome.to_dict())])
    if arguments.format == "lines":
        from tertium.decode.formats.segments import lines_of

        return lines_of({one.segment: one.text for one in outcome.decisions}, segments, missing)
    from tertium.report.console import console_text
    from tertium.report.decoding.mbr import mbr_view

    screen = None if arguments.output else sys.stdout
    return iter([console_text(mbr_view(outcome, decimals=arguments.width), screen)])


def _candidates(arguments: Namespace) -> "Iterator[NBest] | None":
    if not arguments.candidates:
        return None
    from tertium.decode.formats.input import read_nbest

    return read_nbest(
        found_file(arguments.candidates),
        format=arguments.from_format,
        options=format_options(arguments),
    )


def _setting(
    arguments: Namespace, saved: "SavedMatrices | None", *, of_words: bool
) -> "tuple[MbrSetting, list[Metric]]":
    """How to choose and what to score by; lattices and forests are made of words already."""
    from tertium.cli.flags.chosen_metrics import chosen_metrics
    from tertium.decode.mbr.decision import MbrSetting
    from tertium.decode.mbr.linear_bleu import LinearBleu
    from tertium.decode.mbr.spaces import SpaceSearch
    from tertium.decode.word_metrics import OF_WORDS

    utility = _utility(arguments, saved, of_words=of_words)
    specs = METRICS if arguments.metrics is None else arguments.metrics
    metrics = chosen_metrics(specs, defaults=OF_WORDS if of_words else None)
    if utility is not None and utility.spec not in [metric.spec for metric in metrics]:
        metrics.insert(0, utility)
    scale = 1.0 if arguments.scale is None else arguments.scale
    setting = MbrSetting(
        utility=utility,
        scale=scale,
        prune=arguments.prune,
        approximate=arguments.approximate,
        search=SpaceSearch(scale=scale, **given(arguments, SEARCH_FLAGS)),
        all_paths=arguments.all_paths,
        formula=LinearBleu(**given(arguments, FORMULA_FLAGS)),
        margin=arguments.margin,
    )
    return setting, metrics


def _utility(
    arguments: Namespace, saved: "SavedMatrices | None", *, of_words: bool
) -> "Metric | None":
    """The metric to choose by; none for linear BLEU, and for utilities that are none of ours."""
    from tertium.decode.word_metrics import word_metric

    if arguments.utility == LINEAR_BLEU:
        return None
    if saved is None:
        return word_metric(arguments.utility or "bleu", of_words=of_words)
    return saved.metric(arguments.utility and word_metric(arguments.utility, of_words=of_words))
