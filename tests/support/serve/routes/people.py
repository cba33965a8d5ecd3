"""Routes of accounts, members and links."""

from tests.support.serve.routes.row import Row

PROJECT = "/api/v1/projects/{project}"
PASSWORD = "a-long-password"

ROWS = (
    Row(method="GET", path="/projects/{project}/people", need="editor"),
    Row(method="GET", path="/projects/{project}/log", need="owner"),
    Row(method="GET", path="/users", need="admin"),
    Row(method="GET", path="/log", need="admin"),
    Row(method="GET", path="/account", need="user"),
    Row(method="GET", path=f"{PROJECT}/members", need="editor"),
    Row(
        method="PUT",
        path=f"{PROJECT}/members/{{user}}",
        need="owner",
        body={"role": "reader"},
        everywhere=("user",),
    ),
    Row(method="DELETE", path=f"{PROJECT}/members/{{user}}", need="owner", ok=204),
    Row(method="GET", path=f"{PROJECT}/links", need="editor"),
    Row(method="POST", path=f"{PROJECT}/links", need="editor", ok=201, body={"role": "reader"}),
    Row(method="DELETE", path=f"{PROJECT}/links/{{link}}", need="editor"),
    Row(method="GET", path=f"{PROJECT}/log", need="owner"),
    Row(method="GET", path="/api/v1/users", need="admin"),
    Row(
        method="POST",
        path="/api/v1/users",
        need="admin",
        ok=201,
        body={"name": "new", "password": PASSWORD},
    ),
    Row(method="PATCH", path="/api/v1/users/{user}", need="admin", body={"disabled": True}),
    Row(method="GET", path="/api/v1/log", need="admin"),
    # Nobody in the table has a password: the old one is always wrong.
    Row(
        method="PUT",
        path="/api/v1/session/password",
        need="user",
        ok=401,
        body={"old": PASSWORD, "new": PASSWORD},
    ),
    Row(method="GET", path="/api/v1/tokens", need="user"),
    Row(method="POST", path="/api/v1/tokens", need="user", ok=201, body={}),
    # Nobody in the table has a token.
    Row(method="DELETE", path="/api/v1/tokens/{api_token}", need="user", ok=404),
)
