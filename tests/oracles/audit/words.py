"""Deletion of single words by brute force: every changed corpus is scored as a whole."""

from collections.abc import Callable, Sequence

Score = Callable[[list[str]], float]
"""How good the outputs for all segments are; more is better."""


def effects(outputs: Sequence[str], score: Score) -> dict[tuple[int, int], float]:
    """(segment, word) → what is gained by deleting it."""
    before = score(list(outputs))
    return {
        (i, k): score(without(outputs, i, k)) - before
        for i, text in enumerate(outputs)
        for k in range(len(text.split()))
    }


def without(outputs: Sequence[str], segment: int, word: int) -> list[str]:
    parts = outputs[segment].split()
    shorter = " ".join(parts[:word] + parts[word + 1 :])
    return [*outputs[:segment], shorter, *outputs[segment + 1 :]]


def greedy(outputs: Sequence[str], score: Score) -> tuple[list[tuple[int, int]], float]:
    """Segments by their best deletion alone; of each the best beside those chosen, if it gains."""
    alone = effects(outputs, score)
    segments = sorted(
        {i for i, _ in alone}, key=lambda i: -max(v for (j, _), v in alone.items() if j == i)
    )
    now, chosen = list(outputs), []
    for i in segments:
        options = [without(now, i, k) for k in range(len(now[i].split()))]
        best = max(range(len(options)), key=lambda k: score(options[k]))
        if score(options[best]) > score(now) + 1e-9 * max(1, abs(score(now))):
            now = options[best]
            chosen.append((i, best))
    return chosen, score(now)
