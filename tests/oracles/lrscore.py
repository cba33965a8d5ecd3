"""LRscore as Birch & Osborne (2010) write it."""

from math import exp, sqrt

from tests.oracles.bleu import bleu

Points = list[tuple[int, int]]
Aligned = tuple[list[str], Points]
"""The words of a translation, and the points (source word, target word)."""


def permutation(points: Points, length: int) -> list[int]:
    """π(i): the place of source word i in the order of the target."""
    target: list[int] = []
    for i in range(length):
        aligned = [t for s, t in points if s == i]
        # one source word, many target words: the first; none: beside the word before
        target.append(min(aligned) if aligned else target[-1] if target else 0)
    # many source words, one target word: in the order of the source
    return [
        sum(target[j] < target[i] or (target[j] == target[i] and j < i) for j in range(length))
        for i in range(length)
    ]


def kendall(pi: list[int], sigma: list[int]) -> float:
    """d_k = 1 − √(Σ_ij z_ij / Z), z_ij = 1 if π(i) < π(j) and σ(i) > σ(j), Z = (n² − n)/2."""
    n = len(pi)
    z = sum(pi[i] < pi[j] and sigma[i] > sigma[j] for i in range(n) for j in range(n))
    return 1 - sqrt(z / ((n * n - n) / 2)) if n > 1 else 1.0


def hamming(pi: list[int], sigma: list[int]) -> float:
    """d_h = 1 − Σ x_i / n, x_i = 0 if π(i) = σ(i), else 1."""
    n = len(pi)
    return 1 - sum(pi[i] != sigma[i] for i in range(n)) / n if n else 1.0


def brevity(translation: int, reference: int) -> float:
    """BP = 1 if t > r, else exp(1 − r/t)."""
    return 1.0 if translation > reference else exp(1 - reference / translation)


def lrscore(
    segments: list[tuple[Aligned, list[Aligned]]], *, alpha: float, distance: str, order: int
) -> float:
    """α·R + (1 − α)·BLEU, R the mean of the best d·BP of each segment; no empty texts."""
    measure = {"kendall": kendall, "hamming": hamming}[distance]
    found = []
    for hypothesis, references in segments:
        points = [point for _, points in (hypothesis, *references) for point in points]
        n = max((source + 1 for source, _ in points), default=0)
        found.append(
            max(
                measure(permutation(hypothesis[1], n), permutation(reference[1], n))
                * brevity(len(hypothesis[0]), len(reference[0]))
                for reference in references
            )
        )
    words = [(h[0], [r[0] for r in references]) for h, references in segments]
    return alpha * 100 * sum(found) / len(found) + (1 - alpha) * bleu(words, order=order)
