"""The application: services behind routes, guarded; and the document of its API."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from threading import Event
from typing import Any, Final

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.staticfiles import StaticFiles

import tertium.report.html
from tertium.errors import OptionError
from tertium.serve.accounts.callers import Need
from tertium.serve.evaluation.corpora import drop_unused_values
from tertium.serve.evaluation.metrics import set_up_programs
from tertium.serve.evaluation.parsers import PARSERS
from tertium.serve.memory import release_memory
from tertium.serve.settings import Settings
from tertium.serve.store.connection import Store
from tertium.serve.web.access import PasswordGate, needs_of
from tertium.serve.web.api import API
from tertium.serve.web.errors import PROBLEMS, Catch, add_error_handlers
from tertium.serve.web.idempotency import Once, Replay, replay
from tertium.serve.web.middleware import Compress, Forwarded, Guard, Metrics, Watch
from tertium.serve.web.pages import PAGES
from tertium.serve.web.rendering import HERE
from tertium.serve.workers import Crew
from tertium.version import __version__

PREFIX: Final = "/api/v1"
RELEASE_EVERY: Final = 30.0
"""Seconds after which the server gives back memory that it no longer uses."""


def make_app(store: Store, settings: Settings) -> FastAPI:
    """A server over a store; a route that does not say who may use it is an error at once."""
    app = FastAPI(
        title="tertium",
        version=__version__,
        summary="Evaluation of machine translation as a team.",
        docs_url=None,  # they would be loaded from another host
        redoc_url=None,
        openapi_url=None,  # a route of its own, which says who may use it
        servers=[{"url": settings.root_path}] if settings.root_path else None,
        lifespan=_with_workers,
    )
    app.state.store = store
    app.state.settings = settings
    app.state.stopping = Event()
    set_up_programs(settings.programs)
    app.state.passwords = PasswordGate(settings.logins_per_minute)
    app.state.metrics = Metrics(lambda: app.state.store)
    _check_root(settings.root_path)
    for router in API:
        app.include_router(router, prefix=PREFIX, responses=PROBLEMS)
    for router in PAGES:
        app.include_router(router, include_in_schema=False)
    report = StaticFiles(directory=_report_assets())
    app.mount("/static/report", report, name="report")
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    add_links(app)
    add_error_handlers(app)
    app.add_exception_handler(Replay, replay)
    # The last one added is the first one passed.
    app.add_middleware(Catch)
    app.add_middleware(Once)
    app.add_middleware(Compress)
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(Watch, metrics=app.state.metrics)
    app.add_middleware(Forwarded, settings=settings)
    return app


@asynccontextmanager
async def _with_workers(app: FastAPI) -> AsyncIterator[None]:
    """Workers live as long as the server."""
    settings: Settings = app.state.settings
    crew = Crew(store=app.state.store, size=settings.workers, programs=settings.programs)
    await run_in_threadpool(crew.start)
    await run_in_threadpool(PARSERS.warm)
    app.state.crew = crew
    releasing = asyncio.create_task(_release_memory())
    try:
        yield
    finally:
        app.state.stopping.set()
        releasing.cancel()
        with suppress(asyncio.CancelledError):
            await releasing
        await run_in_threadpool(crew.stop)
        await run_in_threadpool(PARSERS.close)


async def _release_memory() -> None:
    while True:
        await asyncio.sleep(RELEASE_EVERY)
        drop_unused_values()
        await run_in_threadpool(release_memory)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A route of one of the routers."""

    method: str
    path: str
    need: Need
    grants: bool
    secret: bool


def declared_routes() -> Iterator[Declared]:
    """Every route with who may use it; one that does not say so, once, is refused."""
    routers = [*((one, PREFIX) for one in API), *((one, "") for one in PAGES)]
    for router, prefix in routers:
        for route in router.routes:
            needs = needs_of(route) if isinstance(route, APIRoute) else None
            if not isinstance(route, APIRoute) or needs is None:
                raise RuntimeError(f"route {route}: expected needs(…) or PUBLIC, once")
            for method in sorted(route.methods or ()):
                yield Declared(
                    method=method,
                    path=prefix + route.path,
                    need=needs.need,
                    grants=needs.grants,
                    secret=needs.secret,
                )


def _check_root(root: str) -> None:
    """Refuse a root path that a proxy which strips it would make ambiguous."""
    own = {declared.path.split("/")[1] for declared in declared_routes()} | {"static"}
    if root and root.split("/")[1] in own:
        raise OptionError(
            f"--root-path: found {root}, which the server's own paths begin with, expected another"
        )


def _report_assets() -> str:
    return f"{tertium.report.html.__path__[0]}/assets"


PROJECT: Final = "/api/v1/projects/{project}"
SET: Final = f"{PROJECT}/test-sets/{{test_set}}"
CAMPAIGN: Final = f"{PROJECT}/campaigns/{{campaign}}"
MADE: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("post", "/api/v1/projects"): {"project": "/slug"},
    ("post", "/api/v1/users"): {"user": "/name"},
    ("post", "/api/v1/tokens"): {"api_token": "/kept/id"},
    ("post", f"{PROJECT}/links"): {"link": "/link/id"},
    ("post", f"{PROJECT}/test-sets"): {"test_set": "/slug"},
    ("post", f"{PROJECT}/campaigns"): {"campaign": "/id"},
    ("post", f"{SET}/outputs"): {"output": "/outputs/0/id", "system": "/outputs/0/system_id"},
    ("post", f"{SET}/audit"): {"job": "/id"},
    ("post", f"{SET}/report"): {"job": "/id"},
    ("get", f"{SET}/names"): {"target": "/0/key"},
    ("post", f"{CAMPAIGN}/mine/next"): {"number": "/page/number"},
}
"""Operation → name in paths → where the answer has its value (JSON Pointer)."""


def add_links(app: FastAPI) -> None:
    """Let the document that an application gives of itself have links.

    They are derived, not listed: an operation that makes something says where its answer names it
    (`MADE`), and leads to every operation whose path has that name and otherwise only names that
    are known from the request. A new route is linked without being mentioned here.
    """
    plain = app.openapi

    def linked() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = plain()
            for (method, path), made in MADE.items():
                _add(document, method, path, made)
        return plain()

    app.openapi = linked  # type: ignore[method-assign]  # as FastAPI says to extend its document


def _add(document: dict[str, Any], method: str, path: str, made: Mapping[str, str]) -> None:
    operation = document["paths"][path][method]
    known = {name: f"$request.path.{name}" for name in _names(path)}
    known |= {name: f"$response.body#{pointer}" for name, pointer in made.items()}
    links = {
        target["operationId"]: {
            "operationId": target["operationId"],
            "parameters": {f"path.{name}": known[name] for name in names},
        }
        for names, target in _operations(document)
        if set(names) <= set(known) and set(names) & set(made)
    }
    success = next(status for status in operation["responses"] if status.startswith("2"))
    operation["responses"][success]["links"] = links


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[list[str], dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            yield _names(path), operation


def _names(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)
