"""Metrics that people may ask a server for: none that reads a file, no program but its own.

Metrics that programs of the operator compute are set up when the server starts and asked for by
name: no request can name a program that was not set up, and nobody is shown what is run.
"""

import re
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, Union, get_args, get_origin

from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import Option, options_of
from tertium.metrics.contract.spec import named
from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.metrics.foreign.cache import Question
from tertium.metrics.foreign.command import CommandMetric
from tertium.metrics.foreign.file_scores import FileScores
from tertium.metrics.foreign.identity import UNKNOWN
from tertium.metrics.foreign.segment_metric import SegmentScore
from tertium.metrics.ngram.bleu import Smoothing
from tertium.serve.errors import RequestError
from tertium.text.tokenizers import NATIVE, Tokenizer
from tertium.version import __version__

_WORD: Final = r"[A-Za-z0-9][A-Za-z0-9._+/-]{0,59}"
_PROGRAM_SPEC: Final = re.compile(
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
    whole = _PROGRAM_SPEC.fullmatch(spec)
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


DEFAULTS: Final = ("bleu", "chrf", "ter")
MOST: Final = 12
"""Metrics of one test set."""
_LONGEST: Final = 300
_SHOWN: Final = 40
_OPTION: Final = r"[a-z][a-z0-9_]*=[A-Za-z0-9.+-]+(?:\[[0-9.]+\])?"
_SPEC: Final = rf"(?P<name>[A-Za-z0-9.+-]+)(?:\[(?P<pairs>{_OPTION}(?:,{_OPTION})*)\])?"
_LARGEST: Final = 100
"""Whole numbers above this, such as orders of n-grams, would fill the memory."""
SLOW: Final = frozenset({"terp", "maxsim", "tesla-m"})
"""Metrics that take seconds for a text of some hundred words."""
_WORDS: Final = {"language": {"en", "cz", "cs", "de", "es", "fr", "ru", "ar", "other"}}
"""Options that are words, and those that name no file."""
_REFUSED: Final = frozenset({"scores", "command", "nee", "dependency", "semantic-roles", "lrscore"})
"""Metrics of files, of programs and of text that is annotated."""


def offered() -> tuple[str, ...]:
    """The names of metrics that a server can compute."""
    return (*(name for name in METRICS if name not in _REFUSED), *program_names())


def checked(spec: str) -> Metric:
    """The metric of a text such as ``bleu[tokenizer=zh]``; a text that names a file is refused.

    Options are looked at before the text is parsed, which would open a file to know its hash.
    """
    program = program_metric(spec.strip())
    if program is not None:
        if not program.run:
            raise RequestError(f"metric {program.label}: its program is not set up on this server")
        return program
    whole = re.fullmatch(_SPEC, spec.strip(), flags=re.ASCII)
    if whole is None or len(spec) > _LONGEST:
        raise RequestError(
            f"metric: found {spec[:_SHOWN]!r}, expected a text such as chrf or bleu[tokenizer=zh]"
        )
    name = named(whole["name"])[0]
    if name in _REFUSED:
        raise RequestError(f"metric: found {name}, expected one of {', '.join(offered())}")
    known = {one.name: one for one in options_of(METRICS[name])}
    for pair in filter(None, (whole["pairs"] or "").split(",")):
        label, _, value = pair.partition("=")
        if label in known and not _is_safe(known[label], value):
            raise RequestError(
                f"metric: found option {label}={value[:_SHOWN]}, expected one that a server may "
                f"set: no file, and no number above {_LARGEST}"
            )
    metric = parse_metric(spec)
    if missing := type(metric).missing():
        raise RequestError(f"metric {name}: {missing}")
    return metric


def checked_list(specs: Sequence[str]) -> list[str]:
    """The metrics' shortest texts, each once."""
    found = list(dict.fromkeys(checked(one).spec for one in specs))
    if not 1 <= len(found) <= MOST:
        raise RequestError(f"metrics: found {len(found)}, expected 1 to {MOST}")
    return found


def foreign(
    name: str,
    *,
    higher: bool | None = None,
    model: str = "unknown",
    version: str = "unknown",
) -> FileScores:
    """A metric that others computed, by name; its rows are in the store, and no file is read."""
    direction: Any = "auto" if higher is None else "yes" if higher else "no"
    unsettled = FileScores(label=name, model=model, release=version, higher=direction)
    return FileScores(
        label=name, model=model, release=version, higher="yes" if unsettled.is_gain else "no"
    )


def is_slow(spec: str) -> bool:
    """Whether nobody should wait for a metric."""
    return spec.partition("[")[0] in SLOW or program_metric(spec) is not None


def is_foreign(spec: str) -> bool:
    """Whether scores were sent under this text, and cannot be computed here."""
    return spec.startswith("scores[")


def rebuilt(spec: str) -> Metric:
    """The metric of a text that the store has."""
    if program := program_metric(spec):
        return program
    if not is_foreign(spec):
        return checked(spec)
    metric = parse_metric(spec)
    if not isinstance(metric, FileScores) or metric.file:
        raise OptionError(f"metric {spec}: found the name of a file, expected none in a store")
    return metric


def version_of(spec: str) -> str:
    """What else decides rows of a metric: the version that computed them."""
    return "" if is_foreign(spec) or program_metric(spec) else __version__


def _is_safe(option: Option, text: str) -> bool:
    if option.name in _WORDS:
        return text in _WORDS[option.name]
    if option.annotation is Tokenizer:
        return text in NATIVE
    return option.annotation is Smoothing or _is_plain(option.annotation, text)


def _is_plain(annotation: Any, text: str) -> bool:
    """Whether an option takes numbers and words of a list alone, and the number is no giant."""
    parts = list(_parts(annotation))
    if not all(
        one in {bool, int, float, type(None)} or get_origin(one) is Literal for one in parts
    ):
        return False
    if int not in parts:
        return True
    return all(int(digits) <= _LARGEST for digits in re.findall(r"[0-9]+", text))


def _parts(annotation: Any) -> Iterable[Any]:
    if get_origin(annotation) in {Union, types.UnionType, tuple}:
        for one in get_args(annotation):
            if one is not Ellipsis:
                yield from _parts(one)
    else:
        yield annotation
