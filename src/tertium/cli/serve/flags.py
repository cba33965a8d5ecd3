"""The flag that every action has: which store."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint

if TYPE_CHECKING:
    from tertium.serve.store.connection import Store


DEFAULT: Final = "tertium.db"


def configure_store(add: Callable[..., Any]) -> None:
    """Declare ``--store``."""
    add(
        "--store",
        metavar="STORE",
        default=DEFAULT,
        help="a file of SQLite, or postgresql://USER@HOST/DATABASE (default: %(default)s)",
    )


@contextmanager
def opened(location: str) -> "Iterator[Store]":
    """The store, brought to the newest version and closed at the end."""
    try:
        from sqlalchemy.exc import DatabaseError

        from tertium.serve.store.connection import open_store
    except ImportError as error:
        raise MissingExtraError(
            f"serve: package '{error.name}' is not installed; {install_hint('serve')}"
        ) from None
    store = open_store(location)
    try:
        yield store
    except DatabaseError as error:  # a disk that fails or is full, a database that is away
        reason = str(error.orig).strip().partition("\n")[0]
        raise InputError(
            f"store {store.name}: {reason}, expected to read and write it; nothing was changed"
        ) from None
    finally:
        store.close()
