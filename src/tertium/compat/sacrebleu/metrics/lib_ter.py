"""TER of two lists of words, its edit distance, and the alignment that a path of edits means."""

from collections.abc import Hashable, Sequence
from typing import Final

from tertium import _native
from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.edit.ter import BEAMS, SHIFTS_TRIED, TranslationEditRate

_LETTERS: Final = str.maketrans("=SID", " sdi")
"""The native core turns the reference into the hypothesis, sacreBLEU's paths go the other way."""


def translation_edit_rate(
    words_hyp: Sequence[Hashable], words_ref: Sequence[Hashable]
) -> tuple[int, int]:
    """The fewest edits found, shifts among them, and the length of the reference.

    >>> translation_edit_rate("on the mat the cat sat".split(), "the cat sat on the mat".split())
    (1, 6)
    """
    edits = TranslationEditRate().statistics(*_numbered(words_hyp, words_ref))[0, 0]
    return int(edits), len(words_ref)


class BeamEditDistance:
    """Edits without shifts, near the diagonal; a call gives their number and a letter for each.

    >>> BeamEditDistance(["a", "b", "c"])(["a", "x", "c", "c"])
    (2, ' ds ')
    """

    def __init__(self, words_ref: Sequence[Hashable]) -> None:
        self._words_ref = words_ref

    def __call__(self, words_hyp: Sequence[Hashable]) -> tuple[int, str]:
        """How many edits turn the hypothesis into the reference, and which."""
        hypothesis, reference = _numbered(words_hyp, self._words_ref)
        _, moves = _native.ter_paths(
            Texts(hypothesis),
            _native.TokenizedReferences([Texts(reference)], "none"),
            0,
            original=False,
            shift_length=0,
            shift_distance=0,
            beam=BEAMS["sacrebleu"],
            shifts_tried=SHIFTS_TRIED,
        )[0]
        return len(moves) - moves.count("="), moves.translate(_LETTERS)


def trace_to_alignment(trace: str) -> tuple[dict[int, int], list[int], list[int]]:
    """Reference place → hypothesis place, and 1 for each word in error, by side.

    >>> trace_to_alignment(" sid")
    ({0: 0, 1: 1, 2: 2}, [0, 1, 1], [0, 1, 1])
    """
    places: dict[int, int] = {}
    reference: list[int] = []
    hypothesis: list[int] = []
    for letter in trace:
        if letter not in {" ", "s", "i", "d"}:
            raise InputError(f"trace: found {letter!r}, expected ' ', 's', 'i' or 'd'")
        if letter != "d":
            hypothesis.append(int(letter != " "))
        if letter != "i":
            places[len(reference)] = len(hypothesis) - 1
            reference.append(int(letter != " "))
    return places, reference, hypothesis


def _numbered(*sides: Sequence[Hashable]) -> list[list[str]]:
    """Numbers for words, so that a word may hold blanks or be no string at all."""
    numbers: dict[Hashable, int] = {}
    return [
        [" ".join(str(numbers.setdefault(word, len(numbers))) for word in words)] for words in sides
    ]
