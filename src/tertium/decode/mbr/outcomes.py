"""Minimum Bayes risk for a whole file of n-best lists, lattices or forests."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Final, Literal

from tertium.decode.formats.segments import (
    Numbered,
    Segments,
    aligned_lines,
    in_all,
    lines_of,
    sorted_lines,
)
from tertium.decode.formats.table import Structure
from tertium.decode.mbr.before_after import (
    BeforeAfter,
    before_and_after,
    references_of,
    source_of,
)
from tertium.decode.mbr.decision import Decider, MbrDecision, MbrSetting
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric
from tertium.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class MbrOutcome:
    """Everything that was decided, and what references say of it."""

    utility: str
    scale: float
    seed: int | None
    decisions: tuple[MbrDecision, ...]
    in_all: int
    """Segments, those that there is nothing for counted too."""
    scores: tuple[BeforeAfter, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """What was chosen, segment by segment."""
        return tuple(decision.text for decision in self.decisions)

    @property
    def changed(self) -> int:
        """Segments whose choice is not the model's first."""
        return sum(decision.text != decision.first for decision in self.decisions)

    @property
    def approximation(self) -> str:
        """Empty if every choice is exact."""
        return next(
            (decision.approximation for decision in self.decisions if decision.approximation), ""
        )

    def lines(self, missing: str = "") -> Iterator[str]:
        """A line for each segment, ``missing`` for those without a text."""
        return lines_of(
            {decision.segment: decision.text for decision in self.decisions}, self.in_all, missing
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "version": __version__,
            "utility": self.utility,
            "scale": self.scale,
            "seed": self.seed,
            "approximation": self.approximation or None,
            "changed": self.changed,
            "scores": [score.to_dict() for score in self.scores],
            "remark": FLATTERY,
            "segments": [decision.to_dict() for decision in self.decisions],
        }


FLATTERY: Final = (
    "Choosing by a metric flatters that metric: "
    "judge the outcome by the others, and best by people."
)


def mbr_corpus(
    structures: Iterable[Structure | Numbered],
    decider: Decider,
    *,
    candidates: Iterable[Structure | Numbered] | None = None,
    references: Sequence[Sequence[str]] | None = None,
    metrics: Sequence[Metric] = (),
    step: Callable[[int], None] = lambda _: None,
) -> MbrOutcome:
    """Decide for every structure; with references, score the outcome by all metrics.

    ``candidates`` are n-best lists to choose from where ``structures`` are only the evidence.
    ``references[segment]`` are that segment's; n-best lists may bring their own. ``step`` is told
    of every segment done. Segments are those of n-best lists, else as they are numbered, else as
    they come.
    """
    decisions, found, sources = [], [], []
    sampled = False
    for structure, decision in decided(structures, decider, candidates):
        decisions.append(decision)
        found.append(references_of(structure, decision.segment, references))
        sources.append(source_of(structure, decision.segment, decider.sources))
        sampled |= not isinstance(structure, NBest) and "seed" in decision.approximation
        step(1)
    setting: MbrSetting = decider.setting
    outcome = outcome_of(
        decisions,
        setting,
        utility=decider.utility,
        references=found,
        sources=sources,
        metrics=metrics,
        in_all=in_all(structures, [made.segment for made in decisions], references),
    )
    return replace(outcome, seed=setting.search.seed if sampled else None)


def outcome_of(
    decisions: Sequence[MbrDecision],
    setting: MbrSetting,
    *,
    utility: str,
    references: Sequence[Sequence[str]],
    sources: Sequence[str | None],
    metrics: Sequence[Metric],
    in_all: int,
) -> MbrOutcome:
    """All decisions, and where every segment has references, what metrics say of them."""
    if not decisions:
        raise InputError("mbr: found no segment, expected at least one")
    first = [decision.first for decision in decisions]
    chosen = [decision.text for decision in decisions]
    return MbrOutcome(
        utility=utility,
        scale=setting.scale,
        seed=None,
        decisions=tuple(decisions),
        in_all=in_all,
        scores=tuple(
            before_and_after(
                metric, first, chosen, references, sources=sources, chosen_by=(utility,)
            )
            for metric in metrics
        )
        if all(references)
        else (),
    )


Form = Literal["lines", "jsonl"]


def mbr_lines(
    structures: Segments,
    decider: Decider,
    *,
    form: Form = "lines",
    candidates: Iterable[Structure | Numbered] | None = None,
    missing: str = "",
    segments: int = 0,
    done: int | None = None,
    step: Callable[[int], None] = lambda _: None,
) -> Iterator[str]:
    """What `mbr_corpus` decides, as lines that come as soon as each segment is decided.

    They are the texts alone, ``missing`` for segments without one, of which there are at least so
    many; or JSON, as `MbrDecision.to_dict` has it. For ``done`` lines, from a run before over the
    same, nothing is decided again; lines of texts must then be in order.
    """

    def skip(index: int, number: int) -> bool:
        return done is not None and (number if form == "lines" else index) < done

    decisions = (decision for _, decision in decided(structures, decider, candidates, skip))
    counted = _counted(decisions, step)
    if form == "lines":

        def total() -> int:
            return max(structures.count, segments)

        if done is None:
            yield from sorted_lines(counted, total, missing)
        else:
            yield from aligned_lines(counted, total, missing, done=done)
        return
    for decision in counted:
        told = decision.to_dict()
        if not decider.detailed:
            del told["utilities"]
        yield json.dumps(told, ensure_ascii=False) + "\n"


def _counted(
    decisions: Iterable[MbrDecision], step: Callable[[int], None]
) -> Iterator[MbrDecision]:
    for outcome in decisions:
        yield outcome
        step(1)


def decided(
    structures: Iterable[Structure | Numbered],
    decider: Decider,
    candidates: Iterable[Structure | Numbered] | None,
    skip: Callable[[int, int], bool] = lambda _, __: False,
) -> Iterator[tuple[Structure, MbrDecision]]:
    """Each structure with what was decided; ``skip`` is asked for places and segments."""
    for index, (given, other) in enumerate(_beside(structures, candidates)):
        number, structure = given if isinstance(given, tuple) else (index, given)
        if not skip(index, number):
            yield structure, decider.decide(structure, number, other)


def _beside(
    structures: Iterable[Structure | Numbered], candidates: Iterable[Structure | Numbered] | None
) -> Iterator[tuple[Structure | Numbered, NBest | None]]:
    if candidates is None:
        yield from ((structure, None) for structure in structures)
        return
    for index, (structure, other) in enumerate(zip_longest(structures, candidates)):
        if structure is None or other is None:
            side = "candidates" if structure is None else "evidence"
            raise InputError(
                f"segment {index}: found it only among the {side}, expected it in both"
            )
        beside = other[1] if isinstance(other, tuple) else other
        if not isinstance(beside, NBest):
            raise InputError(f"segment {index}: found no n-best list, expected candidates in one")
        yield structure, beside
