"""Papineni et al. (HLT 2002), Figure 2: BLEU against two groups of judges."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from experiments.data import WMT12, Data
from experiments.running import main
from experiments.sections import MISSING, Claim, Picture, Section, Table, number
from tertium.meta.agreement.agreement_table import agree
from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.files import read_ratings
from tertium.meta.ratings.judge_groups import GroupPair, group_agreement, halves, of_judges
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.ratings.rating_sets import Rankings, Ratings, collect_ratings

CHINESE: Final = "wmt23 zh-en"
SEED: Final = 12345
HIGH: Final = 0.9
"""What is taken for a high correlation; the paper names no limit."""
PAPER: Final = ("paper: Chinese", "monolingual, bilingual", "5", MISSING, "0.99", "0.96")


def run(data: Data) -> Section:
    """Two kinds of judges on WMT23 zh-en, random halves of the judges elsewhere."""
    mqm, sqm = (data.judgments(CHINESE, one) for one in ("mqm", "da-sqm"))
    bleu = data.scores(CHINESE, "bleu")
    kinds = agree(mqm, _as_scores(sqm), measures=["pearson"])
    rows = [
        [
            CHINESE,
            "MQM, DA-SQM",
            str(len(kinds.systems)),
            number(kinds["pearson"].value, 2),
            *(number(_pearson(one, bleu), 2) for one in (mqm, sqm)),
        ]
    ]
    high = {f"{CHINESE} MQM, DA-SQM": kinds["pearson"].value >= HIGH}
    for name in (CHINESE, *WMT12):
        judged = _raters(data.folder) if name == CHINESE else _rankers(data, name)
        pair, parts = _halved(judged)
        scores = data.scores(name, "bleu")
        title = "halves of the MQM raters" if name == CHINESE else "halves of the judges"
        both = (number(_pearson(one, scores), 2) for one in parts)
        rows.append([name, title, str(pair.systems), number(pair.pearson, 2), *both])
        high[f"{name} {title}"] = pair.pearson >= HIGH
    return Section(
        title="Papineni et al. (HLT 2002), Figure 2: BLEU and two groups of judges",
        blocks=[
            (
                "Pearson's r between the ratings that two groups of judges gave to systems, and of "
                "BLEU with each group. The paper had ten monolingual and ten bilingual judges of "
                "three systems and two people. Here: the two campaigns of WMT23 zh-en, in which "
                "experts marked errors (MQM) and others gave numbers (DA-SQM); and the judges of "
                "single campaigns, cut into random halves (MQM of zh-en has eight raters; WMT12 "
                "is ranked, its values are the shares of comparisons won)."
            ),
            Table(
                columns=["source", "groups", "systems", "between groups", "BLEU, 1st", "BLEU, 2nd"],
                rows=[*rows, PAPER],
            ),
            *_pictures(mqm, sqm, bleu),
            Claim(
                text="the ratings of two groups of judges correlate highly (taken to hold from "
                f"{HIGH} on).",
                outcomes=high,
            ),
        ],
    )


def _pearson(judgments: Judgments, scores: MetricScores) -> float:
    return agree(judgments, scores, measures=["pearson"])["pearson"].value


def _as_scores(one: Judgments) -> MetricScores:
    return MetricScores(metric=one.criterion, systems=one.systems, values=one.values)


def _halved(judged: Ratings | Rankings) -> tuple[GroupPair, list[Judgments]]:
    groups = halves(judged.judges, seed=SEED)
    [pair] = group_agreement(judged, groups).pairs
    return pair, [of_judges(judged, some).judgments() for some in groups.values()]


def _rankers(data: Data, name: str) -> Ratings | Rankings:
    pair = name.partition(" ")[2]
    [found] = read_ratings(data.folder / "wmt12" / "RNK_results.csv", pair=pair)
    return found


def _raters(folder: Path) -> Ratings:
    """The eight raters of WMT23 zh-en; an output's rating is minus the weight of its errors."""
    rows = list(_marked(folder / "wmt23" / "human-scores"))
    return collect_ratings(rows, name="zh-en", criterion="mqm")


def _marked(folder: Path) -> Iterator[Rating]:
    for path in sorted(folder.glob("zh-en.mqm.rater*.seg.rating")):
        judge = path.name.split(".")[2]
        seen: dict[str, int] = {}
        for number_, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            system, _, cell = line.partition("\t")
            segment = seen.get(system, 0)
            seen[system] = segment + 1
            if cell == "None" or system == "refA":
                continue
            weight = sum(error["score"] for error in json.loads(cell)["errors"])
            yield Rating(
                place=f"{path.name}:{number_}",
                system=system,
                value=-weight,
                criterion="mqm",
                segment=segment,
                judge=judge,
            )


def _pictures(mqm: Judgments, sqm: Judgments, bleu: MetricScores) -> list[Picture]:
    from tertium.report.plots import judged_points

    return [
        Picture(
            name=f"hlt_figure2_{one.criterion}",
            figure=judged_points(one, bleu).figure(),
            text=f"Scatter of BLEU against {one.criterion}, {CHINESE}",
        )
        for one in (mqm, sqm)
    ]


if __name__ == "__main__":
    main(run)
