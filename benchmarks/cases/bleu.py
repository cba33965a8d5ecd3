"""BLEU from Python strings."""

from typing import Final

from case import Case, Peer


def corpus_bleu(hypotheses: list[str], references: list[str]) -> float:
    """Our corpus BLEU."""
    import tertium

    return tertium.score(hypotheses, references).value


def sacrebleu_corpus(hypotheses: list[str], references: list[str]) -> float:
    """Corpus BLEU of sacreBLEU."""
    from sacrebleu.metrics.bleu import BLEU

    return float(BLEU().corpus_score(hypotheses, [references]).score)


def segment_bleu(hypotheses: list[str], references: list[str]) -> float:
    """The mean of our segment scores."""
    import tertium

    segments = tertium.score(hypotheses, references, segments=True).segments
    if segments is None:
        raise RuntimeError("segments=True gave no segment scores")
    return float(segments.mean())


def sacrebleu_segments(hypotheses: list[str], references: list[str]) -> float:
    """The mean of what sacreBLEU's sentence_bleu gives."""
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(effective_order=True)
    pairs = zip(hypotheses, references, strict=True)
    scores = [
        metric.sentence_score(hypothesis, [reference]).score for hypothesis, reference in pairs
    ]
    return sum(scores) / len(scores)


def nltk_segments(hypotheses: list[str], references: list[str]) -> float:
    """Words between spaces; method 3 is the smoothing that sacreBLEU calls exp."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smoothing = SmoothingFunction().method3
    scores = [
        sentence_bleu([reference.split()], hypothesis.split(), smoothing_function=smoothing)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    return 100 * float(sum(scores)) / len(scores)


CASES: Final = (
    Case(
        name="corpus-bleu",
        title="corpus BLEU, 13a, strings",
        ours=corpus_bleu,
        peers=(Peer(name="sacreBLEU", work=sacrebleu_corpus, at_least=100),),
    ),
    Case(
        name="segment-bleu",
        title="segment BLEU, 13a, strings",
        ours=segment_bleu,
        peers=(
            Peer(name="sacreBLEU", work=sacrebleu_segments, at_least=100),
            Peer(name="NLTK", work=nltk_segments, same_score=False),
        ),
    ),
)
