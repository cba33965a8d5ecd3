"""Papineni et al. (HLT 2002), Table 1: correlation of BLEU with human judgments."""

from typing import Final

from experiments.data import WMT17, Data
from experiments.running import main
from experiments.sections import MISSING, Claim, Picture, Section, Table, number

CRITERIA: Final = ("adequacy", "fluency", "da")
METRICS: Final = {"BLEU": "bleu", "NIST": "nist"}
PAPER: Final = (
    ("paper: French", "BLEU", "0.94", "1.00", MISSING, "0.86"),
    ("paper: Spanish", "BLEU", "0.98", "0.96", MISSING, "0.85"),
)
STRONG: Final = 0.85
"""The smallest correlation of the paper's table."""
DATA_NOTE: Final = (
    "The paper's systems are the six (French) and five (Spanish) of DARPA-94, one of each a human "
    "translator. Here: the systems of WMT17 (de-en, ru-en, tr-en; the texts at hand are "
    "lower-cased and tokenised), adequacy and fluency the means of the grades of Sudoh et al. "
    "(2021), a few dozen for each system, and the official direct assessment (DA). No set at "
    "hand has ratings of informativeness, for which DARPA-94 asked readers questions about the "
    "text: WMT08 to WMT12 have rankings, WMT08 judgments of constituents, too, WMT17 adequacy, "
    "fluency and DA, WMT23 and WMT24 errors, DA-SQM and ESA."
)


def run(data: Data) -> Section:
    """Pearson's r of BLEU, and of NIST beside it."""
    values = {
        (name, title, criterion): data.agreement(name, criterion, spec, "pearson")
        for name in WMT17
        for title, spec in METRICS.items()
        for criterion in CRITERIA
    }
    rows = [
        [name, title, *(number(values[name, title, one], 2) for one in CRITERIA), MISSING]
        for name in WMT17
        for title in METRICS
    ]
    table = Table(
        columns=["source", "metric", "adequacy", "fluency", "DA", "informativeness"],
        rows=[*rows, *PAPER],
    )
    return Section(
        title="Papineni et al. (HLT 2002), Table 1: BLEU and people",
        blocks=[
            (
                f"Pearson's r between BLEU and human judgments of systems. {DATA_NOTE} NIST is "
                "shown beside BLEU."
            ),
            table,
            _picture(data),
            Claim(
                text="BLEU correlates highly with adequacy and fluency (at least "
                f"{STRONG}, the smallest number of the paper's table).",
                outcomes={
                    f"{name} {one}": values[name, "BLEU", one] >= STRONG
                    for name in WMT17
                    for one in ("adequacy", "fluency")
                },
            ),
        ],
    )


def _picture(data: Data) -> Picture:
    from tertium.report.plots import judged_points

    name = WMT17[0]
    figure = judged_points(data.judgments(name, "adequacy"), data.scores(name, "bleu")).figure()
    text = f"Scatter of BLEU against mean adequacy, {name}"
    return Picture(name="hlt_table1", figure=figure, text=text)


if __name__ == "__main__":
    main(run)
