"""The same numbers from many machines: parts of a corpus, scored anywhere, put together."""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.scale.filters import Filtered as Filtered
    from tertium.scale.filters import filter_pairs as filter_pairs
    from tertium.scale.merge import merge as merge
    from tertium.scale.training_runs import Followed as Followed
    from tertium.scale.training_runs import Follower as Follower
    from tertium.scale.training_runs import follow as follow
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "Filtered": "tertium.scale.filters",
            "filter_pairs": "tertium.scale.filters",
            "merge": "tertium.scale.merge",
            "Followed": "tertium.scale.training_runs",
            "Follower": "tertium.scale.training_runs",
            "follow": "tertium.scale.training_runs",
        },
    )
