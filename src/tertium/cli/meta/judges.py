"""``tertium meta judges``: how far the people agree whom metrics are to agree with."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from tertium.cli.flags.common import configure_documents, configure_seed
from tertium.cli.flags.values import share
from tertium.cli.meta.flags import (
    RATINGS_HELP,
    configure_ratings,
    configure_shown,
    document_labels,
    forms_of,
    rating_choice,
    rating_sources,
)
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import show
from tertium.errors import OptionError

FORMS: Final = forms_of("judges", key="ratings")

EXPLANATION: Final = f"""\
{RATINGS_HELP}
examples:
  tertium meta judges --ratings ratings.tsv
      Krippendorff's α of every criterion; mean and deviation of every judge
  tertium meta judges --ratings RNK_results.csv --pair es-en
      Cohen's κ between judges and within judges, as WMT reported it
  tertium meta judges --ratings ratings.tsv --groups monolingual=m1,m2,m3 bilingual='b*'
      do two kinds of judges see the systems alike? (figure 2 of Papineni et al., HLT 2002)
  tertium meta judges --ratings ratings.tsv --groups halves
      would other judges have said the same?
  tertium meta judges --ratings scores.csv
      an export of Appraise: judges who miss damaged outputs, contradict themselves, hurry,
      drift, answer in one value, or disagree with everyone
  tertium meta judges --ratings ratings.tsv --documents documents.tsv --standings
      where do systems stand, tested over whole documents?
  tertium meta judges --ratings ratings.tsv --documents documents.tsv --needed
      how many more documents would a verdict between two systems take?
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium meta judges --ratings FILE … [flags]"
    parser.epilog = EXPLANATION
    configure_ratings(parser)
    group = parser.add_argument_group("where systems stand")
    configure_documents(
        group.add_argument, use="by which systems are tested (default: those of the ratings)"
    )
    group.add_argument(
        "--standings",
        action="store_true",
        help="the systems from best to worst, which of them differ significantly, and the design "
        "effect of documents and raters",
    )
    group = parser.add_argument_group("whom to compare")
    group.add_argument(
        "--groups",
        metavar="NAME=JUDGE,…",
        nargs="+",
        default=[],
        type=_group,
        help="groups of judges to hold against each other, * and ? stand for any letters; or "
        "halves: two random groups",
    )
    group.add_argument(
        "--needed",
        metavar="POWER",
        nargs="?",
        const=0.8,
        type=share,
        help="simulate how many documents, or ratings of each system where documents are not "
        "known, would tell neighbours apart, with this chance to find a difference (default: 0.8)",
    )
    configure_seed(group.add_argument)
    configure_shown(parser, FORMS)


def _group(text: str) -> tuple[str, tuple[str, ...]]:
    """A group such as ``bilingual=b1,b2``, or ``halves``.

    >>> _group("bilingual=b1,b2")
    ('bilingual', ('b1', 'b2'))
    """
    name, equals, judges = text.partition("=")
    members = tuple(filter(None, judges.split(",")))
    if text != "halves" and not (name and equals and members):
        raise ArgumentTypeError(f"found '{text}', expected such as bilingual=b1,b2, or halves")
    return name, members


def _groups(arguments: Namespace) -> "Mapping[str, Sequence[str]] | Literal['halves'] | None":
    given = arguments.groups
    names = [name for name, _ in given]
    if ("halves", ()) in given:
        if len(given) > 1:
            raise OptionError(
                f"--groups: found halves and {len(given) - 1} more, expected it alone"
            )
        return "halves"
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"--groups: found '{name}' twice, expected different names")
    return dict(given) or None


def run(arguments: Namespace) -> int:
    """Read all judges' ratings, and print how far they agree."""
    check_output(arguments.output)
    if arguments.z_scores:
        raise OptionError("--z-scores: found here, expected with 'tertium meta agree'")
    from tertium.meta.ratings.files import read_ratings
    from tertium.meta.ratings.judge_groups import of_judges
    from tertium.meta.ratings.judges import judge_report

    judgments = read_ratings(
        rating_sources(arguments),
        **rating_choice(arguments),
        documents=document_labels(arguments),
    )
    if arguments.judges:
        judgments = tuple(of_judges(one, arguments.judges) for one in judgments)
    groups = _groups(arguments)
    reports = [
        judge_report(
            one,
            groups=groups,
            power=arguments.needed,
            stand=arguments.standings,
            seed=arguments.seed,
        )
        for one in judgments
    ]
    show(reports, arguments, FORMS)
    return 0
