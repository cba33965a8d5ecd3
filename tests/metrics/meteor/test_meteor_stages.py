"""METEOR up to 1.0: presets, Porter's stems, matching one stage after the other."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium._native import Texts, meteor_alignments, porter_stems
from tertium.errors import OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.meteor import table_cache
from tertium.metrics.meteor.metric import Meteor, Meteor06
from tertium.metrics.meteor.presets import PRESETS
from tertium.report.metrics import metric_entries
from tests.oracles.meteor_stages import Outcome, crossings, outcomes
from tests.support.effort import examples
from tests.support.meteor_files import SYNSETS, write_meteor_folder

WORDS = ("the", "cat", "cats", "walk", "walked", "walking", "buy", "purchase", "do", "make")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_meteor_folder(tmp_path_factory.mktemp("files") / "meteor")


def same_stem(one: str, other: str) -> bool:
    first, second = porter_stems([one, other])
    return first == second


def synonyms(one: str, other: str) -> bool:
    sets = [set(SYNSETS.get(word, "").split()) for word in (one, other)]
    return bool(sets[0] & sets[1])


def outcome(metric: Meteor, hypothesis: str, reference: str) -> Outcome:
    tables = metric.tables()
    base = tables.words((Texts([reference]),), base=None)
    words = tables.words((Texts([hypothesis]),), base=base)
    [(chunks, matches)] = meteor_alignments(
        words, base, 0, stages=list(metric.stages), beam=metric.beam, by_stage=True, phrases=None
    )
    sizes = tuple(sum(match[0] == stage for match in matches) for stage in metric.stages)
    return Outcome(sizes, crossings(tuple((match[1], match[3]) for match in matches)), chunks)


texts = st.lists(st.sampled_from(WORDS), max_size=6)


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(300))
@given(hypothesis=texts, reference=texts)
def test_every_pairing_tried(folder: Path, hypothesis: list[str], reference: list[str]) -> None:
    metric = Meteor06(folder=str(folder), stages=("exact", "stem", "synonym"), beam=2000)
    expected = outcomes(hypothesis, reference, (str.__eq__, same_stem, synonyms))
    assert outcome(metric, " ".join(hypothesis), " ".join(reference)) in expected


# hypothesis, reference, pairs of exact, stem and synonym, crossings, chunks
CASES = [
    # An exact pair is taken first although it crosses; 1.5 would rather save a chunk.
    ("cats the cat", "the cat cats", (3, 0, 0), 2, 2),
    ("walked the walking", "walk the walked", (2, 1, 0), 3, 3),
    # The largest number of synonyms: mouse with rodent leaves the other mouse nothing.
    ("mouse car", "automobile rodent", (0, 0, 2), 1, 2),
    # Where crossings and chunks leave a choice, the nearer place: the stems follow in order.
    ("cat cat", "cats cat", (1, 1, 0), 0, 1),
    ("do did", "make do", (1, 0, 1), 1, 2),
]


@pytest.mark.parametrize(("hypothesis", "reference", "pairs", "crossed", "chunks"), CASES)
def test_cases(
    folder: Path,
    hypothesis: str,
    reference: str,
    pairs: tuple[int, ...],
    crossed: int,
    chunks: int,
) -> None:
    metric = Meteor06(folder=str(folder), stages=("exact", "stem", "synonym"))
    assert outcome(metric, hypothesis, reference) == Outcome(pairs, crossed, chunks)


def test_stages_differ_from_the_search_of_all_at_once() -> None:
    """The search of 1.5 counts stems for nothing: alone they cannot even save a chunk."""
    by_stage, at_once = (
        tertium.score(["cats cats"], ["cat cat"], f"meteor-0.6[alignment={way}]").value
        for way in ("stages", "global")
    )
    assert (by_stage, at_once) == (100, 0)


def test_porter_and_snowball_differ() -> None:
    """Porter's rules cut news to new; Snowball's English has it among its exceptions."""
    pytest.importorskip("Stemmer")
    scores = [
        tertium.score(["the news"], ["the new"], f"meteor-0.6[stages=exact+stem,stemmer={one}]")
        for one in ("porter", "snowball")
    ]
    assert scores[0].value == 100
    assert scores[1].value < 60
    assert "stemmer:snowball" in scores[1].signature
    assert "stemmer" not in scores[0].signature


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_cache, "find_spec", lambda _: None)


@pytest.mark.usefixtures("nothing_installed")
def test_stems_without_anything_installed() -> None:
    metric = parse_metric("meteor-0.6")
    assert isinstance(metric, Meteor)
    assert metric.stages == ("exact", "stem")
    assert "|stages:exact+stem|resources:none|" in metric.signature()
    # Two words of two, in one chunk that is the whole: no penalty.
    assert tertium.score(["cats walked"], ["cat walks"], metric).value == 100


def test_the_help_prints_what_is_used() -> None:
    [entry] = metric_entries(["meteor-0.6"])
    shown = {one.name: one.to_text(one.default) for one in entry.options}
    assert (shown["alpha"], shown["beta"], shown["gamma"]) == ("0.81", "0.83", "0.28")
    assert (shown["stemmer"], shown["alignment"]) == ("porter", "stages")
    assert not any("0.85" in one.help for one in entry.options)


# preset, language -> α, β, γ, δ
PUBLISHED = [
    ("1.5", "en", (0.85, 0.2, 0.6, 0.75)),
    ("1.5-adequacy", "en", (0.75, 1.4, 0.45, 0.7)),
    ("1.5-hter", "en", (0.4, 1.5, 0.35, 0.55)),
    ("1.5-tune", "en", (0.5, 1.0, 0.5, 0.5)),
    ("1.0", "en", (0.8, 2.5, 0.4, 0.5)),
    ("1.0", "de", (0.95, 1.0, 0.98, 0.5)),
    ("1.0-ranking", "en", (0.95, 0.5, 0.5, 0.5)),
    ("1.0-hter", "en", (0.65, 1.8, 0.45, 0.5)),
    ("0.6", "en", (0.81, 0.83, 0.28, 0.5)),
    ("0.6-program", "fr", (0.76, 0.5, 1.0, 0.5)),
    ("2005", "en", (0.9, 3.0, 0.5, 0.5)),
]


@pytest.mark.parametrize(("preset", "language", "parameters"), PUBLISHED)
def test_presets(preset: str, language: str, parameters: tuple[float, ...]) -> None:
    metric = parse_metric(f"meteor[preset={preset},language={language},resources=none]")
    assert isinstance(metric, Meteor)
    assert (metric.alpha, metric.beta, metric.gamma, metric.delta) == parameters
    assert parse_metric(metric.spec) == metric
    assert parse_metric(f"meteor|{metric.signature()}") == metric
    assert (f"preset:{preset}|" in metric.signature()) == (preset != "1.5")


def test_every_preset_is_checked_here() -> None:
    assert {preset for preset, _, _ in PUBLISHED} == set(PRESETS)


def test_the_formula_of_2005() -> None:
    """10PR / (R + 9P) · (1 − ½ (chunks / matches)³), with P = 2/3, R = 2/4 and two chunks."""
    score = tertium.score(["a x b"], ["a b c d"], "meteor[preset=2005,stages=exact]").value
    precision, recall = 2 / 3, 2 / 4
    mean = 10 * precision * recall / (recall + 9 * precision)
    assert score == pytest.approx(100 * mean * 0.5)


def test_the_old_name_and_the_preset_agree() -> None:
    texts = ["the cats walked home"], ["the cat walks to the home"]
    rows = [parse_metric(name).statistics(*texts) for name in ("meteor-0.6", "meteor[preset=0.6]")]
    np.testing.assert_array_equal(rows[0], rows[1])


OPTION_ERRORS = [
    ("meteor[preset=0.7]", "unknown preset of meteor '0.7'"),
    ("meteor[preset=1.0,language=ru,normalize=lower]", "preset 1.0: found language 'ru', expected"),
    ("meteor-0.6[language=de,stemmer=porter,stages=exact+stem]", "Porter's is for English"),
]


@pytest.mark.parametrize(("spec", "message"), OPTION_ERRORS)
def test_options_that_do_not_fit(spec: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_metric(spec)
    assert message in str(error.value)


def test_paraphrases_have_no_stage_of_their_own_before_1_5(folder: Path) -> None:
    with pytest.raises(OptionError, match="found stage 'paraphrase' with alignment=stages"):
        parse_metric(f"meteor-0.6[folder={folder},stages=exact+paraphrase]")


@pytest.mark.slow
@pytest.mark.parametrize("words", [1000, 3000])
@pytest.mark.parametrize("kinds", [1, 50])
def test_a_long_line_ends(words: int, kinds: int) -> None:
    """Aligned by stage up to 1024 words, as by 1.5 beyond; of one word again and again, too."""
    text = " ".join(map(str, np.random.default_rng(1).integers(0, kinds, words).tolist()))
    row = Meteor06(stages=("exact",)).statistics([text], [f"{text} 0 0 0"])[0]
    assert row[5:].sum() == 2 * words


@pytest.mark.parametrize(("times", "least"), [(3, 6), (150, 150)])
def test_synonyms_of_synonyms(tmp_path: Path, times: int, least: int) -> None:
    """b may be a or c, d only a: all pair if b leaves a to d; many are not tried in all ways."""
    (tmp_path / "data").mkdir()
    with zipfile.ZipFile(tmp_path / "meteor-1.5.jar", "w") as jar:
        jar.writestr("synonym/english.synsets", "a\n1\nb\n1 2\nc\n2\nd\n1\n")
    metric = Meteor06(folder=str(tmp_path), stages=("exact", "synonym"))
    row = metric.statistics(["b " * times + "d " * times], ["a " * times + "c " * times])[0]
    assert 2 * least <= row[5:].sum() <= 4 * times
