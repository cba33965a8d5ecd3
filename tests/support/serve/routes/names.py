"""Routes of names."""

from typing import Any

from tests.support.serve.routes.row import Row, Values

PAGES = "/projects/{project}/test-sets/{test_set}/names"
API = f"/api/v1{PAGES}"
TWO = "?first=ann&second=bob"
CHANGE = {
    "segment": 0, "action": "add", "start": 0, "end": 3, "type": "PERSON", "client_key": "k1",
}  # fmt: skip


def _file(values: Values) -> dict[str, Any]:
    lines = ("Das ist ein Haus .", "Guten Tag !", "שלום עולם")
    text = "".join(f"{line} {values['project']}\n" for line in lines)
    return {"file": ("names.muc", text.encode())}


ROWS = (
    Row(method="GET", path=PAGES, need="reader"),
    Row(method="GET", path=PAGES + "/{target}", need="reader"),
    Row(method="GET", path=PAGES + "/{target}/differences", need="reader", query=TWO),
    Row(method="GET", path=API, need="reader"),
    Row(method="GET", path=API + "/scores", need="reader"),
    Row(method="GET", path=API + "/{target}", need="reader"),
    Row(method="POST", path=API + "/{target}/changes", need="editor", body={"changes": [CHANGE]}),
    Row(method="GET", path=API + "/{target}/events", need="reader"),
    Row(method="GET", path=API + "/{target}/lists", need="reader"),
    Row(method="GET", path=API + "/{target}/suggestions", need="editor"),
    Row(method="GET", path=API + "/{target}/agreement", need="reader", query=TWO),
    Row(method="GET", path=API + "/{target}/adjudication", need="reader", query=TWO),
    Row(
        method="POST",
        path=API + "/{target}/adjudication",
        need="editor",
        body={"first": "ann", "second": "bob"},
    ),
    Row(
        method="POST",
        path=API + "/{target}/file",
        need="editor",
        files=_file,
        data={"format": "muc"},
    ),
    Row(method="GET", path=API + "/{target}/file", need="reader", query="?format=jsonl"),
)
