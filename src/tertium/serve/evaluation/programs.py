"""Metrics that programs of the operator compute: set up when the server starts, asked for by name.

No request can name a program that was not set up, and nobody is shown what is run.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.metrics.foreign.cache import Question
from tertium.metrics.foreign.command import CommandMetric
from tertium.metrics.foreign.identity import UNKNOWN
from tertium.metrics.foreign.segment_metric import SegmentScore

_WORD: Final = r"[A-Za-z0-9][A-Za-z0-9._+/-]{0,59}"
_SPEC: Final = re.compile(
    rf"program\[name=(?P<name>{_WORD})(?:,model=(?P<model>{_WORD}))?"
    rf"(?:,version=(?P<version>{_WORD}))?,higher=(?P<higher>yes|no)\]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramMetric(CommandMetric):
    """A metric that a store knows by name, model, version and direction, not by what is run.

    Where the program is not set up, rows that are kept still give scores.
    """

    @property
    def spec(self) -> str:
        """What the store keeps: another version of a program is another metric."""
        parts = {"model": self.model, "version": self.release}
        told = "".join(f",{key}={value}" for key, value in parts.items() if value != UNKNOWN)
        return f"program[name={self.label}{told},higher={'yes' if self.is_gain else 'no'}]"

    def signature(self, references: str | int = 1) -> str:
        """The identity, without the words of the command, which are the operator's own."""
        return CommandMetric.signature(replace(self, run=""), references)

    def answers(self, questions: Sequence[Question]) -> Iterator[list[SegmentScore]]:
        """What the program says, if there is one."""
        if not self.run:
            raise InputError(f"metric {self.label}: its program is not set up on this server")
        return CommandMetric.answers(self, questions)


_SET_UP: Final[dict[str, ProgramMetric]] = {}


def set_up_programs(specs: Iterable[str]) -> None:
    """Take metrics such as ``command[run="python comet.py",name=COMET,version=2.2]``."""
    found = {}
    for spec in specs:
        metric = parse_metric(spec)
        if not isinstance(metric, CommandMetric) or not metric.run:
            raise OptionError(f"--program {spec}: expected command[run=…,name=…]")
        for word in (metric.label, metric.model, metric.release):
            if not re.fullmatch(_WORD, word):
                raise OptionError(
                    f"--program {spec}: found {word!r} as name, model or version, "
                    "expected letters, digits and .+/-"
                )
        if metric.label.lower() in METRICS:
            raise OptionError(f"--program {spec}: {metric.label} is the name of another metric")
        values = {one.name: getattr(metric, one.name) for one in fields(metric) if one.init}
        found[metric.label] = ProgramMetric(**values)
    _SET_UP.clear()
    _SET_UP.update(found)


def program_names() -> tuple[str, ...]:
    """What can be asked for."""
    return tuple(_SET_UP)


def program_metric(spec: str) -> ProgramMetric | None:
    """The metric of a program's name, or of what a store keeps of one; None of any other text."""
    if spec in _SET_UP:
        return _SET_UP[spec]
    whole = _SPEC.fullmatch(spec)
    if whole is None:
        return None
    known = ProgramMetric(
        label=whole["name"],
        model=whole["model"] or UNKNOWN,
        release=whole["version"] or UNKNOWN,
        higher="yes" if whole["higher"] == "yes" else "no",
    )
    running = _SET_UP.get(known.label)
    return running if running is not None and running.spec == spec else known
