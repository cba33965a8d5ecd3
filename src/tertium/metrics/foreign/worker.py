"""A program that scores: started once, asked in lines of JSON, ended with us.

What it may write is bounded: an answer by `LONGEST_ANSWER`, what nobody has read yet by the queue
between the thread that reads its pipe and the caller, so that a program that never ends a line, or
never stops answering, is an error and not a full memory. It ends with this process however that
ends: a guard (`_GUARD`) reads a pipe that only this process can write, and a pipe that closes
without a word means that this process was killed. ``PR_SET_PDEATHSIG`` would not do: it fires when
the *thread* that started the program ends, and it spares what the program started.
"""

import atexit
import json
import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import isinf
from queue import Empty, Full, Queue
from threading import Thread
from time import monotonic
from typing import IO, Any, Final, NamedTuple, cast

from tertium.errors import InputError
from tertium.metrics.foreign.cache import say
from tertium.plurals import counted

GRACE: Final = 5.0
"""Seconds that a program has to end by itself when there is nothing more to ask."""
PAUSE: Final = 0.1
"""Seconds after the first and after the last answer in which there must be no further one."""
LONGEST_ANSWER: Final = 1 << 20
"""Bytes in which a line must end."""
_CHUNK: Final = 1 << 16
_CHUNKS_AHEAD: Final = 16
"""Chunks of answers that are read before they are asked for; beyond, the program has to wait."""
LAST_WORDS: Final = 3
"""Lines of the program's standard error that an error quotes."""
EXPECTED: Final = 'a number, null or {"score": number} a line, and nothing else on standard output'
_GUARD: Final = 'trap "" TERM; read -r word && exit; kill -s TERM 0; sleep 1; kill -s KILL 0'
"""What the shell does that outlives us: it ends its group of processes at the end of its input,
unless it is told a word before."""


class Died(Exception):  # noqa: N818 - an event that is dealt with, no error of its own
    """The program ended before it had answered."""


class Worker:
    """One running program, in a group of its own: Ctrl-C is ours, and we end it then."""

    def __init__(self, words: Sequence[str], *, name: str, timeout: float) -> None:
        self.name, self.words, self.timeout = name, tuple(words), timeout
        self.answered = 0
        self._ready: deque[bytes] = deque()
        self._answers: Queue[_Lines] = Queue(_CHUNKS_AHEAD)
        self._begun = b""
        self._ended = False
        self._answered_at = monotonic()
        self._said: deque[str] = deque(maxlen=LAST_WORDS)
        # First of the two, so that there is no moment in which nobody would end the program.
        self._guard = _guard()
        self._group = 0 if self._guard is None else self._guard.pid
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=self._group,
            )
        except OSError as error:
            _dismiss(self._guard)
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"{name}: '{words[0]}': {reason}, expected a program to run") from None
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (cast("IO[bytes]", pipe) for pipe in pipes)
        self._threads = [_started(self._read_answers), _started(self._read_words)]
        atexit.register(self._close_at_exit)

    def ask(self, rows: Sequence[dict[str, Any]]) -> Iterator[float | None]:
        """An answer for each row, as they come; `Died` if there is none to come."""
        self.check_silence()
        # Pure ASCII: a program reads it right whatever its locale is, and whatever ends its lines.
        lines = [json.dumps(row) + "\n" for row in rows]
        # In a thread of its own: a program that does not read must not stop our clock.
        self._threads[2:] = [_started(self._write, "".join(lines).encode("ascii"))]
        for _ in rows:
            answer = self._next()
            self.answered += 1
            self._answered_at = monotonic()
            yield self._number(answer)
            if self.answered == 1:
                # Who answers twice to one text would shift all that follow.
                self.check_silence(PAUSE)

    def close(self) -> None:
        """Let the program end: by the end of its input, else by force. A second call is nothing.

        Answers that nobody asked for are an error here at the latest: they may have shifted others.
        """
        if self._ended:
            return
        if self.answered:
            with suppress(Died):
                self.check_silence(max(0.0, self._answered_at + PAUSE - monotonic()))
        with _no_fatal_pipes(), suppress(OSError):  # what was not read is lost with the program
            self._stdin.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGTERM)
        self._release()

    def _close_at_exit(self) -> None:
        try:
            self.close()
        except InputError as error:  # too late for an exit code, not for a word
            say(f"error: {error}")

    def kill(self) -> None:
        """End the program and all that it started, now."""
        self._signal(signal.SIGTERM)
        self._release()

    def _signal(self, number: int) -> None:
        """End the group, at last by force: a program may not hear the first word."""
        for sent in (number, getattr(signal, "SIGKILL", number)):  # Windows lacks it
            try:
                os.killpg(self._group or self._process.pid, sent)
            except (OSError, AttributeError):  # gone already, or a system without groups
                self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)

    def _release(self) -> None:
        """Give back threads and pipes; a grandchild that holds a pipe is not waited for."""
        self._ended = True
        atexit.unregister(self._close_at_exit)
        _dismiss(self._guard)
        with suppress(Empty):  # a reader that waits for room reads on to the end
            while True:
                self._answers.get_nowait()
        for thread in self._threads:
            thread.join(1.0)
        for stream in (self._stdin, self._stdout, self._stderr):
            if not any(thread.is_alive() for thread in self._threads):
                with _no_fatal_pipes(), suppress(OSError):
                    stream.close()

    @property
    def end(self) -> str:
        """How it ended and what it said last, in words."""
        for thread in self._threads:
            thread.join(1.0)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.poll()
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was killed (signal {-code})"
        else:
            how = f"ended with exit code {code}"
        return f"{how}{self.last_words}"

    @property
    def last_words(self) -> str:
        """The last lines of its standard error."""
        return f"; it said: {' / '.join(self._said)}" if self._said else ""

    def _next(self) -> bytes:
        try:
            return self._line(self.timeout)
        except Empty:
            self.kill()
            raise InputError(
                f"{self.name}: found no answer in {self.timeout:g} seconds, expected one after "
                f"{self.answered}{self.last_words} (timeout=SECONDS)"
            ) from None

    def _line(self, seconds: float) -> bytes:
        """The next line of the program; `Empty` if there is none, `Died` if none can come."""
        if not self._ready:
            lines = self._answers.get(timeout=seconds) if seconds else self._answers.get_nowait()
            self._ready.extend(lines.complete)
            if not self._ready:
                if lines.begun:
                    self.kill()
                    raise InputError(
                        f"{self.name}: answer {self.answered + 1}: found {len(lines.begun)} bytes "
                        f"without a line end ('{lines.begun[:40].decode('utf-8', 'replace')}…'), "
                        f"expected {EXPECTED}"
                    )
                self._answers.put(lines)
                raise Died
        return self._ready.popleft()

    def _number(self, line: bytes) -> float | None:
        text = line.decode("utf-8", "replace").strip()
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            answer = text
        if isinstance(answer, dict) and "score" in answer:
            answer = answer["score"]
        if answer is None:
            return None
        if isinstance(answer, bool) or not isinstance(answer, int | float) or isinf(answer):
            self.kill()
            raise InputError(
                f"{self.name}: answer {self.answered}: found '{text[:80]}', expected {EXPECTED}"
            )
        return float(answer)

    def check_silence(self, seconds: float = 0.0) -> None:
        """Nobody has asked: what has been said since the last answer is one too many."""
        try:
            line = self._line(seconds)
        except Empty:
            line = self._begun  # a line that has begun will be one, too
            if not line.strip():
                return
        except Died:
            if seconds:  # there is an answer: whether that was the last one is seen later
                return
            raise
        self.kill()
        text = line.decode("utf-8", "replace").strip()
        raise InputError(
            f"{self.name}: found more answers than {counted(self.answered, 'text')} "
            f"('{text[:80]}'), "
            f"expected {EXPECTED}"
        )

    def _write(self, data: bytes) -> None:
        # That the program has ended is noticed by who reads its answers.
        with _no_fatal_pipes(), suppress(OSError, ValueError):
            self._stdin.write(data)
            self._stdin.flush()

    def _read_answers(self) -> None:
        """Put lines into the queue, those of one write together; an empty item is the end."""
        begun = b""
        while chunk := os.read(self._stdout.fileno(), _CHUNK):
            *complete, begun = (begun + chunk).split(b"\n")
            self._begun = begun  # set first, so that a reader who gets the lines also sees it
            if lines := [line for line in complete if line.strip()]:
                self._put(_Lines(lines))
            if len(begun) > LONGEST_ANSWER:
                self._put(_Lines([], begun))
                break
        else:
            self._put(_Lines([begun] if begun.strip() else []))
        self._put(_Lines([]))

    def _put(self, lines: "_Lines") -> None:
        while not self._ended:
            with suppress(Full):
                self._answers.put(lines, timeout=0.1)
                return

    def _read_words(self) -> None:
        """Keep the last lines of its standard error, whatever ends them (progress bars: CR)."""
        begun = b""
        while chunk := os.read(self._stderr.fileno(), _CHUNK):
            *complete, begun = (begun + chunk).replace(b"\r", b"\n").split(b"\n")
            self._remember(complete)
            begun = begun[-_CHUNK:]
        self._remember([begun])

    def _remember(self, lines: Sequence[bytes]) -> None:
        texts = (line.decode("utf-8", "replace").strip() for line in lines)
        self._said.extend(text[:200] for text in texts if text)


class _Lines(NamedTuple):
    """What a program has written; neither a line nor the beginning of one: the end."""

    complete: list[bytes]
    begun: bytes = b""


def _guard() -> "subprocess.Popen[bytes] | None":
    """A shell whose group of processes ends when this process is killed; Windows has none."""
    if not hasattr(os, "killpg"):  # pragma: no cover
        return None
    try:
        return subprocess.Popen(  # noqa: S603 - our own words
            ["/bin/sh", "-c", _GUARD],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
    except OSError:  # a system without a shell: what reads its input to the end still ends with us
        return None


def _dismiss(guard: "subprocess.Popen[bytes] | None") -> None:
    """Let a guard end without ending anything."""
    if guard is None:
        return
    with _no_fatal_pipes(), suppress(OSError, ValueError, subprocess.TimeoutExpired):
        guard.communicate(b"done\n", timeout=GRACE)  # closes the pipe, be it dead or alive


@contextmanager
def _no_fatal_pipes() -> Iterator[None]:
    """Let a pipe that nobody reads be an error, and not the end of this process.

    Python ignores the signal from the start, but importing sacreBLEU's command undoes that.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
    try:
        yield
    finally:
        if signal.SIGPIPE in signal.sigpending():
            signal.sigwait({signal.SIGPIPE})
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _started(target: Callable[..., None], *arguments: Any) -> Thread:
    thread = Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread
