"""Test sets and outputs of the store as the values that the library takes; kept while asked for."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar, cast

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session, defer

from tertium._native import Texts
from tertium.choices import TEST_TRIALS
from tertium.metrics.contract.base import Metric
from tertium.scored.scored import Scored, together
from tertium.serve.errors import RequestError
from tertium.serve.evaluation.metrics import is_foreign, rebuilt, version_of
from tertium.serve.evaluation.scoring import rows_of
from tertium.serve.evaluation.sets import existing
from tertium.serve.evaluation.systems import OutputView, systems
from tertium.serve.store.schema import Output, StoredReference, StoredScore, StoredText
from tertium.serve.store.texts import lines_of, lines_or_gaps
from tertium.text.corpus import Corpus, System
from tertium.text.references import References

T = TypeVar("T")
FEWEST_TRIALS: Final = 1_000
QUICK_UNITS: Final = 5_000
"""Segments, or documents, from which on resamples are fewer."""
QUICK_TESTS: Final = 600
"""Pairs times metrics, those of 20 systems under three metrics, from which on they are fewer."""
MOST_SYSTEMS: Final = 60
"""Systems that are compared with each other at once."""


@dataclass(slots=True, kw_only=True)
class _Entry:
    """A value, its bytes, and when it was last asked for."""

    value: Any
    weight: int
    used: float


class Recent:
    """The last values that were asked for, by what they are made of; safe among threads.

    All together weigh at most ``most`` bytes; the last one stays, however large it is. What nobody
    has asked for in a while is dropped by ``drop_unused``: after an upload a board has other rows,
    and the old ones would only fill memory until they are the oldest.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._values: OrderedDict[Hashable, _Entry] = OrderedDict()

    def get(self, key: Hashable, build: Callable[[], T], weigh: Callable[[T], int]) -> T:
        """The value of a key, built where it is not there; two may build it at once."""
        with self._lock:
            entry = self._values.get(key)
            if entry is not None:
                self._values.move_to_end(key)
                entry.used = monotonic()
                return cast("T", entry.value)
        value = build()
        with self._lock:
            self._values[key] = _Entry(value=value, weight=weigh(value), used=monotonic())
            while len(self._values) > 1 and self.weight > self._most:
                self._values.popitem(last=False)
        return value

    def drop_unused(self, seconds: float) -> None:
        """Drop what was not asked for in so many seconds."""
        before = monotonic() - seconds
        with self._lock:
            for key in [key for key, entry in self._values.items() if entry.used <= before]:
                del self._values[key]

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()

    @property
    def weight(self) -> int:
        """The bytes of all values."""
        return sum(entry.weight for entry in self._values.values())


MEGABYTE: Final = 1_000_000
UNUSED: Final = 120.0
"""Seconds after which a value that nobody asks for is dropped."""
_CORPORA: Final = Recent(100 * MEGABYTE)
_SCORED: Final = Recent(200 * MEGABYTE)


def drop_unused_values() -> None:
    """Drop corpora and rows that nobody has asked for in two minutes."""
    _CORPORA.drop_unused(UNUSED)
    _SCORED.drop_unused(UNUSED)


def forget_values() -> None:
    """Drop all corpora and rows in memory: a worker's next job hardly ever needs the same."""
    _CORPORA.clear()
    _SCORED.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Outputs of one test set with their rows, and what is not known of all of them.

    ``partial`` are scores that only some outputs have; ``waiting`` are metrics of the test set
    that are still to be computed for some.
    """

    outputs: tuple[OutputView, ...]
    scored: Scored | None
    partial: dict[str, dict[int, float]]
    waiting: tuple[str, ...]


def corpus_of(session: Session, test_set_id: int) -> Corpus:
    """The references, sources and labels of a test set."""
    row = existing(session, test_set_id)
    references = session.scalars(
        select(StoredReference.text_id)
        .where(StoredReference.test_set_id == test_set_id)
        .order_by(StoredReference.position)
    ).all()
    others = (row.sources_text_id, row.documents_text_id, row.genres_text_id)

    def labels(text_id: int | None) -> list[str] | None:
        return None if text_id is None else lines_of(session, text_id)

    def build() -> Corpus:
        columns = [Texts(lines_or_gaps(session, one)) for one in references]
        sources, documents, genres = map(labels, others)
        return Corpus(
            references=References(columns),
            name=row.name,
            sources=sources,
            documents=documents,
            genres=genres,
        )

    # By what they say and not by number: another store has other texts under the same number.
    wanted = {one for one in (*references, *others) if one is not None}
    hashes = {
        one.id: one.sha256
        for one in session.execute(
            select(StoredText.id, StoredText.sha256).where(StoredText.id.in_(wanted))
        )
    }
    key = (
        row.name,
        *(hashes[one] for one in references),
        *(hashes.get(one or 0) for one in others),
    )
    return _CORPORA.get(key, build, _weight)


def hypotheses_of(session: Session, output_id: int) -> list[str]:
    """The text of an output."""
    text_id = session.scalars(select(Output.text_id).where(Output.id == output_id)).one()
    return lines_of(session, text_id)


def latest_outputs(session: Session, test_set_id: int) -> tuple[OutputView, ...]:
    """The newest output of every system, in the order in which the systems came."""
    return tuple(one.outputs[-1] for one in systems(session, test_set_id) if one.outputs)


def board(
    session: Session,
    test_set_id: int,
    outputs: Sequence[OutputView],
    *,
    specs: Sequence[str] | None = None,
) -> Board:
    """Outputs with their rows, under the test set's metrics and all that were sent for all."""
    if len(outputs) > MOST_SYSTEMS:
        raise RequestError(
            f"outputs: found {len(outputs)}, expected at most {MOST_SYSTEMS} at once"
        )
    row = existing(session, test_set_id)
    ids = [one.id for one in outputs]
    kept = session.scalars(
        select(StoredScore)
        .where(StoredScore.output_id.in_(ids))
        .options(defer(StoredScore.rows))
        .order_by(StoredScore.id)
    ).all()
    by_spec: dict[str, dict[int, StoredScore]] = {}
    for one in kept:
        if one.version == version_of(one.spec):
            by_spec.setdefault(one.spec, {})[one.output_id] = one
    sent = [spec for spec in by_spec if is_foreign(spec)]
    asked = list(dict.fromkeys([*row.metrics, *sent] if specs is None else specs))
    whole = [spec for spec in asked if len(by_spec.get(spec, ())) == len(ids)] if ids else []
    names = _names(outputs)
    key = (
        str(session.get_bind().engine.url),
        test_set_id,
        tuple((name, one.id, one.sha256) for name, one in zip(names, outputs, strict=True)),
        tuple(
            (spec, *((by_spec[spec][one].id, by_spec[spec][one].created_at) for one in ids))
            for spec in whole
        ),
    )

    def build() -> Scored:
        corpus = corpus_of(session, test_set_id)
        metrics: list[Metric] = []
        rows = []
        for spec in whole:
            metric = rebuilt(spec)
            metrics.append(metric if is_foreign(spec) else metric.bind(corpus))
            rows.append(together([rows_of(by_spec[spec][one]) for one in ids]))
        made = [
            System(name=name, hypotheses=hypotheses_of(session, one))
            for name, one in zip(names, ids, strict=True)
        ]
        return Scored(corpus=corpus, systems=tuple(made), metrics=tuple(metrics), rows=tuple(rows))

    return Board(
        outputs=tuple(outputs),
        scored=_SCORED.get(key, build, _scored_weight) if whole else None,
        partial={
            spec: {output: one.value for output, one in some.items()}
            for spec, some in by_spec.items()
            if spec in asked and spec not in whole
        },
        waiting=tuple(spec for spec in asked if spec not in whole and not is_foreign(spec))
        if ids
        else (),
    )


def partial_boards(session: Session, test_set_id: int, whole: Board) -> dict[str, Board]:
    """For each metric that lacks scores of some outputs, a board of the outputs that have them."""
    found = {}
    for spec, values in whole.partial.items():
        having = [one for one in whole.outputs if one.id in values]
        found[spec] = board(session, test_set_id, having, specs=[spec])
    return found


def _weight(corpus: Corpus) -> int:
    """Bytes of a corpus, roughly: its texts, and as much again for their tokens."""
    columns = [*corpus.references.columns, *([corpus.sources] if corpus.sources else [])]
    return _PER_SEGMENT * len(corpus) * len(columns)


def _scored_weight(scored: Scored) -> int:
    """Bytes of rows and texts, and of the resamples and tests that are made of them later."""
    systems = len(scored.systems)
    rows = sum(int(part.nbytes) for part in scored.rows)
    columns = systems * sum(int(part.shape[-1]) for part in scored.rows)
    resampled = 8 * trials_for(scored) * (columns + _tests_of(scored))
    return 3 * rows + resampled + _PER_SEGMENT * len(scored.corpus) * systems


def trials_for(scored: Scored) -> int:
    """As many resamples as commands draw; fewer of large test sets and of boards of many systems.

    Somebody is waiting, and nearly all tests of many systems are beyond doubt: of those that are
    close to the level, tests draw up to ten times as many by themselves. What is shown says how
    many these were.
    """
    documents = scored.corpus.documents
    units = len(scored.corpus) if documents is None else len(set(documents))
    affordable = min(
        TEST_TRIALS * QUICK_UNITS // units, TEST_TRIALS * QUICK_TESTS // max(1, _tests_of(scored))
    )
    return max(FEWEST_TRIALS, min(TEST_TRIALS, affordable))


def _tests_of(scored: Scored) -> int:
    """Pairs of systems times metrics."""
    systems = len(scored.systems)
    return len(scored.metrics) * systems * (systems - 1) // 2


_PER_SEGMENT: Final = 500
"""Bytes that a text takes with its tokens, on the average."""


def place_of(scored: Scored, spec: str) -> int:
    """The place of a metric among those of the rows."""
    specs = [one.spec for one in scored.metrics]
    if spec not in specs:
        raise RequestError(f"metric: found {spec!r}, expected one of {', '.join(specs)}")
    return specs.index(spec)


def _names(outputs: Sequence[OutputView]) -> list[str]:
    """Systems by name; where one has several outputs here, these by number."""
    names = [one.system for one in outputs]
    return [one.title if names.count(one.system) > 1 else one.system for one in outputs]


def finite(value: float) -> float | None:
    """A number that JSON can say."""
    return float(value) if np.isfinite(value) else None
