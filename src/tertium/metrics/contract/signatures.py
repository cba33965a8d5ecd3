"""The names and keys of signatures: what sacreBLEU's short ones stand for, and the way back."""

import re
from collections.abc import Container
from typing import Final

SHORT_KEYS: Final = {
    "nrefs": "#",
    "seed": "rs",
    "test": "t",
    "lang": "l",
    "origlang": "o",
    "subset": "S",
    "case": "c",
    "eff": "e",
    "smooth": "s",
    "space": "s",
    "norm": "nr",
    "punct": "pn",
    "asian": "as",
    "version": "v",
}
"""sacreBLEU's ``--short``; other keys have no short form."""

TER_SHORT_KEYS: Final = {"tok": "t"}
"""A short key that sacreBLEU gives to TER alone."""

NO_OPTIONS: Final = frozenset(
    {
        "nrefs",
        "version",
        "bs",
        "ar",
        "seed",
        "resample",
        "level",
        "interval",
        "test",
        "lang",
        "origlang",
        "subset",
        "digest",
    }
)
"""Keys that tell of the data, of resampling or of the program, and not of the metric."""

_TITLES: Final = {
    "amber(1)": "amber-basic",
    "dep": "dependency",
    "sr": "semantic-roles",
    "rte": "entailment",
}
"""Titles, lower-cased, that are not the name of their metric."""

_CHRF: Final = re.compile(r"chrf(\d+(?:\.\d+)?)?(\+*)")


def named(text: str) -> tuple[str, dict[str, str]]:
    """The metric that a name or a title means, and the options that the title tells.

    >>> named("AMBER(1)"), named("chrF3++")
    (('amber-basic', {}), ('chrf', {'beta': '3', 'word_order': '2'}))
    """
    name = text.strip().lower()
    if (match := _CHRF.fullmatch(name)) and name != "chrf":
        beta, pluses = match.groups()
        told = {} if beta is None else {"beta": beta}
        return "chrf", told | ({"word_order": str(len(pluses))} if beta or pluses else {})
    return _TITLES.get(name, name), {}


def long_key(key: str, known: Container[str]) -> str:
    """The key that a short one stands for, if the metric has it: ``s`` is smooth or space.

    >>> long_key("s", {"smooth"}), long_key("s", {"space"}), long_key("order", {"order"})
    ('smooth', 'space', 'order')
    """
    if key in known:
        return key
    pairs = [*TER_SHORT_KEYS.items(), *SHORT_KEYS.items()]
    meant = [long for long, short in pairs if short == key]
    return next((long for long in meant if long in known or long in NO_OPTIONS), key)
