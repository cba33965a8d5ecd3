"""Words on standard error, for what a user must know and a result has no place for."""

import sys


def say(line: str) -> None:
    """One line, as the command line says all that is no result."""
    sys.stderr.write(f"tertium: {line}\n")
    sys.stderr.flush()


def show(text: str) -> None:
    """A text in the place of the last one, on a terminal; an empty one takes it away."""
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()
