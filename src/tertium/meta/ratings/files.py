"""Files of ratings in, judgments out: one for every language pair and criterion."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import PurePath

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.choices import RankMethod
from tertium.meta.ratings.entries import FileRows, OmissionCounts, Ranking, Rating
from tertium.meta.ratings.judge_groups import of_judges
from tertium.meta.ratings.judgments import Exclusion, Judgments, MetricScores
from tertium.meta.ratings.languages import language_pair
from tertium.meta.ratings.layouts import AnyPath, AnySource, read_files
from tertium.meta.ratings.many_judges import Rankings, Ratings, collect_rankings, collect_ratings
from tertium.meta.ratings.omission import omitted_names, without
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
        criteria=tuple(one.lower() for one in criteria),
        testset=testset,
        domain=domain,
    )
    rows = read_files(listed(paths), format=format, grades=grades, texts=texts, pair=choice.pair)
    folded = [row._replace(criterion=row.criterion.lower()) for row in rows.ratings]
    width = len(texts.corpus) if segments is None and texts is not None else segments
    if documents is None:
        return _grouped(replace(rows, ratings=tuple(folded)), choice, width)
    if width not in {None, len(documents)}:
        raise InputError(f"documents: found {len(documents)} labels, expected {width} (segments)")
    # Items that are only told apart have the documents that their export names.
    unnamed = tuple(row._replace(document="") if row.located else row for row in folded)
    return tuple(
        replace(one, documents=tuple(documents))
        if isinstance(one, Ratings) and one.located
        else one
        for one in _grouped(replace(rows, ratings=unnamed), choice, len(documents))
    )


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
    found: dict[str, list[MetricScores]] = {}
    for group in _grouped(rows, choice, segments):
        if isinstance(group, Ratings):
            said = group.judgments()
            scores = MetricScores(
                metric=said.criterion,
                systems=said.systems,
                values=said.values,
                segments=said.segments,
                higher_is_better=said.criterion not in lower_is_better and _is_gain(said.criterion),
            )
            found.setdefault(said.name, []).append(scores)
    names = {one.metric for scores in found.values() for one in scores}
    for name in lower_is_better:
        if name not in names:
            raise OptionError(did_you_mean("metric", name, sorted(names)))
    return {name: tuple(scores) for name, scores in found.items()}


def _is_gain(name: str) -> bool:
    """Whether more is better under a published metric's name, as far as tertium knows it.

    >>> _is_gain("TER"), _is_gain("TER-refA"), _is_gain("AMBER"), _is_gain("unknown")
    (False, False, True, True)
    """
    key = re.sub(r"-ref\w*$", "", name).lower()
    return key not in METRICS or METRICS[key].higher_is_better


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

    ``ranks`` is how preferences become numbers (`tertium.meta.ratings.rankings`); ``standardize``
    turns each judge's ratings into z-scores first; ``judges`` are those who count, all by default.
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
        groups = tuple(of_judges(one, judges) for one in groups)
    rated = list(dict.fromkeys(name for one in groups for name in one.systems))
    names = omitted_names(rated, exclude=exclude, include_references=include_references)
    return tuple(
        without(
            as_judgments(one, ranks=ranks, standardize=standardize, seed=seed),
            {name: why for name, why in names.items() if name in one.systems},
        )
        for one in groups
    )


def as_judgments(
    one: Ratings | Rankings,
    *,
    ranks: RankMethod = "wins-ratio",
    standardize: bool = False,
    seed: int = 0,
) -> Judgments:
    """One value for each system, from many judges'."""
    if isinstance(one, Rankings):
        return one.judgments(ranks, seed=seed)
    if standardize:
        from tertium.meta.ratings.judges import standardized

        one = standardized(one)
    return one.judgments()


def listed(paths: AnySource | Iterable[AnySource]) -> list[AnySource]:
    """One path or several, as a list."""
    return [paths] if isinstance(paths, str | PathLike | FileRows) else list(paths)


def _grouped(
    rows: FileRows, choice: RatingChoice, width: int | None
) -> tuple[Ratings | Rankings, ...]:
    tally = OmissionCounts()
    ratings = [row for row in rows.ratings if _is_chosen(row, choice, tally)]
    rankings = [row for row in rows.rankings if _is_chosen_ranking(row, choice, tally)]

    def left_out(pair: str) -> tuple[Exclusion, ...]:
        own = (one for one in rows.exclusions if one.pair in {"", pair})
        return (*own, *tally.exclusions())

    alone = {(row.pair, row.system) for row in ratings}
    groups: list[Ratings | Rankings] = []
    by_group: dict[tuple[str, str], list[Rating]] = {}
    for row in ratings:
        pair = row.pair or choice.pair or ""
        by_group.setdefault((pair, row.criterion), []).append(row)
    for (pair, criterion), members in by_group.items():
        own = OmissionCounts()
        _check_testset(members, choice, pair)
        inside = [row for row in members if _in_domain(row, choice.domain, own)]
        if not inside:
            continue
        name = " ".join(filter(None, (pair, choice.domain))) or _file(members[0])
        each = list(_of_single_systems(inside, alone, own))
        found = collect_ratings(each, name=name, criterion=criterion, width=width)
        stated = (*left_out(pair), *own.exclusions(), *found.exclusions)
        groups.append(replace(found, exclusions=stated))
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


def _of_single_systems(
    rows: Sequence[Rating], alone: AbstractSet[tuple[str, str]], tally: OmissionCounts
) -> Iterator[Rating]:
    """WMT calls an output that several systems share "A+B"; it is the output of each of them."""
    for row in rows:
        names = row.system.split("+")
        if len(names) > 1 and all((row.pair, name) in alone for name in names):
            tally.add("ratings of an output that systems share, counted for each", row.system)
            yield from (row._replace(system=name) for name in names)
        else:
            yield row


def _is_chosen(row: Rating, choice: RatingChoice, tally: OmissionCounts) -> bool:
    if choice.pair is not None and row.pair and row.pair != choice.pair:
        tally.add("ratings of other language pairs", row.pair)
    elif choice.criteria and row.criterion not in choice.criteria:
        tally.add("ratings under other criteria", row.criterion)
    elif choice.testset is not None and row.testset and row.testset != choice.testset:
        tally.add("ratings on other test sets", row.testset)
    else:
        return True
    return False


def _in_domain(row: Rating, domain: str | None, tally: OmissionCounts) -> bool:
    if domain is not None and row.domain != domain:
        tally.add("ratings of other domains", row.domain or "the whole")
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
