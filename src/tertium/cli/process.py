"""The command ``tertium`` as a process of its own, which begins and ends quickly.

A fifth of the time of a short command went into looking for garbage among what is imported, and
into taking every object apart at the end.
"""

import atexit
import contextlib
import gc
import os
import sys
from typing import Final, NoReturn

OBJECTS_BETWEEN_SEARCHES: Final = 1_000_000
"""More than Python's 700: imports and reports make many objects, and nearly all of them stay."""
OBJECTS_OF_SERVER: Final = 50_000
"""A server runs for weeks, and what stays behind must not grow."""


def command() -> NoReturn:
    """Run the command line, then end the process without taking it apart."""
    serving = sys.argv[1:2] == ["serve"]
    gc.set_threshold(OBJECTS_OF_SERVER if serving else OBJECTS_BETWEEN_SEARCHES)
    from tertium.cli.shell.ends import (
        PIPE_CLOSED,
        ended_status,
        error_status,
        failure,
        give_streams,
        heed_endings,
    )

    give_streams()
    if not serving:  # which lets requests under way finish
        heed_endings()
    try:
        from tertium.cli.main import main

        status = main()
    except KeyboardInterrupt as end:  # while something was imported or told
        status = ended_status(end)
    except Exception as error:  # noqa: BLE001 (while something was imported or told)
        status = error_status(error)
    except SystemExit as end:  # argparse's, for help and for errors
        if not isinstance(end.code, int | None):
            raise
        status = end.code or 0
    atexit._run_exitfuncs()  # noqa: SLF001 - who asked to be told of the end is told
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        status = PIPE_CLOSED
    except OSError as error:  # help, to a full disk
        status = failure(error)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(status)
