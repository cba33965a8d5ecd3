"""Statistics are computed once and shared."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.cli.demo import SAMPLE
from tertium.errors import InputError, OptionError
from tertium.inference import metric_rows, units_of
from tertium.inference.resampling import resampled_scores, shared_resamples
from tertium.metrics.ngram.chrf import Chrf
from tertium.scored import scored
from tertium.study.study import study
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs
from tertium.text.references import AnyReferences, Hypotheses

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sample() -> Chunk:
    return open_inputs(
        [str(SAMPLE / "reference.1.en")],
        [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))],
        documents=str(SAMPLE / "documents.tsv"),
    ).load()


def test_it_is_what_evaluate_gives(sample: Chunk) -> None:
    metrics = ["bleu", "nist", "ter"]
    whole = scored(sample.corpus, sample.systems, metrics)
    expected = tertium.evaluate(sample.corpus, sample.systems, metrics, segments=True, rows=True)
    for ours, theirs in zip(whole.evaluation().systems, expected.systems, strict=True):
        assert ours.system == theirs.system
        for one, other in zip(ours.scores, theirs.scores, strict=True):
            assert one.value == other.value
            assert one.signature == other.signature
            np.testing.assert_array_equal(one.segments, other.segments)
            np.testing.assert_array_equal(one.rows, other.rows)


def test_comparing_scored_systems_gives_the_same(sample: Chunk) -> None:
    whole = scored(sample.corpus, sample.systems, ["bleu", "nist"])
    again = tertium.compare(whole, trials=200)
    fresh = tertium.compare(sample.corpus, sample.systems, ["bleu", "nist"], trials=200)
    assert again.to_dict() == fresh.to_dict()


def test_whoever_takes_a_corpus_takes_what_is_scored(sample: Chunk) -> None:
    given = sample.corpus, sample.systems[:3], ["nist"]
    whole = scored(*given)
    assert tertium.audit(whole).to_dict() == tertium.audit(*given).to_dict()
    assert tertium.explain(whole, segments=[4]).to_dict() == (
        tertium.explain(sample.corpus, sample.systems[:3], "nist", segments=[4]).to_dict()
    )
    assert study(whole, trials=100).to_dict() == study(*given, trials=100).to_dict()


@pytest.mark.parametrize(
    "metrics",
    [
        ["bleu"],
        ["bleu[order=2]"],
        ["bleu[tokenizer=char]"],
        ["bleu[reference_length=shortest]"],
        ["bleu-sbp"],
    ],
)
def test_lengths_are_the_same_whatever_is_scored(sample: Chunk, metrics: list[str]) -> None:
    found = scored(sample.corpus, sample.systems, metrics).lengths
    expected = scored(sample.corpus, sample.systems, ["chrf"]).lengths
    np.testing.assert_array_equal(found.words, expected.words)
    np.testing.assert_array_equal(found.closest, expected.closest)


def test_what_is_scored_has_its_own_systems_and_metrics(sample: Chunk) -> None:
    whole = scored(sample.corpus, sample.systems, ["bleu", "nist"])
    with pytest.raises(OptionError, match="scored: found systems beside it, expected none"):
        tertium.audit(whole, sample.systems)
    with pytest.raises(OptionError, match="scored: found metrics beside it, expected none"):
        tertium.compare(whole, metrics=["bleu"])
    with pytest.raises(InputError, match="rows: found bleu, nist, expected ter among them"):
        tertium.explain(whole, metric="ter")


def test_rows_must_fit(sample: Chunk) -> None:
    whole = scored(sample.corpus, sample.systems, ["wer"])
    with pytest.raises(InputError, match=r"wer rows: found \(5, 91, 4\), expected \(5, 92, 4\)"):
        replace(whole, rows=(whole.rows[0][:, 1:],))


def test_a_study_scores_every_system_once(sample: Chunk, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {one.name: one.hypotheses.to_list() for one in sample.systems}
    seen: Counter[str] = Counter()
    compute = Chrf.statistics

    def counted(metric: Chrf, hypotheses: Hypotheses, references: AnyReferences) -> object:
        given = [hypotheses[place] for place in range(len(hypotheses))]
        for name, lines in texts.items():
            seen[name] += given == lines
        return compute(metric, hypotheses, references)

    monkeypatch.setattr(Chrf, "statistics", counted)
    study(sample.corpus, sample.systems, ["chrf"], trials=100)
    assert seen == dict.fromkeys(texts, 1)


@pytest.mark.parametrize(("systems", "metrics"), [(0, ["bleu"]), (1, [])])
def test_nothing_to_score(sample: Chunk, systems: int, metrics: list[str]) -> None:
    with pytest.raises(InputError, match="expected at least one of each"):
        scored(sample.corpus, sample.systems[:systems], metrics)


def test_audits_of_one_value_do_not_mix_their_settings(sample: Chunk) -> None:
    whole = scored(sample.corpus, sample.systems[:3], ["bleu", "wer"])
    settings: list[dict[str, Any]] = [{}, {"seed": 7}, {"alpha": 0.2}, {"resample": "segments"}, {}]
    for options in settings:
        fresh = tertium.audit(sample.corpus, sample.systems[:3], ["bleu", "wer"], **options)
        assert tertium.audit(whole, **options).to_dict() == fresh.to_dict(), options


def test_resamples_are_drawn_once(sample: Chunk) -> None:
    whole = scored(sample.corpus, sample.systems, ["bleu", "nist"])
    units = units_of(len(sample.corpus), sample.corpus.documents, "segments")
    many = shared_resamples(whole, units, trials=300, seed=3)
    few = shared_resamples(whole, units, trials=100, seed=3)
    alone = resampled_scores(metric_rows(whole), trials=100, seed=3)
    for one, other, expected in zip(many, few, alone, strict=True):
        assert np.shares_memory(one, other)
        np.testing.assert_array_equal(other, expected)
    assert shared_resamples(whole, units, trials=400, seed=3)[0].shape == (5, 400)
