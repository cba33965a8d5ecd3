"""The kinds of jobs, and what a job's function takes and gives."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol

from tertium.serve.store.connection import Store
from tertium.suggestions import did_you_mean


class Progress(Protocol):
    """Told by a job how far it is; raises where the job is to end."""

    def __call__(self, part: float, message: str = "") -> None:
        """Say that this part of the work, 0 to 1, is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOutcome:
    """What a job gives: values in JSON, a file, or both."""

    result: dict[str, Any] | None = None
    file: bytes | None = None
    file_name: str | None = None


JobFunction = Callable[[Store, dict[str, Any], Progress], JobOutcome]

KINDS: Final[dict[str, str]] = {
    "score": "tertium.serve.evaluation.work:score_outputs",
    "audit": "tertium.serve.evaluation.work:audit_outputs",
    "report": "tertium.serve.evaluation.work:report_outputs",
    "campaign": "tertium.serve.rating.analysis:analyse",
}
"""Kind → ``module:function``, which is imported by the worker that needs it.

A function may be run twice for one job, where a worker was killed: it must not mind. It computes
first, and keeps what it found in one ``with store.writing()`` at the end.
"""


def function_of(kind: str) -> JobFunction:
    """The function of a kind."""
    if kind not in KINDS:
        raise LookupError(did_you_mean("kind of job", kind, KINDS))
    module, _, name = KINDS[kind].partition(":")
    function: JobFunction = getattr(import_module(module), name)
    return function
