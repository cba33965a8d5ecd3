"""Chiang et al. (2008), Table 3: better in every genre, worse on the whole."""

from typing import Final

from experiments.chiang2008.genres import NIST_BLEU, described, genres_of, scored, search
from experiments.data import Data
from experiments.running import main
from experiments.sections import Block, Claim, Section, Table, change, number

PAPER: Final = (
    ("paper: nw", "47.9", "1.14", "51.1", "0.98", "+3.2"),
    ("paper: web", "16.3", "0.87", "16.8", "0.95", "+0.5"),
    ("paper: nw+web", "31.5", "0.97", "30.4", "0.96", "−1.1"),
)
INTRODUCTION: Final = (
    "The paper trained one system on two genres together and one for each genre, and found the "
    "genre-specific outputs better in each genre, but worse together. No such trainings are at "
    "hand. By construction instead: every genre of WMT23 zh-en is translated by one of its "
    "systems, and of all pairs of such assignments the one is shown that is reversed most clearly "
    "under BLEU. “Mixed” is the assignment that is better on the whole, “specific” the one that is "
    "better in every genre. One reference; length is the ratio to its length."
)


def run(data: Data) -> Section:
    """The clearest reversal under BLEU."""
    found = search(data, NIST_BLEU)
    blocks: list[Block] = [INTRODUCTION]
    if found.largest is not None:
        mixed, specific = (
            scored(data, NIST_BLEU, one) for one in (found.largest.mixed, found.largest.specific)
        )
        rows = [
            [
                label,
                number(mixed.scores[k]),
                number(mixed.lengths[k], 2),
                number(specific.scores[k]),
                number(specific.lengths[k], 2),
                change(specific.scores[k] - mixed.scores[k]),
            ]
            for k, label in enumerate([*genres_of(data), "all"])
        ]
        blocks += [
            (
                f"Mixed: {described(data, found.largest.mixed)}. "
                f"Specific: {described(data, found.largest.specific)}."
            ),
            Table(
                columns=["test set", "mixed BLEU", "length", "specific BLEU", "length", "ΔBLEU"],
                rows=[*rows, *PAPER],
            ),
        ]
    blocks += [
        (
            f"Of {found.clear_wins:,} pairs of assignments of which one is better in every genre, "
            f"{found.reversals:,} have the worse BLEU on the whole."
        ),
        Claim(
            text="outputs that are better in every genre can have a lower BLEU together.",
            outcomes={"wmt23 zh-en": found.reversals > 0},
        ),
    ]
    return Section(title="Chiang et al. (2008), Table 3: genres under BLEU", blocks=blocks)


if __name__ == "__main__":
    main(run)
