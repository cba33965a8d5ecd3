"""Systems that were trained several times: which outputs are runs of one system.

A system is then a way to train, and every output one of its runs. Scores are means over runs.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final, Literal, TypeAlias

import numpy as np

from tertium.errors import InputError
from tertium.metrics.contract.base import Rows
from tertium.scored.scored import Scored
from tertium.suggestions import did_you_mean

AnyRuns: TypeAlias = Mapping[str, Sequence[str]] | Literal["numbered"]
"""The runs of every system by their names or by patterns of names, or names that end in numbers."""

_NUMBERED: Final = re.compile(
    r"(?P<system>.+?)(?:[._-](?:run|seed)?[._-]?|run|seed)\d+(?P<ending>(?:\.[^\W\d_]+)*)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Which of some outputs are runs of one system; the first system is the baseline."""

    names: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    """The names of the runs, [system][run], as many of each system."""
    places: tuple[tuple[int, ...], ...]
    """Where they are among the outputs."""

    @property
    def count(self) -> int:
        """How many runs there are of each system."""
        return len(self.members[0])

    def rows(self, rows: Rows) -> Rows:
        """The rows of outputs, (outputs, …), by system and run: (systems, runs, …)."""
        chosen: Rows = rows[np.array(self.places)]
        return chosen

    def median(self, scored: Scored) -> Scored:
        """One run of each system, under the system's name: that of the median score.

        The first metric decides; of an even number of runs it is the lower one of the middle.
        """
        scores = self.rows(scored.scores_of(scored.metrics[0]))
        middle = np.argsort(scores, axis=1, kind="stable")[:, (self.count - 1) // 2]
        chosen = [some[run] for some, run in zip(self.places, middle.tolist(), strict=True)]
        return Scored(
            corpus=scored.corpus,
            systems=tuple(
                replace(scored.systems[index], name=name)
                for name, index in zip(self.names, chosen, strict=True)
            ),
            metrics=scored.metrics,
            rows=tuple(rows[chosen] for rows in scored.rows),
        )

    def to_dict(self) -> dict[str, list[str]]:
        """Text only, ready for JSON: system → its runs."""
        return {name: list(some) for name, some in zip(self.names, self.members, strict=True)}


def runs_of(outputs: Sequence[str], runs: AnyRuns) -> Runs:
    """The runs among outputs of these names.

    >>> runs_of(["base.1", "base.2", "new.1", "new.2"], "numbered").to_dict()
    {'base': ['base.1', 'base.2'], 'new': ['new.1', 'new.2']}
    >>> runs_of(["a", "b", "c", "d"], {"base": ["a", "b"], "new": ["[cd]"]}).members[1]
    ('c', 'd')
    """
    groups = (
        _numbered(outputs)
        if runs == "numbered"
        else {name: _matching(outputs, some) for name, some in runs.items()}
    )
    taken = [output for some in groups.values() for output in some]
    for output in outputs:
        if taken.count(output) != 1:
            seen = "no system" if output not in taken else f"{taken.count(output)} systems"
            raise InputError(f"runs: found '{output}' in {seen}, expected it in one")
    first, *others = groups
    if not others:
        raise InputError(
            f"runs: found 1 system ({first}), expected a baseline and at least one more"
        )
    for name, some in groups.items():
        if len(some) != len(groups[first]):
            raise InputError(
                f"runs: found {len(some)} of {name}, expected {len(groups[first])} (of {first})"
            )
    if len(groups[first]) < 2:
        raise InputError(f"runs: found 1 of each system, expected at least two (as of {first})")
    return Runs(
        names=tuple(groups),
        members=tuple(map(tuple, groups.values())),
        places=tuple(tuple(map(outputs.index, some)) for some in groups.values()),
    )


def _numbered(outputs: Sequence[str]) -> dict[str, list[str]]:
    """Outputs whose names differ in the number at their end, such as base.1 and base.2."""
    runs: dict[str, list[str]] = {}
    for output in outputs:
        match = _NUMBERED.fullmatch(output)
        if match is None:
            raise InputError(
                f"runs: found '{output}', expected a name that ends in a number, such as "
                f"{output}.1, or which runs are whose: base=base.a,base.b new=new.a,new.b"
            )
        runs.setdefault(match["system"] + match["ending"], []).append(output)
    return runs


def _matching(outputs: Sequence[str], names: Sequence[str]) -> list[str]:
    matching: list[str] = []
    for name in names:
        some = [output for output in outputs if output == name or fnmatchcase(output, name)]
        if not some:
            raise InputError(did_you_mean("run", name, outputs))
        matching += [output for output in some if output not in matching]
    return matching
