"""Papineni et al. (HLT 2002), Figures 3 and 4: prediction error of BLEU by criterion."""

from typing import Final

from experiments.data import WMT17, Data
from experiments.hlt2002.table1 import CRITERIA, DATA_NOTE
from experiments.running import main
from experiments.sections import MISSING, Claim, Picture, Section, Table, number

PAPER: Final = {"French": (0.94, 0.9958, 0.86), "Spanish": (0.98, 0.96, 0.85)}
"""Pearson's r with adequacy, fluency and informativeness; 0.9958 is given in the text."""
STANDS_FOR: Final = {"wmt17 de-en": 3, "wmt17 ru-en": 3, "wmt17 tr-en": 4}


def run(data: Data) -> Section:
    """1 − R² in percent, and BLEU against fluency as drawings."""
    errors = {
        (name, one): 100 * (1 - data.agreement(name, one, "bleu", "pearson") ** 2)
        for name in WMT17
        for one in CRITERIA
    }
    rows = [
        [f"{name} (Figure {STANDS_FOR[name]})", *(number(errors[name, one]) for one in CRITERIA)]
        for name in WMT17
    ]
    paper = [
        [f"paper: {source}", number(_error(a)), number(_error(f)), MISSING, number(_error(i))]
        for source, (a, f, i) in PAPER.items()
    ]
    largest = max(_error(r) for some in PAPER.values() for r in some[:2])
    return Section(
        title="Papineni et al. (HLT 2002), Figures 3 and 4: prediction error by criterion",
        blocks=[
            (
                "100 (1 − R²) between BLEU and human judgments of systems: how much of the ratings "
                "a straight line through BLEU's scores leaves unexplained. The paper's numbers are "
                f"computed from the correlations of its Table 1 and its text. {DATA_NOTE}"
            ),
            Table(
                columns=["source", "adequacy", "fluency", "DA", "informativeness"],
                rows=[*([*row, MISSING] for row in rows), *paper],
            ),
            *_pictures(data),
            Claim(
                text="adequacy and fluency are foretold well by BLEU (an error of at most "
                f"{number(largest)} %, the largest of the paper's).",
                outcomes={
                    f"{name} {one}": errors[name, one] <= largest
                    for name in WMT17
                    for one in ("adequacy", "fluency")
                },
            ),
        ],
    )


def _error(r: float) -> float:
    return 100 * (1 - r**2)


def _pictures(data: Data) -> list[Picture]:
    from tertium.report.plots import judged_points

    return [
        Picture(
            name=f"hlt_figure{STANDS_FOR[name]}_{name.replace(' ', '_')}",
            figure=judged_points(
                data.judgments(name, "fluency"), data.scores(name, "bleu")
            ).figure(),
            text=f"Scatter of BLEU against mean fluency, {name}",
        )
        for name in WMT17
    ]


if __name__ == "__main__":
    main(run)
