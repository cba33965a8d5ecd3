"""Overlap and matching of semantic roles as Giménez & Màrquez (2007) define them."""

Frame = tuple[str, list[tuple[str, list[str]]]]
"""A predicate, and its roles with their words."""
Item = tuple[str, ...]


def items(frames: list[Frame], *, match: str, labelled: bool, verbs: bool) -> list[Item]:
    """The items of each linguistic element, as a list with repetitions."""
    found: list[Item] = []
    for predicate, roles in frames:
        for label, words in roles:
            kind = (f"role {label}" if labelled else "role", f"of {predicate}" if verbs else "")
            if match == "words":
                found += [(*kind, word) for word in words]
            elif match == "filler":
                found.append((*kind, " ".join(words)))
            else:
                found.append(kind)
    return found


def overlap(hypothesis: list[Item], reference: list[Item]) -> float | None:
    """Σ min(counts) / Σ max(counts) over the items of either side; none without any."""
    both = set(hypothesis) | set(reference)
    if not both:
        return None
    smaller = sum(min(hypothesis.count(item), reference.count(item)) for item in both)
    larger = sum(max(hypothesis.count(item), reference.count(item)) for item in both)
    return smaller / larger


def score(
    segments: list[tuple[list[Frame], list[Frame]]], *, match: str, labelled: bool, verbs: bool
) -> float:
    """The mean over segments that have a role on either side."""
    shares = [
        overlap(
            items(hypothesis, match=match, labelled=labelled, verbs=verbs),
            items(reference, match=match, labelled=labelled, verbs=verbs),
        )
        for hypothesis, reference in segments
    ]
    known = [share for share in shares if share is not None]
    return 100 * sum(known) / len(known) if known else 100.0
