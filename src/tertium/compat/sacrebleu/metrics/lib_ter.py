"""TER of two lists of words."""

from collections.abc import Hashable, Sequence

from tertium.metrics.ter import TranslationEditRate


def translation_edit_rate(
    words_hyp: Sequence[Hashable], words_ref: Sequence[Hashable]
) -> tuple[int, int]:
    """The fewest edits found, shifts among them, and the length of the reference.

    >>> translation_edit_rate("on the mat the cat sat".split(), "the cat sat on the mat".split())
    (1, 6)
    """
    # Numbers stand for words, so that a word may hold blanks or be no string at all.
    numbers: dict[Hashable, int] = {}
    hypothesis, reference = (
        " ".join(str(numbers.setdefault(word, len(numbers))) for word in words)
        for words in (words_hyp, words_ref)
    )
    edits = TranslationEditRate().statistics([hypothesis], [reference])[0, 0]
    return int(edits), len(words_ref)
