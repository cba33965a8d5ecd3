"""Time as a process uses it: on a busy machine, the clock on the wall says little."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

counted = pytest.mark.skipif(sys.platform != "linux", reason="processor time as Linux counts it")
"""Of a test that asks for it."""

AT_ONCE = 10.0
"""Seconds of a processor in which work ends that was asked to.

Mostly it is a tenth of one, and on a crowded machine more than a whole one has been seen; work
that did not heed the signal would go on for most of a minute or longer.
"""


def seconds_used(number: int) -> float:
    """What a process has used of all processors, as Linux counts it, even if it has just ended."""
    fields = Path(f"/proc/{number}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_used(child: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Wait until a child has used so much, which shows that it is at work by now."""
    while seconds_used(child.pid) < seconds:
        assert child.poll() is None
        time.sleep(0.02)


def seconds_to_end(child: "subprocess.Popen[bytes]", signal_number: int) -> float:
    """What a child still uses after a signal; it is waited for, but stays to be asked for more."""
    before = seconds_used(child.pid)
    child.send_signal(signal_number)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    return seconds_used(child.pid) - before
