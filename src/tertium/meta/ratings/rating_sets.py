"""Ratings and rankings by many judges, and what they say of systems when put together."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import RANK_METHODS, RankMethod
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.inference.units import Units, units_of
from tertium.installation import install_hint
from tertium.meta.ratings.entries import (
    UNRANKED,
    OmissionCounts,
    Ranking,
    Rating,
    RatingColumns,
    parts_of,
)
from tertium.meta.ratings.judgments import Comparisons, Exclusion, Floats, Indices, Judgments
from tertium.plurals import counted
from tertium.suggestions import did_you_mean

# From people's preferences between two systems to one number for each system.
#
# With win(A), loss(A), tie(A) the comparisons that A won, lost and tied:
#
# ==================  ===============================================================  =============
# method              value of A                                                       official in
# ==================  ===============================================================  =============
# better-or-equal     (win + tie) / (win + tie + loss)                                 WMT08 – WMT11
# better              win / (win + tie + loss)
# wins-ratio          win / (win + loss): Bojar et al. (2011), who showed that         WMT12
#                     better-or-equal rewards systems for having similar rivals
# expected-wins       mean over the other systems B of win(A, B) / (win(A, B) +        WMT13
#                     loss(A, B)): Koehn (2012)
# bradley-terry       log ability in P(A beats B) = a / (a + b), maximum likelihood
#                     without ties: Bradley and Terry (1952), by the algorithm
#                     of Hunter (2004)
# trueskill           mean of the skill in TrueSkill (Herbrich et al., 2006), with     WMT14, WMT15
#                     ties, as Sakaguchi et al. (2014) use it; needs the package
# ==================  ===============================================================  =============
#
# Shares are in percent.

_STEPS: Final = 10_000
_PRECISION: Final = 1e-10


def rank_values(
    comparisons: Comparisons,
    systems: int,
    method: RankMethod = "wins-ratio",
    *,
    seed: int = 0,
    place: str = "comparisons",
) -> Floats:
    """A value for each system, higher is better; NaN where the comparisons do not say.

    ``seed`` is the order in which TrueSkill sees the comparisons; nothing else uses it.
    """
    if method not in RANK_METHODS:
        raise OptionError(did_you_mean("way to rank", method, RANK_METHODS))
    wins, ties = win_matrix(comparisons, systems)
    if not len(comparisons):
        raise InputError(f"{place}: found no comparisons, expected at least one")
    if not wins.any() and method != "better-or-equal":
        raise InputError(
            f"{place}: found {counted(len(comparisons), 'comparison')}, all of them ties, "
            f"expected preferences for '{method}'"
        )
    won, lost, tied = wins.sum(axis=1), wins.sum(axis=0), ties.sum(axis=1)
    match method:
        case "wins-ratio":
            return 100 * _share(won, won + lost)
        case "better-or-equal":
            return 100 * _share(won + tied, won + lost + tied)
        case "better":
            return 100 * _share(won, won + lost + tied)
        case "expected-wins":
            return 100 * _expected_wins(wins)
        case "bradley-terry":
            return _bradley_terry(wins, place)
        case _:
            return _trueskill(comparisons, systems, seed)


def win_matrix(comparisons: Comparisons, systems: int) -> tuple[Floats, Floats]:
    """How often each system (row) beat each other (column), and how often they tied."""
    wins = np.zeros((systems, systems))
    ties = np.zeros((systems, systems))
    won = ~comparisons.tie
    np.add.at(wins, (comparisons.better[won], comparisons.worse[won]), 1.0)
    tied = comparisons.tie
    np.add.at(ties, (comparisons.better[tied], comparisons.worse[tied]), 1.0)
    return wins, ties + ties.T


def _share(part: Floats, whole: Floats) -> Floats:
    shares: Floats = np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
    return shares


def _expected_wins(wins: Floats) -> Floats:
    """Koehn (2012), equation 1; over the systems that A was compared with."""
    decided = wins + wins.T
    shares = np.divide(wins, decided, out=np.zeros_like(wins), where=decided > 0)
    return _share(shares.sum(axis=1), (decided > 0).sum(axis=1).astype(np.float64))


def _bradley_terry(wins: Floats, location: str) -> Floats:
    """Log abilities with mean 0.

    They exist if no systems win every comparison with all the others (Ford, 1957), that is,
    if a chain of wins leads from each system to each other.
    """
    decided = wins + wins.T
    values = np.full(len(wins), np.nan)
    there = np.flatnonzero(decided.sum(axis=1) > 0)
    wins, decided = wins[np.ix_(there, there)], decided[np.ix_(there, there)]
    if not _reachable(wins > 0):
        raise InputError(
            f"{location}: found systems that only win against all others, or only lose, "
            "expected a chain of wins between any two for 'bradley-terry'"
        )
    won = wins.sum(axis=1)
    ability = np.ones(len(wins))
    for _ in range(_STEPS):
        before = ability
        ability = won / (decided / (ability[:, None] + ability[None, :])).sum(axis=1)
        ability = ability / np.exp(np.log(ability).mean())
        if np.abs(np.log(ability / before)).max() < _PRECISION:
            break
    values[there] = np.log(ability)
    return values


def _reachable(beats: NDArray[np.bool_]) -> bool:
    """Whether a chain of wins leads from every system to every other."""
    reach = beats | np.eye(len(beats), dtype=np.bool_)
    for _ in range(max(1, len(beats).bit_length())):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    return bool(reach.all())


def _trueskill(comparisons: Comparisons, systems: int, seed: int) -> Floats:
    try:
        trueskill: Any = import_module("trueskill")  # the package has no types
    except ImportError:
        raise MissingExtraError(
            "ranks 'trueskill': the package trueskill is missing, "
            f"expected: {install_hint('trueskill')}"
        ) from None
    rate = float(comparisons.tie.mean())
    environment: Any = trueskill.TrueSkill(
        draw_probability=min(max(rate, 1e-6), 1 - 1e-6),
        tau=0.0,  # systems do not change while they are judged
    )
    skills = [environment.create_rating() for _ in range(systems)]
    played = np.zeros(systems, dtype=np.bool_)
    # The order matters a little; judges came in none that means anything.
    for place in np.random.default_rng(seed).permutation(len(comparisons)).tolist():
        a, b = int(comparisons.better[place]), int(comparisons.worse[place])
        drawn = bool(comparisons.tie[place])
        skills[a], skills[b] = trueskill.rate_1vs1(
            skills[a], skills[b], drawn=drawn, env=environment
        )
        played[[a, b]] = True
    means = np.array([float(skill.mu) for skill in skills])
    return np.where(played, means, np.nan)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ratings:
    """Numbers that judges gave to segments or systems under one criterion, one per place.

    ``system`` and ``judge`` are indices; ``segment`` counts from 0, −1 is the whole system.
    ``width`` is the number of segments of the test set, as far as known. ``rows`` are the ratings
    as they were read, with times and with the controls that count for no system. ``documents`` has
    the document of every segment, one of its own where nothing is said of it; None where documents
    are not known. ``located`` says whether segments are numbered as in the test set, or only told
    apart.
    """

    name: str
    criterion: str
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    width: int
    system: Indices = field(repr=False)
    segment: Indices = field(repr=False)
    judge: Indices = field(repr=False)
    value: Floats = field(repr=False)
    exclusions: tuple[Exclusion, ...] = ()
    rows: Sequence[Rating] = field(default=(), repr=False)
    documents: tuple[str, ...] | None = field(default=None, repr=False)
    located: bool = True

    def __len__(self) -> int:
        return len(self.value)

    @property
    def units(self) -> Units:
        """What tests take for independent: documents, if two or more of them were rated."""
        rated = np.unique(self.segment[self.segment >= 0])
        if self.documents is None or len({self.documents[segment] for segment in rated}) < 2:
            return units_of(self.width, None)
        return units_of(self.width, self.documents)

    def judgments(self) -> Judgments:
        """One rating for each system and segment: the mean of the judges'.

        A system's own rating is taken where the files have it; else it is the mean over its
        segments.
        """
        tally = OmissionCounts()
        whole = self.segment < 0
        segments = None if whole.all() else self._segment_means()
        if whole.any():
            values = self._means(whole, len(self.systems), self.system)
            source = "ratings of whole systems"
        else:
            values = _row_means(segments) if segments is not None else np.zeros(0)
            source = "ratings"
        for index in np.flatnonzero(np.isnan(values)).tolist():
            tally.add(f"systems without {source}", self.systems[index])
        if np.isnan(values).all():
            raise InputError(
                f"{self.name} {self.criterion}: found no rating of {len(self.systems)} systems, "
                "expected at least one"
            )
        return Judgments(
            name=self.name,
            criterion=self.criterion,
            systems=self.systems,
            values=values,
            segments=segments,
            documents=self.documents,
            exclusions=(*self.exclusions, *tally.exclusions()),
            located=self.located,
        )

    def _segment_means(self) -> Floats:
        chosen = self.segment >= 0
        cells = self.system.astype(np.int64) * self.width + self.segment
        flat = self._means(chosen, len(self.systems) * self.width, cells)
        return flat.reshape(len(self.systems), self.width)

    def _means(self, chosen: NDArray[np.bool_], size: int, cells: NDArray[Any]) -> Floats:
        counts = np.bincount(cells[chosen], minlength=size)
        sums = np.bincount(cells[chosen], weights=self.value[chosen], minlength=size)
        return _ratio(sums.astype(np.float64), counts)


def _row_means(segments: Floats) -> Floats:
    counts = np.isfinite(segments).sum(axis=1)
    sums = np.nansum(segments, axis=1)
    return _ratio(sums, counts)


def _ratio(sums: Floats, counts: NDArray[np.int64]) -> Floats:
    means: Floats = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return means


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rankings:
    """Orders that judges put systems in, taken apart into comparisons of two.

    ``rankings`` is how many orders there were; ``located`` is as in `Ratings`.
    """

    name: str
    criterion: str
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    comparisons: Comparisons
    rankings: int
    exclusions: tuple[Exclusion, ...] = ()
    located: bool = True

    def __len__(self) -> int:
        return len(self.comparisons)

    def judgments(self, ranks: RankMethod = "wins-ratio", *, seed: int = 0) -> Judgments:
        """The systems' values by one of `RANK_METHODS`, with the comparisons they come from."""
        tally = OmissionCounts()
        values = rank_values(self.comparisons, len(self.systems), ranks, seed=seed, place=self.name)
        for index in np.flatnonzero(np.isnan(values)).tolist():
            tally.add(f"systems whose comparisons give no {ranks}", self.systems[index])
        return Judgments(
            name=self.name,
            criterion=self.criterion,
            systems=self.systems,
            values=values,
            comparisons=self.comparisons,
            exclusions=(*self.exclusions, *tally.exclusions()),
            located=self.located,
        )


def collect_ratings(
    rows: Sequence[Rating], *, name: str, criterion: str, width: int | None = None
) -> Ratings:
    """Ratings of one pair and criterion; a segment beyond ``width`` is an error.

    A judge's second rating of the same output counts as well, which is stated. Documents are
    known if every row of a segment names one.
    """
    tally = OmissionCounts()
    parts = parts_of(rows)
    columns = next((part for part in parts if isinstance(part, RatingColumns)), None)
    if columns is not None and not _is_only_one_with_segments(columns, parts):
        parts, columns = (list(rows),), None
    rated = [
        _rated_columns(part, width, tally)
        if isinstance(part, RatingColumns)
        else _rated_rows(part, width, tally)
        for part in parts
    ]
    systems = _numbers(system for part in rated for system in part.systems)
    judges = _numbers(judge for part in rated for judge in part.judges)
    if columns is not None:
        last = int(columns.segment.max(initial=-1))
        labels = dict(enumerate(columns.documents[: last + 1]))
    else:
        last = max((row.segment for row in rows if row.segment is not None), default=-1)
        labels = {}
    located = columns is not None or all(row.located for row in rows)
    width = last + 1 if width is None or not located else width
    return Ratings(
        name=name,
        criterion=criterion,
        systems=tuple(systems),
        judges=tuple(judges),
        width=width,
        system=_joined(part.system_in(systems) for part in rated),
        segment=_joined(part.segment for part in rated),
        judge=_joined(part.judge_in(judges) for part in rated),
        value=np.concatenate([part.value for part in rated] or [np.zeros(0)]),
        exclusions=tally.exclusions(),
        rows=rows,
        documents=(
            _documents([row for row in rows if not row.kind], width)
            if columns is None
            else _labels(labels, width)
        ),
        located=located,
    )


def _is_only_one_with_segments(columns: RatingColumns, parts: Sequence[Sequence[Rating]]) -> bool:
    """Whether no other part rates segments, so that no output can be rated twice."""
    return all(
        not isinstance(part, RatingColumns) and all(row.segment is None for row in part)
        for part in parts
        if part is not columns
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rated:
    """Ratings that count, with the systems and judges that their indices mean."""

    systems: Sequence[str]
    judges: Sequence[str]
    system: Indices
    segment: Indices
    judge: Indices
    value: Floats

    def system_in(self, numbers: Mapping[str, int]) -> Indices:
        """The systems by other numbers."""
        return _indices(numbers[name] for name in self.systems)[self.system]

    def judge_in(self, numbers: Mapping[str, int]) -> Indices:
        """The judges by other numbers."""
        return _indices(numbers[name] for name in self.judges)[self.judge]


def _rated_columns(columns: RatingColumns, width: int | None, tally: OmissionCounts) -> _Rated:
    beyond = [] if width is None else np.flatnonzero(columns.segment >= width).tolist()
    for index in beyond[:1]:
        _check_segment(columns[index], width)
    rated = ~np.isnan(columns.values)
    missing = np.flatnonzero(~rated)
    if len(missing):
        tally.add("outputs without a rating", columns.location(int(missing[0])), len(missing))
    return _Rated(
        systems=columns.systems,
        judges=("",) if rated.any() else (),
        system=columns.system[rated],
        segment=columns.segment[rated],
        judge=np.zeros(np.count_nonzero(rated), dtype=np.int32),
        value=columns.values[rated],
    )


def _rated_rows(rows: Sequence[Rating], width: int | None, tally: OmissionCounts) -> _Rated:
    systems = _numbers(row.system for row in rows if not row.kind)
    rated = []
    first: dict[tuple[str, int | None, str], Rating] = {}
    for row in rows:
        _check_segment(row, width)
        if row.kind:
            tally.add("ratings of controls, which count for no system", row.place)
            continue
        if math.isnan(row.value):
            tally.add("outputs without a rating", row.place)
            continue
        key = (row.system, row.segment, row.judge)
        other = first.setdefault(key, row)
        if other is not row and row.segment is None and other.value != row.value:
            raise InputError(
                f"{row.place}: {row.system} {row.value:g}, expected {other.value:g} as in "
                f"{other.place}, or one rating for each system"
            )
        if other is not row and row.segment is None:
            tally.add("system ratings given twice", row.place)
        elif other is not row:
            tally.add("repeated ratings of an output by the same judge, averaged", row.place)
        rated.append(row)
    judges = _numbers(row.judge for row in rated)
    return _Rated(
        systems=tuple(systems),
        judges=tuple(judges),
        system=_indices(systems[row.system] for row in rated),
        segment=_indices(-1 if row.segment is None else row.segment for row in rated),
        judge=_indices(judges[row.judge] for row in rated),
        value=np.array([row.value for row in rated], dtype=np.float64),
    )


def _documents(rows: Sequence[Rating], width: int) -> tuple[str, ...] | None:
    """The document of every segment, or None if a row of a segment names none."""
    labels: dict[int, str] = {}
    for row in rows:
        if row.segment is None:
            continue
        if not row.document:
            return None
        known = labels.setdefault(row.segment, row.document)
        if known != row.document:
            raise InputError(
                f"{row.place}: segment {row.segment + 1} in document '{row.document}', expected "
                f"'{known}' as before (segments are numbered through the test set)"
            )
    return _labels(labels, width)


def _labels(labels: Mapping[int, str], width: int) -> tuple[str, ...] | None:
    """The document of every segment, one of its own where none is named; None without any."""
    if not labels:
        return None
    return tuple(labels.get(segment, f"segment {segment + 1}") for segment in range(width))


def collect_rankings(
    rows: Sequence[Ranking], *, name: str, criterion: str = "rank", width: int | None = None
) -> Rankings:
    """Every two systems of a ranking as a comparison."""
    tally = OmissionCounts()
    ranked = [(row, _ranked(row, tally)) for row in rows]
    systems = _numbers(system for _, ranks in ranked for system in ranks)
    judges = _numbers(row.judge for row in rows)
    segment, judge, better, worse, tie = [], [], [], [], []
    for row, ranks in ranked:
        _check_segment(row, width)
        for first, second in combinations(ranks, 2):
            turned = ranks[second] < ranks[first]
            segment.append(row.segment)
            judge.append(judges[row.judge])
            better.append(systems[second if turned else first])
            worse.append(systems[first if turned else second])
            tie.append(ranks[first] == ranks[second])
    return Rankings(
        name=name,
        criterion=criterion,
        systems=tuple(systems),
        judges=tuple(judges),
        comparisons=Comparisons(
            segment=_indices(segment),
            judge=_indices(judge),
            better=_indices(better),
            worse=_indices(worse),
            tie=np.array(tie, dtype=np.bool_),
        ),
        rankings=len(rows),
        exclusions=tally.exclusions(),
        located=all(row.located for row in rows),
    )


def _ranked(row: Ranking, tally: OmissionCounts) -> dict[str, int]:
    """The ranks of the systems that the judge ranked."""
    ranks: dict[str, int] = {}
    for system, rank in zip(row.systems, row.ranks, strict=True):
        if not system or rank == UNRANKED:
            tally.add("outputs that a judge left unranked", row.place)
        elif system in ranks:
            tally.add("outputs of a system that the same ranking has already", row.place)
        else:
            ranks[system] = rank
    if len(ranks) < 2:
        tally.add("rankings of fewer than two systems", row.place)
    return ranks


def _numbers(names: Iterable[str]) -> dict[str, int]:
    """Every name with its number, in the order of appearance."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _indices(numbers: Iterable[int]) -> Indices:
    return np.fromiter(numbers, dtype=np.int32)


def _joined(parts: Iterable[Indices]) -> Indices:
    return np.concatenate([np.zeros(0, dtype=np.int32), *parts])


def _check_segment(row: Rating | Ranking, width: int | None) -> None:
    if not row.located or row.segment is None or width is None:
        return
    if row.segment >= width:
        raise InputError(f"{row.place}: segment {row.segment + 1}, expected 1 to {width}")
