"""ParaEval recall (Zhou et al. 2006): greedy by phrases, then by words."""

Pairs = list[tuple[str, str]]


def occurrences(phrase: str, words: list[str], free: list[bool]) -> list[int]:
    """Where the phrase begins among words that are all free."""
    size = len(phrase.split())
    return [
        start
        for start in range(len(words) - size + 1)
        if " ".join(words[start : start + size]) == phrase and all(free[start : start + size])
    ]


def recall(hypothesis: list[str], reference: list[str], table: Pairs) -> float:
    """Matched reference words / reference words."""
    both_ways = {*table, *((other, phrase) for phrase, other in table)}
    in_hypothesis, in_reference = [True] * len(hypothesis), [True] * len(reference)
    known = [phrase for phrase, _ in both_ways if occurrences(phrase, reference, in_reference)]
    longest = max((len(phrase.split()) for phrase in known), default=1)
    for size in range(longest, 0, -1):
        for same in (True, False):
            for start in range(len(reference) - size + 1):
                if not all(in_reference[start : start + size]):
                    continue
                phrase = " ".join(reference[start : start + size])
                alternatives = [phrase] if same else [b for a, b in both_ways if a == phrase != b]
                places = [
                    (-len(other.split()), place)
                    for other in alternatives
                    for place in occurrences(other, hypothesis, in_hypothesis)
                ]
                if places:
                    length, place = min(places)
                    in_hypothesis[place : place - length] = [False] * -length
                    in_reference[start : start + size] = [False] * size
    return in_reference.count(False) / len(reference)
