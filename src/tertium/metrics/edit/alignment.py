"""Word alignments by edit distance, as people read them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tertium import _native
from tertium._native import Texts
from tertium.text.tokenizers import Lowercase, Tokenizer


@dataclass(frozen=True, slots=True)
class Alignment:
    """Pairs of (reference word, hypothesis word); a missing side is an empty string.

    ``moves`` has a letter for each pair: ``=`` match, ``S`` substitution, ``I`` insertion,
    ``D`` deletion.
    """

    pairs: tuple[tuple[str, str], ...]
    moves: str

    def __str__(self) -> str:
        widths = [max(len(reference), len(word), 1) for reference, word in self.pairs]
        lines = [
            ("REF: ", [reference or "*" * width for (reference, _), width in self._with(widths)]),
            ("HYP: ", [word or "*" * width for (_, word), width in self._with(widths)]),
            ("     ", ["" if move == "=" else move for move in self.moves]),
        ]
        padded = (
            label + " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
            for label, cells in lines
        )
        return "\n".join(line.rstrip() for line in padded)

    def _with(self, widths: list[int]) -> list[tuple[tuple[str, str], int]]:
        return list(zip(self.pairs, widths, strict=True))


def alignment_lines(
    align: Callable[[str, str], object], hypothesis: str, references: Sequence[str]
) -> list[str]:
    """The alignments with every reference, as lines."""
    return [
        line for reference in references for line in str(align(hypothesis, reference)).splitlines()
    ]


def align(
    hypothesis: str, reference: str, tokenizer: Tokenizer, *, lowercase: Lowercase
) -> Alignment:
    """The alignment with the fewest edits.

    >>> print(align("the cat sat down", "the cats sat", Tokenizer("none"), lowercase=False))
    REF: the cats sat ****
    HYP: the cat  sat down
             S        I
    """
    words = [
        tokenizer.native_texts(Texts([text]), lowercase=lowercase)
        for text in (hypothesis, reference)
    ]
    prepared = _native.TokenizedReferences([words[1]], tokenizer.native_name)
    moves = _native.edit_alignments(words[0], prepared, 0)[0]
    hypothesis_words, reference_words = (
        iter(_native.tokenize(tokenizer.native_name, text)[0]) for text in words
    )
    pairs = tuple(
        (
            "" if move == "I" else next(reference_words),
            "" if move == "D" else next(hypothesis_words),
        )
        for move in moves
    )
    return Alignment(pairs, moves)
