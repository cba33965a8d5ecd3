"""A process that reads files which people sent, one after the other, and ends with its server.

Started by `tertium.serve.evaluation.parser_pool` as ``python -m``; it is given work by standard
input and answers by what was its standard output. Before each file it limits itself: its memory
(`RLIMIT_DATA`, and `RLIMIT_AS` with room for what is reserved only), its processor time, so that it
ends even if the server is gone, and the size of files that it writes.

Limits are soft ones, set anew for each file, because they can differ from file to file; that of
processor time counts from the start of the process, so what was used before is added to it. A file
that runs out of memory is answered as such and the process is replaced, since it may be left in any
state. Standard output is redirected before the readers are imported: what a library prints must not
be taken for an answer. All modules of `FUNCTIONS` are imported at the start, so that the first file
does not pay for it, in time or in memory.
"""

import os
import pickle
import signal
import struct
import sys
import traceback
from importlib import import_module
from typing import Any, BinaryIO, Final

from tertium.errors import TertiumError
from tertium.text.limits.memory import MemoryLimit, choose_memory

FLAG: Final = "--upload-memory"
HEADER: Final = struct.Struct("<Q")
RESERVED: Final = 2 << 30
"""Bytes of addresses beside the memory: stacks of threads, arenas, libraries."""
FUNCTIONS: Final = frozenset(
    {
        ("tertium.serve.evaluation.sets", "read_test_set"),
        ("tertium.serve.evaluation.systems", "read_outputs"),
        ("tertium.serve.evaluation.foreign_scores", "read_score_table"),
        ("tertium.serve.annotation.files", "read_units"),
    }
)
"""What may be asked for."""


def main() -> None:
    """Read files until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    asked = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not look like an answer
    for module, _ in sorted(FUNCTIONS):
        import_module(module)
    while len(head := asked.read(HEADER.size)) == HEADER.size:
        data = asked.read(*HEADER.unpack(head))
        answer = answer_to(data)
        del data
        _send(answers, answer)


def _send(answers: BinaryIO, answer: bytes) -> None:
    answers.write(HEADER.pack(len(answer)))
    answers.write(answer)
    answers.flush()


def answer_to(data: bytes) -> bytes:
    """The reply to a request, whatever comes of it."""
    try:
        return pickle.dumps(("result", _worked(data)), protocol=4)
    except TertiumError as error:
        return pickle.dumps(("error", type(error).__name__, str(error)))
    except MemoryError:
        return pickle.dumps(("memory",))
    except Exception:  # noqa: BLE001 (the server logs it)
        return pickle.dumps(("failure", traceback.format_exc()[-8000:]))


def _worked(data: bytes) -> Any:
    target, arguments, named, memory, seconds = pickle.loads(data)  # noqa: S301 (from our server)
    if target not in FUNCTIONS:
        raise RuntimeError(f"{target}: no function that reads files")
    limit_process(memory, seconds)
    module, name = target
    return getattr(import_module(module), name)(*arguments, **named)


def limit_process(memory: int, seconds: int) -> None:
    """Let the system end or refuse what takes more than this."""
    import resource  # which Windows lacks

    choose_memory(MemoryLimit(memory, FLAG))
    _lower(resource.RLIMIT_AS, memory + RESERVED)
    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 2 * seconds + 1)
    _lower(resource.RLIMIT_FSIZE, memory)


def _lower(kind: int, size: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        size = min(size, hard)
    resource.setrlimit(kind, (size, hard))


if __name__ == "__main__":
    main()
