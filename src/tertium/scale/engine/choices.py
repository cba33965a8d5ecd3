"""Files of n-best lists on a cluster: the best of each list, or minimum Bayes risk."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import accumulate
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from tertium._native import set_worker_count
from tertium.decode.best_of import Best, BestOf
from tertium.decode.formats.segments import Segments
from tertium.decode.mbr.before_after import references_of, source_of
from tertium.decode.mbr.decision import Decider, MbrDecision, MbrSetting
from tertium.decode.mbr.outcomes import MbrOutcome, decided, outcome_of
from tertium.decode.structures.arrays import Weights
from tertium.decode.weights import check_names
from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plain import Plain
from tertium.scale.engine.cluster import Cluster
from tertium.scale.engine.partitions import ListPartition, ListReading, PartitionedLists
from tertium.scale.engine.work import PartFolder, finish, kept_parts, warnings_of
from tertium.text.input_files import read_references, read_sources
from tertium.version import __version__

# What a worker does with a file of n-best lists: the best of each, or what is most probable.


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPart(Plain):
    """What is known of a file of lists: how many segments, and what was left out of them."""

    number: int
    place: str
    count: int = 0
    references: int = 0
    feature_names: tuple[str, ...] = ()
    damages: tuple[str, ...] = ()
    missing: tuple[int, ...] = ()
    fault: str = ""

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], location: str) -> "ChosenPart":
        """What `to_dict` gave."""
        try:
            lists = {key: tuple(told[key]) for key in ("feature_names", "damages", "missing")}
            return cls(**{**told, **lists})
        except (KeyError, TypeError) as error:
            raise InputError(
                f"{location}: found a part without sense ({error!r}), expected what an earlier run "
                "wrote"
            ) from None


class ListTask(Protocol):
    """What is done with a file of lists; ``chosen`` gives a JSON object for each of them."""

    @property
    def reading(self) -> ListReading: ...

    @property
    def threads(self) -> int: ...

    def chosen(
        self,
        lists: Segments,
        partition: ListPartition,
        references: Sequence[Sequence[str]] | None,
        sources: Sequence[str] | None,
        missing: list[int],
    ) -> Iterator[dict[str, Any]]:
        """What was chosen, list by list; numbers of those without a reference are added."""
        ...


def done(task: ListTask, partition: ListPartition) -> tuple[ChosenPart, bytes | None]:
    """The part, and a line of JSON for each list; what is wrong with the data is told."""
    set_worker_count(task.threads)
    try:
        references = _references(partition.references) if partition.references else None
        sources = _sources(partition.source) if partition.source else None
        lists, missing = task.reading.segments(partition.lists), list[int]()
        lines = [
            json.dumps(chosen, ensure_ascii=False) + "\n"
            for chosen in task.chosen(lists, partition, references, sources, missing)
        ]
    except TertiumError as error:
        return ChosenPart(number=partition.number, place=partition.name, fault=str(error)), None
    part = ChosenPart(
        number=partition.number,
        place=partition.name,
        count=lists.count,
        references=len(references or ()),
        feature_names=tuple(lists.feature_names),
        damages=tuple(lists.damages.messages),
        missing=tuple(missing),
    )
    return part, "".join(lines).encode("utf-8", "surrogatepass")


# References of all lists are the same for every file that a worker is given.
@lru_cache(maxsize=1)
def _references(paths: tuple[str, ...]) -> list[tuple[str, ...]]:
    return read_references(paths)


@lru_cache(maxsize=1)
def _sources(path: str) -> list[str]:
    return read_sources(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """The best candidate of each list by a metric, as `tertium.decode.best_of` chooses."""

    metric: Metric
    reading: ListReading
    skip_missing: bool = False
    threads: int = 1

    def __call__(self, partition: ListPartition) -> tuple[ChosenPart, bytes | None]:
        """For Dask."""
        return done(self, partition)

    def chosen(
        self,
        lists: Segments,
        _: ListPartition,
        references: Sequence[Sequence[str]] | None,
        sources: Sequence[str] | None,
        missing: list[int],
    ) -> Iterator[dict[str, Any]]:
        """The best of each list, as programs read it."""
        chooser = BestOf(self.metric, references, sources=sources, skip_missing=self.skip_missing)
        for one in chooser.run(lists):
            yield one.to_dict()
        missing += chooser.missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding:
    """The candidate of each list with the best expected utility, as `tertium.decode.mbr` has it."""

    setting: MbrSetting
    reading: ListReading
    weights: Weights = None
    detailed: bool = False
    threads: int = 1

    def __call__(self, partition: ListPartition) -> tuple[ChosenPart, bytes | None]:
        """For Dask."""
        return done(self, partition)

    def chosen(
        self,
        lists: Segments,
        partition: ListPartition,
        references: Sequence[Sequence[str]] | None,
        sources: Sequence[str] | None,
        _: list[int],
    ) -> Iterator[dict[str, Any]]:
        """The decision for each list, with the references and the source that judge it."""
        if lists.of_words:
            raise InputError(
                f"{partition.lists}: found lattices or forests, expected n-best lists for an engine"
            )
        decider = Decider(
            setting=self.setting, weights=self.weights, detailed=self.detailed, sources=sources
        )
        others = self.reading.segments(partition.candidates) if partition.candidates else None
        for structure, decision in decided(lists, decider, others):
            yield {
                "decision": decision.to_dict(),
                "references": list(references_of(structure, decision.segment, references)),
                "source": source_of(structure, decision.segment, sources),
            }


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
    if chosen.waits_for_fit and len({partition.references for partition in partitions}) > 1:
        raise OptionError(
            f"{chosen.spec}: found references in several files, expected all in one, as its "
            "statistics depend on all of them"
        )
    task = Choosing(metric=chosen, reading=lists.reading, skip_missing=skip_missing)
    run = _ChoiceRun(lists, partitions, cluster or Cluster(), progress)
    identity = {"work": "best-of", "metric": chosen.signature(), "skip_missing": skip_missing}
    with run.finished(task, identity, resume) as parts:
        best = [
            Best(**{**told, "segment": told["segment"] + first, "score": _number(told["score"])})
            for first, told in parts.lines()
        ]
        return BestOfLists(
            best=tuple(best),
            segments=parts.segments,
            missing=parts.missing,
            damages=parts.damages,
            warnings=parts.warnings,
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
    with run.finished(task, identity, resume) as parts:
        lines = list(parts.lines())
        if weights is not None:
            check_names(weights, dict.fromkeys(parts.feature_names), weights_name)
        outcome = outcome_of(
            [_decision(told["decision"], first) for first, told in lines],
            setting,
            utility="" if setting.utility is None else setting.utility.spec,
            references=[tuple(told["references"]) for _, told in lines],
            sources=[told["source"] for _, told in lines],
            metrics=metrics,
            in_all=parts.segments,
        )
        left = BestOfLists(
            best=(), segments=parts.segments, damages=parts.damages, warnings=parts.warnings
        )
        return outcome, left


def _decision(told: dict[str, Any], first: int) -> MbrDecision:
    utilities = tuple((utility["text"], utility["expected"]) for utility in told["utilities"])
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
        return tuple(first + number for first, part in pairs for number in part.missing)

    @property
    def damages(self) -> tuple[str, ...]:
        return tuple(damage for part in self.parts for damage in part.damages)

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(feature_name for part in self.parts for feature_name in part.feature_names)


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
                    "inputs": [list(partition.files) for partition in self.partitions],
                }
                folder = PartFolder(resume, told, suffix=".jsonl")
            known = self._known(folder, task)
            parts = [known[partition.number] for partition in self.partitions]
            good = [part for part in parts if not part.fault]
            if not good:
                raise InputError(parts[0].fault)
            yield self._found(good, [folder.data(part.number) for part in good], parts)

    def _known(self, folder: PartFolder, task: Choosing | Deciding) -> dict[int, ChosenPart]:
        known = kept_parts(folder, self.partitions, ChosenPart.from_dict)
        if self.progress is not None:
            self.progress(len(known))
        left = [partition for partition in self.partitions if partition.number not in known]
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
        numbers = [
            [first + number for number in some] for first, some in zip(firsts, own, strict=True)
        ]
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
        return any(partition.references or partition.source for partition in self.partitions)

    def _are_counted_from_zero(self) -> bool:
        """Whether every file of lists has references or sources of its own."""
        many = len(self.partitions) > 1
        own = {(partition.references, partition.source) for partition in self.partitions}
        return many and len(own) == len(self.partitions)


def _numbers(file: Path) -> Iterator[int]:
    for told in _told(file):
        yield told.get("decision", told)["segment"]


def _any_twice(numbers: Sequence[Iterable[int]]) -> list[int]:
    """A number that several files have, if there is one."""
    seen: set[int] = set()
    for some in numbers:
        for best in some:
            if best in seen:
                return [best]
        seen.update(some)
    return []


def _told(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_bytes().decode("utf-8", "surrogatepass").split("\n")[:-1]:
        yield json.loads(line)
