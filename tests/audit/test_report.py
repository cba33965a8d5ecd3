"""The report of all audits: the sample, what is skipped and what cannot be audited."""

from pathlib import Path

import pytest

import tertium
from tertium.audit import AUDITS, AuditReport
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import METRICS
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs
from tests.support.corpora import corpus_of, named_systems

pytestmark = pytest.mark.slow

SAMPLE = Path(tertium.__file__).parent / "data" / "sample"


@pytest.fixture(scope="module")
def sample() -> Chunk:
    references = [str(path) for path in sorted(SAMPLE.glob("reference.*.en"))]
    systems = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
    return open_inputs(references, systems, documents=str(SAMPLE / "documents.tsv")).load()


def test_the_sample_has_what_was_planted(sample: Chunk) -> None:
    report = tertium.audit(sample.corpus, sample.systems, ["bleu", "bleu-sbp"], by=["genre"])
    (reversal,) = report.of("reversal")
    assert (reversal.metric, reversal.systems) == ("bleu", ("elm", "birch"))
    assert reversal.numbers["length_ratios"]["news"]["birch"] == pytest.approx(1.084, abs=5e-4)
    (licence,) = report.of("licence")
    assert (licence.metric, licence.systems) == ("bleu", ("birch", "elm"))


def test_the_report_is_the_same_for_the_same_seed(sample: Chunk) -> None:
    first, second = (
        tertium.audit(sample.corpus, sample.systems, ["bleu", "wer"], seed=7) for _ in range(2)
    )
    assert first.to_dict() == second.to_dict()
    assert isinstance(first, AuditReport)
    assert (first.metrics, first.segments, first.seed) == (("bleu", "wer"), 92, 7)
    assert (
        len(first)
        == len(list(first))
        == sum(len(first.of(metric=one)) for one in ("", "bleu", "wer"))
    )
    assert "5 systems" in repr(first)


@pytest.mark.slow
@pytest.mark.parametrize("name", AUDITS)
def test_one_audit_at_a_time(sample: Chunk, name: str) -> None:
    everything = tertium.audit(sample.corpus, sample.systems, ["bleu"])
    alone = tertium.audit(sample.corpus, sample.systems, ["bleu"], only=[name])
    others = tertium.audit(sample.corpus, sample.systems, ["bleu"], skip=[name])
    assert alone.findings == everything.of(name)
    assert len(others) == len(everything) - len(alone)


def test_findings_are_sorted_by_severity(sample: Chunk) -> None:
    report = tertium.audit(sample.corpus, sample.systems, ["bleu"])
    places = [(one.metric, ["serious", "warning", "note"].index(one.severity)) for one in report]
    assert places == sorted(places)  # and what is about the output comes before all metrics


def test_metrics_over_annotations_skip_audits_that_make_up_text() -> None:
    line = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_"
    assert METRICS["dependency"].segment_form != "plain text"
    corpus, systems = corpus_of([line] * 3), named_systems(one=[line] * 3, two=[line] * 3)
    report = tertium.audit(corpus, systems, ["dependency"])
    assert {one.audit for one in report.skipped} == {
        "copies",
        "damage",
        "deletion",
        "words",
        "permutation",
        "straw-men",
        "fragile",
        "gaming",  # which wants a metric of another family
    }


def test_what_cannot_be_audited() -> None:
    corpus, systems = corpus_of(["a"]), named_systems(one=["a"])
    with pytest.raises(OptionError, match="unknown audit 'reversl'; did you mean 'reversal'"):
        tertium.audit(corpus, systems, only=["reversl"])
    with pytest.raises(OptionError, match=r"alpha: found 0.95, expected a significance level"):
        tertium.audit(corpus, systems, alpha=0.95)
    with pytest.raises(InputError, match="ref: no genre labels"):
        tertium.audit(corpus, systems, by=["genre"])
    with pytest.raises(InputError, match="ref: found 0 systems and 2 metrics"):
        tertium.audit(corpus, [])
    with pytest.raises(InputError, match="one: 1 segment, expected 2"):
        tertium.audit(corpus_of(["a", "b"]), systems)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "grr", "ter", "nist", "ribes"])
def test_odd_corpora(metric: str) -> None:
    """One segment, empty outputs, empty references: nothing fails."""
    for references, outputs in (
        (["a b"], ["a b"]),
        (["a b"], [""]),
        (["", "a"], ["b", ""]),
        (["", ""], ["", ""]),
    ):
        report = tertium.audit(corpus_of(references), named_systems(a=outputs, b=outputs), [metric])
        assert report.segments == len(references)
