"""The text of a segment in XLIFF and TMX, with its inline codes dropped or kept.

Codes are what a translator's tool puts in the place of formatting: ``<bpt>``, ``<ept>``,
``<ph>``, ``<it>`` and ``<ut>`` hold the code of the original format, ``<x/>``, ``<bx/>``,
``<sc/>`` and others stand for it, ``<g>`` and ``<pc>`` go around the text that it concerns.
Kept, they are the original code where the file has it, else the tag. ``<mrk>``, ``<hi>``,
``<sm/>`` and ``<em/>`` are remarks on the text, never a part of it.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

from tertium.errors import OptionError

InlineCodes: TypeAlias = Literal["drop", "keep"]

_HOLDING: Final = {"bpt", "ept", "ph", "it", "ut"}
_AROUND: Final = {"g", "pc"}
_REMARKS: Final = {"mrk", "hi", "sm", "em", "sub"}
_LINE_BREAKS: Final = {"lb", "xlf:lb"}


def check_inline_codes(told: str) -> InlineCodes:
    """The option as a checked value."""
    for known in get_args(InlineCodes):
        if told == known:
            checked: InlineCodes = known
            return checked
    raise OptionError(f"inline codes: found '{told}', expected drop or keep")


class SegmentText:
    """Collects the text of one segment from the tags and the text inside it."""

    def __init__(self, inline_codes: InlineCodes) -> None:
        self._keep = inline_codes == "keep"
        self._parts: list[str] = []
        self._codes: list[tuple[str, str, int, bool]] = []
        """Open ones: tag, what ends it, parts before it, whether it breaks the line."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag inside the segment opens."""
        if tag == "cp":
            self._parts.append(_character(attributes.get("hex", "")))
        if tag in _REMARKS or tag == "cp":
            return
        breaks = bool({attributes.get("ctype"), attributes.get("subType")} & _LINE_BREAKS)
        equivalent = next(
            (
                attributes[name]
                for name in ("equiv-text", "equiv", "equivStart")
                if name in attributes
            ),
            _tag(tag, attributes),
        )
        if tag in _AROUND:
            closing = attributes.get("equivEnd", f"</{tag}>")
            self._codes.append((tag, closing, len(self._parts), breaks))
            self._parts.append(equivalent if self._keep else "")
        elif tag in _HOLDING:
            self._codes.append((tag, equivalent, len(self._parts), breaks))
        else:
            self._parts.append(equivalent if self._keep else " " if breaks else "")

    def end(self, tag: str) -> None:
        """A tag inside the segment closes."""
        if not self._codes or self._codes[-1][0] != tag:
            return
        _, closing, before, breaks = self._codes.pop()
        if tag in _AROUND:
            self._parts.append(closing if self._keep else "")
        elif not self._keep:
            self._parts[before:] = [" "] if breaks else []
        elif not "".join(self._parts[before:]):
            self._parts.append(closing)

    def text(self, text: str) -> None:
        """Characters inside the segment."""
        self._parts.append(text)

    def joined(self) -> str:
        """The whole segment; a line break inside it only wraps the file's lines."""
        lines = "".join(self._parts).replace("\r", "\n").split("\n")
        return " ".join(part for line in lines if (part := line.strip(" \t")))


def _tag(tag: str, attributes: Mapping[str, str]) -> str:
    number = attributes.get("id") or attributes.get("i") or attributes.get("x")
    shown = f'<{tag} id="{number}"' if number else f"<{tag}"
    return f"{shown}>" if tag in _AROUND else f"{shown}/>"


def _character(code: str) -> str:
    """A character that XML cannot hold, by its number."""
    try:
        number = int(code, 16)
        return chr(number) if not 0xD800 <= number <= 0xDFFF else ""
    except (ValueError, OverflowError):
        return ""
