"""Whether the server is well, and what its API is."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Request
from sqlalchemy import text

from tertium.serve.web.access import PUBLIC, Access
from tertium.version import __version__

router = APIRouter(tags=["about"])


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The server's version, and who is logged in."""

    version: str
    caller: str
    admin: bool


@router.get("/about")
def about(access: Annotated[Access, PUBLIC]) -> About:
    """The server's version, and who the caller is ('' for nobody)."""
    with access.reading() as session:
        session.execute(text("SELECT 1"))
    return About(version=__version__, caller=access.actor, admin=access.caller.trusted)


@router.get("/openapi.json", include_in_schema=False)
def openapi(request: Request, _access: Annotated[Access, PUBLIC]) -> dict[str, Any]:
    """The document of the API."""
    document: dict[str, Any] = request.app.openapi()
    return document
