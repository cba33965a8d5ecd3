"""Things that are built once."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep

import pytest

from tertium.build_cache import BuildCache


def test_threads_that_ask_at_once_get_what_one_of_them_built() -> None:
    kept, built, start = BuildCache(), [], Barrier(4)

    def build() -> object:
        sleep(0.01)  # time for the others to ask
        built.append(object())
        return built[-1]

    def ask() -> object:
        start.wait()
        return kept("key", build)

    with ThreadPoolExecutor(4) as pool:
        found = [one.result() for one in [pool.submit(ask) for _ in range(4)]]
    assert len(built) == 1
    assert all(one is built[0] for one in found)


def test_what_is_built_may_ask_for_more() -> None:
    kept = BuildCache()
    assert kept("outer", lambda: kept("inner", lambda: 1) + 1) == 2
    assert kept("inner", lambda: 5) == 1


def test_a_failure_is_not_kept() -> None:
    kept = BuildCache()

    def fail() -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        kept("key", fail)
    assert kept("key", lambda: 3) == 3


def test_a_copy_builds_for_itself() -> None:
    kept = BuildCache()
    kept("key", lambda: 1)
    assert pickle.loads(pickle.dumps(kept))("key", lambda: 2) == 2  # noqa: S301 - made here
    assert copy.deepcopy(kept)("key", lambda: 2) == 2
