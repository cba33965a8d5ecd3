"""What a run of the benchmarks found: ratios to peers, and figures that have a limit."""

import math
from dataclasses import dataclass
from typing import Final

from case import Case, Peer
from measure import Measurement

_SAME: Final = 1e-6  # relative; sums in another order differ by far less


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """One piece of work at one size, on all threads and, where it has any, on one."""

    all_threads: Measurement
    one_thread: Measurement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A peer's time over ours."""

    case: str
    title: str
    segments: int
    peer: str
    ours: Pace
    theirs: Pace
    at_least: float | None
    same_score: bool | None
    by_cpu: bool = False

    @classmethod
    def of(cls, case: Case, peer: Peer, segments: int, ours: Pace, theirs: Pace) -> "Comparison":
        """Put two measurements side by side."""
        our_score, their_score = ours.all_threads.score, theirs.all_threads.score
        same = None
        if peer.same_score and our_score is not None and their_score is not None:
            same = math.isclose(our_score, their_score, rel_tol=_SAME)
        return cls(
            case=case.name,
            title=case.title,
            segments=segments,
            peer=peer.name,
            ours=ours,
            theirs=theirs,
            at_least=peer.at_least,
            same_score=same,
            by_cpu=peer.by_cpu,
        )

    def _seconds(self, measured: Measurement) -> float:
        return measured.cpu_seconds if self.by_cpu else measured.wall_seconds

    @property
    def ratio(self) -> float:
        """How many times faster we are."""
        return self._seconds(self.theirs.all_threads) / self._seconds(self.ours.all_threads)

    @property
    def ratio_one_thread(self) -> float | None:
        """The same with one thread for us."""
        if self.ours.one_thread is None:
            return None
        theirs = self.theirs.one_thread or self.theirs.all_threads
        return self._seconds(theirs) / self._seconds(self.ours.one_thread)

    @property
    def reached(self) -> bool | None:
        """Whether the ratio is as high as it should be; None where nothing was asked."""
        if self.same_score is False:
            return False
        return None if self.at_least is None else self.ratio >= self.at_least


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A figure that is not to exceed a limit."""

    case: str
    title: str
    figure: float
    at_most: float

    @property
    def reached(self) -> bool:
        """Whether the figure is within the limit."""
        return self.figure <= self.at_most


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Work that ended in an error."""

    case: str
    segments: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """All that one run found, and on what machine."""

    machine: dict[str, str]
    comparisons: tuple[Comparison, ...]
    bounds: tuple[Bound, ...]
    failures: tuple[Failure, ...]


def bounds_of(case: Case, paces: dict[int, Pace]) -> list[Bound]:
    """The limits that a case sets on our own figures, by size."""
    if not paces:
        return []
    found = []
    small, large = min(paces), max(paces)
    if case.peak_megabytes is not None:
        figure = paces[large].all_threads.peak_bytes / 1e6
        title = f"{case.title}: peak memory at {large:,} segments, MB"
        found.append(Bound(case=case.name, title=title, figure=figure, at_most=case.peak_megabytes))
    if case.seconds is not None:
        figure = paces[large].all_threads.wall_seconds
        title = f"{case.title}: seconds"
        found.append(Bound(case=case.name, title=title, figure=figure, at_most=case.seconds))
    if case.growth is not None and small < large:
        seconds = {size: paces[size].all_threads.wall_seconds / size for size in (small, large)}
        title = f"{case.title}: time per segment, {large:,} over {small:,} segments"
        figure = seconds[large] / seconds[small]
        found.append(Bound(case=case.name, title=title, figure=figure, at_most=case.growth))
    return found
