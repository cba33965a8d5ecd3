"""Audits find what is planted, find nothing where nothing is, and never accuse a mean of segments.

Metrics that are means of segment scores under fixed weights (GRR, WRR, WER) cannot contradict
themselves, reverse, or grant a licence (Chiang et al. 2008, section 4.3).
"""

import math
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium._native import Texts
from tertium.audit import AUDITS, AuditReport
from tertium.audit.case import Case, cases
from tertium.audit.deletion import deletions, resamples
from tertium.audit.fragile import deciding_segments
from tertium.audit.licence import paid_words
from tertium.audit.permutation import Trial, log10_orders, pieces, scores_no_less
from tertium.audit.sign_test import pair_test
from tertium.errors import InputError, OptionError
from tertium.inference.units import units_of
from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.scored import scored
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.input_files import open_inputs
from tertium.text.references import References
from tests.support.strategies import words

SAMPLE = Path(tertium.__file__).parent / "data" / "sample"
MEANS_OF_SEGMENTS = ["grr", "wrr", "wer"]


def corpus_of(
    references: Sequence[str] | Sequence[Sequence[str]],
    *,
    genres: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    sources: Sequence[str] | None = None,
) -> Corpus:
    return Corpus(
        references=References.of(references),
        name="reference",
        genres=None if genres is None else tuple(genres),
        documents=None if documents is None else tuple(documents),
        sources=None if sources is None else Texts(sources),
    )


def systems_of(**texts: Sequence[str]) -> list[System]:
    return [System(name=name, hypotheses=Texts(one)) for name, one in texts.items()]


def case_of(corpus: Corpus, systems: Sequence[System], metric: str) -> Case:
    return next(cases(scored(corpus, systems, [metric]), alpha=0.05, seed=1))


def reference(segment: int, length: int) -> list[str]:
    """Words that occur once in the corpus, so that what matches is what was meant to."""
    return [f"w{segment}n{place}" for place in range(length)]


def junk(count: int) -> list[str]:
    return ["junk"] * count


def text(*parts: list[str]) -> str:
    return " ".join(word for part in parts for word in part)


# ---- planted faults -------------------------------------------------------------------------


def mixed_genres(segments: int, scale: int, *, errors: int = 3) -> tuple[Corpus, list[System]]:
    """Table 3 of the paper: `long` pays with words on news for those it lacks on web.

    Each beats `long` on news (its surplus hurts precision) and on web (`long` is too short), but
    on the whole the lengths of `long` add up to those of the references.
    """
    length, moved, wrong = 20 * scale, 4 * scale, errors * scale
    news = [reference(i, length) for i in range(segments)]
    web = [reference(segments + i, length) for i in range(segments)]
    long = [text(one, junk(moved)) for one in news] + [text(one[:-moved]) for one in web]
    even = [text(one[:-wrong], junk(wrong)) for one in [*news, *web]]
    genres = ["news"] * segments + ["web"] * segments
    corpus = corpus_of([text(one) for one in [*news, *web]], genres=genres)
    return corpus, systems_of(long=long, even=even)


@given(segments=st.integers(1, 8), scale=st.integers(1, 3))
@settings(max_examples=10, deadline=None)
def test_a_planted_reversal_and_its_licence_are_found(segments: int, scale: int) -> None:
    corpus, systems = mixed_genres(segments, scale)
    metrics = ["bleu", "bleu-sbp", *MEANS_OF_SEGMENTS]
    report = tertium.audit(
        corpus, systems, metrics, only=["reversal", "licence"], by=["genre"], seed=1
    )
    reversal, licence = report.of("reversal")[0], report.of("licence")[0]
    assert (reversal.metric, reversal.systems) == ("bleu", ("even", "long"))
    lead, strict = (licence.numbers[name]["p_value"] for name in ("lead", "strict_lead"))
    assert reversal.numbers["lead"]["p_value"] == lead
    sure = lead <= 0.05  # not with two segments of each genre, and not always with ten
    assert reversal.numbers["reversed"]
    assert reversal.severity == ("serious" if sure else "warning")
    assert reversal.numbers["length_ratios"]["news"]["long"] == pytest.approx(1.2)
    assert reversal.numbers["length_ratios"]["web"]["long"] == pytest.approx(0.8)
    assert (licence.metric, licence.systems) == ("bleu", ("long", "even"))
    assert licence.severity == ("serious" if sure else "warning" if strict <= 0.05 else "note")
    assert licence.numbers["paid_share"] == pytest.approx({"long": 0.1, "even": 0.0})
    assert {one.metric for one in report} == {"bleu"}


def test_a_sure_reversal_and_its_licence_are_serious() -> None:
    corpus, systems = mixed_genres(20, 1)
    report = tertium.audit(corpus, systems, ["bleu"], only=["reversal", "licence"], by=["genre"])
    assert [one.severity for one in report] == ["serious", "serious"]
    assert {one.numbers["lead"]["significant"] for one in report} == {True}
    assert all("paired bootstrap of 40 segments)" in one.meaning for one in report)


def test_what_is_nearly_a_reversal_is_noted() -> None:
    """With fewer errors `even` is clearly better in both genres, and equal on the whole."""
    corpus, systems = mixed_genres(4, 1, errors=2)
    report = tertium.audit(corpus, systems, ["bleu", "wer"], only=["reversal"], by=["genre"])
    (finding,) = report
    assert (finding.metric, finding.severity, finding.systems) == ("bleu", "note", ("even", "long"))
    assert not finding.numbers["reversed"]
    whole = finding.numbers["whole"]
    least = min(by["even"] - by["long"] for by in finding.numbers["slices"].values())
    assert 0 <= whole["even"] - whole["long"] < least / 2


@pytest.mark.parametrize("alpha", [0.5, 0.05, 0.001])
def test_deletion_ends_at_every_alpha(alpha: float) -> None:
    """Too few resamples could never call a drop significant, and would delete everything."""
    metric = parse_metric("wer")
    references = [text(reference(i, 8)) for i in range(60)]
    rows = metric.statistics(references, references)
    empty = metric.statistics([""] * 60, references)
    draws = resamples(units_of(60, None), seed=1, alpha=alpha)
    result = deletions(metric, rows, empty, np.full(60, 8.0), draws=draws, alpha=alpha)
    # A resample misses k given segments with a probability of about exp(-k).
    assert result.free == 0
    assert result.tolerated == pytest.approx(-math.log(alpha), abs=2)


@pytest.mark.parametrize("length", ["closest", "shortest", "average"])
def test_a_licence_costs_what_the_strict_penalty_takes(length: str) -> None:
    corpus, systems = mixed_genres(4, 1)
    report = tertium.audit(corpus, systems, [f"bleu[reference_length={length}]"], only=["licence"])
    strict = tertium.evaluate(corpus, systems, [f"bleu-sbp[reference_length={length}]"])
    for name, value in report.findings[0].numbers["strict_scores"].items():
        assert value == pytest.approx(strict[name].scores[0].value)


@given(good=st.integers(10, 30), bad=st.integers(1, 4), surplus=st.integers(5, 8))
@settings(max_examples=10, deadline=None)
def test_planted_deletable_segments_are_found(good: int, bad: int, surplus: int) -> None:
    """Good segments are too long; bad ones have three right words and can go unpunished."""
    length = 10
    references = [reference(i, length) for i in range(good + bad)]
    outputs = [
        text(one, junk(surplus)) if i < good else text(one[:3], junk(length - 3))
        for i, one in enumerate(references)
    ]
    corpus, systems = corpus_of([text(one) for one in references]), systems_of(chatty=outputs)
    planted = set(range(good + 1, good + bad + 1))
    metrics = ["bleu", *MEANS_OF_SEGMENTS, "ter"]
    report = tertium.audit(corpus, systems, metrics, only=["deletion"])
    bleu = report.of(metric="bleu")[0]
    assert planted <= set(bleu.numbers["free"])
    assert bleu.severity in {"warning", "serious"}
    assert bleu.numbers["tolerated_segments"] >= bleu.numbers["free_segments"]
    curve = bleu.numbers["curve"]
    assert curve[0]["score"] == pytest.approx(report.scores["bleu"][0])
    assert [one.metric for one in report] == ["bleu"]  # three right words are more than none


def short_and_long(segments: int) -> tuple[Corpus, list[System]]:
    """Section 3.1 of the paper: length ratios 1.02 and 0.97.

    `long` has words to spare, so `short`'s more precise outputs raise its score; `short` is
    punished for brevity, so `long`'s outputs raise its score too.
    """
    references = [reference(i, 100) for i in range(segments)]
    long = [text(one[:90], junk(12)) for one in references]
    short = [text(one[:87], junk(10)) for one in references]
    return corpus_of([text(one) for one in references]), systems_of(long=long, short=short)


@pytest.mark.parametrize("segments", [6, 20])
def test_the_sign_test_contradicts_itself_as_in_the_paper(segments: int) -> None:
    corpus, systems = short_and_long(segments)
    metrics = ["bleu", "bleu-sbp", *MEANS_OF_SEGMENTS]
    report = tertium.audit(corpus, systems, metrics, only=["sign-test", "context"])
    finding = report.of("sign-test")[0]
    assert (finding.metric, finding.severity) == ("bleu", "serious")
    assert finding.numbers["mutual"]
    assert finding.numbers["length_ratios"] == pytest.approx({"long": 1.02, "short": 0.97})
    assert finding.numbers["p_value"] == pytest.approx(2 * 0.5**segments)
    assert report.of("context", "bleu")[0].numbers["share"] == 1.0
    assert {one.metric for one in report} == {"bleu"}


def test_the_sign_test_against_the_scores_is_milder() -> None:
    """Many small wins and one large loss: no fault of the metric, but worth knowing."""
    references = [text(reference(i, 10)) for i in range(12)]
    often = [text(reference(i, 10)[:-1], junk(1)) for i in range(11)] + [text(junk(20))]
    rarely = [text(reference(i, 10)[:-2], junk(2)) for i in range(11)] + [references[11]]
    report = tertium.audit(
        corpus_of(references), systems_of(often=often, rarely=rarely), ["wer"], only=["sign-test"]
    )
    assert [(one.severity, one.systems) for one in report] == [("warning", ("rarely", "often"))]


def test_a_lead_that_rests_on_little_is_found() -> None:
    """`first` wins one segment of 40 and its document; without it the two are equal."""
    references = [text(reference(i, 8)) for i in range(40)]
    second = [text(reference(i, 8)[:-1], junk(1)) for i in range(40)]
    first = [references[0], *second[1:]]
    documents = [f"d{i // 10}" for i in range(40)]
    corpus = corpus_of(references, documents=documents)
    report = tertium.audit(
        corpus, systems_of(first=first, second=second), ["wer"], only=["fragile"]
    )
    rests = {one.numbers["rests_on"]: one.numbers for one in report}
    assert set(rests) == {"segments", "document"}
    assert rests["segments"]["segments"] == [1]
    assert rests["document"]["documents"] == ["d0"]
    assert {one.severity for one in report} == {"warning"}  # and not a mere note


@pytest.mark.parametrize("kind", ["case", "punctuation"])
def test_a_lead_of_mere_surface_is_found(kind: str) -> None:
    """`plain` has a word wrong in every segment, `rough` all of them right, but not their look."""
    references = [text(reference(i, 8)) for i in range(40)]
    plain = [text(reference(i, 8)[:-1], junk(1)) for i in range(40)]
    rough = [one.upper() if kind == "case" else f"{one} ! ! !" for one in references]
    report = tertium.audit(
        corpus_of(references), systems_of(plain=plain, rough=rough), ["wer"], only=["fragile"]
    )
    (finding,) = report
    assert (finding.numbers["rests_on"], finding.severity) == (kind, "warning")
    assert finding.numbers["scores_without"] == pytest.approx({"plain": 12.5, "rough": 0.0})


def test_a_straw_man_ahead_of_a_system_is_found() -> None:
    references = [text(reference(i, 8)) for i in range(10)]
    mute = [text(junk(12)) for _ in range(10)]  # worse than silence
    corpus = corpus_of(references, sources=references)
    report = tertium.audit(
        corpus, systems_of(good=references, mute=mute), ["wer"], only=["straw-men"]
    )
    (finding,) = report
    assert finding.systems == ("mute",)
    assert finding.numbers["scores"]["empty"] == 100.0
    assert finding.numbers["ranks"]["empty"] == 2
    assert finding.numbers["scores"]["source"] == 0.0


# ---- nothing planted ------------------------------------------------------------------------


@given(
    segments=st.integers(20, 40),
    length=st.integers(20, 30),
    errors=st.lists(st.integers(0, 3), min_size=1, max_size=3, unique=True),
)
@settings(max_examples=10, deadline=None)
def test_sound_corpora_give_no_finding(segments: int, length: int, errors: list[int]) -> None:
    """All outputs as long as their references, and one system better than the next everywhere."""
    references = [reference(i, length) for i in range(segments)]
    systems = systems_of(
        **{
            f"wrong{wrong}": [text(one[: length - wrong], junk(wrong)) for one in references]
            for wrong in errors
        }
    )
    corpus = corpus_of(
        [text(one) for one in references],
        genres=[("news", "web")[i % 2] for i in range(segments)],
        documents=[f"d{i % 4}" for i in range(segments)],
    )
    # Not chrF, which rightly is told that it likes shuffled words better than two wrong ones.
    metrics = ["bleu", "bleu-sbp", "ter", *MEANS_OF_SEGMENTS]
    assert tertium.audit(corpus, systems, metrics).findings == ()


texts = st.lists(words, min_size=1, max_size=12).map(" ".join)


@pytest.mark.slow
@given(data=st.data(), segments=st.integers(2, 16), count=st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_means_of_segments_are_never_accused(
    data: st.DataObject, segments: int, count: int
) -> None:
    several = st.lists(
        st.lists(texts, min_size=1, max_size=2), min_size=segments, max_size=segments
    )
    outputs = st.lists(texts | st.just(""), min_size=segments, max_size=segments)
    labels = st.lists(st.sampled_from(["x", "y", "z"]), min_size=segments, max_size=segments)
    references = data.draw(several)
    corpus = corpus_of(references, genres=data.draw(labels))
    systems = systems_of(**{f"s{i}": data.draw(outputs) for i in range(count)})
    report = tertium.audit(
        corpus,
        systems,
        MEANS_OF_SEGMENTS,
        only=["sign-test", "reversal", "licence", "context", "deletion"],
        alpha=0.5,
    )
    for one in report:
        assert one.audit in {"sign-test", "deletion"}
        assert not one.numbers.get("mutual")
        if one.audit == "deletion":
            system = next(each for each in systems if each.name == one.systems[0])
            assert_no_better_than_silence(one.metric, system, references, one.numbers["free"])


def assert_no_better_than_silence(
    spec: str, system: System, references: list[list[str]], numbers: list[int]
) -> None:
    metric = parse_metric(spec)
    sign = 1 if metric.higher_is_better else -1
    for number in numbers:
        output = system.hypotheses[number - 1] or ""
        target = [references[number - 1]]
        own, empty = (metric.score(metric.statistics([one], target))[0] for one in (output, ""))
        assert sign * own <= sign * empty + 1e-9


# ---- the parts ------------------------------------------------------------------------------


def test_deletion_curve_is_the_score_of_blanked_text() -> None:
    metric = parse_metric("bleu")
    references = [text(reference(i, 9)) for i in range(12)]
    outputs = [text(reference(i, 9)[: i % 9 + 1], junk(4)) for i in range(12)]
    rows = metric.statistics(outputs, references)
    empty = metric.statistics([""] * 12, references)
    counts = np.array([len(one.split()) for one in outputs], dtype=float)
    result = deletions(
        metric,
        rows,
        empty,
        counts,
        draws=resamples(units_of(12, None), seed=3, alpha=0.05),
        alpha=0.05,
    )
    assert len(set(result.order.tolist())) == len(result.order) == len(result.scores) - 1
    for blanked in range(len(result.scores)):
        gone = set(result.order[:blanked].tolist())
        left = ["" if i in gone else one for i, one in enumerate(outputs)]
        assert result.scores[blanked] == pytest.approx(tertium.score(left, references).value)
    steps = np.diff(result.scores[: result.free + 1])
    assert (steps >= -1e-9).all()


@given(lengths=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=12))
def test_paid_words_are_those_that_the_strict_penalty_adds(lengths: list[tuple[int, int]]) -> None:
    outputs, targets = np.array(lengths, dtype=float).T
    covered = sum(min(c, r) for c, r in lengths)
    expected = min(outputs.sum(), targets.sum()) - covered
    assert paid_words(outputs, targets) == pytest.approx(expected)


def test_segments_that_decide_a_lead() -> None:
    metric = parse_metric("wer")
    references = ["a b c d"] * 30
    better = metric.statistics(["a b c d"] * 2 + ["a b c x"] * 28, references)
    worse = metric.statistics(["a b c x"] * 30, references)
    assert deciding_segments(metric, better, worse, most=4) == [0, 1]
    assert deciding_segments(metric, better, worse, most=1) is None


# LING83600, section 5: swapping n-grams between two non-matching regions has no effect on BLEU.
DOG = "the dog bit the mailman"
SNAPPED, NIPPED = "the dog snapped at the mailman", "the mailman nipped at the dog"


def test_the_dog_and_the_mailman() -> None:
    cut = pieces(SNAPPED.split(), [DOG.split()])
    assert cut == [["the", "dog"], ["snapped"], ["at"], ["the", "mailman"]]
    assert round(10 ** log10_orders(len(cut))) == math.factorial(4)
    swapped = " ".join(word for place in (3, 1, 2, 0) for word in cut[place])
    assert swapped == NIPPED.replace("nipped", "snapped")
    assert tertium.score([NIPPED], [DOG]).value == tertium.score([SNAPPED], [DOG]).value
    trial = [Trial(system=0, segment=0, text=swapped)]
    for metric, passes in (("bleu", True), ("grr", False), ("wer", False)):
        case = case_of(corpus_of([DOG]), systems_of(one=[SNAPPED]), metric)
        assert scores_no_less(case, trial).tolist() == [passes]


def test_an_example_of_a_permutation_scores_no_less() -> None:
    references = [text(reference(i, 30)) for i in range(5)]
    outputs = [text(*(reference(i, 30)[k : k + 2] for k in range(0, 30, 3))) for i in range(5)]
    corpus, systems = corpus_of(references), systems_of(one=outputs)
    (finding,) = tertium.audit(corpus, systems, ["bleu"], only=["permutation"])
    assert finding.severity == "note"  # it is a fact about BLEU
    segment = finding.numbers["segment"] - 1
    other = [*outputs[:segment], finding.numbers["permuted"], *outputs[segment + 1 :]]
    assert other[segment] != outputs[segment]
    assert sorted(other[segment].split()) == sorted(outputs[segment].split())
    assert tertium.score(other, references).value >= tertium.score(outputs, references).value
    assert finding.numbers["median_log10_orders"] == pytest.approx(log10_orders(10))
    assert not tertium.audit(corpus, systems, ["wer"], only=["permutation"])


# ---- the sample, and the report -------------------------------------------------------------


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
        len(first) == len(list(first)) == len(first.of(metric="bleu")) + len(first.of(metric="wer"))
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
    places = [["serious", "warning", "note"].index(one.severity) for one in report]
    assert places == sorted(places)


def test_metrics_over_annotations_skip_audits_that_make_up_text() -> None:
    line = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_"
    assert METRICS["dependency"].segment_form != "plain text"
    corpus, systems = corpus_of([line] * 3), systems_of(one=[line] * 3, two=[line] * 3)
    report = tertium.audit(corpus, systems, ["dependency"])
    assert {one.audit for one in report.skipped} == {
        "deletion",
        "permutation",
        "straw-men",
        "fragile",
    }


def test_what_cannot_be_audited() -> None:
    corpus, systems = corpus_of(["a"]), systems_of(one=["a"])
    with pytest.raises(OptionError, match="unknown audit 'reversl'; did you mean 'reversal'"):
        tertium.audit(corpus, systems, only=["reversl"])
    with pytest.raises(OptionError, match=r"alpha: found 0.95, expected a significance level"):
        tertium.audit(corpus, systems, alpha=0.95)
    with pytest.raises(InputError, match="reference: no genre labels"):
        tertium.audit(corpus, systems, by=["genre"])
    with pytest.raises(InputError, match="reference: found 0 systems and 1 metrics"):
        tertium.audit(corpus, [])
    with pytest.raises(InputError, match="one: 1 segments, expected 2"):
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
        report = tertium.audit(corpus_of(references), systems_of(a=outputs, b=outputs), [metric])
        assert report.segments == len(references)


# ---- real systems ---------------------------------------------------------------------------

REAL_METRICS = ["bleu", "bleu-sbp", "grr", "chrf", "ter", "meteor"]


def real(shared_data: Path, name: str) -> Chunk:
    if name == "wmt12 de-en":
        outputs = sorted((shared_data / "wmt12" / "system-outputs" / "de-en").iterdir())
        return open_inputs(
            [str(shared_data / "wmt12" / "newstest2012-ref.en")], [str(one) for one in outputs]
        ).load()
    folder = shared_data / "wmt23"
    outputs = sorted((folder / "system-outputs" / "zh-en").glob("*.txt"))
    return open_inputs(
        [str(folder / "references" / "zh-en.refA.txt")],
        [str(one) for one in outputs if "ref" not in one.stem],
        documents=str(folder / "documents" / "zh-en.docs"),
    ).load()


@pytest.mark.shared
@pytest.mark.parametrize("name", ["wmt12 de-en", "wmt23 zh-en"])
def test_real_systems(shared_data: Path, name: str) -> None:
    """Prints the table of docs/audits.md (pytest -s)."""
    whole = real(shared_data, name)
    segments = len(whole)
    metrics = [one for one in REAL_METRICS if METRICS[one].missing() is None]
    draws = resamples(units_of(segments, None), seed=12345, alpha=0.05)
    lines = [
        f"\n{name}: {len(whole.systems)} systems, {segments} segments",
        "metric    mutual  against  reversals  crossed   free  licensed    most  tolerated",
    ]
    measured = {}
    for case in cases(scored(whole.corpus, whole.systems, metrics), alpha=0.05, seed=12345):
        tests = [pair_test(case, *pair) for pair in case.pairs]
        mutual = sum(one.contradicts_itself for one in tests)
        against = sum(one.contradicts_scores and not one.contradicts_itself for one in tests)
        reversals = sum(one.numbers["reversed"] for one in AUDITS["reversal"](case))
        crossed = [
            float(np.mean(one.into_baseline.effects * one.into_system.effects > 0)) for one in tests
        ]
        empty = case.metric.statistics([""] * segments, whole.corpus.references)
        alone, shares = case.metric.for_segments(), []
        for rows, counts in zip(case.rows, case.lengths.words, strict=True):
            result = deletions(case.metric, rows, empty, counts, draws=draws, alpha=0.05)
            free = result.order[: result.free]
            gain = case.sign * (alone.score(rows[free]) - alone.score(empty[free]))
            spoken = counts.sum()
            shares.append(
                (
                    counts[free].sum() / spoken,
                    counts[free[gain > 1e-9]].sum() / spoken,
                    counts[result.order[: result.tolerated]].sum() / spoken,
                )
            )
        median, most = np.median(shares, axis=0), max(one[1] for one in shares)
        lines.append(
            f"{case.metric.spec:<9} {mutual:>6} {against:>8} {reversals:>10} "
            f"{np.median(crossed):>8.1%} {median[0]:>6.1%} {median[1]:>9.1%} {most:>7.1%} "
            f"{median[2]:>10.1%}"
        )
        measured[case.metric.spec] = (mutual, reversals, max(crossed), most)
    sys.stdout.write("\n".join(lines) + "\n")
    for decomposable in ("grr", "ter"):
        assert measured[decomposable] == (0, 0, 0.0, 0.0)
    assert measured["bleu"][0] > 0
    assert measured["bleu-sbp"][0] == 0
    assert measured["bleu"][3] > 0.05
