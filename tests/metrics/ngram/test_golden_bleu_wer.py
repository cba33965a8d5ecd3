"""BLEU, BLEU-SBP, WER and PER against the golden outputs of other people's programs."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tertium.metrics.contract.base import Rows
from tertium.metrics.edit.per import PositionIndependentErrorRate
from tertium.metrics.edit.wer import WordErrorRate
from tertium.metrics.ngram.bleu import Bleu, BleuStrictBrevity, Smoothing
from tertium.text.references import References
from tertium.text.tokenizers import WHITESPACE, Tokenizer
from tests.support.golden import lines, read_golden

pytestmark = pytest.mark.shared

SETS = [
    (folder, system, count)
    for folder in ("heen", "heen-tok")
    for system in ("GPT4-5shot", "ONLINE-B")
    for count in (1, 2)
]


class GoldenSet(NamedTuple):
    """One system of one golden set, with one or two references."""

    folder: Path
    system: str
    sets: int
    hypotheses: list[str]
    references: References

    def golden(self, tool: str) -> dict[str, float]:
        found = read_golden(self.folder, self.stem(tool))
        return {measure: float(value) for measure, value in found.corpus.items()}

    def segments(self, tool: str, measure: str) -> list[float]:
        return read_golden(self.folder, self.stem(tool)).column(measure)

    def stem(self, tool: str) -> str:
        return f"{tool}{'-1ref' if self.sets == 1 else ''}.{self.system}"


@pytest.fixture(params=SETS, ids=lambda row: "-".join(map(str, row)))
def golden_set(request: pytest.FixtureRequest, shared_oracles: Path) -> GoldenSet:
    name, system, count = request.param
    folder = shared_oracles / name
    columns = [lines(folder / f"ref.{i}.txt") for i in range(count)]
    references = References.of(list(zip(*columns, strict=True)))
    return GoldenSet(folder, system, count, lines(folder / f"hyp.{system}.txt"), references)


def corpus_row(metric: Bleu | WordErrorRate, case: GoldenSet) -> Rows:
    row: Rows = metric.statistics(case.hypotheses, case.references).sum(axis=0)
    return row


@pytest.mark.parametrize("tokenizer", ["13a", "intl", "char", "none"])
@pytest.mark.parametrize("smoothing", ["exp", "none", "floor", "add-k"])
@pytest.mark.parametrize("case", ["cased", "lc"])
def test_sacrebleu(golden_set: GoldenSet, tokenizer: str, smoothing: str, case: str) -> None:
    measure = f"BLEU.{tokenizer}.{smoothing}.{case}"
    metric = Bleu(
        tokenizer=Tokenizer(tokenizer),
        smoothing=Smoothing(smoothing),
        lowercase=case == "lc",
    )
    rows = metric.statistics(golden_set.hypotheses, golden_set.references)
    expected = golden_set.golden("sacrebleu-bleu")[measure]
    assert metric.score(rows.sum(axis=0)) == pytest.approx(expected, abs=1e-9)
    segments = golden_set.segments("sacrebleu-bleu", measure)
    np.testing.assert_allclose(metric.for_segments().score(rows), segments, atol=1e-9)


@pytest.mark.parametrize("length", ["closest", "shortest"])
@pytest.mark.parametrize("tool", ["mteval-v13a", "mteval-v14"])
def test_mteval(golden_set: GoldenSet, tool: str, length: str) -> None:
    if not (golden_set.folder / f"{golden_set.stem(tool)}.tsv.gz").exists():
        # Not every program was run on every set, and what it would print cannot be known.
        pytest.skip(f"no golden file {golden_set.stem(tool)} in {golden_set.folder.name}")
    golden = golden_set.golden(tool)
    for smoothing, name in (("exp", "smooth"), ("none", "nosmooth")):
        measure = f"BLEU.{length}.{name}.cased"
        if measure not in golden:  # with one reference the tool was run only once
            assert golden_set.sets == 1
            continue
        metric = Bleu(smoothing=Smoothing(smoothing)).with_options(reference_length=length)
        score = metric.score(corpus_row(metric, golden_set))
        assert score == pytest.approx(100 * golden[measure], abs=1e-9)


def test_bleu_sbp_is_mteval_v11b_sbp(golden_set: GoldenSet) -> None:
    golden = golden_set.golden("mteval-v11b_sbp")
    metric = BleuStrictBrevity(smoothing=Smoothing("none"))
    row = corpus_row(metric, golden_set)
    assert row[-1] == golden["BLEU_SBP.cased.sum_min_hyp_ref"]
    assert row[-2] == golden["BLEU_SBP.cased.ref_len_shortest"]
    assert metric.brevity_penalty(row) == pytest.approx(golden["BLEU_SBP.cased.bp"], abs=1e-12)
    # The tool works on bytes, so its tokens differ where a text is not ASCII: not on heen-tok.
    tolerance = 5e-3 if golden_set.folder.name == "heen-tok" else 5e-2
    assert metric.score(row) == pytest.approx(100 * golden["BLEU_SBP.cased"], abs=tolerance)


def test_wer_and_per_are_portages(golden_set: GoldenSet) -> None:
    golden = golden_set.golden("portage-wer-per")
    rate = WordErrorRate(tokenizer=WHITESPACE)
    bag = PositionIndependentErrorRate(tokenizer=WHITESPACE)
    rows = rate.statistics(golden_set.hypotheses, golden_set.references)
    bag_rows = bag.statistics(golden_set.hypotheses, golden_set.references)
    edits = golden_set.segments("portage-wer-per", "wer_edits")
    assert rows[:, :3].sum(axis=1).tolist() == edits
    assert bag_rows[:, 0].tolist() == golden_set.segments("portage-wer-per", "per_edits")
    lengths = golden_set.segments("portage-wer-per", "ref_len")
    np.testing.assert_allclose(rows[:, 3], lengths, atol=0.005)
    assert rate.score(rows.sum(axis=0)) == pytest.approx(100 * golden["WER"], abs=1e-6)
    assert bag.score(bag_rows.sum(axis=0)) == pytest.approx(100 * golden["PER"], abs=1e-6)


def test_edits_are_jiwers(golden_set: GoldenSet) -> None:
    metric = WordErrorRate(tokenizer=WHITESPACE)
    for number, column in enumerate(golden_set.references.columns):
        rows = metric.statistics(golden_set.hypotheses, References([column]))
        for place, kind in enumerate(["insertions", "deletions", "substitutions"]):
            stem = f"jiwer.{golden_set.system}"  # one file, with each reference on its own
            expected = read_golden(golden_set.folder, stem).column(f"ref{number}.{kind}")
            assert rows[:, place].tolist() == expected
