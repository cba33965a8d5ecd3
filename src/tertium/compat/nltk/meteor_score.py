"""``nltk.translate.meteor_score``: METEOR with the parameters of Lavie & Agarwal (2007).

Words match by form, then by stem, then by a synonym. NLTK matches from the end of the hypothesis
and takes the last free equal of each word, and does not look for the fewest chunks: tertium's
``meteor`` and ``meteor-0.6`` have the numbers of the programs.

Stemmer and WordNet are NLTK's unless others are given: ``stemmer`` has ``stem(word)``, ``wordnet``
has ``synsets(word)``, whose members have ``lemmas()`` with ``name()``.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

from tertium.errors import InputError, MissingExtraError

Numbered: TypeAlias = list[tuple[int, str]]
"""Words with their positions in the sentence."""
Matches: TypeAlias = list[tuple[int, int]]
"""Positions in hypothesis and reference."""
Matched: TypeAlias = tuple[Matches, Numbered, Numbered]
"""Matches, and the words of both sides that are left."""


class NotTokenizedError(InputError, TypeError):
    """A text was given where its words are expected."""


def meteor_score(
    references: Iterable[Iterable[str]],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None,
    wordnet: Any = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """METEOR of one segment, by the reference that gives most."""
    words = hypothesis if isinstance(hypothesis, str) else list(hypothesis)
    return max(
        single_meteor_score(reference, words, preprocess, stemmer, wordnet, alpha, beta, gamma)
        for reference in references
    )


def single_meteor_score(
    reference: Iterable[str],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None,
    wordnet: Any = None,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """(1 − γ (chunks / matches)^β) · PR / (αP + (1 − α)R); 0 without a match."""
    ours, theirs = _numbered(hypothesis, reference, preprocess)
    matches, _, _ = _aligned(ours, theirs, stemmer, wordnet)
    if not matches:
        return 0.0
    precision, recall = len(matches) / len(ours), len(matches) / len(theirs)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    penalty: float = gamma * (_chunks(matches) / len(matches)) ** beta
    return (1 - penalty) * mean


def exact_match(hypothesis: Iterable[str], reference: Iterable[str]) -> Matched:
    """Words that are equal in lower case, and what is left of both sides."""
    return _equal_words(*_numbered(hypothesis, reference))


def stem_match(hypothesis: Iterable[str], reference: Iterable[str], stemmer: Any = None) -> Matched:
    """Words with equal stems; what is left is left as stems."""
    return _equal_stems(*_numbered(hypothesis, reference), stemmer)


def wordnetsyn_match(
    hypothesis: Iterable[str], reference: Iterable[str], wordnet: Any = None
) -> Matched:
    """Words of the reference that are synonyms of one in the hypothesis."""
    return _synonyms(*_numbered(hypothesis, reference), wordnet)


def align_words(
    hypothesis: Iterable[str], reference: Iterable[str], stemmer: Any = None, wordnet: Any = None
) -> Matched:
    """Matches by form, stem and synonym, by position, and what is left of both sides."""
    return _aligned(*_numbered(hypothesis, reference), stemmer, wordnet)


def _numbered(
    hypothesis: Iterable[str],
    reference: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
) -> tuple[Numbered, Numbered]:
    for name, sentence in (("hypothesis", hypothesis), ("reference", reference)):
        if isinstance(sentence, str):
            raise NotTokenizedError(f"{name}: found the text '{sentence}', expected its words")
    return list(enumerate(map(preprocess, hypothesis))), list(enumerate(map(preprocess, reference)))


def _aligned(ours: Numbered, theirs: Numbered, stemmer: Any, wordnet: Any) -> Matched:
    equal, ours, theirs = _equal_words(ours, theirs)
    stems, ours, theirs = _equal_stems(ours, theirs, stemmer)
    synonyms, ours, theirs = _synonyms(ours, theirs, wordnet)
    return sorted(equal + stems + synonyms), ours, theirs


def _equal_words(ours: Numbered, theirs: Numbered) -> Matched:
    return _matched(ours, theirs, lambda word: (word,))


def _equal_stems(ours: Numbered, theirs: Numbered, stemmer: Any) -> Matched:
    if not ours and not theirs:
        return [], [], []
    stem = (stemmer or _stemmer()).stem
    return _equal_words(
        [(i, stem(word)) for i, word in ours], [(i, stem(word)) for i, word in theirs]
    )


def _synonyms(ours: Numbered, theirs: Numbered, wordnet: Any) -> Matched:
    if not ours or not theirs:
        return [], ours, theirs
    synsets = (wordnet or _wordnet()).synsets

    def names(word: str) -> set[str]:
        synonyms = {lemma.name() for synset in synsets(word) for lemma in synset.lemmas()}
        return {name for name in synonyms if "_" not in name} | {word}

    return _matched(ours, theirs, names)


def _matched(ours: Numbered, theirs: Numbered, equals: Callable[[str], Iterable[str]]) -> Matched:
    """From the end of the hypothesis, each word with the last free word that it equals."""
    free: dict[str, list[int]] = defaultdict(list)
    for index, (_, word) in enumerate(theirs):
        free[word].append(index)
    matches, used_ours, used_theirs = [], set(), set()
    for index in reversed(range(len(ours))):
        position, word = ours[index]
        last, equal = max(((free[e][-1], e) for e in equals(word) if free.get(e)), default=(-1, ""))
        if last >= 0:
            free[equal].pop()
            used_ours.add(index)
            used_theirs.add(last)
            matches.append((position, theirs[last][0]))
    return (
        matches,
        [pair for index, pair in enumerate(ours) if index not in used_ours],
        [pair for index, pair in enumerate(theirs) if index not in used_theirs],
    )


def _chunks(matches: Sequence[tuple[int, int]]) -> int:
    """Runs of matches that are neighbors on both sides."""
    return 1 + sum(
        later != (earlier[0] + 1, earlier[1] + 1) for earlier, later in pairwise(matches)
    )


@cache
def _stemmer() -> Any:
    try:
        from nltk.stem.porter import PorterStemmer
    except ModuleNotFoundError:
        raise MissingExtraError(
            "meteor_score: NLTK, whose Porter stemmer is the default, is not installed; "
            "pip install nltk, or give stemmer=…"
        ) from None
    return PorterStemmer()


@cache
def _wordnet() -> Any:
    try:
        from nltk.corpus import wordnet
    except ModuleNotFoundError:
        raise MissingExtraError(
            "meteor_score: NLTK, whose WordNet is the default, is not installed; "
            "pip install nltk, or give wordnet=…"
        ) from None
    try:
        wordnet.ensure_loaded()
    except LookupError:
        raise MissingExtraError(
            "meteor_score: NLTK's WordNet is not installed; python -m nltk.downloader wordnet, "
            "or give wordnet=…"
        ) from None
    return wordnet
