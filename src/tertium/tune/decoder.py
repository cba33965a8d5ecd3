"""A decoder as a command: it reads weights and writes an n-best list."""

import os
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import BinaryIO, Final

from tertium.errors import OptionError, TertiumError
from tertium.suggestions import did_you_mean

_PLACES: Final = ("weights", "weights_json", "nbest", "iteration")
"""What ``{…}`` in a template stands for: files to read and to write, and a number."""
_PLACE: Final = re.compile(r"(?<!\$)\{([A-Za-z_]\w*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoder:
    """A template such as ``./decode.sh {weights} {nbest}``.

    Its words go to the program as they are; only with ``shell`` a shell sees them. A run that
    takes more than ``timeout`` seconds is ended. Braces around a single word are a place; those of
    an awk program have a blank in them.
    """

    template: str
    shell: bool = False
    timeout: float | None = None

    def __post_init__(self) -> None:
        for name in _PLACE.findall(self.template):
            if name not in _PLACES:
                known = map("{{{}}}".format, _PLACES)
                raise OptionError(
                    f"decoder: {did_you_mean('place', f'{{{name}}}', known)}"
                    f" (braces of your own: {{ {name} }})"
                )
        if self.timeout is not None and not (isfinite(self.timeout) and self.timeout > 0):
            raise OptionError(
                f"decoder: found a time limit of {self.timeout:g} seconds, expected more than 0"
            )
        if "{nbest}" not in self.template:
            raise OptionError(
                f"decoder: found '{self.template}', expected {{nbest}} where it is to write"
            )
        try:
            words = shlex.split(self.template)
        except ValueError as error:
            raise OptionError(f"decoder: found '{self.template}' ({error})") from None
        if not words:
            raise OptionError("decoder: found no words, expected a command")

    def words(self, **values: str) -> Sequence[str]:
        """The command with the values put into their places."""
        if self.shell:
            quoted = {name: shlex.quote(value) for name, value in values.items()}
            return ["/bin/sh", "-c", _filled(self.template, quoted)]
        return [_filled(word, values) for word in shlex.split(self.template)]

    def run(self, words: Sequence[str], log: Path, place: str) -> None:
        """Run to the end, all output into the log; an error unless the exit status is 0."""
        with log.open("wb") as output:
            status = _status(words, output, place, self.timeout)
        if status is None:
            raise TertiumError(
                f"{place}: found it running after {self.timeout:g} seconds, expected an end "
                f"before (the time limit); its output is in {log}"
            )
        if status != 0:
            how = f"exit status {status}"
            if status < 0:
                how = f"end by signal {-status} ({signal.Signals(-status).name})"
            raise TertiumError(f"{place}: found {how}, expected 0; its output is in {log}")


def _status(
    words: Sequence[str], output: BinaryIO, place: str, timeout: float | None
) -> int | None:
    """The exit status; None if the time was up, and all of it is ended then."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own command
            words,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that all of it can be ended, see below
        )
    except OSError as error:
        raise TertiumError(
            f"{place}: {words[0]}: {error.strerror}, expected a program to run"
        ) from None
    try:
        with _terminable():
            return process.wait(timeout)
    except BaseException as error:
        # Interrupted: a decoder that nobody waits for must not go on.
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # Windows
            process.kill()
        process.wait()
        if isinstance(error, subprocess.TimeoutExpired):
            return None
        raise


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM be an exception, so that who is asked to end can end the decoder first."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what signals do
        return

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _filled(text: str, values: dict[str, str]) -> str:
    # Not str.format: braces of the user's own, as in awk programs, stay as they are.
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
