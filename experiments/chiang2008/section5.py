"""Chiang et al. (2008), section 5: a metric that rewards babble, and straw men to expose it."""

from typing import Final

import numpy as np

from experiments.chiang2008.table1 import SETS, TITLES, WMT08_TITLES, wmt08
from experiments.data import CRITERIA, WMT08_CONSTITUENTS, WMT12, Data
from experiments.running import main
from experiments.sections import Claim, Picture, Section, Table, number
from tertium.meta.agreement.system_curve import system_curve
from tertium.meta.straw_man_ranks import straw_men

BLEU: Final = "bleu"
GRR: Final = "grr"
BABBLE: Final = "grr[alpha=-0.9,beta=1.0]"
TITLES_OF: Final = {GRR: "4-GRR (α = 1, β = 0)", BABBLE: "4-GRR (α = −0.9, β = 1)"}
CROWD: Final = "wmt12 de-en"
ALPHAS: Final = (-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 1.0)
BETAS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
SURFACES: Final = (
    ("rank", WMT08_CONSTITUENTS),
    ("constituent", WMT08_CONSTITUENTS),
    ("rank", WMT12),
)
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
    earlier = wmt08(data, {spec: spec for spec in TITLES_OF})
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
            Table(
                columns=["WMT08", *WMT08_TITLES.values()],
                rows=[
                    [title, *(number(one) for one in earlier[spec].values())]
                    for spec, title in TITLES_OF.items()
                ],
            ),
            (
                "The same for other costs of inserted (α) and of deleted words (β), on WMT08 (news "
                "from German, Spanish and French) and WMT12. If α = 1, β = 0 were the best there "
                "is, the lower left corner would have the highest number in each; if α = −0.9, "
                "β = 1 were, the upper right one."
            ),
            *(_surface(data, kind, names) for kind, names in SURFACES),
            straw,
            _picture(data),
            Claim(
                text="α = −0.9, β = 1 correlates better with people than α = 1, β = 0.",
                outcomes={TITLES[one]: means[BABBLE][one] > means[GRR][one] for one in CRITERIA}
                | {
                    f"WMT08 {name}": earlier[BABBLE][name] > earlier[GRR][name]
                    for name in WMT08_TITLES.values()
                },
            ),
            Claim(
                text="straw men would expose it.",
                outcomes={"straw men": report[BABBLE] and not report[GRR]},
            ),
        ],
    )


def _surface(data: Data, kind: str, names: tuple[str, ...]) -> Picture:
    """Mean correlation for every α and β of a grid."""
    from tertium.report.plots import heat_map

    campaign = names[0].partition(" ")[0]
    values = [
        [
            np.mean([data.agreement(one, kind, f"grr[alpha={a},beta={b}]") for one in names])
            for b in BETAS
        ]
        for a in ALPHAS
    ]
    title = f"{campaign.upper()}, {'constituents' if kind == 'constituent' else 'ranks'}"
    figure = heat_map(
        [f"α = {number(a)}" for a in ALPHAS],
        [f"β = {number(b, 2)}" for b in BETAS],
        values,
        title=f"Spearman's ρ of 4-GRR with people: {title}",
    )
    text = f"Heat map of Spearman's ρ of 4-GRR by α and β: {title}"
    return Picture(name=f"chiang_surface_{campaign}_{kind}", figure=figure, text=text)


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
