"""Routes of jobs."""

from tests.support.serve.routes.row import Row

JOB = "/api/v1/projects/{project}/jobs/{job}"

ROWS = (
    Row(method="GET", path="/projects/{project}/jobs", need="reader"),
    Row(method="GET", path="/api/v1/projects/{project}/jobs", need="reader"),
    Row(method="GET", path=JOB, need="reader"),
    Row(method="POST", path=f"{JOB}/cancel", need="editor"),
    # The job of the table waits: it cannot be tried again.
    Row(method="POST", path=f"{JOB}/retry", need="editor", ok=409),
    Row(method="GET", path=f"{JOB}/file", need="reader", other={"job": "done_job"}),
    Row(method="GET", path=f"{JOB}/events", need="reader", other={"job": "done_job"}),
)
