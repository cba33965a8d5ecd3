import json
import logging

import pytest

from tertium.serve.server import JsonLines
from tests.support.serve.site import Site

SECRET = "Ein geheimer Satz"


def test_requests_and_rows_are_counted(any_site: Site) -> None:
    admin = any_site.client("admin")
    admin.get("/api/v1/projects/own")
    admin.get("/api/v1/projects/foreign")
    admin.post("/api/v1/projects", json={"name": "Third"})
    admin.get("/l/some-token")
    text = admin.get("/metrics").text
    route = 'route="/api/v1/projects/{project}"'
    assert f'tertium_requests_total{{method="GET",{route},status="200"}}' in text
    assert 'route="/l/{token}",status="404"' in text
    assert "some-token" not in text
    assert 'tertium_jobs{state="done"} 2.0' in text
    assert 'tertium_stored{kind="projects"} 3.0' in text


def test_logs_say_who_asked_for_what_and_no_more(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tertium.serve")
    owner = site.client("owner")
    owner.post("/api/v1/projects", json={"name": SECRET, "note": SECRET})
    owner.get("/l/some-token?x=some-query")
    owner.request("BREW", "/api/v1/projects")
    lines = [json.loads(JsonLines().format(one)) for one in caplog.records]
    requests = [one for one in lines if one["logger"] == "tertium.serve.requests"]
    made, link, brewed = requests
    assert (made["method"], made["route"], made["status"], made["caller"]) == (
        "POST",
        "/api/v1/projects",
        201,
        "owner",
    )
    assert (link["route"], brewed["method"]) == ("/l/{token}", "other")
    assert made["milliseconds"] > 0
    for secret in (SECRET, "some-token", "some-query", *site.world.cookies.values()):
        if secret:
            assert secret not in json.dumps(lines, ensure_ascii=False)


def test_an_error_in_the_log_has_its_place() -> None:
    error = ZeroDivisionError("by hand")
    record = logging.getLogger("x").makeRecord(
        "x", logging.ERROR, "file", 1, "it %s", ("failed",), (type(error), error, None)
    )
    line = json.loads(JsonLines().format(record))
    assert (line["level"], line["message"]) == ("error", "it failed")
    assert "ZeroDivisionError" in line["error"]
