"""What a beginner should be told of the files before the score: no error, but a likely mistake."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final

from tertium.text.files import TextFile
from tertium.text.formats.content import is_plain_text
from tertium.text.lines import BYTE_ORDER_MARK
from tertium.text.tokenizers import CHINESE, JAPANESE, THIRTEEN_A, writing_of

if TYPE_CHECKING:
    from tertium.metrics.contract.base import Metric

PEEKED: Final = 1 << 16
"""Bytes of the first reference that are looked at: more than a hundred lines of most texts."""


def advise(
    arguments: Namespace, metrics: "Sequence[Metric]", *, fits_tokenizer: bool = False
) -> None:
    """Say on standard error what may make the scores other than they are meant.

    With ``fits_tokenizer`` the command itself replaces a tokenizer that was not asked for.
    """
    if getattr(arguments, "quiet", False) or not arguments.references:
        return
    for remark in [
        *on_marks(arguments),
        *on_writing(arguments, metrics, fits_tokenizer=fits_tokenizer),
    ]:
        print(f"tertium: warning: {remark}", file=sys.stderr)


def on_marks(arguments: Namespace) -> Iterator[str]:
    """Files that begin with a mark of Windows, which is scored."""
    for path in [*arguments.references, *arguments.input]:
        if beginning(path, arguments, len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK:
            yield (
                f"{path}: begins with a byte-order mark, which counts as a part of its first word, "
                "as in sacreBLEU; save the file as UTF-8 without it"
            )


def on_writing(
    arguments: Namespace, metrics: "Sequence[Metric]", *, fits_tokenizer: bool = False
) -> Iterator[str]:
    """Metrics that cannot find the words of the first reference."""
    place = arguments.references[0]
    text = beginning(place, arguments, PEEKED).decode("utf-8", "ignore")
    writing = writing_of(text)
    cut = [one for one in metrics if getattr(one, "tokenizer", None) == THIRTEEN_A]
    replaced = fits_tokenizer and getattr(arguments, "tokenize", None) is None
    if writing and cut and not replaced:
        told = f"-tok {writing.tokenizer}"
        yield (
            f"{place}: {writing.name} has no spaces between words: a whole sentence is one token "
            f"for {_titles(cut)} (tokenizer {THIRTEEN_A}); use {told}"
        )
    edits = [one for one in metrics if getattr(one, "asian_support", None) is False]
    if writing in {CHINESE, JAPANESE} and edits:
        yield (
            f"{place}: {writing.name} has no spaces between words: a whole sentence is one token "
            f"for {_titles(edits)}; use -m 'ter[normalized=yes,asian_support=yes]'"
        )
    latin = [one for one in metrics if getattr(one, "text", None) == "ascii"]
    if latin and mostly_beyond_ascii(text):
        yield (
            f"{place}: only the letters a to z count for {_titles(latin)}, so that most of this "
            f"text is left out; use -m '{latin[0].name}[text=unicode]'"
        )


def beginning(path: str, arguments: Namespace, size: int) -> bytes:
    """The first bytes of a file of plain text that can be read again; of others nothing."""
    if not os.path.isfile(path):  # noqa: PTH113 (every command imports this)
        return b""
    file = TextFile.find(path)
    if not is_plain_text(file, arguments.input_format):
        return b""
    with closing(file.open()) as stream:
        return bytes(stream.read(size))


def mostly_beyond_ascii(text: str) -> bool:
    """Whether most letters are others than those of English.

    >>> mostly_beyond_ascii("Кошка сидит."), mostly_beyond_ascii("Die Kätzin sitzt.")
    (True, False)
    """
    letters = [one.isascii() for one in text if one.isalpha()]
    return 2 * sum(letters) < len(letters)


def _titles(metrics: "Sequence[Metric]") -> str:
    return ", ".join(one.title for one in metrics)
