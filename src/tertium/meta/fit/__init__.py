"""Parameters of metrics, chosen to agree with people.

The package can be called as its function is.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.meta.fit.fits import fit as fit
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "fit": "tertium.meta.fit.fits",
        },
        call="fit",
    )
