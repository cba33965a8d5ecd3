"""Files of n-best lists on a cluster: the best of each list, or minimum Bayes risk."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import accumulate
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tertium.decode.best_of import Best
from tertium.decode.mbr.decision import MbrDecision, MbrSetting
from tertium.decode.mbr.outcomes import MbrOutcome, outcome_of
from tertium.decode.weights import check_names
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.scale.engine.cluster import Cluster
from tertium.scale.engine.folder import PartFolder
from tertium.scale.engine.list_partitions import ListPartition, PartitionedLists
from tertium.scale.engine.lists import Choosing, ChosenPart, Deciding
from tertium.scale.engine.work import finish, kept_parts, warnings_of
from tertium.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfLists:
    """The best of each list in the order of the files, and what was left out.

    ``segments`` are how many there are, those without a list included.
    """

    best: tuple[Best, ...] = field(repr=False)
    segments: int
    missing: tuple[int, ...] = ()
    damages: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def best_of_partitions(
    lists: PartitionedLists,
    metric: AnyMetric = "chrf",
    *,
    cluster: Cluster | None = None,
    skip_missing: bool = False,
    resume: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> BestOfLists:
    """The best candidate of each list by a metric, as `tertium.decode.best_of.BestOf` chooses.

    The options are those of `score_partitions`; what is damaged is left out where the lists'
    reading says so.
    """
    chosen = as_metric(metric)
    partitions = lists.partitions()
    if chosen.waits_for_fit and len({one.references for one in partitions}) > 1:
        raise OptionError(
            f"{chosen.spec}: found references in several files, expected all in one, as its "
            "statistics depend on all of them"
        )
    task = Choosing(metric=chosen, reading=lists.reading, skip_missing=skip_missing)
    run = _ChoiceRun(lists, partitions, cluster or Cluster(), progress)
    identity = {"work": "best-of", "metric": chosen.signature(), "skip_missing": skip_missing}
    with run.finished(task, identity, resume) as found:
        best = [
            Best(**{**told, "segment": told["segment"] + first, "score": _number(told["score"])})
            for first, told in found.lines()
        ]
        return BestOfLists(
            best=tuple(best),
            segments=found.segments,
            missing=found.missing,
            damages=found.damages,
            warnings=found.warnings,
        )


def mbr_partitions(
    lists: PartitionedLists,
    setting: MbrSetting,
    *,
    weights: Mapping[str, float] | None = None,
    weights_name: str = "weights",
    metrics: Sequence[Metric] = (),
    detailed: bool = False,
    cluster: Cluster | None = None,
    resume: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[MbrOutcome, BestOfLists]:
    """Minimum Bayes risk for every list, as `tertium.decode.mbr.outcomes.mbr_corpus` decides.

    Beside the outcome there is what was left out, with no best candidates.
    """
    partitions = lists.partitions()
    task = Deciding(setting=setting, reading=lists.reading, weights=weights, detailed=detailed)
    run = _ChoiceRun(lists, partitions, cluster or Cluster(), progress)
    identity = {
        "work": "mbr",
        "utility": None if setting.utility is None else setting.utility.signature(),
        "setting": repr(replace(setting, utility=None)),
        "weights": None if weights is None else dict(weights),
        "detailed": detailed,
    }
    with run.finished(task, identity, resume) as found:
        lines = list(found.lines())
        if weights is not None:
            check_names(weights, dict.fromkeys(found.feature_names), weights_name)
        outcome = outcome_of(
            [_decision(told["decision"], first) for first, told in lines],
            setting,
            utility="" if setting.utility is None else setting.utility.spec,
            references=[tuple(told["references"]) for _, told in lines],
            sources=[told["source"] for _, told in lines],
            metrics=metrics,
            in_all=found.segments,
        )
        left = BestOfLists(
            best=(), segments=found.segments, damages=found.damages, warnings=found.warnings
        )
        return outcome, left


def _decision(told: dict[str, Any], first: int) -> MbrDecision:
    utilities = tuple((one["text"], one["expected"]) for one in told["utilities"])
    return MbrDecision(**{**told, "segment": told["segment"] + first, "utilities": utilities})


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Finished parts in order, their files of lines, and the number that each begins with."""

    parts: tuple[ChosenPart, ...]
    files: tuple[Path, ...]
    firsts: tuple[int, ...]
    segments: int
    warnings: tuple[str, ...]

    def lines(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """What was chosen, with the number of the file's first segment."""
        for first, file in zip(self.firsts, self.files, strict=True):
            for told in _told(file):
                yield first, told

    @property
    def missing(self) -> tuple[int, ...]:
        pairs = zip(self.firsts, self.parts, strict=True)
        return tuple(first + one for first, part in pairs for one in part.missing)

    @property
    def damages(self) -> tuple[str, ...]:
        return tuple(one for part in self.parts for one in part.damages)

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(one for part in self.parts for one in part.feature_names)


@dataclass(frozen=True, slots=True)
class _ChoiceRun:
    lists: PartitionedLists
    partitions: Sequence[ListPartition]
    cluster: Cluster
    progress: Callable[[int], None] | None

    @contextmanager
    def finished(
        self,
        task: Choosing | Deciding,
        identity: dict[str, Any],
        resume: str | PathLike[str] | None,
    ) -> Iterator[_Found]:
        with TemporaryDirectory(prefix="tertium-") as passing:
            if resume is None:
                folder = PartFolder(passing, {}, suffix=".jsonl")
            else:
                told = {
                    "tertium": __version__,
                    **identity,
                    "reading": asdict(self.lists.reading),
                    "inputs": [list(one.files) for one in self.partitions],
                }
                folder = PartFolder(resume, told, suffix=".jsonl")
            known = self._known(folder, task)
            parts = [known[one.number] for one in self.partitions]
            good = [part for part in parts if not part.fault]
            if not good:
                raise InputError(parts[0].fault)
            yield self._found(good, [folder.data(part.number) for part in good], parts)

    def _known(self, folder: PartFolder, task: Choosing | Deciding) -> dict[int, ChosenPart]:
        known = kept_parts(folder, self.partitions, ChosenPart.from_dict)
        if self.progress is not None:
            self.progress(len(known))
        left = [one for one in self.partitions if one.number not in known]
        if left:
            with self.cluster.opened(len(left)) as client:
                known |= finish(
                    client,
                    replace(task, threads=self.cluster.threads_each(len(left))),
                    left,
                    folder,
                    skip_bad=self.lists.reading.skip_bad,
                    progress=self.progress,
                )
        return known

    def _found(
        self, good: Sequence[ChosenPart], files: Sequence[Path], parts: Sequence[ChosenPart]
    ) -> _Found:
        sizes = [max(part.count, part.references) for part in good]
        own = [dict.fromkeys(_numbers(file)) for file in files]
        firsts, segments = [0] * len(good), max(sizes)
        if self._are_counted_from_zero() or (not self._have_numbers() and _any_twice(own)):
            *firsts, segments = accumulate(sizes, initial=0)
        numbers = [[first + one for one in some] for first, some in zip(firsts, own, strict=True)]
        if twice := _any_twice(numbers):
            raise InputError(
                f"segment {twice[0]}: found it in two files, expected it in one, or a file of "
                "references for each file of lists"
            )
        return _Found(
            parts=tuple(good),
            files=tuple(files),
            firsts=tuple(firsts),
            segments=segments,
            warnings=warnings_of(parts),
        )

    def _have_numbers(self) -> bool:
        """Whether the numbers of lists are those of some file of all segments."""
        return any(one.references or one.source for one in self.partitions)

    def _are_counted_from_zero(self) -> bool:
        """Whether every file of lists has references or sources of its own."""
        many = len(self.partitions) > 1
        own = {(one.references, one.source) for one in self.partitions}
        return many and len(own) == len(self.partitions)


def _numbers(file: Path) -> Iterator[int]:
    for told in _told(file):
        yield told.get("decision", told)["segment"]


def _any_twice(numbers: Sequence[Iterable[int]]) -> list[int]:
    """A number that several files have, if there is one."""
    seen: set[int] = set()
    for some in numbers:
        for one in some:
            if one in seen:
                return [one]
        seen.update(some)
    return []


def _told(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_bytes().decode("utf-8", "surrogatepass").split("\n")[:-1]:
        yield json.loads(line)
