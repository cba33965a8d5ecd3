"""Pages in HTML, a module for each subject; what they change goes through the API."""

from typing import Final

from fastapi import APIRouter

from tertium.serve.web.pages.campaigns import router as campaigns
from tertium.serve.web.pages.evaluation import router as evaluation
from tertium.serve.web.pages.names import router as names
from tertium.serve.web.pages.projects import router as projects

PAGES: Final[tuple[APIRouter, ...]] = (projects, campaigns, names, evaluation)
