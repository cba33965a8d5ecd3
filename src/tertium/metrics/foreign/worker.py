"""A program that scores: started once, asked in lines of JSON, ended with us."""

import atexit
import json
import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import isinf
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any, Final, cast

from tertium.errors import InputError

END: Final = None
"""Stands in the queue of answers for the end of them."""
GRACE: Final = 5.0
"""Seconds that a program has to end by itself when there is nothing more to ask."""
PAUSE: Final = 0.1
"""Seconds after the first answer in which there must be no second one."""
LAST_WORDS: Final = 3
"""Lines of the program's standard error that an error quotes."""
EXPECTED: Final = 'a number, null or {"score": number} a line, and nothing else on standard output'


class Died(Exception):  # noqa: N818 - an event that is dealt with, no error of its own
    """The program ended before it had answered."""


class Worker:
    """One running program, in a session of its own: Ctrl-C is ours, and we end it then."""

    def __init__(self, words: Sequence[str], *, name: str, timeout: float) -> None:
        self.name, self.words, self.timeout = name, tuple(words), timeout
        self.answered = 0
        self._answers: Queue[bytes | None] = Queue()
        self._said: deque[str] = deque(maxlen=LAST_WORDS)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            found = (error.strerror or str(error)).lower()
            raise InputError(f"{name}: '{words[0]}': {found}, expected a program to run") from None
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (cast("IO[bytes]", one) for one in pipes)
        self._threads = [_started(self._read_answers), _started(self._read_words)]
        atexit.register(self.close)

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
            yield self._number(answer)
            if self.answered == 1:
                # Who answers twice to one text would shift all that follow.
                self.check_silence(PAUSE)

    def close(self) -> None:
        """Let the program end: by the end of its input, else by force. A second call is nothing."""
        with _no_fatal_pipes(), suppress(OSError):  # what was not read is lost with the program
            self._stdin.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGTERM)
        self._release()

    def kill(self) -> None:
        """End the program and all that it started, now."""
        self._signal(signal.SIGTERM)
        self._release()

    def _signal(self, number: int) -> None:
        """End the group, at last by force: a program may not hear the first word."""
        for one in (number, getattr(signal, "SIGKILL", number)):  # Windows lacks it
            try:
                os.killpg(self._process.pid, one)
            except (OSError, AttributeError):  # gone already, or a system without groups
                self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)

    def _release(self) -> None:
        """Give back threads and pipes; a grandchild that holds a pipe is not waited for."""
        atexit.unregister(self.close)
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
            answer = self._answers.get(timeout=self.timeout)
        except Empty:
            self.kill()
            raise InputError(
                f"{self.name}: found no answer in {self.timeout:g} seconds, expected one after "
                f"{self.answered}{self.last_words} (timeout=SECONDS)"
            ) from None
        if answer is END:
            self._answers.put(END)
            raise Died
        return answer

    def _number(self, line: bytes) -> float | None:
        text = line.decode("utf-8", "replace").strip()
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = text
        if isinstance(found, dict) and "score" in found:
            found = found["score"]
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float) or isinf(found):
            self.kill()
            raise InputError(
                f"{self.name}: answer {self.answered}: found '{text[:80]}', expected {EXPECTED}"
            )
        return float(found)

    def check_silence(self, seconds: float = 0.0) -> None:
        """Nobody has asked: what has been said since the last answer is one too many."""
        try:
            line = self._answers.get(timeout=seconds) if seconds else self._answers.get_nowait()
        except Empty:
            return
        if line is END:
            self._answers.put(END)
            if seconds:  # there is an answer: whether that was the last one is seen later
                return
            raise Died
        self.kill()
        text = line.decode("utf-8", "replace").strip()
        raise InputError(
            f"{self.name}: found more answers than {self.answered} texts ('{text[:80]}'), "
            f"expected {EXPECTED}"
        )

    def _write(self, data: bytes) -> None:
        # That the program has ended is noticed by who reads its answers.
        with _no_fatal_pipes(), suppress(OSError, ValueError):
            self._stdin.write(data)
            self._stdin.flush()

    def _read_answers(self) -> None:
        for line in self._stdout:
            if line.strip():
                self._answers.put(line)
        self._answers.put(END)

    def _read_words(self) -> None:
        for line in self._stderr:
            if text := line.decode("utf-8", "replace").strip():
                self._said.append(text[:200])


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
