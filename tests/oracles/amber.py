"""AMBER as Chen and Kuhn (2011) write it, one function per formula; slow on purpose."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import exp, log, prod

from tertium.metrics.amber.matches import Affixes
from tertium.metrics.amber.metric import Amber
from tertium.metrics.amber.quality import PENALTIES
from tests.oracles.bleu import Segments

Gram = tuple[str | None, ...]
"""Words; None stands for a gap."""

# Section 2.5: input preprocessing --------------------------------------------------------------


def split_by_affixes(word: str, affixes: Affixes) -> list[str]:
    """Prefix, root, suffix: the split of which the lists know the most letters."""
    best, parts = (0, 0, 0), [word]
    for begin in range(len(word)):
        for end in range(begin + 1, len(word) + 1):
            prefix, root, suffix = word[:begin], word[begin:end], word[end:]
            if (prefix and prefix not in affixes.prefixes) or (
                suffix and suffix not in affixes.suffixes
            ):
                continue
            known = len(root) if root in affixes.roots else 0
            if not known and len(root) < 4:
                continue
            merit = (len(prefix) + known + len(suffix), known, len(prefix))
            if merit > best:
                best, parts = merit, [part for part in (prefix, root, suffix) if part]
    return parts


def typed(words: list[str], number: int, affixes: Affixes, short_word: int = 4) -> list[str]:
    """The words of a text of that type; all but type 0 get lower-cased words."""
    pieces: dict[int, Callable[[str], list[str]]] = {
        0: lambda word: [word],
        1: lambda word: [word],
        2: lambda word: [word[:4]],
        3: lambda word: [word[-4:]],
        4: lambda word: [word[:4], word[-2:]] if len(word) > 4 else [word],
        5: lambda word: [word[i : i + 4] for i in range(0, len(word), 4)],
        6: lambda word: split_by_affixes(word, affixes),
        7: lambda word: [word] if len(word) >= short_word else [],
    }
    return [piece for word in words for piece in pieces[number](word)]


# Section 2.4: matching strategies --------------------------------------------------------------


def gapped(words: list[str], n: int, gaps: Sequence[int]) -> Iterator[Gram]:
    """n words with one gap of one of the given sizes, at any of the n − 1 places."""
    for place in range(1, n):
        for gap in gaps:
            for i in range(len(words) - n - gap + 1):
                after = i + place + gap
                yield (*words[i : i + place], None, *words[after : after + n - place])


def skipping(words: list[str], n: int, limit: int | None) -> Iterator[Gram]:
    """n words in their order, with at most `limit` words left out between them."""
    for places in combinations(range(len(words)), n):
        left_out = places[-1] - places[0] + 1 - n
        if limit is None or left_out <= limit:
            yield tuple(words[i] for i in places)


def grams_of(strategy: str, words: list[str], n: int, limit: int | None) -> Counter[Gram]:
    """The multiset of n-grams under one strategy."""
    if n == 1 or strategy == "ngram":
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
    if strategy == "fixed-gap":
        return Counter(gapped(words, n, [1]))
    if strategy == "flexible-gap":
        return Counter(gapped(words, n, range(1, len(words))))
    return Counter(skipping(words, n, limit))


# Section 2.3: term weighting -------------------------------------------------------------------

Weight = Callable[[Gram], float]


def unweighted(gram: Gram) -> float:
    """Every n-gram counts one."""
    return 1.0 if gram else 0.0


def tf_idf(segments: Segments) -> Weight:
    """The mean of ln(1 + S / max(1, df)) over the words of an n-gram."""
    frequency = Counter(
        word
        for _, references in segments
        for word in {word for text in references for word in text}
    )

    def weight(gram: Gram) -> float:
        words = [word for word in gram if word is not None]
        return sum(log(1 + len(segments) / max(1, frequency[word])) for word in words) / len(words)

    return weight


def total(counts: Counter[Gram], weight: Weight) -> float:
    """The weighted number of n-grams."""
    return sum(count * weight(gram) for gram, count in counts.items())


# Section 2.1: the score ------------------------------------------------------------------------


def union(strategy: str, references: list[list[str]], n: int, limit: int | None) -> Counter[Gram]:
    """Each n-gram as often as the reference has it that has it most often."""
    counts: Counter[Gram] = Counter()
    for reference in references:
        counts |= grams_of(strategy, reference, n, limit)
    return counts


def precision(
    segments: Segments, strategy: str, n: int, limit: int | None, weight: Weight
) -> float | None:
    """Equation 2 under one strategy; none without n-grams."""
    matched = found = 0.0
    for hypothesis, references in segments:
        counts = grams_of(strategy, hypothesis, n, limit)
        matched += total(counts & union(strategy, references, n, limit), weight)
        found += total(counts, weight)
    return matched / found if found else None


def recall(segments: Segments, n: int, weight: Weight) -> float | None:
    """Equation 3: plain n-grams only; none where neither side has any."""
    matched = expected = found = 0.0
    for hypothesis, references in segments:
        counts, others = grams_of("ngram", hypothesis, n, None), union("ngram", references, n, None)
        matched += total(counts & others, weight)
        expected += total(others, weight)
        found += total(counts, weight)
    if expected:
        return matched / expected
    return 0.0 if found else None


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def f_measure(p: float, r: float, alpha: float) -> float:
    """P·R / (αP + (1 − α)R)."""
    below = alpha * p + (1 - alpha) * r
    return p * r / below if below else 0.0


def quality(segments: Segments, options: Amber, weight: Weight) -> float:
    """Equations 4 to 9."""
    precisions: dict[int, float] = {}
    recalls: dict[int, float] = {}
    for n in range(1, max(options.order, options.recall_order) + 1):
        r = recall(segments, n, weight)
        if r is None:
            continue
        recalls[n] = r
        by_strategy = [
            p
            for strategy in options.strategies
            if (p := precision(segments, strategy, n, options.skip_limit, weight)) is not None
        ]
        too_short = all(len(hypothesis) < n for hypothesis, _ in segments)
        if n <= options.order and (by_strategy or too_short):
            precisions[n] = mean(by_strategy)
    if not precisions:
        return 0.0
    average_precision = prod(precisions.values()) ** (1 / len(precisions))
    f_mean = f_measure(
        mean(list(precisions.values())),
        mean([r for n, r in recalls.items() if n <= options.recall_order]),
        options.alpha,
    )
    average_f = mean([f_measure(p, recalls[n], options.alpha) for n, p in precisions.items()])
    rest = 1 - options.theta1 - options.theta2
    return options.theta1 * average_precision + options.theta2 * f_mean + rest * average_f


# Section 2.2: the penalties --------------------------------------------------------------------

Pairs = list[tuple[list[str], list[str]]]
"""Hypothesis and closest reference of each segment."""


def closest(hypothesis: list[str], references: list[list[str]]) -> list[str]:
    """The reference closest in length, the shorter of two."""
    return min(references, key=lambda words: (abs(len(words) - len(hypothesis)), len(words)))


def phi(larger: float, smaller: float) -> float:
    """exp(1 − larger / smaller)."""
    if smaller == 0:
        return 1.0 if larger == 0 else 0.0
    return exp(1 - larger / smaller)


def length_penalties(pairs: Pairs, length: Callable[[list[str]], int]) -> tuple[float, float]:
    """Equations 11 and 12: strict brevity and strict redundancy."""
    lengths = [(length(t), length(r)) for t, r in pairs]
    reference = sum(r for _, r in lengths)
    brevity = phi(reference, sum(min(t, r) for t, r in lengths))
    redundancy = phi(sum(max(t, r) for t, r in lengths), reference)
    return brevity, redundancy


def difference_penalty(pairs: Pairs, counts: Callable[[str], bool]) -> float:
    """Equation 15: exp(−Σ|a − b| / #unigrams(r))."""
    differences = sum(abs(sum(map(counts, t)) - sum(map(counts, r))) for t, r in pairs)
    unigrams = sum(len(r) for _, r in pairs)
    if unigrams == 0:
        return 1.0 if differences == 0 else 0.0
    return exp(-differences / unigrams)


def matched_grams(segments: Segments, n: int) -> list[int]:
    """Plain n-grams matched in each segment."""
    return [
        (grams_of("ngram", hypothesis, n, None) & union("ngram", references, n, None)).total()
        for hypothesis, references in segments
    ]


def chunk_penalty(matched_words: int, matched_bigrams: int, beta: float, gamma: float) -> float:
    """Equation 13, with #chunks = #matched words − #matched bigrams."""
    if matched_words == 0:
        return 1.0
    chunks = max(0, matched_words - matched_bigrams)
    return float(max(0.0, 1 - gamma * (chunks / matched_words) ** beta))


def continuity_ratio(segments: Segments, n: int) -> float:
    """#n-grams / (#(n − 1)-grams − #segments) matched, at most 1."""
    shorter = matched_grams(segments, n - 1)
    followed = sum(shorter) - sum(matched > 0 for matched in shorter)
    if followed == 0:
        any_hypothesis = any(len(hypothesis) >= n for hypothesis, _ in segments)
        any_reference = any(len(text) >= n for _, references in segments for text in references)
        return 0.0 if any_hypothesis and any_reference else 1.0
    return min(1.0, sum(matched_grams(segments, n)) / followed)


def continuity_penalty(segments: Segments, order: int, reading: str) -> float:
    """Equation 14 as it is printed, or in one of its other readings."""
    if order == 1:
        return 1.0
    ratios = [continuity_ratio(segments, n) for n in range(2, order + 1)]
    if reading == "inverted" and min(ratios) == 0:
        return 0.0
    return {
        "printed": lambda: exp(1 - sum(ratios) / order),
        "mean": lambda: exp(1 - mean(ratios)),
        "restored": lambda: exp(mean(ratios) - 1),
        "inverted": lambda: exp(1 - mean([1 / one for one in ratios])),
    }[reading]()


def places(part: list[str], text: list[str]) -> list[int]:
    """Where the part begins in the text."""
    starts = range(len(text) - len(part) + 1)
    return [start for start in starts if text[start : start + len(part)] == part]


def contexts(text: list[str], i: int) -> Iterator[tuple[int, list[str]]]:
    """The word alone, then with its neighbours, left before right; and its place in them."""
    yield 0, text[i : i + 1]
    for width in range(1, len(text)):
        if width <= i:
            yield width, text[i - width : i + 1]
        if i + width < len(text):
            yield 0, text[i : i + width + 1]


def correspondence(hypothesis: list[str], reference: list[str]) -> list[int]:
    """The reference positions of the words common to both, in the order of the hypothesis.

    A word stands for the one whose growing context is the first to be unique in both texts,
    as in RIBES (Isozaki et al. 2010); of two that reach the same word the first has it.
    """
    positions: list[int] = []
    for i, word in enumerate(hypothesis):
        if word not in reference:
            continue
        for offset, context in contexts(hypothesis, i):
            found = places(context, reference)
            if len(found) == 1 and len(places(context, hypothesis)) == 1:
                if found[0] + offset not in positions:
                    positions.append(found[0] + offset)
                break
    return positions


def ranks(positions: list[int]) -> list[int]:
    """1 for the smallest."""
    return [sorted(positions).index(position) + 1 for position in positions]


def spearman(rank_vector: list[int], form: str) -> float:
    """Equation 16 as published, or with the 6 of Spearman's own coefficient."""
    n = len(rank_vector)
    squares = sum((rank - i) ** 2 for i, rank in enumerate(rank_vector, 1))
    return 1 - (6 if form == "standard" else 1) * squares / (n * (n + 1) * (n - 1))


def kendall(rank_vector: list[int]) -> float:
    """Equation 18."""
    pairs = list(combinations(rank_vector, 2))
    return 2 * sum(first < second for first, second in pairs) / len(pairs) - 1


def order_penalties(pairs: Pairs, form: str) -> tuple[float, float]:
    """Equations 17 and 19: means over segments; 1 with fewer than two common words."""
    by_segment = []
    for hypothesis, reference in pairs:
        rank_vector = ranks(correspondence(hypothesis, reference))
        if len(rank_vector) < 2:
            by_segment.append((1.0, 1.0))
        else:
            rho, tau = spearman(rank_vector, form), kendall(rank_vector)
            by_segment.append(((1 + rho) / 2, (1 + tau) / 2))
    return mean([nscp for nscp, _ in by_segment]), mean([nkcp for _, nkcp in by_segment])


def penalties(segments: Segments, options: Amber) -> dict[str, float]:
    """All ten, raw."""
    pairs = [(hypothesis, closest(hypothesis, references)) for hypothesis, references in segments]
    sbp, srp = length_penalties(pairs, len)
    csbp, csrp = length_penalties(pairs, lambda words: sum(map(len, words)))
    nscp, nkcp = order_penalties(pairs, options.spearman)
    matched_words, matched_bigrams = (sum(matched_grams(segments, n)) for n in (1, 2))
    return {
        "sbp": sbp,
        "srp": srp,
        "csbp": csbp,
        "csrp": csrp,
        "swdp": difference_penalty(pairs, lambda word: len(word) < options.short_word),
        "lwdp": difference_penalty(pairs, lambda word: len(word) >= options.short_word),
        "ckp": chunk_penalty(matched_words, matched_bigrams, options.ckp_beta, options.ckp_gamma),
        "ctp": continuity_penalty(segments, options.order, options.continuity),
        "nscp": nscp,
        "nkcp": nkcp,
    }


# Equations 1 and 10, and the average over runs -------------------------------------------------


def run(segments: Segments, options: Amber, weighting: str) -> float | None:
    """Score × penalty on text of one type; none if neither side has a word."""
    weight = tf_idf(segments) if weighting == "tf-idf" else unweighted
    filled = [
        (hypothesis, references)
        for hypothesis, references in segments
        if hypothesis or closest(hypothesis, references)
    ]
    if not filled:
        return None
    weights: dict[str, float] = {name: getattr(options, name) for name in PENALTIES}
    penalty: float = prod(
        value ** weights[name] for name, value in penalties(filled, options).items()
    )
    return min(1.0, quality(filled, options, weight) * penalty)


def amber(segments: Segments, options: Amber, affixes: Affixes) -> float:
    """The mean over text types, and over runs without and with tf-idf, 0 to 100.

    Runs that see no word say nothing; if none of them does, nothing is wrong.
    """
    values: list[float | None] = []
    for number in options.types:

        def prepared(words: list[str], number: int = number) -> list[str]:
            lower = words if number == 0 else [word.lower() for word in words]
            return typed(lower, number, affixes, options.short_word)

        text = [
            (prepared(hypothesis), [prepared(words) for words in references])
            for hypothesis, references in segments
        ]
        values += [run(text, options, weighting) for weighting in options.tfidf.split("+")]
    seen = [value for value in values if value is not None]
    return 100 * mean(seen) if seen else 100.0
