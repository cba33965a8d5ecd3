"""Papineni et al. (HLT 2002), Figures 10 and 11: BLEU and NEE with people among the systems."""

from typing import Final

from experiments.data import Data
from experiments.hlt2002.table2 import nee_scores
from experiments.running import main
from experiments.sections import MISSING, Claim, Picture, Section, Table, number
from tertium.meta.agreement.agreement_table import agree
from tertium.meta.ratings.files import read_judgments
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.ratings.system_names import ASKED, without

SET: Final = "wmt23 he-en, refB"
HUMAN: Final = "refA"
PAPER_BLEU: Final = 0.98


def run(data: Data) -> Section:
    """Hebrew stands for Arabic; one person is scored against the other, as a system."""
    folder = data.folder / "wmt23" / "human-scores"
    files = [folder / f"he-en.mqm.{level}.score" for level in ("sys", "seg")]
    [people] = read_judgments(files, pair="he-en", include_references=True)
    systems = without(people, {HUMAN: ASKED})
    scores = {"BLEU": data.scores(SET, "bleu"), "NEE": nee_scores(data, SET)}
    values = {
        (metric, who): agree(rated, one, measures=["pearson"])["pearson"].value
        for metric, one in scores.items()
        for who, rated in (("all", people), ("machines", systems))
    }
    paper = {"BLEU": number(PAPER_BLEU, 2)}
    return Section(
        title="Papineni et al. (HLT 2002), Figures 10 and 11: a person among the systems",
        blocks=[
            (
                "The paper's Arabic–English data have three systems and two human translators, "
                "scored against one reference. Here: the systems of WMT23 he-en and one person "
                f"({HUMAN}), all scored against the translation of another (refB) and rated by "
                "MQM. The person's translation is a point of its own kind, which `tertium meta` "
                "leaves out unless it is asked for; both numbers are shown."
            ),
            Table(
                columns=["metric", "r with the person", "r of machines", "paper: r"],
                rows=[
                    [
                        metric,
                        number(values[metric, "all"], 2),
                        number(values[metric, "machines"], 2),
                        paper.get(metric, MISSING),
                    ]
                    for metric in scores
                ],
            ),
            *_pictures(people, scores),
            Claim(
                text=f"BLEU's correlation with people is high where people are among the systems "
                f"(at least {PAPER_BLEU}).",
                outcomes={"he-en": values["BLEU", "all"] >= PAPER_BLEU},
            ),
        ],
    )


def _pictures(people: Judgments, scores: dict[str, MetricScores]) -> list[Picture]:
    from tertium.report.plots import judged_points

    return [
        Picture(
            name=f"hlt_figure{figure}",
            figure=judged_points(people, scores[metric]).figure(),
            text=f"Scatter of {metric} against MQM, systems and a person, {SET}",
        )
        for figure, metric in ((10, "BLEU"), (11, "NEE"))
    ]


if __name__ == "__main__":
    main(run)
