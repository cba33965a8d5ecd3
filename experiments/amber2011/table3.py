"""Chen and Kuhn (2011), Table 3: AMBER against BLEU and METEOR."""

from typing import Final

from experiments.amber2011.variants import DATA_NOTE, LEVELS, Agreements, Paper, measured, table
from experiments.data import WMT12, WMT17, Data
from experiments.running import main
from experiments.sections import Claim, Section

METRICS: Final = {
    "BLEU": "bleu[smoothing=none]",
    "BLEU, smoothed": "bleu",
    "METEOR": "meteor",
    "AMBER(1)": "amber-basic",
    "AMBER(1,4,6)": "amber",
}
PAPER: Final = {
    "BLEU": Paper(systems=("0.68", "0.72", "N/A"), segments=("0.37", "0.40", "N/A")),
    "METEOR": Paper(systems=("0.80", "0.80", "+0.08"), segments=("0.58", "0.56", "+0.17")),
    "AMBER(1)": Paper(systems=("0.83", "0.83", "+0.11"), segments=("0.61", "0.58", "+0.19")),
    "AMBER(1,4,6)": Paper(systems=("0.84", "0.86", "+0.14"), segments=("0.62", "0.60", "+0.20")),
}


def run(data: Data) -> Section:
    """The four metrics of the paper, and BLEU with smoothed segment scores."""
    found: dict[str, Agreements] = {}
    for title, spec in METRICS.items():
        scores = {
            name: data.scores(name, spec, segments=name in WMT12) for name in (*WMT12, *WMT17)
        }
        found[title] = measured(data, scores)
    amber = ("AMBER(1)", "AMBER(1,4,6)")
    return Section(
        title="Chen and Kuhn (2011), Table 3: AMBER, BLEU and METEOR",
        blocks=[
            (
                f"{DATA_NOTE} The paper's METEOR is 1.0, ours 1.5. IBM's BLEU gives a segment "
                "without a matching 4-gram the score 0, so that many pairs are tied, which counts "
                "as wrong; the second row has the smoothing that is usual today."
            ),
            table(found, PAPER, "metric"),
            Claim(
                text="AMBER agrees better with people than BLEU and METEOR, on systems and on "
                "segments.",
                outcomes={
                    f"{title} over {other} ({level})": getattr(found[title], kind)
                    > getattr(found[other], kind)
                    for title in amber
                    for other in ("BLEU", "METEOR")
                    for level, kind in LEVELS
                },
            ),
        ],
    )


if __name__ == "__main__":
    main(run)
