"""The edits of TER-Plus (Snover et al. 2009) without shifts: a shortest path, edge by edge."""

from collections.abc import Callable, Mapping
from functools import cache

Words = tuple[str, ...]


def cost(
    hypothesis: Words,
    reference: Words,
    *,
    costs: Mapping[str, float],
    stem: Callable[[str], str],
    synonyms: Callable[[str, str], bool],
    phrases: Mapping[tuple[Words, Words], float],
) -> float:
    """The least sum of costs that turns the reference into the hypothesis."""

    @cache
    def rest(i: int, j: int) -> float:
        """From the i-th word and the j-th reference word on."""
        words, others = hypothesis[i:], reference[j:]
        if not words and not others:
            return 0.0
        ways = []
        if words:
            ways.append(costs["insertion"] + rest(i + 1, j))
        if others:
            ways.append(costs["deletion"] + rest(i, j + 1))
        if words and others:
            pair = [costs["substitution"]]
            if words[0] == others[0]:
                pair = [0.0]
            elif stem(words[0]) == stem(others[0]):
                pair.append(costs["stem"])
            if words[0] != others[0] and synonyms(words[0], others[0]):
                pair.append(costs["synonym"])
            ways.append(min(pair) + rest(i + 1, j + 1))
        ways += [
            price + rest(i + len(ours), j + len(theirs))
            for (theirs, ours), price in phrases.items()
            if words[: len(ours)] == ours and others[: len(theirs)] == theirs
        ]
        return min(ways)

    return rest(0, 0)
