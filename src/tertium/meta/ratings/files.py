"""Files of ratings in, judgments out: one for every language pair and criterion."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import PurePath

from tertium.choices import RankMethod
from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import (
    FileRows,
    JoinedRatings,
    OmissionCounts,
    Ranking,
    Rating,
    RatingColumns,
    language_pair,
    parts_of,
)
from tertium.meta.ratings.judge_groups import of_judges
from tertium.meta.ratings.judgments import Exclusion, Judgments, MetricScores
from tertium.meta.ratings.layouts import AnyPath, AnySource, read_files
from tertium.meta.ratings.rating_sets import Rankings, Ratings, collect_rankings, collect_ratings
from tertium.meta.ratings.system_names import omitted_names, without
from tertium.meta.spans.segments import RatedCorpus
from tertium.metrics.contract.table import METRICS
from tertium.suggestions import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChoice:
    """Which ratings of the files are asked for; empty takes all there are."""

    pair: str | None = None
    criteria: tuple[str, ...] = ()
    testset: str | None = None
    domain: str | None = None


def read_ratings(
    paths: AnySource | Iterable[AnySource],
    *,
    format: str = "auto",  # noqa: A002 - the user's word
    pair: str | None = None,
    criteria: Sequence[str] = (),
    testset: str | None = None,
    domain: str | None = None,
    segments: int | None = None,
    grades: Mapping[str, float] | None = None,
    documents: Sequence[str] | None = None,
    texts: RatedCorpus | None = None,
) -> tuple[Ratings | Rankings, ...]:
    """The ratings and rankings of some files, with every judge's own.

    ``pair``, ``criteria``, ``testset`` and ``domain`` choose among what the files have;
    ``segments`` is how many the test set has, beyond which none may be rated; ``grades`` are the
    numbers of letters. ``documents`` has the document of every segment, where the files do not
    name it. ``texts`` are the test set, on whose segments the items of exports are found; without
    it they are told apart, and that is all. All that is left out is stated in ``exclusions``.
    """
    choice = RatingChoice(
        pair=None if pair is None else language_pair(pair),
        criteria=tuple(criterion.lower() for criterion in criteria),
        testset=testset,
        domain=domain,
    )
    rows = read_files(listed(paths), format=format, grades=grades, texts=texts, pair=choice.pair)
    folded = [_folded(part) for part in parts_of(rows.ratings)]
    width = len(texts.corpus) if segments is None and texts is not None else segments
    if documents is None:
        return _grouped(replace(rows, ratings=JoinedRatings(folded)), choice, width)
    if width not in {None, len(documents)}:
        raise InputError(f"documents: found {len(documents)} labels, expected {width} (segments)")
    # Items that are only told apart have the documents that their export names.
    unnamed = JoinedRatings(map(_without_documents, folded))
    return tuple(
        replace(group, documents=tuple(documents))
        if isinstance(group, Ratings) and group.located
        else group
        for group in _grouped(replace(rows, ratings=unnamed), choice, len(documents))
    )


def _folded(part: Sequence[Rating]) -> Sequence[Rating]:
    """Ratings whose criteria are in lower case."""
    if isinstance(part, RatingColumns):
        return replace(part, criterion=part.criterion.lower())
    return [row._replace(criterion=row.criterion.lower()) for row in part]


def _without_documents(part: Sequence[Rating]) -> Sequence[Rating]:
    if isinstance(part, RatingColumns):
        return replace(part, documents=())
    return [row._replace(document="") if row.located else row for row in part]


def read_scores(
    paths: AnyPath | Iterable[AnyPath],
    *,
    format: str = "auto",  # noqa: A002 - the user's word
    pair: str | None = None,
    metrics: Sequence[str] = (),
    testset: str | None = None,
    domain: str | None = None,
    segments: int | None = None,
    lower_is_better: Sequence[str] = (),
) -> dict[str, tuple[MetricScores, ...]]:
    """Scores that others published, in the layouts of ratings: language pair → metrics.

    A metric is an error rate if ``lower_is_better`` names it, or if a metric of tertium with
    that name (TER, WER, …) is one.
    """
    rows = read_files(listed(paths), format=format, metrics=True)
    if rows.rankings:
        raise InputError(f"{rows.rankings[0].place}: found rankings, expected scores")
    choice = RatingChoice(
        pair=None if pair is None else language_pair(pair),
        criteria=tuple(metrics),
        testset=testset,
        domain=domain,
    )
    by_pair: dict[str, list[MetricScores]] = {}
    known = METRICS.places()
    for group in _grouped(rows, choice, segments):
        if isinstance(group, Ratings):
            said = group.judgments()
            is_gain = said.criterion not in lower_is_better and _is_gain(said.criterion, known)
            scores = MetricScores(
                metric=said.criterion,
                systems=said.systems,
                values=said.values,
                segments=said.segments,
                higher_is_better=is_gain,
            )
            by_pair.setdefault(said.name, []).append(scores)
    names = {scores.metric for published in by_pair.values() for scores in published}
    for name in lower_is_better:
        if name not in names:
            raise OptionError(did_you_mean("metric", name, sorted(names)))
    return {name: tuple(published) for name, published in by_pair.items()}


def _is_gain(name: str, known: Container[str]) -> bool:
    """Whether more is better under a published metric's name, as far as tertium knows it.

    >>> _is_gain("TER", METRICS), _is_gain("TER-refA", METRICS), _is_gain("AMBER", METRICS)
    (False, False, True)
    >>> _is_gain("unknown", METRICS)
    True
    """
    key = re.sub(r"-ref\w*$", "", name).lower()
    return key not in known or METRICS[key].higher_is_better


def read_judgments(
    paths: AnySource | Iterable[AnySource],
    *,
    format: str = "auto",  # noqa: A002 - the user's word
    pair: str | None = None,
    criteria: Sequence[str] = (),
    testset: str | None = None,
    domain: str | None = None,
    segments: int | None = None,
    grades: Mapping[str, float] | None = None,
    documents: Sequence[str] | None = None,
    ranks: RankMethod = "wins-ratio",
    standardize: bool = False,
    seed: int = 0,
    judges: Sequence[str] = (),
    exclude: Sequence[str] = (),
    include_references: bool = False,
    texts: RatedCorpus | None = None,
) -> tuple[Judgments, ...]:
    """What some files say of systems, one value for each pair and criterion.

    ``ranks`` is how preferences become numbers (`tertium.meta.ratings.rating_sets`);
    ``standardize`` turns each judge's ratings into z-scores first; ``judges`` are those who count,
    all by default.
    Rated systems called like references (refA, Human-A, …) are left out unless asked for, and so
    are those that ``exclude`` names. ``texts`` are the test set on which exports of rating tools
    are laid; agreement of segments needs it.
    """
    groups = read_ratings(
        paths,
        format=format,
        pair=pair,
        criteria=criteria,
        testset=testset,
        domain=domain,
        segments=segments,
        grades=grades,
        documents=documents,
        texts=texts,
    )
    if judges:
        groups = tuple(of_judges(group, judges) for group in groups)
    rated = list(dict.fromkeys(name for group in groups for name in group.systems))
    names = omitted_names(rated, exclude=exclude, include_references=include_references)
    return tuple(
        without(
            as_judgments(group, ranks=ranks, standardize=standardize, seed=seed),
            {name: why for name, why in names.items() if name in group.systems},
        )
        for group in groups
    )


def as_judgments(
    ratings: Ratings | Rankings,
    *,
    ranks: RankMethod = "wins-ratio",
    standardize: bool = False,
    seed: int = 0,
) -> Judgments:
    """One value for each system, from many judges'."""
    if isinstance(ratings, Rankings):
        return ratings.judgments(ranks, seed=seed)
    if standardize:
        from tertium.meta.ratings.judges import standardized

        ratings = standardized(ratings)
    return ratings.judgments()


def listed(paths: AnySource | Iterable[AnySource]) -> list[AnySource]:
    """One path or several, as a list."""
    return [paths] if isinstance(paths, str | PathLike | FileRows) else list(paths)


def _grouped(
    rows: FileRows, choice: RatingChoice, width: int | None
) -> tuple[Ratings | Rankings, ...]:
    tally = OmissionCounts()
    parts = [_chosen_part(part, choice, tally) for part in parts_of(rows.ratings)]
    rankings = [row for row in rows.rankings if _is_chosen_ranking(row, choice, tally)]

    def left_out(pair: str) -> tuple[Exclusion, ...]:
        own = (exclusion for exclusion in rows.exclusions if exclusion.pair in {"", pair})
        return (*own, *tally.exclusions())

    alone = {(pair, system) for part in parts for pair, system in _named_systems(part)}
    groups: list[Ratings | Rankings] = []
    for (pair, criterion), members in _by_group(parts, choice).items():
        own = OmissionCounts()
        plain = [row for part in members if not isinstance(part, RatingColumns) for row in part]
        _check_testset(plain, choice, pair)
        inside = [_part_in_domain(part, choice.domain, own) for part in members]
        if not any(inside):
            continue
        name = " ".join(filter(None, (pair, choice.domain))) or _file(members[0][0])
        each = JoinedRatings(_of_single_systems(part, alone, own) for part in inside)
        collected = collect_ratings(each, name=name, criterion=criterion, width=width)
        stated = (*left_out(pair), *own.exclusions(), *collected.exclusions)
        groups.append(replace(collected, exclusions=stated))
    orders_by_group: dict[tuple[str, str], list[Ranking]] = {}
    for ranking in rankings:
        pair = ranking.pair or choice.pair or ""
        orders_by_group.setdefault((pair, ranking.criterion), []).append(ranking)
    for (pair, criterion), orders in orders_by_group.items():
        _check_testset(orders, choice, pair)
        name = pair or _file(orders[0])
        ranked = collect_rankings(orders, name=name, criterion=criterion, width=width)
        groups.append(replace(ranked, exclusions=(*left_out(pair), *ranked.exclusions)))
    if not groups:
        raise InputError(f"ratings: none left of what was asked for, {_present(rows)}")
    return tuple(groups)


def _by_group(
    parts: Iterable[Sequence[Rating]], choice: RatingChoice
) -> dict[tuple[str, str], list[Sequence[Rating]]]:
    """The ratings of each language pair and criterion, in parts."""
    groups: dict[tuple[str, str], list[Sequence[Rating]]] = {}
    for part in parts:
        if isinstance(part, RatingColumns):
            if part:
                groups.setdefault((part.pair or choice.pair or "", part.criterion), []).append(part)
            continue
        rows_of: dict[tuple[str, str], list[Rating]] = {}
        for row in part:
            rows_of.setdefault((row.pair or choice.pair or "", row.criterion), []).append(row)
        for key, members in rows_of.items():
            groups.setdefault(key, []).append(members)
    return groups


def _named_systems(part: Sequence[Rating]) -> Iterable[tuple[str, str]]:
    """Every system of ratings, with the language pair that they name."""
    if isinstance(part, RatingColumns):
        return ((part.pair, system) for system in part.systems)
    return ((row.pair, row.system) for row in part)


def _of_single_systems(
    part: Sequence[Rating], alone: AbstractSet[tuple[str, str]], tally: OmissionCounts
) -> Sequence[Rating]:
    """WMT calls an output that several systems share "A+B"; it is the output of each of them."""

    def sharing(pair: str, system: str) -> list[str]:
        names = system.split("+")
        return names if len(names) > 1 and all((pair, name) in alone for name in names) else []

    if not any(sharing(*key) for key in _named_systems(part)):
        return part
    rows: list[Rating] = []
    for row in part:
        names = sharing(row.pair, row.system)
        if names:
            tally.add("ratings of an output that systems share, counted for each", row.system)
        rows += [row._replace(system=name) for name in names] or [row]
    return rows


def _chosen_part(
    part: Sequence[Rating], choice: RatingChoice, tally: OmissionCounts
) -> Sequence[Rating]:
    """The ratings that were asked for; columns are of one language pair and criterion."""
    if isinstance(part, RatingColumns):
        chosen = not part or _is_chosen(part[0], choice, tally, count=len(part))
        return part if chosen else ()
    return [row for row in part if _is_chosen(row, choice, tally)]


def _part_in_domain(
    part: Sequence[Rating], domain: str | None, tally: OmissionCounts
) -> Sequence[Rating]:
    if isinstance(part, RatingColumns):
        return part if _in_domain(part[0], domain, tally, count=len(part)) else ()
    return [row for row in part if _in_domain(row, domain, tally)]


def _is_chosen(row: Rating, choice: RatingChoice, tally: OmissionCounts, count: int = 1) -> bool:
    """Whether a rating, or ``count`` like it, are asked for; others are counted."""
    if choice.pair is not None and row.pair and row.pair != choice.pair:
        tally.add("ratings of other language pairs", row.pair, count)
    elif choice.criteria and row.criterion not in choice.criteria:
        tally.add("ratings under other criteria", row.criterion, count)
    elif choice.testset is not None and row.testset and row.testset != choice.testset:
        tally.add("ratings on other test sets", row.testset, count)
    else:
        return True
    return False


def _in_domain(row: Rating, domain: str | None, tally: OmissionCounts, count: int = 1) -> bool:
    if domain is not None and row.domain != domain:
        tally.add("ratings of other domains", row.domain or "the whole", count)
    elif domain is None and row.domain and row.segment is None:
        tally.add("ratings of single domains", row.domain)
    else:
        return True
    return False


def _is_chosen_ranking(row: Ranking, choice: RatingChoice, tally: OmissionCounts) -> bool:
    if choice.pair is not None and row.pair and row.pair != choice.pair:
        tally.add("rankings of other language pairs", row.pair)
    elif choice.criteria and row.criterion not in choice.criteria:
        tally.add("rankings, for other criteria were asked for", row.place)
    elif choice.testset is not None and row.testset and row.testset != choice.testset:
        tally.add("rankings on other test sets", row.testset)
    else:
        return True
    return False


def _present(rows: FileRows) -> str:
    """What the files have, for an error."""
    found = {
        "pairs": sorted({row.pair for row in rows.ratings} | {row.pair for row in rows.rankings}),
        "criteria": sorted({row.criterion for row in rows.ratings}),
        "test sets": sorted(
            {row.testset for row in rows.ratings if row.testset}
            | {row.testset for row in rows.rankings if row.testset}
        ),
        "domains": sorted({row.domain for row in rows.ratings if row.domain}),
    }
    found["criteria"] += sorted({row.criterion for row in rows.rankings})
    shown = (f"{kind} {', '.join(filter(None, names))}" for kind, names in found.items() if names)
    return f"expected some of the files' {'; '.join(shown)}"


def _check_testset(members: Sequence[Rating | Ranking], choice: RatingChoice, pair: str) -> None:
    names = sorted({row.testset for row in members if row.testset})
    if choice.testset is None and len(names) > 1:
        raise InputError(
            f"ratings of {pair or 'all pairs'}: found test sets {', '.join(names)}, "
            "expected one, or a choice (--testset)"
        )


def _file(row: Rating | Ranking) -> str:
    return PurePath(row.place.rpartition(":")[0]).name
