"""``tertium meta agree``: how far metrics agree with people, and how sure that is."""

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tertium.choices import EXCHANGES
from tertium.choices import RESAMPLES as DRAWN
from tertium.cli.flags.common import (
    configure_alpha,
    configure_metrics,
    configure_seed,
    configure_text,
    configure_trials,
    score_metrics,
)
from tertium.cli.flags.inputs import configure_input
from tertium.cli.flags.values import confidence_of
from tertium.cli.meta.flags import (
    RATINGS_HELP,
    check_plot_file,
    check_slices,
    configure_names,
    configure_plots,
    configure_ratings,
    configure_shown,
    configure_slices,
    document_labels,
    forms_of,
    rated_inputs,
    read_names_file,
    read_rated,
    sliced_sets,
    write_plots,
)
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar
from tertium.cli.shell.result import show
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.catalog import DEFAULT_METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tertium.meta.agreement.overview import AgreementReport, RatedSet
    from tertium.meta.ratings.judgments import Exclusion, MetricScores

RESAMPLES: Final = (*DRAWN, "none")


def _tsv(report: "AgreementReport", _: Namespace) -> "Iterable[str]":
    """A line for each metric, set of ratings and measure, with its interval."""
    from tertium.tables import record_tsv

    return record_tsv([record for cell in report.table for record in cell.records()])


FORMS: Final = {
    **forms_of("agreement", options=lambda arguments: {"published": arguments.published_williams}),
    "tsv": _tsv,
}

EXPLANATION: Final = f"""\
{RATINGS_HELP}
examples:
  tertium meta agree reference.en -i systems/*.en -m bleu chrf ter --ratings ratings.tsv
      run three metrics, and compare them with all ratings there are
  tertium meta agree newstest2012-ref.en -i es-en/* -m bleu amber --ratings RNK_results.csv \\
      --pair es-en --ranks expected-wins
      people's rankings; the systems' names are found in the files' names
  tertium meta agree DA-ref.en -i de-en/* --ratings DA-seglevel.csv adequacy.de-en fluency.de-en \\
      --pair de-en --criterion adequacy fluency
      grades that go along with the rows of a table
  tertium meta agree --ratings humans.tsv --scores metrics.tsv --pair es-en -f json
      scores that were published; Williams' test between all metrics
  tertium meta agree --ratings wmt23 --scores wmt23 --pair zh-en --criterion mqm
      folders of mt-metrics-eval
  tertium meta agree references/zh-en.refA.txt -i system-outputs/zh-en/* -m bleu chrf \\
      --scores metric-scores/zh-en/COMET-refA.seg.score --ratings human-scores --pair zh-en
      scores of segments that a file has, in one table with metrics that are run
  tertium meta agree --ratings wmt23 --scores wmt23 --pair zh-en --criterion mqm --by domain
      every domain by itself, at the level of systems and of segments
  tertium meta agree reference.en -i systems/*.en --ratings store:news/First --store team.db
      what people said so far in a campaign of 'tertium serve'
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = (
        "tertium meta agree [REF … -i SYS … -m METRIC …] --ratings FILE … [--scores FILE …] [flags]"
    )
    parser.epilog = EXPLANATION
    configure_input(parser, optional=True)
    add = parser.add_argument_group("how it is scored").add_argument
    configure_metrics(
        add,
        what="of 'tertium metrics'; of --scores, those to take, or all",
        set_default=False,
    )
    configure_text(add)
    add(
        "--scores",
        metavar="FILE",
        nargs="+",
        default=[],
        help="published scores, instead of REF; with REF, more metrics beside those of -m",
    )
    add(
        "--lower-is-better",
        metavar="METRIC",
        nargs="+",
        default=[],
        help="metrics of --scores that are errors (TER, WER and the like are known)",
    )
    configure_ratings(parser)
    configure_names(parser)
    configure_slices(parser)
    _configure_measures(parser)
    configure_shown(parser, FORMS)
    configure_plots(parser)


def _configure_measures(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("how sure it is").add_argument
    add(
        "--measures",
        metavar="MEASURE",
        nargs="+",
        help="such as pearson, kendall, acc-eq-item, to show and to test (default: all usual ones "
        "there is data for)",
    )
    add(
        "--resample",
        metavar="WHAT",
        choices=RESAMPLES,
        default="systems",
        help=f"for intervals: {', '.join(RESAMPLES)}; both are systems and documents, or segments "
        "where no documents are known (default: systems)",
    )
    configure_trials(add, 1000, what="resamples")
    configure_alpha(add)
    configure_seed(add)
    add(
        "--permute",
        metavar="WHAT",
        choices=EXCHANGES,
        help="also test metrics, by Pearson's r and acc_eq or by --measures (those of systems, "
        "soft-accuracy and acc-eq-item), by exchanging their scores of whole "
        "systems (would it be so with other systems?), of items, which are documents, or segments "
        "where no documents are known, or of both (with other items, but these systems) (Deutsch "
        "et al. 2021; default: no such test)",
    )
    add("--two-sided", action="store_true", help="Williams' test without an expected winner")
    add(
        "--published-williams",
        action="store_true",
        help="Williams' test with n − 2 degrees of freedom, as the script published with it had",
    )


def run(arguments: Namespace) -> int:
    """Read, hold against each other, and print when everything has been done."""
    _check(arguments)
    from tertium.meta.agreement.overview import agreement_report

    read = text_sets if arguments.references else published_sets
    sets, unused = read(arguments)
    published = None if arguments.references else partial(domain_scores, arguments)
    sets = sliced_sets(arguments, sets, published)
    report = agreement_report(
        sets,
        measures=arguments.measures,
        resample=None if arguments.resample == "none" else arguments.resample,
        trials=arguments.trials,
        seed=arguments.seed,
        level=confidence_of(arguments.alpha),
        two_sided=arguments.two_sided,
        permute=arguments.permute,
        unused=unused,
    )
    if arguments.plot is not None:
        from tertium.report.plots.figures import agreement_figures

        figures = agreement_figures(
            sets,
            report,
            arguments.plot_kind,
            trials=arguments.trials,
            seed=arguments.seed,
            level=confidence_of(arguments.alpha),
        )
        write_plots(arguments, figures)
    show(report, arguments, FORMS)
    return 0


def _check(arguments: Namespace) -> None:
    check_output(arguments.output)
    if not arguments.references and not arguments.scores:
        raise OptionError("tertium meta agree: found neither REF nor --scores, expected one")
    if arguments.input and not arguments.references:
        raise OptionError("--input: found without REF, expected with it")
    if arguments.lower_is_better and (arguments.references or not arguments.scores):
        raise OptionError("--lower-is-better: found without --scores alone, expected with them")
    check_slices(arguments)
    check_plot_file(arguments)


def text_sets(arguments: Namespace) -> "tuple[tuple[RatedSet, ...], tuple[Exclusion, ...]]":
    """Metrics run on texts."""
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.meta.agreement.measures import measure_of
    from tertium.meta.agreement.overview import RatedSet
    from tertium.scored.scored import scored

    for name in arguments.measures or ():
        measure_of(name)
    asked = arguments.metrics or (() if arguments.scores else DEFAULT_METRICS)
    metrics = chosen_metrics(asked, text_flags(arguments), more=score_metrics(arguments))
    corpus, systems, judgments = rated_inputs(arguments)
    with progress_bar(lambda: len(metrics)) as progress:
        whole = scored(corpus, systems, metrics, progress=progress)
    return tuple(RatedSet.of(judgment, whole) for judgment in judgments), ()


def published_sets(arguments: Namespace) -> "tuple[tuple[RatedSet, ...], tuple[Exclusion, ...]]":
    """Scores from files."""
    from tertium.meta.agreement.overview import rated_sets
    from tertium.meta.ratings.files import read_scores

    names = read_names_file(arguments)
    judgments = read_rated(arguments, documents=document_labels(arguments))
    scores = read_scores(arguments.scores, domain=arguments.domain, **_score_choice(arguments))
    return rated_sets(judgments, scores, system_names=names)


def _score_choice(arguments: Namespace) -> dict[str, Any]:
    """Which scores of the files count."""
    return {
        "pair": arguments.pair,
        "metrics": arguments.metrics or [],
        "testset": arguments.testset,
        "lower_is_better": arguments.lower_is_better,
    }


def domain_scores(arguments: Namespace, domain: str) -> "Mapping[str, Sequence[MetricScores]]":
    """The scores that were published for a domain, by language pair and domain; none is fine."""
    from tertium.meta.ratings.files import read_scores

    try:
        return read_scores(arguments.scores, domain=domain, **_score_choice(arguments))
    except InputError:
        return {}
