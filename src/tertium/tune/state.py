"""The folder that a tuning run lives in, so that a killed one goes on where it was."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tertium.errors import InputError, OptionError, TertiumError
from tertium.text.written.drafts import drafted

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
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise InputError(f"{path}: {error}, expected what this program wrote") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: found {type(found).__name__}, expected an object")
    return found


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
