"""A folder of finished parts: each is complete or not there, and all are of one run."""

import json
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any, Final

from tertium.errors import InputError, TertiumError
from tertium.text.written.drafts import drafted

MANIFEST: Final = "manifest.json"


class PartFolder:
    """What a run has finished, so that another one can go on from there.

    ``identity`` is all that decides the results, by name; a folder of another run is refused. One
    without an identity is of no use to another run. What parts are made of is in files whose names
    end in ``suffix``.
    """

    def __init__(
        self, path: str | PathLike[str], identity: dict[str, Any], *, suffix: str = ".parquet"
    ) -> None:
        self.path, self.suffix = Path(path), suffix
        self.identity = json.loads(json.dumps(identity))
        self.lasts = bool(identity)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._check()
        except OSError as error:
            raise TertiumError(
                f"{path}: {error.strerror or error}, expected a folder to write into"
            ) from None

    def _check(self) -> None:
        manifest = self.path / MANIFEST
        if not manifest.exists():
            others = next((one.name for one in self.path.iterdir() if one.name[:1] != "."), None)
            if others is not None:
                raise InputError(
                    f"{self.path}: found {others} and no {MANIFEST}, expected an empty folder or "
                    "one that an earlier run wrote"
                )
            self._write(MANIFEST, json.dumps(self.identity, ensure_ascii=False).encode())
            return
        try:
            found = json.loads(manifest.read_bytes())
            known = {key: found[key] for key in self.identity}
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{manifest}: found no sense ({error!r}), expected what an earlier run wrote"
            ) from None
        for key, expected in self.identity.items():
            if known[key] != expected:
                raise InputError(
                    f"{self.path}: {_difference(key, known[key], expected)}, as asked for now: "
                    "go on with the same, or begin in another folder"
                )

    def part(self, number: int, state: Callable[[], list[Any]]) -> dict[str, Any] | None:
        """What was kept of a part; nothing if it is not finished.

        Its files must be what they were, of which ``state`` tells.
        """
        file = self.path / f"{_name(number)}.json"
        try:
            told: dict[str, Any] = json.loads(file.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise InputError(f"{file}: {error}, expected what an earlier run wrote") from None
        if told.get("state") != (now := state()):
            raise InputError(
                f"{self.path}: {_difference('files', told.get('state'), now)}, as they are now: "
                "begin in another folder"
            )
        return dict(told["part"])

    def keep(self, number: int, told: dict[str, Any], data: bytes | None, state: list[Any]) -> None:
        """A finished part; what is told of it stands last, for it says that all is there."""
        if data is not None:
            self._write(f"{_name(number)}{self.suffix}", data)
        text = json.dumps({"state": state, "part": told}, ensure_ascii=False)
        self._write(f"{_name(number)}.json", text.encode())

    def data(self, number: int) -> Path:
        """The file of what a part is made of: rows, or lines."""
        return self.path / f"{_name(number)}{self.suffix}"

    def _write(self, name: str, data: bytes) -> None:
        with drafted(self.path / name) as stream:
            stream.write(data)


def _name(number: int) -> str:
    return f"part-{number:06}"


def _difference(key: str, found: Any, expected: Any) -> str:
    """The first place where two values differ; of lists of lists that place alone."""
    if _is_nested(found) and _is_nested(expected):
        if len(found) != len(expected):
            return f"found {len(found)} {key}, expected {len(expected)}"
        place = next(i for i, (a, b) in enumerate(zip(found, expected, strict=True)) if a != b)
        return _difference(key, found[place], expected[place])
    return f"found {key} {_shown(found)}, expected {_shown(expected)}"


def _is_nested(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, list) for one in value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
