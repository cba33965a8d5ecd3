"""Texts to measure on: pairs of a hypothesis and its reference, no two of them alike.

Peers keep caches of the segments they have seen, and references of real test sets come
back once for every system. So every segment ends in its own number, on both sides.

Run as a script it writes ``hypotheses-N.txt`` and ``references-N.txt`` for each size asked
for; the process that measures stays small, because a child's peak memory begins with that
of its parent.
"""

import argparse
import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

Pair: TypeAlias = tuple[str, str]
"""Hypothesis and reference."""

SHARED: Final = Path(__file__).resolve().parents[2] / "shared" / "data"
WARM_UP: Final = 20
_SEED: Final = 20120607
_GENERATED_PAIRS: Final = 50_000
_VOCABULARY: Final = 40_000

# Folder of system outputs → the reference they are scored against.
_TEST_SETS: Final = {
    "wmt12/system-outputs/cs-en": "wmt12/newstest2012-ref.en",
    "wmt12/system-outputs/de-en": "wmt12/newstest2012-ref.en",
    "wmt12/system-outputs/es-en": "wmt12/newstest2012-ref.en",
    "wmt17/system-outputs/de-en": "wmt17/newstest2017-deen-ref.en",
    "wmt17/system-outputs/ru-en": "wmt17/newstest2017-ruen-ref.en",
    "wmt17/system-outputs/tr-en": "wmt17/newstest2017-tren-ref.en",
    "wmt23/system-outputs/he-en": "wmt23/references/he-en.refA.txt",
    "wmt23/system-outputs/zh-en": "wmt23/references/zh-en.refA.txt",
}


def origin() -> str:
    """Where the texts come from, in a few words."""
    return "WMT 2012, 2017 and 2023 systems" if SHARED.is_dir() else "generated (Zipf)"


def text_files(folder: Path, segments: int) -> tuple[Path, Path]:
    """Hypotheses and references of a size."""
    return folder / f"hypotheses-{segments}.txt", folder / f"references-{segments}.txt"


def read_pairs(hypotheses: Path, references: Path) -> tuple[list[str], list[str]]:
    """The segments of two files, as Python strings."""
    return (
        hypotheses.read_text(encoding="utf-8").split("\n")[:-1],
        references.read_text(encoding="utf-8").split("\n")[:-1],
    )


def warm_up_pairs() -> tuple[list[str], list[str]]:
    """A few segments that are in no measured text."""
    words = [f"warm{i} up{i}, before: the measured text {i}." for i in range(WARM_UP)]
    return words, [f"{text} Again." for text in words]


def numbered_pairs() -> Iterator[Pair]:
    """All pairs in a fixed random order, over and over, each with its own number."""
    pool = list(_real_pairs() if SHARED.is_dir() else _generated_pairs())
    random.Random(_SEED).shuffle(pool)
    for number, (hypothesis, reference) in enumerate(itertools.cycle(pool), 1):
        yield f"{hypothesis} {number}", f"{reference} {number}"


def _real_pairs() -> Iterator[Pair]:
    for folder, reference in _TEST_SETS.items():
        references = _lines(SHARED / reference)
        for system in sorted((SHARED / folder).iterdir()):
            if system.stem != Path(reference).stem.partition(".")[2]:  # wmt23 lists refA too
                yield from zip(_lines(system), references, strict=True)


def _lines(path: Path) -> list[str]:
    # Only a line feed ends a segment; splitlines would also cut at U+2028 and others. Spaces
    # are made plain, because jiwer takes a no-break space for a letter and others do not.
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return [" ".join(line.split()) for line in lines]


def _generated_pairs() -> Iterator[Pair]:
    """Sentences of words drawn by Zipf's law; a hypothesis is a perturbed reference."""
    rng = random.Random(_SEED)
    syllables = [c + v + e for c in "bdfgklmnprstvz" for v in "aeiou" for e in ("", "n", "s")]
    words = [
        "".join(rng.choices(syllables, k=rng.choice((1, 2, 2, 3)))) for _ in range(_VOCABULARY)
    ]
    weights = list(itertools.accumulate(1 / rank for rank in range(1, _VOCABULARY + 1)))
    for _ in range(_GENERATED_PAIRS):
        length = max(3, min(120, round(rng.gammavariate(3.5, 6.5))))
        reference = rng.choices(words, cum_weights=weights, k=length)
        hypothesis = list(_perturbed(reference, rng))
        yield _sentence(hypothesis), _sentence(reference)


def _perturbed(reference: list[str], rng: random.Random) -> Iterator[str]:
    edits = rng.choices(("keep", "replace", "insert", "drop"), (64, 22, 7, 7), k=len(reference))
    for word, edit in zip(reference, edits, strict=True):
        if edit in ("keep", "insert"):
            yield word
        if edit in ("replace", "insert"):
            yield rng.choice(reference)


def _sentence(words: list[str]) -> str:
    clauses = [" ".join(words[place : place + 9]) for place in range(0, len(words), 9)]
    return ", ".join(clauses).capitalize() + "."


def _write(folder: Path, sizes: list[int]) -> None:
    files = {size: text_files(folder, size) for size in sizes}
    pairs = list(itertools.islice(numbered_pairs(), max(sizes)))
    for size, paths in files.items():
        for side, path in enumerate(paths):
            with path.open("w", encoding="utf-8", newline="\n") as out:
                out.writelines(f"{pair[side]}\n" for pair in pairs[:size])


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sizes", type=int, nargs="+")
    arguments = parser.parse_args()
    _write(arguments.folder, arguments.sizes)


if __name__ == "__main__":
    _main()
