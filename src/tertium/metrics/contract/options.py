"""Options of a metric as dataclass fields: their text form, and the way back."""

import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields
from functools import cache, partial
from os import path  # every command imports this; pathlib takes long
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from tertium.errors import OptionError

# Values in quotes, and the parts of a text between signs that stand in no quotes or brackets.

VALUE_SIGNS: Final = re.compile(r'[",|=\s]')
"""What would end the value of an option, or not be seen at its end."""
ITEM_SIGNS: Final = re.compile(r'["+]')
"""What would end one item of a value that has several."""

_QUOTED: Final = re.compile(r'"((?:\\.|[^"\\])*)"', re.DOTALL)
_ESCAPED: Final = re.compile(r'\\(["\\])')


def quoted(text: str, signs: re.Pattern[str] = VALUE_SIGNS) -> str:
    r"""The text, in quotes where it needs them.

    >>> print(quoted("intl"), quoted("a, b"), quoted('say "no"'))
    intl "a, b" "say \"no\""
    """
    if text and not signs.search(text) and _balanced(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquoted(text: str) -> str:
    r"""The text inside of quotes; any other text as it is.

    >>> print(unquoted(r'"say \"no\""'), unquoted("intl"), unquoted('"a" "b"'))
    say "no" intl "a" "b"
    """
    match = _QUOTED.fullmatch(text)
    return text if match is None else _ESCAPED.sub(r"\1", match[1])


def split(text: str, separator: str) -> list[str]:
    """The parts between separators outside of quotes and brackets.

    A quote or bracket without its other half is a ValueError.

    >>> split('a,"b,c",d[1,2]', ",")
    ['a', '"b,c"', 'd[1,2]']
    """
    parts, start, depth, inside, escaped = [], 0, 0, False, False
    for index, character in enumerate(text):
        if escaped:
            escaped = False
        elif inside:
            escaped = character == "\\"
            inside = character != '"'
        elif character == '"':
            inside = True
        elif character in "[]":
            depth += 1 if character == "[" else -1
            if depth < 0:
                raise ValueError("found ']' without '['")
        elif character == separator and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    if inside or depth:
        raise ValueError("found no closing " + ("quote" if inside else "']'"))
    return [*parts, text[start:]]


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if depth < 0:
            return False
    return depth == 0


_YES_NO: Mapping[object, str] = {True: "yes", False: "no"}
_WORDS: Mapping[type, Mapping[str, object]] = {
    bool: {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False},
    type(None): {"none": None},
}


def option(
    default: Any,
    help: str,  # noqa: A002 - the word that argparse and readers know
    *,
    key: str | None = None,
    always: bool = False,
    texts: Mapping[object, str] | None = None,
    tunable: bool = False,
    spelled: str | None = None,
    file: bool = False,
) -> Any:
    """A metric's field.

    ``spelled`` is the option's name where the field cannot be called so, ``key`` its name in the
    signature (otherwise the same), ``always`` shows it there even at its default, ``texts``
    gives values another spelling in the signature (``case:lc`` for ``lowercase=yes``),
    ``tunable`` marks a number, or a tuple of numbers, as one of the metric's free parameters, and
    ``file`` a path, which results name without its folder.
    """
    return field(
        default=default,
        metadata={
            "help": help,
            "key": key,
            "always": always,
            "texts": texts or {},
            "tunable": tunable,
            "spelled": spelled,
            "file": file,
        },
    )


def case_option(*, default: bool = False, ascii_too: bool = False) -> Any:
    """The option ``lowercase``, which sacreBLEU's signatures call ``case``."""
    return option(
        default,
        "fold case as str.lower does" + (", or A to Z alone" if ascii_too else ""),
        key="case",
        always=True,
        texts={False: "mixed", True: "lc"},
    )


def case_sensitive_option() -> Any:
    """The option ``case_sensitive`` of TER and its kin, which fold case unless told."""
    return option(
        False,
        "do not fold case",
        key="case",
        always=True,
        texts={False: "lc", True: "mixed"},
    )


def punctuation_option() -> Any:
    """The option ``punctuation``, which sacreBLEU's signatures of TER call ``punct``."""
    return option(True, "keep words that are only punctuation or symbols", key="punct")


def bound() -> Any:
    """A field that `fit` fills: part of the value, but no option and not in the signature."""
    return field(default=None, repr=False, compare=False, metadata={"bound": True})


class Option(NamedTuple):
    """One field of a metric class, with the translation of its values to and from text."""

    name: str
    key: str
    help: str
    default: object
    always: bool
    texts: Mapping[object, str]
    annotation: Any
    tunable: bool = False
    field: str = ""
    is_file: bool = False

    def value_of(self, metric: object) -> object:
        """What the option is set to in a metric."""
        return getattr(metric, self.field)

    def is_changed(self, value: object) -> bool:
        """Whether a value is not the default, and its text says so."""
        return value != self.default and self.to_text(value) != self.to_text(self.default)

    def to_text(self, value: object) -> str:
        """The value as the command line and a metric's ``spec`` write it."""
        if value is None:
            return "none"
        if isinstance(value, tuple):
            items = [quoted(_plain_text(item), ITEM_SIGNS) for item in value]
            return quoted("+".join(items)) if items else ""
        if value == "none" and _is_text_or_none(self.annotation):
            return f'"{value}"'  # the word, and not nothing
        return quoted(_plain_text(value))

    def shown_text(self, value: object) -> str:
        """The value as results show it: of a path the last part, which is the same anywhere."""
        if not self.is_file or value is None:
            return self.to_text(value)
        return self.to_text(path.basename(str(value)))  # noqa: PTH119 - see its import

    def from_text(self, text: str) -> object:
        """The value of a text; an error names the option and what would fit."""
        for value, spelling in self.texts.items():
            if text == spelling:
                return value
        plain = unquoted(text)
        if plain != text and _is_text_or_none(self.annotation):
            return plain
        try:
            return _reader(self.annotation)(plain)
        except (KeyError, ValueError):
            raise OptionError(
                f"option {self.name}: found '{text}', expected {self.expected}"
            ) from None

    @property
    def expected(self) -> str:
        """What values fit, in words."""
        return _expected(self.annotation)

    def signature_text(self, value: object) -> str:
        """The value as the signature writes it."""
        try:
            return self.texts[value]
        except (KeyError, TypeError):
            return self.shown_text(value)


@cache
def options_of(metric_class: type) -> tuple[Option, ...]:
    """The options of a metric class, in the order of its fields."""
    hints = get_type_hints(metric_class)
    return tuple(
        _option(declared, hints[declared.name])
        for declared in fields(metric_class)
        if not declared.metadata.get("bound")
    )


def _option(declared: "Field[Any]", annotation: Any) -> Option:
    metadata = declared.metadata
    if declared.default is MISSING:
        raise TypeError(f"option {declared.name}: no default, expected option(default, help)")
    return Option(
        name=metadata.get("spelled") or declared.name,
        key=metadata.get("key") or metadata.get("spelled") or declared.name,
        help=metadata.get("help", ""),
        default=declared.default,
        always=metadata.get("always", False),
        texts=metadata.get("texts", {}),
        annotation=annotation,
        tunable=metadata.get("tunable", False),
        field=declared.name,
        is_file=metadata.get("file", False),
    )


def _plain_text(value: object) -> str:
    if isinstance(value, bool):
        return _YES_NO[value]
    return repr(value) if isinstance(value, float) else str(value)


def _is_text_or_none(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType) and str in get_args(annotation)


def _reader(annotation: Any) -> Callable[[str], object]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in _WORDS:
        return _WORDS[annotation].__getitem__
    if origin is Literal:
        return {str(choice): choice for choice in arguments}.__getitem__
    if origin is tuple:
        item = _reader(arguments[0])
        return lambda text: tuple(item(unquoted(part)) for part in split(text, "+")) if text else ()
    if origin in (Union, types.UnionType):
        none_first = sorted(arguments, key=lambda argument: argument is not type(None))
        return partial(_read_any, [_reader(kind) for kind in none_first])
    if hasattr(annotation, "parse"):
        parse: Callable[[str], object] = annotation.parse
        return parse
    reader: Callable[[str], object] = annotation
    return reader


def _read_any(readers: Sequence[Callable[[str], object]], text: str) -> object:
    """The value by the first reader that can read the text."""
    for reader in readers:
        try:
            return reader(text)
        except (KeyError, ValueError):
            continue
    raise ValueError(text)


def _expected(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is bool:
        return "yes or no"
    if origin is Literal:
        return " or ".join(map(str, arguments))
    if origin is tuple:
        return f"{_expected(arguments[0])} joined by +"
    if origin in (Union, types.UnionType):
        return " or ".join(_expected(a) if a is not type(None) else "none" for a in arguments)
    if hasattr(annotation, "EXPECTED"):
        return str(annotation.EXPECTED)
    words = {int: "a whole number", float: "a number", str: "text"}
    return words.get(annotation, f"a {getattr(annotation, '__name__', annotation)}".lower())
