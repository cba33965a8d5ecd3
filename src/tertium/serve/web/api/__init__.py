"""The API under /api/v1, a module for each subject; a new one adds its router to `API`."""

from typing import Final

from fastapi import APIRouter

from tertium.serve.web.api import (
    campaigns,
    comparisons,
    jobs,
    names,
    projects,
    sets,
    systems,
    users,
)

API: Final[tuple[APIRouter, ...]] = (
    jobs.about_router,
    users.login_router,
    users.router,
    projects.people_router,
    projects.router,
    jobs.router,
    campaigns.router,
    campaigns.rating_router,
    names.router,
    sets.router,
    systems.router,
    comparisons.router,
)
