"""``tertium mbr``: the text that is most like all that is probable."""

import sys
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

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
    from collections.abc import Iterator

    from tertium.decode.formats.lines import Damages
    from tertium.decode.mbr_deciding import MbrSetting
    from tertium.metrics.base import Metric

LINEAR_BLEU: Final = "linear-bleu"
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
    _configure_choice(parser)
    _configure_space(parser)
    shown = parser.add_argument_group("what is shown")
    add = shown.add_argument
    add("-r", "--references", metavar="REF", nargs="+", default=[], help="to score the outcome")
    add(
        "-m",
        "--metrics",
        metavar="METRIC",
        nargs="+",
        default=list(METRICS),
        help=f"scores of the outcome beside the utility (default: {' '.join(METRICS)})",
    )
    add(
        "-f",
        "--format",
        choices=("text", "lines", "json"),
        default="text",
        help="for people, the chosen texts alone, or for programs (default: text)",
    )
    add("-w", "--width", metavar="N", type=whole_number(0), default=2, help="decimals (default: 2)")
    add("-q", "--quiet", action="store_true", help="no progress")
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")


def _configure_input(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is chosen from").add_argument
    add("input", metavar="INPUT", nargs="+", help="n-best lists, lattices or forests; - is stdin")
    add("--candidates", metavar="FILE", help="choose among these; INPUT is the evidence only")
    add("--weights", metavar="FILE", help="weights of the features (default: the file's scores)")
    configure_formats(parser)


def _configure_choice(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("how it is chosen").add_argument
    add("--utility", metavar="METRIC", default="bleu", help="any metric (default: bleu)")
    add(
        "--scale",
        metavar="X",
        type=float,
        default=1.0,
        help="probability is exp(X · score), normalised; 0 makes all equal (default: 1)",
    )
    add("--prune", action="store_true", help="give up candidates that cannot win (still exact)")
    add(
        "--approximate",
        metavar="HOW",
        choices=("mean-reference",),
        help="mean-reference: one reference of mean n-gram counts (bleu, bleu-sbp, chrf)",
    )
    add("--save-matrix", metavar="FILE", help="utilities of all pairs, .npz or .npy")
    add("--load-matrix", metavar="FILE", help="utilities from such a file")


def _configure_space(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("lattices and forests").add_argument
    number = whole_number(0)
    add("--best", metavar="N", type=number, default=200, help="best paths to try (default: 200)")
    add("--samples", metavar="N", type=number, default=1000, help="paths drawn (default: 1000)")
    add(
        "--evidence",
        choices=("samples", "n-best"),
        default="samples",
        help="what expectations are over (default: samples)",
    )
    add("--seed", metavar="N", type=number, default=12345, help="default: 12345")
    add(
        "--all-paths",
        metavar="K",
        type=whole_number(1),
        help="grr and wrr: search all paths exactly, against the K best ones (small lattices)",
    )
    add("--precision", metavar="P", type=float, default=0.85, help="linear-bleu: of unigrams")
    add("--ratio", metavar="R", type=float, default=0.72, help="linear-bleu: from n to n + 1")
    add("--word-penalty", metavar="X", type=float, default=0.0, help="linear-bleu: cost of a word")
    add(
        "--reference-words",
        metavar="T",
        type=float,
        default=1.0,
        help="linear-bleu: unit of the gain; HiFST's word penalties are for 10",
    )
    add("--margin", metavar="X", type=float, help="linear-bleu: drop arcs so far from the best")


def run(arguments: Namespace) -> int:
    """Choose, and print only when everything has been done."""
    check_output(arguments.output)
    check_output(arguments.save_matrix)
    if arguments.save_matrix and (arguments.prune or arguments.approximate):
        raise OptionError("--save-matrix: found --prune or --approximate, expected neither")
    if arguments.save_matrix and arguments.load_matrix:
        raise OptionError("--save-matrix: found --load-matrix too, expected one of them")

    from tertium.cli.progress import progress_bar
    from tertium.decode.formats.lines import Damages
    from tertium.decode.mbr_deciding import Decider
    from tertium.decode.mbr_files import SavedMatrices, check_matrix_name, save_matrices
    from tertium.decode.mbr_outcomes import mbr_corpus
    from tertium.decode.weights import read_weights

    if arguments.save_matrix:
        check_matrix_name(arguments.save_matrix)
    damages = Damages(skip=arguments.skip_bad)
    structures = _structures(arguments, arguments.input, damages)
    first = next(structures, None)
    if first is None:
        raise InputError(f"{arguments.input[0]}: found nothing to choose from, expected something")
    setting, metrics = _setting(arguments, of_words=not hasattr(first, "hypotheses"))
    saved = SavedMatrices(arguments.load_matrix) if arguments.load_matrix else None
    wanted = "" if setting.utility is None else setting.utility.spec
    if saved is not None and saved.utility not in {"", wanted}:
        found = f"found utility {saved.utility}"
        raise InputError(f"{arguments.load_matrix}: {found}, expected {wanted} (--utility)")
    choices: list[Any] = []
    with ExitStack() as stack:
        step = stack.enter_context(progress_bar(lambda: None, quiet=arguments.quiet))
        outcome = mbr_corpus(
            chain([first], structures),
            Decider(
                setting=setting,
                weights=read_weights(arguments.weights) if arguments.weights else None,
                saved=saved,
                keep=choices.append if arguments.save_matrix else None,
            ),
            candidates=(
                _structures(arguments, [arguments.candidates], Damages())
                if arguments.candidates
                else None
            ),
            references=read_references(arguments.references),
            metrics=metrics,
            step=step,
        )
    tell_damages(damages.count, damages.first)
    if damages.count and arguments.references and not hasattr(first, "hypotheses"):
        raise InputError(
            "--skip-bad: found references of lattices or forests that have no numbers, "
            "expected none left out"
        )
    if arguments.save_matrix:
        save_matrices(arguments.save_matrix, choices)
    write_output(_shown(arguments, outcome), arguments.output)
    return 0


def _shown(arguments: Namespace, outcome: Any) -> "Iterator[str]":
    if arguments.format == "json":
        from tertium.report.lines import json_text

        return iter([json_text(outcome.to_dict())])
    from tertium.report.mbr import chosen_lines, mbr_view
    from tertium.report.tables import console_text

    if arguments.format == "lines":
        return chosen_lines(outcome)
    screen = None if arguments.output else sys.stdout
    return iter([console_text(mbr_view(outcome, decimals=arguments.width), screen)])


def _structures(arguments: Namespace, paths: list[str], damages: "Damages") -> "Iterator[Any]":
    from tertium.decode.reading import read

    options = format_options(arguments)
    for path in paths:
        file = found_file(path)
        yield from read(file, format=arguments.from_format, options=options, damages=damages)


def _setting(arguments: Namespace, *, of_words: bool) -> "tuple[MbrSetting, list[Metric]]":
    """How to choose and what to score by; lattices and forests are made of words already."""
    from tertium.cli.chosen_metrics import chosen_metrics
    from tertium.decode.linear_bleu import LinearBleu
    from tertium.decode.mbr_deciding import MbrSetting
    from tertium.decode.mbr_space import SpaceSearch

    linear = arguments.utility == LINEAR_BLEU
    specs = list(arguments.metrics)
    utility = None if linear else _metric(arguments.utility, of_words=of_words)
    metrics = [_metric(one, of_words=of_words) for one in specs]
    if utility is not None and utility.spec not in [metric.spec for metric in metrics]:
        metrics.insert(0, utility)
    chosen_metrics([metric.spec for metric in metrics], [])  # complains about the same one twice
    setting = MbrSetting(
        utility=utility,
        scale=arguments.scale,
        prune=arguments.prune,
        approximate=arguments.approximate,
        search=SpaceSearch(
            best=arguments.best,
            samples=arguments.samples,
            evidence=arguments.evidence,
            scale=arguments.scale,
            seed=arguments.seed,
        ),
        all_paths=arguments.all_paths,
        formula=LinearBleu(
            precision=arguments.precision,
            ratio=arguments.ratio,
            word_penalty=arguments.word_penalty,
            reference_words=arguments.reference_words,
        ),
        margin=arguments.margin,
    )
    return setting, metrics


def _metric(text: str, *, of_words: bool) -> "Metric":
    """The metric; over words it does not cut them again unless its brackets say how."""
    from tertium.cli.chosen_metrics import own_options
    from tertium.metrics.table import parse_metric
    from tertium.text.tokenizers import WHITESPACE

    metric = parse_metric(text)
    cuts = any(option.name == "tokenizer" for option in metric.options)
    if of_words and cuts and "tokenizer" not in own_options(text, metric):
        return metric.with_options(tokenizer=WHITESPACE)
    return metric


def read_references(paths: list[str]) -> list[tuple[str, ...]] | None:
    """For each segment its references, one from each file."""
    if not paths:
        return None
    from tertium.text.reading import open_inputs

    corpus = open_inputs(paths, [paths[0]]).load().corpus
    return [tuple(corpus.references.of_segment(place)) for place in range(len(corpus))]
