"""Whole commands, from the start of the process to its end."""

import sys
from pathlib import Path
from typing import Final

from case import Case, Command, Peer


def script(name: str, module: str) -> tuple[str, ...]:
    """An installed command beside this interpreter, or its module where there is none."""
    path = Path(sys.executable).parent / name
    return (str(path),) if path.exists() else (sys.executable, "-m", module)


TERTIUM: Final = script("tertium", "tertium")
SCORE: Final = (*TERTIUM, "score")
SACREBLEU: Final = script("sacrebleu", "sacrebleu")

CASES: Final = (
    Case(
        name="score-files",
        title="tertium score REF -i SYS -m bleu",
        ours=Command(words=(*SCORE, "{references}", "-i", "{hypotheses}", "-m", "bleu")),
        peers=(
            Peer(
                name="wc -w",
                work=Command(words=("wc", "-w", "{references}", "{hypotheses}")),
                at_least=1 / 3,
                same_score=False,
            ),
        ),
        sizes=(250_000, 500_000, 1_000_000),
        peak_megabytes=400,
        growth=1.2,
    ),
    Case(
        name="start-up",
        title="tertium score REF -i SYS -m bleu, processor time",
        ours=Command(words=(*SCORE, "{references}", "-i", "{hypotheses}", "-m", "bleu")),
        peers=(
            Peer(
                name="import numpy",
                work=Command(words=(sys.executable, "-c", "import numpy")),
                at_least=1 / 1.4,
                by_cpu=True,
                same_score=False,
            ),
        ),
        sizes=(3_000,),
    ),
    Case(
        name="version",
        title="tertium --version",
        ours=Command(words=(*TERTIUM, "--version")),
        peers=(
            Peer(
                name="sacrebleu --version",
                work=Command(words=(*SACREBLEU, "--version")),
                at_least=3,
                same_score=False,
            ),
        ),
        sizes=(0,),
    ),
)
