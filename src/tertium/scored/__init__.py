"""Systems on a corpus with the statistics of every metric, each computed once."""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.scored.scored import Scored as Scored
    from tertium.scored.scored import scored as scored
else:
    __getattr__, __dir__ = offered(__name__)
