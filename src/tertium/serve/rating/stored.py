"""Ratings straight from a store: ``store:PROJECT/CAMPAIGN``, as readers of files take them."""

from pathlib import Path
from typing import Final

from sqlalchemy import select

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import FileRows
from tertium.serve.rating.material import material_of
from tertium.serve.rating.results import current_answers, file_rows
from tertium.serve.store.connection import open_store
from tertium.serve.store.schema import Campaign, Project
from tertium.suggestions import did_you_mean

PREFIX: Final = "store:"


def stored_ratings(place: str | Path, name: str) -> FileRows:
    """The ratings of a campaign; ``name`` is PROJECT/CAMPAIGN, the campaign's name or number."""
    slug, divider, wanted = name.removeprefix(PREFIX).partition("/")
    if not (slug and divider and wanted):
        raise OptionError(f"ratings {name!r}: expected store:PROJECT/CAMPAIGN")
    if "://" not in str(place) and not Path(place).exists():
        raise InputError(f"store {place}: found no such file, expected a store")
    store = open_store(place)
    try:
        with store.reading() as session:
            projects = dict(
                session.execute(
                    select(Project.slug, Project.id).where(Project.deleted_at.is_(None))
                ).all()
            )  # fmt: skip
            if slug not in projects:
                raise OptionError(did_you_mean("project", slug, sorted(projects)))
            found = session.scalars(
                select(Campaign).where(Campaign.project_id == projects[slug])
            ).all()
            chosen = [one for one in found if wanted in {one.name, str(one.id)}]
            chosen = [one for one in chosen if one.name == wanted] or chosen
            if not chosen:
                raise OptionError(
                    did_you_mean("campaign", wanted, sorted(one.name for one in found))
                )
            answers = current_answers(session, chosen[0])
            if not answers:
                raise InputError(f"{PREFIX}{slug}/{wanted}: found no rating yet, expected one")
            return file_rows(chosen[0], answers, material_of(session, chosen[0]))
    finally:
        store.close()
