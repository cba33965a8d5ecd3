"""`tertium push` and `tertium.client` against a server that listens on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from tertium.client import Client, ServerError
from tertium.errors import InputError, OptionError
from tertium.serve.accounts.tokens import make_token
from tertium.serve.accounts.users import add_user
from tertium.serve.store.connection import open_store
from tests.support.commands import error, output
from tests.support.serve.evaluations import BETTER, REFERENCE, SOURCE, WORSE
from tests.support.serve.processes import Running, served

pytestmark = pytest.mark.slow

PLACE = "newsroom/news"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("push")
    texts = {"ref.en": REFERENCE, "src.de": SOURCE, "better.en": BETTER, "worse.en": WORSE}
    for name, text in texts.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def token(folder: Path) -> str:
    store = open_store(folder / "team.db")
    with store.writing() as session:
        ann = add_user(session, "test", "ann", "a long password")
        made = make_token(session, "ann", ann.id)[0]
    store.close()
    return made


@pytest.fixture(scope="module")
def server(folder: Path, token: str) -> Iterator[Running]:
    with served(folder, "--store", str(folder / "team.db")) as running:
        client = Client(running.address, token=token)
        client.create_project("Newsroom")
        made = client.create_test_set(
            "newsroom",
            "News",
            [folder / "ref.en"],
            sources=folder / "src.de",
            metrics=["bleu", "chrf"],
            licence="CC0",
        )
        assert (made["segments"], made["has_sources"]) == (12, True)
        yield running


@pytest.fixture
def client(server: Running, token: str) -> Client:
    return Client(server.address, token=token)


def test_push_prints_scores_and_the_place(
    server: Running,
    folder: Path,
    token: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TERTIUM_TOKEN", token)
    words = ["push", server.address, PLACE, "--system", "first", str(folder / "worse.en")]
    first, *_, last = output(capsys, *words).splitlines()
    assert first.startswith("first #1  BLEU ")
    assert last == f"{server.address.rstrip('/')}/projects/newsroom/test-sets/news"
    second = json.loads(
        output(capsys, *words, "--note", "step 2", "--tag", "nightly", "-f", "json")
    )
    (sent,) = second["outputs"]
    assert (sent["number"], sent["note"], sent["tags"]) == (2, "step 2", ["nightly"])
    assert second["leaderboard"]["entries"]
    (folder / "token").write_text(f"{token}\n", encoding="utf-8")
    (folder / "token").chmod(0o600)
    monkeypatch.delenv("TERTIUM_TOKEN")
    keyed = [*words, "--key", "run-7", "--token-file", str(folder / "token")]
    assert "first #3" in output(capsys, *keyed)
    assert "first #3" in output(capsys, *keyed)  # a build that is run again


def test_what_goes_wrong_is_one_line(
    server: Running,
    folder: Path,
    token: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("TERTIUM_TOKEN", raising=False)
    file = str(folder / "better.en")
    address = server.address.rstrip("/")
    assert error(capsys, "push", address, PLACE, file).startswith(
        f"tertium: {address}: login: found none, expected a login, a token or a link"
    )
    monkeypatch.setenv("TERTIUM_TOKEN", token)
    (folder / "short.en").write_text("one\n", encoding="utf-8")
    assert error(capsys, "push", address, PLACE, str(folder / "short.en")) == (
        f"tertium: {address}: short.en: 1 segment, expected 12 (test set news)"
    )
    assert "found nothing here" in error(capsys, "push", address, "other/news", file)
    assert "test set no: found none" in error(capsys, "push", address, "newsroom/no", file)
    assert "expected PROJECT/TEST-SET" in error(capsys, "push", address, "newsroom", file)
    assert "found no file, expected one to send" in error(
        capsys, "push", address, PLACE, "/no/such"
    )
    assert "expected a file with a token" in error(
        capsys, "push", address, PLACE, file, "--token-file", str(folder / "no token")
    )


def test_a_client_does_it_all(client: Client, folder: Path) -> None:
    sent = client.push("newsroom", "news", WORSE.splitlines(), system="a", tags=["x"])
    again = client.push("newsroom", "news", folder / "better.en", system="b <b>&")
    assert sent["outputs"][0]["tags"] == ["x"]
    ids = [one["outputs"][0]["id"] for one in (sent, again)]
    verdict = client.compare("newsroom", "news", *ids)
    assert verdict["systems"][1]["verdict"] == "scores higher"
    assert client.search("newsroom", "news", "katze", limit=1)["found"] == 4
    assert {one["name"] for one in client.systems("newsroom", "news")} >= {"a", "b <b>&"}
    scores = folder / "COMET.txt"
    scores.write_text("".join(f"{i / 12}\n" for i in range(12)), encoding="utf-8")
    kept = client.push_scores("newsroom", "news", scores, name="COMET", system="a")
    assert kept["systems"] == ["a"]
    assert client.audit("newsroom", "news")["audit"]["audits"]
    assert client.report("newsroom", "news").startswith(b"<!doctype html>")
    assert [one["slug"] for one in client.projects()] == ["newsroom"]
    assert [one["slug"] for one in client.test_sets("newsroom")] == ["news"]


def test_a_key_makes_one_output(client: Client) -> None:
    lines = BETTER.splitlines()
    first = client.push("newsroom", "news", lines, system="keyed", key="step-1000")
    assert client.push("newsroom", "news", lines, system="keyed", key="step-1000") == first
    with pytest.raises(ServerError, match="Idempotency-Key: found another request") as caught:
        client.push("newsroom", "news", WORSE.splitlines(), system="keyed", key="step-1000")
    assert caught.value.status == 409


def test_a_client_refuses_what_is_unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TERTIUM_TOKEN", raising=False)
    assert Client("http://example.org").token is None
    with pytest.raises(OptionError, match=r"everybody on the way could read, expected https"):
        Client("http://example.org", token="secret")
    assert "secret" not in repr(Client("https://example.org", token="secret"))
    for address in ("file:///etc/passwd", "ftp://x", "example.org", ""):
        with pytest.raises(OptionError, match="address: found"):
            Client(address)
    with pytest.raises(OptionError, match="system: found none beside a list"):
        Client("http://127.0.0.1:1").push("p", "t", ["a"])
    with pytest.raises(InputError, match="found no file"):
        Client("http://127.0.0.1:1").push("p", "t", "/no/such/file")
    with pytest.raises(ServerError, match=r"found nobody \(.*\), expected a server"):
        Client("http://127.0.0.1:1").projects()
