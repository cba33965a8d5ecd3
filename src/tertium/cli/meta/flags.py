"""What the actions of ``tertium meta`` have in common: flags, ratings in, tables out."""

import os
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tertium.choices import AGREEMENT_PLOTS, RANK_METHODS, RATING_FORMATS
from tertium.cli.flags import common as flags
from tertium.cli.flags.common import Add
from tertium.cli.flags.inputs import loaded
from tertium.cli.flags.values import key_and_value
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, json_pieces, on_screen, screen_width
from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.report.plots.files import SUFFIXES
from tertium.version import __version__

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from tertium.meta.agreement.overview import RatedSet
    from tertium.meta.agreement.shared_systems import RatedTexts
    from tertium.meta.ratings.entries import FileRows
    from tertium.meta.ratings.judgments import Judgments, MetricScores
    from tertium.meta.spans.segments import RatedCorpus


STORED: Final = "store:"
SLICES: Final = ("domain", "genre", "system-kind")

RATINGS_HELP: Final = """\
ratings:
  table            a header with system and rating, also segment (from 1), document, judge,
                   criterion, pair, testset, domain; tabs, commas or spaces; LP DATA SYSTEM SID
                   HUMAN and METRIC LP TESTSET SYSTEM SCORE are such tables; so are adequacy and
                   fluency as columns
  jsonl            the same, an object a line
  wmt-ranks        RNK_results.csv of WMT: five systems and their ranks a line
  wmt08            judgments of WMT08: TASK, TYPE, ITEM_ID and up to five systems a line; rank,
                   constituent, constituent-accept
  jcml             rankings with the texts that were judged
  mt-metrics-eval  PAIR.CRITERION.LEVEL.score, or the folder that has them; documents are those of
                   documents/PAIR.docs beside it
  spans            errors marked in the text, see 'tertium meta spans --help': MQM and ESA; with an
                   export of Appraise, --documents or the campaign's batches tell the segments
  grades           CRITERION.PAIR: a grade a line, for the rows of the table given before it
  store:PROJECT/CAMPAIGN
                   a campaign of 'tertium serve', as it is now; see --store
"""


def configure_judges(add: Add) -> Action:
    """The people whose ratings or marks count."""
    return add(
        "--judges",
        metavar="NAME",
        nargs="+",
        default=[],
        help="judges who count; * and ? stand for any letters (default: all)",
    )


def configure_ratings(parser: ArgumentParser, *, required: bool = True) -> None:
    """Declare where people's ratings come from, and which of them count."""
    group = parser.add_argument_group("what people say")
    add = group.add_argument
    add(
        "--ratings",
        metavar="FILE",
        nargs="+",
        required=required,
        help="files or folders of ratings, or store:PROJECT/CAMPAIGN",
    )
    add(
        "--store",
        metavar="STORE",
        help="where store:… is: a file of SQLite, or postgresql://USER@HOST/DATABASE (default: "
        "$TERTIUM_STORE, or tertium.db)",
    )
    add(
        "--ratings-format",
        metavar="FORMAT",
        choices=RATING_FORMATS,
        default="auto",
        help=f"{', '.join(RATING_FORMATS)} (default: auto, from names and first lines)",
    )
    flags.configure_pair(add)
    add(
        "--criterion",
        metavar="NAME",
        nargs="+",
        default=[],
        help="what was rated, such as adequacy (default: all)",
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
    configure_judges(add)
    add("--z-scores", action="store_true", help="each judge's ratings on a scale of their own")
    add(
        "--grades",
        metavar="LETTER=NUMBER",
        nargs="+",
        type=key_and_value,
        default=[],
        help="the number that each grade stands for (default: as in WMT17)",
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


def configure_slices(parser: ArgumentParser) -> None:
    """Declare which parts of a test set are looked at by themselves."""
    add = parser.add_argument_group("which parts").add_argument
    add(
        "--by",
        metavar="WHAT",
        choices=SLICES,
        help="a set of ratings for each domain or genre, which are the same (of --documents, or of "
        "the folder of the ratings), or for each system-kind (of --kinds), at every level",
    )
    add("--kinds", metavar="FILE", help="a system, tab, its kind: for --by system-kind")


def check_slices(arguments: Namespace) -> None:
    """Refuse flags that do not go together."""
    if (arguments.by == "system-kind") != (arguments.kinds is not None):
        given, other = ("--by system-kind", "--kinds")
        if arguments.kinds is not None:
            given, other = other, given
        raise OptionError(f"{given}: found without {other}, expected with it")
    if arguments.by in {"domain", "genre"} and arguments.domain is not None:
        raise OptionError(f"--by {arguments.by}: found with --domain, expected one of them")


def sliced_sets(
    arguments: Namespace,
    sets: "Sequence[RatedSet]",
    published: "Callable[[str], Mapping[str, Sequence[MetricScores]]] | None" = None,
) -> "tuple[RatedSet, ...]":
    """The sets, or for each those of its slices; ``published`` has the scores of a domain."""
    if arguments.by is None:
        return tuple(sets)
    from tertium.meta.agreement.slices import segment_slices, system_slices

    if arguments.by == "system-kind":
        from tertium.meta.ratings.system_names import read_names

        kinds = read_names(arguments.kinds)
        return tuple(part for one in sets for part in system_slices(one, kinds))
    parts: list[RatedSet] = []
    for one in sets:
        pair = one.judgments.name
        labels = _domain_labels(arguments, pair)
        known: dict[str, Sequence[MetricScores]] = {}
        if published is not None:
            for label in dict.fromkeys(labels):
                known[label] = published(label).get(f"{pair} {label}", ())
        parts += segment_slices(one, labels, published=known)
    return tuple(parts)


def _domain_labels(arguments: Namespace, pair: str) -> tuple[str, ...]:
    """The domain of every segment: of the file of documents, or of the folder of ratings."""
    from tertium.text.documents import labels_of
    from tertium.text.files import TextFile

    if arguments.documents is not None:
        return labels_of(TextFile.find(arguments.documents), "genre")
    for rating in arguments.ratings:
        for folder in (Path(rating), *Path(rating).parents[:2]):
            path = folder / "documents" / f"{pair}.docs"
            if path.is_file():
                return labels_of(TextFile.find(path), "genre")
    raise OptionError(
        f"--by {arguments.by}: found no domains of {pair}, expected --documents FILE with a column "
        f"genre, or documents/{pair}.docs beside the ratings"
    )


def configure_shown(parser: ArgumentParser, forms: Forms[Any], *, width: int = 3) -> None:
    """Declare how results are shown."""
    flags.configure_shown(
        parser.add_argument_group("what is shown").add_argument, forms, width=width
    )


def read_rated(
    arguments: Namespace,
    *,
    texts: "RatedCorpus | None" = None,
    documents: tuple[str, ...] | None = None,
) -> "tuple[Judgments, ...]":
    """The ratings that the flags ask for, on the segments of the texts if there are any."""
    from tertium.meta.ratings.files import read_judgments

    return read_judgments(
        rating_sources(arguments),
        **rating_choice(arguments),
        texts=texts,
        documents=documents,
        ranks=arguments.ranks,
        standardize=arguments.z_scores,
        seed=getattr(arguments, "seed", 0),
        judges=arguments.judges,
        exclude=arguments.exclude,
        include_references=arguments.include_references,
    )


def rating_sources(arguments: Namespace) -> "list[str | FileRows]":
    """The files of ratings; a campaign of a store is read here, for readers know only files."""
    if not any(rating.startswith(STORED) for rating in arguments.ratings):
        return list(arguments.ratings)
    try:
        from tertium.serve.rating.results import stored_ratings
    except ImportError as error:
        raise MissingExtraError(
            f"--ratings: package '{error.name}' is not installed; {install_hint('serve')}"
        ) from None
    from tertium.serve.store.connection import DEFAULT_STORE

    place = arguments.store or os.environ.get("TERTIUM_STORE") or DEFAULT_STORE
    return [
        stored_ratings(place, rating) if rating.startswith(STORED) else rating
        for rating in arguments.ratings
    ]


def rating_choice(arguments: Namespace) -> dict[str, Any]:
    """Which ratings of a file count, whoever gave them, and how they are read."""
    from tertium.meta.ratings.rating_tables import parse_grades

    return {
        "format": arguments.ratings_format,
        "pair": arguments.pair,
        "criteria": arguments.criterion,
        "testset": arguments.testset,
        "domain": arguments.domain,
        "grades": parse_grades(arguments.grades),
    }


def document_labels(arguments: Namespace) -> tuple[str, ...] | None:
    """The document of every segment, if a file of them was given."""
    if arguments.documents is None:
        return None
    from tertium.text.documents import labels_of
    from tertium.text.files import TextFile

    return labels_of(TextFile.find(arguments.documents), "document")


def read_names_file(arguments: Namespace) -> Mapping[str, str] | None:
    """The file of names, if one was given."""
    if arguments.names_file is None:
        return None
    from tertium.meta.ratings.system_names import read_names

    return read_names(arguments.names_file)


def rated_inputs(arguments: Namespace) -> "RatedTexts":
    """The corpus, its systems under their rated names, and the ratings of one language pair."""
    from tertium.meta.agreement.shared_systems import rated_texts
    from tertium.meta.spans.segments import RatedCorpus

    names = read_names_file(arguments)
    whole = loaded(arguments)
    return rated_texts(
        whole.corpus,
        whole.systems,
        read_rated(arguments, texts=RatedCorpus(whole.corpus, tuple(whole.systems), names)),
        names=names,
        include_references=arguments.include_references,
    )


def forms_of(
    kind: str,
    *,
    key: str | None = None,
    options: Callable[[Namespace], Mapping[str, object]] = lambda _: {},
) -> Forms[Any]:
    """A result, or several that JSON has under ``key``, as `tertium.report.meta.view` shows it.

    ``kind`` is how the functions there begin; ``options`` are what flags give them beside decimals.
    """

    def view(name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module("tertium.report.meta.view"), name)
        return found

    def text(result: Any, arguments: Namespace) -> Iterable[str]:
        terminal = screen_width(arguments)
        made = view(f"{kind}_view")
        return on_screen(
            arguments,
            made(result, decimals=arguments.width, terminal=terminal, **options(arguments)),
        )

    def latex(result: Any, arguments: Namespace) -> Iterable[str]:
        lines: Iterable[str] = view(f"{kind}_latex")(
            result, decimals=arguments.width, **options(arguments)
        )
        return lines

    def json(result: Any, _: Namespace) -> Iterable[str]:
        value = result.to_dict() if key is None else {key: [part.to_dict() for part in result]}
        return json_pieces({"version": __version__, **value})

    return {"text": text, "json": json, "latex": latex}


# The plots of ``tertium meta agree``.


def configure_plots(parser: ArgumentParser) -> None:
    """Declare the flags."""
    add = parser.add_argument_group("what is drawn").add_argument
    configure_plot_file(add)
    add(
        "--plot-kind",
        metavar="KIND",
        choices=AGREEMENT_PLOTS,
        default="scatter",
        help="scatter (scores against ratings), heat-map (metrics by ratings) or systems "
        "(agreement against the number of systems) (default: scatter)",
    )


def configure_plot_file(add: Add) -> None:
    """Declare where a plot is written."""
    add(
        "--plot",
        metavar="FILE",
        help=f"{', '.join(SUFFIXES)}; where there are several plots, what they show is added "
        "to the name",
    )


def check_plot_file(arguments: Namespace) -> None:
    """Refuse a file that could not be written, before any work is done."""
    if arguments.plot is not None and Path(arguments.plot).suffix.lower() not in SUFFIXES:
        raise OptionError(
            f"--plot: found '{arguments.plot}', expected a name that ends in {', '.join(SUFFIXES)}"
        )
    check_output(arguments.plot)
    if arguments.plot is not None:
        from tertium.report.plots.style import plotly

        plotly()


def write_plots(arguments: Namespace, named: "Mapping[tuple[str, ...], Figure]") -> None:
    """Write the figures to the file asked for, or, where there are several, beside it."""
    from tertium.report.plots.files import named_files, write_figures

    write_figures(named_files(Path(arguments.plot), named))
