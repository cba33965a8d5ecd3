"""What a score is made of, as people ask for it: named parts and a trace of one segment."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Component(NamedTuple):
    """One part of a score; ``note`` says where the value comes from, ``group`` whose it is."""

    name: str
    value: float
    note: str = ""
    group: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        shown = {"name": self.name, "value": self.value, "note": self.note, "group": self.group}
        return {key: value for key, value in shown.items() if value != ""}


def grams_of(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a text, with their counts."""
    # The shifted copies differ in length, and the shortest ends the last n-gram.
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def matched_and_missed(
    hypothesis: Sequence[str], references: Iterable[Sequence[str]], n: int
) -> tuple[list[str], list[str]]:
    """The n-grams of a hypothesis that its references have, and those they have not.

    >>> matched_and_missed(["a", "a", "b"], [["a", "b", "c"]], 1)
    (['a', 'b'], ['a'])
    """
    left: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        grams = grams_of(reference, n)
        left = left | grams if left else grams
    matched: list[str] = []
    missed: list[str] = []
    for gram in zip(*(hypothesis[start:] for start in range(n)), strict=False):
        count = left.get(gram, 0)
        if count > 0:
            left[gram] = count - 1
            matched.append(" ".join(gram))
        else:
            missed.append(" ".join(gram))
    return matched, missed
