"""Minimum Bayes risk decoding: utilities of all pairs of a list, and the choice.

``segments`` are candidates here, so the pairs are their square.
"""

from importlib.util import find_spec
from typing import Final

from case import Case, Peer

SIZES: Final = (128, 1_024)
WORDS: Final = 22
"""About as long as the candidates are."""


def candidates_of(hypotheses: list[str], references: list[str]) -> list[str]:
    """One reference, of which another stretch comes from each hypothesis: much is shared."""
    base = min((text.split() for text in references), key=lambda words: abs(len(words) - WORDS))
    texts = []
    for number, hypothesis in enumerate(hypotheses):
        start = number * 5 % len(base)
        other = hypothesis.split()[:7]
        texts.append(" ".join([*base[:start], *other, *base[start + 7 :], str(number)]))
    return texts


def our_choice(utility: str, candidates: list[str]) -> float:
    """The expected utility of our choice."""
    from tertium.decode.mbr.lists import mbr

    return mbr(candidates, utility).score


def bleu(hypotheses: list[str], references: list[str]) -> float:
    """Our choice by BLEU."""
    return our_choice("bleu", candidates_of(hypotheses, references))


def sacrebleu_bleu(hypotheses: list[str], references: list[str]) -> float:
    """The same double loop over sacreBLEU's sentence scores."""
    from sacrebleu.metrics.bleu import BLEU

    candidates = candidates_of(hypotheses, references)
    score = BLEU(effective_order=True).sentence_score
    return max(
        sum(score(candidate, [reference]).score for reference in candidates) / len(candidates)
        for candidate in candidates
    )


def mbrs_bleu(hypotheses: list[str], references: list[str]) -> float:
    """The choice of mbrs on as many processes as we have threads."""
    from os import sched_getaffinity

    from mbrs.decoders.mbr import DecoderMBR
    from mbrs.metrics.bleu import MetricBLEU

    candidates = candidates_of(hypotheses, references)
    metric = MetricBLEU(MetricBLEU.Config(num_workers=len(sched_getaffinity(0))))
    return float(DecoderMBR(DecoderMBR.Config(), metric).decode(candidates, candidates).score[0])


def chrf(hypotheses: list[str], references: list[str]) -> float:
    """Our choice by chrF."""
    return our_choice("chrf", candidates_of(hypotheses, references))


def fastchrf_chrf(hypotheses: list[str], references: list[str]) -> float:
    """The best mean of fastchrf's pairwise scores."""
    from fastchrf import pairwise_chrf

    candidates = candidates_of(hypotheses, references)
    (matrix,) = pairwise_chrf([candidates], [candidates])
    return float(max(sum(row) / len(candidates) for row in matrix))


def ter(hypotheses: list[str], references: list[str]) -> float:
    """Our choice by TER."""
    return our_choice("ter", candidates_of(hypotheses, references))


def meteor(hypotheses: list[str], references: list[str]) -> float:
    """Our choice by METEOR."""
    return our_choice("meteor", candidates_of(hypotheses, references))


def meteor_one_by_one(hypotheses: list[str], references: list[str]) -> float:
    """The same, with every pair of texts as a segment of one large corpus."""
    import numpy as np

    from tertium.metrics.contract.table import parse_metric

    candidates, metric = candidates_of(hypotheses, references), parse_metric("meteor")
    rows = metric.statistics(
        [one for one in candidates for _ in candidates], candidates * len(candidates)
    )
    size = len(candidates)
    return float(np.max(metric.score(rows).reshape(size, size).mean(axis=1)))


def grr(hypotheses: list[str], references: list[str]) -> float:
    """Our choice by 4-GRR."""
    return our_choice("grr", candidates_of(hypotheses, references))


# mbrs wants a torch and setuptools < 81, so it is measured only where somebody installed it.
_MBRS: Final = (Peer(name="mbrs", work=mbrs_bleu, at_least=100),) if find_spec("mbrs") else ()

CASES: Final = (
    Case(
        name="mbr-bleu",
        title="MBR by BLEU, candidates",
        ours=bleu,
        peers=(Peer(name="sacreBLEU", work=sacrebleu_bleu, at_least=100), *_MBRS),
        sizes=SIZES,
    ),
    Case(
        name="mbr-chrf",
        title="MBR by chrF, candidates",
        ours=chrf,
        peers=(Peer(name="fastchrf", work=fastchrf_chrf, at_least=5),),
        sizes=SIZES,
    ),
    Case(
        name="mbr-ter",
        title="MBR by TER, candidates",
        ours=ter,
        peers=(Peer(name="our GRR", work=grr, same_score=False, uses_our_threads=True),),
        sizes=SIZES[:1],
    ),
    Case(
        name="mbr-meteor",
        title="MBR by METEOR, candidates",
        ours=meteor,
        peers=(Peer(name="pair by pair", work=meteor_one_by_one, uses_our_threads=True),),
        sizes=SIZES[:1],
    ),
)
