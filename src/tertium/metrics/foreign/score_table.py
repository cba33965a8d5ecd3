"""What a file of scores holds, whatever its layout: a row for each score of a text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.table import parse_metric
from tertium.suggestions import did_you_mean
from tertium.text.keyed_segments import is_same_pair

# Short names of metrics whose text form has a file's or a program's whole name in it.

_ELSEWHERE: Final = re.compile(r"(scores|command)\[")


@lru_cache(maxsize=256)
def short_name(spec: str) -> str:
    """What people call the metric of this text form, where that is long.

    >>> short_name("scores[name=COMET,file=out/comet.tsv]"), short_name("bleu[order=2]")
    ('COMET', 'bleu[order=2]')
    """
    if not _ELSEWHERE.match(spec):
        return spec
    try:
        return parse_metric(spec).title
    except TertiumError:  # a name that others gave, which only looks like ours
        return spec


Column: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ForeignScores:
    """Rows in the order of the file; what a layout does not tell is ``None``.

    ``scores`` are NaN where there is none; ``places`` are those of the rows, for errors.
    ``errors`` are columns that the layout itself says are better the lower they are, and
    ``gains`` that it knows of none: where all scores are turned so that more is better. ``spare``
    are columns of numbers that may be scores or labels, and are scores if they are asked for.
    """

    name: str
    digest: str
    scores: dict[str, Column] = field(repr=False)
    places: Sequence[str] = field(repr=False)
    systems: Sequence[str] | None = field(default=None, repr=False)
    segments: Sequence[str] | None = field(default=None, repr=False)
    documents: Sequence[str] | None = field(default=None, repr=False)
    ids: Sequence[str] | None = field(default=None, repr=False)
    hypotheses: Sequence[str] | None = field(default=None, repr=False)
    sources: Sequence[str] | None = field(default=None, repr=False)
    references: Sequence[str] | None = field(default=None, repr=False)
    pairs: Sequence[str] | None = field(default=None, repr=False)
    titles: dict[str, str] = field(default_factory=dict)
    spare: dict[str, Column] = field(default_factory=dict, repr=False)
    errors: frozenset[str] = frozenset()
    gains: bool = False

    _by_system: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for row, system in enumerate(self.systems or ()):
            self._by_system.setdefault(system, []).append(row)

    def __len__(self) -> int:
        return len(self.places)

    def rows_of_system(self, name: str) -> list[int]:
        """The rows of a system; a name that the table does not have is an error."""
        if name not in self._by_system:
            known = sorted(self._by_system)
            near = get_close_matches(name, known, n=1)
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            raise InputError(
                f"{self.name}: found scores of {', '.join(known)}, expected some of {name}{hint}"
            )
        return self._by_system[name]

    def column(self, name: str) -> str:
        """The column of that name, or the only one."""
        if name:
            known = {**self.scores, **self.spare}
            if name not in known:
                kind = f"column of {self.name}"
                raise OptionError(did_you_mean(kind, name, known))
            return name
        if len(self.scores) != 1:
            found = ", ".join(self.scores) or "none"
            raise InputError(
                f"{self.name}: found the columns of scores {found}, expected one: column=…"
            )
        return next(iter(self.scores))

    def values(self, column: str) -> Column:
        """The scores of a column."""
        return self.scores[column] if column in self.scores else self.spare[column]

    def is_wide(self, systems: Iterable[str]) -> bool:
        """Whether there is a column for each of some systems, and no other way to know them."""
        names = list(systems)
        named = self.systems is not None or self.hypotheses is not None
        return bool(names) and not named and all(name in self.scores for name in names)

    def title(self, column: str) -> str:
        """What a column's metric is called."""
        return self.titles.get(column, column)

    def rows_of_pair(self, pair: str, rows: Sequence[int]) -> Sequence[int]:
        """Those of some rows that are of one language pair; where there is but one, all."""
        known = [] if self.pairs is None else list(dict.fromkeys(self.pairs))
        if pair not in known:
            same = [known_pair for known_pair in known if pair and is_same_pair(known_pair, pair)]
            pair = same[0] if len(same) == 1 else pair
        if pair and pair not in known:
            raise InputError(
                f"{self.name}: found scores of {', '.join(known) or 'no language pair'}, "
                f"expected {pair}"
            )
        if not pair and len(known) > 1:
            raise InputError(
                f"{self.name}: found scores of {', '.join(known)}, expected one: pair={known[0]}"
            )
        if not pair or self.pairs is None:
            return rows
        return [row for row in rows if self.pairs[row] == pair]


class LinePlaces(Sequence[str]):
    """The places of a file where every line is a row, made when they are asked for."""

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, row: int) -> str: ...

    @overload
    def __getitem__(self, row: slice) -> list[str]: ...

    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(self._count))]
        return f"{self._name}:{range(self._count)[row] + 1}"
