"""The functions of sacreBLEU's oldest interface, still the most used."""

# ruff: noqa: FBT001, FBT002, PLR0917 - arguments stand where sacreBLEU has them

from collections.abc import Sequence

from tertium.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from tertium.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from tertium.compat.sacrebleu.metrics.ter import TER, TERScore
from tertium.compat.sacrebleu.shapes import Stream


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Stream],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """BLEU of a corpus; references are [reference set][segment]."""
    metric = BLEU(
        lowercase=lowercase,
        force=force,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Stream],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """BLEU of text that is tokenised already: split at spaces, ``floor`` smoothing."""
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """BLEU of one segment.

    >>> sentence_bleu("a small test", ["a small test", "a little test"]).score
    100.0
    """
    metric = BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.sentence_score(hypothesis, references)


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Stream],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Corpus chrF, or chrF++ with a ``word_order`` of 2."""
    whitespace = not remove_whitespace
    metric = CHRF(char_order, word_order, beta, whitespace=whitespace, eps_smoothing=eps_smoothing)
    return metric.corpus_score(hypotheses, references)


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """Segment chrF, or chrF++ with a ``word_order`` of 2.

    >>> sentence_chrf("a small test", ["a little test", "one small test"], word_order=2)
    chrF2++ = 67.47
    """
    whitespace = not remove_whitespace
    metric = CHRF(char_order, word_order, beta, whitespace=whitespace, eps_smoothing=eps_smoothing)
    return metric.sentence_score(hypothesis, references)


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Stream],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of a corpus."""
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.corpus_score(hypotheses, references)


def sentence_ter(
    hypothesis: str,
    references: Sequence[str | None],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> TERScore:
    """TER of one segment.

    >>> sentence_ter("a small test", ["a little test", "one small test"])
    TER = 33.33
    """
    metric = TER(normalized, no_punct, asian_support, case_sensitive)
    return metric.sentence_score(hypothesis, references)
