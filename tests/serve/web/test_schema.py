"""The API does what its OpenAPI document says, whatever is sent: no mistake of the server.

Requests are made up by Schemathesis from the document, half of them about things that exist.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from tertium.serve.accounts.tokens import make_token
from tertium.serve.store.schema import User
from tertium.serve.web.app import PREFIX, declared_routes
from tests.support.effort import examples
from tests.support.serve.site import Site

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

pytestmark = pytest.mark.slow

NOT_CHECKED = [schemathesis.checks.positive_data_acceptance]
"""A schema cannot say everything: a name may be taken, a campaign may be closed."""

API = [
    (one.method, one.path)
    for one in declared_routes()
    if one.path.startswith(PREFIX) and one.path != f"{PREFIX}/openapi.json"
]


@pytest.fixture(scope="module")
def document(_app: Any) -> Any:
    loaded = schemathesis.openapi.from_dict(_app.openapi())
    loaded.app = _app
    return loaded


def token_of(site: Site) -> str:
    """An administrator's, who gets everywhere."""
    with site.store.writing() as session:
        admin = session.scalars(select(User).where(User.name == "admin")).one()
        return make_token(session, "admin", admin.id)[0]


@pytest.mark.parametrize(("method", "path"), API, ids=str)
def test_any_request_is_answered_as_documented(
    method: str, path: str, document: Any, new_site: Callable[[], Site]
) -> None:
    operation = document[path][method]
    site = new_site()
    headers = {"authorization": f"Bearer {token_of(site)}"}
    known = {**site.world.own, "job": site.world.own["done_job"]}

    @settings(
        max_examples=examples(6),
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(case=operation.as_strategy(), exists=st.booleans())
    def holds(case: Any, exists: bool) -> None:
        if exists:
            for name in case.path_parameters or {}:
                if name in known:
                    case.path_parameters[name] = known[name]
        case.call_and_validate(headers=headers, excluded_checks=NOT_CHECKED)

    holds()
