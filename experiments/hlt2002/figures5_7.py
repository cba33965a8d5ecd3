"""Papineni et al. (HLT 2002), Figures 5, 6 and 7: NEE against human judgments."""

from typing import Final

from experiments.data import Data
from experiments.hlt2002.table2 import nee_scores
from experiments.running import main
from experiments.sections import Claim, Picture, Section, Table, number

FIGURES: Final = (
    (5, "Chinese", "wmt23 zh-en", "mqm"),
    (6, "French", "wmt17 de-en", "fluency"),
    (7, "Spanish", "wmt17 tr-en", "fluency"),
)
"""Figure, the paper's source language, and what stands for it here."""


def run(data: Data) -> Section:
    """Drawings of what Table 2 has as numbers."""
    rows, pictures, less = [], [], {}
    for figure, language, name, criterion in FIGURES:
        r = {
            metric: data.agreement(name, criterion, scores, "pearson")
            for metric, scores in (("nee", nee_scores(data, name)), ("bleu", "bleu"))
        }
        rows.append([str(figure), language, name, criterion, number(r["nee"], 2)])
        rows[-1].append(number(r["bleu"], 2))
        less[f"{name} {criterion}"] = r["nee"] < r["bleu"]
        pictures.append(_picture(data, figure, name, criterion))
    return Section(
        title="Papineni et al. (HLT 2002), Figures 5, 6 and 7: NEE and people",
        blocks=[
            (
                "The paper draws NEE against human judgments of the Chinese, French and Spanish "
                "systems, without numbers beside those of Table 2. Names are found as in Table 2 "
                "above."
            ),
            Table(
                columns=["figure", "paper", "here", "judgments", "NEE: r", "BLEU: r"],
                rows=rows,
            ),
            *pictures,
            Claim(text="NEE correlates less with people than BLEU does.", outcomes=less),
        ],
    )


def _picture(data: Data, figure: int, name: str, criterion: str) -> Picture:
    from tertium.report.plots import judged_points

    return Picture(
        name=f"hlt_figure{figure}",
        figure=judged_points(data.judgments(name, criterion), nee_scores(data, name)).figure(),
        text=f"Scatter of NEE against {criterion}, {name}",
    )


if __name__ == "__main__":
    main(run)
