"""The files of a corpus and its systems: their flags, and what these name, opened."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import Add, configure_documents, configure_join, configure_source
from tertium.cli.flags.values import columns_by_role, key_and_value, whole_number
from tertium.errors import InputError, OptionError
from tertium.suggestions import did_you_mean
from tertium.text.formats.table import FORMATS, KNOWN_FORMATS

if TYPE_CHECKING:
    from tertium.metrics.contract.base import Metric
    from tertium.text.articles import ArticleUnit
    from tertium.text.corpus import Chunk
    from tertium.text.inputs import Inputs

INPUT_FORMATS: Final = ("auto", *KNOWN_FORMATS)


def configure_input(parser: ArgumentParser, *, optional: bool = False) -> None:
    """Declare what every command that reads a corpus and its systems has in common.

    ``optional`` is for a command that can do without any text.
    """
    add = parser.add_argument_group("what is scored").add_argument
    configure_files(add, optional=optional)
    configure_num_refs(add)
    configure_source(add)
    configure_documents(add, use="for slices and for resampling by document")
    configure_tables(add)
    configure_join(add)
    configure_max_tokens(add)


def configure_max_tokens(add: Add) -> None:
    """What is too long to be one segment."""
    add(
        "--max-tokens",
        metavar="N",
        type=whole_number(1),
        help="refuse segments of more than N words, and name the first; some metrics take very "
        "long for long segments (default: no limit, but a warning above about ten seconds)",
    )


def configure_num_refs(add: Add) -> None:
    """Several references in one file of plain text."""
    add(
        "-nr",
        "--num-refs",
        metavar="N",
        type=whole_number(1),
        default=1,
        help="references on each line of REF, with tabs between them (default: 1)",
    )


def configure_files(add: Add, *, optional: bool = False, names: bool = True) -> None:
    """Declare the references and the systems; ``names`` if these can be given any."""
    add(
        "references",
        metavar="REF",
        nargs="*" if optional else "+",
        help="reference file or files; they come before all flags",
    )
    add(
        "-i",
        "--input",
        metavar="SYS",
        nargs="+",
        default=[],
        help="a file for each system (default: those in REF if it is a table, else stdin)",
    )
    if names:
        add(
            "--names",
            metavar="NAME",
            nargs="+",
            help="names of the systems (default: from the files' names)",
        )


def configure_tables(add: Add) -> None:
    """Declare how files are read."""
    add(
        "--input-format",
        "--format-in",
        metavar="FORMAT",
        type=_format_name,
        default="auto",
        help=f"{', '.join(INPUT_FORMATS)} (default: auto, from content, then names); text "
        "reads any file as lines",
    )
    add(
        "--inline-codes",
        metavar="WHAT",
        choices=("drop", "keep"),
        default="drop",
        help="drop or keep tags and placeholders of XLIFF, TMX and subtitles (default: drop)",
    )
    add(
        "--quoting",
        metavar="WHETHER",
        choices=("auto", "yes", "no"),
        default="auto",
        help="whether quotes at both ends of a TSV cell enclose it: auto, yes, no (default: auto, "
        "from the whole file)",
    )
    add(
        "--columns",
        metavar="ROLE=COLUMN",
        nargs="+",
        type=key_and_value,
        default=[],
        help="columns of a table to read, such as reference=ref hypothesis=mt, or "
        "reference=translation.en; id=none joins files by position",
    )


def _format_name(name: str) -> str:
    """A format of ours, or one that another package offers."""
    if name not in INPUT_FORMATS and name not in FORMATS:
        raise ArgumentTypeError(did_you_mean("format", name, ("auto", *FORMATS)))
    return name


def opened(
    arguments: Namespace,
    metrics: "Sequence[Metric]" = (),
    *,
    articles: "ArticleUnit" = "paragraph",
    fits_tokenizer: bool = False,
) -> "Inputs":
    """The files of the corpus and its systems; plain text is not read yet.

    Where ``metrics`` would score them otherwise than is likely meant, that is said.
    """
    from tertium.text.input_files import open_inputs

    common = getattr(arguments, "common", False)
    if common and (getattr(arguments, "ratings", ()) or getattr(arguments, "spans", ())):
        raise OptionError(
            "--common: found with ratings, expected without, as they number all segments"
        )
    inputs = open_inputs(
        arguments.references,
        arguments.input,
        source=getattr(arguments, "source", None),  # a command that needs none has no such flag
        documents=arguments.documents,
        format=arguments.input_format,
        columns=columns_by_role(arguments.columns),
        names=arguments.names,
        num_refs=getattr(arguments, "num_refs", 1),
        stdin=sys.stdin.buffer,
        articles=articles,
        max_tokens=getattr(arguments, "max_tokens", None),
        inline_codes=arguments.inline_codes,
        quoting=arguments.quoting,
        pair=getattr(arguments, "pair", None),
        common=common,
        split_paragraphs=getattr(arguments, "paragraphs", False),
    )
    if not getattr(arguments, "quiet", False):
        replaced = fits_tokenizer and getattr(arguments, "tokenize", None) is None
        for hint in inputs.hints:
            print(f"tertium: {hint}", file=sys.stderr)
        for mistake in (
            *marked_files(inputs),
            *unsuited_metrics(inputs, metrics, tokenizer_is_replaced=replaced),
        ):
            print(f"tertium: warning: {mistake}", file=sys.stderr)
    return inputs


def marked_files(inputs: "Inputs") -> Iterator[str]:
    """Files of plain text that begin with a mark of Windows, which is scored."""
    from tertium.text.inputs import LineFeed
    from tertium.text.lines import BYTE_ORDER_MARK

    for feed in (*inputs.references, *inputs.systems):
        if isinstance(feed, LineFeed) and feed.file.beginning.startswith(BYTE_ORDER_MARK):
            yield (
                f"{feed.name}: begins with a byte-order mark, which counts as a part of its first "
                "word, as in sacreBLEU; save the file as UTF-8 without it"
            )


def unsuited_metrics(
    inputs: "Inputs",
    metrics: "Sequence[Metric]",
    *,
    tokenizer_is_replaced: bool = False,
) -> Iterator[str]:
    """Metrics that cannot find the words of the first reference, if that is plain text."""
    from tertium.text.inputs import LineFeed
    from tertium.text.tokenizers import CHINESE, JAPANESE, THIRTEEN_A, writing_of

    feed = inputs.references[0]
    if not isinstance(feed, LineFeed):
        return
    text = feed.file.beginning.decode("utf-8", "ignore")
    writing = writing_of(text)
    by_words = [metric for metric in metrics if getattr(metric, "tokenizer", None) == THIRTEEN_A]
    if writing and by_words and not tokenizer_is_replaced:
        yield (
            f"{feed.name}: {writing.name} has no spaces between words: a whole sentence is one "
            f"token for {_titles(by_words)} (tokenizer {THIRTEEN_A}); use -tok {writing.tokenizer}"
        )
    edits = [metric for metric in metrics if getattr(metric, "asian_support", None) is False]
    if writing in {CHINESE, JAPANESE} and edits:
        yield (
            f"{feed.name}: {writing.name} has no spaces between words: a whole sentence is one "
            f"token for {_titles(edits)}; use -m 'ter[normalized=yes,asian_support=yes]'"
        )
    latin = [metric for metric in metrics if getattr(metric, "text", None) == "ascii"]
    if latin and mostly_beyond_ascii(text):
        yield (
            f"{feed.name}: only the letters a to z count for {_titles(latin)}, so that most of "
            f"this text is left out; use -m '{latin[0].name}[text=unicode]'"
        )


def mostly_beyond_ascii(text: str) -> bool:
    """Whether most letters are others than those of English.

    >>> mostly_beyond_ascii("Кошка сидит."), mostly_beyond_ascii("Die Kätzin sitzt.")
    (True, False)
    """
    letters = [letter.isascii() for letter in text if letter.isalpha()]
    return 2 * sum(letters) < len(letters)


def _titles(metrics: "Sequence[Metric]") -> str:
    return ", ".join(metric.title for metric in metrics)


def loaded(
    arguments: Namespace, metrics: "Sequence[Metric]" = (), *, fits_tokenizer: bool = False
) -> "Chunk":
    """The whole corpus and its systems, of at least one segment.

    With ``fits_tokenizer`` the caller chooses tokenizers that fit the references itself.
    """
    return whole_of(opened(arguments, metrics, fits_tokenizer=fits_tokenizer))


def say_notes(whole: "Chunk") -> None:
    """What must be known beside a result that has no place for it, on standard error."""
    for note in whole.corpus.notes:
        print(f"tertium: warning: {note}", file=sys.stderr)


def whole_of(inputs: "Inputs") -> "Chunk":
    """All of what was opened, of at least one segment."""
    whole = inputs.load()
    if not len(whole):
        # Nothing against nothing is perfect by convention; a user has mistaken the file.
        raise InputError(f"{inputs.name}: 0 segments, expected at least one")
    return whole
