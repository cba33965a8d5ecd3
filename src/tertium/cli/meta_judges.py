"""``tertium meta judges``: how far the people agree whom metrics are to agree with."""

from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.meta_flags import RATINGS_HELP, configure_output, configure_ratings, show
from tertium.cli.output import check_output
from tertium.errors import OptionError

EXPLANATION: Final = f"""\
{RATINGS_HELP}
examples:
  tertium meta judges --ratings ratings.tsv
      Krippendorff's α of every criterion; mean and deviation of every judge
  tertium meta judges --ratings RNK_results.csv --pair es-en
      Cohen's κ between judges and within judges, as WMT reported it
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium meta judges --ratings FILE … [flags]"
    parser.epilog = EXPLANATION
    configure_ratings(parser)
    configure_output(parser)


def run(arguments: Namespace) -> int:
    """Read all judges' ratings, and print how far they agree."""
    check_output(arguments.output)
    if arguments.z_scores:
        raise OptionError("--z-scores: found here, expected with 'tertium meta agree'")
    from tertium.meta.grades import parse_grades
    from tertium.meta.judges import judge_report
    from tertium.meta.reading import read_ratings
    from tertium.report.meta import judges_latex, judges_view

    found = read_ratings(
        arguments.ratings,
        format=arguments.ratings_format,
        pair=arguments.pair,
        criteria=arguments.criterion,
        testset=arguments.testset,
        domain=arguments.domain,
        grades=parse_grades(arguments.grades),
    )
    reports = [judge_report(one) for one in found]
    decimals = arguments.width
    show(
        arguments,
        value=lambda: {"ratings": [one.to_dict() for one in reports]},
        view=lambda: judges_view(reports, decimals=decimals),
        latex=lambda: judges_latex(reports, decimals=decimals),
    )
    return 0
