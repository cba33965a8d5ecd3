"""Values of flags: what argparse turns words into, with errors that say what would fit."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable


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


def share(text: str) -> float:
    """A number strictly between 0 and 1.

    >>> share("0.95")
    0.95
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise ArgumentTypeError(f"found '{text}', expected a number between 0 and 1")
    return number


def key_and_value(text: str) -> tuple[str, str]:
    """A pair such as ``hypothesis=mt``.

    >>> key_and_value("hypothesis=mt")
    ('hypothesis', 'mt')
    """
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise ArgumentTypeError(f"found '{text}', expected role=column")
    return key, value


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
