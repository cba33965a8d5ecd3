"""What a caller did wrong, in the words of the web: each error knows its status."""

from typing import ClassVar

from tertium.errors import TertiumError


class RequestError(TertiumError):
    """A request that cannot be fulfilled; the message says place, found, expected."""

    status: ClassVar[int] = 400


class UnknownCallerError(RequestError):
    """Nobody is logged in, or the password is wrong."""

    status = 401


class ForbiddenError(RequestError):
    """The caller may see this, but not change it."""

    status = 403


class NotFoundError(RequestError):
    """There is no such thing, or the caller may not know of it."""

    status = 404


class ConflictError(RequestError):
    """It clashes with what is in the store."""

    status = 409


class TooLargeError(RequestError):
    """More was sent than the server takes."""

    status = 413


class UnreadableError(RequestError):
    """A file by which the process that read it ended."""

    status = 422


class TooOftenError(RequestError):
    """More requests than the server takes in so short a time."""

    status = 429
