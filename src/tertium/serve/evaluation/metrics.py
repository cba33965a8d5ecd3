"""Metrics that people may ask a server for: none that reads a file, no program but its own."""

import re
import types
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, Union, get_args, get_origin

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import Option, options_of
from tertium.metrics.contract.spec import named
from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.metrics.foreign.file_scores import FileScores
from tertium.metrics.ngram.bleu import Smoothing
from tertium.serve.errors import RequestError
from tertium.serve.evaluation.programs import program_metric, program_names
from tertium.text.tokenizers import NATIVE, Tokenizer
from tertium.version import __version__

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
