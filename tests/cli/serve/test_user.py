import io
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'serve' is not installed")

from tertium.serve.accounts.users import check_password
from tertium.serve.errors import UnknownCallerError
from tertium.serve.store.connection import open_store
from tests.support.commands import error, output

PASSWORD = "correct horse"


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "team.db")


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_an_account_from_beginning_to_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def user(*words: str) -> str:
        return output(capsys, "serve", "user", *words, "--store", place)

    typed(monkeypatch, f"{PASSWORD}\nnot this\n")
    assert user("add", "ann", "--admin") == "ann: added\n"
    typed(monkeypatch, f"{PASSWORD}\r\n")
    assert user("add", "bo") == "bo: added\n"
    first, second = user("list").splitlines()
    assert first.startswith("ann\t20")
    assert first.endswith("\tadmin")
    assert second.count("\t") == 1
    store = open_store(place)
    assert check_password(store, "ann", PASSWORD) == check_password(store, "bo", PASSWORD) - 1
    typed(monkeypatch, "another one\n")
    assert user("password", "bo") == "bo: has a new password\n"
    check_password(store, "bo", "another one")
    assert user("disable", "bo") == "bo: disabled\n"
    assert user("list").endswith("\tdisabled\n")
    with pytest.raises(UnknownCallerError):
        check_password(store, "bo", "another one")
    assert user("enable", "bo") == "bo: enabled\n"
    check_password(store, "bo", "another one")
    store.close()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["add"], "user add: expected a name after it"),
        (["list", "ann"], "user list: expected no name after it"),
        (["list", "--admin"], "--admin: found with list, expected with add"),
        (["disable", "nobody"], "user 'nobody': found none of this name"),
        (["add", "a b"], "expected 1 to 64 letters, digits"),
        (["add", "ann"], "password: found 5 characters, expected 10 to 1000"),
        (["remove", "ann"], "invalid choice: 'remove'"),
    ],
)
def test_what_is_refused(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    words: list[str],
    message: str,
) -> None:
    typed(monkeypatch, "short\n" if words == ["add", "ann"] else f"{PASSWORD}\n")
    assert message in error(capsys, "serve", "user", *words, "--store", place)


def test_a_terminal_is_asked_twice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal())
    answers = iter([PASSWORD, "wrong horse", PASSWORD, PASSWORD])
    monkeypatch.setattr("getpass.getpass", lambda _prompt: next(answers))
    assert "found two that differ" in error(capsys, "serve", "user", "add", "ann", "--store", place)
    assert output(capsys, "serve", "user", "add", "ann", "--store", place) == "ann: added\n"
