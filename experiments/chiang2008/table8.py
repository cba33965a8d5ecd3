"""Chiang et al. (2008), Table 8: deletion under BLEU with the strict brevity penalty."""

from typing import Final

import numpy as np

from experiments.chiang2008.deletion import KINDS, Deleter, marks
from experiments.chiang2008.nbest_deletion import BLEU, Trained, trained
from experiments.chiang2008.nbest_deletion import SBP as NBEST_SBP
from experiments.chiang2008.table6 import NIST_BLEU, SHOWN, TEST_SETS, shown
from experiments.data import Data
from experiments.running import main
from experiments.sections import Claim, Section, Table, number
from tertium.tune import Outcome

SBP: Final = "bleu-sbp"
PAPER_BLEU: Final = (
    ("paper: none", "35.3", "36.9"),
    ("paper: word", "35.8+", "37.1"),
    ("paper: sentence", "33.0−−", "34.5−−"),
)
PAPER_SBP: Final = (
    ("paper: none", "0", "35.8", "0", "37.1"),
    ("paper: word", "5.3", "36.3+", "5.0", "37.3"),
    ("paper: sentence", "0.02", "35.9", "0", "37.5"),
)


def run(data: Data) -> Section:
    """The outputs of Table 6 scored by BLEU-SBP, then thresholds trained for it."""
    deleter = shown(data)
    everyone = [
        Deleter(data, test_set, system)
        for test_set in TEST_SETS
        for system in range(len(data.test_set(test_set).systems))
    ]
    gone = {
        (kind, spec): np.array([one.trained(kind, spec).gone_test for one in everyone])
        for kind in ("word", "sentence")
        for spec in (NIST_BLEU, SBP)
    }
    summary = Table(
        columns=["deletion", "trained for", "systems that use it", "mean test del% of all"],
        rows=[
            [
                kind,
                "BLEU" if spec == NIST_BLEU else "BLEU-SBP",
                f"{int((shares > 0).sum())} of {len(shares)}",
                number(100 * float(shares.mean()), 2),
            ]
            for (kind, spec), shares in gone.items()
        ],
        note="All systems of WMT12 (cs-en, de-en, es-en) and WMT23 (he-en, zh-en).",
    )
    rules = {
        (kind, spec): trained(data, kind, spec) for spec in (BLEU, NBEST_SBP) for kind in KINDS
    }
    shares = {
        (kind, spec): 1 - found.test.words / rules["none", spec].test.words
        for (kind, spec), found in rules.items()
    }
    tables = [_by_tuning(rules, spec) for spec in (BLEU, NBEST_SBP)]
    punished = deleter.compared(SBP, deleter.trained("sentence", NIST_BLEU), "test")
    return Section(
        title="Chiang et al. (2008), Table 8: deletion under BLEU-SBP",
        blocks=[
            (
                f"The system and the halves are those of Table 6 ({deleter.name} of {SHOWN}). "
                "First the outputs whose thresholds were trained for BLEU:"
            ),
            Table(
                columns=["deletion", "dev BLEU-SBP", "test BLEU-SBP"],
                rows=[*(_scores(deleter, kind) for kind in KINDS), *PAPER_BLEU],
            ),
            "Then with thresholds trained for BLEU-SBP:",
            Table(
                columns=["deletion", "dev: del%", "BLEU-SBP", "test: del%", "BLEU-SBP"],
                rows=[*(_trained(deleter, kind) for kind in KINDS), *PAPER_SBP],
            ),
            summary,
            BY_TUNING,
            *tables,
            Claim(
                text="BLEU-SBP severely punishes the sentence deletion that was trained for BLEU.",
                outcomes={
                    f"{deleter.name} (p < 0.05)": "−" in marks(punished),
                    "n-best lists": rules["sentence", BLEU].test.scores[1]
                    < rules["none", BLEU].test.scores[1],
                },
            ),
            Claim(
                text="trained for BLEU-SBP, word deletion is rarer than trained for BLEU.",
                outcomes={
                    "thresholds": bool(gone["word", SBP].mean() < gone["word", NIST_BLEU].mean()),
                    "n-best lists": shares["word", NBEST_SBP] < shares["word", BLEU],
                },
            ),
            Claim(
                text="trained for BLEU-SBP, sentence deletion is nearly unused (under a tenth of "
                "what it is when trained for BLEU).",
                outcomes={
                    "thresholds": bool(
                        gone["sentence", SBP].mean() < 0.1 * gone["sentence", NIST_BLEU].mean()
                    ),
                    "n-best lists": shares["sentence", NBEST_SBP] < 0.1 * shares["sentence", BLEU],
                },
            ),
        ],
    )


BY_TUNING: Final = (
    "By tuning, on real n-best lists: those of a hierarchical Bengali–English system with four "
    "references, but only 100 segments; every other one is the test half. "
    "Word deletion may leave out the words that the system did not translate, sentence deletion "
    "everything; minimum error rate training sets the weights of the decoder's score, the number "
    "of words and the number of words deleted. No significance is claimed on so few segments."
)


def _by_tuning(rules: dict[tuple[str, str], Trained], spec: str) -> Table:
    title = "BLEU" if spec == BLEU else "BLEU-SBP"
    rows = []
    for kind in KINDS:
        cells = [kind]
        for half in ("dev", "test"):
            found: Outcome = getattr(rules[kind, spec], half)
            words = getattr(rules["none", spec], half).words
            cells += [number(100 * (1 - found.words / words)), str(found.empty)]
            cells += [number(score) for score in found.scores]
        rows.append(cells)
    halves = ("del%", "empty", "BLEU", "BLEU-SBP")
    return Table(
        columns=[
            f"trained for {title}",
            *(f"dev: {one}" for one in halves),
            *(f"test: {one}" for one in halves),
        ],
        rows=rows,
    )


def _scores(deleter: Deleter, kind: str) -> list[str]:
    outputs = deleter.trained(kind, NIST_BLEU)
    tests = [deleter.compared(SBP, outputs, half) for half in ("dev", "test")]
    return [kind, *(number(test.system) + marks(test) for test in tests)]


def _trained(deleter: Deleter, kind: str) -> list[str]:
    outputs = deleter.trained(kind, SBP)
    cells = [kind]
    for half, gone in (("dev", outputs.gone_dev), ("test", outputs.gone_test)):
        test = deleter.compared(SBP, outputs, half)
        cells += [number(100 * gone, 2), number(test.system) + marks(test)]
    return cells


if __name__ == "__main__":
    main(run)
