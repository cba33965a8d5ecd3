"""Values of flags: what argparse turns words into, with errors that say what would fit."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from tertium.errors import OptionError
from tertium.text.decimals import decimal


def whole_number(least: int) -> Callable[[str], int]:
    """A reader of whole numbers that are not too small."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise ArgumentTypeError(f"found '{text}', expected a whole number from {least} on")
        return number

    return read


def positive_number(text: str) -> float:
    """A number above 0.

    >>> positive_number("0.5")
    0.5
    """
    number = decimal(text) or 0.0
    if number <= 0:
        raise ArgumentTypeError(f"found '{text}', expected a number above 0")
    return number


def share(text: str) -> float:
    """A number strictly between 0 and 1.

    >>> share("0.95")
    0.95
    """
    number = decimal(text) or 0.0
    if not 0 < number < 1:
        raise ArgumentTypeError(f"found '{text}', expected a number between 0 and 1")
    return number


def significance(text: str) -> float:
    """A significance level, which nobody takes above one half.

    >>> significance("0.05")
    0.05
    """
    number = decimal(text) or 0.0
    if not 0 < number <= 0.5:
        raise ArgumentTypeError(f"found '{text}', expected a significance level such as 0.05")
    return number


def significance_of_confidence(text: str) -> float:
    """The significance level that belongs to the confidence of an interval.

    >>> significance_of_confidence("0.95")
    0.05
    """
    return confidence_of(share(text))


def confidence_of(alpha: float) -> float:
    """The confidence of intervals that belongs to a significance level, without rounding errors.

    >>> 1 - 0.1, 1 - 0.35, confidence_of(0.35)
    (0.9, 0.65, 0.65)
    """
    return round(1 - alpha, 12)


def key_and_value(text: str) -> tuple[str, str]:
    """A pair such as ``hypothesis=mt``.

    >>> key_and_value("hypothesis=mt")
    ('hypothesis', 'mt')
    """
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise ArgumentTypeError(f"found '{text}', expected role=column")
    return key, value


def named_runs(text: str) -> tuple[str, list[str]]:
    """A system and its runs.

    >>> named_runs("base=base.1,base.2")
    ('base', ['base.1', 'base.2'])
    """
    name, equals, runs = text.partition("=")
    pairs = runs.split(",")
    if not (name and equals and all(pairs)):
        raise ArgumentTypeError(
            f"found '{text}', expected name=run,run, such as base=base.1,base.2"
        )
    return name, pairs


def runs_by_name(
    pairs: Sequence[tuple[str, list[str]]] | None,
) -> Mapping[str, Sequence[str]] | Literal["numbered"] | None:
    """What --runs says: nothing, whose the runs are, or, without any word, to see by numbers.

    >>> runs_by_name(None), runs_by_name([]), runs_by_name([("base", ["a", "b"])])
    (None, 'numbered', {'base': ['a', 'b']})
    """
    if pairs is None:
        return None
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"--runs: found '{name}' twice, expected once, with all its runs")
    return dict(pairs) or "numbered"


def target_language(text: str) -> str:
    """The target side of a pair such as ``en-de``.

    >>> target_language("en-zh"), target_language("en-zh-TW")
    ('zh', 'zh')
    """
    source, _, target = text.replace("_", "-").partition("-")
    if not (source and target):
        raise ArgumentTypeError(f"found '{text}', expected source-target, such as en-de")
    return target.partition("-")[0].lower()


def columns_by_role(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Columns of every role; a role may have several.

    >>> columns_by_role([("reference", "a"), ("reference", "b"), ("hypothesis", "mt")])
    {'reference': ['a', 'b'], 'hypothesis': ['mt']}
    """
    roles: dict[str, list[str]] = {}
    for role, column in pairs:
        roles.setdefault(role, []).append(column)
    return roles
