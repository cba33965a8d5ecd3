"""Chiang et al. (2008), Table 7: other metrics on the outputs with deletions."""

from typing import Final

from experiments.chiang2008.deletion import KINDS
from experiments.chiang2008.table6 import NIST_BLEU, SHOWN, shown
from experiments.data import Data
from experiments.running import main
from experiments.sections import Claim, Section, Table, number

METRICS: Final = {"METEOR": "meteor-0.6", "GTM": "gtm", "MaxSim": "maxsim", "4-GRR": "grr"}
PAPER: Final = (
    ("paper: none", "59.2", "41.0", "45.6", "18.7"),
    ("paper: word", "57.9", "41.9", "45.0", "18.6"),
    ("paper: sentence", "57.2", "41.3", "44.0", "17.1"),
)


def run(data: Data) -> Section:
    """The three outputs of Table 6 on the test half."""
    deleter = shown(data)
    values: dict[str, dict[str, float]] = {}
    for kind in KINDS:
        outputs = deleter.trained(kind, NIST_BLEU)
        values[kind] = {}
        for title, spec in METRICS.items():
            counts = deleter.rows(spec, outputs.texts)[~deleter.dev].sum(axis=0)
            values[kind][title] = float(deleter.metric(spec).score(counts))
    rows = [[kind, *(number(values[kind][title]) for title in METRICS)] for kind in KINDS]
    lower = {
        title: all(values[kind][title] < values["none"][title] for kind in ("word", "sentence"))
        for title in METRICS
    }
    return Section(
        title="Chiang et al. (2008), Table 7: deletion under other metrics",
        blocks=[
            (
                f"The outputs of Table 6 ({deleter.name} of {SHOWN}, test half; thresholds trained "
                "for BLEU) under metrics that were not trained for."
            ),
            Table(columns=["deletion", *METRICS], rows=[*rows, *PAPER]),
            Claim(
                text="METEOR, MaxSim and 4-GRR punish word deletion as well as sentence deletion, "
                "GTM does not.",
                outcomes={title: lower[title] != (title == "GTM") for title in METRICS},
            ),
        ],
    )


if __name__ == "__main__":
    main(run)
