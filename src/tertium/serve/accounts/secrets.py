"""Passwords and tokens: random, hashed at rest, compared in constant time."""

from functools import cache
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from tertium.errors import OptionError

SHORTEST: Final = 10
LONGEST: Final = 1000
"""Characters of a password."""
HASHER = PasswordHasher()
"""Slow on purpose."""
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
            f"password: found {len(password)} characters, expected {SHORTEST} to {LONGEST}"
        )
    return HASHER.hash(password)


def password_fits(password: str, hashed: str | None) -> bool:
    """Whether it is the password; takes as long where there is no such user."""
    try:
        HASHER.verify(hashed if hashed is not None else _nobodys(), password[:LONGEST])
    except (VerifyMismatchError, InvalidHashError):
        return False
    return hashed is not None


@cache
def _nobodys() -> str:
    return HASHER.hash(new_token())
