"""Findings speak of leads only where there are some, and in words that fit the metric."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.audit.leads import lead
from tertium.metrics.contract.table import METRICS
from tests.support.audit.cases import case_of, junk, reference, text
from tests.support.commands import output
from tests.support.corpora import corpus_of, named_systems


def noisy(
    segments: int, seed: int, *, systems: int = 6
) -> tuple[tertium.Corpus, list[tertium.System]]:
    """Systems that differ by nothing but chance: words too many, words too few, words wrong."""
    rng = np.random.default_rng(seed)
    references = [reference(i, int(rng.integers(8, 25))) for i in range(segments)]

    def output_of(words: list[str]) -> str:
        wrong = rng.random(len(words)) < 0.3
        kept = [junk(1)[0] if bad else word for word, bad in zip(words, wrong, strict=True)]
        change = int(rng.integers(-3, 4))
        return text(kept[: len(kept) + min(0, change)], junk(max(0, change)))

    outputs = {f"s{k}": [output_of(words) for words in references] for k in range(systems)}
    return corpus_of([text(words) for words in references]), named_systems(**outputs)


@pytest.mark.parametrize("seed", range(6))
def test_noise_is_not_called_a_lead(seed: int) -> None:
    """Equal systems: whatever is said of two of them has its p, and says that it is no lead."""
    corpus, systems = noisy(150, seed)
    report = tertium.audit(
        corpus, systems, ["bleu", "ter"], only=["licence", "fragile", "reversal"]
    )
    for one in report:
        found = one.numbers.get("lead")
        if found is None:  # of one system
            assert one.audit == "licence"
        elif found["p_value"] > 0.05:
            assert "no significant lead: p = " in one.meaning
            assert " leads " not in one.meaning
            assert " is ahead of s" not in one.meaning or one.audit == "reversal"
            assert one.severity != "serious"


def test_a_lead_has_the_p_value_of_compare() -> None:
    corpus, systems = noisy(60, 3, systems=2)
    compared = tertium.compare(corpus, systems, ["bleu"], sections=["scores"])
    assert compared.scores is not None
    (expected,) = compared.scores.slices[0].scores[1][0].tests
    found = lead(case_of(corpus, systems, "bleu"), (0, 1))
    assert (found.test, found.unit, found.units) == ("randomization", "segment", 60)
    seeded = tertium.compare(corpus, systems, ["bleu"], sections=["scores"], seed=1)
    assert seeded.scores is not None
    assert found.p_value == seeded.scores.slices[0].scores[1][0].tests[0].p_value
    assert found.p_value == pytest.approx(expected.p_value, abs=0.02)


def test_what_a_lead_says() -> None:
    references = [text(reference(i, 8)) for i in range(40)]
    wrong = [text(reference(i, 8)[:-1], junk(1)) for i in range(40)]
    clear = lead(
        case_of(corpus_of(references), named_systems(good=references, bad=wrong), "wer"), (0, 1)
    )
    assert str(clear) == "p < 0.0001, randomization of 40 segments"
    documents = [f"d{i % 8}" for i in range(40)]
    case = case_of(
        corpus_of(references, documents=documents), named_systems(good=references, bad=wrong), "wer"
    )
    assert str(lead(case, (0, 1))) == "p = 0.0078, randomization of 8 documents"
    same = case_of(corpus_of(references), named_systems(one=wrong, other=wrong), "wer")
    assert str(lead(same, (0, 1))).startswith("no significant lead: p = 1.0000")


def test_a_surface_that_turns_no_lead_is_no_finding() -> None:
    """`rough` loses by case alone, but on so few segments that nothing is significant."""
    references = [text(reference(i, 8)) for i in range(4)]
    plain = [text(reference(i, 8)[:-1], junk(1)) for i in range(4)]
    rough = [one.upper() for one in references]
    report = tertium.audit(
        corpus_of(references), named_systems(plain=plain, rough=rough), ["wer"], only=["fragile"]
    )
    assert not report.of("fragile")


@settings(max_examples=10, deadline=None)
@given(counts=st.lists(st.integers(1, 6), min_size=2, max_size=4, unique=True))
def test_deletions_are_sorted_by_size(counts: list[int]) -> None:
    """Each system babbles in another number of segments."""
    references = [text(reference(i, 8)) for i in range(30)]
    systems = named_systems(
        **{f"babble{n}": [text(junk(20))] * n + references[n:] for n in sorted(counts)}
    )
    report = tertium.audit(corpus_of(references), systems, ["wer"], only=["deletion"])
    shares = [one.numbers["free_word_share"] for one in report]
    assert len(shares) == len(counts)
    assert shares == sorted(shares, reverse=True)
    assert [one.size for one in report] == shares


def test_findings_are_ordered_by_severity_then_size() -> None:
    corpus, systems = noisy(80, 1)
    report = tertium.audit(corpus, systems, ["bleu", "ter"])
    order = ["serious", "warning", "note"]
    for metric in report.metrics:
        found = report.of(metric=metric)
        places = [(order.index(one.severity), -one.size) for one in found]
        assert places == sorted(places)


def test_no_length_is_spoken_of_where_none_is_paid_for() -> None:
    """Many small wins and one large loss, under metrics with and without a length penalty."""
    references = [text(reference(i, 10)) for i in range(30)]
    often = [text(reference(i, 10)[:-1], junk(1)) for i in range(27)] + [text(junk(40))] * 3
    rarely = [text(reference(i, 10)[:-2], junk(2)) for i in range(27)] + references[27:]
    corpus, systems = corpus_of(references), named_systems(often=often, rarely=rarely)
    for metric in ("wer", "grr", "ter"):
        report = tertium.audit(corpus, systems, [metric], only=["sign-test"])
        assert len(report) == 1
        for one in report:
            assert "length" not in one.meaning + one.advice
            assert "brevity" not in one.meaning + one.advice


@pytest.mark.parametrize(
    ("lengths", "names"),
    [
        ("corpus", ["bleu", "nist", "lrscore"]),
        ("segment", ["bleu-sbp", "amber", "ribes"]),
        ("none", ["grr", "wrr", "wer", "ter", "per", "chrf", "meteor", "gtm"]),
    ],
)
def test_metrics_say_which_lengths_they_punish(lengths: str, names: list[str]) -> None:
    assert {METRICS[name].penalised_lengths for name in names} == {lengths}


def test_a_metric_derived_from_bleu_grants_no_licence_that_cannot_be_measured() -> None:
    lines = ["a b c ||| 0-0 1-1 2-2"] * 3
    corpus, systems = corpus_of(lines), named_systems(one=lines, two=["a b ||| 0-0 1-1"] * 3)
    assert not tertium.audit(corpus, systems, ["lrscore"], only=["licence"])


def test_a_straw_man_says_how_sure_it_is() -> None:
    references = [text(reference(i, 8)) for i in range(30)]
    systems = named_systems(good=references, mute=[text(junk(12))] * 30)
    (finding,) = tertium.audit(corpus_of(references), systems, ["wer"], only=["straw-men"])
    assert "better than 1 of 2 systems (mute), 1 of them significantly" in finding.meaning
    assert finding.numbers["leads"]["mute"]["significant"]


def test_the_fact_about_bleu_stands_on_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Pieces between bigrams" in output(capsys, "metrics", "bleu")
    (entry,) = json.loads(output(capsys, "metrics", "bleu", "-f", "json"))["metrics"]
    assert entry["penalised_lengths"] == "corpus"
    assert len(entry["facts"]) == 1
    assert "Pieces" not in output(capsys, "metrics", "wer")


def test_a_significant_lead_on_one_document_is_serious() -> None:
    """Segments taken one by one are sure of what a single document says."""
    references = [text(reference(i, 8)) for i in range(40)]
    second = [text(reference(i, 8)[:-1], junk(1)) for i in range(40)]
    first = [*references[:30], *second[30:]]
    documents = ["long"] * 30 + ["b"] * 5 + ["c"] * 5
    corpus = corpus_of(references, documents=documents)
    systems = named_systems(first=first, second=second)
    by_segments = tertium.audit(corpus, systems, ["wer"], only=["fragile"], resample="segments")
    (finding,) = by_segments
    assert (finding.severity, finding.numbers["documents"]) == ("serious", ["long"])
    assert finding.meaning.startswith("first leads second, 3.12 to 12.50 (p < 0.0001, random")
    (finding,) = tertium.audit(corpus, systems, ["wer"], only=["fragile"])
    assert finding.severity == "warning"
    assert "no significant lead: p = 0.4353, t-test (CR2) of 3 documents" in finding.meaning


def test_a_reversal_within_noise_is_a_note_at_most() -> None:
    """Systems that are equal but for chance: nothing about slices is more than a note."""
    for seed in range(8):
        corpus, systems = noisy(90, seed, systems=4)
        for one in tertium.audit(corpus, systems, ["bleu"], only=["reversal"], by=["length"]):
            slices = one.numbers["slices"].values()
            least = min(abs(part[one.systems[0]] - part[one.systems[1]]) for part in slices)
            score = max(one.numbers["whole"].values())
            if one.numbers["reversed"]:
                assert one.severity != "serious" or one.numbers["lead"]["significant"]
            else:
                assert least >= 0.01 * score
