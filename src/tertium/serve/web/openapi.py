"""The document of the API, with links: what an answer names can be asked for by these operations.

Links are derived, not listed: an operation that makes something says where its answer names it
(`MADE`), and leads to every operation whose path has that name and otherwise only names that are
known from the request. A new route is linked without being mentioned here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fastapi import FastAPI

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
    """Let the document that an application gives of itself have links."""
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
