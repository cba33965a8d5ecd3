r"""Subtitles: SubRip (SRT) and WebVTT. A cue is a segment, in whatever role the file is given.

The lines of a cue are joined by a blank. Cues of SRT are named by their numbers, those of WebVTT
by their identifiers if all of them have one. Tags, voices and positions (``<i>``, ``<v Ann>``,
``{\an8}``) are inline codes.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tertium.errors import InputError
from tertium.text.files import TextFile
from tertium.text.formats.sgml import decode_entities
from tertium.text.formats.table import ReadingOptions
from tertium.text.keyed_segments import Records, monolingual_records
from tertium.text.lines import numbered_lines

_TIME: Final = r"(?:\d+:)?\d+:\d\d[.,]\d{1,3}"
_TIMES: Final = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_SRT_CODES: Final = re.compile(
    r"</?(?:b|i|u|s|font|ruby|rt|c|v)(?:\s[^<>]*)?>|\{\\[^{}]*\}", re.IGNORECASE
)
_VTT_CODES: Final = re.compile(r"</?[^<>]*>")
_VTT_ASIDES: Final = ("NOTE", "STYLE", "REGION")


class Cue(NamedTuple):
    """What is shown at a time."""

    label: str
    text: str


def read_srt(file: TextFile, options: ReadingOptions) -> Records:
    """The cues of a SubRip file."""
    cues = []
    for number, block in _blocks(file):
        if len(block) < 2 or not block[0].strip().isdecimal() or not _TIMES.match(block[1]):
            found = " ".join(" ".join(block[:2]).split())[:60]
            raise InputError(
                f"{file.name}:{number}: found '{found}', expected a cue: its number, a line with "
                "its times, and its text"
            )
        lines = block[2:]
        if options.inline_codes == "drop":
            lines = [_SRT_CODES.sub("", line) for line in lines]
        cues.append(Cue(block[0].strip(), _joined(lines)))
    return _records(file, cues)


def read_vtt(file: TextFile, options: ReadingOptions) -> Records:
    """The cues of a WebVTT file."""
    cues = []
    for number, block in _blocks(file):
        if number == 1 or block[0].split()[0] in _VTT_ASIDES:
            if number == 1 and not block[0].startswith("WEBVTT"):
                raise InputError(f"{file.name}:1: found '{block[0][:60]}', expected WEBVTT")
            continue
        times = next((place for place in (0, 1) if _TIMES.match("".join(block[place:][:1]))), None)
        if times is None:
            raise InputError(
                f"{file.name}:{number}: found '{block[0][:60].strip()}', expected a cue: a line "
                "with its times, and its text"
            )
        lines = block[times + 1 :]
        if options.inline_codes == "drop":
            lines = [decode_entities(_VTT_CODES.sub("", line)) for line in lines]
        cues.append(Cue(block[0].strip() if times else "", _joined(lines)))
    return _records(file, cues)


def _records(file: TextFile, cues: list[Cue]) -> Records:
    if not cues:
        raise InputError(f"{file.name}: no cues, expected subtitles")
    keys = [(cue.label,) if cue.label else None for cue in cues]
    return monolingual_records(file.name, keys, [cue.text for cue in cues])


def _joined(lines: list[str]) -> str:
    return " ".join(part for line in lines if (part := line.strip()))


def _blocks(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """Lines between empty lines, with the number of the first."""
    block: list[str] = []
    start = 1
    for number, line in numbered_lines(file):
        if line.strip():
            start = start if block else number
            block.append(line)
        elif block:
            yield start, block
            block = []
    if block:
        yield start, block
