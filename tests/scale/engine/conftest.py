"""A cluster that several tests share: its start takes seconds."""

from collections.abc import Iterator

import pytest

from tests.support.scale.partitions import dask_cluster


@pytest.fixture(scope="session")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster.address
