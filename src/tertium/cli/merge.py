"""``tertium merge``: one score of the parts of a corpus, which were scored alone."""

from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.flags.common import configure_former
from tertium.cli.flags.score import (
    asks_for_confidence,
    configure_confidence,
    configure_score_output,
    configure_statistics,
)
from tertium.cli.flags.values import whole_number
from tertium.cli.score import FORMS, check_shown, show_scores
from tertium.cli.shell.lone_numpy import import_lone_numpy

EXPLANATION: Final = """\
The scores are those of one run over all texts, to the last bit, whatever the parts and the order
they are named in. Parts of other systems, metrics, options or versions are refused, and so are
segments that are missing or there twice. Metrics whose statistics depend on all references, such
as nist, must see the corpus whole and cannot be put together.

examples:
  tertium score ref.0 -i sys.0 --names mine --statistics part0.parquet --first-segment 1
  tertium score ref.1 -i sys.1 --names mine --statistics part1.parquet --first-segment 100001
  tertium merge part*.parquet --expect-segments 200000
      two parts, on two machines perhaps, and the score of both; none is missing
  tertium merge part*.parquet --paired-bs -f json
      whatever 'tertium score' shows: tests, intervals, slices, segments
  tertium merge part0?.parquet --statistics tens.parquet
      a larger part of small ones
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium merge PART.parquet … [flags]"
    parser.epilog = EXPLANATION
    add = parser.add_argument_group("what is put together").add_argument
    add("parts", metavar="PART", nargs="+", help="files of 'tertium score … --statistics PART'")
    expected = add(
        "--expect-segments",
        metavar="N",
        type=whole_number(1),
        help="how many segments there must be in all, so that a missing last part is noticed",
    )
    configure_former(add, "--segments", expected)
    add(
        "--first-segment",
        metavar="N",
        type=whole_number(1),
        default=1,
        help="number of the first segment of all parts (default: 1)",
    )
    add(
        "--in-order",
        action="store_true",
        help="the parts follow each other in the order of the command, whatever their numbers",
    )
    add(
        "--vary-references",
        action="store_true",
        help="some parts may have more references a segment than others",
    )
    configure_confidence(parser)
    configure_score_output(parser, FORMS)
    configure_statistics(parser.add_argument_group("what is kept").add_argument)


def run(arguments: Namespace) -> int:
    """Add the rows of all parts up, and show what comes out as ``tertium score`` does."""
    check_shown(arguments)
    import_lone_numpy()
    from tertium.cli.shell.progress import progress_bar
    from tertium.scale import merge

    with progress_bar(lambda: None, quiet=arguments.quiet) as advance:
        evaluation = merge(
            arguments.parts,
            by=arguments.by,
            segments=arguments.sentence_level,
            rows=asks_for_confidence(arguments),
            first_segment=arguments.first_segment,
            expected=arguments.expect_segments,
            in_order=arguments.in_order,
            vary_references=arguments.vary_references,
            statistics=arguments.statistics,
            progress=advance,
        )
    show_scores(evaluation, arguments)
    return 0
