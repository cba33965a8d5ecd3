"""``tertium best-of``: the best candidate of each source, by a metric against references."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import (
    configure_metric,
    configure_references,
    configure_shown,
    configure_source,
    configure_text,
)
from tertium.cli.flags.engine import check_engine, configure_engine
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    check_missing,
    configure_formats,
    configure_missing,
    found_references,
    found_sources,
    found_structures,
    tell_damages,
)
from tertium.cli.shell.lone_numpy import import_lone_numpy
from tertium.cli.shell.output import check_output, write_output

if TYPE_CHECKING:
    from tertium.decode.best_of import Best
    from tertium.metrics.contract.base import Metric

EXPLANATION: Final = """\
Every candidate is scored alone against the references of its source, as 'tertium score -sl' scores
segments; of equal candidates the first is taken. Lists are read, scored and written as they come.
'tertium oracle' looks for the best corpus instead, in lattices and forests too.

examples:
  tertium best-of train.nbest -r train.en > best.en
      the candidate of each source with the best chrF, a line for each
  tertium best-of samples.jsonl.gz -r train.en -m ter -f tsv
      by TER, with segment, place in the list, number of candidates and score
  tertium best-of samples.jsonl -m 'bleu[order=2]' -f jsonl -o best.jsonl
      references that the lists bring, for programs
  tertium best-of candidates.txt --lines 8 -r train.en --skip-missing
      eight lines of plain text for each source; those without a reference are left out
  tertium best-of samples/ -r references/ --engine dask --resume done -f jsonl -o best.jsonl
      as many files of references as of lists, on all processors; see docs/scale.md
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium best-of NBEST … [-r REF …] [-m METRIC] [flags]"
    parser.epilog = f"{FORMAT_HELP}\n{EXPLANATION}"
    add = parser.add_argument_group("what is chosen from").add_argument
    add("input", metavar="NBEST", nargs="+", help="n-best lists; - is standard input")
    configure_references(add, what="what candidates are scored by")
    configure_source(add)
    add(
        "--skip-missing",
        action="store_true",
        help="leave out lists without a reference, and say which",
    )
    configure_formats(parser, limited=True)
    add = parser.add_argument_group("how").add_argument
    configure_metric(add, "chrf", what="what candidates are scored with")
    configure_text(add)
    add = parser.add_argument_group("what is shown").add_argument
    configure_shown(add, FORMS, quiet=True, purposes=FORMS_HELP)
    configure_missing(add)
    configure_engine(parser, skip_bad=False)


def run(arguments: Namespace) -> int:
    """Choose list by list, and write what was chosen as it comes."""
    check_output(arguments.output)
    check_missing(arguments)
    check_engine(arguments)
    import_lone_numpy()

    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.cli.shell.progress import progress_bar
    from tertium.decode.best_of import BestOf

    (metric,) = chosen_metrics([arguments.metric], text_flags(arguments))
    if arguments.engine is not None:
        _choose_by_engine(arguments, metric)
        return 0
    references = found_references(arguments.references)
    chooser = BestOf(
        metric,
        references,
        sources=found_sources(arguments.source),
        skip_missing=arguments.skip_missing,
    )
    lists = found_structures(arguments, arguments.input)

    def segments() -> int:
        return max(len(references or ()), lists.count)

    def total() -> int | None:
        return None if references is None else len(references)

    with progress_bar(total, quiet=arguments.quiet) as step:
        found = chooser.run(lists, step=step)
        shown = FORMS[arguments.format](found, arguments, segments)
        write_output(shown, arguments.output)
    tell_damages(lists.damages.messages)
    _tell_skipped(chooser.missing)
    return 0


def _choose_by_engine(arguments: Namespace, metric: "Metric") -> None:
    from tertium.cli.scale.lists import chosen_by_engine

    chosen = chosen_by_engine(arguments, metric)
    shown = FORMS[arguments.format](chosen.best, arguments, lambda: chosen.segments)
    write_output(shown, arguments.output)
    tell_damages(chosen.damages)
    _tell_skipped(list(chosen.missing))


def _tell_skipped(segments: list[int]) -> None:
    if segments:
        import sys

        from tertium.decode.formats.segments import ranges_of
        from tertium.plurals import counted

        which = f"{counted(len(segments), 'list')} without a reference"
        print(f"tertium: left out {which}: {ranges_of(sorted(segments))}", file=sys.stderr)


def _lines(
    found: "Iterable[Best]", arguments: Namespace, segments: Callable[[], int]
) -> Iterator[str]:
    from tertium.decode.formats.segments import aligned_lines

    return aligned_lines(found, segments, arguments.missing or "")


def _tsv(found: "Iterable[Best]", _: Namespace, __: Callable[[], int]) -> Iterator[str]:
    yield "segment\tplace\tcandidates\tscore\ttext\n"
    for one in found:
        text = " ".join(one.text.splitlines()).replace("\t", " ")
        yield f"{one.segment}\t{one.place}\t{one.candidates}\t{one.score!r}\t{text}\n"


def _json_lines(found: "Iterable[Best]", _: Namespace, __: Callable[[], int]) -> Iterator[str]:
    import json

    for one in found:
        yield json.dumps(one.to_dict(), ensure_ascii=False) + "\n"


FORMS: Final = {"lines": _lines, "tsv": _tsv, "jsonl": _json_lines}
FORMS_HELP: Final = {
    "lines": "the texts alone, a line for each segment",
    "tsv": "with scores, for spreadsheets",
    "jsonl": "with scores, for programs",
}
