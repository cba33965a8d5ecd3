"""Passwords and tokens: random, hashed at rest, compared in constant time."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from secrets import token_urlsafe
from threading import BoundedSemaphore
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from tertium.errors import OptionError
from tertium.plurals import counted
from tertium.serve.errors import TooOftenError

SHORTEST: Final = 10
LONGEST: Final = 1000
"""Characters of a password."""
HASHER = PasswordHasher()
"""Slow on purpose, and each hash takes 64 MiB."""
AT_ONCE: Final = 2
WAITING: Final = 16
"""Hashes that are made at the same time, and that wait for their turn; more are refused."""
_ADMITTED: Final = BoundedSemaphore(AT_ONCE + WAITING)
_RUNNING: Final = BoundedSemaphore(AT_ONCE)
BYTES: Final = 32
"""Random bytes of a token."""


def new_token() -> str:
    """A token that cannot be guessed."""
    return token_urlsafe(BYTES)


def token_hash(token: str) -> str:
    """What the store keeps of a token.

    Rows are found by this hash: how long the search takes tells nothing of the token itself.
    """
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def hash_password(password: str) -> str:
    """An Argon2 hash; a password that is too short is refused."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise OptionError(
            f"password: found {counted(len(password), 'character')}, expected {SHORTEST} to "
            f"{LONGEST}"
        )
    with _turn():
        return HASHER.hash(password)


def password_fits(password: str, hashed: str | None) -> bool:
    """Whether it is the password; takes as long where there is no such user."""
    try:
        with _turn():
            HASHER.verify(hashed if hashed is not None else _nobodys(), password[:LONGEST])
    except (VerifyMismatchError, InvalidHashError):
        return False
    return hashed is not None


@contextmanager
def _turn() -> Iterator[None]:
    """A place in the bounded pool: many guesses at once take neither all memory nor all threads."""
    if not _ADMITTED.acquire(blocking=False):
        raise TooOftenError("password: found too many checks at once; try again soon")
    try:
        with _RUNNING:
            yield
    finally:
        _ADMITTED.release()


@cache
def _nobodys() -> str:
    return HASHER.hash(new_token())
