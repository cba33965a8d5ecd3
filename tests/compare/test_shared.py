"""Two real systems side by side."""

from pathlib import Path

import pytest

import tertium
from tertium.compare import SECTIONS, compare
from tertium.compare.frequency import FREQUENCIES
from tertium.evaluation import evaluate
from tertium.metrics.contract.table import parse_metric
from tertium.text.input_files import open_inputs

BLEU_LENGTHS = ("hypothesis_length", "reference_length")


@pytest.mark.shared
def test_two_systems_of_wmt12(shared_data: Path) -> None:
    folder = shared_data / "wmt12"
    paths = [
        str(folder / "system-outputs" / "es-en" / f"newstest2012.es-en.{name}")
        for name in ("onlineA", "UPC")
    ]
    whole = open_inputs([str(folder / "newstest2012-ref.en")], paths).load()
    compared = compare(whole.corpus, whole.systems, ["bleu", "chrf"], test="all", trials=1000)
    plain = evaluate(whole.corpus, whole.systems, ["bleu", "chrf"])
    assert compared.sections == SECTIONS
    assert compared.scores is not None
    for m, score in enumerate(compared.scores.slices[0].scores[1]):
        first, second = (one.scores[m].value for one in plain.systems)
        assert score.delta == pytest.approx(second - first)
        assert score.delta_interval is not None
        assert score.delta_interval.low < second - first < score.delta_interval.high
        assert len(score.tests) == 3
    # UPC has straight quotation marks after commas where the reference has them.
    assert compared.ngrams is not None
    assert compared.ngrams[0].gained[0].text == ', "'
    assert len(compared.ngrams[0].gained) == len(compared.ngrams[0].lost) == 5
    assert compared.words is not None
    assert len(compared.words.differences[0].gained) == 5
    assert [band.label for band in compared.words.frequencies.bands] == list(FREQUENCIES.labels)
    assert compared.lengths is not None
    assert sum(band.segments for band in compared.lengths.bands) == 3003
    for profile, one in zip(compared.lengths.profiles, plain.systems, strict=True):
        row = one.scores[0].statistics
        columns = one.scores[0].metric.columns
        lengths = [row[columns.index(name)] for name in BLEU_LENGTHS]
        assert profile.ratio == pytest.approx(lengths[0] / lengths[1])
        assert sum(profile.counts) == 3003
    assert compared.sentences is not None
    (found,) = compared.sentences
    assert len(found.better) == len(found.worse) == 5
    for pair in found.better:
        alone = parse_metric("bleu").for_segments()
        texts = [system.hypotheses[pair.number - 1] or "" for system in whole.systems]
        expected = [tertium.score([text], [list(pair.references)], alone).value for text in texts]
        assert [pair.baseline_score, pair.system_score] == pytest.approx(expected)
