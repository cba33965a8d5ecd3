"""The page of memory by which a test tells `preload.c` what is to fail."""

import errno
import mmap
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAGE: Final = "TERTIUM_FAULT_PAGE"
CALLS: Final = {"writes": 1, "reads": 2, "allocations": 4, "threads": 8}
ERRORS: Final = {
    **{name: getattr(errno, name) for name in ("EIO", "ENOSPC", "ENOMEM", "EAGAIN")},
    "short": 0,
}
_FIELDS: Final = struct.Struct("=7Q")
_SIZE: Final = _FIELDS.size + 4096
_COUNTED: Final = 5 * 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What fails: which calls, how, and whether all later ones fail, too."""

    calls: str
    error: str
    persistent: bool = False

    def __str__(self) -> str:
        return f"{self.calls} {self.error}{' from then on' if self.persistent else ' once'}"


class FaultPage:
    """The page, as this process shares it with the library that was loaded into it."""

    def __init__(self) -> None:
        with Path(os.environ[PAGE]).open("r+b") as file:
            self._page = mmap.mmap(file.fileno(), _SIZE)

    @contextmanager
    def armed(self, fault: Fault, folder: Path, at: int) -> Iterator[None]:
        """Let the call of this number fail (0: none), of files below the folder."""
        path = os.fsencode(folder) + b"/"
        self._page[_FIELDS.size :] = path.ljust(4096, b"\0")
        mask, error = CALLS[fault.calls], ERRORS[fault.error]
        self._page[: _FIELDS.size] = _FIELDS.pack(
            1, mask, at, fault.persistent and at > 0, error, 0, 0
        )
        try:
            yield
        finally:
            self._page[:8] = bytes(8)

    @property
    def calls(self) -> int:
        """How many calls have counted."""
        return int.from_bytes(self._page[_COUNTED : _COUNTED + 8], sys.byteorder)

    @property
    def fired(self) -> int:
        """How many of them have failed."""
        return int.from_bytes(self._page[_COUNTED + 8 : _COUNTED + 16], sys.byteorder)


def why_not() -> str:
    """Why no fault can be injected here; empty if it can be done."""
    if not sys.platform.startswith("linux"):
        return "LD_PRELOAD and /proc are needed to let calls fail"
    if shutil.which("cc") is None:
        return "no C compiler to make the library that lets calls fail"
    return ""


def preloaded(folder: Path) -> dict[str, str]:
    """Compile the library; the environment of a process in which it can be told to fail calls."""
    library, page = folder / "faults.so", folder / "page"
    source = Path(__file__).with_name("preload.c")
    words = ["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*words, "-o", str(library), str(source), "-ldl"], check=True)
    page.write_bytes(bytes(_SIZE))
    return {"LD_PRELOAD": str(library), PAGE: str(page)}
