"""Decisions by expected utility (minimum Bayes risk).

The package can be called as its function is.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.decode.mbr.lists import mbr as mbr
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "mbr": "tertium.decode.mbr.lists",
        },
        call="mbr",
    )
