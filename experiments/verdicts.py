"""How often people agree with verdicts of 'tertium decide', beside published thresholds."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Final

import numpy as np

from experiments.data import Data
from experiments.running import main
from experiments.sections import Claim, Section, Table
from tertium.choices import TEST_TRIALS
from tertium.decide.decide import decide
from tertium.decide.verdict import Answer
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

SIGNS: Final = {"better": 1, "worse": -1}
"""All other answers commit to nothing."""

Pair = tuple[int, int]
Answers = Mapping[Pair, int]
"""+1 where the second system of a pair is called better, −1 where worse, 0 where nothing is."""


def verdicts(data: Data) -> Section:
    """Every pair of systems, decided by BLEU, chrF and COMET from a file."""
    whole = systems_of(data)
    people = ratings(data, whole)
    found = decisions(whole)
    decided = {pair: SIGNS.get(answer, 0) for pair, answer in found.items()}
    rules: dict[str, Answers] = {"`tertium decide`": decided}
    for place, metric in enumerate(whole.metrics):
        for percent, least in THRESHOLDS[metric.title].items():
            rules[f"{metric.title}, {percent} %: {least:g}"] = by_threshold(whole, place, least)
    rows, outcomes = [], {}
    for name, answers in rules.items():
        own = [pair for pair, answer in answers.items() if answer]
        both = [pair for pair in own if decided[pair]]
        verdict, rule = agreeing(decided, people, both), agreeing(answers, people, both)
        rows.append(
            [
                name,
                f"{len(own)}",
                share(agreeing(answers, people, own), len(own)),
                f"{len(both)}",
                share(verdict, len(both)),
                share(rule, len(both)),
            ]
        )
        if answers is not decided:
            outcomes[name] = verdict >= rule
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
                    "both commit to",
                    "people agree with the verdict",
                    "with the rule",
                ],
                rows=rows,
                note="*Commits to*: pairs in which it calls one system better; *both*: in which "
                "`tertium decide` does so, too.",
            ),
            _open(whole, found, people),
            Claim(
                whose="Put to the test here",
                text="on the pairs that both commit to, people agree with the verdict at least as "
                "often as with the threshold.",
                outcomes=outcomes,
            ),
        ],
    )


def _open(whole: Scored, found: Mapping[Pair, Answer], people: Answers) -> str:
    """What the verdicts leave open, and who would have been right."""
    counts = Counter(found.values())
    split = [pair for pair, answer in found.items() if answer == "metrics disagree"]
    sides = [
        f"{metric.title} in {agreeing(by_threshold(whole, place, 0.0), people, split)}"
        for place, metric in enumerate(whole.metrics)
    ]
    return (
        f"The verdicts: {', '.join(f'{name} {count}' for name, count in counts.most_common())}. Of "
        f"the {len(split)} pairs in which the metrics disagree, people are on the side of "
        f"{', of '.join(sides)}."
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


def decisions(
    whole: Scored, *, audit: bool = True, trials: int = TEST_TRIALS
) -> dict[Pair, Answer]:
    """The verdict on the second system of each pair beside the first."""
    found = {pair: decide(_only(whole, pair), audit=audit, trials=trials) for pair in _pairs(whole)}
    return {pair: one.verdicts[0].answer for pair, one in found.items()}


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
    main(verdicts)
