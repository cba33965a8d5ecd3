"""How often people agree with verdicts of 'tertium decide', beside published thresholds."""

from collections.abc import Mapping
from itertools import combinations
from typing import Final

import numpy as np

from experiments.data import Data
from experiments.running import main
from experiments.sections import Claim, Section, Table
from tertium.decide.decide import decide
from tertium.metrics.foreign.file_scores import FileScores
from tertium.scored.scored import Scored, scored

TEST_SET: Final = "wmt23 zh-en"
SCORES: Final = "wmt23/metric-scores/zh-en/COMET-refA.seg.score"
THRESHOLDS: Final = {
    "BLEU": {60: 0.78, 70: 1.39, 80: 2.34},
    "chrF": {60: 0.54, 70: 1.00, 80: 1.63},
    "COMET": {60: 0.0018, 70: 0.0035, 80: 0.0056},
}
"""Title → per cent of the pairs in which people agree → the least difference for it, by Kocmi et
al. 2024; their COMET-22 counts in hundredths."""

Pair = tuple[int, int]
Answers = Mapping[Pair, int]
"""+1 where the second system of a pair is called better, −1 where worse, 0 where nothing is."""


def run(data: Data) -> Section:
    """Every pair of systems, decided by BLEU, chrF and COMET from a file."""
    whole = systems_of(data)
    people = ratings(data, whole)
    decided = decisions(whole)
    rules = {"`tertium decide`": decided}
    for place, metric in enumerate(whole.metrics):
        for percent, least in THRESHOLDS[metric.title].items():
            rules[f"{metric.title}, {percent} %: {least:g}"] = by_threshold(whole, place, least)
    same = [pair for pair, answer in decided.items() if answer]
    rows = []
    for name, answers in rules.items():
        committed = [pair for pair, answer in answers.items() if answer]
        rows.append(
            [
                name,
                f"{len(committed)}",
                share(agreeing(answers, people, committed), len(committed)),
                share(agreeing(answers, people, same), len(same)),
                share(agreeing(answers, people, list(answers)), len(answers)),
            ]
        )
    own = agreeing(decided, people, same)
    return Section(
        title="Verdicts and people",
        blocks=[
            (
                f"{len(whole.systems)} systems of {TEST_SET}, {len(people)} pairs, decided by "
                "BLEU, chrF and COMET; people's answer is the sign of the difference in MQM."
            ),
            Table(
                columns=[
                    "rule",
                    "commits to",
                    "people agree",
                    "of the pairs decided",
                    "of all pairs",
                ],
                rows=rows,
                note="*Commits to*: pairs in which it calls one system better. *People agree*: in "
                "so many of these. *Of the pairs decided*: of those that `tertium decide` commits "
                "to, so many have the answer of people by the rule. A rule that is silent does "
                "not agree.",
            ),
            Claim(
                whose="Put to the test here",
                text="people agree with a verdict at least as often as with a threshold, on the "
                "pairs decided.",
                outcomes={
                    name: own >= agreeing(answers, people, same)
                    for name, answers in rules.items()
                    if answers is not decided
                },
            ),
        ],
    )


def systems_of(data: Data) -> Scored:
    """All systems, scored by BLEU, chrF and the scores of a file."""
    loaded = data.test_set(TEST_SET)
    comet = FileScores(file=str(data.folder / SCORES), label="COMET")
    return scored(loaded.corpus, loaded.systems, ["bleu", "chrf", comet])


def ratings(data: Data, whole: Scored) -> Answers:
    """Which system of each pair people find better."""
    judged = data.judgments(TEST_SET, "mqm")
    places = [judged.systems.index(name) for name in whole.names]
    means = judged.values[places]
    return {(a, b): int(np.sign(means[b] - means[a])) for a, b in _pairs(whole)}


def decisions(whole: Scored) -> Answers:
    """The verdicts; what is not *better* or *worse* commits to nothing."""
    signs = {"better": 1, "worse": -1}
    return {
        pair: signs.get(decide(_only(whole, pair)).verdicts[0].answer, 0) for pair in _pairs(whole)
    }


def by_threshold(whole: Scored, place: int, least: float) -> Answers:
    """What a threshold of one metric says."""
    metric = whole.metrics[place]
    values = (1 if metric.higher_is_better else -1) * whole.scores_of(metric)
    gains = {(a, b): float(values[b] - values[a]) for a, b in _pairs(whole)}
    return {pair: int(np.sign(gain)) if abs(gain) >= least else 0 for pair, gain in gains.items()}


def agreeing(answers: Answers, people: Answers, pairs: list[Pair]) -> int:
    """In how many of some pairs the answer is that of people."""
    return sum(bool(answers[pair]) and answers[pair] == people[pair] for pair in pairs)


def share(part: int, whole: int) -> str:
    """A part of a whole, for a table."""
    return f"{part} of {whole}, {part / whole:.1%}" if whole else "–"


def _pairs(whole: Scored) -> list[Pair]:
    return list(combinations(range(len(whole.systems)), 2))


def _only(whole: Scored, pair: Pair) -> Scored:
    return Scored(
        corpus=whole.corpus,
        systems=tuple(whole.systems[place] for place in pair),
        metrics=whole.metrics,
        rows=tuple(rows[list(pair)] for rows in whole.rows),
    )


if __name__ == "__main__":
    main(run)
