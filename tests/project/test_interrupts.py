"""Ctrl-C reaches native work, and leaves everybody else's signals alone."""

import signal

import pytest

from tests.support.commands import PATIENCE, printed, started
from tests.support.processes.processor_time import (
    AT_ONCE,
    counted,
    seconds_to_end,
    seconds_used,
    wait_until_used,
)

pytestmark = pytest.mark.slow

MONSTROUS = """
import random, sys, tertium
words = int(sys.argv[2])
text = " ".join(random.Random(1).choices("abcde", k=words))
other = " ".join(random.Random(2).choices("abcde", k=words))
metric = tertium.parse_metric(sys.argv[1])
metric.statistics(["a"], ["b"])
print("ready", flush=True)
metric.statistics([text], [other])
print("done")
"""


@counted
@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("grr", 1_000_000),
        ("wer", 3_000_000),
        ("rouge-w", 1_000_000),
        ("rouge-l", 3_000_000),
        ("amber-basic", 2_000_000),
        ("gtm", 5_000_000),
        ("bleu[order=4000]", 500_000),
        ("chrf[character_order=4000]", 500_000),
    ],
)
def test_an_interrupt_ends_a_monstrous_segment(metric: str, words: int) -> None:
    with started("-c", MONSTROUS, metric, str(words)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        wait_until_used(process, seconds_used(process.pid) + 0.5)  # by the kernel
        used = seconds_to_end(process, signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert used < AT_ONCE
    assert output == b""
    assert errors.rstrip().endswith(b"KeyboardInterrupt")


SIDE_BY_SIDE = """
import os, signal, threading, time
from tertium.threads import side_by_side
def work():
    while True: sum(range(1000))
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    side_by_side([work, work, time.sleep], threads=2)
except KeyboardInterrupt:
    print("interrupted;", threading.active_count() - 1, "at work")
"""


def test_an_interrupt_ends_work_in_threads() -> None:
    assert printed("-c", SIDE_BY_SIDE) == "interrupted; 0 at work\n"


BYSTANDER = """
import os, signal, sys, threading, time, tertium
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append("own handler"))
metric = tertium.parse_metric("wer")
metric.statistics(["a b"], ["a c"])
os.kill(os.getpid(), signal.SIGINT)
time.sleep(0.01)
signal.signal(signal.SIGINT, signal.default_int_handler)
threads = [threading.Thread(target=metric.statistics, args=(["a b"] * 500, ["a c"] * 500))
           for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(10)
except KeyboardInterrupt:
    seen.append("Python's handler")
print(*seen, sep=", ")
"""

IGNORED = """
import os, signal, threading, tertium
signal.signal(signal.SIGINT, signal.SIG_IGN)
metric = tertium.parse_metric("grr")
text = "a b c d e f " * 2000
threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
print(metric.score(metric.statistics([text], [text]))[0])
"""


@pytest.mark.parametrize(
    ("program", "expected"),
    [(BYSTANDER, "own handler, Python's handler\n"), (IGNORED, "100.0\n")],
    ids=["restored", "ignored"],
)
def test_signals_stay_as_the_program_set_them(program: str, expected: str) -> None:
    assert printed("-c", program) == expected
