"""Memory goes back to the machine."""

import platform

import pytest

from tertium.serve.memory import resident_memory
from tests.support.commands import printed

PROGRAM = """
import threading
from tertium.serve.memory import limit_arenas, release_memory, resident_memory

if {limited}:
    limit_arenas()
kept, done, hold = [], threading.Barrier(9), threading.Event()


def work():
    pieces = [bytearray(b"x") * 60_000 for _ in range(400)]  # below the size that glibc maps
    kept.append(pieces[-1])  # the arena's end, which is why its rest does not go back by itself
    del pieces
    done.wait()
    hold.wait()


threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
done.wait()
before = resident_memory()
release_memory()
print(before, resident_memory())
hold.set()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have no arenas")
@pytest.mark.parametrize("limited", [True, False])
def test_what_threads_have_freed_goes_back(limited: bool) -> None:
    before, after = map(int, printed("-c", PROGRAM.format(limited=limited)).split())
    assert before - after > 20_000_000


def test_memory_in_use_is_known() -> None:
    assert resident_memory() == 0 or resident_memory() > 5_000_000
