"""The best that a structure holds, by a metric that its arcs can carry.

The package can be called as its function is.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.decode.oracle.oracles import oracle as oracle
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "oracle": "tertium.decode.oracle.oracles",
        },
        call="oracle",
    )
