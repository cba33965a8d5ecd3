"""Whole jobs that people wait for: CPU seconds, peak memory and size of page, beside the aim.

    python benchmarks/jobs.py                          # every job, by the tertium of this Python
    python benchmarks/jobs.py decide-30 compare-50     # some of them
    python benchmarks/jobs.py --python ../other/.venv/bin/python --repeat 2 decide-2

The pools are made of the Chinese–English outputs of WMT23 in a folder `shared/data` beside the
checkout. A *recombined* system has each segment from one of the real systems, as reranking, system
combination and minimum Bayes risk give them. An *independent* one is a real output with words left
out, repeated and exchanged, so that hardly a segment is another system's. Nothing fails here: the
aims are printed beside the figures.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from data import SHARED

SEGMENTS: Final = 1976
_SEED: Final = 20120607
_WMT23: Final = SHARED / "wmt23"
_NO_SYSTEMS: Final = ("refA", "synthetic_ref")
_OWN_MODULES: Final = """
import resource, sys
before = resource.getrusage(resource.RUSAGE_SELF)
import numpy, tertium
after = resource.getrusage(resource.RUSAGE_SELF)
import tertium.decide.decide
"""
BOARD: Final = """
import sys, time
import numpy
from tertium import parse_metric
from tertium.inference import board_p_values, metric_rows
from tertium.scored.scored import read_scored  # placeholder
"""


@dataclass(frozen=True, slots=True)
class Job:
    """Words after `python -m`, the pool that they are about, and what they should cost at most."""

    words: tuple[str, ...]
    recombined: int = 0
    independent: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    page_megabytes: float = 0.0


JOBS: Final = {
    "decide-2": Job(("decide",), independent=2),
    "decide-30": Job(("decide",), recombined=30, seconds=3),
    "decide-50": Job(("decide",), recombined=50, seconds=10),
    "compare-50": Job(("compare",), independent=50, seconds=1.5),
    "report-50": Job(("report",), independent=50, seconds=5, megabytes=300, page_megabytes=5),
}


def read_lines(path: Path) -> list[str]:
    """The segments of a file; only a line feed ends one."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def real_systems() -> dict[str, list[str]]:
    """The outputs that pools are made of."""
    paths = sorted((_WMT23 / "system-outputs" / "zh-en").glob("*.txt"))
    return {path.stem: read_lines(path) for path in paths if path.stem not in _NO_SYSTEMS}


def recombined(systems: Sequence[list[str]], rng: random.Random) -> list[str]:
    """Each segment from any of the first eight systems."""
    return [rng.choice(outputs) for outputs in zip(*systems[:8], strict=True)]


def independent(outputs: list[str], rng: random.Random) -> list[str]:
    """An output with words left out, repeated and exchanged."""
    rate = rng.uniform(0.05, 0.2)
    perturbed = []
    for text in outputs:
        words = text.split()
        edited = []
        for word in words:
            chance = rng.random()
            if chance < rate / 3 and len(words) > 1:
                continue
            edited.append(rng.choice(words) if chance < rate * 2 / 3 else word)
            if rate * 2 / 3 <= chance < rate:
                edited.append(word)
        perturbed.append(" ".join(edited) or text)
    return perturbed


def write_pool(folder: Path, kind: str, count: int) -> list[Path]:
    """The files of a pool of systems, the same ones for the same numbers."""
    systems = list(real_systems().values())
    paths = []
    for number in range(count):
        rng = random.Random(f"{_SEED} {kind} {number}")
        lines = (
            recombined(systems, rng)
            if kind == "recombined"
            else independent(systems[number % len(systems)], rng)
        )
        path = folder / f"{kind}{number:02}.txt"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        paths.append(path)
    return paths
