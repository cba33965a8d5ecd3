"""Routes of test sets, systems, outputs and comparisons."""

from tests.support.serve.routes.row import Row
from tests.support.serve.world import LINES

SETS = "/api/v1/projects/{project}/test-sets"
SET = f"{SETS}/{{test_set}}"
SYSTEM = f"{SET}/systems/{{system}}"
OUTPUT = f"{SET}/outputs/{{output}}"
PAIR = f"{SET}/comparison/{{first}}/{{second}}"
TWO = {"first": "output", "second": "second_output"}
TEXT = "\n".join(LINES).encode()
SCORES = b"0.5\n0.25\n1\n"

PAGE = "/projects/{project}/test-sets/{test_set}"

ROWS = (
    Row(method="GET", path="/assets/segments.js", need="public"),
    Row(method="GET", path="/projects/{project}/new-test-set", need="editor"),
    Row(method="GET", path="/projects/{project}/explain", need="reader"),
    Row(method="GET", path=PAGE, need="reader"),
    Row(method="GET", path=f"{PAGE}/compare", need="reader"),
    Row(method="GET", path=f"{PAGE}/segments", need="reader"),
    Row(method="GET", path=f"{PAGE}/systems/{{system}}", need="reader"),
    Row(method="GET", path=f"{PAGE}/settings", need="editor"),
    Row(method="GET", path="/api/v1/metrics", need="user"),
    Row(
        method="POST",
        path="/api/v1/projects/{project}/explain",
        need="reader",
        body={"hypothesis": "a b", "references": ["a c"]},
    ),
    Row(method="GET", path=SETS, need="reader"),
    Row(
        method="POST",
        path=SETS,
        need="editor",
        ok=201,
        files=lambda _: {"references": ("ref.txt", TEXT)},
        data={"name": "New"},
    ),
    Row(method="GET", path=SET, need="reader"),
    Row(method="PATCH", path=SET, need="editor", body={"metrics": ["bleu", "nist"]}),
    Row(method="DELETE", path=SET, need="editor", ok=204),
    Row(method="GET", path=f"{SET}/leaderboard", need="reader"),
    Row(method="GET", path=f"{SET}/download", need="reader", query="?format=latex"),
    Row(method="GET", path=f"{SET}/texts", need="reader", query="?format=tsv"),
    Row(method="GET", path=f"{SET}/systems", need="reader"),
    Row(method="GET", path=SYSTEM, need="reader"),
    Row(method="PATCH", path=SYSTEM, need="editor", body={"note": "n", "tags": ["t"]}),
    Row(method="DELETE", path=SYSTEM, need="editor", ok=204),
    Row(method="GET", path=f"{SYSTEM}/history", need="reader"),
    Row(
        method="POST",
        path=f"{SET}/outputs",
        need="editor",
        ok=201,
        files=lambda _: {"file": ("mine.txt", TEXT)},
        data={"system": "mine"},
    ),
    Row(
        method="POST",
        path=f"{SET}/preview",
        need="editor",
        files=lambda _: {"file": ("mine.txt", TEXT)},
        data={"system": "mine"},
    ),
    Row(method="GET", path=OUTPUT, need="reader"),
    Row(method="PATCH", path=OUTPUT, need="editor", body={"note": "n"}),
    Row(method="DELETE", path=OUTPUT, need="editor", ok=204),
    Row(method="GET", path=f"{OUTPUT}/text", need="reader"),
    Row(
        method="POST",
        path=f"{SET}/scores",
        need="editor",
        ok=201,
        files=lambda _: {"file": ("comet.txt", SCORES)},
        data={"system": "elm", "name": "COMET"},
    ),
    Row(method="GET", path=PAIR, need="reader", other=TWO),
    Row(method="GET", path=f"{PAIR}/words", need="reader", other=TWO),
    Row(method="GET", path=f"{SET}/browser", need="reader"),
    Row(method="GET", path=f"{SET}/segments", need="reader", query="?q=haus&order=gain"),
    # Nobody has asked for one yet.
    Row(method="GET", path=f"{SET}/audit", need="reader", ok=404),
    Row(method="POST", path=f"{SET}/audit", need="editor", ok=202, body={}),
    Row(method="POST", path=f"{SET}/report", need="editor", ok=202, body={}),
)
