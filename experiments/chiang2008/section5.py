"""Chiang et al. (2008), section 5: a metric that rewards babble, and straw men to expose it."""

from typing import Final

import numpy as np

from experiments.chiang2008.table1 import SETS, TITLES
from experiments.data import CRITERIA, Data
from experiments.running import main
from experiments.sections import Claim, Picture, Section, Table, number
from tertium.meta.agreement.system_curve import system_curve
from tertium.meta.straw_men.ranks import straw_men

BLEU: Final = "bleu"
GRR: Final = "grr"
BABBLE: Final = "grr[alpha=-0.9,beta=1.0]"
TITLES_OF: Final = {GRR: "4-GRR (α = 1, β = 0)", BABBLE: "4-GRR (α = −0.9, β = 1)"}
CROWD: Final = "wmt12 de-en"
SPREAD: Final = 0.8
"""The middle share of random choices of systems that the bands of the figure show."""


def run(data: Data) -> Section:
    """Correlations of both settings, straw men, and how chance shrinks with more systems."""
    values = {
        spec: {
            (name, criterion): 100 * data.agreement(name, criterion, spec)
            for name, criterion in SETS
        }
        for spec in TITLES_OF
    }
    means = {
        spec: {
            criterion: float(np.mean([values[spec][name, criterion] for name in names]))
            for criterion, names in CRITERIA.items()
        }
        for spec in TITLES_OF
    }
    average = {spec: float(np.mean(list(found.values()))) for spec, found in means.items()}
    table = Table(
        columns=["metric", *(TITLES[one] for one in CRITERIA), "Avg", "paper: Avg"],
        rows=[
            [title, *(number(one) for one in means[spec].values()), number(average[spec]), paper]
            for (spec, title), paper in zip(TITLES_OF.items(), ("71.6", "78.9"), strict=True)
        ],
        note="Spearman's ρ ×100, test sets as in Table 1.",
    )
    report, straw = _straw_men(data)
    return Section(
        title="Chiang et al. (2008), section 5: straw men",
        blocks=[
            (
                "With α = −0.9 and β = 1 the 4-gram recognition rate pays for every inserted "
                "word, and yet correlated better with people in the paper than with its own "
                "setting; the authors blame too few systems, and ask for straw men in such data. "
                "Here both settings on the ratings of Table 1, then straw men (very short, very "
                "long, shuffled and random output, all with the worst rating) among the systems "
                f"of {CROWD}."
            ),
            table,
            straw,
            _picture(data),
            Claim(
                text="α = −0.9, β = 1 correlates better with people than α = 1, β = 0.",
                outcomes={TITLES[one]: means[BABBLE][one] > means[GRR][one] for one in CRITERIA},
            ),
            Claim(
                text="straw men would expose it.",
                outcomes={"straw men": report[BABBLE] and not report[GRR]},
            ),
        ],
    )


def _straw_men(data: Data) -> tuple[dict[str, bool], Table]:
    loaded = data.test_set(CROWD)
    specs = ["bleu", "bleu-sbp", "wer", GRR, BABBLE]
    report = straw_men(data.judgments(CROWD, "rank"), loaded.corpus, loaded.systems, specs)
    rows = [
        [
            TITLES_OF.get(one.metric, one.metric),
            number(one.agreement, 3),
            number(one.agreement_with_all, 3),
            one.worst.name,
            f"{one.worst.rank} of {one.systems + 1}",
            ", ".join(one.fooled_by) or "none",
        ]
        for one in report.metrics
    ]
    table = Table(
        columns=[
            "metric",
            "Pearson r",
            "with all straw men",
            "best straw man",
            "its rank",
            "ahead of half the systems",
        ],
        rows=rows,
        note=f"{report.segments} evenly spaced segments of {CROWD}.",
    )
    return {one.metric: one.exposed for one in report.metrics}, table


def _picture(data: Data) -> Picture:
    from tertium.report.plots import Line, agreement_by_systems

    lines = []
    for spec, title in {BLEU: "BLEU", **TITLES_OF}.items():
        found = system_curve(data.judgments(CROWD, "rank"), data.scores(CROWD, spec), level=SPREAD)
        lines.append(
            Line(
                name=title,
                x=found.counts,
                y=[one.mean for one in found.intervals],
                low=[one.low for one in found.intervals],
                high=[one.high for one in found.intervals],
            )
        )
    figure = agreement_by_systems(
        lines,
        title=f"Agreement on random choices of systems of {CROWD}: mean and middle {SPREAD:.0%}",
    )
    text = "Pearson's r of BLEU and of both settings of 4-GRR against the number of systems"
    return Picture(name="chiang_section5", figure=figure, text=text)


if __name__ == "__main__":
    main(run)
