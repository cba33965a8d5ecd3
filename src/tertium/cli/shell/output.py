"""Where results go: standard output, as a terminal can show it, or a file once it is complete."""

import codecs
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any, Final

from tertium.errors import TertiumError


def check_output(path: str | None) -> None:
    """Refuse a place that cannot be written to before any work is done."""
    if path is None:
        return
    from pathlib import Path

    folder = Path(path).absolute().parent
    if Path(path).is_dir() or not folder.is_dir():
        found = "a folder" if Path(path).is_dir() else f"no folder {folder}"
        raise TertiumError(f"{path}: found {found}, expected a file to write")


def write_output(lines: Iterable[str], path: str | None = None) -> None:
    """Write the lines; a file has all of them or stays what it was. ``-`` is standard output."""
    if path is None or path in {"-", "/dev/stdout"}:
        sys.stdout.writelines(lines)
        return
    from io import TextIOWrapper

    from tertium.text.output_files import drafted

    with drafted(path) as stream:
        file = TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="\n")
        try:
            file.writelines(lines)
        finally:
            file.detach()  # flushes, and leaves the stream to who opened it


ASCII: Final = str.maketrans(
    {
        # One character for one, so that columns stay columns.
        "─": "-", "━": "=", "│": "|", "↓": "v", "↑": "^", "−": "-", "–": "-", "Δ": "d",
        "±": "~", "×": "x", "·": ".", "²": "2", "‘": "'", "’": "'", "“": '"', "”": '"',
        "α": "a", "β": "b", "γ": "c", "δ": "d", "ε": "e", "θ": "t", "κ": "k", "ρ": "r",
        "τ": "t", "Σ": "S", "√": "V", "█": "#", "\N{NO-BREAK SPACE}": " ",
        # The rest stands in sentences, where width is no matter.
        "…": "...", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "€": "EUR", "—": "-",
    }
)  # fmt: skip
"""Signs of our own tables and sentences, for terminals that cannot show them."""

REASON: Final = (
    "tertium: this terminal's encoding is {encoding}: signs beyond it are written in ASCII (plus-"
    "minus as ~, arrows as v and ^) or as numbers; 'export LC_ALL=C.UTF-8' shows them"
)


class Fallback:
    """An error handler for streams, and whether a sign of a terminal's had to be replaced."""

    def __init__(self) -> None:
        self.encoding: str | None = None

    def __call__(self, error: UnicodeError) -> tuple[str | bytes, int]:
        """What is written for characters that the stream's encoding does not have."""
        if not isinstance(error, UnicodeEncodeError):
            raise error
        from tertium.text.files import readable  # of which short answers have no need

        text = readable(error.object[error.start : error.end])
        if error.encoding.lower().replace("_", "-") == "utf-8":
            return text.encode("utf-8", "backslashreplace"), error.end
        self.encoding = error.encoding
        # Escapes as JSON has them: what is written for programs stays readable for them.
        plain = text.translate(ASCII)
        return re.sub(r"[^\x00-\x7f]", lambda match: _escape(match[0]), plain), error.end


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def set_up_streams() -> Fallback:
    """Let files and pipes get UTF-8 whatever the locale, and terminals what they can show."""
    fallback = Fallback()
    codecs.register_error("tertium", fallback)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="tertium")
            else:  # the same bytes on every system, Windows included
                stream.reconfigure(encoding="utf-8", errors="tertium", newline="\n")
    return fallback


@contextmanager
def shown_warnings(*, quiet: bool) -> Iterator[None]:
    """What the library says before long work, in one line as it is said."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *more: Any, **named: Any) -> None:
            if category.__name__ != "CostWarning":
                usual(message, category, *more, **named)
            elif not quiet:
                print(f"tertium: warning: {message}", file=sys.stderr)

        warnings.filterwarnings("always", message=".*--max-tokens")
        warnings.showwarning = show
        yield


def say_what_was_replaced(fallback: Fallback) -> None:
    """One line, after everything else, if a terminal could not show all of it."""
    if fallback.encoding is not None:
        print(REASON.format(encoding=fallback.encoding), file=sys.stderr)
