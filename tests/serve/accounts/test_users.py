from dataclasses import replace

import pytest
from sqlalchemy import select

from tertium.errors import OptionError
from tertium.serve.accounts.callers import ANONYMOUS, LOCAL, Caller, place_of
from tertium.serve.accounts.log import entries
from tertium.serve.accounts.tokens import (
    HASHER,
    hash_password,
    make_token,
    new_token,
    password_fits,
    revoke_token,
    token_hash,
    tokens,
)
from tertium.serve.accounts.users import (
    add_user,
    any_users,
    begin_session,
    caller_of_cookie,
    caller_of_token,
    check_password,
    disable_user,
    end_session,
    log_in,
    members,
    remove_member,
    set_password,
    set_role,
    users,
)
from tertium.serve.errors import ConflictError, NotFoundError, UnknownCallerError
from tertium.serve.evaluation.projects import create_project
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import ApiToken, LoginSession, User

PASSWORD = "correct horse"


def add(store: Store, name: str = "ann", *, admin: bool = False) -> Caller:
    with store.writing() as session:
        if not any_users(session):
            add_user(session, "tests", "root", PASSWORD)
        user = add_user(session, "tests", name, PASSWORD, admin=admin)
    return Caller(actor=name, user_id=user.id, admin=admin)


def who(store: Store, token: str) -> Caller:
    with store.reading() as session:
        return caller_of_cookie(session, token)


def test_logging_in_and_out(store: Store) -> None:
    ann = add(store)
    token = log_in(store, "ann", PASSWORD)
    caller = who(store, token)
    assert caller.session_hash
    assert replace(caller, session_hash=None) == ann
    with store.writing() as session:
        end_session(session, token)
    assert who(store, token) == ANONYMOUS


@pytest.mark.parametrize(
    ("name", "password"),
    [("ann", "wrong horse"), ("bo", PASSWORD), ("", ""), ("ann", ""), ("ann", "x" * 5000)],
)
def test_wrong_names_and_passwords_are_told_alike(
    sqlite_store: Store, name: str, password: str
) -> None:
    add(sqlite_store)
    with pytest.raises(UnknownCallerError, match=r"^login: name or password is wrong$"):
        log_in(sqlite_store, name, password)


def test_a_disabled_account_lets_nobody_in(store: Store) -> None:
    ann = add(store)
    cookie = log_in(store, "ann", PASSWORD)
    assert ann.user_id is not None
    with store.writing() as session:
        token, _ = make_token(session, "ann", ann.user_id)
        disable_user(session, "tests", "ann")
    with store.reading() as session:
        assert caller_of_cookie(session, cookie) == ANONYMOUS
        assert caller_of_token(session, token) == ANONYMOUS
        assert [one.disabled for one in users(session)] == [True, False]
    with pytest.raises(UnknownCallerError):
        log_in(store, "ann", PASSWORD)
    with store.writing() as session:
        disable_user(session, "tests", "ann", disabled=False)
    assert check_password(store, "ann", PASSWORD) == ann.user_id
    assert who(store, cookie) == ANONYMOUS  # a login that was ended stays ended


def test_a_new_password_ends_all_logins(store: Store) -> None:
    add(store)
    token = log_in(store, "ann", PASSWORD)
    with store.writing() as session:
        set_password(session, "tests", "ann", "another one")
    assert who(store, token) == ANONYMOUS
    with pytest.raises(UnknownCallerError):
        log_in(store, "ann", PASSWORD)
    log_in(store, "ann", "another one")


def test_secrets_are_kept_as_hashes_only(sqlite_store: Store) -> None:
    ann = add(sqlite_store)
    cookie = log_in(sqlite_store, "ann", PASSWORD)
    with sqlite_store.writing() as session:
        token, _ = make_token(session, "ann", ann.user_id or 0)
    with sqlite_store.reading() as session:
        assert session.scalars(select(LoginSession.token_hash)).one() == token_hash(cookie)
        assert session.scalars(select(ApiToken.token_hash)).one() == token_hash(token)
        hashed = session.scalars(select(User.password_hash).where(User.name == "ann")).one()
    assert hashed.startswith("$argon2id$")
    sqlite_store.close()
    for path in sqlite_store.engine.url.database, f"{sqlite_store.engine.url.database}-wal":
        try:
            with open(str(path), "rb") as file:  # noqa: PTH123
                data = file.read()
        except FileNotFoundError:
            continue
        for secret in (cookie, token, PASSWORD):
            assert secret.encode() not in data


def test_sessions_and_tokens_expire(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = add(store)
    monkeypatch.setattr("tertium.serve.accounts.users.DAYS", -1)
    with store.writing() as session:
        assert ann.user_id is not None
        cookie = begin_session(session, user_id=ann.user_id)
    assert who(store, cookie) == ANONYMOUS
    with store.writing() as session:
        begin_session(session, user_id=ann.user_id)
        # What has expired is swept away by the next one.
        assert len(session.scalars(select(LoginSession)).all()) == 1


def test_tokens_of_programs(store: Store) -> None:
    ann, bo = add(store), add(store, "bo")
    assert ann.user_id is not None
    assert bo.user_id is not None
    with store.writing() as session:
        token, kept = make_token(session, "ann", ann.user_id, label="CI")
        found = caller_of_token(session, token)
        assert found == replace(ann, token_id=kept.id, scope="write")
        assert caller_of_cookie(session, token) == ANONYMOUS
        with pytest.raises(NotFoundError):
            revoke_token(session, "bo", bo.user_id, kept.id)
        assert revoke_token(session, "ann", ann.user_id, kept.id).revoked
        assert caller_of_token(session, token) == ANONYMOUS
        assert [one.label for one in tokens(session, ann.user_id)] == ["CI"]
        assert tokens(session, bo.user_id) == ()


def test_names_and_passwords_that_are_refused(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        assert not any_users(session)
        for name in ("", "a b", "a/b", "x" * 65, "a\n", "<b>", "a\x00"):
            with pytest.raises(OptionError, match="for a name"):
                add_user(session, "tests", name, PASSWORD)
        for password in ("", "short", "x" * 1001):
            with pytest.raises(OptionError, match=r"^password: found \d+ characters, expected 10"):
                add_user(session, "tests", "ann", password)
        add_user(session, "tests", "Ann.Müller@example-1_x", PASSWORD)
        add_user(session, "tests", "安娜", PASSWORD)
        with pytest.raises(ConflictError, match="exists already"):
            add_user(session, "tests", "安娜", PASSWORD)
        assert any_users(session)


def test_the_first_account_may_do_everything(store: Store) -> None:
    with store.writing() as session:
        assert add_user(session, "tests", "ann", PASSWORD).admin
        assert not add_user(session, "tests", "bo", PASSWORD).admin
        assert add_user(session, "tests", "cy", PASSWORD, admin=True).admin


def test_hashes_differ_and_fit() -> None:
    first, second = hash_password(PASSWORD), hash_password(PASSWORD)
    assert first != second
    assert password_fits(PASSWORD, first)
    assert not password_fits(PASSWORD, None)
    assert not password_fits(PASSWORD, "no hash at all")
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 43


def test_hashing_is_slow_for_whoever_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert HASHER.memory_cost >= 2**16  # kibibytes, as RFC 9106 recommends at least
    assert HASHER.time_cost >= 3


def test_roles_of_members(store: Store) -> None:
    ann, bo = add(store), add(store, "bo")
    with store.writing() as session:
        project = create_project(session, ann, "P")

        def role(caller: Caller) -> str | None:
            session.flush()
            place = place_of(session, caller, project.slug)
            return None if place is None else place[1]

        assert role(ann) == "owner"
        assert role(bo) is None
        assert role(LOCAL) == "owner"
        set_role(session, "ann", project.id, "bo", "rater")
        assert role(bo) == "rater"
        set_role(session, "ann", project.id, "bo", "editor")
        assert [(one.name, one.role) for one in members(session, project.id)] == [
            ("ann", "owner"),
            ("bo", "editor"),
        ]
        with pytest.raises(ConflictError, match="the only owner"):
            remove_member(session, "ann", project.id, "ann")
        with pytest.raises(ConflictError, match="the only owner"):
            set_role(session, "ann", project.id, "ann", "reader")
        set_role(session, "ann", project.id, "bo", "owner")
        remove_member(session, "bo", project.id, "ann")
        assert role(ann) is None
        with pytest.raises(NotFoundError):
            remove_member(session, "bo", project.id, "ann")
        with pytest.raises(NotFoundError):
            set_role(session, "bo", project.id, "nobody", "reader")
        done = [one.action for one in reversed(entries(session, project_id=project.id))]
    assert done == ["create project", "set role", "set role", "set role", "remove member"]
