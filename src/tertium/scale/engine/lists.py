"""What a worker does with a file of n-best lists: the best of each, or what is most probable."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from tertium._native import set_worker_count
from tertium.decode.best_of import BestOf
from tertium.decode.formats.segments import Segments
from tertium.decode.mbr.before_after import references_of, source_of
from tertium.decode.mbr.decision import Decider, MbrSetting
from tertium.decode.mbr.outcomes import decided
from tertium.decode.structures.arrays import Weights
from tertium.errors import InputError, TertiumError
from tertium.metrics.contract.base import Metric
from tertium.scale.engine.list_partitions import ListPartition, ListReading
from tertium.text.reference_files import read_references, read_sources


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPart:
    """What is known of a file of lists: how many segments, and what was left out of them."""

    number: int
    place: str
    count: int = 0
    references: int = 0
    feature_names: tuple[str, ...] = ()
    damages: tuple[str, ...] = ()
    missing: tuple[int, ...] = ()
    fault: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: getattr(self, name) for name in ChosenPart.__slots__}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], place: str) -> "ChosenPart":
        """What `to_dict` gave."""
        try:
            lists = {key: tuple(told[key]) for key in ("feature_names", "damages", "missing")}
            return cls(**{**told, **lists})
        except (KeyError, TypeError) as error:
            raise InputError(
                f"{place}: found a part without sense ({error!r}), expected what an earlier run "
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
            json.dumps(one, ensure_ascii=False) + "\n"
            for one in task.chosen(lists, partition, references, sources, missing)
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
        for one, decision in decided(lists, decider, others):
            yield {
                "decision": decision.to_dict(),
                "references": list(references_of(one, decision.segment, references)),
                "source": source_of(one, decision.segment, sources),
            }
