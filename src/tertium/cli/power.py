"""``tertium power``: what a test set can tell, before anything is claimed."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.common import (
    configure_alpha,
    configure_metrics,
    configure_power,
    configure_resampling,
    configure_scores,
    configure_seed,
    configure_shown,
    configure_text,
    configure_trials,
    score_metrics,
)
from tertium.cli.flags.inputs import configure_input, loaded
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, show, view_forms

if TYPE_CHECKING:
    from tertium.decide.power import Power
    from tertium.tables import Part

EXAMPLES: Final = """\
The same stands below the verdict of 'tertium decide … --power'.

examples:
  tertium power reference.en -i baseline.en better.en
      which difference could this test set show, and how many segments would it take?
  tertium power reference.en -i baseline.en better.en -m bleu chrf --documents documents.tsv
      by whole documents
  tertium power reference.en -i baseline.en better.en --difference 1
      how likely is a true difference of one BLEU point to be found?
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium power REF … -i BASE SYS … [-m METRIC …] [flags]"
    parser.epilog = EXAMPLES
    configure_input(parser)
    add = parser.add_argument_group("what is asked").add_argument
    configure_metrics(add)
    configure_scores(add)
    configure_text(add)
    configure_power(add)
    configure_alpha(add, what="significance level of the test")
    configure_resampling(add)
    configure_trials(add, what="resamples")
    configure_seed(add)
    configure_shown(parser.add_argument_group("what is shown").add_argument, FORMS)


def run(arguments: Namespace) -> int:
    """Resample, and print only when everything has been done."""
    check_output(arguments.output)

    from tertium.cli.flags.chosen_metrics import chosen_metrics, text_flags
    from tertium.decide.power import power

    metrics = chosen_metrics(
        arguments.metrics, text_flags(arguments), more=score_metrics(arguments)
    )
    whole = loaded(arguments, metrics)
    result = power(
        whole.corpus,
        whole.systems,
        metrics,
        difference=arguments.difference,
        wanted=arguments.power,
        alpha=arguments.alpha,
        resample=arguments.resample,
        trials=arguments.trials,
        seed=arguments.seed,
    )
    show(result, arguments, FORMS)
    return 0


def _view(power: "Power", _: Namespace) -> "Iterable[Part]":
    from tertium.report.decision import power_view

    return power_view(power)


FORMS: Final[Forms["Power"]] = view_forms(_view, "text")
