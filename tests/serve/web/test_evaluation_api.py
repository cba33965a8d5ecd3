"""The API of evaluation as programs use it."""

import json
from typing import Any

import pytest
from sqlalchemy import event

from tertium.serve.workers import work_once
from tertium.text.files import TextFile
from tertium.text.formats.formulas import is_formula
from tertium.text.named_rows import named_rows
from tests.support.serve.evaluations import BETTER, DOCUMENTS, REFERENCE, SECOND, SOURCE, WORSE
from tests.support.serve.site import Site

SETS = "/api/v1/projects/own/test-sets"
SET = f"{SETS}/news-2026"


def filled(site: Site) -> None:
    """A test set with two systems, one of which has two outputs."""
    client = site.client("editor")
    made = client.post(
        SETS,
        data={"name": "News 2026", "metrics": "bleu, chrf ter", "licence": "CC0"},
        files=[
            ("references", ("one.txt", REFERENCE)),
            ("references", ("two.txt", SECOND)),
            ("sources", ("source.txt", SOURCE)),
            ("documents", ("docs.tsv", DOCUMENTS)),
        ],
    )
    assert made.status_code == 201, made.text
    for system, text in (("worse", WORSE), ("better", WORSE), ("better", BETTER)):
        sent = client.post(
            f"{SET}/outputs", data={"system": system}, files={"file": ("o.txt", text)}
        )
        assert sent.status_code == 201, sent.text
        assert sent.json()["job"] is None


def test_from_upload_to_verdict(any_site: Site) -> None:
    filled(any_site)
    client = any_site.client("reader")
    board = client.get(f"{SET}/leaderboard").json()
    assert [one["name"] for one in board["entries"]] == ["better", "worse"]
    assert board["entries"][0]["output"]["number"] == 2
    assert "better" in board["headline"]
    ids = {one["name"]: one["output"]["id"] for one in board["entries"]}
    pair = f"{SET}/comparison/{ids['worse']}/{ids['better']}"
    found = client.get(pair).json()
    assert found["baseline"] == "worse"
    assert found["systems"][1]["sentence"].startswith("better")
    words = client.get(f"{pair}/words").json()
    assert words["words"]["gained"]
    system = board["entries"][0]["output"]["system_id"]
    history = client.get(f"{SET}/systems/{system}/history").json()
    assert [one["number"] for one in history[0]["points"]] == [1, 2]
    page = client.get(f"{SET}/segments", params={"q": "KATZE", "limit": 1}).json()
    assert (page["found"], len(page["segments"])) == (4, 1)
    browser = client.get(f"{SET}/browser", params={"outputs": list(ids.values())}).json()
    assert len(browser["hypotheses"]) == 12


def test_a_preview_says_what_a_file_would_be_read_as(any_site: Site) -> None:
    filled(any_site)
    client = any_site.client("editor")

    def seen(name: str, text: str, **data: object) -> dict[str, Any]:
        answer = client.post(f"{SET}/preview", data=data, files={"file": (name, text)})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    plain = seen("new.txt", BETTER.upper())
    assert (plain["format"], plain["segments"], plain["columns"]) == ("text", 12, [])
    assert plain["systems"] == [
        {
            "name": "new",
            "example": BETTER.upper().splitlines()[0],
            "identical": None,
            "newest": False,
        }
    ]
    (same,) = seen("better.txt", BETTER)["systems"]
    assert (same["identical"], same["newest"]) == ("better #2", True)
    (old,) = seen("x.txt", WORSE, system="better")["systems"]
    assert (old["identical"], old["newest"]) == ("better #1", False)
    table = "a\tb\n" + "".join(f"{i}\tline {i}\n" for i in range(12))
    unknown = seen("t.tsv", table)
    assert unknown["systems"] == []
    assert unknown["problem"].startswith("t.tsv: found a, b, expected")
    assert unknown["columns"] == [
        {"name": "a", "role": "", "example": "0"},
        {"name": "b", "role": "", "example": "line 0"},
    ]
    chosen = seen("t.tsv", table, column="b")
    assert (chosen["problem"], chosen["systems"][0]["name"]) == ("", "t")
    assert chosen["columns"][1]["role"] == "hypothesis"
    assert seen("t.tsv", table, column="c")["problem"].startswith("t.tsv: no column 'c'")
    assert "expected 12" in seen("short.txt", "one line\n")["problem"]
    assert len(client.get(f"{SET}/systems").json()) == 2  # nothing was kept
    sent = client.post(f"{SET}/outputs", data={"column": "b"}, files={"file": ("t.tsv", table)})
    assert [one["system"] for one in sent.json()["outputs"]] == ["t"]
    assert sent.json()["identical"] == [None]
    again = client.post(f"{SET}/outputs", data={"system": "z"}, files={"file": ("o", BETTER)})
    assert again.json()["identical"] == ["better #2"]


def test_a_table_that_names_its_segments_is_joined_by_them(any_site: Site) -> None:
    client = any_site.client("editor")
    rows = [{"id": f"s{i}", "reference": f"line {i}"} for i in range(3)]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    made = client.post(SETS, data={"name": "Keyed"}, files={"references": ("r.jsonl", text)})
    assert made.status_code == 201, made.text
    output = "".join(json.dumps({"id": f"s{i}", "mt": f"line {i} !"}) + "\n" for i in (2, 0, 1))
    found = client.post(f"{SETS}/keyed/preview", files={"file": ("o.jsonl", output)}).json()
    assert found["joined"] == "id"
    assert found["description"].endswith("2 columns · 3 segments joined by id")
    assert found["systems"][0]["example"] == "line 0 !"


def test_downloads_can_be_read_again(any_site: Site) -> None:
    filled(any_site)
    client = any_site.client("reader")
    lines = client.get(f"{SET}/texts").text.splitlines()
    first = json.loads(lines[0])
    assert first["hypothesis:better"] == BETTER.splitlines()[0]
    again = any_site.client("editor").post(
        SETS, data={"name": "Again"}, files={"references": ("t.jsonl", "\n".join(lines))}
    )
    assert again.json()["segments"] == 12
    assert again.json()["references"] == ["reference 1", "reference 2"]
    assert client.get(f"{SET}/download?format=json").json()["baseline"] == "worse"
    assert r"\begin{tabular}" in client.get(f"{SET}/download?format=latex").text
    tsv = client.get(f"{SET}/download?format=tsv")
    assert tsv.text.startswith("slice\t") or "\t" in tsv.text
    assert tsv.headers["content-disposition"] == 'attachment; filename="news-2026.tsv"'


def test_texts_that_spreadsheets_would_run_are_text_and_come_back(any_site: Site) -> None:
    client = any_site.client("editor")
    texts = ["=HYPERLINK(1)", "- Ja.", "-3", "plain", '"@x"', "'=y"]
    sent = "".join(f"{text}\n" for text in texts)
    made = client.post(SETS, data={"name": "Run"}, files={"references": ("r.txt", sent)})
    assert made.status_code == 201, made.text
    address = f"{SETS}/{made.json()['slug']}"
    client.post(f"{address}/outputs", data={"system": "=SUM(1)"}, files={"file": ("h.txt", sent)})
    client.post(f"{address}/outputs", data={"system": "b"}, files={"file": ("h.txt", "a\n" * 6)})
    table = client.get(f"{address}/texts?format=tsv").text
    cells = [cell for line in table.splitlines() for cell in line.split("\t")]
    assert "'=HYPERLINK(1)" in cells
    assert not [cell for cell in cells if is_formula(cell) and not cell.startswith("'")]
    rows = named_rows(TextFile("t.tsv", data=table.encode()), "tsv").rows
    assert [row["reference"] for _, row in rows] == texts
    again = client.post(SETS, data={"name": "Again"}, files={"references": ("t.tsv", table)})
    lines = client.get(f"{SETS}/{again.json()['slug']}/texts").text.splitlines()
    assert [json.loads(line)["reference"] for line in lines] == texts
    compared = client.get(f"{address}/download?format=tsv").text
    assert "\t'=SUM(1)\t" in compared or "\n'=SUM(1)\t" in compared


def test_scores_that_others_computed(any_site: Site) -> None:
    filled(any_site)
    client = any_site.client("editor")
    scores = "".join(f"{name}\t{i / 10}\n" for name in ("better", "worse") for i in range(12))
    sent = client.post(f"{SET}/scores", files={"file": ("COMET-refA.seg.score", scores)})
    assert sent.status_code == 201, sent.text
    assert sent.json() == {
        "systems": ["worse", "better"],
        "metrics": ["scores[name=COMET,higher=yes]"],
    }
    board = client.get(f"{SET}/leaderboard").json()
    assert [one["title"] for one in board["metrics"]][-1] == "COMET"
    few = client.post(
        f"{SET}/scores", data={"system": "better", "name": "x"}, files={"file": ("x", "1\n2\n")}
    )
    assert few.status_code == 400
    assert few.json()["error"] == "x: 2 scores of better, expected 12 (reference News 2026)"


def test_audits_and_reports_are_jobs(any_site: Site) -> None:
    filled(any_site)
    client = any_site.client("editor")
    asked = client.post(f"{SET}/audit", json={})
    assert asked.status_code == 202
    assert client.get(f"{SET}/audit").status_code == 404
    assert client.post(f"{SET}/report", json={}).status_code == 202
    while work_once(any_site.store, "worker"):
        pass
    jobs = client.get("/api/v1/projects/own/jobs").json()
    done = {one["kind"]: one for one in jobs if one["kind"] in {"audit", "report"}}
    assert {one["state"] for one in done.values()} == {"done"}, done
    found = client.get(f"{SET}/audit").json()
    assert found["audit"]["audits"]
    page = client.get(f"/api/v1/projects/own/jobs/{done['report']['id']}/file")
    assert page.text.startswith("<!doctype html>")
    board = client.get(f"{SET}/leaderboard").json()
    ids = [one["output"]["id"] for one in board["entries"]]
    pair = client.get(f"{SET}/comparison/{ids[1]}/{ids[0]}").json()
    assert pair["audits"]


def test_pages_do_not_read_the_files_of_reports(site: Site) -> None:
    filled(site)
    client = site.client("editor")
    client.post(f"{SET}/report", json={})
    client.post(f"{SET}/audit", json={})
    while work_once(site.store, "worker"):
        pass
    read: list[str] = []

    def note(*words: Any) -> None:
        read.append(words[2])

    event.listen(site.store.engine, "before_cursor_execute", note)
    pages = [
        client.get(path) for path in ("/projects/own/test-sets/news-2026", "/projects/own/jobs")
    ]
    assert [page.status_code for page in pages] == [200, 200]
    assert "FROM job" in " ".join(read).replace("\n", " ")
    assert not [statement for statement in read if "result_file" in statement]


def test_a_new_metric_is_scored_by_a_job(any_site: Site) -> None:
    filled(any_site)
    client = any_site.client("editor")
    changed = client.patch(SET, json={"metrics": ["bleu", "nist"]})
    assert changed.json()["metrics"] == ["bleu", "nist"]
    assert client.get(f"{SET}/leaderboard").json()["waiting"] == ["nist"]
    while work_once(any_site.store, "worker"):
        pass
    board = client.get(f"{SET}/leaderboard").json()
    assert (board["waiting"], len(board["metrics"])) == ([], 2)


@pytest.mark.parametrize(
    ("files", "data", "status", "sentence"),
    [
        ({"file": ("o.txt", "a\nb\n")}, {}, 400, "o.txt: 2 segments, expected 12 (test set news"),
        ({"file": ("o.txt", b"\xff\n")}, {}, 400, "o.txt:1: invalid UTF-8, expected UTF-8 text"),
        ({"file": ("o.zip", b"PK\x03\x04")}, {}, 400, "o.zip: a damaged ZIP archive, exp"),
        ({"file": ("o.txt", "a\n" * 12)}, {"format": "exel"}, 400, "unknown format 'exel'"),
        ({"file": ("o.txt", "\n" * 12)}, {}, 400, "o.txt: no text of o, expected some"),
        ({"file": ("o.txt", "")}, {}, 400, "o.txt: empty, expected text"),
        ({"file": ("o.txt", "a\n" * 12)}, {"system": "x\0"}, 422, "body.system:"),
        ({"file": ("o.tsv", "hypothesis:a\thypothesis:b\n" + "x\ty\n" * 12)}, {"system": "m"},
         400, "o.tsv: 2 systems (a, b), expected one, m"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_is_stored(
    site: Site, files: dict[str, object], data: dict[str, str], status: int, sentence: str
) -> None:
    filled(site)
    client = site.client("editor")
    before = client.get(f"{SET}/systems").json()
    answer = client.post(f"{SET}/outputs", data=data, files=files)  # type: ignore[arg-type]
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].startswith(sentence), answer.text
    assert client.get(f"{SET}/systems").json() == before


def test_a_key_makes_one_output_of_two_requests(any_site: Site) -> None:
    filled(any_site)
    client = any_site.client("editor")

    def send(text: str) -> tuple[int, object]:
        answer = client.post(
            f"{SET}/outputs",
            data={"system": "new"},
            files={"file": ("o.txt", text)},
            headers={
                "idempotency-key": "run-7-step-1000",
                "content-type": "multipart/form-data; boundary=b",
            },
        )
        return answer.status_code, answer.json()

    first = send(BETTER)
    assert first[0] == 201
    assert send(BETTER) == first
    assert send(WORSE)[0] == 409
    found = client.get(f"{SET}/systems").json()
    assert [len(one["outputs"]) for one in found if one["name"] == "new"] == [1]


def test_why_this_score(site: Site) -> None:
    client = site.client("reader")
    body = {"hypothesis": "the <b>cat", "references": ["the cat"], "metrics": ["ter", "bleu"]}
    found = client.post("/api/v1/projects/own/explain", json=body).json()
    assert [one["title"] for one in found] == ["TER", "BLEU"]
    for metric in ("scores[file=/etc/passwd]", "command[run=id]", "bleu[tokenizer=spm[/x]]"):
        refused = client.post("/api/v1/projects/own/explain", json={**body, "metrics": [metric]})
        assert refused.status_code == 400


def test_what_takes_long_is_scored_by_a_job(
    any_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(any_site)
    monkeypatch.setattr("tertium.serve.evaluation.scoring.AT_ONCE", 1)
    client = any_site.client("editor")
    sent = client.post(f"{SET}/outputs", data={"system": "n"}, files={"file": ("o.txt", BETTER)})
    assert sent.status_code == 201
    job = sent.json()["job"]
    assert client.get(f"{SET}/leaderboard").json()["waiting"] == ["bleu", "chrf", "ter"]
    page = client.get("/projects/own/test-sets/news-2026").text
    assert "being computed" in page
    compare = client.get("/projects/own/test-sets/news-2026/compare")
    assert compare.status_code == 200
    while work_once(any_site.store, "worker"):
        pass
    assert client.get(f"/api/v1/projects/own/jobs/{job}").json()["result"]["scored"] == 1
    board = client.get(f"{SET}/leaderboard").json()
    assert (board["waiting"], len(board["entries"])) == ([], 3)
