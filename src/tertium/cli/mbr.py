"""``tertium mbr``: the text that is most like all that is probable."""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tertium.cli.flags.common import (
    configure_also,
    configure_language,
    configure_references,
    configure_shown,
    configure_source,
    configure_weights,
)
from tertium.cli.flags.engine import check_engine, configure_engine
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    check_missing,
    configure_formats,
    configure_missing,
    format_options,
    found_file,
    found_references,
    found_sources,
    found_structures,
    tell_damages,
    tell_missing,
)
from tertium.cli.flags.mbr import (
    FORMULA_FLAGS,
    LINEAR_BLEU,
    SEARCH_FLAGS,
    check_flags,
    check_matrix_flags,
    check_resume,
    configure_choice,
    configure_space,
    given,
)
from tertium.cli.shell.lone_numpy import import_lone_numpy
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, as_json, on_screen, show
from tertium.errors import OptionError
from tertium.metrics.contract.catalog import DEFAULT_METRICS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tertium.decode.formats.segments import Segments
    from tertium.decode.mbr.decision import MbrSetting
    from tertium.decode.mbr.matrix_files import Matrices
    from tertium.decode.mbr.outcomes import MbrOutcome
    from tertium.metrics.contract.base import Metric
    from tertium.text.files import TextFile

EXPLANATION: Final = """\
Each candidate is scored against all other likely texts, as if they were references; a text counts
as much as it is probable. The candidate with the best mean is chosen: this is minimum Bayes risk
(MBR). The metric that scores is the utility. No reference is needed. INPUT has n-best lists or
samples (moses, marian, travatar, JSONL, flat text), lattices (plf, openfst) or forests
(hypergraph); the format is found from the content.

For n-best lists the result is exact, with any metric. A lattice or forest has too many texts to
try, so some are drawn, and the result says so; 'linear-bleu' searches all paths of a lattice.

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
  tertium mbr samples.jsonl.gz --utility chrf -f lines -o chosen.en --resume
      long runs: the same command again goes on where a kill has ended the last one
  tertium mbr beam.jsonl --pseudo-references samples.jsonl --utility chrf -f jsonl > chosen.jsonl
      candidates of one file, pseudo references of another
  tertium mbr lattices/*.fst --utility linear-bleu --precision 0.741 --ratio 0.62 --prune-arcs 5
      lattice minimum Bayes risk (Tromble et al. 2008)
  tertium mbr 'samples/*.jsonl' --utility chrf --engine dask --workers 8 --resume done -f lines
      many files of lists by eight processes
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
    configure_references(add)
    configure_also(add, former=["-m", "--metrics"])
    configure_language(add)
    configure_shown(
        add, FORMS, width=2, quiet=True, purposes={"jsonl": "for programs, as it comes"}
    )
    configure_missing(add)
    add(
        "--resume",
        metavar="FOLDER",
        nargs="?",
        const=True,
        help="keep what is finished in FILE.part (with an engine: in FOLDER), and go on with it "
        "after a kill (lines, jsonl)",
    )
    configure_engine(parser, skip_bad=False, resume=False)


def _configure_input(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is chosen from").add_argument
    add("input", metavar="INPUT", nargs="+", help="n-best lists, lattices or forests; - is stdin")
    add("--candidates", metavar="FILE", help="choose among these; INPUT is the evidence only")
    add(
        "--pseudo-references",
        metavar="FILE",
        nargs="+",
        default=[],
        help="compare with these; INPUT has the candidates only",
    )
    configure_source(add)
    configure_weights(add, default="the scores of the files")
    configure_formats(parser, limited=True)


def run(arguments: Namespace) -> int:
    """Choose; what is shown as a whole is printed only when everything has been done."""
    _check(arguments)
    if arguments.engine is not None:
        return _decide_by_engine(arguments)
    check_resume(arguments)
    import_lone_numpy()

    from tertium.cli.shell.progress import progress_bar
    from tertium.decode.mbr.decision import Decider
    from tertium.decode.mbr.matrix_files import read_matrices
    from tertium.decode.mbr.outcomes import mbr_corpus, mbr_lines
    from tertium.decode.weights import check_names, read_weights

    files, others = evidence_and_candidates(arguments)
    structures = found_structures(arguments, files)
    check_flags(arguments, structures.first)
    saved = read_matrices(arguments.load_matrix) if arguments.load_matrix else None
    setting, metrics = _setting(arguments, saved, of_words=structures.of_words)
    weights = read_weights(arguments.weights) if arguments.weights else None
    references = found_references(arguments.references)
    if references is not None:
        structures.check_first(len(references), arguments.references[0])
    if arguments.also is not None and arguments.format in STREAMED and references is None:
        raise OptionError("--also: found no references of all segments, expected -r REF")
    with ExitStack() as stack:
        total = partial(count_segments, arguments, structures.files)
        step = stack.enter_context(progress_bar(total, quiet=arguments.quiet))
        keep = None
        if arguments.save_matrix:
            from tertium.decode.mbr.matrix_files import MatrixWriter

            kind = arguments.matrix_type or "float64"
            keep = stack.enter_context(MatrixWriter(arguments.save_matrix, type=kind)).add
        decider = Decider(
            setting=setting,
            weights=weights,
            saved=saved,
            keep=keep,
            detailed=arguments.format == "json",
            sources=found_sources(arguments.source),
        )
        candidates = found_candidates(arguments, others)
        outcome = None
        if arguments.format in STREAMED:
            lines = partial(
                mbr_lines,
                structures,
                decider,
                form=arguments.format,
                candidates=candidates,
                missing=arguments.missing or "",
                segments=len(references or ()),
                step=step,
            )
            _write(lines, arguments, [*structures.files, *(candidates.files if candidates else [])])
        else:
            outcome = mbr_corpus(
                structures,
                decider,
                candidates=candidates,
                references=references,
                metrics=metrics,
                step=step,
            )
    if weights is not None:
        check_names(weights, structures.feature_names, arguments.weights)
    if outcome is not None and arguments.also is not None and not outcome.scores:
        raise OptionError("--also: found no references of all segments, expected -r REF")
    if references is not None:
        structures.check(len(references), arguments.references[0])
    tell_damages(structures.damages.messages)
    tell_missing(structures.numbers, max(structures.count, len(references or ())))
    if outcome is not None:
        show(outcome, arguments, FORMS)
    return 0


def _check(arguments: Namespace) -> None:
    check_output(arguments.output)
    check_output(arguments.save_matrix)
    check_matrix_flags(arguments)
    check_missing(arguments)
    check_engine(arguments)


def _decide_by_engine(arguments: Namespace) -> int:
    from tertium.cli.lists import check_lists, decided_by_engine, decision_lines

    check_lists(arguments)
    setting, metrics = _setting(arguments, None, of_words=False)
    files = evidence_and_candidates(arguments)
    outcome, left = decided_by_engine(arguments, setting, metrics, files)
    tell_damages(left.damages)
    tell_missing((decision.segment for decision in outcome.decisions), left.segments)
    streamed = arguments.format in STREAMED
    show(decision_lines(outcome, arguments) if streamed else outcome, arguments, FORMS)
    return 0


def _write(
    lines: "Callable[..., Iterator[str]]", arguments: Namespace, files: "Sequence[TextFile]"
) -> None:
    """Write lines as they come; with --resume those of a run before stay."""
    if not arguments.resume:
        show(lines(), arguments, FORMS)
        return
    from tertium.text.output_files import continued

    with continued(arguments.output, identity_of(arguments, files)) as kept:
        if kept is not None:
            kept.write(lines(done=kept.lines))


def _text(outcome: "MbrOutcome", arguments: Namespace) -> "Iterable[str]":
    from tertium.report.decoding.mbr import mbr_view

    return on_screen(arguments, mbr_view(outcome, decimals=arguments.width))


def _as_it_comes(lines: "Iterable[str]", _: Namespace) -> "Iterable[str]":
    return lines


FORMS: Final[Forms[Any]] = {
    "text": _text,
    "lines": _as_it_comes,
    "json": as_json,
    "jsonl": _as_it_comes,
}
STREAMED: Final = ("lines", "jsonl")


def _setting(
    arguments: Namespace, saved: "Matrices | None", *, of_words: bool
) -> "tuple[MbrSetting, list[Metric]]":
    """How to choose and what to score by; lattices and forests are made of words already."""
    from tertium.cli.flags.chosen_metrics import chosen_metrics, language_tokenizer
    from tertium.decode.mbr.decision import MbrSetting
    from tertium.decode.mbr.linear_bleu import LinearBleu
    from tertium.decode.mbr.spaces import SpaceSearch
    from tertium.decode.weights import OF_WORDS

    utility = _utility(arguments, saved, of_words=of_words)
    specs = DEFAULT_METRICS if arguments.also is None else arguments.also
    metrics = chosen_metrics(
        specs,
        tokenizer=language_tokenizer(arguments),
        defaults=OF_WORDS if of_words else None,
    )
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


def _utility(arguments: Namespace, saved: "Matrices | None", *, of_words: bool) -> "Metric | None":
    """The metric to choose by; none for linear BLEU, and for utilities that are none of ours."""
    from tertium.cli.flags.chosen_metrics import language_tokenizer
    from tertium.decode.weights import word_metric

    if arguments.utility == LINEAR_BLEU:
        return None
    if saved is not None and not arguments.utility:
        return saved.metric(None)
    utility = word_metric(
        arguments.utility or "bleu", of_words=of_words, tokenizer=language_tokenizer(arguments)
    )
    return utility if saved is None else saved.metric(utility)


# ---- files: candidates, pseudo references, and what tells runs apart -------------------------


def evidence_and_candidates(arguments: Namespace) -> tuple[list[str], list[str]]:
    """Files of the pseudo references, and those of separate candidates."""
    if arguments.pseudo_references:
        return arguments.pseudo_references, arguments.input
    return arguments.input, [arguments.candidates] if arguments.candidates else []


def found_candidates(arguments: Namespace, paths: "Sequence[str]") -> "Segments | None":
    """The n-best lists to choose from, if they are not the evidence itself."""
    if not paths:
        return None
    from tertium.decode.formats.segments import check_kind, found_format
    from tertium.decode.structures.nbest import NBest

    files, options = [found_file(path) for path in paths], format_options(arguments)
    for file in files:
        check_kind(file, found_format(file, arguments.from_format, options), NBest)
    return found_structures(arguments, files)


def count_segments(arguments: Namespace, files: "Sequence[TextFile]") -> int | None:
    """How many segments there will be, where lines say it."""
    from tertium.cli.shell.progress import count_lines

    sizes = [count_lines(file.name, any_format=True) for file in files]
    per_segment = arguments.lines or (1 if files[0].name.endswith(".jsonl") else None)
    if per_segment is None or None in sizes:
        return None
    return sum(size for size in sizes if size is not None) // per_segment


def identity_of(arguments: Namespace, files: "Sequence[TextFile]") -> dict[str, Any]:
    """What two runs must have in common for one to go on with the other's output."""
    from tertium.text.files import TextFile
    from tertium.text.output_files import fingerprint
    from tertium.version import __version__

    flags = {
        f"--{name.replace('_', '-')}": value
        for name, value in vars(arguments).items()
        if name not in _NO_MATTER and value not in (None, [], False)
    }
    named = [*arguments.references, arguments.source, arguments.weights, arguments.logprobs]
    others = [TextFile.find(path) for path in (*named, arguments.load_matrix) if path]
    return {
        "version": __version__,
        **flags,
        **{f"file {file.name}": fingerprint(file) for file in (*files, *others)},
    }


_NO_MATTER: Final = {"output", "quiet", "resume", "width"}
"""Flags that change nothing of what is written, or where it goes."""
