"""Files that decide scores: named in a signature together with a checksum of their content."""

import re
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import Final

from tertium.errors import OptionError

_CHECKSUM: Final = re.compile(r"(.*)@([0-9a-f]{8})", flags=re.DOTALL)


def split_checksum(text: str) -> tuple[str, str]:
    """A name and its checksum, which may be empty.

    >>> split_checksum("tables/en.gz@1a2b3c4d"), split_checksum("me@home")
    (('tables/en.gz', '1a2b3c4d'), ('me@home', ''))
    """
    match = _CHECKSUM.fullmatch(text)
    return (match[1], match[2]) if match else (text, "")


def checked(location: str, found: str, expected: str) -> str:
    """The checksum found, or an error if another one was promised."""
    if expected and found != expected:
        raise OptionError(f"{location}: found checksum {found}, expected {expected}")
    return found


def file_checksum(path: str) -> str:
    """Eight hex digits of SHA-256."""
    with Path(path).open("rb") as file:
        return file_digest(file, "sha256").hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class File:
    """A file and the checksum of its content, which is found out when none is given."""

    path: str
    checksum: str = field(default="")

    def __post_init__(self) -> None:
        if not Path(self.path).is_file():
            raise OptionError(f"{self.path}: no such file, expected one")
        checksum = checked(self.path, file_checksum(self.path), self.checksum)
        object.__setattr__(self, "checksum", checksum)

    @classmethod
    def parse(cls, text: str) -> "File":
        """Read ``path`` or ``path@checksum``."""
        return cls(*split_checksum(text))

    def __str__(self) -> str:
        return f"{self.path}@{self.checksum}"
