"""The other metric families, from Python strings."""

from typing import Final

from case import Case, Peer

SIZES: Final = (3_000,)


def our_score(metric: str, hypotheses: list[str], references: list[str]) -> float:
    """Our corpus score."""
    import tertium

    return tertium.score(hypotheses, references, metric).value


def chrf(hypotheses: list[str], references: list[str]) -> float:
    """Our chrF2."""
    return our_score("chrf", hypotheses, references)


def sacrebleu_chrf(hypotheses: list[str], references: list[str]) -> float:
    """SacreBLEU's chrF2."""
    from sacrebleu.metrics.chrf import CHRF

    return float(CHRF().corpus_score(hypotheses, [references]).score)


def chrf_plus(hypotheses: list[str], references: list[str]) -> float:
    """Our chrF++."""
    return our_score("chrf[word_order=2]", hypotheses, references)


def sacrebleu_chrf_plus(hypotheses: list[str], references: list[str]) -> float:
    """SacreBLEU's chrF++."""
    from sacrebleu.metrics.chrf import CHRF

    return float(CHRF(word_order=2).corpus_score(hypotheses, [references]).score)


def ter(hypotheses: list[str], references: list[str]) -> float:
    """Our TER."""
    return our_score("ter", hypotheses, references)


def sacrebleu_ter(hypotheses: list[str], references: list[str]) -> float:
    """SacreBLEU's TER."""
    from sacrebleu.metrics.ter import TER

    return float(TER().corpus_score(hypotheses, [references]).score)


def rouge_l(hypotheses: list[str], references: list[str]) -> float:
    """Our ROUGE-L."""
    return our_score("rouge-l", hypotheses, references)


def rouge_score_l(hypotheses: list[str], references: list[str]) -> float:
    """The mean of rouge-score's ROUGE-L."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"])
    pairs = zip(hypotheses, references, strict=True)
    scores = [
        scorer.score(reference, hypothesis)["rougeL"].fmeasure for hypothesis, reference in pairs
    ]
    return 100 * float(sum(scores)) / len(scores)


def nist(hypotheses: list[str], references: list[str]) -> float:
    """Our NIST of words between spaces."""
    return our_score("nist[tokenizer=none]", hypotheses, references)


def nltk_nist(hypotheses: list[str], references: list[str]) -> float:
    """NLTK's corpus NIST."""
    from nltk.translate.nist_score import corpus_nist

    words = [hypothesis.split() for hypothesis in hypotheses]
    return float(corpus_nist([[reference.split()] for reference in references], words))


def ribes(hypotheses: list[str], references: list[str]) -> float:
    """Our RIBES of words between spaces."""
    return our_score("ribes[tokenizer=none]", hypotheses, references)


def nltk_ribes(hypotheses: list[str], references: list[str]) -> float:
    """NLTK's corpus RIBES."""
    from nltk.translate.ribes_score import corpus_ribes

    words = [hypothesis.split() for hypothesis in hypotheses]
    return 100 * float(corpus_ribes([[reference.split()] for reference in references], words))


def gtm(hypotheses: list[str], references: list[str]) -> float:
    """Our GTM; the original is not to be had as a package, so it stands beside our BLEU."""
    return our_score("gtm", hypotheses, references)


def bleu(hypotheses: list[str], references: list[str]) -> float:
    """Our BLEU."""
    return our_score("bleu", hypotheses, references)


CASES: Final = (
    Case(
        name="ter",
        title="TER, strings",
        ours=ter,
        peers=(Peer(name="sacreBLEU", work=sacrebleu_ter, at_least=100),),
        sizes=SIZES,
    ),
    Case(
        name="chrf",
        title="chrF2, strings",
        ours=chrf,
        peers=(Peer(name="sacreBLEU", work=sacrebleu_chrf, at_least=100),),
        sizes=SIZES,
    ),
    Case(
        name="chrf++",
        title="chrF++, strings",
        ours=chrf_plus,
        peers=(Peer(name="sacreBLEU", work=sacrebleu_chrf_plus, at_least=100),),
        sizes=SIZES,
    ),
    Case(
        name="rouge-l",
        title="ROUGE-L, strings",
        ours=rouge_l,
        peers=(Peer(name="rouge-score", work=rouge_score_l, at_least=50, same_score=False),),
        sizes=SIZES,
    ),
    Case(
        name="nist",
        title="NIST, strings",
        ours=nist,
        peers=(Peer(name="NLTK", work=nltk_nist, at_least=50, same_score=False),),
        sizes=SIZES,
    ),
    Case(
        name="ribes",
        title="RIBES, strings",
        ours=ribes,
        peers=(Peer(name="NLTK", work=nltk_ribes, at_least=50, same_score=False),),
        sizes=SIZES,
    ),
    Case(
        name="gtm",
        title="GTM, strings",
        ours=gtm,
        peers=(Peer(name="our BLEU", work=bleu, same_score=False, uses_our_threads=True),),
        sizes=SIZES,
    ),
)
