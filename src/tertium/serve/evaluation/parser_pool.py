"""Files that people send are read in processes of their own, so that none can end the server.

A reader process is started once and waits for work (imports take a second, reading a small file
some milliseconds). Before each file it sets its own limits of memory and processor time; the server
waits for a bounded time and kills it otherwise. What comes back is bounded, too, and only plain
values and a few classes of ours are accepted, for a reader that a file has taken over could send
anything. A process that failed, or has read many files, is replaced.

The protocol, over pipes: 8 bytes of length, then a pickle; the request is ``(function, arguments,
limits)``, the reply ``("result", value)`` or ``("error", class, message)``.

What a change must keep:

- Trust goes one way. The reader unpickles what the server sends; the server unpickles with `Reply`
  alone, which refuses every global that is not in `ACCEPTED`. A new reader function belongs in
  ``FUNCTIONS`` of `tertium.serve.evaluation.parser_process`, the classes it returns in `ACCEPTED`;
  never add one whose construction has side effects.
- A process is in one place: idle in the pool, or with the one thread that asks it. It goes back
  only after a whole reply was read; after any exception it is ended, since the pipe may hold half
  of an answer.
- The time limit is enforced by killing the process, which makes blocked reads and writes return.
  There is no other way to stop native code that does not look at the clock.
- The semaphore bounds the processes, and so the memory: at most `AT_ONCE` times the limit of one.
"""

import atexit
import io
import logging
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any, Final, ParamSpec, TypeVar

from tertium import errors as common_errors
from tertium.errors import TertiumError
from tertium.serve import errors as serve_errors
from tertium.serve.errors import TooLargeError, UnreadableError
from tertium.serve.evaluation.parser_process import FLAG, HEADER
from tertium.text.files import Spool

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
            [sys.executable, "-m", "tertium.serve.evaluation.parser_process"],
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
                raise UnreadableError(
                    f"{name}: the process that read it ended, expected a file that can be read "
                    f"within {limits.memory // 1_000_000} MB of memory ({FLAG})"
                ) from None
            except BaseException:
                reader.end()
                raise
            self._give_back(reader, fit=kind != "memory")
        result: Result = result_of(kind, values, name, limits)
        return result

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
