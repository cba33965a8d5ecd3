"""The API does what its OpenAPI document says, whatever is sent: no mistake of the server.

Requests are made up by Schemathesis from the document, half of them about things that exist; then
sequences of them, along the links of the document: project, test set, output, campaign, item.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from tertium.serve.accounts.callers import Scope
from tertium.serve.accounts.tokens import make_token
from tertium.serve.store.schema import User
from tertium.serve.web.app import PREFIX, declared_routes
from tests.support.commands import PATIENCE
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


def token_of(site: Site, scope: Scope = "write") -> str:
    """An administrator's, who gets everywhere."""
    with site.store.writing() as session:
        admin = session.scalars(select(User).where(User.name == "admin")).one()
        return make_token(session, "admin", admin.id, scope=scope)[0]


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


def test_links_lead_from_a_project_to_what_is_in_it(site: Site) -> None:
    document = site.app.openapi()
    assert linked(document, "post", "/projects") >= {
        ("get", "/projects/{project}"),
        ("post", "/projects/{project}/test-sets"),
        ("delete", "/projects/{project}"),
    }
    assert ("post", f"{SET}/outputs") in linked(document, "post", "/projects/{project}/test-sets")
    outputs = linked(document, "post", f"{SET}/outputs")
    assert {("get", f"{SET}/systems/{{system}}"), ("get", f"{SET}/outputs/{{output}}")} <= outputs
    campaign = "/projects/{project}/campaigns"
    campaigns = linked(document, "post", campaign)
    assert ("post", f"{campaign}/{{campaign}}/mine/next") in campaigns
    items = linked(document, "post", f"{campaign}/{{campaign}}/mine/next")
    assert items == {("get", f"{campaign}/{{campaign}}/mine/items/{{number}}")}


SET = "/projects/{project}/test-sets/{test_set}"


def linked(document: Any, method: str, path: str) -> set[tuple[str, str]]:
    """The operations that the successful answer of one leads to."""
    names = {
        operation["operationId"]: (verb, where.removeprefix(PREFIX))
        for where, operations in document["paths"].items()
        for verb, operation in operations.items()
    }
    responses = document["paths"][PREFIX + path][method]["responses"]
    (links,) = [one["links"] for one in responses.values() if "links" in one]
    return {names[one["operationId"]] for one in links.values()}


CHANGED = [*NOT_CHECKED, schemathesis.checks.negative_data_rejection]
"""In sequences, what was made up to be wrong may be replaced by something that is there."""
CHAIN = r"/projects($|/{project}($|/links|/campaigns|/test-sets($|/{test_set}($|/[osan]))))"
"""Paths of what is made one in the other: the last are outputs, systems, audits and names."""
LINES = b"The house is small .\nGood morning to all !\nThe cat sat down .\n"
READABLE: dict[str, dict[str, Any]] = {
    f"{PREFIX}/projects/{{project}}/test-sets": {
        "name": "News",
        "references": [LINES],
    },
    f"{PREFIX}{SET}/outputs": {"system": "elm", "file": LINES},
}
"""Uploads that can be read; what is made up at random hardly ever can."""


def callers(document: Any, new_site: Callable[[], Site], succeeded: Counter[str]) -> Any:
    """The machine that sends sequences; ``succeeded`` counts the paths of its successes."""
    chain = document.include(path_regex=CHAIN)

    class Callers(chain.as_state_machine()):  # type: ignore[misc]  # made at run time
        """Callers who go on with what they were answered; all sequences begin in one world."""

        headers: Mapping[str, str]
        known: Mapping[str, str]
        made: set[str]

        def setup(self) -> None:
            site = new_site()
            self.headers = {"authorization": f"Bearer {token_of(site, 'full')}"}
            self.known, self.made = site.world.own, set()

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": self.headers, "timeout": PATIENCE}  # else 10 s

        def before_call(self, case: Any) -> None:
            # What was made up at random would hardly ever be found.
            parts = case.path_parameters or {}
            unknown = {name for name in parts if str(parts[name]) not in self.made}
            parts.update({name: self.known[name] for name in unknown & set(self.known)})
            if case.method == "POST" and case.operation.path in READABLE:
                case.body = READABLE[case.operation.path]

        def after_call(self, response: Any, case: Any) -> None:
            if response.status_code < 300:
                succeeded[case.operation.path.removeprefix(PREFIX)] += 1
            if response.status_code == 201:
                self.made |= set(re.findall(r'"(?:slug|id|system_id)":"?([\w-]+)', response.text))

        def validate_response(self, response: Any, case: Any, **options: Any) -> None:
            options.pop("timeout")
            case.validate_response(response, excluded_checks=CHANGED, **options)

    return Callers


def test_sequences_of_requests_are_answered_as_documented(
    document: Any, any_new_site: Callable[[], Site]
) -> None:
    succeeded: Counter[str] = Counter()
    callers(document, any_new_site, succeeded).run(
        settings=settings(
            max_examples=examples(12),
            stateful_step_count=20,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            database=None,
        )
    )
    assert succeeded[f"{SET}/outputs"]
