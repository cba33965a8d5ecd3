"""Precision, recall and F of dependency triples."""

Word = tuple[str, int, str]
"""Lemma, number of the head (0: none), relation."""


def triples(sentences: list[list[Word]]) -> list[tuple[str, str, str]]:
    """(head, relation, word) of every word."""
    return [
        ("ROOT" if head == 0 else f"w:{sentence[head - 1][0]}", relation, lemma)
        for sentence in sentences
        for lemma, head, relation in sentence
    ]


def matches(hypothesis: list[tuple[str, str, str]], reference: list[tuple[str, str, str]]) -> int:
    """How many can be crossed out on both sides."""
    left = list(reference)
    found = 0
    for triple in hypothesis:
        if triple in left:
            left.remove(triple)
            found += 1
    return found


def f_score(matched: int, hypothesis: int, reference: int) -> float:
    """2PR / (P + R), 0 to 100."""
    if not matched:
        return 100.0 if hypothesis == reference == 0 else 0.0
    precision, recall = matched / hypothesis, matched / reference
    return 100 * 2 * precision * recall / (precision + recall)


def partial_matches(
    hypothesis: list[tuple[str, str, str]], reference: list[tuple[str, str, str]]
) -> float:
    """Half for each (head, relation), half for each (relation, word) that can be crossed out."""
    halves = []
    for kept in ((0, 1), (1, 2)):
        sides = [
            [("", triple[kept[0]], triple[kept[1]]) for triple in side]
            for side in (hypothesis, reference)
        ]
        halves.append(matches(*sides))
    return sum(halves) / 2
