"""TER-Plus against its definition, the sample of its authors' program, and plain TER."""

import re
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium._native import porter_stems
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.edit.ter import TranslationEditRate
from tertium.metrics.edit.terp import TranslationEditRatePlus, cut_text
from tests.oracles import terp as oracle

VOCABULARY = ["walk", "walks", "walked", "go", "goes", "run", "the", "a", "road", "street"]
sentences = st.lists(st.sampled_from(VOCABULARY), max_size=9)
prices = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.75])

UNIT: dict[str, Any] = {
    "insertion_cost": 1.0,
    "deletion_cost": 1.0,
    "substitution_cost": 1.0,
    "shift_cost": 1.0,
    "stems": False,
    "normalized": False,
    "capped": False,
    "beam": 20,
}
SENSES = {"walk": 1, "go": 1, "run": 2, "road": 3, "street": 3}
PHRASES = {
    (("the", "road"), ("a",)): 0.5,
    (("go",), ("walked", "the", "street")): 0.125,
    (("run", "the"), ("goes", "a")): 1.0,
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("terp")
    senses = "".join(f"{word}\n{number}\n" for word, number in SENSES.items())
    entries = "".join(
        f"{probability} <p>{' '.join(theirs)}</p> <p>{' '.join(ours)}</p>\n"
        for (theirs, ours), probability in PHRASES.items()
    )
    (folder / "senses").write_text(senses, encoding="utf-8")
    (folder / "phrases").write_text(entries, encoding="utf-8")
    return {"synonyms": str(folder / "senses"), "phrases": str(folder / "phrases")}


def stem(word: str) -> str:
    return porter_stems([word])[0]


def are_synonyms(one: str, other: str) -> bool:
    return one in SENSES and SENSES[one] == SENSES.get(other)


@given(
    sentences, sentences, st.fixed_dictionaries(dict.fromkeys(
        ["insertion", "deletion", "substitution", "stem", "synonym"], prices
    ))
)  # fmt: skip
def test_edits_equal_the_definition(
    tables: dict[str, Any], hypothesis: list[str], reference: list[str], costs: dict[str, Any]
) -> None:
    """Without shifts and phrases."""
    metric = TranslationEditRatePlus(
        synonyms=tables["synonyms"],
        **{f"{name}_cost": value for name, value in costs.items()},
        shift_length=0,
        normalized=False,
        beam=1000,
    )
    row = metric.statistics([" ".join(hypothesis)], [" ".join(reference)])[0]
    expected = oracle.cost(
        tuple(hypothesis),
        tuple(reference),
        costs=costs,
        stem=stem,
        synonyms=are_synonyms,
        phrases={},
    )
    assert row[0] == pytest.approx(expected)


@given(sentences, sentences)
def test_phrases_equal_the_definition(
    tables: dict[str, Any], hypothesis: list[str], reference: list[str]
) -> None:
    """A phrase costs w₁ + e (w₂ log₁₀ p + w₃ p + w₄)."""
    weights = (0.25, -0.5, 0.125, 0.375)
    costs: dict[str, Any] = dict.fromkeys(
        ["insertion", "deletion", "substitution", "stem", "synonym"], 1.0
    )

    def without_phrases(ours: oracle.Words, theirs: oracle.Words) -> float:
        return oracle.cost(ours, theirs, costs=costs, stem=stem, synonyms=are_synonyms, phrases={})

    priced = {
        (theirs, ours): weights[0]
        + without_phrases(ours, theirs) * (weights[1] * log10(p) + weights[2] * p + weights[3])
        for (theirs, ours), p in PHRASES.items()
    }
    metric = TranslationEditRatePlus(
        **tables,
        **{f"{name}_cost": value for name, value in costs.items()},
        phrase_cost=weights,
        shift_length=0,
        normalized=False,
        beam=1000,
    )
    row = metric.statistics([" ".join(hypothesis)], [" ".join(reference)])[0]
    expected = oracle.cost(
        tuple(hypothesis),
        tuple(reference),
        costs=costs,
        stem=stem,
        synonyms=are_synonyms,
        phrases=priced,
    )
    assert row[0] == pytest.approx(expected)


@given(sentences, sentences, st.integers(1, 4))
def test_with_the_costs_of_ter_it_is_tercom(
    hypothesis: list[str], reference: list[str], length: int
) -> None:
    texts = [" ".join(hypothesis)], [" ".join(reference)]
    plus = TranslationEditRatePlus(**UNIT, shift_length=length)
    plain = TranslationEditRate(behaviour="tercom", shift_length=length)
    ours, theirs = plus.statistics(*texts), plain.statistics(*texts)
    assert ours[0, [0, 1, 2, 3, 4, 8]].tolist() == theirs[0].tolist()
    assert plus.score(ours) == plain.score(theirs)


def test_several_references() -> None:
    metric = TranslationEditRatePlus(**UNIT)
    rows = metric.statistics(["a b c", "x"], [["a b d e", "a b c"], [None, "x y"]])
    assert rows[:, :2].tolist() == [[0, 3.5], [1, 2]]


def test_a_text_is_never_worse_than_100() -> None:
    texts = ["a b c d e f g"], ["x y"]
    metric = TranslationEditRatePlus()
    rows = metric.statistics(*texts)
    assert metric.score(rows) == 100.0
    assert metric.with_options(capped=False).score(rows)[0] == 100 * rows[0, 0] / 2 > 100


@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"), [("", "", 0), ("a", "", 100), ("", "a b", 100)]
)
def test_empty_text(hypothesis: str, reference: str, score: float) -> None:
    metric = TranslationEditRatePlus()
    assert metric.score(metric.statistics([hypothesis], [reference])) == score


# (text, words), by TERp's own sample and rules
WORDS = [
    ("congress gave: the u.s. can", "congress gave : the u.s. can"),
    ("george w. bush's cabinet.", "george w . bush 's cabinet ."),
    ("inject $700 billion, 3-4 times", "inject $ 700 billion , 3 - 4 times"),
    ("&quot;a&amp;lt;b&quot;", '" a < b "'),
    ("a.b. c,d, e.", "a.b. c,d, e ."),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_words(text: str, words: str) -> None:
    assert cut_text(text, normalized=True, punctuation=True) == words


# (word, stem): the examples of Porter 1980, and of the two rules changed since
STEMS = """
caresses caress  ponies poni  ties ti  cats cat  feed feed  agreed agre  plastered plaster
bled bled  motoring motor  sing sing  conflated conflat  troubled troubl  sized size
hopping hop  tanned tan  falling fall  hissing hiss  fizzed fizz  failing fail  filing file
happy happi  sky sky  relational relat  conditional condit  rational ration  valenci valenc
digitizer digit  radically radic  differently differ  vilely vile  analogously analog
vietnamization vietnam  predication predic  operator oper  feudalism feudal
decisiveness decis  hopefulness hope  callousness callous  formality formal
sensitivity sensit  sensibility sensibl  triplicate triplic  formative form  formalize formal
electricity electr  electrical electr  hopeful hope  goodness good  revival reviv
allowance allow  inference infer  airliner airlin  gyroscopic gyroscop  adjustable adjust
defensible defens  irritant irrit  replacement replac  adjustment adjust  dependent depend
adoption adopt  communism commun  activate activ  effective effect  bowdlerize bowdler
probate probat  rate rate  cease ceas  controlling control  rolling roll
possibly possibl  technology technolog  is is  naïves naïv  s s
"""


def test_stems() -> None:
    words = STEMS.split()
    assert porter_stems(words[::2]) == words[1::2]


def test_alignment_tells_costs(tables: dict[str, Any]) -> None:
    metric = TranslationEditRatePlus(**tables)
    found = metric.align("a walked the street", "the road go")
    assert found.alignment.pairs == (("the road", "a"), ("go", "walked the street"))
    assert found.alignment.moves == "PP"
    assert sum(found.costs) == pytest.approx(found.cost)
    assert found.cost == metric.statistics(["a walked the street"], ["the road go"])[0, 0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0.5 a ||| b", "table:2: found '0.5 a ||| b', expected a probability (or two)"),
        ("e-e <p>a</p> <p>b</p>", "table:2: found 'e-e', expected a number of at least 0"),
        ("-1 <p>a</p> <p>b</p>", "table:2: found '-1', expected a number of at least 0"),
    ],
)
def test_bad_tables(tmp_path: Path, line: str, message: str) -> None:
    table = tmp_path / "table"
    table.write_text(f"0.5 <p>x</p> <p>y</p>\n{line}\n", encoding="utf-8")
    metric = TranslationEditRatePlus(phrases=str(table))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=re.escape(message)):
        metric.statistics(["a"], ["b"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shift_cost": -1.0}, "terp: found shift_cost -1.0, expected 0 to 1e+09"),
        ({"beam": -1}, "terp: found beam -1, expected 0 to 1e+09"),
        ({"phrase_cost": (1.0,)}, "terp: found 1 weights of a phrase, expected 4"),
        ({"phrases": "no such file"}, "no such file: no such file, expected one"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        TranslationEditRatePlus(**options)


def test_signature_and_text_lead_back(
    tables: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = TranslationEditRatePlus(**tables, stem_cost=0.5, case_sensitive=True)
    assert "|stem_cost:0.5|" in metric.signature()
    assert parse_metric(metric.recipe) == metric
    monkeypatch.chdir(Path(tables["phrases"]).parent)  # signatures name files without folders
    assert parse_metric(f"terp|{metric.signature()}").signature() == metric.signature()


# --- the sample that comes with TERp -----------------------------------------------------------

# What WordNet 3.0 says of the sample's words, as its expected output shows, and as many words
# of TERp's stop list (which is not part of the sample) as decide what may move there.
SAMPLE_SYNONYMS = [
    ("yields", "gave"), ("us", "u.s."), ("nearly", "almost"), ("results", "outcome"),
    ("beginning", "start"), ("dropped", "fell"), ("drop", "fall"),
]  # fmt: skip
SAMPLE_STOPS = ["the", "is", "has", "had", ","]

SampleKey = tuple[str, str]


def sgml_segments(path: Path) -> dict[SampleKey, str]:
    found = {}
    text = path.read_text(encoding="utf-8")
    for document, inside in re.findall(r'docid="(.*?)".*?>(.*?)</doc>', text, re.DOTALL):
        for number, segment in re.findall(r'<seg id="(\d+)">(.*?)</seg>', inside, re.DOTALL):
            found[document, number] = segment
    return found


def scores(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module", params=["wordnet", "file"])
def sample(
    request: pytest.FixtureRequest, shared_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Metric, Path]:
    """The metric with each kind of synonyms, and the folder of the sample."""
    if request.param == "wordnet":
        pytest.importorskip("pycocoevalcap")
    folder = shared_data / "ter" / "terp" / "test"
    tables = tmp_path_factory.mktemp("sample")
    senses = [f"{word}\n{n}\n" for n, words in enumerate(SAMPLE_SYNONYMS) for word in words]
    (tables / "senses").write_text("".join(senses), encoding="utf-8")
    (tables / "stops").write_text("\n".join(SAMPLE_STOPS), encoding="utf-8")
    synonyms = "wordnet" if request.param == "wordnet" else tables / "senses"
    metric = parse_metric(
        f"terp[synonyms={synonyms},stop_words={tables / 'stops'},"
        f"phrases={folder / 'sample.pt.txt'}]"
    )
    return metric, folder


@pytest.mark.shared
def test_sample_scores(sample: tuple[TranslationEditRatePlus, Path]) -> None:
    metric, folder = sample
    hypotheses = sgml_segments(folder / "sample.hyp.sgm")
    references = sgml_segments(folder / "sample.ref.sgm")
    rows = metric.statistics(list(hypotheses.values()), [references[key] for key in hypotheses])
    by_key = dict(zip(hypotheses, rows, strict=True))
    output = folder / "correct_output"
    segments = scores(output / "terpa.simple.sample.seg.scr")
    assert len(segments) == len(hypotheses) == 9
    for _, _, document, number, score, length in segments:
        row = by_key[document, number]
        assert metric.score(row) / 100 == pytest.approx(float(score), rel=1e-12)
        assert row[1] == float(length)
    for _, _, document, score, length in scores(output / "terpa.simple.sample.doc.scr"):
        total = np.sum([row for key, row in by_key.items() if key[0] == document], axis=0)
        assert metric.score(total) / 100 == pytest.approx(float(score), rel=1e-12)
        assert total[1] == float(length)
    _, _, score, length = scores(output / "terpa.simple.sample.sys.scr")[0]
    assert metric.score(rows.sum(axis=0)) / 100 == pytest.approx(float(score), rel=1e-12)
    assert rows[:, 1].sum() == float(length)


@pytest.mark.shared
def test_sample_alignments(sample: tuple[TranslationEditRatePlus, Path]) -> None:
    """The words, every move, and the order after all shifts."""
    metric, folder = sample
    hypotheses = sgml_segments(folder / "sample.hyp.sgm")
    references = sgml_segments(folder / "sample.ref.sgm")
    text = (folder / "correct_output" / "terpa.simple.pra").read_text(encoding="utf-8")
    parts = text.split("Sentence ID: ")[1:]
    assert len(parts) == 9
    for part in parts:
        document, number = re.findall(r"\[(.*?)\]", part)[:2]
        key = document, str(int(number))
        found = metric.align(hypotheses[key], references[key])

        def line(name: str, inside: str = part) -> str:
            return str(re.findall(rf"^{name}: (.*)$", inside, re.MULTILINE)[0])

        pairs = found.alignment.pairs
        assert " ".join(one for one, _ in pairs if one) == line("Reference")
        assert " ".join(one for _, one in pairs if one) == line("Hypothesis After Shift")
        assert f"({found.alignment.moves.replace('=', ' ')})" == line("Alignment")
        assert " ".join(map(str, found.order)) == line("HypLocMap")
        assert len(found.shifts) == int(line("NumShifts"))


@pytest.mark.parametrize("cost", [0.0, 1e-300])
def test_shifts_that_cost_nothing_come_to_an_end(cost: float) -> None:
    draw = np.random.default_rng(3)

    def segments() -> list[str]:
        lengths = draw.integers(3, 10, size=300)
        return [" ".join(draw.choice(list("abcd"), size=length)) for length in lengths]

    hypotheses, references = segments(), segments()
    free = TranslationEditRatePlus(shift_cost=cost).statistics(hypotheses, references)
    usual = TranslationEditRatePlus().statistics(hypotheses, references)
    assert np.isfinite(free).all()
    assert free[:, 0].sum() <= usual[:, 0].sum()
