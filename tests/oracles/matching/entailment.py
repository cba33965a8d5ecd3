"""Entailment features of two texts, by lists and crossing out."""


def crossed_out(ours: list[str], theirs: list[str]) -> int:
    """How many can be crossed out on both sides."""
    left, found = list(theirs), 0
    for item in ours:
        if item in left:
            left.remove(item)
            found += 1
    return found


def apart(ours: list[str], theirs: list[str]) -> float:
    """The share that not both have."""
    common = crossed_out(ours, theirs)
    union = len(ours) + len(theirs) - common
    return 1 - common / union if union else 0.0


def features(
    ours: list[str], theirs: list[str], negations: set[str], modals: dict[str, str]
) -> list[float]:
    """Of lower-case words, of which those with an underscore in front are names."""
    if not ours and not theirs:
        return [0.0] * 7
    if not ours or not theirs:
        return [1.0] * 7
    common = crossed_out(ours, theirs)
    kinds = [sorted({modals[word] for word in side if word in modals}) for side in (ours, theirs)]
    return [
        1 - common / len(theirs),
        1 - common / len(ours),
        apart([w for w in ours if w.isdigit()], [w for w in theirs if w.isdigit()]),
        float(any(w in negations for w in ours) != any(w in negations for w in theirs)),
        apart(*kinds),
        0.0,
        1.0,
    ]
