"""Workers of Dask: some of our own on this machine, or those of a cluster that runs already."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from tertium.errors import MissingExtraError, OptionError, TertiumError
from tertium.installation import install_hint
from tertium.version import __version__

PATIENCE: Final = 20.0
"""Seconds to wait for a scheduler that is said to run, and for its first worker."""


_OWN: Final = {
    # Nobody looks at profiles of workers that are soon gone.
    "distributed.worker.profile.enabled": False,
    # Memory is needed again for the next chunk, and so is not given back in between.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
}
"""How our own workers differ from Dask's usual ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Where work is done: ``workers`` processes here, or the scheduler at an address.

    ``threads`` are those of each worker's core; by default the machine's are shared out among our
    own workers, and those of others use one for each task that they are given.
    """

    scheduler: str | None = None
    workers: int | None = None
    threads: int | None = None
    patience: float = PATIENCE

    def __post_init__(self) -> None:
        for name in ("workers", "threads"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise OptionError(f"{name}: found {value}, expected at least 1")
        if self.scheduler is not None and self.workers is not None:
            raise OptionError(
                f"workers: found {self.workers} with a scheduler, which has its own, expected one "
                "of them"
            )

    def threads_each(self, partitions: int) -> int:
        """How many threads of the core a task uses."""
        if self.threads is not None:
            return self.threads
        if self.scheduler is not None:
            return 1
        return max(1, _processors() // self._count(partitions))

    def _count(self, partitions: int) -> int:
        """No more workers than there is work for."""
        return min(self.workers or _processors(), max(1, partitions))

    @contextmanager
    def opened(self, partitions: int) -> Iterator[Any]:
        """A client of Dask's; our own workers are ended with it."""
        distributed = _distributed()
        with _quiet():
            if self.scheduler is not None:
                with self._joined(distributed, self.scheduler) as client:
                    yield client
                return
            with (
                local_workers(self._count(partitions)) as local,
                distributed.Client(local, set_as_default=False) as client,
            ):
                yield client

    @contextmanager
    def _joined(self, distributed: Any, address: str) -> Iterator[Any]:
        try:
            client = distributed.Client(address, timeout=self.patience, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise _unreachable(address, error) from None
        with client:
            try:
                client.wait_for_workers(1, timeout=self.patience)
            except TimeoutError:
                raise TertiumError(
                    f"{address}: found a scheduler without workers for {self.patience:g} s, "
                    "expected at least one"
                ) from None
            _check_versions(client, address)
            yield client


@contextmanager
def local_workers(count: int) -> Iterator[Any]:
    """A cluster of Dask's of so many processes on this machine."""
    distributed = _distributed()
    with (
        import_module("dask").config.set(_OWN),
        distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # any port that is free, for nobody else
            memory_limit=0,
            silence_logs=logging.CRITICAL + 1,
        ) as local,
    ):
        yield local


@contextmanager
def _quiet() -> Iterator[None]:
    """What happens to workers is told by us, in one line; Dask would tell it in many."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict]
    levels = {
        logger: logger.level for logger in loggers if logger.name.partition(".")[0] == "distributed"
    }
    try:
        for one in levels:
            one.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for one, level in levels.items():
            one.setLevel(level)


def here() -> str:
    """The version of tertium on a worker."""
    return __version__


def _check_versions(client: Any, address: str) -> None:
    """Refuse workers that would give other numbers, or none."""
    try:
        versions: dict[str, str] = client.run(here)
    except Exception as error:  # noqa: BLE001 (whatever a worker raises that lacks the package)
        raise TertiumError(
            f"{address}: found workers that cannot import tertium ({_line(error)}), "
            f"expected tertium {__version__} on each"
        ) from None
    for worker, version in versions.items():
        if version != __version__:
            raise TertiumError(
                f"{address}: found tertium {version} on {worker}, expected {__version__}, as here"
            )


def _unreachable(address: str, error: Exception) -> TertiumError:
    found = "no answer" if isinstance(error, OSError) else _line(error)
    return TertiumError(
        f"{address}: found {found}, expected a scheduler of Dask's, such as tcp://host:8786"
    )


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _distributed() -> Any:
    try:
        import_module("pyarrow")
        return import_module("distributed")
    except ImportError as error:
        raise MissingExtraError(
            f"engine dask: the package {error.name} is missing, "
            f"expected for it: {install_hint('dask')}"
        ) from None


def _processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
