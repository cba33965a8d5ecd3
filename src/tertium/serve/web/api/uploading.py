"""Files in requests, as the services take them."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final, ParamSpec, TypeVar

from fastapi import Form, UploadFile
from pydantic import StringConstraints

from tertium.serve.evaluation.parser_pool import PARSERS, ParsingLimits
from tertium.serve.evaluation.uploads import SentFile
from tertium.serve.web.access import Access
from tertium.text.file_names import KNOWN_FORMATS

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

FORMATS: Final = f"auto or {', '.join(KNOWN_FORMATS)}"
Format = Annotated[
    str,
    Form(
        max_length=20, pattern="^[a-z]+$", description=f"{FORMATS}; auto: by content, then by name"
    ),
]
"""How a file is to be read."""
Word = Annotated[str, StringConstraints(max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A value on one line, or none."""


def sent(file: UploadFile | None) -> SentFile | None:
    """A file that was sent; a browser sends a nameless one where nothing was chosen."""
    if file is None or not (file.filename or file.size):
        return None
    return SentFile.of(file.filename, file.file)


def read_apart(
    access: Access,
    name: str,
    function: Callable[Parameters, Result],
    /,
    *arguments: Parameters.args,
    **named: Parameters.kwargs,
) -> Result:
    """What a function makes of a file called ``name``, in a process that may fail."""
    settings = access.settings
    limits = ParsingLimits(memory=settings.upload_memory, seconds=settings.upload_seconds)
    return PARSERS.call(limits, name, function, *arguments, **named)


def all_sent(files: Sequence[UploadFile]) -> list[SentFile]:
    """The files that were sent."""
    return [one for one in map(sent, files) if one is not None]


def words(values: Sequence[str]) -> list[str]:
    """Tags of a form, each a field of its own or several in one, separated by commas.

    >>> words(["nightly build, en-de", "x", ""])
    ['nightly build', 'en-de', 'x']
    """
    found = [one.strip() for value in values for one in value.split(",")]
    return [one for one in found if one]


def listed(values: Sequence[str]) -> list[str]:
    """Metrics of a form; commas or spaces are between them, unless they stand in brackets.

    >>> listed(["bleu, chrf", "bleu[order=2,lowercase=yes]", ""])
    ['bleu', 'chrf', 'bleu[order=2,lowercase=yes]']
    """
    found: list[str] = []
    for value in values:
        depth, word = 0, ""
        for sign in f"{value},":
            depth += (sign == "[") - (sign == "]")
            if depth <= 0 and (sign == "," or sign.isspace()):
                found.append(word)
                word = ""
            else:
                word += sign
        found.append(word)
    return [one for one in found if one]
