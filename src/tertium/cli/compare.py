"""``tertium compare``: systems against a baseline, and where the difference lies."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from tertium.choices import SECTIONS, SLICINGS
from tertium.cli.flags.common import (
    configure_alpha,
    configure_interval,
    configure_metrics,
    configure_resampling,
    configure_runs,
    configure_scores,
    configure_seed,
    configure_shown,
    configure_text,
    configure_trials,
    score_metrics,
)
from tertium.cli.flags.engine import (
    check_engine,
    chosen_cluster,
    configure_engine,
    partitioned,
)
from tertium.cli.flags.inputs import configure_input, loaded
from tertium.cli.flags.values import confidence_of, runs_by_name, whole_number
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, screen_width, show, view_forms
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.choices import Section
    from tertium.compare import Comparison
    from tertium.metrics.contract.base import Metric
    from tertium.scored.scored import Scored
    from tertium.tables import Part
    from tertium.text.files import TextFile

EXAMPLES: Final = """\
examples:
  tertium compare reference.en -i baseline.en better.en
      is it better, and where?
  tertium compare reference.en -i baseline.en *.en -m bleu chrf ter --sections scores --test all
      many systems: deltas, three tests, rank clusters
  tertium compare reference.en -i base.1 base.2 base.3 new.1 new.2 new.3 --runs
      three runs of each system, told apart by their numbers; means and deviations over runs
  tertium compare reference.en -i a.en b.en --by length --sections scores lengths
      short and long segments apart
  tertium compare reference.en -i a.en b.en --documents documents.tsv --by genre
      tests and intervals by whole documents, corrected for all genres together
  tertium compare reference.en -i a.en b.en --source source.de --sections words lengths
      which source words get lost, and how long is the output for them, by genre?
  tertium compare reference.en -i a.en b.en --sections words --against-training train.en.gz
      which words are right that were rare in training?
  tertium compare reference.en -i baseline.en *.en -m bleu chrf -f latex --compact
      a table for a paper, with its caption
  tertium compare 'ref.*' -i 'base.*' 'new.*' -m bleu chrf --engine dask
      millions of segments in many files, by all processors: scores and tests
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium compare REF … -i BASE SYS … [-m METRIC …] [--sections …] [flags]"
    parser.epilog = EXAMPLES
    configure_input(parser)
    add = parser.add_argument_group("how it is scored").add_argument
    configure_metrics(
        add, what="names of metrics, see 'tertium metrics'; the first chooses sentences"
    )
    configure_scores(add)
    configure_text(add)
    _configure_tests(parser)
    _configure_output(parser)
    configure_engine(parser)


def _configure_tests(parser: ArgumentParser) -> None:
    add = parser.add_argument_group(
        "how it is tested",
        "Every system is compared with the first one.\n"
        "The correction covers all systems, metrics and slices that the table shows.",
    ).add_argument
    add(
        "--test",
        choices=("randomization", "bootstrap", "sign", "stratified", "all"),
        default="randomization",
        help="randomization, bootstrap, sign, with --runs stratified instead, or all "
        "(default: randomization, of fewer than 6 documents a t-test with CR2 errors)",
        metavar="TEST",
    )
    configure_runs(add)
    configure_trials(add, what="resamples of bootstrap and randomization")
    configure_resampling(add)
    configure_seed(add)
    configure_alpha(add)
    configure_interval(add)
    add(
        "--correction",
        metavar="METHOD",
        choices=("max-t", "holm", "benjamini-hochberg", "none"),
        default="max-t",
        help="correction of p-values, as there are many: max-t, holm, benjamini-hochberg or none "
        "(default: max-t, step-down by common swaps)",
    )


def _configure_output(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is shown").add_argument
    add(
        "--sections",
        metavar="SECTION",
        nargs="+",
        choices=SECTIONS,
        help=f"{', '.join(SECTIONS)} (default: all; in latex and tsv: scores)",
    )
    add(
        "--by",
        metavar="LABEL",
        choices=SLICINGS,
        help="scores by genre, document or length of the reference too",
    )
    add(
        "--against-training",
        metavar="TEXT",
        help="count words in this training text (default: in the references)",
    )
    add(
        "--alignment",
        metavar="FILE",
        help="word alignment of source and first reference (0-0 1-2 …), for accuracy by source "
        "word",
    )
    add(
        "--source-tokenize",
        metavar="TOKENIZER",
        help="how sources are cut, such as zh or char (default: as the output)",
    )
    add(
        "--order",
        metavar="N",
        type=whole_number(2),
        default=4,
        help="words in the longest n-grams (default: 4)",
    )
    add(
        "--top",
        metavar="N",
        type=whole_number(1),
        default=5,
        help="n-grams, words and sentences each way (default: 5)",
    )
    configure_shown(add, FORMS, width=2)
    add(
        "--compact",
        action="store_true",
        help="with -f latex: one table for a column of a paper, with a column per metric, bold "
        "for the best group, daggers and a caption",
    )


def run(arguments: Namespace) -> int:
    """Compare, and print only when everything has been compared."""
    if arguments.compact and arguments.format != "latex":
        raise OptionError(f"--compact: found -f {arguments.format}, expected -f latex")
    check_output(arguments.output)
    check_engine(arguments)

    from tertium.cli.flags.chosen_metrics import chosen_metrics, metrics_for, text_flags
    from tertium.compare import compare
    from tertium.text.files import TextFile

    flags, more = text_flags(arguments), score_metrics(arguments)
    metrics = chosen_metrics(arguments.metrics, flags, more=more)
    training = None
    if arguments.against_training is not None:
        training = _segments(arguments.against_training)
    alignments = None
    if arguments.alignment is not None:
        alignments = _lines(TextFile.find(arguments.alignment))
    brief = arguments.format in {"latex", "tsv"} or arguments.engine is not None
    sections = arguments.sections or (("scores",) if brief else SECTIONS)
    given: Any
    if arguments.engine is not None:
        given = (_scored_by_engine(arguments, metrics, sections), None, None)
    else:
        whole = loaded(arguments, metrics, fits_tokenizer=True)
        fitting = metrics_for(whole.corpus, arguments.metrics, flags, more=more)
        given = (whole.corpus, whole.systems, fitting)
    comparison = compare(
        *given,
        sections=sections,
        test=arguments.test,
        trials=arguments.trials,
        seed=arguments.seed,
        level=confidence_of(arguments.alpha),
        correction=arguments.correction,
        resample=arguments.resample,
        interval=arguments.interval,
        runs=runs_by_name(arguments.runs),
        by=arguments.by,
        order=arguments.order,
        top=arguments.top,
        training=training,
        alignments=alignments,
        source_tokenizer=arguments.source_tokenize,
    )
    show(comparison, arguments, FORMS)
    return 0


def _scored_by_engine(
    arguments: Namespace, metrics: "Sequence[Metric]", sections: "Sequence[Section]"
) -> "Scored":
    from tertium.cli.shell.progress import progress_bar
    from tertium.scale.engine.score import scored_partitions

    for section in sections:
        if section != "scores":
            raise OptionError(
                f"--sections: found {section} with --engine, expected scores, as the others look "
                "at all texts at once"
            )
    corpus = partitioned(arguments)
    with progress_bar(lambda: len(corpus.partitions())) as advance:
        scored, warnings = scored_partitions(
            corpus,
            metrics,
            cluster=chosen_cluster(arguments),
            resume=arguments.resume,
            skip_bad=arguments.skip_bad,
            progress=advance,
        )
    for warning in warnings:
        print(f"tertium: warning: {warning}", file=sys.stderr)
    return scored


def _segments(path: str) -> Iterator[str]:
    """The texts of a file of any format, as references are read."""
    from tertium.text.input_files import open_inputs

    inputs = open_inputs([path], None)
    columns = (chunk.corpus.references.columns[0] for chunk in inputs.chunks())
    return (text or "" for column in columns for text in column.to_list())


def _lines(file: "TextFile") -> Iterator[str]:
    from tertium.text.lines import numbered_lines

    return (line for _, line in numbered_lines(file))


def _view(comparison: "Comparison", arguments: Namespace) -> "Iterable[Part]":
    from tertium.report.comparison import comparison_view

    plain = arguments.format == "table" and screen_width(arguments) is None
    return comparison_view(comparison, decimals=arguments.width, brackets=plain)


def _latex(comparison: "Comparison", arguments: Namespace) -> Iterable[str]:
    from tertium.report.comparison import compact_latex, comparison_latex

    if arguments.compact:
        return compact_latex(comparison, decimals=arguments.width)
    return comparison_latex(comparison, decimals=arguments.width)


def _tsv(comparison: "Comparison", _: Namespace) -> Iterable[str]:
    from tertium.report.comparison import comparison_tsv

    return comparison_tsv(comparison)


FORMS: Final[Forms["Comparison"]] = {
    **view_forms(_view),
    "latex": _latex,
    "tsv": _tsv,
}
