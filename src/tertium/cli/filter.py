"""``tertium filter``: pairs of texts that are kept by their score."""

import sys
from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.flags.common import (
    configure_former,
    configure_metric,
    configure_output,
    configure_quiet,
    configure_source,
    configure_text,
)
from tertium.cli.flags.inputs import configure_files, configure_num_refs, configure_tables
from tertium.cli.flags.values import columns_by_role
from tertium.cli.shell.lone_numpy import import_lone_numpy
from tertium.cli.shell.output import check_output, write_output
from tertium.errors import OptionError
from tertium.plurals import counted

EXPLANATION: Final = """\
Every pair is scored alone, as 'tertium score -sl' scores segments, and kept if its score is not
below --min and not above --max. Pairs are read, scored and written as they come, so files may be
larger than memory. Of a table with both sides (TSV, CSV, JSON lines, Parquet) whole rows are kept
in its own format; of two files a table is made, or two files again.

What was kept and dropped is told on standard error.

examples:
  tertium filter back-translated.en -i original.en --min 40 -o kept.tsv
      pairs with a chrF of 40 or more, as a table with the columns hypothesis and reference
  tertium filter references.en -i outputs.en --min 40 --texts kept.outputs kept.references
      the same as files side by side, in the order: hypothesis, references, source
  tertium filter pairs.jsonl.gz -m ter --max 60 --write-scores -o kept.jsonl.gz
      lines of JSON with the score of each; for TER less is better
  tertium filter pairs.parquet --columns hypothesis=mt reference=human --min 30 --max 95 \\
      -o kept.parquet --summary counts.json
      neither too different nor the same, with the counts for programs
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium filter REF … [-i HYP] [-m METRIC] --min X [--max Y] [flags]"
    parser.epilog = EXPLANATION
    add = parser.add_argument_group("what is filtered").add_argument
    configure_files(add, names=False)
    configure_num_refs(add)
    configure_source(add)
    configure_tables(add)
    add = parser.add_argument_group("what is kept").add_argument
    configure_metric(add, "chrf", what="what pairs are scored with")
    add("--min", metavar="X", type=float, help="pairs with this score or more")
    add("--max", metavar="X", type=float, help="pairs with this score or less")
    configure_text(add)
    add = parser.add_argument_group("how it is written").add_argument
    configure_output(add)
    add(
        "--texts",
        metavar="FILE",
        nargs="+",
        default=[],
        help="instead of a table: plain text, a file for hypotheses, for each REF and for --source",
    )
    add(
        "--to",
        metavar="FORMAT",
        choices=("tsv", "csv", "jsonl", "parquet"),
        help="format of the table (default: by the name of the output, else as the input, "
        "else tsv)",
    )
    scores = add(
        "--write-scores", dest="scores", action="store_true", help="write a column 'score', too"
    )
    configure_former(add, "--scores", scores)
    add("--summary", metavar="FILE", help="write what was kept and dropped as JSON")
    configure_quiet(add)


def run(arguments: Namespace) -> int:
    """Filter, and say how much is left."""
    _check(arguments)
    import_lone_numpy()
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.cli.shell.progress import count_lines, progress_bar
    from tertium.plain import json_text
    from tertium.scale import filter_pairs

    (metric,) = chosen_metrics([arguments.metric], text_flags(arguments))
    with progress_bar(lambda: count_lines(arguments.references[0]), quiet=arguments.quiet) as step:
        filtered = filter_pairs(
            arguments.references,
            arguments.input[0] if arguments.input else None,
            output=arguments.output or "-",
            metric=metric,
            minimum=arguments.min,
            maximum=arguments.max,
            scores=arguments.scores,
            texts=arguments.texts,
            form=arguments.to,
            source=arguments.source,
            format=arguments.input_format,
            columns=columns_by_role(arguments.columns),
            num_refs=arguments.num_refs,
            stdin=sys.stdin.buffer,
            inline_codes=arguments.inline_codes,
            quoting=arguments.quoting,
            step=step,
        )
    if arguments.summary:
        write_output([json_text(filtered.to_dict())], arguments.summary)
    if not arguments.quiet:
        print(f"tertium: {filtered}", file=sys.stderr)
    return 0


def _check(arguments: Namespace) -> None:
    """Refuse flags that contradict each other before anything is read."""
    for path in (arguments.output, arguments.summary, *arguments.texts):
        check_output(path)
    if arguments.min is None and arguments.max is None:
        raise OptionError("--min: found neither it nor --max, expected a bound of the score")
    if len(arguments.input) > 1:
        raise OptionError(f"-i: found {counted(len(arguments.input), 'file')}, expected one")
    for flag in ("output", "to"):
        if arguments.texts and getattr(arguments, flag):
            raise OptionError(f"--texts: found --{flag} too, expected one of them")
    if arguments.summary in {"-", "/dev/stdout"} and not (arguments.output or arguments.texts):
        raise OptionError("--summary: found standard output, expected -o FILE for the pairs then")
