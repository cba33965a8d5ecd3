"""CoNLL-U: parsed text, cut into the segments of a corpus.

A block of lines between empty lines is a segment. Where a segment has several sentences, the
comment ``# segment = 7`` stands in the first of them: sentences without the comment, or with
the same number, belong to the segment before. Such numbers count 1, 2, 3 …, so none can be
lost. A block of comments alone is an empty segment.

A block with the comment ``# parse = 2``, or a higher number, is another parse of the sentence
before it, and belongs to its segment.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tertium.errors import InputError
from tertium.text.files import TextFile
from tertium.text.formats.table import ReadingOptions
from tertium.text.keyed_segments import Records, monolingual_records
from tertium.text.lines import numbered_lines

_NUMBER: Final = re.compile(r"#\s*segment\s*=\s*(.*?)\s*")
_OTHER_PARSE: Final = re.compile(r"#\s*parse\s*=\s*(?!0*1\s*$)\d+\s*")


def read_conllu(file: TextFile, _options: ReadingOptions) -> Records:
    """Every segment as the text of its sentences, an empty line between them."""
    segments: list[list[str]] = []
    numbered = False
    for start, block in _blocks(file):
        location, found, sentence = f"{file.name}:{start}", _number(block), "\n".join(block)
        if any(_OTHER_PARSE.fullmatch(line) for line in block):
            if not segments:
                raise InputError(f"{location}: found another parse, expected a first one before it")
            segments[-1].append(sentence)
            continue
        if not segments:
            numbered = found is not None
        elif found is not None and not numbered:
            raise InputError(
                f"{location}: found '# segment = {found}' after sentences without, "
                "expected it from the first on"
            )
        if numbered and segments and found in (None, str(len(segments))):
            segments[-1].append(sentence)
        elif numbered and found != str(len(segments) + 1):
            expected = " or ".join(str(n) for n in (len(segments), len(segments) + 1) if n)
            raise InputError(f"{location}: found segment '{found}', expected {expected}")
        else:
            segments.append([sentence])
    texts = ["\n\n".join(sentences) for sentences in segments]
    return monolingual_records(file.name, [None] * len(texts), texts)


def _blocks(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """The lines between empty lines, with the number of the first."""
    block: list[str] = []
    start = 1
    for number, line in numbered_lines(file):
        if line.strip():
            if not block:
                start = number
            block.append(line)
        elif block:
            yield start, block
            block = []
    if block:
        yield start, block


def _number(block: Iterable[str]) -> str | None:
    """What a block says of its segment's number."""
    for line in block:
        if found := _NUMBER.fullmatch(line):
            return found[1]
    return None
