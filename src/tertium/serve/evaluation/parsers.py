"""A process that reads files which people sent, one after the other, and ends with its server.

Started by `tertium.serve.evaluation.parsers` as ``python -m``; it is given work by standard
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

import atexit
import io
import logging
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, BinaryIO, Final, ParamSpec, TypeVar

from tertium import errors as common_errors
from tertium.errors import TertiumError
from tertium.serve import errors as serve_errors
from tertium.serve.errors import TooLargeError, UnreadableError
from tertium.text.files import Spool
from tertium.text.memory import MemoryLimit, choose_memory

FLAG: Final = "--upload-memory"
HEADER: Final = struct.Struct("<Q")
RESERVED: Final = 2 << 30
"""Bytes of addresses beside the memory: stacks of threads, arenas, libraries."""
FUNCTIONS: Final = frozenset(
    {
        ("tertium.serve.evaluation.sets", "read_test_set"),
        ("tertium.serve.evaluation.systems", "read_outputs"),
        ("tertium.serve.evaluation.previews", "preview_outputs"),
        ("tertium.serve.evaluation.scoring", "read_score_table"),
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


Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

LOG: Final = logging.getLogger("tertium.serve")
LARGEST_REPLY: Final = 1 << 30
"""Bytes; what the largest file gives is a third of it."""
MOST_FILES: Final = 200
"""After so many a process is replaced: memory that Python does not give back is gone then."""
AT_ONCE: Final = max(2, os.cpu_count() or 2)
ACCEPTED: Final = frozenset(
    {
        ("tertium.serve.evaluation.sets", "TestSetTexts"),
        ("tertium.serve.evaluation.systems", "SentOutput"),
        ("tertium.serve.store.texts", "PackedText"),
        ("tertium.metrics.foreign.score_table", "ForeignScores"),
        ("tertium.metrics.foreign.score_table", "LinePlaces"),
        ("tertium.text.annotations.annotated_text", "AnnotatedText"),
        ("tertium.text.annotations.annotated_text", "Entity"),
        ("builtins", "frozenset"),
        ("numpy", "dtype"),
        ("numpy", "ndarray"),
        ("numpy.core.multiarray", "_reconstruct"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy._core.numeric", "_frombuffer"),
        ("numpy.core.numeric", "_frombuffer"),
    }
)
"""Classes and functions that a reply may name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsingLimits:
    """What one file may take.

    Args:
        memory: bytes of the process that reads it.
        seconds: until the process is ended.
    """

    memory: int
    seconds: int


class _Request(pickle.Pickler):
    """Sends the bytes of what lies on a disk: the file has no name by which to open it."""

    def reducer_override(self, obj: object, /) -> Any:
        if isinstance(obj, Spool):
            with closing(obj.open()) as stream:
                return bytes, (stream.read(),)
        return NotImplemented


class Reply(pickle.Unpickler):
    """Takes what a reader process may send, and nothing that would run."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) not in ACCEPTED:
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is no part of a reply")
        return super().find_class(module_name, global_name)


class _ReaderProcess:
    """One process, which reads a file at a time."""

    def __init__(self) -> None:
        self.files = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tertium.serve.evaluation.parsers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Arrow's own allocator reserves a gigabyte that counts as used.
            env={**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"},
        )

    def ask(self, request: bytes, seconds: float) -> Any:
        """The reply; an EOFError if the process ends, a TimeoutError if it takes too long."""
        process = self._process
        assert process.stdin is not None  # noqa: S101 - as it was started
        assert process.stdout is not None  # noqa: S101
        self.files += 1
        deadline = time.monotonic() + seconds
        # Ended from another thread, writing and reading end at once.
        guard = threading.Timer(seconds, process.kill)
        guard.daemon = True
        guard.start()
        try:
            process.stdin.write(HEADER.pack(len(request)))
            process.stdin.write(request)
            process.stdin.flush()
            (size,) = HEADER.unpack(self._exactly(HEADER.size))
            return Reply(io.BytesIO(self._exactly(size))).load()
        except (EOFError, OSError):
            if time.monotonic() >= deadline:
                raise TimeoutError from None
            raise EOFError from None
        finally:
            guard.cancel()

    def _exactly(self, size: int) -> bytes:
        assert self._process.stdout is not None  # noqa: S101
        data = self._process.stdout.read(size) if size <= LARGEST_REPLY else b""
        if len(data) < size:
            raise EOFError
        return data

    @property
    def number(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def end(self) -> int:
        """End the process; the status that it had."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._process.kill()
        status = self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return status


class _EndedError(Exception):
    """A process ended without a reply."""


@dataclass(slots=True)
class ParserPool:
    """Some processes that wait for files; there are no more of them than are needed at once."""

    _idle: list[_ReaderProcess] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _places: threading.BoundedSemaphore = field(
        default_factory=lambda: threading.BoundedSemaphore(AT_ONCE)
    )

    def call(
        self,
        limits: ParsingLimits,
        name: str,
        function: Callable[Parameters, Result],
        /,
        *arguments: Parameters.args,
        **named: Parameters.kwargs,
    ) -> Result:
        """What a function of ours gives for a file called ``name``, computed by a process.

        A file that takes too much memory or time is a `TooLargeError`; one by which the process
        ends in another way an `UnreadableError`. Errors of the function are its own.
        """
        target = (function.__module__, function.__qualname__)
        stream = io.BytesIO()
        _Request(stream).dump((target, arguments, named, limits.memory, limits.seconds))
        request = stream.getvalue()
        with self._places:
            try:
                kind, *values = self._asked(request, limits, name)
            except _EndedError:
                # Once more: it may have been killed by whoever makes room, and not by the file.
                try:
                    kind, *values = self._asked(request, limits, name)
                except _EndedError:
                    raise UnreadableError(
                        f"{name}: the process that read it ended, expected a file that can be read "
                        f"within {limits.memory // 1_000_000} MB of memory ({FLAG})"
                    ) from None
        result: Result = result_of(kind, values, name, limits)
        return result

    def _asked(self, request: bytes, limits: ParsingLimits, name: str) -> tuple[Any, ...]:
        """The reply of a process; one that did not end well is not asked again."""
        reader = self._taken()
        try:
            kind, *values = reader.ask(request, limits.seconds)
        except TimeoutError:
            reader.end()
            raise TooLargeError(
                f"{name}: took more than {limits.seconds} s to read, expected a smaller file"
            ) from None
        except Exception as error:  # noqa: BLE001 (of a reply that is none, anything)
            status = reader.end()
            LOG.warning("%s: the process that read it ended (%d, %r)", name, status, error)
            raise _EndedError from None
        except BaseException:
            reader.end()
            raise
        self._give_back(reader, fit=kind != "memory")
        return kind, *values

    @property
    def waiting(self) -> tuple[int, ...]:
        """The process numbers of those that have nothing to do."""
        with self._lock:
            return tuple(one.number for one in self._idle)

    def warm(self) -> None:
        """Start a process before the first file comes."""
        self._give_back(self._taken(), fit=True)

    def close(self) -> None:
        """End all processes that wait."""
        with self._lock:
            idle, self._idle = self._idle, []
        for one in idle:
            one.end()

    def _taken(self) -> _ReaderProcess:
        with self._lock:
            while self._idle:
                reader = self._idle.pop()
                if reader.is_alive:
                    return reader
                reader.end()
        return _ReaderProcess()

    def _give_back(self, reader: _ReaderProcess, *, fit: bool) -> None:
        if not fit or reader.files >= MOST_FILES:
            reader.end()
            return
        with self._lock:
            self._idle.append(reader)


def result_of(kind: str, values: list[Any], name: str, limits: ParsingLimits) -> Any:
    """The value of a reply, or the error that it tells."""
    if kind == "result":
        return values[0]
    if kind == "memory":
        raise TooLargeError(
            f"{name}: takes more than {limits.memory // 1_000_000} MB of memory to read, expected "
            f"a smaller file ({FLAG} allows more)"
        )
    if kind == "error":
        known = getattr(common_errors, values[0], None) or getattr(serve_errors, values[0], None)
        if isinstance(known, type) and issubclass(known, TertiumError):
            raise known(values[1])
    raise RuntimeError(f"{name}: {values[-1]}")


PARSERS: Final = ParserPool()
"""The processes of this server."""
atexit.register(PARSERS.close)
