"""From the flags of ``tertium tune`` to how weights are looked for."""

from argparse import Namespace
from typing import TYPE_CHECKING, Final

from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.tune import SearchOptions, TrainingOptions

# Which flags belong to which algorithms, with the fields that they set.
_FIELDS: Final = {
    "restarts": ("restarts", ("mert",)),
    "directions": ("random_directions", ("mert",)),
    "patience": ("patience", ("mert",)),
    "epochs": ("epochs", ("mira", "perceptron", "pro")),
    "paths": ("paths", ("mira", "perceptron", "pro")),
    "step": ("step", ("mira",)),
    "l2": ("l2", ("pro",)),
    "pairs": ("pairs", ("pro",)),
    "no_average": ("average", ("mira", "perceptron")),
}


def search_options(arguments: Namespace) -> "SearchOptions | TrainingOptions":
    """The options of the algorithm that was chosen; an error for flags of another one."""
    given = {}
    for flag, (field, algorithms) in _FIELDS.items():
        value = getattr(arguments, flag)
        if value is None or value is False:
            continue
        if arguments.algorithm not in algorithms:
            name = flag.replace("_", "-")
            expected = " or ".join(algorithms)
            raise OptionError(
                f"--{name}: found it with --algorithm {arguments.algorithm}, expected {expected}"
            )
        given[field] = not value if flag == "no_average" else value
    from tertium.tune import SearchOptions, TrainingOptions

    if arguments.algorithm == "mert":
        return SearchOptions(seed=arguments.seed, fixed=tuple(arguments.fixed), **given)
    return TrainingOptions(
        algorithm=arguments.algorithm, seed=arguments.seed, fixed=tuple(arguments.fixed), **given
    )


def steps_of(options: "SearchOptions | TrainingOptions") -> int:
    """How far a progress bar has to go for one metric."""
    from tertium.tune import SearchOptions

    return 1 + options.restarts if isinstance(options, SearchOptions) else options.epochs
