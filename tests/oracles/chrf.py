"""chrF as Popović (2015) writes it, with sacreBLEU's averaging."""

from collections import Counter


def grams(text: str, n: int) -> Counter[str]:
    """Character n-grams of a text without its blanks."""
    letters = "".join(text.split())
    return Counter(letters[i : i + n] for i in range(len(letters) - n + 1))


def chrf(pairs: list[tuple[str, str]], *, order: int = 6, beta: float = 2.0) -> float:
    """F_β of mean precision and mean recall over the orders that both sides have."""
    precisions, recalls = [], []
    for n in range(1, order + 1):
        found = [(grams(hypothesis, n), grams(reference, n)) for hypothesis, reference in pairs]
        matches = sum((hypothesis & reference).total() for hypothesis, reference in found)
        hypothesis_total = sum(h.total() for h, r in found if r)
        reference_total = sum(r.total() for _, r in found)
        if hypothesis_total and reference_total:
            precisions.append(matches / hypothesis_total)
            recalls.append(matches / reference_total)
    if not precisions:
        return 0.0
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    denominator = beta**2 * precision + recall
    return 100 * (1 + beta**2) * precision * recall / denominator if denominator else 0.0
