"""`tertium serve` as a process: address, limits, stop."""

import json
import signal
import socket
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from tertium.serve.accounts.users import add_user
from tertium.serve.queue import enqueue
from tertium.serve.store.connection import open_store
from tertium.serve.store.schema import Project
from tests.support.commands import error, output, process, ran
from tests.support.serve.processes import served

QUICK = ("--workers", "0")


def fetched(address: str) -> str:
    with urllib.request.urlopen(address, timeout=600) as answer:  # noqa: S310
        text: str = answer.read().decode()
    return text


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_starts_answers_and_stops(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path, "--store", str(tmp_path / "team.db"), *QUICK) as server:
        assert fetched(f"{server.address}health") == "ok\n"
        assert "No projects yet" in fetched(server.address)
        server.process.send_signal(number)
        assert server.process.wait() == 0
    for line in server.log.read_text(encoding="utf-8").splitlines():
        assert json.loads(line)["level"] == "info"


@pytest.fixture
def job(tmp_path: Path) -> int:
    """A job that waits in ``team.db``, and fails as soon as a worker takes it."""
    store = open_store(tmp_path / "team.db")
    with store.writing() as session:
        session.add(Project(id=1, slug="p", name="P"))
        session.flush()
        number = enqueue(session, "ann", "no such kind", {}, project_id=1).id
    store.close()
    return number


@pytest.mark.slow
def test_a_server_has_workers(tmp_path: Path, job: int) -> None:
    with served(tmp_path, "--store", str(tmp_path / "team.db")) as server:
        place = f"{server.address}api/v1/projects/p/jobs/{job}"
        events = fetched(f"{place}/events").split("\n\n")
        assert json.loads(events[-2].removeprefix("data: "))["state"] == "failed"
        assert json.loads(fetched(place))["attempts"] == 1
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait() == 0


@pytest.mark.slow
def test_a_stop_does_not_wait_for_who_follows_a_job(tmp_path: Path, job: int) -> None:
    with served(tmp_path, "--store", str(tmp_path / "team.db"), *QUICK) as server:
        place = f"{server.address}api/v1/projects/p/jobs/{job}/events"
        with urllib.request.urlopen(place, timeout=600) as stream:  # noqa: S310
            assert b'"queued"' in stream.readline()
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait() == 0
            assert b"queued" not in stream.read()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])  # noqa: S104
def test_others_reach_no_server_without_accounts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, host: str
) -> None:
    place = str(tmp_path / "team.db")
    said = error(capsys, "serve", "--store", place, "--host", host, "--port", "0")
    assert said == (
        f"tertium: host {host}: found no accounts in {place}, expected one before others can reach "
        "the server; add it by 'tertium serve user add NAME --admin'"
    )


def test_a_proxy_lets_nobody_in_without_accounts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Whoever comes by it would be on loopback."""
    said = error(capsys, "serve", "--store", str(tmp_path / "a.db"), "--secure", "--port", "0")
    assert said.startswith("tertium: --secure: found no accounts in ")


@pytest.mark.slow
def test_with_an_account_everybody_logs_in(tmp_path: Path) -> None:
    store = open_store(tmp_path / "team.db")
    with store.writing() as session:
        add_user(session, "tests", "ann", "correct horse")
    store.close()
    flags = ("--store", str(tmp_path / "team.db"), "--host", "0.0.0.0", *QUICK)  # noqa: S104
    with served(tmp_path, *flags) as server:
        address = server.address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        assert "Log in" in fetched(address)
        with pytest.raises(HTTPError, match="401"):
            fetched(f"{address}api/v1/projects")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--port", "65536"], "--port: found 65536, expected 0 to 65535"),
        (["--port", "-1"], "--port: found -1, expected 0 to 65535"),
        (["--workers", "-1"], "--workers: found -1, expected 0 or more"),
        (["--upload-limit", "0"], "--upload-limit: found 0, expected 1 or more"),
        (["--store", "mysql://x"], "expected a file, sqlite:///FILE or postgresql://…"),
        (["--store", "none/team.db"], "found no folder none, expected one"),
        (["--hots", "x"], "did you mean '--host'?"),
        (["usr"], "did you mean 'user'?"),
    ],
)
def test_what_is_refused(
    capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    assert message in error(capsys, "serve", *flags)


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = error(capsys, "serve", "--store", str(tmp_path / "a.db"), "--port", port)
    assert said.startswith(f"tertium: 127.0.0.1:{port}: cannot be listened at: ")


def test_backup_restore_and_check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, copy, second = (str(tmp_path / name) for name in ("a.db", "copy.db", "b.db"))
    store = open_store(first)
    with store.writing() as session:
        session.add(Project(slug="p", name="P"))
    store.close()
    assert (
        output(capsys, "serve", "backup", copy, "--store", first) == f"{copy}: 1 row of {first}\n"
    )
    said = output(capsys, "serve", "restore", copy, "--store", second)
    assert said == f"{second}: 1 row of {copy}\n"
    assert output(capsys, "serve", "check", "--store", second) == (
        f"{second}: 1 row, nothing wrong\n"
    )
    damaged = open_store(second)
    with damaged.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO text (sha256, lines, data) VALUES ('x', 1, x'00')")
    damaged.close()
    outcome = ran(capsys, "serve", "check", "--store", second, "-f", "json")
    assert outcome.status == 1
    shown = json.loads(outcome.out)
    assert list(shown) == ["version", "store", "clean", "rows", "problems"]
    assert (shown["clean"], shown["rows"]["project"]) == (False, 1)
    problems = shown["problems"]
    assert len(problems) == 1
    assert problems[0].startswith("text 1: cannot be read")
    said = error(capsys, "serve", "restore", copy, "--store", second)
    assert "expected an empty store" in said


@pytest.mark.slow
def test_help_needs_none_of_the_packages() -> None:
    """Whoever looks at the help has not installed the extra yet."""
    program = (
        "import sys; from tertium.cli.main import main\n"
        "try: main(['serve', *sys.argv[1:]])\nexcept SystemExit: pass\n"
        "heavy = {'fastapi', 'sqlalchemy', 'alembic', 'uvicorn', 'numpy', 'argon2'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    from tests.support.commands import python

    for words in (["--help"], ["user", "--help"], ["backup", "--help"], ["check", "--help"]):
        done = python("-c", program, *words)
        assert done.status == 0, done.err
        assert "examples:" in done.out
    assert process("--help").out.count("serve") >= 1
