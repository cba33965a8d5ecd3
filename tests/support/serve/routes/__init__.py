"""The table of all routes, a file for each subject. A route without a row fails a test."""

from tests.support.serve.routes import campaigns, entry, evaluation, jobs, names, people, projects
from tests.support.serve.routes.row import Row

SUBJECTS = (
    entry,
    people,
    projects,
    jobs,
    campaigns,
    names,
    evaluation,
)
ROWS: tuple[Row, ...] = tuple(row for subject in SUBJECTS for row in subject.ROWS)
