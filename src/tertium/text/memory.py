"""How much memory the process and its readers may use.

The limit comes from ``--max-memory``, else from the variable TERTIUM_MAX_MEMORY, else it is a share
of what the machine, or the container, has. Readers take their budgets from it (`Budget`), in Python
as on the command line.

On the command line the system enforces it, too. The limit is one of data (``RLIMIT_DATA``: memory
that the process can write and nobody else can see), not of address space (``RLIMIT_AS``): pyarrow,
PyTorch and threads reserve gigabytes of addresses that they never use, and mapped files take none
of the memory that others need. Each process has the limit for itself; children inherit it. Only
Linux counts data so; elsewhere the budgets of the readers are all there is.

The chosen limits are a stack (`_CHOSEN`) that belongs to the process, not to a thread; a limit for
one upload takes a process of its own (`tertium.serve.evaluation.parsers`). Only the soft limit
is lowered, so that `limited_memory` can restore it, and never below what is in use already, since
then nothing more could be allocated. The variable is set along with the limit, so that
programs started from here have it, too; but not for limits with a flag of their own, such as that
of uploads, which hold for one process.

Every reader that holds what it reads has a `Budget` and tells it of each row or block *before* the
next one is read, so that a small file that stands for a large one (compression, dictionaries,
empty lines) ends in an error with its place, and not in the end of the process. A reader that goes
through a file in pieces of bounded size needs none: it reads any length.

A file may take half of the memory of the process; the other half is for what is made of it. Formats
differ in what a row costs in memory, so a reader says so: a line in the native core takes 64 bytes
more than its text, a message of polib three thousand. These are estimates; what they miss meets the
limit of the process.

When writing a reader:

- Count what was decompressed or decoded, not what lies on the disk, and count it in pieces: a
  budget that is told of a whole file afterwards comes too late.
- Count rows as well as bytes. An empty row has no bytes and costs memory all the same.
- Rows and bytes each have half of the memory as their limit; they are not added up. So ``row`` is
  the cost beside the text, and a file of many long rows can come to more than half.
- A budget is made where reading starts, as it takes the limit that holds at that moment.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Final, NamedTuple

from tertium.errors import LimitError, OptionError

VARIABLE: Final = "TERTIUM_MAX_MEMORY"
FLAG: Final = "--max-memory"
SHARE: Final = 0.8
"""Of the machine's memory, where nobody says anything else."""
LEAST: Final = 64 * 10**6
"""Bytes without which not even the imports succeed."""
UNLIMITED: Final = 1 << 62
UNITS: Final = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


class MemoryLimit(NamedTuple):
    """Bytes that may be used, and the flag that allows more."""

    size: int
    flag: str = FLAG

    @property
    def shown(self) -> str:
        """The size for people.

        >>> MemoryLimit(1_500_000_000).shown, MemoryLimit(64_000_000).shown
        ('1.5 GB', '64 MB')
        """
        if self.size >= UNITS["G"]:
            return f"{self.size / UNITS['G']:.1f} GB"
        return f"{self.size // UNITS['M']} MB"


def memory_size(text: str, name: str = FLAG) -> int:
    """Bytes, written as ``4G``, ``500M``, ``50%`` of the machine, or ``none`` for no limit.

    >>> memory_size("1.5G"), memory_size("500M")
    (1500000000, 500000000)
    """
    written = text.strip().upper().removesuffix("B").removesuffix("I")
    if written == "NONE":
        return UNLIMITED
    number, unit = written, 1.0
    if written.endswith("%"):
        number, unit = written[:-1], machine_memory() / 100
    elif written[-1:] in UNITS:
        number, unit = written[:-1], UNITS[written[-1:]]
    try:
        size = int(float(number) * unit)
    except (ValueError, OverflowError):
        size = -1
    if size < LEAST:
        raise OptionError(
            f"{name}: found '{text}', expected {LEAST // UNITS['M']}M or more, such as 4G or 50%, "
            "or none"
        )
    return min(size, UNLIMITED)


def memory_limit() -> MemoryLimit:
    """The limit of this process."""
    if _CHOSEN:
        return _CHOSEN[-1]
    told = os.environ.get(VARIABLE)
    if told:
        return MemoryLimit(memory_size(told, VARIABLE))
    return MemoryLimit(int(SHARE * machine_memory()))


_CHOSEN: Final[list[MemoryLimit]] = []


@contextmanager
def limited_memory(limit: MemoryLimit | None = None, *, enforced: bool = True) -> Iterator[None]:
    """Hold the process to a limit while the block runs; the default one where none is given.

    >>> with limited_memory(MemoryLimit(10**9), enforced=False):
    ...     memory_limit().shown
    '1.0 GB'
    """
    before, data = len(_CHOSEN), _data_limit()
    told = os.environ.get(VARIABLE)
    choose_memory(limit or memory_limit(), enforced=enforced)
    try:
        yield
    finally:
        del _CHOSEN[before:]
        if told is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = told
        if enforced and data is not None:
            _set_data_limit(data)


def choose_memory(limit: MemoryLimit, *, enforced: bool = True) -> None:
    """Set the limit of this process, and of the programs that it starts."""
    _CHOSEN.append(limit)
    if limit.flag == FLAG:
        os.environ[VARIABLE] = str(limit.size) if limit.size < UNLIMITED else "none"
    if enforced and limit.size < UNLIMITED:
        _set_data_limit(limit.size)


def _data_limit() -> int | None:
    """The soft limit of the process; none where the system has no such thing."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrlimit(resource.RLIMIT_DATA)[0]


def _set_data_limit(size: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY and (size == resource.RLIM_INFINITY or size > hard):
        size = hard
    # Sanitizers map terabytes at the start: under a limit they could not allocate anything more.
    if size != resource.RLIM_INFINITY and _data_in_use() >= size:
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, hard))


def _data_in_use() -> int:
    with suppress(OSError, ValueError, IndexError), open("/proc/self/statm", "rb") as file:  # noqa: PTH123 (pathlib takes long to import)
        return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    return 0


@lru_cache(maxsize=1)
def machine_memory() -> int:
    """Bytes that this machine has, or the container that the process runs in."""
    sizes = [limit for path in _control_files() if (limit := _number_in(path))]
    with suppress(OSError, ValueError, AttributeError):
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(sizes, default=8 * UNITS["G"])


def _control_files() -> Iterator[str]:
    """Where Linux writes the limits of control groups, of version 2 and of version 1."""
    root = "/sys/fs/cgroup"
    yield f"{root}/memory.max"
    yield f"{root}/memory/memory.limit_in_bytes"
    with suppress(OSError), open("/proc/self/cgroup", encoding="utf-8") as file:  # noqa: PTH123
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            parts = [part for part in path.split("/") if part and part != ".."]
            kind = "memory" if "memory" in controllers.split(",") else ""
            name = "memory.limit_in_bytes" if kind else "memory.max"
            if controllers and not kind:
                continue
            # A group has at most what those around it have.
            for depth in range(1, len(parts) + 1):
                yield "/".join(filter(None, (root, kind, *parts[:depth], name)))


def _number_in(path: str) -> int:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return int(file.read())
    except (OSError, ValueError):  # not there, or "max"
        return 0


LINE: Final = 64
"""Bytes that a line costs in the native core beside its text."""
OBJECT: Final = 256
"""Bytes that a row, a line or a value costs as a Python object."""
CELL: Final = 24
"""Bytes that a cell of a column costs in the native core, empty or not."""
HELD: Final = 2
"""Bytes of memory for a byte of text that is held as it is."""
PARSED: Final = 6
"""Bytes of memory for a byte of a file that is read whole, decoded and taken apart."""


class Budget:
    """Counts what one reader holds of one file.

    Args:
        name: the file, in front of the error.
        row: bytes of memory that a row costs beside its text.
        byte: bytes of memory that a byte of the file costs.
        rows: what the rows are called: lines, cells, tags, messages.

    >>> budget = Budget("a.tsv")
    >>> budget.add(rows=3, size=120)
    """

    __slots__ = ("_limit", "_most_bytes", "_most_rows", "_name", "_noun", "_rows", "_size")

    def __init__(
        self, name: str, *, row: int = OBJECT, byte: int = HELD, rows: str = "rows"
    ) -> None:
        self._limit = memory_limit()
        self._name = name
        self._noun = rows
        self._most_rows = self._limit.size // 2 // row
        self._most_bytes = self._limit.size // 2 // byte
        self._rows = self._size = 0

    @property
    def rows_left(self) -> int:
        """Rows that may still come."""
        return self._most_rows - self._rows

    @property
    def bytes_left(self) -> int:
        """Bytes that may still come."""
        return self._most_bytes - self._size

    def add(self, rows: int = 0, size: int = 0) -> None:
        """Count what was read; more than there is memory for is an error."""
        self._rows += rows
        self._size += size
        if self._rows > self._most_rows:
            raise self._too_much(f"{self._most_rows} {self._noun}")
        if self._size > self._most_bytes:
            raise self._too_much(f"{max(self._most_bytes // 1_000_000, 1)} MB of text")

    def restart(self) -> None:
        """Begin anew: what was counted is not held any more."""
        self._rows = self._size = 0

    def _too_much(self, most: str) -> LimitError:
        return LimitError(
            f"{self._name}: more than {most}, expected at most that within "
            f"{self._limit.shown} of memory ({self._limit.flag} allows more)"
        )
