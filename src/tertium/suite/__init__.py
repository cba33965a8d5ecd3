"""Suites: many test sets under one decision, with one correction, one table and one exit code.

`read_suite` reads ``suite.toml``, `run_suite` decides every test set of it and pools them, and
`SuiteStore` keeps what was scored and the earlier runs.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.suite.results import PooledDifference as PooledDifference
    from tertium.suite.results import SetResult as SetResult
    from tertium.suite.results import SuiteResult as SuiteResult
    from tertium.suite.run import run_suite as run_suite
    from tertium.suite.settings import Suite as Suite
    from tertium.suite.settings import SuiteSet as SuiteSet
    from tertium.suite.settings import read_suite as read_suite
    from tertium.suite.store import SuiteStore as SuiteStore
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "PooledDifference": "tertium.suite.results",
            "SetResult": "tertium.suite.results",
            "SuiteResult": "tertium.suite.results",
            "run_suite": "tertium.suite.run",
            "Suite": "tertium.suite.settings",
            "SuiteSet": "tertium.suite.settings",
            "read_suite": "tertium.suite.settings",
            "SuiteStore": "tertium.suite.store",
        },
    )
