"""Numbers for Prometheus: requests, their time, and what waits in the store."""

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func, select

from tertium.serve.store.connection import Store
from tertium.serve.store.schema import (
    AnnotationEvent,
    Job,
    Output,
    Project,
    RatingEvent,
    StoredText,
    TestSet,
    User,
)

COUNTED = {
    "projects": Project,
    "test_sets": TestSet,
    "outputs": Output,
    "texts": StoredText,
    "users": User,
    "rating_events": RatingEvent,
    "annotation_events": AnnotationEvent,
}


class Metrics:
    """The numbers of one server; routes are named by their pattern, never by what was asked."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "tertium_requests",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "tertium_request_seconds",
            "Time until the answer was sent, by route.",
            ("method", "route"),
            registry=self._registry,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60),
        )
        self._registry.register(StoreNumbers(store))

    def saw(self, *, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        """All numbers, in Prometheus' words."""
        return generate_latest(self._registry)


class StoreNumbers(Collector):
    """What is in the store, counted whenever somebody asks."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing: the store is not asked before somebody wants to know."""
        return iter(())

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The numbers."""
        with self._store().reading() as session:
            states = session.execute(select(Job.state, func.count()).group_by(Job.state)).all()
            counts = {
                name: session.scalar(select(func.count()).select_from(table)) or 0
                for name, table in COUNTED.items()
            }
        jobs = GaugeMetricFamily("tertium_jobs", "Jobs by state.", labels=["state"])
        for state, number in states:
            jobs.add_metric([state], number)
        yield jobs
        rows = GaugeMetricFamily("tertium_stored", "Rows in the store by kind.", labels=["kind"])
        for name, number in counts.items():
            rows.add_metric([name], number)
        yield rows
