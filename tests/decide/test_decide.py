"""Whole decisions: every verdict from texts, degenerate input, requirements, scores from files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import tertium
from tertium.decide.verdict import Answer
from tertium.errors import InputError, OptionError
from tertium.meta.worth_curves import KINDS, shipped_worth
from tertium.report.console import view_text
from tertium.report.decision import decision_view
from tertium.text.corpus import Corpus, System
from tests.support.audit.cases import junk, mixed_genres, reference, text
from tests.support.corpora import corpus_of, systems_of
from tests.support.rtl_texts import LANGUAGES, right_to_left

TRIALS = 500


def with_errors(segments: int, wrong: Sequence[int]) -> list[str]:
    """Segments of ten words, of which so many of each are wrong, at the end."""
    return [
        text(reference(i, 10)[: 10 - wrong[i % len(wrong)]], junk(wrong[i % len(wrong)]))
        for i in range(segments)
    ]


def pair(
    first: Sequence[int], second: Sequence[int], segments: int = 60
) -> tuple[Corpus, list[System]]:
    """A baseline and a system with so many wrong words in their segments."""
    corpus = corpus_of([text(reference(i, 10)) for i in range(segments)])
    return corpus, systems_of(with_errors(segments, first), with_errors(segments, second))


def reordered(segments: int = 60) -> tuple[Corpus, list[System]]:
    """All words in a wrong order beside some words wrong: PER and BLEU cannot agree."""
    whole = [reference(i, 10) for i in range(segments)]
    backwards = [text(one[::-1]) for one in whole]
    corpus = corpus_of([text(one) for one in whole])
    return corpus, systems_of(backwards, with_errors(segments, (1, 2)))


def one_segment_decides() -> tuple[Corpus, list[System]]:
    """Alike everywhere but in one very long segment of many short ones."""
    short = [reference(i, 4) for i in range(30)]
    long = reference(99, 4000)
    corpus = corpus_of([*(text(one) for one in short), text(long)])
    same = [text(one) for one in short]
    return corpus, systems_of([*same, text(long[:-2000], junk(2000))], [*same, text(long)])


@pytest.mark.parametrize(
    ("made", "metrics", "expected"),
    [
        (pair((5, 6), (2, 3, 2)), ["bleu", "chrf"], "scores higher"),
        (pair((2, 3, 2), (5, 6)), ["bleu", "chrf"], "scores lower"),
        (pair((5, 6), (2, 3, 2)), ["wer"], "scores higher"),
        (pair((1, 2), (2, 1)), ["bleu", "chrf"], "no difference"),
        (reordered(), ["bleu", "per"], "metrics disagree"),
        (mixed_genres(60, 1), ["bleu"], "do not trust"),
        (one_segment_decides(), ["bleu"], "no difference"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_every_verdict_can_be_reached(
    made: tuple[Corpus, list[System]], metrics: list[str], expected: Answer
) -> None:
    decision = tertium.decide(*made, metrics, trials=TRIALS)
    (verdict,) = decision.verdicts
    assert verdict.answer == expected
    assert decision.sentences == (verdict.sentence,)
    assert decision[verdict.system] is verdict
    assert decision.to_dict()["systems"][1]["verdict"] == expected


def test_a_reversal_is_explained() -> None:
    corpus, systems = mixed_genres(60, 1)
    (verdict,) = tertium.decide(corpus, systems, ["bleu", "wer"], trials=TRIALS).verdicts
    assert [one.finding.audit for one in verdict.doubts] == ["reversal"]
    assert "in every genre" in verdict.sentence
    genres = [one for one in verdict.slices if one.by == "genre" and one.title == "BLEU"]
    assert [(one.all, one.of) for one in genres] == [(True, 2)]
    assert all(one.significant for one in genres[0].slices)
    # Without the audit nobody objects, and the slices still say it.
    (blind,) = tertium.decide(corpus, systems, ["bleu"], trials=TRIALS, audit=False).verdicts
    assert blind.answer == "scores lower"
    assert blind.sentence.endswith(" By BLEU even is ahead in every genre, yet long on the whole.")


def test_only_the_pair_with_the_baseline_is_asked_about() -> None:
    corpus, (first, second) = pair((5, 6), (2, 3, 2))
    third = System(name="third", hypotheses=second.hypotheses)
    decision = tertium.decide(corpus, [first, second, third], ["bleu"], trials=TRIALS)
    assert [one.answer for one in decision.verdicts] == ["scores higher", "scores higher"]
    assert {one.baseline for one in decision.verdicts} == {"base"}
    assert decision.family.tests == 2


def test_evidence_is_that_of_a_comparison() -> None:
    corpus, systems = pair((3, 4, 1), (1, 4, 2))
    (verdict,) = tertium.decide(corpus, systems, ["bleu", "ter"], trials=TRIALS).verdicts
    compared = tertium.compare(corpus, systems, ["bleu", "ter"], trials=TRIALS, sections=["scores"])
    assert compared.scores is not None
    for one, other in zip(verdict.metrics, compared.scores.slices[0].scores[1], strict=True):
        assert one.delta == other.delta
        assert one.interval == other.delta_interval
        assert (one.p_value, one.adjusted) == (other.tests[0].p_value, other.tests[0].adjusted)
    assert verdict.segments
    gain = verdict.metrics[0].gain
    assert all(one.effect * gain > 0 for one in verdict.segments)


# ---- degenerate input -----------------------------------------------------------------------


def test_one_system_is_no_pair() -> None:
    corpus, systems = pair((1,), (2,))
    with pytest.raises(InputError, match="systems: found 1, expected a baseline and at least one"):
        tertium.decide(corpus, systems[:1], ["bleu"])
    with pytest.raises(InputError, match="systems: found 1, expected a baseline and at least one"):
        tertium.power(corpus, systems[:1], ["bleu"])


def test_equal_outputs() -> None:
    corpus, systems = pair((1, 2), (1, 2))
    decision = tertium.decide(corpus, systems, trials=TRIALS, require="not-worse", margins=[0.5])
    assert decision.sentences == ("new and base: the outputs are the same in every segment.",)
    assert decision.requirement is not None
    assert decision.requirement.holds


@pytest.mark.parametrize(
    ("documents", "few"),
    [(None, "1 segment is"), (["a"], "1 segment is")],
)
def test_one_segment_is_too_few(documents: list[str] | None, few: str) -> None:
    corpus = corpus_of(["a b c d e"], documents=documents)
    decision = tertium.decide(corpus, systems_of(["a b c x e"], ["a b c d e"]), trials=TRIALS)
    (verdict,) = decision.verdicts
    assert verdict.answer == "no difference"
    assert verdict.sentence.endswith(f"as {few} too few for any test.")
    assert [one.interval for one in verdict.metrics] == [None, None]


def test_seven_documents_are_enough_for_four_tests_at_once() -> None:
    """Holm asked for 4 · 1/64; tests that swap the same documents are asked together."""
    corpus, systems = pair((5, 6), (2, 3, 2))
    labelled = corpus_of(corpus.references, documents=[f"d{i % 7}" for i in range(60)])
    many = tertium.decide(labelled, systems, ["bleu", "chrf", "ter", "wer"], trials=TRIALS)
    adjusted = [one.adjusted for one in many.verdicts[0].metrics]
    assert adjusted == [1 / 64] * 4


def test_a_difference_that_only_the_correction_takes_is_not_called_too_small() -> None:
    corpus, systems = pair((1, 0), (0, 0, 1, 1, 0))
    one = tertium.decide(corpus, systems, ["wer"], trials=TRIALS).verdicts[0]
    (evidence,) = one.metrics
    assert evidence.detectable is not None
    assert one.answer == "no difference"
    for detectable, tests, end in (
        (
            abs(evidence.delta) * 2,
            3,
            f"(this test set detects {2 * abs(evidence.delta):.2f} WER or more).",
        ),
        (abs(evidence.delta) / 2, 3, "no significant difference in 3 tests."),
        (abs(evidence.delta) / 2, 1, "no significant difference."),
    ):
        metrics = (replace(evidence, detectable=detectable),)
        assert replace(one, metrics=metrics, tests=tests).sentence.endswith(end)


def test_one_document_is_tested_by_its_segments() -> None:
    corpus, systems = pair((5, 6), (2, 3, 2))
    labelled = corpus_of(corpus.references, documents=["only"] * 60)
    found = tertium.decide(labelled, systems, ["bleu"], trials=TRIALS)
    assert (found.unit, found.units, found.verdicts[0].answer) == ("segment", 60, "scores higher")


def test_empty_lines() -> None:
    corpus, (base, _) = pair((2, 3), (2,))
    nothing = System(name="nothing", hypotheses=systems_of([""] * 60)[0].hypotheses)
    decision = tertium.decide(corpus, [base, nothing], trials=TRIALS)
    assert decision.verdicts[0].sentence == (
        "nothing scores lower than base as submitted, by BLEU and chrF; but nothing has no output "
        "for the last 60 segments, so this does not show that nothing's model is worse."
    )
    decision = tertium.decide(corpus, [nothing, base], trials=TRIALS)
    assert decision.verdicts[0].label == "scores higher as submitted"
    decision = tertium.decide(corpus, [nothing, base], trials=TRIALS, audit=False)
    assert decision.verdicts[0].answer == "scores higher"


@pytest.mark.parametrize("language", LANGUAGES)
def test_right_to_left(language: str) -> None:
    corpus, systems = right_to_left(language)
    decision = tertium.decide(corpus, systems, ["bleu", "wer"], trials=TRIALS)
    shown = view_text(decision_view(decision))
    assert shown.startswith(decision.verdicts[0].sentence[:30])


def test_odd_options() -> None:
    made = pair((1,), (2,))
    for alpha in (0.0, 0.9, float("nan")):
        with pytest.raises(OptionError, match="alpha: found"):
            tertium.decide(*made, ["bleu"], alpha=alpha)
    with pytest.raises(OptionError, match="margin: found no requirement"):
        tertium.decide(*made, ["bleu"], margins=[1.0])
    with pytest.raises(OptionError, match="margin: found 3, expected one, or one for each of 2"):
        tertium.decide(*made, trials=TRIALS, require="better", margins=[1, 2, 3])
    with pytest.raises(OptionError, match="margin: found -1, expected points"):
        tertium.decide(*made, trials=TRIALS, require="better", margins=[-1])
    with pytest.raises(OptionError, match="require: found 'good', expected better or"):
        tertium.decide(*made, trials=TRIALS, require="good")  # type: ignore[arg-type]


# ---- requirements ---------------------------------------------------------------------------

BETTER, WORSE, SAME = pair((5, 6), (2, 3, 2)), pair((2, 3, 2), (5, 6)), pair((1, 2), (2, 1))


@pytest.mark.parametrize(
    ("made", "require", "margins", "holds"),
    [
        (BETTER, "higher", (), True),
        (BETTER, "higher", (1.0,), True),
        (BETTER, "higher", (90.0,), False),
        (BETTER, "higher", (1.0, 90.0), False),
        # Overlap cannot show that it is better.
        (BETTER, "better", (), False),
        (BETTER, "not-lower", (), True),
        (WORSE, "higher", (), False),
        (WORSE, "not-lower", (), False),
        (WORSE, "not-lower", (95.0,), True),
        (BETTER, "not-worse", (), True),
        (BETTER, "not-worse", (0.0,), True),
        (SAME, "better", (), False),
        (SAME, "not-worse", (), True),
        (SAME, "not-worse", (30.0,), True),
        (SAME, "not-worse", (0.0,), False),
        (WORSE, "better", (), False),
        (WORSE, "not-worse", (), False),
        (WORSE, "not-worse", (1.0,), False),
        (WORSE, "not-worse", (95.0,), True),
    ],
)
def test_requirements(
    made: tuple[Corpus, list[System]], require: str, margins: tuple[float, ...], holds: bool
) -> None:
    decision = tertium.decide(
        *made,
        trials=TRIALS,
        audit=False,
        require=require,  # type: ignore[arg-type]
        margins=margins,
    )
    assert decision.requirement is not None
    assert decision.requirement.holds is holds
    assert bool(decision.requirement.obstacles) is not holds
    assert decision.requirement.sentence.endswith("holds" if holds else "does not hold")
    # A gate on who is better is told that overlap cannot show it.
    assert bool(decision.requirement.notes) is (require in {"better", "not-worse"})


# ---- human agreement ------------------------------------------------------------------------


def test_human_agreement_is_that_of_the_kind_of_pair() -> None:
    corpus, systems = BETTER
    kinds = {
        (): "",
        ("base",): "a classic system ahead of an LLM",
        ("new",): "an LLM ahead of a classic system",
        ("base", "new"): "two LLMs",
    }
    for llms, kind in kinds.items():
        decision = tertium.decide(corpus, systems, ["chrf"], trials=TRIALS, audit=False, llms=llms)
        (evidence,) = decision.verdicts[0].metrics
        assert evidence.worth is not None
        assert evidence.worth.kind == kind
        assert evidence.worth.low < evidence.worth.share < evidence.worth.high
        told = f"human agreement{kind and f', {kind}'}: chrF {evidence.worth.short}"
        assert told in " ".join(view_text(decision_view(decision)).split())


def test_two_points_of_chrf_of_a_classic_system_over_an_llm_are_worth_little() -> None:
    chrf = tertium.parse_metric("chrf")
    by_kind = {kind: shipped_worth(chrf, 2.0, kind) for kind in KINDS.values()}
    shares = {kind: one.share for kind, one in by_kind.items() if one is not None}
    assert shares["a classic system ahead of an LLM"] < 0.5
    assert shares["an LLM ahead of a classic system"] > 0.9


def test_no_human_agreement_where_the_tokenizer_does_not_fit_the_script() -> None:
    corpus = corpus_of(["今天天气很好。", "猫坐在垫子上。"] * 30)
    systems = systems_of(
        ["今天天气好。", "猫在垫子上。"] * 30, ["今天天气很好。", "猫在垫上。"] * 30
    )
    for metrics, spec in ((["bleu", "chrf"], "bleu"), (None, "bleu[tokenizer=zh]")):
        decision = tertium.decide(corpus, systems, metrics, trials=TRIALS, audit=False)
        bleu, chrf = decision.verdicts[0].metrics
        # Unless somebody asks for 13a, the default fits the script.
        assert bleu.metric.spec == spec
        assert bleu.worth is None
        assert chrf.worth is not None


# ---- scores from elsewhere ------------------------------------------------------------------


def test_scores_of_a_file_have_a_voice(tmp_path: Path) -> None:
    corpus, systems = BETTER
    file = tmp_path / "COMET.seg.score"
    file.write_text(
        "".join(
            f"{name}\t{value + (place % 7) / 100}\n"
            for name, value in (("base", 0.9), ("new", 0.5))
            for place in range(60)
        ),
        encoding="utf-8",
    )
    metrics = ["bleu", f"scores[file={file},name=COMET]"]
    (verdict,) = tertium.decide(corpus, systems, metrics, trials=TRIALS).verdicts
    assert verdict.answer == "metrics disagree"
    assert verdict.metrics[1].family == "COMET"
    assert verdict.sentence == (
        "the metrics disagree on new: ahead of base by BLEU, behind by COMET."
    )
