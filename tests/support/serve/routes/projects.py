"""Routes of projects."""

from tests.support.serve.routes.row import Row

ROWS = (
    Row(method="GET", path="/", need="user"),
    Row(method="GET", path="/projects/{project}", need="reader"),
    Row(method="GET", path="/projects/{project}/settings", need="editor"),
    Row(method="GET", path="/projects/{project}/results", need="reader"),
    Row(method="GET", path="/projects/{project}/segments", need="reader"),
    Row(method="GET", path="/projects/{project}/names", need="reader"),
    Row(method="GET", path="/projects/{project}/search", need="reader", query="?q=news"),
    Row(method="GET", path="/api/v1/projects", need="user"),
    Row(method="POST", path="/api/v1/projects", need="user", ok=201, body={"name": "New"}),
    Row(method="GET", path="/api/v1/projects/{project}", need="reader"),
    Row(method="PATCH", path="/api/v1/projects/{project}", need="editor", body={"name": "Other"}),
    Row(method="DELETE", path="/api/v1/projects/{project}", need="owner", ok=204),
)
