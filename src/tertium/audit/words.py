"""Audit: which single words could be left out? (Chiang et al. 2008, section 3.3, word deletion).

Every word of some segments is deleted by itself, and the whole corpus scored again: one segment's
row is exchanged. BLEU's matches of each order, before and after, say why a deletion pays: a word
that is gone lets its neighbours meet, or makes the output as short as the penalty allows.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import Case, Counts, equal_width
from tertium.audit.findings import Finding
from tertium.audit.outputs import cutting, hypotheses_of, spaced, words_of
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.word_metric import WordMetric
from tertium.metrics.ngram.bleu import Bleu
from tertium.text.corpus import System

NAME: Final = "words"
TRIED: Final = 2000
"""Words that are deleted for a metric, of all systems together; at least three segments of each."""
WORDS_OF_A_SEGMENT: Final = 25
WORDS_AT_ONCE: Final = 1_000_000
"""Words of all texts that one segment gives: it without each of its words is a text as long as it.
Of a segment of more than a thousand words, evenly spaced ones are tried."""
ORDER: Final = 4
LEAST_SHARE: Final = 0.01
"""Of the words that some reference has, those that can go without loss, or of all words those
whose deletion pays: worth a note."""

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordTrials:
    """Outputs without one word: of which system and segment, which word, and the whole output.

    ``wholes`` has each output that was tried once, and ``whole`` its place for every deletion;
    ``matches`` are the changes of BLEU's matches by order, (deletions, orders).
    """

    systems: Indices = field(repr=False)
    segments: Indices = field(repr=False)
    whole: Indices = field(repr=False)
    words: list[str] = field(repr=False)
    texts: list[str] = field(repr=False)
    wholes: list[str] = field(repr=False)
    matches: Counts = field(repr=False)
    segments_of_system: int

    def __len__(self) -> int:
        return len(self.texts)


def words(case: Case) -> list[Finding]:
    """One finding for the metric, if right words can go without loss, or any with a gain."""
    trials = trials_of(case)
    if not len(trials):
        return []
    changes = row_changes(case, trials)
    effects = effects_of(case, trials, changes)
    width = equal_width(float(np.abs(case.scores).max()))
    right = trials.matches[:, 0] < 0
    gains, free = effects > width, effects >= -width
    share = float((right & free).sum() / max(1, right.sum()))
    if max(share, float(gains.mean())) < LEAST_SHARE:
        return []
    systems = [_of_system(case, trials, changes, number) for number in range(len(case.systems))]
    told = right & free if (right & free).any() else gains
    example = int(np.argmax(np.where(told, effects, -np.inf)))
    name = case.names[int(trials.systems[example])]
    segment = int(trials.segments[example]) + 1
    gain = float(np.mean([system["gain"] for system in systems]))
    deleted = float(np.mean([system["deleted_share"] for system in systems]))
    return [
        Finding(
            audit=NAME,
            metric=case.metric.spec,
            systems=(),
            severity="note",
            size=share,
            numbers={
                "tried": len(trials),
                "segments_of_each_system": trials.segments_of_system,
                "with_gain": int(gains.sum()),
                "without_loss": int(free.sum()),
                "right": int(right.sum()),
                "right_with_gain": int((right & gains).sum()),
                "right_without_loss": int((right & free).sum()),
                "share": share,
                "match_changes": {
                    "with_gain": _by_order(trials, gains),
                    "right_without_loss": _by_order(trials, right & free),
                },
                "systems": dict(zip(case.names, systems, strict=True)),
                "example": {
                    "system": name,
                    "segment": segment,
                    "word": trials.words[example],
                    "effect": float(effects[example]),
                    "output": trials.wholes[int(trials.whole[example])],
                    "reference": case.corpus.references.of_segment(segment - 1)[0],
                    "match_changes": trials.matches[example].astype(int).tolist(),
                },
            },
            meaning=(
                f"A fact about the metric: of {right.sum()} single words that a reference has, "
                f"{share:.1%} can be deleted without loss, and {gains.mean():.1%} of all "
                f"{len(trials)} with a gain, such as “{trials.words[example]}” in {name}'s segment "
                f"{segment}. With the best word of each segment gone where that pays "
                f"({deleted:.1%} of the words) scores are {case.metric.shown(gain)} better on "
                "average."
            ),
            advice=(
                "Do not take a gain for a better translation where outputs became shorter; look "
                "at lengths, and at a metric that punishes every word that is missing."
            ),
        )
    ]


def trials_of(case: Case) -> WordTrials:
    """Every word of some segments, deleted by itself; shared by metrics that see the same words."""
    return case.kept_for_all(("single words", _kind(case)), lambda: _trials(case))


def row_changes(case: Case, trials: WordTrials) -> Rows:
    """What each deletion does to the row of its segment."""
    places = np.concatenate([trials.segments, _segments_of_wholes(trials)])
    corpus = case.kept_for_all(
        ("segments without a word", _kind(case)),
        lambda: case.corpus.taken(places.tolist()),
    )
    texts = System(name="without a word", hypotheses=[*trials.texts, *trials.wholes])
    rows = case.metric.rows_of(texts, corpus)
    # Held against the words as they were put together again, so that only the deletion counts.
    changes: Rows = rows[: len(trials)] - rows[len(trials) :][trials.whole]
    return changes


def effects_of(case: Case, trials: WordTrials, changes: Rows) -> Counts:
    """By how much each deletion, by itself, makes its system's corpus score better."""
    totals = case.rows.sum(axis=1)
    after = case.metric.score(totals[trials.systems] + changes)
    effects: Counts = case.sign * (after - case.scores[trials.systems])
    return effects


def best_deletions(case: Case, trials: WordTrials, changes: Rows, number: int) -> list[int]:
    """Of each segment at most one deletion that still makes the score better, greedily.

    Segments come in the order of their best deletion alone; each takes the one that is best beside
    those before it. Every segment that was tried stands for as many as there are of it.
    """
    mine = np.flatnonzero(trials.systems == number)
    total = case.rows[number].sum(axis=0)
    score = float(case.sign * case.metric.score(total))
    alone = case.sign * case.metric.score(_changed(case, trials, total, changes[mine])) - score
    groups = [
        mine[trials.segments[mine] == segment] for segment in np.unique(trials.segments[mine])
    ]
    best = {int(place): float(gain) for place, gain in zip(mine, alone, strict=True)}
    groups.sort(key=lambda group: -max(best[int(place)] for place in group))
    chosen = []
    for group in groups:
        sums = _changed(case, trials, total, changes[group])
        after = case.sign * case.metric.score(sums)
        index = int(np.argmax(after))
        if after[index] > score + equal_width(score):
            chosen.append(int(group[index]))
            total = sums[index]
            score = float(after[index])
    return chosen


def _changed(case: Case, trials: WordTrials, total: Rows, changes: Rows) -> Rows:
    """The sums after deletions, each of which stands for as many as there are of its segment."""
    weight = len(case.corpus) / trials.segments_of_system
    sums = total + weight * changes
    if weight > 1:  # few matches, counted several times, would be less than none
        sums = np.where(total >= 0, np.maximum(sums, 0.0), sums)
    return sums


def _of_system(case: Case, trials: WordTrials, changes: Rows, number: int) -> dict[str, Any]:
    """What a system would gain by its best deletions, and the matches that it would have."""
    chosen = best_deletions(case, trials, changes, number)
    total = case.rows[number].sum(axis=0)
    for index in chosen:
        total = _changed(case, trials, total, changes[index])
    after = float(case.metric.score(total))
    before = float(case.scores[number])
    tried = int((trials.systems == number).sum())
    return {
        "score": before,
        "score_without": after,
        "gain": case.sign * (after - before),
        "deleted": len(chosen),
        "deleted_share": len(chosen) / max(1, tried),
        "match_changes": trials.matches[chosen].sum(axis=0).astype(int).tolist(),
    }


def _by_order(trials: WordTrials, some: NDArray[np.bool_]) -> list[float]:
    """The mean change of matches of each order, by deletions of some kind."""
    mean: list[float] = (trials.matches[some].sum(axis=0) / max(1, some.sum())).tolist()
    return mean


def _kind(case: Case) -> tuple[object, ...]:
    """What decides the words of a metric."""
    return isinstance(case.metric, WordMetric), *cutting(case.metric)


def _segments_of_wholes(trials: WordTrials) -> Indices:
    """The segment of each whole output."""
    _, first = np.unique(trials.whole, return_index=True)
    segments: Indices = trials.segments[first]
    return segments


def _trials(case: Case) -> WordTrials:
    """Every word of some segments of every system, deleted by itself."""
    wanted = TRIED // (WORDS_OF_A_SEGMENT * len(case.systems))
    first = np.array(spaced(len(case.corpus), max(3, wanted)))
    step = len(case.corpus) / len(first) / len(case.systems)
    own = isinstance(case.metric, WordMetric)  # others may see blanks, so no others are made
    occurrences: list[tuple[int, int, int, str, str]] = []
    wholes: list[str] = []
    for number, system in enumerate(case.systems):
        # Each system begins a little later, so that more of the test set is seen.
        chosen = ((first + int(number * step)) % len(case.corpus)).tolist()
        texts = hypotheses_of(system, chosen)
        cut = words_of(case.metric, texts) if own else [text.split() for text in texts]
        for segment, parts in zip(chosen, cut, strict=True):
            if not parts:
                continue
            occurrences += [
                (number, segment, len(wholes), parts[i], " ".join(parts[:i] + parts[i + 1 :]))
                for i in spaced(len(parts), max(1, WORDS_AT_ONCE // len(parts)))
            ]
            wholes.append(" ".join(parts))
    columns = list(zip(*occurrences, strict=True)) if occurrences else [()] * 5
    numbers = [np.array(column, np.intp) for column in columns[:3]]
    tokenizer, lowercase = cutting(case.metric)
    counter = Bleu(order=ORDER, tokenizer=tokenizer, lowercase=lowercase)
    bare = WordTrials(
        systems=numbers[0],
        segments=numbers[1],
        whole=numbers[2],
        words=list(columns[3]),
        texts=list(columns[4]),
        wholes=wholes,
        matches=np.zeros((len(occurrences), ORDER)),
        segments_of_system=len(first),
    )
    if not occurrences:
        return bare
    places = [*numbers[1].tolist(), *_segments_of_wholes(bare).tolist()]
    without = System(name="without a word", hypotheses=[*bare.texts, *wholes])
    rows = counter.rows_of(without, case.corpus.taken(places))
    kept = [counter.columns.index(f"matches_{n}") for n in range(1, ORDER + 1)]
    matches = rows[:, kept]
    return WordTrials(
        systems=bare.systems,
        segments=bare.segments,
        whole=bare.whole,
        words=bare.words,
        texts=bare.texts,
        wholes=wholes,
        matches=matches[: len(occurrences)] - matches[len(occurrences) :][bare.whole],
        segments_of_system=len(first),
    )
