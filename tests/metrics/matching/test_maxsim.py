"""MaxSim: similarities by hand, the formula, taggers, synonyms and what is not installed."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.matching import similarity
from tertium.metrics.matching.maxsim import MaxSim
from tertium.metrics.resources import taggers
from tertium.metrics.resources.synonyms import Thesaurus
from tertium.metrics.resources.taggers import TaggedWord, Tagger
from tests.oracles.matching import maxsim as oracle
from tests.support.commands import json_output, output

pytestmark = pytest.mark.slow

SENSES = {"car": {1, 2}, "automobile": {2}, "run": {3, 4}, "operate": {4, 5}, "manage": {5}}

# form -> lemma, tag; what the rules of the test's own pipeline say
LEXICON = {
    "the": ("the", "DT"),
    "a": ("a", "DT"),
    "car": ("car", "NN"),
    "cars": ("car", "NNS"),
    "automobile": ("automobile", "NN"),
    "truck": ("truck", "NN"),
    "runs": ("run", "VBZ"),
    "ran": ("run", "VBD"),
    "operates": ("operate", "VBZ"),
}


def thesaurus(path: Path) -> Path:
    lines = (f"{word}\n{' '.join(map(str, sets))}\n" for word, sets in SENSES.items())
    path.write_text("".join(lines))
    return path


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A spaCy pipeline of rules, saved as any other and loaded by its folder."""
    spacy = pytest.importorskip("spacy")
    made = spacy.blank("en", meta={"version": "1.2.3"})
    ruler: Any = made.add_pipe("attribute_ruler")
    for form, (lemma, tag) in LEXICON.items():
        ruler.add([[{"LOWER": form}]], {"LEMMA": lemma, "TAG": tag})
    folder = tmp_path_factory.mktemp("pipeline") / "rules"
    made.to_disk(folder)
    return str(folder)


@pytest.fixture
def metric(pipeline: str, tmp_path: Path) -> MaxSim:
    return MaxSim(
        pipeline=Tagger("spacy", pipeline),
        synonyms=Thesaurus(str(thesaurus(tmp_path / "synonyms"))),
    )


def words(*pairs: tuple[str, str]) -> list[TaggedWord]:
    return [TaggedWord(lemma, lemma, tag) for lemma, tag in pairs]


def senses_of(word: str) -> frozenset[int]:
    return frozenset(SENSES.get(word, ()))


THE, A = ("the", "DT"), ("a", "DT")
CAR, AUTOMOBILE, TRUCK, RUN = ("car", "NN"), ("automobile", "NN"), ("truck", "NN"), ("run", "VB")


@pytest.mark.parametrize(
    ("hypothesis", "reference", "n", "expected"),
    [
        ([CAR], [CAR], 1, 1),
        ([CAR], [("car", "NNS")], 1, 1),  # the lemma is enough
        ([CAR], [AUTOMOBILE], 1, 1),  # (1 + 1) / 2
        ([CAR], [TRUCK], 1, 0.5),  # the tag alone
        ([CAR], [("automobile", "VB")], 1, 0.5),  # the synonym alone
        ([CAR], [RUN], 1, 0),
        # each word once: car–car, then truck–automobile by the tag
        ([CAR, TRUCK], [AUTOMOBILE, CAR], 1, 1.5),
        # the matching, not the first that fits: truck–… leaves automobile for car
        ([TRUCK, CAR], [AUTOMOBILE, ("boat", "NN")], 1, 1.5),
        ([THE, CAR], [THE, AUTOMOBILE], 2, 1),
        ([THE, CAR], [A, TRUCK], 2, 0.5),
        ([THE, CAR], [THE, TRUCK], 2, 0.75),  # 'the' is its own synonym: (1 + 1/2) / 2
        ([THE, CAR], [THE, RUN], 2, 0),  # one position without anything in common
        ([CAR, THE], [THE, CAR], 2, 0),  # order matters
        ([THE, CAR, RUN], [A, AUTOMOBILE, RUN], 3, (0.5 + 1 + 1) / 3),
    ],
)
def test_similarity(
    hypothesis: list[oracle.Word], reference: list[oracle.Word], n: int, expected: float
) -> None:
    ours, theirs = (similarity.grams(words(*side), n) for side in (hypothesis, reference))
    assert similarity.similarity(ours, theirs, senses_of) == pytest.approx(expected)


tagged = st.lists(
    st.tuples(st.sampled_from([*SENSES, "x", "the"]), st.sampled_from(["NN", "VB"])), max_size=6
)


@given(tagged, tagged, st.integers(1, 3))
def test_similarity_equals_the_formula(
    hypothesis: list[oracle.Word], reference: list[oracle.Word], n: int
) -> None:
    ours, theirs = (similarity.grams(words(*side), n) for side in (hypothesis, reference))
    expected = oracle.common(oracle.grams(hypothesis, n), oracle.grams(reference, n), SENSES)
    assert similarity.similarity(ours, theirs, senses_of) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        ("The car runs!", ["the car runs"], 100),
        # unigrams 3 of 3 and 3, bigrams 2 of 2 and 2, one trigram: all by synonyms
        ("the automobile operates", ["the car runs"], 100),
        # lemma without tag counts like lemma with tag
        ("the cars ran", ["the car runs"], 100),
        # unigrams 2 + 1/2 of 3, bigrams (1 + 1/2)/2 + (1/2 + 1)/2 of 2, trigram (1 + 1/2 + 1)/3
        ("the truck runs", ["the car runs"], 100 * (2.5 / 3 + 1.5 / 2 + 2.5 / 3) / 3),
        # F = PR/(.8P + .2R): unigrams P = 1, R = 2/3; bigrams P = 1, R = 1/2; no trigram: 0
        ("the car", ["the car runs"], 100 * ((2 / 3) / (0.8 + 0.4 / 3) + 0.5 / (0.8 + 0.1)) / 3),
        # one word on both sides: there is no bigram to miss
        ("car", ["automobile"], 100),
        # the mean over references
        ("car", ["car", "runs"], 50),
        ("car", [None, "car"], 100),
        # punctuation is left out, so this is empty
        ("!", ["?"], 100),
        ("", ["the car"], 0),
        ("the car", ["..."], 0),
        ("", [""], 100),
    ],
)
def test_segments(metric: MaxSim, hypothesis: str, references: list[str], expected: float) -> None:
    rows = metric.statistics([hypothesis], [references])
    assert metric.score(rows[0]) == pytest.approx(expected)


def test_best_reference(metric: MaxSim) -> None:
    best = metric.with_options(references="best")
    assert best.score(best.statistics(["car"], [["car", "runs"]])[0]) == 100


def test_both_empty_adds_nothing(metric: MaxSim) -> None:
    rows = metric.statistics(["car", "", "!"], ["car", "", "."])
    np.testing.assert_array_equal(rows, [[1, 1], [0, 0], [0, 0]])


texts = st.lists(st.sampled_from(sorted(LEXICON)), max_size=7)


@settings(deadline=None)  # the first example loads the pipeline
@given(segments=st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), max_size=4))
def test_equals_the_formula(
    pipeline: str,
    tmp_path_factory: pytest.TempPathFactory,
    segments: list[tuple[list[str], list[list[str]]]],
) -> None:
    path = thesaurus(tmp_path_factory.mktemp("maxsim") / "synonyms")
    metric = parse_metric(f"maxsim[pipeline=spacy:{pipeline},synonyms={path}]")
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in segments]
    references = [[" ".join(reference) for reference in others] for _, others in segments]
    rows = metric.statistics(hypotheses, references)
    assert rows.shape == (len(segments), 2)
    expected = [
        oracle.maxsim(
            [LEXICON[form] for form in hypothesis],
            [[LEXICON[form] for form in reference] for reference in others],
            SENSES,
        )
        for hypothesis, others in segments
    ]
    np.testing.assert_allclose(metric.score(rows), expected)


def test_too_many_pairs_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "LIMIT", 3)
    ours, theirs = (similarity.grams(words(*[word] * 2), 1) for word in (CAR, TRUCK))
    with pytest.raises(InputError, match="2 and 2 n-grams that differ, expected at most 3 pairs"):
        similarity.similarity(ours, theirs, senses_of)


# ---- taggers --------------------------------------------------------------------------------


def test_the_signature_names_versions(metric: MaxSim, pipeline: str) -> None:
    signature = metric.signature()
    synonyms = Path(metric.synonyms.name).name  # the file without its folder
    assert f"|pipeline:spacy:{pipeline}@1.2.3|synonyms:{synonyms}@" in signature
    again = parse_metric(metric.recipe)
    assert again == metric
    assert again.signature() == signature
    other = parse_metric(f"maxsim[pipeline=spacy:{pipeline}@9.9,synonyms=none]")
    with pytest.raises(OptionError, match=r"found version 1\.2\.3, expected 9\.9"):
        other.statistics(["car"], ["car"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("maxsim[pipeline=spcay:en]", "unknown tagger 'spcay'; did you mean 'spacy'?"),
        ("maxsim[pipeline=hanta:xx]", "unknown language of hanta 'xx'"),
        ("maxsim[pipeline=spacy]", "found no pipeline, expected spacy:NAME"),
        ("maxsim[order=0]", "found order 0, expected at least 1"),
        ("maxsim[alpha=2.0]", r"found alpha=2.0, expected 0 to 1"),
    ],
)
def test_wrong_options(text: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_metric(text)
    assert message in str(error.value)


def test_a_pipeline_that_is_not_there() -> None:
    with pytest.raises(MissingExtraError) as error:
        tertium.score(["a"], ["a"], "maxsim[pipeline=spacy:no_such_pipeline,synonyms=none]")
    assert "expected an installed pipeline or its folder" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_pipeline_without_tags(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(OptionError, match="found no lemma of 'car', expected a pipeline that"):
        tertium.score(["car"], ["car"], f"maxsim[pipeline=spacy:{tmp_path}/blank,synonyms=none]")


def test_a_segment_too_long_for_the_pipeline(pipeline: str) -> None:
    spec = f"maxsim[pipeline=spacy:{pipeline},synonyms=none]"
    with pytest.raises(InputError, match="segment 2: found 1200000 characters, expected at most"):
        tertium.score(["car", "car " * 300_000], ["car", "car"], spec)


def test_hanta() -> None:
    pytest.importorskip("HanTa")
    assert Tagger("hanta", "en").tag(["The cats were sitting.", ""]) == [
        [
            ("The", "the", "AT0"),
            ("cats", "cat", "NN2"),
            ("were", "be", "VBD"),
            ("sitting", "sit", "VVG"),
            (".", ".", "PUN"),
        ],
        [],
    ]
    # 'cat' and 'sit' agree as lemmas; 'on' and 'under' only as prepositions
    score = tertium.score(["cats sit on"], ["the cat sat under"], "maxsim[order=1,synonyms=none]")
    assert score.value == pytest.approx(100 * 2.5 / (0.8 * 4 + 0.2 * 3))
    assert "|pipeline:hanta:en@1." in score.signature
    german = Tagger("hanta", "de").tag(["Die Hunde bellten"])
    assert [word.lemma for word in german[0]] == ["der", "hund", "bellen"]


unicode = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@settings(deadline=None)  # the first example loads the model
@given(st.lists(unicode, min_size=1, max_size=3))
def test_hanta_takes_any_text(segments: list[str]) -> None:
    pytest.importorskip("HanTa")
    metric = MaxSim(synonyms=Thesaurus("none"))
    rows = metric.statistics(segments, segments)
    np.testing.assert_array_equal(metric.score(rows), np.full(len(rows), 100.0))


def test_without_a_tagger(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(taggers, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError) as error:
        tertium.score(["a"], ["a"], "maxsim[synonyms=none]")
    assert str(error.value) == (
        f"tagger 'hanta:en': package 'HanTa' is not installed; {install_hint('hanta')}"
    )
    with pytest.raises(MissingExtraError, match=re.escape(install_hint("spacy"))):
        tertium.score(["a"], ["a"], "maxsim[pipeline=spacy:en_core_web_sm,synonyms=none]")
    [entry] = json_output(capsys, "metrics", "maxsim")["metrics"]
    assert not entry["available"]
    assert install_hint("hanta") in entry["problem"]
    shown = " ".join(output(capsys, "metrics", "maxsim").split())
    assert f"not available: {error.value}" in shown


# ---- synonyms -------------------------------------------------------------------------------


def test_wordnet_from_meteors_tables() -> None:
    pytest.importorskip("tertium.metrics.meteor.table_cache")
    pytest.importorskip("pycocoevalcap")
    function = Thesaurus("wordnet").function()
    assert function("car") & function("automobile")
    assert not function("car") & function("walk")
    assert not function("zzzzz")
    assert len(Thesaurus("wordnet").pinned().checksum) == 8
    score = tertium.score(["an automobile"], ["a car"], "maxsim[order=1]")
    assert score.value == 100  # 'an' and 'a' have one lemma, the nouns a synonym set
    assert re.search(r"\|synonyms:wordnet@[0-9a-f]{8}\|", score.signature)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("car\n1 2\nrun\n", "found 3 lines, expected two for every word"),
        ("car\n1 2\nrun\nfast\n", ":4: found 'fast', expected numbers of synonym sets"),
    ],
)
def test_malformed_synonyms(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "synonyms"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        Thesaurus(str(path)).function()
    assert message in str(error.value)


def test_synonyms_are_pinned(tmp_path: Path) -> None:
    path = thesaurus(tmp_path / "synonyms")
    pinned = Thesaurus(str(path)).pinned()
    assert Thesaurus.parse(str(pinned)).function()("automobile") == {2}
    path.write_text("car\n7\n")
    assert Thesaurus(str(path)).function()("car") == {7}
    with pytest.raises(OptionError, match=r"found checksum \w{8}, expected \w{8}"):
        Thesaurus.parse(str(pinned)).function()
    with pytest.raises(OptionError, match="nowhere: no such file"):
        Thesaurus("nowhere").function()
    assert str(Thesaurus("none").pinned()) == "none"


def test_forms_differ_from_their_lemmas(pipeline: str) -> None:
    found: Sequence[TaggedWord] = Tagger("spacy", pipeline).tag(["The cars"])[0]
    assert found == [("The", "the", "DT"), ("cars", "car", "NNS")]
