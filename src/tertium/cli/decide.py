"""``tertium decide``: one answer in words for each system, and an exit code for scripts."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, cast

from tertium.cli.flags.common import (
    configure_alpha,
    configure_former,
    configure_interval,
    configure_metrics,
    configure_power,
    configure_resampling,
    configure_runs,
    configure_scores,
    configure_seed,
    configure_shown,
    configure_text,
    configure_trials,
    score_metrics,
)
from tertium.cli.flags.inputs import configure_input, loaded
from tertium.cli.flags.values import runs_by_name, whole_number
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, show, view_forms
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.decide.decision import Decision
    from tertium.metrics.contract.families import Basis
    from tertium.tables import Part

DOES_NOT_HOLD: Final = 1

EXAMPLES: Final = """\
answers:
  scores higher, lower  a significant difference by overlap with the references alone
  better, worse         a trained or reference-free metric (--scores) lies the same way
  no difference         none is significant; the sentence says what this test set detects
  metrics disagree      some are significantly ahead, others behind or on the other side
  … as submitted        the output of the one that lost is damaged; its model may be better
  do not trust          an audit found that the lead would turn or be gone, or the winner damaged
                        or made from the reference (or the reference from it)
exit codes with --require: 0 holds, 1 does not hold, 2 bad input, 70 internal error

examples:
  tertium decide reference.en -i baseline.en better.en
      does it score higher? by BLEU and chrF
  tertium decide reference.en -i baseline.en new.en --documents documents.tsv -m bleu chrf ter
      tests by whole documents; slices by genre that go the other way
  tertium decide reference.en -i baseline.en new.en --scores comet.tsv --require better
      is it better? a build fails if it is not, by COMET beside BLEU and chrF
  tertium decide reference.en -i baseline.en new.en -m bleu --require not-lower --margin 0.5
      a build fails unless a drop by half a point or more can be ruled out
  tertium decide reference.en -i baseline.en new.en --power
      below the answer: which differences this test set can show, as 'tertium power' says it
  tertium decide reference.en -i online-b.en gpt-4.en --llm gpt-4
      human agreement of pairs of this kind: overlap favors classic systems over LLMs
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium decide REF … -i BASE SYS … [-m METRIC …] [--require …] [flags]"
    parser.epilog = EXAMPLES
    configure_input(parser)
    add = parser.add_argument_group("how it is decided").add_argument
    configure_metrics(add)
    configure_scores(add)
    configure_text(add)
    configure_resampling(add)
    configure_interval(add)
    configure_alpha(add, what="significance level, over all systems and metrics")
    configure_runs(add)
    configure_trials(add)
    configure_seed(add)
    kinds = add(
        "--metric-kind",
        metavar="NAME=KIND",
        nargs="+",
        default=[],
        help="what a metric is whose name does not tell it: trained, reference-free or overlap",
    )
    configure_former(add, "--evidence", kinds)
    add(
        "--llm",
        metavar="NAME",
        nargs="+",
        default=[],
        help="systems that are LLMs: human agreement is then that of such pairs",
    )
    add("--no-audit", action="store_true", help="leave the audits out, which takes less time")
    _configure_requirement(parser)
    shown = parser.add_argument_group("what is shown").add_argument
    shown(
        "--top",
        metavar="N",
        type=whole_number(1),
        default=3,
        help="segments with the largest contributions (default: 3)",
    )
    configure_power(shown, optional=True)
    configure_shown(shown, FORMS)


def _configure_requirement(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is required").add_argument
    add(
        "--require",
        metavar="WHAT",
        choices=("better", "not-worse", "higher", "not-lower"),
        help="what must hold for every system: better or not-worse, or of the scores alone higher "
        "or not-lower; the exit code says if it does",
    )
    add(
        "--margin",
        metavar="X",
        type=float,
        nargs="+",
        default=[],
        help="points, one number for all metrics or one for each: better by more than X, "
        "or not worse by X or more",
    )


def run(arguments: Namespace) -> int:
    """Decide, print when everything is done, and say by the exit code what was required."""
    check_output(arguments.output)
    if arguments.difference is not None and arguments.power is None:
        raise OptionError("--difference: found no --power, expected it")

    from tertium.cli.flags.chosen_metrics import chosen_metrics, metrics_for, text_flags
    from tertium.decide.decide import decide

    flags, more = text_flags(arguments), score_metrics(arguments)
    usual = chosen_metrics(arguments.metrics, flags, more=more)
    whole = loaded(arguments, usual, fits_tokenizer=True)
    metrics = metrics_for(whole.corpus, arguments.metrics, flags, more=more)
    decision = decide(
        whole.corpus,
        whole.systems,
        metrics,
        resample=arguments.resample,
        interval=arguments.interval,
        runs=runs_by_name(arguments.runs),
        alpha=arguments.alpha,
        trials=arguments.trials,
        seed=arguments.seed,
        audit=not arguments.no_audit,
        top=arguments.top,
        require=arguments.require,
        margins=arguments.margin,
        evidence=_evidence(arguments.metric_kind),
        llms=arguments.llm,
        power=arguments.power,
        difference=arguments.difference,
    )
    show(decision, arguments, FORMS)
    held = decision.requirement is None or decision.requirement.holds
    return 0 if held else DOES_NOT_HOLD


def _evidence(given: Iterable[str]) -> "dict[str, Basis]":
    """What was said of metrics, by name; `decide` refuses other kinds and names."""
    pairs = [text.rpartition("=") for text in given]
    for name, _, basis in pairs:
        if not name:
            raise OptionError(
                f"--metric-kind: found '{basis}', expected a metric and what it is, such as "
                "judge=reference-free"
            )
    return {name: cast("Basis", basis) for name, _, basis in pairs}


def _view(decision: "Decision", _: Namespace) -> "Iterable[Part]":
    from tertium.report.decision import decision_view

    return decision_view(decision)


FORMS: Final[Forms["Decision"]] = view_forms(_view, "text")
