import os
import signal

import pytest

from tertium.serve.store.connection import Store
from tertium.serve.workers import Crew
from tests.support.serve.waiting import wait_until


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced(sqlite_store: Store) -> None:
    crew = Crew(store=sqlite_store, size=2)
    crew.start()
    try:
        first, second = crew.processes
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: first not in crew.processes)
        assert second in crew.processes
        assert len(crew.processes) == 2
        last = crew.processes
    finally:
        crew.stop()
    for process in last:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
