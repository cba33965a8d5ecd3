"""Texts of six scripts, each as a hypothesis and four references that differ from each other.

Hebrew and Chinese come from the sources of WMT 2023, English from its references, where the shared
data lies beside the checkout; the rest is made up: words drawn by Zipf's law, of letters of the
script, with its own marks and digits.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from data import SHARED

REFERENCES: Final = 4
_SEED: Final = 20231206
_VOCABULARY: Final = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What made-up text of a script is made of."""

    letters: str
    comma: str = ","
    stop: str = "."
    digits: str = "0123456789"
    blank: str = " "
    longest: int = 9
    """Letters of the longest words."""


def _letters(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


SCRIPTS: Final = {
    "English": Script(letters="eeeetttaaaoooiiinnnssshhhrrrddllluuccmmwwffggyyppbbvk"),
    "German": Script(
        letters="eeeeennnniiisssrrraaatttddhhuullccggmmoobbwwffkkzzpväöüß", longest=14
    ),
    "Hebrew": Script(letters=_letters(0x5D0, 0x5EA), longest=7),
    "Arabic": Script(
        letters=_letters(0x627, 0x63A) + _letters(0x641, 0x64A), comma="،", digits="٠١٢٣٤٥٦٧٨٩"
    ),
    "Chinese": Script(letters=_letters(0x4E00, 0x5600), comma="，", stop="。", blank="", longest=3),
    "Hindi": Script(
        letters=_letters(0x905, 0x914) + 3 * _letters(0x915, 0x939) + 2 * _letters(0x93E, 0x94D),
        stop="।",
        digits="०१२३४५६७८९",
    ),
}

_REAL: Final = {
    "English": "wmt23/references/zh-en.refA.txt",
    "Hebrew": "wmt23/sources/he-en.txt",
    "Chinese": "wmt23/sources/zh-en.txt",
}


def texts(script: str, segments: int) -> tuple[list[str], list[list[str]]]:
    """Hypotheses and four sets of references."""
    rng = random.Random(f"{_SEED} {script}")
    pool = list(itertools.islice(_segments(script, rng), segments))
    blank = SCRIPTS[script].blank
    # Each segment ends in its own number: peers keep caches of segments that they have seen.
    numbered = [f"{text}{blank}{number}" for number, text in enumerate(pool, 1)]
    sides = [[_perturbed(text, blank, rng) for text in numbered] for _ in range(REFERENCES)]
    return numbered, sides


def _segments(script: str, rng: random.Random) -> Iterator[str]:
    path = SHARED / _REAL.get(script, "")
    if script in _REAL and path.is_file():
        lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
        yield from itertools.cycle(lines)
        return
    made = SCRIPTS[script]
    words = [
        "".join(rng.choices(made.letters, k=rng.randint(1, made.longest)))
        for _ in range(_VOCABULARY)
    ]
    words += ["".join(rng.choices(made.digits, k=rng.randint(1, 4))) for _ in range(50)]
    rng.shuffle(words)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))
    while True:
        length = max(3, min(90, round(rng.gammavariate(3.5, 6.5))))
        drawn = rng.choices(words, cum_weights=weights, k=length)
        clauses = [made.blank.join(drawn[at : at + 8]) for at in range(0, length, 8)]
        yield (made.comma + made.blank).join(clauses) + made.stop


def _perturbed(text: str, blank: str, rng: random.Random) -> str:
    """The same with a fifth of its words (of its characters, without blanks) changed."""
    words = text.split(" ") if blank else list(text)
    edits = rng.choices(("keep", "replace", "insert", "drop"), (80, 10, 5, 5), k=len(words))
    found = []
    for word, edit in zip(words, edits, strict=True):
        if edit in ("keep", "insert"):
            found.append(word)
        if edit in ("replace", "insert"):
            found.append(rng.choice(words))
    return blank.join(found) or text
