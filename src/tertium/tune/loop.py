"""Tuning with the decoder in the loop: decode, merge the lists, tune, and again (Och 2003)."""

import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO, Final, Self
from uuid import uuid4

import numpy as np

from tertium.decode.structures.nbest import NBest
from tertium.decode.weights import check_names
from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.base import Metric
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.suggestions import did_you_mean
from tertium.text.output_files import drafted
from tertium.tune.mert import SearchOptions, normalized
from tertium.tune.surfaces import Candidates, NBestSurface
from tertium.tune.training import TrainingOptions
from tertium.tune.tune import found as search
from tertium.tune.tune import outcome
from tertium.tune.weight_vectors import moses_text, vector_of

# A decoder as a command: it reads weights and writes an n-best list.

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

    def run(self, words: Sequence[str], log: Path, location: str) -> None:
        """Run to the end, all output into the log; an error unless the exit status is 0."""
        with log.open("wb") as output:
            status = _status(words, output, location, self.timeout)
        if status is None:
            raise TertiumError(
                f"{location}: found it running after {self.timeout:g} seconds, expected an end "
                f"before (the time limit); its output is in {log}"
            )
        if status != 0:
            how = f"exit status {status}"
            if status < 0:
                how = f"end by signal {-status} ({signal.Signals(-status).name})"
            raise TertiumError(f"{location}: found {how}, expected 0; its output is in {log}")


def _status(
    words: Sequence[str], output: BinaryIO, location: str, timeout: float | None
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
            f"{location}: {words[0]}: {error.strerror}, expected a program to run"
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


# The folder that a tuning run lives in, so that a killed one goes on where it was.

SETTINGS: Final = "settings.json"
RESULT: Final = "result.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFolder:
    """``settings.json`` and a folder for each iteration.

    An iteration has its weights, the decoder's log and list and, once done, ``result.json``.
    Every file appears whole or not at all.
    """

    path: Path

    def iteration(self, number: int) -> Path:
        """The folder of an iteration; the first has number 1."""
        return self.path / f"iteration-{number:03}"

    def result(self, number: int) -> dict[str, Any] | None:
        """What an iteration found, if it is done."""
        place = self.iteration(number) / RESULT
        return _read_json(place) if place.exists() else None

    def agree(self, settings: Mapping[str, Any]) -> None:
        """Keep the settings of a new run; refuse to go on with one that was set otherwise."""
        place = self.path / SETTINGS
        # As JSON knows them: tuples are lists there.
        now = json.loads(json.dumps(settings))
        if not place.exists():
            write_whole(place, json.dumps(now, indent=1, ensure_ascii=False) + "\n")
            return
        before = _read_json(place)
        for name in {**before, **now}:
            if before.get(name) != now.get(name):
                raise OptionError(
                    f"{self.path}: {name}: found {_short(now.get(name))}, expected "
                    f"{_short(before.get(name))} as this run began with (or another folder)"
                )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Have the folder to oneself; the system unlocks it, however this process ends."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / "lock").open("w") as file:
            try:
                import fcntl
            except ImportError:  # not on Windows
                yield
                return
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise TertiumError(
                    f"{self.path}: found another run at work, expected the folder to be free"
                ) from None
            yield


def write_whole(path: Path, text: str) -> None:
    """Write a file that is there in full or not at all, even if the power goes."""
    with drafted(path) as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())


def keep_whole(draft: Path, path: Path) -> None:
    """Give a file that somebody else has written its final name."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(path)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise InputError(f"{path}: {error}, expected what this program wrote") from None
    if not isinstance(result, dict):
        raise InputError(f"{path}: found {type(result).__name__}, expected an object")
    return result


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


STILL: Final = 1e-5
"""Weights that move by no more than this have converged."""
LIST: Final = "nbest"

ReadLists = Callable[[Path], Iterable[NBest]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Iteration(Plain):
    """One turn: the decoder's list under the old weights, and the new weights.

    ``decoded`` is the score of the decoder's own output, ``tuned`` what the new weights promise
    on the merged lists.
    """

    number: int
    decoded: float
    tuned: float
    length_ratio: float
    words_deleted: float
    hypotheses: int
    fresh: int
    weights: dict[str, float]
    converged: bool

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], place: Path) -> Self:
        """An iteration as it was kept."""
        if set(found) != set(cls.__slots__):
            raise InputError(f"{place}: found {', '.join(found)}, expected an iteration's result")
        return cls(**found)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopReport(Plain):
    """All iterations of a run, those of earlier processes too."""

    PLAIN = (
        "version metric=metric.spec signature segments **options start iterations converged weights"
    )

    metric: Metric
    signature: str
    segments: int
    state: Path
    start: dict[str, float]
    iterations: tuple[Iteration, ...]
    options: SearchOptions | TrainingOptions

    @property
    def weights(self) -> dict[str, float]:
        """The weights that the last iteration came to."""
        return self.iterations[-1].weights

    @property
    def converged(self) -> bool:
        """Whether nothing was left to find."""
        return self.iterations[-1].converged


def tune_decoder(
    decoder: Decoder,
    references: Sequence[str | Sequence[str]],
    metric: Metric,
    start: Mapping[str, float],
    *,
    state: Path,
    read: ReadLists,
    iterations: int = 15,
    options: SearchOptions | TrainingOptions | None = None,
    sources: Sequence[str] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> LoopReport:
    """Run the decoder and tune until its lists bring nothing new, or ``iterations`` are done.

    All that is found goes into the folder ``state``; called again with the same settings, it
    goes on at the first iteration that is not finished. ``read`` gives the lists of a file;
    ``sources`` are for a metric that reads them.
    """
    options = options or SearchOptions()
    folder = StateFolder(path=state)
    with folder.locked():
        folder.agree(_settings(decoder, references, metric, start, options))
        done: list[Iteration] = []
        lists: list[NBest] = []
        for number in range(1, iterations + 1):
            turn = _Turn(
                folder=folder, number=number, decoder=decoder, metric=metric, options=options
            )
            fresh = turn.lists(_weights(start, done), read, tell)
            lists += fresh
            found = folder.result(number)
            if found is None:
                result = turn.tuned(fresh, lists, (references, sources), start, done)
                write_whole(turn.place / RESULT, json.dumps(result.to_dict(), indent=1) + "\n")
            else:
                result = Iteration.from_dict(found, turn.place / RESULT)
            done.append(result)
            tell(
                f"iteration {number}: decoded {result.decoded:.2f}, tuned {result.tuned:.2f}, "
                f"{result.fresh} new of {result.hypotheses} hypotheses"
            )
            if result.converged:
                break
    counts = {1 if isinstance(reference, str) else len(reference) for reference in references}
    return LoopReport(
        metric=metric,
        signature=metric.signature(counts.pop() if len(counts) == 1 else "var"),
        segments=len(references),
        state=state,
        start=dict(start),
        iterations=tuple(done),
        options=options,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    folder: StateFolder
    number: int
    decoder: Decoder
    metric: Metric
    options: SearchOptions | TrainingOptions

    @property
    def place(self) -> Path:
        return self.folder.iteration(self.number)

    def lists(
        self, weights: Mapping[str, float], read: ReadLists, tell: Callable[[str], None]
    ) -> list[NBest]:
        """The decoder's lists, which are decoded only if they are not there."""
        for name in (LIST, f"{LIST}.gz"):
            if (self.place / name).exists():
                return list(read(self.place / name))
        tell(f"iteration {self.number}: decoding")
        self.place.mkdir(exist_ok=True)
        write_whole(self.place / "weights.txt", moses_text(weights))
        write_whole(self.place / "weights.json", json.dumps(dict(weights), indent=1) + "\n")
        # A name of its own: a decoder that outlived its killed tuner still writes to the old one.
        draft = self.place / f"attempt-{uuid4().hex[:12]}.{LIST}"
        words = self.decoder.words(
            weights=str(self.place / "weights.txt"),
            weights_json=str(self.place / "weights.json"),
            nbest=str(draft),
            iteration=str(self.number),
        )
        self.decoder.run(words, self.place / "decoder.log", f"decoder: iteration {self.number}")
        for suffix in ("", ".gz"):
            written = draft.with_name(draft.name + suffix)
            if written.exists():
                nbests = list(read(written))  # before it counts as done: it may be damaged
                keep_whole(written, self.place / f"{LIST}{suffix}")
                for left_over in self.place.glob(f"attempt-*.{LIST}*"):
                    left_over.unlink(missing_ok=True)
                return nbests
        raise InputError(
            f"decoder: iteration {self.number}: found no file {draft}, expected an n-best list "
            f"there ({{nbest}}); its output is in {self.place / 'decoder.log'}"
        )

    def tuned(
        self,
        fresh: Sequence[NBest],
        lists: Sequence[NBest],
        texts: tuple[Sequence[str | Sequence[str]], Sequence[str] | None],
        start: Mapping[str, float],
        done: Sequence[Iteration],
    ) -> Iteration:
        """Tune on all lists so far; ``texts`` are references, and sources if there are some."""
        segments = len(texts[0])
        surface = NBestSurface(Candidates.of(lists, segments), *texts)
        names = surface.feature_names
        if not done and any(name in start for name in names):
            check_names(start, names, "weights")
        known = done[-1].hypotheses if done else 0
        earlier = [start, *(iteration.weights for iteration in done)]
        *before, current = (vector_of(weights_, names, "weights") for weights_ in earlier)
        found = search(surface, self.metric, current, self.options, more_starts=before)
        own = NBestSurface(Candidates.of(fresh, segments), *texts)
        decoded = outcome(own, [self.metric], vector_of(earlier[-1], own.feature_names, "weights"))
        moved = float(np.abs(found.weights - normalized(current)).max())
        return Iteration(
            number=self.number,
            decoded=decoded.scores[0],
            tuned=found.score,
            length_ratio=decoded.length_ratio,
            words_deleted=decoded.words_deleted,
            hypotheses=len(surface),
            fresh=len(surface) - known,
            weights=dict(zip(names, found.weights.tolist(), strict=True)),
            converged=len(surface) == known or moved <= STILL,
        )


def _weights(start: Mapping[str, float], done: Sequence[Iteration]) -> Mapping[str, float]:
    return done[-1].weights if done else start


def _settings(
    decoder: Decoder,
    references: Sequence[str | Sequence[str]],
    metric: Metric,
    start: Mapping[str, float],
    options: SearchOptions | TrainingOptions,
) -> dict[str, Any]:
    """What must not change from one process of a run to the next."""
    texts = json.dumps(
        [[reference] if isinstance(reference, str) else list(reference) for reference in references]
    )
    digest = hashlib.sha256(texts.encode()).hexdigest()
    return {
        "decoder": decoder.template,
        "shell": decoder.shell,
        "metric": metric.spec,
        "references": f"{counted(len(references), 'segment')}, sha256 {digest}",
        "weights": dict(start),
        **{name: getattr(options, name) for name in type(options).__slots__},
    }
