"""Work on many partitions by a cluster of Dask: a map, and an exact sum.

Every partition is read and worked on by one worker; what comes back is small. The results are
those of one run over all partitions, to the last bit.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.scale.engine.choices import best_of_partitions as best_of_partitions
    from tertium.scale.engine.choices import mbr_partitions as mbr_partitions
    from tertium.scale.engine.cluster import Cluster as Cluster
    from tertium.scale.engine.partitions import PartitionedCorpus as PartitionedCorpus
    from tertium.scale.engine.partitions import PartitionedLists as PartitionedLists
    from tertium.scale.engine.score import score_partitions as score_partitions
    from tertium.scale.engine.score import scored_partitions as scored_partitions
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "best_of_partitions": "tertium.scale.engine.choices",
            "mbr_partitions": "tertium.scale.engine.choices",
            "Cluster": "tertium.scale.engine.cluster",
            "PartitionedCorpus": "tertium.scale.engine.partitions",
            "PartitionedLists": "tertium.scale.engine.partitions",
            "score_partitions": "tertium.scale.engine.score",
            "scored_partitions": "tertium.scale.engine.score",
        },
    )
