"""Honest systems, and faults that are planted into one of them, for the audit of copies."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from experiments.evidence.audits import DAMAGES, SHARE, PlantedDamage

SCRIPTS: Final = {
    "english": ("abcdefghijklmnoprstuvw", " ", "."),
    "chinese": (
        "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年",
        "",
        "。",
    ),
    "hebrew": ("אבגדהוזחטילמנסעפצקרשת", " ", "."),
}
"""Letters, what stands between words, and what ends a sentence."""


class Texts(NamedTuple):
    """Sources, references, and the outputs of systems by name."""

    sources: list[str]
    references: list[str]
    systems: dict[str, list[str]]


def honest(
    segments: int = 300,
    *,
    script: str = "english",
    seed: int = 1,
    systems: Sequence[str] = ("ash", "beech", "fir", "larch"),
) -> Texts:
    """References of random words, and systems that have two thirds of them right.

    What systems have wrong they share in part, as real ones do; the source is in another script.
    """
    letters, blank, end = SCRIPTS[script]
    rng = np.random.default_rng(seed)
    vocabulary = _words(letters, rng)
    other = _words("гджзклмнпрст" if script != "hebrew" else "abcdefgh", rng)
    frequency = 1 / np.arange(5, 5 + len(vocabulary))
    frequency /= frequency.sum()
    lengths = rng.integers(4, 30, segments)
    meant = [rng.choice(len(vocabulary), n, p=frequency) for n in lengths]
    usual = [_changed(one, 0.25, vocabulary, rng) for one in meant]

    def told(some: Sequence[Sequence[int]]) -> list[str]:
        texts = (blank.join(vocabulary[i] for i in one) + end for one in some)
        return [one[:1].upper() + one[1:] for one in texts]

    outputs = {
        name: told([_changed(one, 0.15, vocabulary, rng) for one in usual]) for name in systems
    }
    sources = [" ".join(other[i] for i in one) + "." for one in meant]
    return Texts(sources, told(meant), outputs)


def _words(letters: str, rng: np.random.Generator) -> list[str]:
    return ["".join(rng.choice(list(letters), n)) for n in rng.integers(2, 8, 2000)]


def _changed(
    words: Sequence[int], share: float, vocabulary: Sequence[str], rng: np.random.Generator
) -> list[int]:
    return [
        int(rng.integers(len(vocabulary))) if rng.random() < share else int(one) for one in words
    ]


class Planted(NamedTuple):
    """A fault: what is found, how bad it is, and how it is made of texts and a system's name."""

    kind: str
    severity: str
    plant: Callable[[Texts, str], Texts]


def _edited(text: str) -> str:
    """One word of thirty is another, or one character of sixty."""
    spaced = text.count(" ") > 1
    parts, every = (text.split(" "), 30) if spaced else (list(text), 60)
    edited = ["x" if place % every == 7 else part for place, part in enumerate(parts)]
    return (" " if spaced else "").join(edited)


def _halved(text: str) -> str:
    """Cut in the middle."""
    parts = text.split(" ")
    return " ".join(parts[: len(parts) // 2]) if len(parts) > 3 else text[: len(text) // 2]


def _own(change: Callable[[list[str], Texts], list[str]]) -> Callable[[Texts, str], Texts]:
    """A fault of one system's output alone."""

    def plant(texts: Texts, name: str) -> Texts:
        outputs = change(list(texts.systems[name]), texts)
        assert len(outputs) == len(texts.references)
        return texts._replace(systems={**texts.systems, name: outputs})

    return plant


def _some(
    every: int, change: Callable[[int, str, Texts], str], *, run: int = 0
) -> Callable[[Texts, str], Texts]:
    """A fault of every so manyth segment, or of a run from the middle on."""

    def of(place: int, segments: int) -> bool:
        middle = segments // 2
        return middle <= place < middle + run if run else place % every == 0

    return _own(
        lambda own, texts: [
            change(i, text, texts) if of(i, len(own)) else text for i, text in enumerate(own)
        ]
    )


def shifted(own: list[str], first: int, by: int, lines: int) -> list[str]:
    """From a line on so many lines are moved, down where ``by`` is above 0; the rest stays."""
    moved = own[first - by if by < 0 else first :][:lines]
    gap = ["?"] * by if by > 0 else []
    return [*own[:first], *gap, *moved, *own[first + len(gap) + len(moved) :]]


def shuffled(own: list[str]) -> list[str]:
    """The same lines in another order."""
    return [own[i] for i in np.random.default_rng(7).permutation(len(own)).tolist()]


def _swap(texts: Texts, name: str) -> Texts:
    return texts._replace(
        references=texts.systems[name], systems={**texts.systems, name: texts.references}
    )


def _first(texts: Texts) -> list[str]:
    return next(iter(texts.systems.values()))


FAULTS: Final = {
    "source": Planted("source", "serious", _own(lambda _, texts: texts.sources)),
    "sources": Planted("source", "warning", _some(20, lambda i, _, texts: texts.sources[i])),
    "system": Planted("system", "warning", _own(lambda _, texts: _first(texts))),
    "edited system": Planted(
        "system", "warning", _own(lambda _, texts: [_edited(one) for one in _first(texts)])
    ),
    "reference": Planted("reference", "serious", _own(lambda _, texts: texts.references)),
    "edited reference": Planted(
        "reference", "serious", _own(lambda _, texts: [_edited(one) for one in texts.references])
    ),
    "references": Planted(
        "reference", "serious", _some(4, lambda i, _, texts: texts.references[i])
    ),
    "shift": Planted("shift", "serious", _own(lambda own, _: [*own[1:], ""])),
    "shift down": Planted("shift", "serious", _own(lambda own, _: shifted(own, 90, 3, 60))),
    "shift up": Planted("shift", "serious", _own(lambda own, _: shifted(own, 90, -2, 80))),
    "sorted": Planted("order", "serious", _own(lambda own, _: sorted(own))),
    "reversed": Planted("order", "serious", _own(lambda own, _: own[::-1])),
    "shuffled": Planted("order", "serious", _own(lambda own, _: shuffled(own))),
    "shuffled third": Planted(
        "order", "serious", _own(lambda own, _: [*own[:200], *shuffled(own[200:])])
    ),
    "empty": Planted("empty", "warning", _some(25, lambda *_: "")),
    "nothing": Planted("missing end", "serious", _own(lambda own, _: [""] * len(own))),
    "missing end": Planted("missing end", "serious", _own(lambda own, _: own[:-20] + [""] * 20)),
    "cut": Planted("cut", "warning", _some(12, lambda _, text, __: _halved(text))),
    "cut run": Planted("cut", "warning", _some(0, lambda _, text, __: _halved(text), run=25)),
    "repeated": Planted("repeated", "serious", _some(6, lambda _, __, texts: texts.references[0])),
    "loop": Planted(
        "loop", "warning", _some(20, lambda _, text, __: " ".join([text] + [text[:8]] * 9))
    ),
    "script": Planted(
        "script", "serious", _some(5, lambda i, *_: f"ЖИЗНЬ {'АБВ'[i % 3] * (i % 97)} ПРЕКРАСНА.")
    ),
    "swapped": Planted("swapped", "warning", _swap),
}
"""By name."""


def _damaged(damage: PlantedDamage) -> Planted:
    every = 1 if damage.whole else SHARE
    plant = _some(every, lambda i, text, texts: damage.change(text, texts.sources[i]))
    return Planted(damage.kind, "serious", plant)


DAMAGE: Final = {name: _damaged(one) for name, one in DAMAGES.items()}
"""Damage of the text itself, in every fifth segment or in all, by name."""
