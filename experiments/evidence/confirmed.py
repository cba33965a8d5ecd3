"""How often raters confirm what 'tertium decide' says of two systems, by kind of pair.

``python -m experiments.evidence.confirmed ../shared/data`` decides every pair of rated systems of
WMT23 zh-en (MQM) and WMT24 en-cs and en-hi (ESA), by BLEU and chrF alone and with trained or
reference-free metrics beside them, and prints the table of docs/decide.md. An answer is confirmed
if the mean ratings of the two systems lie the same way.

WMT23 has scores of segments, so that a pair is decided as users do it. WMT24 has MetricX and
CometKiwi by system alone: nothing can be tested, and what counts is which way they lie, as it does
in the rules where overlap is significant. Two families need tests of their own, so that they are
shown on WMT23 only.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from experiments.data import Data
from experiments.kinds import pair_kind
from tertium.decide.decide import decide
from tertium.decide.evidence import MetricEvidence
from tertium.decide.rules import judge
from tertium.decide.verdict import Answer, Verdict
from tertium.meta.ratings.judgments import Judgments
from tertium.meta.worth_curves import KINDS
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.families import basis_of, family_of
from tertium.metrics.foreign.file_scores import FileScores
from tertium.scored.scored import Scored, scored

OVERLAP: Final = ("bleu", "chrf")
WMT23: Final = "wmt23 zh-en"
WMT24: Final = ("wmt24 en-cs", "wmt24 en-hi")
BESIDE: Final = {
    "COMET": ("COMET-refA",),
    "MetricX-23": ("MetricX-23-refA",),
    "CometKiwi": ("CometKiwi-src",),
    "GEMBA-MQM": ("GEMBA-MQM-src",),
    "COMET, MetricX-23": ("COMET-refA", "MetricX-23-refA"),
    "MetricX-23, CometKiwi": ("MetricX-23-refA", "CometKiwi-src"),
}
"""What is asked beside BLEU and chrF, and the files of WMT23 that have its scores."""
SYSTEM_LEVEL: Final = {"MetricX-23": "metricx", "CometKiwi": "cometkiwi"}
"""Metrics of WMT24's organizers, and their columns; less is better in both as printed."""
TRIALS: Final = 1000
ALL: Final = "all"
SIGNS: Final[dict[Answer, int]] = {
    "better": 1,
    "worse": -1,
    "scores higher": 1,
    "scores lower": -1,
}
"""The answers that commit to one of the two systems."""
GROUPS: Final[dict[str, tuple[Answer, Answer]]] = {
    "better/worse": ("better", "worse"),
    "scores higher/lower": ("scores higher", "scores lower"),
}


class Decided(NamedTuple):
    """One pair of systems: what was answered of the second, and how its rating lies."""

    test_set: str
    asked: str
    first: str
    second: str
    answer: Answer
    raters: int

    @property
    def kind(self) -> str:
        """The kind of pair, by which of the two the answer has ahead."""
        pair = (self.second, self.first) if SIGNS[self.answer] > 0 else (self.first, self.second)
        return pair_kind(self.test_set, *pair) or "unknown"

    @property
    def confirmed(self) -> bool:
        """Whether the ratings lie as the answer says."""
        return self.raters == SIGNS[self.answer]


def confirmed(
    data: Data,
    *,
    test_sets: Sequence[str] = (WMT23, *WMT24),
    trials: int = TRIALS,
    audit: bool = False,
) -> list[Decided]:
    """Every pair of rated systems of some test sets, by every choice of metrics.

    The audits are left out by default: they take a second for each of about a thousand decisions.
    """
    found = []
    for beside, files in {"": (), **BESIDE}.items() if WMT23 in test_sets else ():
        folder = data.folder / "wmt23/metric-scores/zh-en"
        foreign = [
            FileScores(file=str(folder / f"{file}.seg.score"), label=file.rpartition("-")[0])
            for file in files
        ]
        found += [
            _decided(WMT23, beside, verdict, ratings)
            for verdict, ratings in _verdicts(
                data, WMT23, "mqm", [*OVERLAP, *foreign], trials=trials, audit=audit
            )
        ]
    for name in WMT24:
        if name not in test_sets:
            continue
        levels = {
            beside: system_scores(data.folder, name.split()[1], column)
            for beside, column in SYSTEM_LEVEL.items()
        }
        for verdict, ratings in _verdicts(data, name, "esa", OVERLAP, trials=trials, audit=audit):
            found.append(_decided(name, "", verdict, ratings))
            for beside, scores in levels.items():
                with_lean = _with_system_scores(verdict, beside, scores)
                found.append(_decided(name, beside, with_lean, ratings))
    return found


def _verdicts(
    data: Data,
    name: str,
    criterion: str,
    metrics: Sequence[str | Metric],
    *,
    trials: int,
    audit: bool,
) -> Iterable[tuple[Verdict, Mapping[str, float]]]:
    """The verdict on each pair of rated systems, decided by itself, and all ratings."""
    loaded = data.test_set(name)
    ratings = means(data.judgments(name, criterion))
    rated = [one for one in loaded.systems if one.name in ratings]
    whole = scored(loaded.corpus, rated, list(metrics))
    for pair in combinations(range(len(rated)), 2):
        alone = Scored(
            corpus=whole.corpus,
            systems=tuple(whole.systems[place] for place in pair),
            metrics=whole.metrics,
            rows=tuple(rows[list(pair)] for rows in whole.rows),
        )
        (verdict,) = decide(alone, trials=trials, audit=audit).verdicts
        yield verdict, ratings


def means(judgments: Judgments) -> dict[str, float]:
    """The mean rating of every system."""
    return dict(zip(judgments.systems, judgments.values.tolist(), strict=True))


def system_scores(folder: Path, pair: str, column: str) -> dict[str, float]:
    """One metric's scores of systems by WMT24's organizers, turned so that more is better."""
    path = folder / "wmt24/automatic-system-scores.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader([one for one in lines if not one.startswith("#")], delimiter="\t")
    return {
        row["system"].removesuffix(r" $\dagger$"): -float(row[column])
        for row in rows
        if row["pair"] == pair
    }


def _with_system_scores(verdict: Verdict, name: str, scores: Mapping[str, float]) -> Verdict:
    """The verdict with a metric beside it that has one score for each system, and no test."""
    metric = FileScores(label=name, higher="yes")
    evidence = MetricEvidence(
        metric=metric,
        title=name,
        family=family_of(metric),
        basis=basis_of(metric),
        baseline=scores[verdict.baseline],
        system=scores[verdict.system],
    )
    pair = (verdict.baseline, verdict.system)
    judged = judge(pair, [*verdict.metrics, evidence], verdict.findings)
    return replace(verdict, answer=judged.answer)


def _decided(name: str, asked: str, verdict: Verdict, ratings: Mapping[str, float]) -> Decided:
    gain = ratings[verdict.system] - ratings[verdict.baseline]
    return Decided(
        test_set=name,
        asked=asked,
        first=verdict.baseline,
        second=verdict.system,
        answer=verdict.answer,
        raters=(gain > 0) - (gain < 0),
    )


def table(found: Sequence[Decided]) -> str:
    """Rows by test set, metrics and kind of pair; shares by what was answered."""
    lines = [
        f"| test set | beside BLEU, chrF | kind of pair | {' | '.join(GROUPS)} | other answers |",
        f"|---|---|---|{'---:|' * len(GROUPS)}---|",
    ]
    for name in dict.fromkeys(one.test_set for one in found):
        for asked in dict.fromkeys(one.asked for one in found if one.test_set == name):
            mine = [one for one in found if (one.test_set, one.asked) == (name, asked)]
            committed = [one for one in mine if one.answer in SIGNS]
            others = Counter(one.answer for one in mine if one.answer not in SIGNS)
            rest = ", ".join(f"{answer} {count}" for answer, count in sorted(others.items()))
            head = f"| {name} | {asked or 'nothing'}"
            lines.append(f"{head} | {ALL} | {_shares(committed)} | {rest or '–'} |")
            for kind in (*KINDS.values(), "unknown"):
                some = [one for one in committed if one.kind == kind]
                if some:
                    lines.append(f"{head} | {kind} | {_shares(some)} | |")
    return "\n".join(lines)


def _shares(some: Sequence[Decided]) -> str:
    cells = []
    for answers in GROUPS.values():
        mine = [one.confirmed for one in some if one.answer in answers]
        share = f"{sum(mine)} of {len(mine)}, {sum(mine) / len(mine):.0%}" if mine else "–"
        cells.append(share)
    return " | ".join(cells)


if __name__ == "__main__":
    print(table(confirmed(Data(Path(sys.argv[1])))))
