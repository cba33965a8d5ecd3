"""The best of eight candidates by chrF, against a loop over single ones.

``segments`` are sources here; each has eight candidates.
"""

from typing import Final

from case import Case, Peer

CANDIDATES: Final = 8


def lists_of(hypotheses: list[str]) -> list[list[str]]:
    """The hypothesis, and seven from which more and more is missing; quickly made."""
    return [[text[4 * place :] for place in range(CANDIDATES)] for text in hypotheses]


def ours(hypotheses: list[str], references: list[str]) -> float:
    """The sum of the best scores."""
    from tertium.decode.best_of import best_of

    return sum(one.score for one in best_of(lists_of(hypotheses), references, "chrf"))


def sacrebleu_loop(hypotheses: list[str], references: list[str]) -> float:
    """The same by sacreBLEU's score of one sentence."""
    from sacrebleu.metrics.chrf import CHRF

    score = CHRF().sentence_score
    pairs = zip(lists_of(hypotheses), references, strict=True)
    return float(sum(max(score(text, [one]).score for text in texts) for texts, one in pairs))


CASES: Final = (
    Case(
        name="best-of-chrf",
        title="best of 8 by chrF",
        ours=ours,
        peers=(Peer(name="sacreBLEU loop", work=sacrebleu_loop, at_least=90, by_cpu=True),),
        sizes=(3_000, 10_000),
    ),
)
