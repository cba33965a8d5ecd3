"""What the actions of ``tertium meta`` have in common: flags, ratings in, tables out."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Final

from tertium.cli.flags.inputs import loaded
from tertium.cli.flags.values import key_and_value, whole_number
from tertium.cli.shell.output import write_output
from tertium.errors import InputError, OptionError
from tertium.meta.agreement.choices import FORMATS, RANK_METHODS
from tertium.version import __version__

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tertium.meta.ratings.judgments import Judgments
    from tertium.metrics.contract.base import Metric
    from tertium.text.corpus import Corpus, System

RATINGS_HELP: Final = """\
ratings:
  table            a header with system and rating, also segment (from 1), judge, criterion, pair,
                   testset, domain; tabs, commas or spaces; LP DATA SYSTEM SID HUMAN and
                   METRIC LP TESTSET SYSTEM SCORE are such tables; so are adequacy and fluency
                   as columns
  jsonl            the same, an object a line
  wmt-ranks        RNK_results.csv of WMT: five systems and their ranks a line
  mt-metrics-eval  PAIR.CRITERION.LEVEL.score, or the folder that has them
  grades           CRITERION.PAIR: a grade a line, for the rows of the table given before it
"""


def configure_ratings(parser: ArgumentParser) -> None:
    """Declare where people's ratings come from, and which of them count."""
    group = parser.add_argument_group("what people say")
    add = group.add_argument
    add("--ratings", metavar="FILE", nargs="+", required=True, help="files or folders of ratings")
    add(
        "--ratings-format",
        metavar="FORMAT",
        choices=FORMATS,
        default="auto",
        help=f"{', '.join(FORMATS)} (default: auto, from names and first lines)",
    )
    add("--pair", metavar="XX-YY", help="ratings of this language pair (default: all)")
    add(
        "--criterion", metavar="NAME", nargs="+", default=[], help="such as adequacy (default: all)"
    )
    add("--testset", metavar="NAME", help="ratings on this test set")
    add("--domain", metavar="NAME", help="ratings of this domain (default: of the whole)")
    add(
        "--ranks",
        metavar="METHOD",
        choices=RANK_METHODS,
        default="wins-ratio",
        help=f"from rankings to numbers: {', '.join(RANK_METHODS)} (default: wins-ratio, as WMT12)",
    )
    add(
        "--judges",
        metavar="NAME",
        nargs="+",
        default=[],
        help="judges who count; * and ? stand for any letters (default: all)",
    )
    add("--z-scores", action="store_true", help="each judge's ratings on a scale of their own")
    add(
        "--grades",
        metavar="LETTER=NUMBER",
        nargs="+",
        type=key_and_value,
        default=[],
        help="what grades are worth (default: as those of WMT17)",
    )


def configure_names(parser: ArgumentParser) -> None:
    """Declare how systems are called by both sides, and which of them count."""
    add = parser.add_argument_group("who is who").add_argument
    add(
        "--names-file",
        metavar="FILE",
        help="a system's name, tab, its name among the ratings (default: equal names, or a "
        "rated name between the dots of a file's name)",
    )
    add(
        "--exclude",
        metavar="SYSTEM",
        nargs="+",
        default=[],
        help="rated systems to leave out; * and ? stand for any letters",
    )
    add(
        "--include-references",
        action="store_true",
        help="keep human translations that were rated as systems (refA, Human-A, …, and output "
        "that equals a reference); by default they are left out, and that is stated",
    )


def configure_output(parser: ArgumentParser) -> None:
    """Declare how results are shown."""
    add = parser.add_argument_group("what is shown").add_argument
    add(
        "-f",
        "--format",
        choices=("text", "json", "latex"),
        default="text",
        help="for people, programs or papers (default: text)",
    )
    add("-w", "--width", metavar="N", type=whole_number(0), default=3, help="decimals (default: 3)")
    add("-o", "--output", metavar="FILE", help="write there, at once when complete")


def configure_seed(group: Any) -> None:
    """Declare the seed of random numbers."""
    group.add_argument(
        "--seed", metavar="N", type=whole_number(0), default=12345, help="default: 12345"
    )


def read_rated(arguments: Namespace, *, segments: int | None = None) -> "tuple[Judgments, ...]":
    """The ratings that the flags ask for."""
    from tertium.meta.ratings.files import read_judgments
    from tertium.meta.ratings.grades import parse_grades

    return read_judgments(
        arguments.ratings,
        format=arguments.ratings_format,
        pair=arguments.pair,
        criteria=arguments.criterion,
        testset=arguments.testset,
        domain=arguments.domain,
        segments=segments,
        grades=parse_grades(arguments.grades),
        ranks=arguments.ranks,
        standardize=arguments.z_scores,
        seed=getattr(arguments, "seed", 0),
        judges=arguments.judges,
        exclude=arguments.exclude,
        include_references=arguments.include_references,
    )


def read_names_file(arguments: Namespace) -> Mapping[str, str] | None:
    """The file of names, if one was given."""
    if arguments.names_file is None:
        return None
    from tertium.meta.ratings.system_names import read_names

    return read_names(arguments.names_file)


def rated_texts(
    arguments: Namespace,
) -> "tuple[Corpus, tuple[System, ...], tuple[Judgments, ...]]":
    """The corpus, its systems under their rated names, and the ratings of one language pair."""
    from tertium.meta.agreement.metric_scores import systems_as_rated
    from tertium.meta.ratings.omission import copies_of_references, without

    names = read_names_file(arguments)
    whole = loaded(arguments)
    judgments = read_rated(arguments, segments=len(whole))
    pairs = list(dict.fromkeys(one.name for one in judgments))
    if len(pairs) > 1:
        raise OptionError(
            f"--ratings: found {', '.join(pairs)}, expected one of them for these texts: --pair"
        )
    systems = systems_as_rated(whole.systems, judgments, names)
    if not arguments.include_references:
        copies = copies_of_references(whole.corpus, systems)
        judgments = tuple(without(one, copies) for one in judgments)
    left_out = {name for one in judgments for name in one.omitted}
    kept = tuple(one for one in systems if one.name not in left_out)
    if not kept:
        raise InputError(
            f"systems: found only {', '.join(sorted(left_out))}, which are left out, expected "
            "others, or --include-references"
        )
    return whole.corpus, kept, judgments


def parsed_metrics(texts: Sequence[str], more: "Sequence[Metric]" = ()) -> "list[Metric]":
    """The metrics asked for, checked before any file is read."""
    from tertium.cli.flags.chosen_metrics import chosen_metrics

    return chosen_metrics(texts, [], more=more)


def show(
    arguments: Namespace,
    *,
    value: Callable[[], dict[str, Any]],
    view: "Callable[[int | None], RenderableType]",
    latex: Callable[[], Iterable[str]],
) -> None:
    """Write a result in the form asked for; only that form is made.

    ``view`` is told how wide the screen is, if there is one.
    """
    if arguments.format == "json":
        from tertium.report.json_text import json_text

        lines: Iterable[str] = [json_text({"version": __version__, **value()})]
    elif arguments.format == "latex":
        lines = latex()
    else:
        from tertium.report.console import console_text

        screen = None if arguments.output else sys.stdout
        width = get_terminal_size().columns if screen is not None and screen.isatty() else None
        lines = [console_text(view(width), screen)]
    write_output(lines, arguments.output)
