"""``tertium meta orange``: how high metrics rank references inside n-best lists."""

from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.flags.common import (
    configure_alpha,
    configure_metrics,
    configure_references,
    configure_seed,
    configure_text,
    configure_trials,
)
from tertium.cli.flags.formats import (
    FORMAT_HELP,
    configure_formats,
    found_references,
    found_structures,
    tell_damages,
)
from tertium.cli.flags.values import confidence_of, whole_number
from tertium.cli.meta.flags import configure_shown, forms_of
from tertium.cli.shell.output import check_output
from tertium.cli.shell.progress import progress_bar
from tertium.cli.shell.result import show
from tertium.errors import InputError
from tertium.plurals import counted

FORMS: Final = forms_of("orange")
PAPER_METRICS: Final = (
    *("bleu[smoothing=lin-och]", "nist", "wer", "per"),
    *("rouge-l", "rouge-s", "gtm"),
)
"""Those that Lin & Och compare; BLEU has one match more above single words, as there."""

EXPLANATION: Final = f"""\
Each reference is scored by the others, and so are the candidates of its list; its rank among them
over the length of the list is ORANGE (Lin & Och 2004). No ratings are needed. Lower is better, 0.5
is chance, and at least two references are.

{FORMAT_HELP}
examples:
  tertium meta orange dev.nbest -r ref.0 ref.1 ref.2 ref.3
      the metrics of the paper, BLEU smoothed as there
  tertium meta orange dev.nbest -r ref.0 ref.1 -m chrf ter meteor --length 100
      other metrics, the first hundred candidates of each list
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium meta orange NBEST … -r REF REF … [-m METRIC …] [flags]"
    parser.epilog = EXPLANATION
    add = parser.add_argument_group("what is ranked").add_argument
    add("input", metavar="NBEST", nargs="+", help="n-best lists; - is standard input")
    configure_references(add, what="those that are ranked, and rank one another")
    add(
        "--length",
        metavar="N",
        type=whole_number(1),
        help="the first N candidates of each list (default: all)",
    )
    configure_formats(parser, limited=True)
    add = parser.add_argument_group("how").add_argument
    configure_metrics(add, PAPER_METRICS, what="metrics to rank by")
    configure_text(add)
    configure_trials(add, 1000, what="resamples of the intervals")
    configure_alpha(add)
    configure_seed(add)
    configure_shown(parser, FORMS, width=4)


def run(arguments: Namespace) -> int:
    """Rank the references of every list by every metric."""
    check_output(arguments.output)
    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.decode.structures.nbest import NBest
    from tertium.meta.orange import orange

    metrics = chosen_metrics(arguments.metrics, text_flags(arguments))
    known = found_references(arguments.references)
    structures = found_structures(arguments, arguments.input)
    lists, references = [], []
    for _, nbest in structures:
        if not isinstance(nbest, NBest):
            raise InputError(f"{nbest.name}: found no n-best list, expected nothing else")
        if known is not None and nbest.segment >= len(known):
            raise InputError(
                f"segment {nbest.segment}: found no reference, expected at least 2 "
                f"(the references have {counted(len(known), 'segment')})"
            )
        lists.append(nbest.hypotheses)
        references.append(nbest.references if known is None else known[nbest.segment])
    with progress_bar(lambda: len(metrics)) as progress:
        report = orange(
            lists,
            references,
            metrics,
            length=arguments.length,
            trials=arguments.trials,
            level=confidence_of(arguments.alpha),
            seed=arguments.seed,
            step=progress,
        )
    tell_damages(structures.damages.messages)
    show(report, arguments, FORMS)
    return 0
