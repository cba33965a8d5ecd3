"""numpy without the threads of its linear algebra, for commands that end soon."""

import os
import sys
from typing import Final

THREADS: Final = "OPENBLAS_NUM_THREADS"


def import_lone_numpy() -> None:
    """Import numpy, if that is still to be done, so that its linear algebra starts no threads.

    Each of them would wait for work without rest for the first tenth of a second, on a processor
    that is needed to read and score. Programs that are started from here are told nothing.
    """
    if "numpy" in sys.modules or THREADS in os.environ:
        return
    os.environ[THREADS] = "1"
    try:
        import numpy  # noqa: F401 - for its start alone
    finally:
        del os.environ[THREADS]
