"""``nltk.translate.gleu_score``: GLEU, the smaller of n-gram precision and recall (Wu et al. 2016).

It is the reward of reinforcement learning in Google's system, and has nothing to do with the GLEU
of grammatical error correction.
"""

from collections.abc import Sequence

from tertium.compat.nltk.tokens import Sentence, check_sizes, match_rows


def sentence_gleu(
    references: Sequence[Sentence], hypothesis: Sentence, min_len: int = 1, max_len: int = 4
) -> float:
    """GLEU of one segment, by the reference that gives most."""
    return corpus_gleu([references], [hypothesis], min_len=min_len, max_len=max_len)


def corpus_gleu(
    list_of_references: Sequence[Sequence[Sentence]],
    hypotheses: Sequence[Sentence],
    min_len: int = 1,
    max_len: int = 4,
) -> float:
    """Matches of all segments over n-grams of the longer side, with each segment's best reference.

    >>> round(corpus_gleu([["a b c d".split()]], ["a b d".split()]), 4)
    0.4
    """
    check_sizes("corpus_gleu", list_of_references, hypotheses)
    pairs = [
        (segment, reference)
        for segment, references in enumerate(list_of_references)
        for reference in references
    ]
    rows = match_rows(
        [hypotheses[segment] for segment, _ in pairs],
        [[reference] for _, reference in pairs],
        max_len,
    )
    matches = rows[:, min_len - 1 : max_len].sum(axis=1)
    orders = range(min_len, max_len + 1)
    best: dict[int, tuple[float, float]] = {}
    for (segment, reference), matched in zip(pairs, matches.tolist(), strict=True):
        longer = max(len(hypotheses[segment]), len(reference))
        grams = sum(max(0, longer - n + 1) for n in orders)
        if not grams:
            continue
        known = best.get(segment)
        if known is None or matched / grams > known[0] / known[1]:
            best[segment] = (matched, grams)
    total = sum(grams for _, grams in best.values())
    return sum(matched for matched, _ in best.values()) / total if total else 0.0
