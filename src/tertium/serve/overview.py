"""A project at a glance: for each test set its verdict, what changed, and what it waits for.

Verdicts need tests of all pairs. Those of a large test set are found by a worker after an upload
(`tertium.serve.evaluation.work.judge_outputs`); until they are, its card names the highest
score of the first metric and claims nothing.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.audit.findings import AuditReport
from tertium.plurals import counted
from tertium.report.html.charts import Axis, Lean, Meter, Trend, Whisker, trend, whisker
from tertium.report.html.wording import signed
from tertium.serve.evaluation.corpora import Board, board, latest_outputs, partial_boards
from tertium.serve.evaluation.leaderboard import (
    Leaderboard,
    leaderboard,
    possible_ranks,
    study_of,
)
from tertium.serve.evaluation.metrics import rebuilt, version_of
from tertium.serve.evaluation.pictures import board_meter
from tertium.serve.evaluation.sets import TestSetView, all_test_sets
from tertium.serve.evaluation.systems import OutputView, systems
from tertium.serve.evaluation.work import kept_audit, kept_verdict, testing_cost
from tertium.serve.rating.dashboard import CampaignPace, progress_of
from tertium.serve.store.schema import Campaign, StoredScore

MOST_TESTED: Final = 60_000
"""What a test set may cost that is tested while somebody waits for the page (`testing_cost`) …"""
MOST_TESTED_IN_ALL: Final = 120_000
"""… and all test sets of a project."""
MOST_COLUMNS: Final = 12
"""Systems that the matrix shows; those on most test sets come first."""
MOST_WAITING: Final = 10
"""Things to do that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Something that somebody has to do; ``path`` begins below the project's."""

    text: str
    path: str
    action: str
    warn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SetChange:
    """What the last upload of a system changed, by the first metric."""

    text: str
    words: str
    lean: Lean
    now: str
    mark: Whisker | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCard:
    """A test set with its verdict, its uploads and what it waits for."""

    test_set: TestSetView
    sentence: str
    meter: Meter | None
    metric: str
    uploads: Trend | None
    number: int
    change: SetChange | None
    waits: tuple[Waiting, ...]
    last: OutputView | None
    names: tuple[str, ...]
    ranks: dict[str, dict[str, tuple[int, int]]]
    """For each metric, by its title, the ranks that tests leave possible to each system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """The possible ranks of a system on a test set; start and end are percent of all ranks."""

    ranks: str
    start: float
    end: float
    lean: Lean
    """Ahead where it may be first, behind where it may be last, unsure where both or neither."""
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """A test set; None is a system that sent nothing."""

    slug: str
    name: str
    systems: int
    cells: tuple[MatrixCell | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Systems across test sets, by one metric; ``more`` systems are not shown."""

    metric: str
    systems: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """All test sets, and everything that waits."""

    cards: tuple[SetCard, ...]
    waits: tuple[tuple[str, Waiting], ...]
    """The name of a test set and what waits there, warnings first."""
    last: OutputView | None
    matrices: tuple[Matrix, ...]
    """One for each metric of several test sets that were tested."""

    @property
    def systems(self) -> int:
        """Systems of all test sets."""
        return sum(card.test_set.systems for card in self.cards)


def overview(
    session: Session,
    project_id: int,
    *,
    thorough: bool = False,
    only: Collection[str] | None = None,
) -> Overview:
    """The cards of a project, those with the newest upload first.

    ``thorough`` tests every test set, however large: nobody waits. ``only`` are addresses of test
    sets, all others are left out.
    """
    campaigns: dict[int, list[tuple[Campaign, CampaignPace]]] = {}
    query = select(Campaign).where(Campaign.project_id == project_id, Campaign.state == "open")
    for one in session.scalars(query.order_by(Campaign.id)):
        campaigns.setdefault(one.test_set_id, []).append((one, progress_of(session, one)))
    left = MOST_TESTED_IN_ALL
    cards = []
    for test_set in all_test_sets(session, project_id):
        if only is not None and test_set.slug not in only:
            continue
        newest = latest_outputs(session, test_set.id)
        cost = testing_cost(len(newest), len(test_set.metrics), test_set.segments)
        tested = thorough or cost <= min(MOST_TESTED, left)
        left -= cost if tested else 0
        cards.append(_card(session, test_set, newest, campaigns.get(test_set.id, []), tested))
    cards.sort(key=_age, reverse=True)
    waits = [(card.test_set.name, wait) for card in cards for wait in card.waits]
    waits.sort(key=lambda item: not item[1].warn)
    return Overview(
        cards=tuple(cards),
        waits=tuple(waits[:MOST_WAITING]),
        last=next((card.last for card in cards if card.last is not None), None),
        matrices=_matrices(cards),
    )


def _matrices(cards: Sequence[SetCard]) -> tuple[Matrix, ...]:
    """Systems that are on most test sets first; then those whose ranks are better."""
    tested = [card for card in cards if card.ranks]
    metrics = Counter(metric for card in tested for metric in card.ranks)
    sets = Counter(name for card in tested for name in set().union(*card.ranks.values()))
    shares: dict[str, list[float]] = {}
    for card in tested:
        for name, (first, last) in next(iter(card.ranks.values())).items():
            shares.setdefault(name, []).append((first + last) / len(card.names))
    order = sorted(
        sets, key=lambda name: (-sets[name], sum(shares.get(name, [9.0])) / sets[name], name)
    )
    columns = order[:MOST_COLUMNS]
    return tuple(
        Matrix(
            metric=metric,
            systems=tuple(columns),
            rows=tuple(
                _matrix_row(card, card.ranks[metric], columns)
                for card in sorted(tested, key=lambda card: card.test_set.name)
                if metric in card.ranks
            ),
            more=len(order) - len(columns),
        )
        for metric, number in metrics.items()
        if number > 1
    )


def _matrix_row(
    card: SetCard, ranks: dict[str, tuple[int, int]], columns: Sequence[str]
) -> MatrixRow:
    last_rank = max(last for _, last in ranks.values())

    def cell(name: str) -> MatrixCell | None:
        if name not in ranks:
            return None
        first, last = ranks[name]
        leads, trails = first == 1, last == last_rank
        lean: Lean = "unsure" if leads == trails else "ahead" if leads else "behind"
        return MatrixCell(
            ranks=str(first) if first == last else f"{first}–{last}",
            start=round(100 * (first - 1) / last_rank, 1),
            end=round(100 * last / last_rank, 1),
            lean=lean,
            first=leads,
        )

    return MatrixRow(
        slug=card.test_set.slug,
        name=card.test_set.name,
        systems=len(ranks),
        cells=tuple(map(cell, columns)),
    )


def names_of(found: Overview) -> list[str]:
    """The systems that sentences name."""
    return [name for card in found.cards for name in card.names]


def _age(card: SetCard) -> datetime:
    return card.test_set.created_at if card.last is None else card.last.uploaded_at


def _card(
    session: Session,
    test_set: TestSetView,
    newest: tuple[OutputView, ...],
    campaigns: Sequence[tuple[Campaign, CampaignPace]],
    tested: bool,  # noqa: FBT001
) -> SetCard:
    outputs = sorted(
        (output for system in systems(session, test_set.id) for output in system.outputs),
        key=lambda output: (output.uploaded_at, output.id),
    )
    spec = test_set.metrics[0] if test_set.metrics else ""
    values = _values(session, spec, outputs) if spec else {}
    pair = _last_pair(outputs)
    scored: list[OutputView] = []
    if pair is not None:
        system = pair[1].system_id
        scored = [one for one in outputs if one.system_id == system and one.id in values]
    uploads = None
    if spec and len(scored) > 1:
        uploads = trend(
            [values[one.id] for one in scored], higher_is_better=rebuilt(spec).higher_is_better
        )
    audit = kept_audit(session, test_set.project_id, test_set.id, newest) if newest else None
    report = audit[1].report if audit else None
    found, whole, kept = None, None, None
    if tested and newest:
        whole = board(session, test_set.id, newest)
        found = leaderboard(whole, partial_boards(session, test_set.id, whole))
    elif newest:
        kept = kept_verdict(session, test_set, newest)
    pair_cost = testing_cost(2, 1, test_set.segments)
    return SetCard(
        test_set=test_set,
        sentence=_sentence(found, newest, spec, values) if kept is None else kept["headline"],
        meter=_meter(whole, report, kept, None if audit is None else audit[1].job),
        metric=rebuilt(spec).title if spec else "",
        uploads=uploads,
        number=len(scored),
        change=None
        if pair is None
        else _change(
            session, test_set, pair, spec, values, tested=tested or pair_cost <= MOST_TESTED
        ),
        waits=_waits(test_set, newest, _missing(found, kept), report, campaigns),
        last=outputs[-1] if outputs else None,
        names=tuple(dict.fromkeys(output.system for output in outputs)),
        ranks=_ranks(found, kept),
    )


def _meter(
    whole: Board | None, report: AuditReport | None, kept: dict[str, Any] | None, audit: int | None
) -> Meter | None:
    """The strength of the verdict; none where an audit that came later might cap it."""
    if whole is not None:
        return board_meter(whole, report)
    if kept is None or kept["strength"] is None or kept["audit"] != audit:
        return None
    return Meter(strength=kept["strength"], note=kept["note"])


def _missing(found: Leaderboard | None, kept: dict[str, Any] | None) -> Sequence[str]:
    if found is not None:
        return found.missing
    return () if kept is None else tuple(kept["missing"])


def _ranks(
    found: Leaderboard | None, kept: dict[str, Any] | None
) -> dict[str, dict[str, tuple[int, int]]]:
    """The ranks that the tests of each metric leave possible, by name of the system."""
    if found is not None:
        return possible_ranks(found)
    return {
        metric: {name: (first, last) for name, (first, last) in ranks.items()}
        for metric, ranks in ({} if kept is None else kept["ranks"]).items()
    }


def _values(session: Session, spec: str, outputs: Sequence[OutputView]) -> dict[int, float]:
    """The stored scores of one metric, by output."""
    query = select(StoredScore.output_id, StoredScore.value).where(
        StoredScore.output_id.in_([output.id for output in outputs]),
        StoredScore.spec == spec,
        StoredScore.version == version_of(spec),
    )
    return dict(session.execute(query).all())


def _sentence(
    found: Leaderboard | None,
    newest: Sequence[OutputView],
    spec: str,
    values: dict[int, float],
) -> str:
    if found is not None:
        return found.headline
    known = [(values[output.id], output.system) for output in newest if output.id in values]
    if not known:
        return "No scores yet." if newest else ""
    metric = rebuilt(spec)
    value, system = max(known) if metric.higher_is_better else min(known)
    most = "highest" if metric.higher_is_better else "lowest"
    return f"{system} has the {most} {metric.title}, {metric.shown(value)}."


def _last_pair(outputs: Sequence[OutputView]) -> tuple[OutputView, OutputView] | None:
    """The newest upload that has one before it of the same system, after that one."""
    for position in range(len(outputs) - 1, 0, -1):
        after = outputs[position]
        earlier = [one for one in outputs[:position] if one.system_id == after.system_id]
        if earlier:
            return earlier[-1], after
    return None


def _change(
    session: Session,
    test_set: TestSetView,
    pair: tuple[OutputView, OutputView],
    spec: str,
    values: dict[int, float],
    *,
    tested: bool,
) -> SetChange | None:
    """What an upload changed, by the first metric."""
    before, after = pair
    if before.id not in values or after.id not in values:
        return None
    metric = rebuilt(spec)
    delta = values[after.id] - values[before.id]
    shown = f"{signed(delta, metric.finer)} {metric.title}"
    latest = f"{after.system} #{after.number}, now {metric.shown(values[after.id])}"
    if not tested:
        return SetChange(text=shown, words="not tested here", lean="unsure", now=latest, mark=None)
    both = board(session, test_set.id, pair, specs=[spec])
    if both.scored is None:
        return None
    study = study_of(both.scored)
    table = study.pairs[study.metrics[0].spec]
    sign = 1 if metric.higher_is_better else -1
    sure = table.tested and table.differ(0, 1)
    lean: Lean = "unsure" if not sure else "ahead" if sign * delta > 0 else "behind"
    ends = (sign * float(table.low[0, 1]), sign * float(table.high[0, 1]))
    reach = 1.1 * max(abs(end) for end in (*ends, delta)) or 1.0
    shape = "circle" if lean == "unsure" else lean
    return SetChange(
        text=shown,
        words="no clear change" if lean == "unsure" else lean,
        lean=lean,
        now=latest,
        mark=whisker(Axis(-reach, reach), sign * delta, ends, lean=lean, shape=shape),
    )


def _waits(
    test_set: TestSetView,
    newest: tuple[OutputView, ...],
    missing: Sequence[str],
    report: AuditReport | None,
    campaigns: Sequence[tuple[Campaign, CampaignPace]],
) -> tuple[Waiting, ...]:
    here = f"/test-sets/{test_set.slug}"
    if not newest:
        return (Waiting(text="No output yet", path=f"{here}#send", action="Upload"),)
    waits = []
    if report is not None:
        serious = [one for one in report.findings if one.severity == "serious"]
        if serious:
            text = serious[0].meaning
            waits.append(Waiting(text=text, path=f"{here}#audit", action="Look", warn=True))
    waits += [Waiting(text=line, path=f"{here}#send", action="Send scores") for line in missing]
    for campaign, progress in campaigns:
        path = f"/campaigns/{campaign.id}"
        share = 100 * progress.rated / progress.wanted if progress.wanted else 0
        text = f"Campaign {campaign.name}: {share:.0f} % rated"
        if progress.idle:
            text += f"; {counted(progress.idle, 'rater')} not begun"
        waits.append(Waiting(text=text, path=path, action="Open"))
    if len(newest) == 1:
        text = "One system alone: nothing to compare"
        waits.append(Waiting(text=text, path=f"{here}#send", action="Add a second"))
    if report is None:
        text = "The newest outputs are not audited"
        waits.append(Waiting(text=text, path=f"{here}#audit", action="Audit"))
    return tuple(waits)
