"""Formats that other programs write and nobody needs to be written."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from tertium.decode.structures.nbest import NBest
from tertium.errors import OptionError


class OnlyRead:
    """The half of a format of n-best lists that says no."""

    __slots__ = ()
    name: ClassVar[str]
    holds: ClassVar[type] = NBest
    sign: ClassVar[int] = 1

    def write(self, _: Iterable[NBest]) -> Iterator[str]:
        """An error: the format is for reading."""
        raise OptionError(f"format {self.name}: found it for output, expected another (samples)")

    def losses(self, _: NBest) -> list[str]:
        """What would be left out: nothing, for nothing is written."""
        return []

    def obstacles(self, _: NBest) -> list[str]:
        """What cannot be written: the format says so itself."""
        return []
