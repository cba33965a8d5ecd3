"""Routes of campaigns and of raters."""

from tests.support.serve.routes.row import Row

ALL = "/api/v1/projects/{project}/campaigns"
ONE = f"{ALL}/{{campaign}}"
MINE = f"{ONE}/mine"

ROWS = (
    Row(method="GET", path="/projects/{project}/campaigns", need="reader"),
    Row(method="GET", path="/projects/{project}/campaigns/{campaign}", need="reader"),
    Row(method="GET", path="/projects/{project}/campaigns/{campaign}/rate", need="rater"),
    Row(method="GET", path=ALL, need="reader"),
    Row(
        method="POST",
        path=ALL,
        need="editor",
        ok=201,
        body=lambda values: {"name": "New", "protocol": "esa", "test_set": values["test_set"]},
    ),
    Row(method="GET", path=ONE, need="reader"),
    Row(method="PATCH", path=ONE, need="editor", body={"state": "closed"}),
    Row(method="GET", path=f"{ONE}/raters", need="reader"),
    Row(method="POST", path=f"{ONE}/raters", need="editor", ok=201, body={"label": "Ann"}),
    Row(
        method="POST",
        path=f"{ONE}/raters/links",
        need="editor",
        ok=201,
        body={"labels": ["Bea", "Cem"]},
    ),
    Row(method="POST", path=f"{ONE}/raters/{{rater}}/link", need="editor", ok=201, body={}),
    Row(method="GET", path=f"{ONE}/dashboard", need="reader"),
    Row(method="GET", path=f"{ONE}/exports", need="reader"),
    Row(
        method="GET",
        path=f"{ONE}/exports/{{export}}",
        need="reader",
        everywhere=("export",),
    ),
    Row(method="GET", path=MINE, need="rater"),
    Row(method="POST", path=f"{MINE}/next", need="rater"),
    Row(method="GET", path=f"{MINE}/items/{{number}}", need="rater", everywhere=("number",)),
    Row(
        method="POST",
        path=f"{MINE}/events",
        need="rater",
        body={"events": [{"key": "k", "number": 1, "action": "skip", "seconds": 1}]},
    ),
)
