"""Systems side by side: hand-computed small cases for each section, and what always holds."""

import json
from collections import Counter
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium._native import Texts
from tertium.compare import SECTIONS, Bands, Comparison, Marked, Settings, compare, log_odds
from tertium.compare.differences import GramDifference, gram_differences
from tertium.compare.frequency import FREQUENCIES, frequency_table
from tertium.compare.grams import CutCorpus, WordCutter, cut_corpus, grams_of
from tertium.compare.lengths import RATIOS, length_table
from tertium.compare.sentences import marked, right_words
from tertium.errors import InputError, OptionError, TertiumError
from tertium.evaluation import evaluate
from tertium.inference import MetricRows, all_pairs, holm, paired_bootstrap
from tertium.metrics.contract.table import parse_metric
from tertium.scored import LENGTHS, scored
from tertium.text.corpus import Corpus, System
from tertium.text.input_files import open_inputs
from tertium.text.references import AnyReferences, References
from tests.support.commands import printed
from tests.support.strategies import corpora, joined, words


def corpus_of(references: AnyReferences, genres: Sequence[str] | None = None) -> Corpus:
    labels = None if genres is None else tuple(genres)
    return Corpus(references=References.of(references), name="ref", genres=labels)


def systems_of(*hypotheses: Sequence[str]) -> list[System]:
    names = ("base", "new", "third", "fourth")
    return [
        System(name=name, hypotheses=Texts(texts))
        for name, texts in zip(names, hypotheses, strict=False)
    ]


def cut_of(references: AnyReferences, *hypotheses: Sequence[str]) -> CutCorpus:
    return cut_corpus(corpus_of(references), systems_of(*hypotheses), WordCutter())


def shown(differences: Sequence[GramDifference]) -> list[tuple[str, int, int]]:
    return [(one.text, one.gained, one.lost) for one in differences]


# ---- bands ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bands", "labels"),
    [
        (LENGTHS, "0–9 10–19 20–29 30–39 40–49 50–59 60+"),
        (FREQUENCIES, "0 1 2 3 4 5–9 10–99 100–999 1000+"),
        (RATIOS, "<0.5 0.5–0.8 0.8–0.95 0.95–1.05 1.05–1.25 1.25–2 2+"),
    ],
)
def test_band_labels(bands: Bands, labels: str) -> None:
    assert bands.labels == tuple(labels.split())


# ---- n-grams and words ----------------------------------------------------------------------

counts = st.integers(0, 10_000)
priors = st.floats(0.01, 100)


@given(counts, counts, priors)
def test_log_odds_are_antisymmetric(gained: int, lost: int, prior: float) -> None:
    assert log_odds(gained, lost, prior) == pytest.approx(-log_odds(lost, gained, prior))


@given(counts, counts, priors)
def test_log_odds_rise_with_evidence_and_shrink_with_the_prior(
    gained: int, lost: int, prior: float
) -> None:
    assert log_odds(gained + 1, lost, prior) > log_odds(gained, lost, prior)
    assert abs(log_odds(gained, lost, 2 * prior)) <= abs(log_odds(gained, lost, prior))


REFERENCES = ["the cat sat", "the dog ran", "a cat sat"]
BASE = ["the cat sits", "the dog ran", "a cat sits"]
NEW = ["the cat sat", "the hound ran", "a cat sat"]


def test_words_that_only_one_has_right() -> None:
    (found,) = gram_differences(cut_of(REFERENCES, BASE, NEW), range(1, 2))
    assert (found.system, found.baseline) == ("new", "base")
    assert shown(found.gained) == [("sat", 2, 0)]  # 'hound' is in no reference
    assert shown(found.lost) == [("dog", 0, 1)]
    assert found.gained[0].log_odds == pytest.approx(log(7 / 5))
    assert found.lost[0].log_odds == pytest.approx(log(5 / 6))


def test_an_ngram_inside_a_longer_one_with_the_same_counts_is_left_out() -> None:
    (found,) = gram_differences(cut_of(REFERENCES, BASE, NEW), range(2, 5))
    # 'cat sat' was seen once more than each of the longer ones, so it stays.
    assert shown(found.gained) == [("cat sat", 2, 0), ("a cat sat", 1, 0), ("the cat sat", 1, 0)]
    assert shown(found.lost) == [("the dog ran", 0, 1)]


@pytest.mark.parametrize(
    ("references", "base", "new", "gained", "lost"),
    [
        # Clipped: the second 'the' is not right.
        (["the cat"], ["a cat"], ["the the"], [("the", 1, 0)], [("cat", 0, 1)]),
        # What either reference has is right, as often as one of them has it.
        ([["the cat", "a cat cat"]], ["cat"], ["the cat cat"], [("cat", 1, 0), ("the", 1, 0)], []),
        # Gains and losses of one word meet.
        (["x", "x", "x y"], ["", "x", "y"], ["x", "", "x"], [("x", 2, 1)], [("y", 0, 1)]),
        (["x", "x"], ["x", ""], ["", "x"], [], []),  # one each: no difference
    ],
)
def test_what_counts_as_right(
    references: AnyReferences,
    base: list[str],
    new: list[str],
    gained: list[tuple[str, int, int]],
    lost: list[tuple[str, int, int]],
) -> None:
    (found,) = gram_differences(cut_of(references, base, new), range(1, 2))
    assert (shown(found.gained), shown(found.lost)) == (gained, lost)


@given(corpora, st.data())
def test_what_one_gains_the_other_loses(
    segments: list[tuple[list[str], list[list[str]]]], data: st.DataObject
) -> None:
    new, references = joined(segments)
    base = [" ".join(data.draw(st.lists(words, max_size=8))) for _ in new]
    (there,) = gram_differences(cut_of(references, base, new), range(1, 4), top=100)
    (back,) = gram_differences(cut_of(references, new, base), range(1, 4), top=100)
    assert shown(there.gained) == [(text, g, b) for text, b, g in shown(back.lost)]
    assert shown(there.lost) == [(text, g, b) for text, b, g in shown(back.gained)]
    for one in (*there.gained, *there.lost):
        assert one.log_odds == pytest.approx(log_odds(one.gained, one.lost))


@given(st.lists(words, max_size=8), st.integers(1, 4))
def test_grams_are_all_stretches(text: list[str], order: int) -> None:
    expected = [tuple(text[i : i + order]) for i in range(len(text) - order + 1)]
    assert grams_of(text, range(order, order + 1)) == Counter(expected)


# ---- frequency ------------------------------------------------------------------------------


def test_accuracy_by_frequency_in_the_references() -> None:
    table = frequency_table(cut_of(["a a b", "a c"], ["a b x", "c c"], ["", ""]))
    assert table.source == "references"
    rows = {
        band.label: [(one.right, one.produced, one.expected) for one in band.accuracies]
        for band in table.bands
    }
    # a occurs 3 times, b and c once, x never.
    assert rows == {
        "0": [(0, 1, 0), (0, 0, 0)],
        "1": [(2, 3, 2), (0, 0, 2)],
        "3": [(1, 1, 3), (0, 0, 3)],
    }
    once = table.bands[1].accuracies[0]
    assert once.precision == pytest.approx(200 / 3)
    assert (once.recall, once.f1) == (100, 80)
    nothing = table.bands[0].accuracies[1]
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, None, None)


def test_accuracy_by_frequency_in_training() -> None:
    cut = cut_of(["a a b", "a c"], ["a b x", "c c"], ["", ""])
    training = cut.cutter.frequencies(["b b b b b", "x b", "c, a?"])
    assert training == {"b": 6, "x": 1, "c": 1, "a": 1, ",": 1, "?": 1}
    table = frequency_table(cut, training)
    assert table.source == "training"
    rows = [(one.label, one.expected, one.accuracies[0].produced) for one in table.bands]
    assert rows == [("1", 4, 4), ("5–9", 1, 1)]


@given(corpora)
def test_frequency_bands_partition_words(
    segments: list[tuple[list[str], list[list[str]]]],
) -> None:
    hypotheses, references = joined(segments)
    cut = cut_of(references, hypotheses, hypotheses[::-1])
    table = frequency_table(cut)
    for number, system in enumerate(cut.systems):
        produced = sum(band.accuracies[number].produced for band in table.bands)
        assert produced == sum(map(len, system))
        for one in (band.accuracies[number] for band in table.bands):
            assert one.right <= min(one.produced, one.expected)


# ---- lengths --------------------------------------------------------------------------------


def test_scores_and_ratios_by_length() -> None:
    references = [["a b", "a b c d"], ["x " * 10], ["y"]]
    base = ["a b c", "x " * 5, "y"]
    new = ["a b c d e", "x " * 10, ""]
    cut = cut_of(references, base, new)
    metric = parse_metric("wer")
    rows = scored(corpus_of(references), systems_of(base, new), [metric]).rows[0]
    table = length_table(cut, [MetricRows(metric=metric, rows=rows)])
    # Mean reference lengths: 3, 10, 1.
    assert [(band.label, band.segments) for band in table.bands] == [("0–9", 2), ("10–19", 1)]
    short, long = table.bands
    # base: 'a b c' is as near to 2 words as to 4, and the shorter counts: (3 + 1) / (2 + 1).
    assert [cell.length_ratio for cell in short.cells] == [pytest.approx(4 / 3), 1.0]
    assert [cell.length_ratio for cell in long.cells] == [0.5, 1.0]
    alone = metric.for_segments().score(rows)
    for number, cell in enumerate(short.cells):
        assert cell.segment_means[0] == pytest.approx(alone[number, [0, 2]].mean())
    assert alone[0, [0, 2]].mean() != alone[1, [0, 2]].mean()
    assert short.cells[1].scores[0] == pytest.approx(metric.score(rows[1, [0, 2]].sum(axis=0)))
    profile = table.profiles[0]  # ratios 1.5, 0.5 and 1
    assert profile.counts == (0, 1, 0, 1, 0, 1, 0)
    assert profile.quartiles == (0.5, 1.0, 1.5)
    assert profile.ratio == pytest.approx(9 / 13)


def test_empty_references_have_a_ratio_too() -> None:
    references = ["", "", "a"]
    cut = cut_of(references, ["", "b", "a"], ["", "", ""])
    rows = np.zeros((2, 3, len(parse_metric("wer").columns)))
    table = length_table(cut, [MetricRows(metric=parse_metric("wer"), rows=rows)])
    # Nothing for nothing is 1, something for nothing is infinite.
    assert [one.counts for one in table.profiles] == [(0, 0, 0, 2, 0, 0, 1), (1, 0, 0, 2, 0, 0, 0)]


# ---- sentences ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypothesis", "references", "right"),
    [
        ("the cat", ["the cat"], "11"),
        ("the the cat", ["the cat"], "011"),  # the one in the right company
        ("the cat saw the dog", ["the dog"], "00011"),
        ("cat the", ["the cat"], "11"),
        ("a b c", ["a x", "y c"], "101"),
        ("a a a", ["a a", "a"], "110"),
        ("", ["a"], ""),
        ("a", [""], "0"),
        (" ".join("abcdefghijklmnop"), [" ".join("abcdefghijklmnop")], "1" * 16),
    ],
)
def test_right_words(hypothesis: str, references: list[str], right: str) -> None:
    found = right_words(hypothesis.split(), [one.split() for one in references])
    assert "".join("01"[one] for one in found) == right


@given(corpora)
def test_as_many_words_are_marked_as_match(
    segments: list[tuple[list[str], list[list[str]]]],
) -> None:
    for hypothesis, references in segments:
        union: Counter[str] = Counter()
        for reference in references:
            union |= Counter(reference)
        matches = (Counter(hypothesis) & union).total()
        assert sum(right_words(hypothesis, references)) == matches


@pytest.mark.parametrize(
    ("text", "tokens", "right", "fold", "bracketed"),
    [
        ("Hello, world.", "Hello , world .", "1101", False, "[Hello,] world[.]"),
        ("A Cat", "a cat", "01", True, "A [Cat]"),
        ("say &quot;no&quot;", 'say " no "', "0110", False, 'say [" no] "'),  # not as written
        ("İ am", "i̇ am", "01", True, "i̇ [am]"),  # lower-casing made it longer
        ("", "", "", False, ""),
        ("a a", "a a", "01", False, "a [a]"),
    ],
)
def test_right_words_are_found_in_the_text(
    text: str, tokens: str, right: str, fold: bool, bracketed: str
) -> None:
    flags = [one == "1" for one in right]
    assert marked(text, tokens.split(), flags, fold=fold).bracketed == bracketed


def test_spans_are_code_points() -> None:
    assert marked("ein süßer Kater", ["ein", "süßer", "Kater"], [False, True, True]) == Marked(
        text="ein süßer Kater", spans=((4, 15),)
    )


@pytest.mark.parametrize("metric", ["wer", "per", "chrf"])
def test_sentences_with_the_largest_difference_both_ways(metric: str) -> None:
    references = ["a b c d"] * 5
    base = ["a b c d", "a b x y", "x y z w", "a b c d", "a b c x"]
    new = ["a b x y", "a b c d", "a b c d", "a b c d", "a b c d"]
    compared = compare(corpus_of(references), systems_of(base, new), [metric], top=2)
    assert compared.sentences is not None
    (found,) = compared.sentences
    assert [one.number for one in found.better] == [3, 2]
    assert [one.number for one in found.worse] == [1]  # equal segments are neither
    first = found.better[0]
    assert first.references == ("a b c d",)
    assert (first.baseline.bracketed, first.system.bracketed) == ("x y z w", "[a b c d]")
    scores = parse_metric(metric).for_segments()
    expected = [tertium.score([text[2]], ["a b c d"], scores).value for text in (base, new)]
    assert [first.baseline_score, first.system_score] == pytest.approx(expected)


# ---- scores ---------------------------------------------------------------------------------

SEGMENTS = 40
MANY = [f"w{number} a b c" for number in range(SEGMENTS)]
GENRES = ["news" if number % 4 else "web" for number in range(SEGMENTS)]
WORSE = [text.replace("b", "x") for text in MANY]
MIXED = [text if number % 2 else text.replace("c", "x") for number, text in enumerate(MANY)]


def test_scores_are_those_of_evaluate_and_deltas_their_differences() -> None:
    corpus, systems = corpus_of(MANY, GENRES), systems_of(WORSE, MANY, MIXED)
    compared = compare(corpus, systems, ["bleu", "wer"], by="genre", trials=200)
    plain = evaluate(corpus, systems, ["bleu", "wer"], by="genre")
    assert compared.scores is not None
    assert [(one.label, one.segments) for one in compared.scores.slices] == [
        ("all", 40),
        ("news", 30),
        ("web", 10),
    ]
    for part in compared.scores.slices:
        for row, one in zip(part.scores, plain.systems, strict=True):
            for m, score in enumerate(row):
                whole = one.scores[m] if part.label == "all" else one.scores[m].slices[part.label]
                first = part.scores[0][m]
                assert score.value == pytest.approx(whole.value)
                if score is first:
                    assert (score.delta, score.tests) == (None, ())
                else:
                    assert score.delta == pytest.approx(score.value - first.value)
    signatures = [score.signature for score in plain.systems[0].scores]
    assert list(compared.scores.signatures) == signatures


def test_tests_and_clusters_are_those_of_inference() -> None:
    corpus, systems = corpus_of(MANY), systems_of(WORSE, MIXED, MANY)
    metric = parse_metric("wer")
    rows = scored(corpus, systems, [metric]).rows[0]
    compared = compare(corpus, systems, [metric], test="all", trials=999, seed=7, level=0.9)
    assert compared.scores is not None
    whole = [row[0] for row in compared.scores.slices[0].scores]
    alone = [paired_bootstrap(metric, rows[0], one, trials=999, seed=7) for one in rows[1:]]
    results = [score.tests for score in whole[1:]]
    assert [[one.test for one in tests] for tests in results] == [
        ["bootstrap", "randomization", "sign"]
    ] * 2
    p_values = [tests[0].p_value for tests in results]
    assert p_values == [one.p_value for one in alone]
    assert [tests[0].adjusted for tests in results] == holm(p_values).tolist()
    pairs = all_pairs(metric, rows, ["base", "new", "third"], trials=999, seed=7, level=0.9)
    assert [one.p_value for one in (tests[1] for tests in results)] == pairs.p_values[:2].tolist()
    # 40 substitutions make the baseline better, none worse: two-sided binomial, 2 / 2^40.
    assert results[1][2].p_value == pytest.approx(2 / 2**40)
    assert pairs.clusters() == (("third",), ("new",), ("base",))
    assert [score.cluster for score in whole] == [3, 2, 1]
    assert compared.scores.settings == Settings(
        tests=("bootstrap", "randomization", "sign"), trials=999, seed=7, level=0.9
    )


def test_equal_systems_share_a_cluster_and_have_no_mark() -> None:
    compared = compare(corpus_of(MANY), systems_of(MIXED, MIXED), ["wer"], test="all", trials=99)
    assert compared.scores is not None
    base, new = (row[0] for row in compared.scores.slices[0].scores)
    assert (base.cluster, new.cluster, new.delta) == (1, 1, 0.0)
    assert [(one.p_value, one.significant) for one in new.tests] == [(1.0, False)] * 3


def test_few_segments_are_tested_by_randomization() -> None:
    compared = compare(corpus_of(MANY[:9]), systems_of(WORSE[:9], MANY[:9]), ["wer"], trials=999)
    assert compared.scores is not None
    new = compared.scores.slices[0].scores[1][0]
    assert (new.delta, new.cluster) == (-25.0, 1)
    (verdict,) = new.tests
    # All of the 512 ways to swap were tried; nobody and everybody swapped are as extreme.
    assert (verdict.test, verdict.asked, verdict.floor) == ("randomization", "bootstrap", 0)
    assert verdict.p_value == 2 / 512
    (told,) = compared.scores.findings
    assert told.startswith("fewer than 10 units, where intervals are rough and the bootstrap is")
    assert told.endswith("(randomization takes its place): all (9 segments)")


@pytest.mark.parametrize(("segments", "tested"), [(1, False), (5, False), (6, True)])
def test_what_cannot_be_found_is_not_tested(segments: int, tested: bool) -> None:
    # 5 segments can be swapped in 32 ways: no p-value is below 2 / 32.
    texts = MANY[:segments], WORSE[:segments]
    compared = compare(corpus_of(texts[0]), systems_of(texts[1], texts[0]), ["wer"], trials=99)
    assert compared.scores is not None
    new = compared.scores.slices[0].scores[1][0]
    assert (new.interval is None) == (segments == 1)
    assert (bool(new.tests), new.cluster is not None) == (tested, tested)
    told = (
        f"not tested, too few units for any verdict: all ({segments} segment{'s' * (segments > 1)})"
    )
    assert (told in compared.scores.findings) != tested


@pytest.mark.parametrize(("trials", "told"), [(58, True), (59, False)])
def test_too_few_trials_are_told(trials: int, told: bool) -> None:
    # 3 pairs by Holm: 3 / (1 + trials) must not be above 0.05.
    compared = compare(
        corpus_of(MANY),
        systems_of(WORSE, MIXED, MANY),
        ["wer"],
        trials=trials,
        sections=["scores"],
    )
    assert compared.scores is not None
    assert bool(compared.scores.findings) == told
    clusters = {row[0].cluster for row in compared.scores.slices[0].scores}
    assert clusters == ({1} if told else {1, 2, 3})


def test_slices_by_length() -> None:
    references = ["a b c"] * 12 + ["x " * 15] * 12
    compared = compare(
        corpus_of(references),
        systems_of(references, references[::-1]),
        by="length",
        length_bands=Bands(edges=(5, 20)),
        trials=50,
    )
    assert compared.scores is not None
    found = [(one.label, one.segments) for one in compared.scores.slices]
    assert found == [("all", 24), ("0–4", 12), ("5–19", 12)]
    assert compared.lengths is not None
    assert [(one.label, one.segments) for one in compared.lengths.bands] == found[1:]


# ---- the call as a whole --------------------------------------------------------------------


def small(**options: Any) -> Comparison:
    return compare(corpus_of(REFERENCES), systems_of(BASE, NEW), ["wer"], trials=20, **options)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_is_to_be_had_alone_and_as_json(section: Any) -> None:
    compared = small(sections=[section])
    assert compared.sections == (section,)
    made = json.loads(json.dumps(compared.to_dict()))
    assert set(made).intersection(SECTIONS) == {section}
    assert made[section] == json.loads(json.dumps(small().to_dict()))[section]
    assert made["baseline"] == "base"
    assert [one["system"] for one in made["systems"]] == ["base", "new"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sections": ["scores", "word"]}, "section: found 'word', expected scores, ngrams"),
        ({"sections": ["words"], "by": "length"}, "by: found sections words, expected 'scores'"),
        (
            {"sections": ["scores"], "training": ["a"]},
            "training text: found sections scores, expected 'words' among them",
        ),
        ({"test": "t"}, "test: found 't', expected bootstrap, randomization, sign or all"),
        ({"correction": "x"}, "correction: found 'x', expected none, holm, benjamini-hochberg"),
        ({"level": 1.0}, "level: found 1.0"),
        ({"order": 1}, "order: found 1, expected at least 2"),
        ({"top": 0}, "top: found 0, expected at least 1"),
        ({"prior": 0}, "prior: found 0, expected a number above 0"),
        ({"by": "genre"}, "ref: no genre labels"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TertiumError) as caught:
        small(**options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [
        ([BASE], "systems: found 1, expected a baseline and at least one more"),
        ([BASE, NEW[:2]], "new: 2 segments, expected 3"),
    ],
)
def test_systems_that_do_not_fit(hypotheses: list[list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compare(corpus_of(REFERENCES), systems_of(*hypotheses))


def test_a_system_twice() -> None:
    with pytest.raises(InputError, match="system 'base': found twice, expected once"):
        compare(corpus_of(REFERENCES), systems_of(BASE) * 2)


def test_no_segments_and_no_metrics() -> None:
    with pytest.raises(InputError, match="ref: 0 segments, expected at least one"):
        compare(corpus_of([]), systems_of([], []))
    with pytest.raises(OptionError, match="metrics: found none, expected at least one"):
        compare(corpus_of(REFERENCES), systems_of(BASE, NEW), [])


def test_words_are_those_of_the_first_metric_that_has_some() -> None:
    metrics = ["chrf", "wer[lowercase=yes,tokenizer=char]", "bleu"]
    compared = compare(corpus_of(["Ab"]), systems_of(["a"], ["B"]), metrics, sections=["words"])
    assert (compared.cutter.tokenizer.name, compared.cutter.lowercase) == ("char", True)
    assert compared.words is not None
    assert shown(compared.words.differences[0].gained) == [("b", 1, 0)]


@pytest.mark.parametrize("first", ["", "import tertium.compare; ", "tertium.compare; "])
def test_the_package_is_the_function(first: str) -> None:
    # A fresh interpreter: what was imported before decides whose name 'compare' is.
    code = f"import tertium; {first}print(callable(tertium.compare), tertium.compare.__name__)"
    assert printed("-c", code).split()[0] == "True"
    assert tertium.compare(corpus_of(REFERENCES), systems_of(BASE, NEW), trials=9).segments == 3


# ---- real systems ---------------------------------------------------------------------------

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
