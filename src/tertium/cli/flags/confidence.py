"""The flags of ``tertium score`` that ask how sure a score is, spelled as sacreBLEU spells them."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from tertium.cli.flags.common import (
    configure_alpha,
    configure_interval,
    configure_resampling,
    configure_seed,
)
from tertium.cli.flags.values import confidence_of, whole_number
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.choices import IntervalMethod, Resampling
    from tertium.results import Evaluation


def configure_confidence(parser: ArgumentParser) -> None:
    """Declare the flags."""
    group = parser.add_argument_group(
        "how sure it is",
        "The paired tests compare every system with the first one. p-values are two-sided;\n"
        "a star means that the corrected one, by max-T over all of them, is significant.",
    )
    group.add_argument(
        "-ci", "--confidence", action="store_true", help="a bootstrap interval for every score"
    )
    group.add_argument(
        "-cin",
        "--confidence-n",
        "--trials",
        metavar="N",
        type=whole_number(1),
        help="resamples of --confidence (default: 1000)",
    )
    configure_alpha(
        group.add_argument, what="intervals have the confidence 1 - P", set_default=False
    )
    kinds = group.add_mutually_exclusive_group()
    kinds.add_argument(
        "-pbs",
        "--paired-bs",
        action="store_true",
        help="paired bootstrap test, with intervals (Koehn 2004)",
    )
    kinds.add_argument(
        "-par",
        "--paired-ar",
        action="store_true",
        help="approximate randomization test (Riezler & Maxwell 2005)",
    )
    group.add_argument(
        "-pbsn",
        "--paired-bs-n",
        metavar="N",
        type=whole_number(1),
        help="resamples of --paired-bs (default: 10000)",
    )
    group.add_argument(
        "-parn",
        "--paired-ar-n",
        metavar="N",
        type=whole_number(1),
        help="trials of --paired-ar (default: 10000)",
    )
    group.add_argument(
        "--one-sided",
        action="store_true",
        help="with --paired-bs: the one-sided p-value that sacreBLEU and Moses print instead, "
        "not corrected",
    )
    configure_interval(group.add_argument, set_default=False)
    configure_resampling(group.add_argument, set_default=False)
    configure_seed(group.add_argument, set_default=False)


def asks_for_confidence(arguments: Namespace) -> bool:
    """Whether anything is to be resampled, for which all statistics must be kept."""
    return bool(arguments.confidence or arguments.paired_bs or arguments.paired_ar)


def check_confidence(arguments: Namespace) -> None:
    """Refuse flags that contradict each other, or that nothing would use."""
    intervals = {
        "--confidence": arguments.confidence,
        "--paired-bs": arguments.paired_bs,
    }
    every = {**intervals, "--paired-ar": arguments.paired_ar}
    needs = {
        "confidence_n": {"--confidence": arguments.confidence},
        "alpha": intervals,
        "interval": intervals,
        "paired_bs_n": {"--paired-bs": arguments.paired_bs},
        "paired_ar_n": {"--paired-ar": arguments.paired_ar},
        "one_sided": {"--paired-bs": arguments.paired_bs},
        "resample": every,
        "seed": every,
    }
    for name, users in needs.items():
        if getattr(arguments, name) not in {None, False} and not any(users.values()):
            flag = f"--{name.replace('_', '-')}"
            raise OptionError(f"{flag}: found alone, expected with {' or '.join(users)}")
    asked = [flag for flag, given in every.items() if given]
    if arguments.confidence and arguments.paired_bs:
        raise OptionError("--confidence: found with --paired-bs, which has intervals of its own")
    if asked and arguments.sentence_level:
        raise OptionError(f"{asked[0]}: found with --sentence-level, expected one of them")
    if asked and arguments.by:
        raise OptionError(f"{asked[0]}: found with --by, expected one of them")


def with_confidence(evaluation: "Evaluation", arguments: Namespace) -> "Evaluation":
    """The evaluation with the intervals and tests that the flags ask for."""
    if not asks_for_confidence(arguments):
        return evaluation
    from tertium.choices import DEFAULT_SEED, TEST_TRIALS
    from tertium.inference import with_intervals, with_paired_bootstrap, with_randomization
    from tertium.results import USUAL_LEVEL

    seed = DEFAULT_SEED if arguments.seed is None else arguments.seed
    level = confidence_of(arguments.alpha) if arguments.alpha else USUAL_LEVEL
    resample: Resampling = arguments.resample or "auto"
    interval: IntervalMethod = arguments.interval or "percentile"
    if arguments.paired_bs:
        evaluation = with_paired_bootstrap(
            evaluation,
            resample=resample,
            trials=arguments.paired_bs_n or TEST_TRIALS,
            seed=seed,
            level=level,
            kind="sacrebleu" if arguments.one_sided else "two-sided",
            interval=interval,
        )
    if arguments.confidence:
        trials = arguments.confidence_n or 1000
        evaluation = with_intervals(
            evaluation,
            resample=resample,
            trials=trials,
            seed=seed,
            level=level,
            interval=interval,
        )
    if arguments.paired_ar:
        trials = arguments.paired_ar_n or TEST_TRIALS
        evaluation = with_randomization(evaluation, resample=resample, trials=trials, seed=seed)
    return evaluation
