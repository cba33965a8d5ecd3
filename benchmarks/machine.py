"""Facts about the machine, without which a time says nothing."""

import locale
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import tertium

_PACKAGES: Final = ("numpy", "sacrebleu", "nltk", "jiwer", "rapidfuzz")


def machine_facts() -> dict[str, str]:
    """Processor, cores, load, Python and versions, each as text."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "processor": _processor(),
        "cores": str(cores),
        "load": " ".join(f"{load:.1f}" for load in os.getloadavg()),
        "system": platform.platform(terse=True),
        "locale": ".".join(part for part in locale.getlocale() if part) or "C",
        "Python": platform.python_version(),
        "tertium": tertium.__version__,
        **{name: _version(name) for name in _PACKAGES},
    }


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
