"""The API under /api/v1, a module for each subject; a new one adds its router to `API`."""

from typing import Final

from fastapi import APIRouter

from tertium.serve.web.api.campaigns import rating_router
from tertium.serve.web.api.campaigns import router as campaigns
from tertium.serve.web.api.comparisons import router as comparisons
from tertium.serve.web.api.jobs import about_router
from tertium.serve.web.api.jobs import router as jobs
from tertium.serve.web.api.names import router as names
from tertium.serve.web.api.projects import people_router
from tertium.serve.web.api.projects import router as projects
from tertium.serve.web.api.sets import router as sets
from tertium.serve.web.api.systems import router as systems
from tertium.serve.web.api.users import login_router
from tertium.serve.web.api.users import router as users

API: Final[tuple[APIRouter, ...]] = (
    about_router,
    login_router,
    users,
    people_router,
    projects,
    jobs,
    campaigns,
    rating_router,
    names,
    sets,
    systems,
    comparisons,
)
