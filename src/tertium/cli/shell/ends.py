"""How a command ends early: asked to stop, without room to write, without memory."""

import errno
import os
import signal
import sys
from types import FrameType
from typing import Final

from tertium.cli.shell.parser import USAGE_ERROR
from tertium.errors import TertiumError
from tertium.text.memory import memory_limit

ENDINGS: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""What asks a program to end: Ctrl-C, 'kill' and 'timeout', a terminal that is closed."""

PIPE_CLOSED: Final = 141
"""What shells report for a program that was ended by SIGPIPE."""

INTERNAL_ERROR: Final = 70
"""A fault of the program itself (EX_SOFTWARE of sysexits.h), which no other status means."""

DEBUG: Final = "TERTIUM_DEBUG"

_NO_ROOM: Final = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))


class Ended(KeyboardInterrupt):
    """The process was asked to end: files are tidied up on the way out, as after Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def heed_endings() -> None:
    """Let signals that ask for an end be exceptions, unless whoever started us ignores them."""
    for name in ENDINGS:
        number = getattr(signal, name, None)  # Windows lacks one
        if number is not None and signal.getsignal(number) in _USUAL:
            signal.signal(number, _end)


_USUAL: Final = (signal.SIG_DFL, signal.default_int_handler)
_asked: Final[list[int]] = []


def _end(number: int, _: FrameType | None) -> None:
    _asked.append(number)
    sys.unraisablehook = lambda _: None  # where nobody can catch it, nobody need be told
    raise Ended(number)


def end_in_disguise() -> int | None:
    """The status if the process was asked to end, whatever has become of the exception.

    Packages that are being imported at that moment say that they are broken.
    """
    return 128 + _asked[0] if _asked else None


def heed_endings_in_native_work() -> None:
    """The same for native work under way, which would go on to its end."""
    if signal.getsignal(signal.SIGTERM) is _end:
        from tertium._native import heed_endings as heed

        heed()


def ended_status(end: KeyboardInterrupt) -> int:
    """What shells report for a program that was ended so: 130 after Ctrl-C."""
    return 128 + (end.number if isinstance(end, Ended) else signal.SIGINT)


def closed_pipe() -> int:
    """The status where the reader has seen enough; what is left to write goes nowhere."""
    # Python flushes standard output once more at exit: let it succeed.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED


def error_status(error: Exception) -> int:
    """Say in one line what is wrong, with the input or with the program, and give the status."""
    if (asked := end_in_disguise()) is not None:
        return asked
    if not isinstance(error, TertiumError):
        return _internal_error(error)
    print(f"tertium: {error}", file=sys.stderr)
    return USAGE_ERROR


def _internal_error(error: Exception) -> int:
    """With ``TERTIUM_DEBUG=1`` the traceback comes first."""
    if os.environ.get(DEBUG, "0") not in {"", "0"}:
        import traceback

        traceback.print_exception(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    location = ""
    if trace is not None:
        file = trace.tb_frame.f_code.co_filename.rpartition(os.sep)[2]
        location = f" ({file}:{trace.tb_lineno})"
    found = " ".join(f"{type(error).__name__}: {error}".split())
    print(
        f"tertium: internal error: {found[:500]}{location}, expected none; {DEBUG}=1 shows where, "
        "please report it",
        file=sys.stderr,
    )
    return INTERNAL_ERROR


def failure(error: OSError | MemoryError) -> int:
    """Say in one line what the system refused, and give the status."""
    print(f"tertium: {_refusal(error)}", file=sys.stderr)
    return USAGE_ERROR


def _refusal(error: OSError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        limit = memory_limit()
        return (
            "memory: found too little for this input, expected more, or less to do at once "
            f"({limit.flag} is {limit.shown})"
        )
    found = error.strerror or str(error) or type(error).__name__
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {found}, expected to read or write it"
    if error.errno in _NO_ROOM:  # whoever writes a file names it
        closed_pipe()
        return f"standard output: {found}, expected room to write"
    return f"a file: {found}, expected to read or write it"


def give_streams() -> None:
    """Streams that lead nowhere in the place of those that were closed (``>&-``)."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
