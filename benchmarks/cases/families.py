"""The other metric families, from Python strings."""

from typing import Final

from case import Case, Peer, Strings

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


def _case(name: str, title: str, ours: Strings, peer: Peer) -> Case:
    return Case(name=name, title=f"{title}, strings", ours=ours, peers=(peer,), sizes=SIZES)


def _peer(name: str, work: Strings) -> Peer:
    """One whose scores are not ours: other rules, or a mean instead of a sum."""
    return Peer(name=name, work=work, at_least=50, same_score=False)


CASES: Final = (
    _case("ter", "TER", ter, Peer(name="sacreBLEU", work=sacrebleu_ter, at_least=100)),
    _case("chrf", "chrF2", chrf, Peer(name="sacreBLEU", work=sacrebleu_chrf, at_least=100)),
    _case(
        "chrf++",
        "chrF++",
        chrf_plus,
        Peer(name="sacreBLEU", work=sacrebleu_chrf_plus, at_least=100),
    ),
    _case("rouge-l", "ROUGE-L", rouge_l, _peer("rouge-score", rouge_score_l)),
    _case("nist", "NIST", nist, _peer("NLTK", nltk_nist)),
    _case("ribes", "RIBES", ribes, _peer("NLTK", nltk_ribes)),
    _case(
        "gtm",
        "GTM",
        gtm,
        Peer(name="our BLEU", work=bleu, same_score=False, uses_our_threads=True),
    ),
)
