"""Pages in HTML, a module for each subject; what they change goes through the API."""

from typing import Final

from fastapi import APIRouter

from tertium.serve.web.pages import campaigns, evaluation, names, projects

PAGES: Final[tuple[APIRouter, ...]] = (
    projects.router,
    campaigns.router,
    names.router,
    evaluation.router,
)
