"""``tertium meta fit``: a metric's parameters chosen to agree with people, and held out."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Final

from tertium.choices import OPTIMISERS, VALIDATIONS
from tertium.cli.flags.common import configure_metrics, configure_seed, configure_text
from tertium.cli.flags.inputs import configure_input
from tertium.cli.flags.values import whole_number
from tertium.cli.meta.flags import (
    RATINGS_HELP,
    configure_names,
    configure_ratings,
    configure_shown,
    forms_of,
    rated_inputs,
)
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar
from tertium.cli.shell.result import show

FORMS: Final = forms_of("fit", key="fits")

EXPLANATION: Final = f"""\
{RATINGS_HELP}
examples:
  tertium meta fit reference.en -i systems/*.en -m grr --ratings ratings.tsv --criterion adequacy
      α and β of GRR; agreement is reported on systems that were held out
  tertium meta fit reference.en -i systems/*.en -m meteor --parameters alpha gamma \\
      --bounds alpha=0:1 --ratings ratings.tsv --criterion adequacy fluency
      two parameters for both criteria; a system is held out under both at once
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium meta fit REF … -i SYS … -m METRIC … --ratings FILE … [flags]"
    parser.epilog = EXPLANATION
    configure_input(parser)
    add = parser.add_argument_group("what is fitted").add_argument
    configure_metrics(add, (), what="one after the other", required=True)
    configure_text(add)
    add("--measure", metavar="MEASURE", default="pearson", help="to maximise (default: pearson)")
    add("--parameters", metavar="NAME", nargs="+", help="options to fit (default: all free ones)")
    add(
        "--bounds",
        metavar="NAME=LOW:HIGH",
        nargs="+",
        type=_bounds,
        default=[],
        help="where a parameter may be (default: 0 or more)",
    )
    add(
        "--validation",
        metavar="WHAT",
        choices=VALIDATIONS,
        help="hold out systems, test-sets (such as years; criteria of the same systems are one) or "
        "none (default: test sets if there are several, else systems)",
    )
    add(
        "--folds",
        metavar="N",
        type=whole_number(2),
        help="parts that the systems are divided into (default: up to 5)",
    )
    add(
        "--optimiser",
        metavar="NAME",
        choices=OPTIMISERS,
        default="nelder-mead",
        help=f"{', '.join(OPTIMISERS)} (default: nelder-mead)",
    )
    add(
        "--evaluations",
        metavar="N",
        type=whole_number(1),
        default=1000,
        help="parameters that a search tries at most, for all systems and for each part that is "
        "held out (default: 1000)",
    )
    add(
        "--shrinkage",
        metavar="X",
        type=float,
        default=0.0,
        help="price of moving away from the metric's own parameters (default: 0)",
    )
    configure_seed(add)
    configure_ratings(parser)
    configure_names(parser)
    configure_shown(parser, FORMS)


def _bounds(text: str) -> tuple[str, tuple[float, float]]:
    """A range such as ``alpha=0:1``.

    >>> _bounds("alpha=0:1")
    ('alpha', (0.0, 1.0))
    """
    name, _, ends = text.partition("=")
    low, _, high = ends.partition(":")
    try:
        return name, (float(low), float(high))
    except ValueError:
        raise ArgumentTypeError(f"found '{text}', expected such as alpha=0:1") from None


def run(arguments: Namespace) -> int:
    """Fit every metric, and print what that is worth where it was not fitted."""
    check_output(arguments.output)
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.meta.fit.cases import FitCase
    from tertium.meta.fit.fits import fit

    metrics = chosen_metrics(arguments.metrics, text_flags(arguments))
    corpus, systems, judgments = rated_inputs(arguments)
    cases = [FitCase(judgments=judgment, corpus=corpus, systems=systems) for judgment in judgments]
    with progress_bar(lambda: None) as progress:
        fits = [
            fit(
                metric,
                cases,
                measure=arguments.measure,
                parameters=arguments.parameters,
                bounds=dict(arguments.bounds),
                validation=arguments.validation,
                folds=arguments.folds,
                optimiser=arguments.optimiser,
                evaluations=arguments.evaluations,
                shrinkage=arguments.shrinkage,
                seed=arguments.seed,
                progress=progress,
            )
            for metric in metrics
        ]
    show(fits, arguments, FORMS)
    return 0
