"""Error and recognition rates from Python strings, words as they stand between spaces."""

from typing import Final

from case import Case, Peer


def wer(hypotheses: list[str], references: list[str]) -> float:
    """Our word error rate."""
    import tertium

    return tertium.score(hypotheses, references, "wer[tokenizer=none]").value


def per(hypotheses: list[str], references: list[str]) -> float:
    """Our position-independent error rate."""
    import tertium

    return tertium.score(hypotheses, references, "per[tokenizer=none]").value


def grr(hypotheses: list[str], references: list[str]) -> float:
    """Our k-gram recognition rate."""
    import tertium

    return tertium.score(hypotheses, references, "grr[tokenizer=none]").value


def jiwer_wer(hypotheses: list[str], references: list[str]) -> float:
    """Word error rate of jiwer."""
    import jiwer

    return 100 * float(jiwer.wer(references, hypotheses))


def rapidfuzz_wer(hypotheses: list[str], references: list[str]) -> float:
    """Split and measured pair by pair: keeping all words first would cost it more."""
    from rapidfuzz.distance import Levenshtein

    edits = words = 0
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        tokens = reference.split()
        edits += Levenshtein.distance(hypothesis.split(), tokens)
        words += len(tokens)
    return 100 * edits / words


CASES: Final = (
    Case(
        name="wer",
        title="WER, strings",
        ours=wer,
        peers=(
            Peer(name="jiwer", work=jiwer_wer, at_least=20),
            Peer(name="rapidfuzz", work=rapidfuzz_wer, at_least=1.5),
        ),
    ),
    Case(
        name="per",
        title="PER, strings",
        ours=per,
        peers=(Peer(name="our WER", work=wer, same_score=False, uses_our_threads=True),),
    ),
    Case(
        name="grr",
        title="GRR, strings",
        ours=grr,
        peers=(
            Peer(name="our WER", work=wer, at_least=1 / 6, same_score=False, uses_our_threads=True),
        ),
    ),
)
