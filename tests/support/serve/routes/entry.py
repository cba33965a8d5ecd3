"""Routes by which people come in and go."""

from tests.support.serve.routes.row import Row

ROWS = (
    Row(method="GET", path="/health", need="public"),
    Row(method="GET", path="/metrics", need="admin"),
    Row(method="GET", path="/login", need="public"),
    # No such link: whoever follows it is told so.
    Row(method="GET", path="/l/{token}", need="public", ok=404),
    Row(method="GET", path="/api/v1/about", need="public"),
    Row(method="GET", path="/api/v1/openapi.json", need="public"),
    # Nobody has this name: whoever tries is told so.
    Row(
        method="POST",
        path="/api/v1/session",
        need="public",
        ok=401,
        body={"name": "nobody", "password": "wrong-password"},
    ),
    Row(method="DELETE", path="/api/v1/session", need="public", ok=204),
)
