"""Scores of a training run in Weights & Biases, MLflow or TensorBoard, beside the losses.

``tertium score --follow FOLDER --track wandb:PROJECT`` sends the scores of each output as it is
complete; from Python `tracker` gives the same. The step is the last number in the name of the file,
``checkpoint-2000.txt`` is 2000, and where a name has none, the number of the file.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from tertium.errors import MissingExtraError, OptionError
from tertium.suggestions import did_you_mean

PROGRAMS: Final = ("wandb", "mlflow", "tensorboard")
"""Names before the colon of ``--track``."""


class Tracker(NamedTuple):
    """Somewhere that scores are sent to, by step, until it is closed."""

    log: Callable[[Mapping[str, float], int], object]
    close: Callable[[], object]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def tracker(where: str) -> Tracker:
    """A tracker by its program and, after a colon, the project, experiment or folder.

    >>> tracker("wanb:translation")
    Traceback (most recent call last):
    tertium.errors.OptionError: unknown tracker 'wanb'; did you mean 'wandb'? known: mlflow, ...
    """
    program, _, name = where.partition(":")
    if program not in PROGRAMS:
        raise OptionError(did_you_mean("tracker", program, PROGRAMS))
    if program == "wandb":
        run = _imported("wandb", "wandb").init(project=name or "tertium")
        return Tracker(log=lambda scores, step: run.log(dict(scores), step=step), close=run.finish)
    if program == "mlflow":
        mlflow = _imported("mlflow", "mlflow")
        mlflow.set_experiment(name or "tertium")
        mlflow.start_run()
        return Tracker(
            log=lambda scores, step: mlflow.log_metrics(dict(scores), step=step),
            close=mlflow.end_run,
        )
    writer = _imported("tensorboardX", "tensorboardX").SummaryWriter(name or "runs")

    def add(scores: Mapping[str, float], step: int) -> None:
        for title, value in scores.items():
            writer.add_scalar(title, value, step)
        writer.flush()

    return Tracker(log=add, close=writer.close)


def step_of(file: str, number: int) -> int:
    """The step that a file is of: the last number of its name, else the number of the file.

    >>> step_of("out/checkpoint-2000.de-en.txt", 3), step_of("out/last.txt", 3)
    (2000, 3)
    """
    found = re.findall(r"\d+", PurePath(file).name)
    return int(found[-1]) if found else number


def _imported(module: str, package: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise MissingExtraError(
            f"--track: the package {package} is missing, expected for this: pip install {package}"
        ) from None
