"""What a benchmark is made of: one piece of work, done by us and by peers."""

from dataclasses import dataclass
from typing import Protocol, TypeAlias


class Strings(Protocol):
    """A function of hypotheses and references as Python strings; returns a score to compare.

    It imports what it needs inside: a warm-up call pays for that, and a case can be listed
    where its peer is not installed.
    """

    __name__: str

    def __call__(self, hypotheses: list[str], references: list[str], /) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A whole command; ``{hypotheses}`` and ``{references}`` stand for the two files."""

    words: tuple[str, ...]


Work: TypeAlias = Strings | Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Who does the same work, and how many times faster we are to be."""

    name: str
    work: Work
    at_least: float | None = None
    same_score: bool = True
    """Whether the peer's score has to be ours: else the ratio would compare unlike work."""
    by_cpu: bool = False
    """Whether processor time counts instead of the clock: for what is over before anyone waits."""
    uses_our_threads: bool = False
    """Whether the peer is tertium too, and gets one thread where we do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Our work beside that of the peers, on texts of several sizes."""

    name: str
    title: str
    ours: Work
    peers: tuple[Peer, ...]
    sizes: tuple[int, ...] = (3_000, 100_000)
    peak_megabytes: float | None = None
    """The most memory that the largest size may take."""
    seconds: float | None = None
    """The most time that the largest size may take."""
    growth: float | None = None
    """The most that the time per segment may grow by from the smallest size to the largest."""
