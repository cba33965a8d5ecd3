"""METEOR against its formulas, hand-made tables, Meteor 1.5's golden outputs, and invariants."""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium._native import Texts, meteor_normalize
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.meteor import table_cache
from tertium.metrics.meteor.metric import Meteor, Meteor06
from tertium.metrics.meteor.presets import LANGUAGES
from tests.oracles import meteor as oracle
from tests.support.meteor_files import FUNCTION_WORDS, write_meteor_folder, write_paraphrases
from tests.support.strategies import corpora, joined, segment

pytestmark = pytest.mark.slow

Segments = list[tuple[list[str], list[list[str]]]]

has_stemmer = find_spec("Stemmer") is not None
needs_stemmer = pytest.mark.skipif(not has_stemmer, reason="PyStemmer is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A small Meteor, with a cache of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield write_meteor_folder(tmp_path_factory.mktemp("files") / "meteor")


short_words = st.lists(st.sampled_from(["a", "b", "the", "of", "x"]), min_size=1, max_size=6)


@settings(deadline=None)
@given(
    segments=st.lists(
        st.tuples(short_words, st.lists(short_words, min_size=1, max_size=2)),
        min_size=1,
        max_size=3,
    ),
    parameters=st.sampled_from([(0.85, 0.2, 0.6, 0.75), (0.81, 0.83, 0.28, 0.5), (0.5, 3, 1, 0.9)]),
)
def test_exact_matches_equal_the_formulas(
    folder: Path, segments: Segments, parameters: tuple[float, float, float, float]
) -> None:
    alpha, beta, gamma, delta = parameters
    metric = Meteor(
        folder=str(folder),
        stages=("exact",),
        normalize="no",
        beam=100_000,  # nothing is cut off, so every alignment is tried here too
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        delta=delta,
    )
    total = None
    hypotheses, references = joined(segments)
    rows = metric.statistics(hypotheses, references)
    for (hypothesis, others), row in zip(segments, rows, strict=True):
        counted = [oracle.counts(hypothesis, other, FUNCTION_WORDS) for other in others]
        best = max(counted, key=lambda one: oracle.score(one, *parameters))
        expected = oracle.score(best, *parameters)
        assert metric.score(row) / 100 == pytest.approx(expected, rel=1e-12)
        total = best if total is None else total + best
    assert total is not None
    assert metric.score(rows.sum(axis=0)) / 100 == pytest.approx(oracle.score(total, *parameters))


# hypothesis, reference -> words matched by stem, synonym, paraphrase in the reference
MATCHES = [
    ("the car stops", "the automobile stops", {"synonym": 1}),
    ("two cars stop", "two automobiles stop", {"synonym": 1}),  # base forms: -s
    ("three mice ran", "three rodents ran", {"synonym": 1}),  # base forms: exceptions
    ("he makes it", "he did it", {"synonym": 1}),
    ("a glass falls", "a tumbler falls", {"synonym": 1}),  # words in -ss are base forms
    ("she purchased it", "she buys it", {"synonym": 1}),
    ("of course he came", "naturally he came", {"paraphrase": 1}),
    ("he naturally came", "he of course came", {"paraphrase": 2}),
    ("it came in no time", "it came quickly", {"paraphrase": 1}),
    ("it came right away", "it came at once", {"paraphrase": 2}),
    ("it came at once", "it came right away", {"paraphrase": 2}),  # listed the other way round
    ("a big one", "a large one", {"paraphrase": 1}),
    ("a house", "a tree", {}),
]


@pytest.mark.parametrize(("hypothesis", "reference", "matches"), MATCHES)
def test_stages(folder: Path, hypothesis: str, reference: str, matches: dict[str, int]) -> None:
    metric = Meteor(folder=str(folder), stages=("exact", "synonym", "paraphrase"))
    row = dict(zip(metric.columns, metric.statistics([hypothesis], [reference])[0], strict=True))
    same = len(set(hypothesis.split()) & set(reference.split()))
    found = {
        stage: row[f"{stage}_reference_content"] + row[f"{stage}_reference_function"]
        for stage in metric.stages
    }
    assert found == {"exact": same, "synonym": 0, "paraphrase": 0} | matches


@needs_stemmer
def test_stems(folder: Path) -> None:
    metric = Meteor(folder=str(folder))
    assert metric.stages == ("exact", "stem", "synonym", "paraphrase")
    assert metric.weights == (1.0, 0.6, 0.8, 0.6)
    row = dict(zip(metric.columns, metric.statistics(["he runs"], ["he running"])[0], strict=True))
    assert (row["stem_hypothesis_content"], row["stem_reference_content"]) == (1, 1)
    # P = R = (1 + 0.6) / 2; all words are one chunk, so nothing is fragmented
    assert tertium.score(["he runs"], ["he running"], metric).value == pytest.approx(80)
    # P = R = 0.6 / 1.5 with "he" unmatched; two content words each, δ = 0.75
    broken = tertium.score(["she runs"], ["he running"], metric).value
    assert broken == pytest.approx(100 * 0.3 * (1 - 0.6))


def test_a_row_in_full(folder: Path) -> None:
    metric = Meteor(folder=str(folder), stages=("exact", "synonym"))
    row = metric.statistics(["The cat sat on the red car."], ["On the automobile the cat slept."])
    expected = {
        "hypothesis_length": 8,
        "reference_length": 7,
        "hypothesis_function_words": 3,
        "reference_function_words": 3,
        "chunks": 4,  # on the | automobile | the cat | .
        "exact_hypothesis_content": 2,
        "exact_reference_content": 2,
        "exact_hypothesis_function": 3,
        "exact_reference_function": 3,
        "synonym_hypothesis_content": 1,
        "synonym_reference_content": 1,
        "synonym_hypothesis_function": 0,
        "synonym_reference_function": 0,
        "unread": 0,
    }
    assert dict(zip(metric.columns, row[0].tolist(), strict=True)) == expected


# What `java -cp meteor-1.5.jar edu.cmu.meteor.util.Normalizer` prints for the same text, with
# the abbreviations of the small lexicon among its own.
TOKENS = [
    ("The U.S. economy grew by 1,000.5 points, he said.",
     "The US economy grew by 1,000.5 points , he said ."),
    ("Mr. Smith arrived at 5 p.m. on Monday", "Mr. Smith arrived at 5 pm on Monday"),
    ("See No. 5 and No. Nothing", "See No. 5 and No . Nothing"),
    ("Don't say \"it's 1990's ``style''\" , please",
     "Don 't say \" it 's 1990 's \" style \" \" , please"),
    ("a,b,c", "a , b,c"),
    ("a well-known U.S.-based x-y-z", "a well known US based x y-z"),
    ("wait... what.. no.", "wait ... what .. no ."),
    ("“Quoted” – and — dashes -- here ---", '" Quoted " - and — dashes - here --'),
    ("price: $5 (50%) / each", "price : $ 5 ( 50 % ) / each"),
    ("\u00a0wide\u3000blanks\u2003", "wide blanks"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tokens"), TOKENS)
def test_normalization(folder: Path, text: str, tokens: str) -> None:
    lexicon = table_cache.open_lexicon(folder / "meteor-1.5.jar", LANGUAGES["en"])
    normalized = meteor_normalize(
        Texts([text]), apostrophes="before", keep_punctuation=True, lexicon=lexicon
    )
    assert normalized[0] == tokens


@pytest.mark.parametrize(
    ("apostrophes", "tokens"),
    [
        ("before", "L 'homme qu 'il a vu ' 1990 's"),
        ("behind", "L' homme qu' il a vu ' 1990 ' s"),
        ("alone", "L ' homme qu ' il a vu ' 1990 ' s"),
    ],
)
def test_apostrophes(apostrophes: str, tokens: str) -> None:
    text = Texts(["L'homme qu’il a vu '1990's"])
    cut = meteor_normalize(text, apostrophes=apostrophes, keep_punctuation=True, lexicon=None)
    assert cut[0] == tokens


def test_punctuation_can_go(folder: Path) -> None:
    metric = Meteor(folder=str(folder), stages=("exact",), keep_punctuation=False)
    row = metric.statistics(["Mr. X, no-one's fool!"], ["Mr X no one s fool"])
    assert metric.score(row[0]) == 100


@pytest.mark.slow
@settings(deadline=None)  # the first to ask for the installed tables converts them
@given(corpora)
def test_identical_text_is_exactly_perfect(segments: Segments) -> None:
    for name in ("meteor", "meteor-0.6"):
        text, _ = joined(segments)
        result = tertium.score(text, text, name, segments=True)
        assert result.value == pytest.approx(100.0, rel=1e-14)
        assert result.segments == pytest.approx(np.full(len(text), 100.0), rel=1e-14)


@pytest.mark.slow
@settings(deadline=None)
@given(segment(min_words=1), st.integers(1, 5))
def test_words_that_match_nothing_never_help(
    one: tuple[list[str], list[list[str]]], extra: int
) -> None:
    metric = parse_metric("meteor")
    hypotheses, references = joined([one])
    longer = [f"{hypotheses[0]} {'qqxz ' * extra}"]
    before = metric.score(metric.statistics(hypotheses, references)[0])
    assert metric.score(metric.statistics(longer, references)[0]) <= before


@pytest.mark.slow
@settings(deadline=None)
@given(segment(min_words=1))
def test_references_are_alternatives(one: tuple[list[str], list[list[str]]]) -> None:
    metric = parse_metric("meteor")
    [hypothesis], [references] = joined([one])
    together = metric.score(metric.statistics([hypothesis], [references])[0])
    alone = [metric.score(metric.statistics([hypothesis], [[r]])[0]) for r in references]
    assert together == max(alone)
    assert 0 <= together <= 100


# hypothesis, reference -> score of the segment
EMPTY = [
    ("", "a b", 0),
    ("a b", "", 0),
    ("", "", 100),
    (" \u00a0", "", 100),
    ("a", [None, "a"], 100),
]


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), EMPTY)
def test_empty_text(hypothesis: str, reference: str, expected: float) -> None:
    metric = Meteor()
    rows = metric.statistics([hypothesis], [reference])
    assert metric.score(rows[0]) == expected


@pytest.mark.slow
@pytest.mark.parametrize("turned", [False, True])
def test_a_very_long_line_against_a_short_one(turned: bool) -> None:
    words = np.random.default_rng(1).integers(0, 10_000, 2_000_000)
    pair = " ".join(map(str, words.tolist())), "1 2 3"
    hypothesis, reference = reversed(pair) if turned else pair
    row = Meteor(stages=("exact",)).statistics([hypothesis], [reference])[0]
    assert row[int(turned)] == 2_000_000
    assert row[5:].sum() <= 6


def test_very_long_lines_are_aligned_near_the_same_place() -> None:
    words = np.random.default_rng(2).integers(0, 10_000, 20_000).tolist()
    text = " ".join(map(str, words))
    changed = " ".join(map(str, words[:9_000] + words[9_010:]))  # ten words are left out
    metric = Meteor(stages=("exact",))
    row = metric.statistics([changed], [text])[0]
    assert row[5:].sum() == 2 * 19_990
    assert 2 <= row[4] <= 12


# options -> what the signature says of them
SIGNATURES = [
    ("meteor[stages=exact,resources=none]", "stages:exact|resources:none"),
    ("meteor[resources=none,normalize=no]", "stages:exact|norm:no|resources:none"),
    ("meteor[resources=none,alpha=0.9]", "alpha:0.9|stages:exact|resources:none"),
    ("meteor[resources=none,language=de]", "language:de|stages:exact|resources:none"),
    ("meteor-0.6[resources=none]", "stages:exact+stem|resources:none"),
]


@pytest.mark.parametrize(("spec", "signature"), SIGNATURES)
def test_signatures(spec: str, signature: str) -> None:
    metric = parse_metric(spec)
    assert f"nrefs:1|{signature}|version:" in metric.signature()
    assert parse_metric(metric.spec) == metric
    assert parse_metric(f"{metric.name}|{metric.signature()}") == metric


def test_every_language_has_its_parameters() -> None:
    german = parse_metric("meteor[language=de]")
    assert isinstance(german, Meteor)
    assert (german.alpha, german.beta, german.gamma, german.delta) == (0.95, 1.0, 0.55, 0.55)
    assert Meteor().with_options(language="de") == german
    kept = Meteor(alpha=0.5).with_options(language="de")
    assert (kept.alpha, kept.beta) == (0.5, 1.0)
    old = Meteor06(language="cs")
    assert (old.language, old.alpha, old.delta) == ("cz", 0.81, 0.5)


def test_function_words_are_english_unless_asked_otherwise(folder: Path) -> None:
    metric = Meteor(folder=str(folder), language="de", stages=("exact",))
    text = ["die Katze of"]
    assert metric.statistics(text, text)[0, 2] == 1
    own = metric.with_options(function_words="de")
    assert own.statistics(text, text)[0, 2] == 1
    assert "function_words:de" in own.signature()
    assert metric.statistics(["die"], ["die"])[0, 2] == 0
    assert own.statistics(["die"], ["die"])[0, 2] == 1


OPTION_ERRORS = [
    ("meteor[stages=stem]", "found stages stem, expected exact and some of"),
    ("meteor[language=en-US]", "unknown language of meteor 'en-US'"),
    ("meteor[language=fi]", "found normalize=yes for language 'fi', expected lower or no"),
    ("meteor[stages=exact,weights=1+1]", "found 2 weights, expected 1"),
    ("meteor[language=de,stages=exact+synonym]", "expected language en"),
    ("meteor[language=cz,stages=exact+stem]", "expected one with a stemmer"),
    ("meteor[alpha=1.5]", "found alpha=1.5, expected 0 to 1"),
    ("meteor[beta=-1]", "found beta=-1.0, expected a finite number from 0 on"),
    ("meteor[beam=0]", "found beam=0, expected at least 1"),
    ("meteor[normalize=no,keep_punctuation=no]", "expected normalize=yes"),
]


@pytest.mark.parametrize(("spec", "message"), OPTION_ERRORS)
def test_options_that_do_not_fit(spec: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_metric(spec)
    assert message in str(error.value)


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_cache, "find_spec", lambda _: None)


@pytest.mark.usefixtures("nothing_installed")
def test_without_anything_installed() -> None:
    metric = parse_metric("meteor")
    assert isinstance(metric, Meteor)
    assert metric.stages == ("exact",)
    assert "|stages:exact|resources:none|" in metric.signature()
    assert tertium.score(["a b"], ["a b"], metric).value == 100
    for stage in ("stem", "synonym", "paraphrase"):
        with pytest.raises(MissingExtraError, match=re.escape(install_hint("meteor"))):
            parse_metric(f"meteor[stages=exact+{stage}]")
    with pytest.raises(MissingExtraError, match=r"resource 'meteor-1\.5\.jar'"):
        parse_metric("meteor[resources=meteor-1.5.jar]")


def test_folder_and_table_must_be_there(folder: Path, tmp_path: Path) -> None:
    for options, message in [
        (f"folder={tmp_path / 'absent'}", "no such folder"),
        (f"folder={tmp_path}", r"found no meteor-\*\.jar"),
        (f"folder={folder},paraphrases={tmp_path / 'absent.gz'}", "no such file"),
    ]:
        with pytest.raises(InputError, match=message):
            parse_metric(f"meteor[{options}]")


def test_an_own_table_of_paraphrases(folder: Path, tmp_path: Path) -> None:
    table = write_paraphrases(tmp_path / "own.gz")
    spec = f"meteor[language=fi,normalize=lower,folder={folder},paraphrases={table}"
    metric = parse_metric(f"{spec},stages=exact+paraphrase]")
    assert metric.score(metric.statistics(["right away"], ["At once"])[0]) > 0
    assert "own.gz@" in metric.signature()
