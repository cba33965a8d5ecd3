"""Chiang et al. (2008), Table 6: deletion goes unpunished by BLEU."""

from typing import Final

import numpy as np

from experiments.chiang2008.deletion import BLOCK, KINDS, Deleter, marks
from experiments.data import WMT12, WMT23, Data, length_ratio
from experiments.running import main
from experiments.sections import Claim, Picture, Section, Table, number

NIST_BLEU: Final = "bleu[reference_length=shortest]"
TEST_SETS: Final = (*WMT12, *WMT23)
SHOWN: Final = "wmt12 cs-en"
PAPER: Final = (
    ("paper: none", "0", "37.7", "0", "39.3"),
    ("paper: word", "8.4", "38.6++", "7.7", "40.1++"),
    ("paper: sentence", "10.2", "37.7", "8.6", "39.1"),
)
INTRODUCTION: Final = (
    "The paper added rules to its decoder that translate words, or whole sentences, into nothing, "
    "and let max-BLEU training set their weight. By construction: words (or sentences) of a real "
    "output are deleted if few of the other systems of the test set use them, and the threshold "
    f"is trained for BLEU on one half (blocks of {BLOCK} segments in turn), then used on the "
    "other. One reference instead of several, so that BLEU forgives less. Shown in the paper's "
    f"shape is the system of {SHOWN} with the longest output, then all systems of WMT12 and WMT23. "
    "++, + and −−, − mark significant differences from no deletion (paired bootstrap, p < 0.01, p "
    "< 0.05)."
)


def run(data: Data) -> Section:
    """One system in the paper's shape, then all systems in sums."""
    deleter = shown(data)
    table = Table(
        columns=["deletion", "dev: del%", "BLEU", "test: del%", "BLEU"],
        rows=[*(_row(deleter, kind) for kind in KINDS), *PAPER],
    )
    everyone = [
        Deleter(data, test_set, system)
        for test_set in TEST_SETS
        for system in range(len(data.test_set(test_set).systems))
    ]
    kinds = ("word", "sentence")
    sums = {kind: Sums.of(everyone, kind) for kind in kinds}
    summary = Table(
        columns=[
            "deletion",
            "systems that use it",
            "mean test del% of these",
            "test BLEU significantly better",
            "no significant change",
            "significantly worse",
        ],
        rows=[sums[kind].row(kind, len(everyone)) for kind in kinds],
        note="All systems of WMT12 (cs-en, de-en, es-en) and WMT23 (he-en, zh-en).",
    )
    return Section(
        title="Chiang et al. (2008), Table 6: deletion under BLEU",
        blocks=[
            INTRODUCTION,
            f"The system: {deleter.name} of {SHOWN}.",
            table,
            summary,
            _picture(deleter),
            Claim(
                text="training for BLEU finds a use for rules that delete whole sentences, and few "
                "systems lose significantly by them on test data.",
                outcomes={
                    "sentence deletion": sums["sentence"].used > 0
                    and 2 * sums["sentence"].worse < sums["sentence"].used
                },
            ),
            Claim(
                text="word deletion can improve BLEU significantly.",
                outcomes={"word deletion": sums["word"].better > 0},
            ),
        ],
    )


class Sums:
    """How systems fare with one kind of deletion."""

    def __init__(self, shares: list[float], signs: list[str]) -> None:
        self.shares = shares
        self.better = sum("+" in sign for sign in signs)
        self.worse = sum("−" in sign for sign in signs)

    @classmethod
    def of(cls, everyone: list[Deleter], kind: str) -> "Sums":
        """Those of the systems whose training found a use for the rule."""
        trained = [(one, one.trained(kind, NIST_BLEU)) for one in everyone]
        used = [(one, outputs) for one, outputs in trained if outputs.gone_dev > 0]
        signs = [marks(one.compared(NIST_BLEU, outputs, "test")) for one, outputs in used]
        return cls([outputs.gone_test for _, outputs in used], signs)

    @property
    def used(self) -> int:
        """How many systems delete anything."""
        return len(self.shares)

    def row(self, kind: str, systems: int) -> list[str]:
        """A row of the summary."""
        mean = 100 * float(np.mean(self.shares)) if self.shares else None
        same = self.used - self.better - self.worse
        return [
            kind,
            f"{self.used} of {systems}",
            number(mean),
            str(self.better),
            str(same),
            str(self.worse),
        ]


def shown(data: Data) -> Deleter:
    """The system with the longest output, relative to the reference."""
    counted = data.counted(SHOWN, NIST_BLEU)
    ratios = [length_ratio(counted, one) for one in range(len(counted.rows))]
    return Deleter(data, SHOWN, int(np.argmax(ratios)))


def _row(deleter: Deleter, kind: str) -> list[str]:
    outputs = deleter.trained(kind, NIST_BLEU)
    cells = [kind]
    for half, gone in (("dev", outputs.gone_dev), ("test", outputs.gone_test)):
        test = deleter.compared(NIST_BLEU, outputs, half)
        cells += [number(100 * gone), number(test.system) + marks(test)]
    return cells


def _picture(deleter: Deleter) -> Picture:
    from tertium.report.plots import Line, curve

    metrics = {"BLEU": NIST_BLEU, "BLEU-SBP": "bleu-sbp", "4-GRR": "grr", "METEOR": "meteor-0.6"}
    confidence = np.array([one.mean() if len(one) else np.inf for one in deleter.support])
    order = np.argsort(confidence, kind="stable")
    shares = np.concatenate([[0.0], np.cumsum(deleter.words[order]) / deleter.words.sum()])
    places = [int(np.searchsorted(shares, share)) for share in np.arange(0, 0.21, 0.01)]
    lines = []
    for title, spec in metrics.items():
        metric = deleter.metric(spec)
        rows = deleter.rows(spec, deleter.texts)
        changes = (deleter.rows(spec, [""] * len(rows)) - rows)[order]
        sums = rows.sum(axis=0) + np.vstack([0 * rows[:1], np.cumsum(changes, axis=0)])[places]
        scores = metric.score(sums)
        lines.append(
            Line(
                name=title,
                x=[100 * shares[place] for place in places],
                y=(100 * (scores / scores[0] - 1)).tolist(),
            )
        )
    figure = curve(
        lines,
        title=f"Deleting whole sentences of {deleter.name} ({SHOWN}), least supported first",
        x_title="words deleted (%)",
        y_title="change of the score (%)",
    )
    return Picture(
        name="chiang_table6",
        figure=figure,
        text="Change of BLEU, BLEU-SBP, 4-GRR and METEOR while sentences are deleted",
    )


if __name__ == "__main__":
    main(run)
