"""How many times less processor time lists of candidates take than with loops around peers.

``oracle --each`` by chrF stands beside sacreBLEU's ``sentence_chrf`` for each candidate, MBR by
chrF beside fastchrf's matrices of all pairs: whole commands from start to end, one thread each, on
the same files with the same outcome: ``python benchmarks/lists.py``. The loop around fastchrf takes
minutes; ``--share 0.1`` gives both a tenth of the sources.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from data import numbered_pairs

_SEED: Final = 7
BEST_OF: Final = (10_000, 8)
MBR: Final = (1_000, 128)
"""Sources, and candidates of each."""

SACREBLEU: Final = """
import sys
from sacrebleu.metrics.chrf import CHRF
score, size = CHRF().sentence_score, int(sys.argv[3])
files = (open(name, encoding="utf-8") for name in sys.argv[1:3])
texts, references = (file.read().split("\\n")[:-1] for file in files)
with open(sys.argv[4], "w", encoding="utf-8") as out:
    for place, reference in enumerate(references):
        own = texts[size * place : size * (place + 1)]
        scores = [score(text, [reference]).score for text in own]
        out.write(own[scores.index(max(scores))] + "\\n")
"""
FASTCHRF: Final = """
import sys
from fastchrf import pairwise_chrf
size = int(sys.argv[2])
texts = open(sys.argv[1], encoding="utf-8").read().split("\\n")[:-1]
with open(sys.argv[3], "w", encoding="utf-8") as out:
    for place in range(0, len(texts), size):
        own = texts[place : place + size]
        (matrix,) = pairwise_chrf([own], [own])
        sums = [sum(row) for row in matrix]
        out.write(own[sums.index(max(sums))] + "\\n")
"""


def candidates(text: str, count: int, words: list[str], rng: random.Random) -> Iterator[str]:
    """Texts like samples of a model: most words stay, some go, some others come."""
    for _ in range(count):
        kept = []
        for word in text.split():
            chance = rng.random()
            if chance < 0.76:
                kept.append(word)
            if chance > 0.70 and chance < 0.94:
                kept.append(rng.choice(words))
        yield " ".join(kept) or text


def write_lists(folder: Path, sources: int, size: int, *, of_references: bool) -> None:
    """``texts`` with so many lines for each source, and ``references`` with one."""
    rng = random.Random(_SEED)
    pairs = list(islice(numbered_pairs(), max(sources, 5_000)))
    words = [word for text, _ in pairs[:5_000] for word in text.split()]
    with (
        (folder / "texts").open("w", encoding="utf-8") as texts,
        (folder / "references").open("w", encoding="utf-8") as references,
    ):
        for text, reference in pairs[:sources]:
            base = reference if of_references else text
            texts.writelines(f"{one}\n" for one in candidates(base, size, words, rng))
            references.write(f"{reference}\n")


def seconds(*words: str) -> float:
    """The processor time of a command with one thread, of two runs the smaller if it is short."""
    environment = {**os.environ, "TERTIUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # who starts a command twice has compiled it
    found: list[float] = []
    while len(found) < 3 and sum(found) < 10:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(found)


def compared(title: str, ours: list[str], theirs: list[str], folder: Path) -> str:
    """A row of the table; both must have written the same lines."""
    tertium = seconds(sys.executable, "-m", "tertium", *ours, "-o", str(folder / "ours"))
    other = seconds(sys.executable, "-c", *theirs, str(folder / "theirs"))
    pairs = zip((folder / "ours").open(), (folder / "theirs").open(), strict=True)
    differing = sum(one != two for one, two in pairs)
    said = "" if not differing else f" ({differing} lines differ)"
    return f"| {title} | {tertium:.2f} s | {other:.2f} s | {other / tertium:.0f} ×{said} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the sources (default: all)")
    share = parser.parse_args().share
    print(
        "| work, processor time of the whole command | tertium | loop | ratio |\n|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        texts, references = str(folder / "texts"), str(folder / "references")
        sources, size = max(1, round(BEST_OF[0] * share)), BEST_OF[1]
        write_lists(folder, sources, size, of_references=False)
        title = f"`oracle --each -m chrf`, {sources:,} × {size}, sacreBLEU's `sentence_chrf`"
        ours = ["oracle", "--each", texts, "--lines", str(size), "-r", references, "-q"]
        print(compared(title, ours, [SACREBLEU, texts, references, str(size)], folder), flush=True)
        sources, size = max(1, round(MBR[0] * share)), MBR[1]
        write_lists(folder, sources, size, of_references=True)
        title = f"`mbr --utility chrf`, {sources:,} × {size}, fastchrf"
        ours = ["mbr", texts, "--lines", str(size), "--utility", "chrf", "-f", "lines", "-q"]
        print(compared(title, ours, [FASTCHRF, texts, str(size)], folder), flush=True)


if __name__ == "__main__":
    main()
