"""Every figure of a finding is that of the texts, computed here in another way."""

import math

import numpy as np
import pytest

import tertium
from tertium.audit.findings import Finding
from tertium.text.corpus import Corpus, System
from tests.support.audit.cases import junk, reference, text
from tests.support.corpora import corpus_of, named_systems


def score_of(corpus: Corpus, hypotheses: list[str], metric: str = "bleu") -> float:
    """The score of some texts, by the public function alone."""
    references = [corpus.references.of_segment(i) for i in range(len(corpus))]
    return tertium.score(hypotheses, references, metric).value


def texts_of(system: System) -> list[str]:
    return [one or "" for one in system.hypotheses.to_list()]


def only_finding(corpus: Corpus, systems: list[System], metric: str, audit: str) -> Finding:
    (finding,) = tertium.audit(corpus, systems, [metric], only=[audit])
    return finding


@pytest.fixture(scope="module")
def chatty() -> tuple[Corpus, list[System]]:
    """Six outputs with six words too many, and two with three right words of ten."""
    references = [reference(i, 10) for i in range(8)]
    outputs = [
        text(one, junk(6)) if i < 6 else text(one[:3], junk(7)) for i, one in enumerate(references)
    ]
    return corpus_of([text(one) for one in references]), named_systems(chatty=outputs)


def test_deleted_segments_are_counted_in_segments_and_words(
    chatty: tuple[Corpus, list[System]],
) -> None:
    corpus, systems = chatty
    finding = only_finding(corpus, systems, "bleu", "deletion")
    numbers = finding.numbers
    words = [len(one.split()) for one in texts_of(systems[0])]
    assert words == [16] * 6 + [10] * 2
    assert (numbers["segments"], numbers["unit"], numbers["units"]) == (8, "segment", 8)
    # 116 words for 80: without the two bad segments and a long one there are still 80.
    assert numbers["free"] == [7, 8, 1]
    assert numbers["free_segments"] == numbers["licensed_segments"] == 3
    assert numbers["free_segment_share"] == 3 / 8
    assert numbers["free_word_share"] == numbers["licensed_word_share"] == 36 / 116
    tolerated = numbers["tolerated_segments"]
    assert numbers["tolerated_segment_share"] == tolerated / 8
    assert numbers["tolerated_word_share"] == pytest.approx((20 + 16 * (tolerated - 2)) / 116)
    assert (finding.size, finding.severity) == (36 / 116, "serious")
    assert "leave 3 of 8 segments (31.0% of its words)" in finding.meaning
    assert f"(segments 7, 8, 1), and {tolerated} before" in finding.meaning


def test_the_curve_of_deletions_is_made_of_scores(chatty: tuple[Corpus, list[System]]) -> None:
    corpus, systems = chatty
    texts = texts_of(systems[0])
    curve = only_finding(corpus, systems, "bleu", "deletion").numbers["curve"]
    assert [point["segments"] for point in curve] == list(range(len(curve)))
    gone = [6, 7, *range(6)]
    for point in curve:
        left = ["" if i in gone[: point["segments"]] else one for i, one in enumerate(texts)]
        assert point["score"] == pytest.approx(score_of(corpus, left))
        silent = sum(len(texts[i].split()) for i in gone[: point["segments"]])
        assert point["word_share"] == pytest.approx(silent / 116)


def test_output_that_scores_like_silence_is_a_note() -> None:
    """One segment of ten is junk: nothing is licensed, and the sentence is in the singular."""
    references = [reference(i, 10) for i in range(10)]
    outputs = [text(one) for one in references[:9]] + [text(junk(10))]
    corpus, systems = corpus_of([text(one) for one in references]), named_systems(one=outputs)
    finding = only_finding(corpus, systems, "wer", "deletion")
    assert finding.numbers["free"] == [10]
    assert finding.numbers["licensed_segments"] == finding.numbers["licensed_word_share"] == 0
    assert (finding.size, finding.severity) == (0.1, "note")
    assert finding.meaning == (
        "1 output of one (10.0% of its words) scores no better than an empty line (segment 10)."
    )


@pytest.fixture(scope="module")
def of_three() -> tuple[Corpus, list[System]]:
    """`long` has words to spare and `short` lacks some; `third` is `long` but for two segments."""
    references = [reference(i, 100) for i in range(8)]
    long = [text(one[:90], junk(12)) for one in references]
    short = [text(one[:87], junk(10)) for one in references]
    third = [*short[:2], *long[2:]]
    corpus = corpus_of([text(one) for one in references])
    return corpus, named_systems(long=long, short=short, third=third)


def effects_by_hand(corpus: Corpus, base: list[str], donor: list[str], metric: str) -> list[float]:
    """The change of a system's score when one segment is taken from another system."""
    before = score_of(corpus, base, metric)
    return [
        score_of(corpus, [*base[:i], donor[i], *base[i + 1 :]], metric) - before
        for i in range(len(base))
    ]


def test_segments_that_depend_on_their_company(of_three: tuple[Corpus, list[System]]) -> None:
    corpus, systems = of_three
    finding = only_finding(corpus, systems, "bleu", "context")
    shares = {}
    crossed: dict[tuple[str, str], list[int]] = {}
    for a, b in [(0, 1), (0, 2), (1, 2)]:
        first, second = texts_of(systems[a]), texts_of(systems[b])
        into_first = effects_by_hand(corpus, first, second, "bleu")
        into_second = effects_by_hand(corpus, second, first, "bleu")
        names = (systems[a].name, systems[b].name)
        crossed[names] = [
            i + 1
            for i, (one, other) in enumerate(zip(into_first, into_second, strict=True))
            if one * other > 1e-12
        ]
        shares[names] = len(crossed[names]) / 8
    assert len(set(shares.values())) == 3
    pairs = {frozenset(pair.split(" / ")): one for pair, one in finding.numbers["pairs"].items()}
    assert pairs == {frozenset(names): one for names, one in shares.items()}
    assert finding.numbers["share"] == finding.size == shares["long", "short"] == 1
    assert finding.numbers["segments"] == crossed["long", "short"]
    assert finding.numbers["median_share"] == sorted(shares.values())[1]
    assert finding.systems == ("long", "short")


def test_the_sign_test_counts_segments(of_three: tuple[Corpus, list[System]]) -> None:
    corpus, (long, short, _) = of_three
    finding = only_finding(corpus, [long, short], "bleu", "sign-test")
    numbers = finding.numbers
    for base, donor in ((long, short), (short, long)):
        effects = effects_by_hand(corpus, texts_of(base), texts_of(donor), "bleu")
        better = sum(one > 0 for one in effects)
        assert numbers[f"{donor.name} into {base.name}"] == {
            "better": better,
            "worse": 8 - better,
            "equal": 0,
            "p_value": pytest.approx(2 * 0.5**8),
            "verdict": 1,
        }
    scores = {one.name: score_of(corpus, texts_of(one)) for one in (long, short)}
    assert numbers["scores"] == pytest.approx(scores)
    lead = (scores["long"] - scores["short"]) / scores["long"]
    assert finding.size == numbers["lead"]["share"] == pytest.approx(lead, rel=0.02)
    assert (numbers["lead"]["unit"], numbers["lead"]["units"]) == ("segment", 8)


def test_scores_and_ranks_of_straw_men() -> None:
    references = [text(reference(i, 8)) for i in range(10)]
    systems = named_systems(
        good=references,
        mute=[text(junk(12)) for _ in range(10)],
        worse=[text(junk(16)) for _ in range(10)],
    )
    corpus = corpus_of(references, sources=references)
    finding = only_finding(corpus, systems, "wer", "straw-men")
    numbers = finding.numbers
    assert numbers["segments"] == 10
    assert numbers["real_scores"] == {"good": 0, "mute": 150, "worse": 200}
    assert numbers["scores"]["empty"] == 100
    assert numbers["beaten"]["empty"] == numbers["beaten"]["source"] == ["mute", "worse"]
    for name, score in numbers["scores"].items():
        ahead = [one for one, value in numbers["real_scores"].items() if value > score]
        assert numbers["beaten"][name] == ahead
        assert numbers["ranks"][name] == 4 - len(ahead)
    assert (finding.size, finding.severity) == (2 / 3, "serious")
    assert set(numbers["leads"]) == {"mute", "worse"}
    assert "better than 2 of 3 systems (mute, worse), 2 of them significantly" in finding.meaning


def test_single_words_that_can_go() -> None:
    """Two words too many in each of 30 outputs; without one of them 11 words are left of 12."""
    references = [reference(i, 10) for i in range(30)]
    outputs = [text(one, junk(2)) for one in references]
    corpus, systems = corpus_of([text(one) for one in references]), named_systems(one=outputs)
    numbers = only_finding(corpus, systems, "bleu", "words").numbers
    assert (numbers["tried"], numbers["segments_of_each_system"]) == (360, 30)
    assert (numbers["with_gain"], numbers["without_loss"]) == (60, 60)
    assert (numbers["right"], numbers["right_with_gain"]) == (300, 0)
    assert (numbers["share"], numbers["right_without_loss"]) == (0, 0)
    one = numbers["systems"]["one"]
    before = score_of(corpus, outputs)
    # One word of each output is chosen: that which raises the score most.
    after = score_of(corpus, [text(each, junk(1)) for each in references])
    assert (one["deleted"], one["deleted_share"]) == (30, 30 / 360)
    assert one["score"] == pytest.approx(before)
    assert one["score_without"] == pytest.approx(after)
    assert one["gain"] == pytest.approx(after - before)
    example = numbers["example"]
    assert (example["system"], example["word"]) == ("one", "junk")
    assert example["output"] == outputs[example["segment"] - 1]
    assert example["reference"] == text(references[example["segment"] - 1])
    shorter = list(outputs)
    shorter[example["segment"] - 1] = example["output"].removesuffix(" junk")
    assert example["effect"] == pytest.approx(score_of(corpus, shorter) - before)


def test_orders_that_match_as_many_bigrams() -> None:
    """Outputs whose bigrams match nowhere: every order of the words matches as many, none."""
    references = [reference(i, 8) for i in range(12)]
    outputs = [text(one[::2], one[1::2]) for one in references]
    corpus, systems = corpus_of([text(one) for one in references]), named_systems(odd=outputs)
    numbers = only_finding(corpus, systems, "bleu", "permutation").numbers
    expected = math.log10(math.factorial(8))
    assert numbers["median_log10_orders"] == pytest.approx(expected)
    assert numbers["log10_orders"] == {"odd": pytest.approx(expected)}
    assert numbers["corpus_log10_orders"] == pytest.approx(12 * expected)
    segment = numbers["segment"] - 1
    assert numbers["output"] == outputs[segment]
    assert numbers["reference"] == text(references[segment])
    assert sorted(numbers["permuted"].split()) == sorted(outputs[segment].split())
    assert 0 < numbers["share_that_scores_no_less"] <= 1
    assert numbers["segments_looked_at"] == 12
    assert np.isfinite(numbers["orders_tried"])
