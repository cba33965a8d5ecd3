"""Values in quotes, and the parts of a text between signs that stand in no quotes or brackets."""

import re
from typing import Final

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
    found = _QUOTED.fullmatch(text)
    return text if found is None else _ESCAPED.sub(r"\1", found[1])


def split(text: str, separator: str) -> list[str]:
    """The parts between separators outside of quotes and brackets.

    A quote or bracket without its other half is a ValueError.

    >>> split('a,"b,c",d[1,2]', ",")
    ['a', '"b,c"', 'd[1,2]']
    """
    parts, start, depth, inside, escaped = [], 0, 0, False, False
    for place, character in enumerate(text):
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
            parts.append(text[start:place])
            start = place + 1
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
