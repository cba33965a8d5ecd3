"""All routers; a subject adds its line here."""

from typing import Final

from fastapi import APIRouter

from tertium.serve.web.api import about as api_about
from tertium.serve.web.api import campaigns as api_campaigns
from tertium.serve.web.api import comparisons as api_comparisons
from tertium.serve.web.api import jobs as api_jobs
from tertium.serve.web.api import name_files as api_name_files
from tertium.serve.web.api import names as api_names
from tertium.serve.web.api import people as api_people
from tertium.serve.web.api import projects as api_projects
from tertium.serve.web.api import rating as api_rating
from tertium.serve.web.api import session as api_session
from tertium.serve.web.api import sets as api_sets
from tertium.serve.web.api import systems as api_systems
from tertium.serve.web.api import users as api_users
from tertium.serve.web.pages import campaigns as campaign_pages
from tertium.serve.web.pages import entry as entry_pages
from tertium.serve.web.pages import evaluation as evaluation_pages
from tertium.serve.web.pages import jobs as job_pages
from tertium.serve.web.pages import names as name_pages
from tertium.serve.web.pages import people as people_pages
from tertium.serve.web.pages import projects as project_pages

API: Final[tuple[APIRouter, ...]] = (
    api_about.router,
    api_session.router,
    api_users.router,
    api_people.router,
    api_projects.router,
    api_jobs.router,
    api_campaigns.router,
    api_rating.router,
    api_names.router,
    api_name_files.router,
    api_sets.router,
    api_systems.router,
    api_comparisons.router,
)
"""Under ``/api/v1``."""

PAGES: Final[tuple[APIRouter, ...]] = (
    entry_pages.router,
    people_pages.router,
    project_pages.router,
    job_pages.router,
    campaign_pages.router,
    name_pages.router,
    evaluation_pages.router,
)
"""HTML, under ``/``."""
