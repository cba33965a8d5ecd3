"""NEE: normalisation, search, units, references, and the report on what was missed."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.contract.table import parse_metric
from tertium.text.annotations import AnnotatedText, Entity, to_muc
from tertium.text.corpus import Corpus
from tertium.text.references import References
from tests.oracles import nee as oracle
from tests.support.names import PLAIN, REFERENCES, corpus_of, marked, nee

# ---- the score ------------------------------------------------------------------------------


def test_an_identical_system_has_all_names() -> None:
    assert nee(PLAIN, REFERENCES) == 100.0


@pytest.mark.parametrize("missing", ["Gdańsk", "$1,000", "else"])
def test_one_name_less_is_exactly_that_much_less(missing: str) -> None:
    hypotheses = [text.replace(missing, "…") for text in PLAIN]
    assert nee(hypotheses, REFERENCES) == 100 * (5 - 1) / 5


def test_counts_by_hand() -> None:
    result = tertium.score(["ann lee", "$1000 for Lee", ""], REFERENCES, "nee", segments=True)
    assert result.statistics.tolist() == [2, 5, 0, 1, 0, 1, 1, 1, 1, 2]
    assert result.metric.columns[2:6] == (
        "found_DATE", "listed_DATE", "found_LOCATION", "listed_LOCATION",
    )  # fmt: skip
    assert result.segments is not None
    assert result.segments.tolist() == [50, 50, 0]
    assert result.details == (
        "(found = 2 listed = 5 DATE = 0/1 LOCATION = 0/1 MONEY = 1/1 PERSON = 1/2)"
    )


def test_a_name_does_not_reach_over_the_end_of_a_segment() -> None:
    corpus = Corpus(
        references=References.of([marked("New York", LOCATION="New York"), "x"]),
        name="ref",
        documents=("a", "a"),
    )
    metric = NamedEntityEvaluator().bind(corpus)
    assert metric.statistics(["in New", "York"], corpus.references).sum(axis=0)[0] == 0
    assert metric.statistics(["in", "New York"], corpus.references).sum(axis=0)[0] == 1


def test_part_of_a_word_is_no_name() -> None:
    assert nee(["the Japanese"], [marked("the Japan", LOC="Japan")]) == 0.0


def test_a_name_of_two_types_counts_once_and_for_each() -> None:
    references = [marked("Washington", PERSON="Washington"), marked("Washington", LOC="Washington")]
    corpus = Corpus(references=References.of(references), name="ref", documents=("a", "a"))
    metric = NamedEntityEvaluator().bind(corpus)
    rows = metric.statistics(["Washington", ""], corpus.references)
    assert rows.tolist() == [[1, 1, 1, 1, 1, 1], [0] * 6]


def test_partial_credits_the_longest_part() -> None:
    references = [marked("the Bank of England", ORG="Bank of England")]
    assert nee(["the bank of Spain"], references) == 0.0
    assert nee(["the bank of Spain"], references, partial=True) == pytest.approx(200 / 3)
    assert nee(["England, of Bank"], references, partial=True) == pytest.approx(100 / 3)


def test_only_some_types() -> None:
    assert nee(["Ann Lee", "", ""], REFERENCES, types=("PERSON",)) == 50.0
    with pytest.raises(InputError, match="unknown type 'PERSN'; did you mean 'PERSON'"):
        nee(PLAIN, REFERENCES, types=("PERSN",))


def test_references_without_names_are_an_error() -> None:
    with pytest.raises(InputError, match="references: no annotated names, expected <ENAMEX TYPE="):
        nee(PLAIN, PLAIN)
    with pytest.raises(InputError, match=r"references: segment 2, character 1: found <ENAMEX> wit"):
        nee(["a", "b"], ["a", '<ENAMEX TYPE="A">b'])


def test_several_references_the_best_share_counts() -> None:
    references = [
        [marked("New York City", LOC="New York City"), marked("NYC, U.S.", A="NYC", B="U.S.")],
        [marked("a", LOC="a"), "no names in this one"],
    ]
    # 1 of 2 beats 0 of 1, and lists have 1.5 names on average; a list without names is no list
    result = tertium.score(["in the U.S.", "a"], references, "nee")
    assert result.statistics[:2].tolist() == [0.5 * 1.5 + 1, 1.5 + 1]
    ragged = References.of([["x", marked("New York", LOC="New York")], ["y", None]])
    assert tertium.score(["New York", "z"], ragged, "nee").value == 100.0


# ---- units ----------------------------------------------------------------------------------


def test_documents_list_a_name_once() -> None:
    corpus = corpus_of(("a", "b", "a"))
    metric = NamedEntityEvaluator().bind(corpus)
    assert metric.unit == "document"
    assert "|unit:document|" in metric.signature()
    rows = metric.statistics(["", "", "Ann Lee of Gdansk"], corpus.references)
    # a: Ann Lee, Gdańsk, else; b: Ann Lee, $1,000; counts stand with the first segment
    assert rows[:, :2].tolist() == [[2, 3], [0, 2], [0, 0]]


def test_without_documents_segments_are_the_units() -> None:
    metric = NamedEntityEvaluator().bind(corpus_of(None))
    assert metric.unit == "segment"
    with pytest.raises(InputError, match=r"ref\.en: no document labels, expected .* unit=segment"):
        NamedEntityEvaluator(unit="document").bind(corpus_of(None))
    with pytest.raises(InputError, match=r"ref\.en: no paragraph labels"):
        NamedEntityEvaluator(unit="paragraph").bind(corpus_of(("a", "a", "a")))


def test_units_from_annotations(tmp_path: Path) -> None:
    path = tmp_path / "names.jsonl"
    path.write_text(
        '{"document": "d", "paragraph": "1", "text": "Ann", "entities":'
        ' [{"start": 0, "end": 3, "label": "PER"}]}\n'
        '{"document": "d", "paragraph": "1", "text": "Ann", "entities":'
        ' [{"start": 0, "end": 3, "label": "PER"}]}\n'
        '{"document": "d", "paragraph": "2", "text": "Ann", "entities":'
        ' [{"start": 0, "end": 3, "label": "PER"}]}\n',
        encoding="utf-8",
    )
    listed = {
        unit: nee_rows(["Ann"] * 3, NamedEntityEvaluator(unit=unit, annotations=str(path)))[:, 1]
        for unit in ("document", "paragraph", "segment")
    }
    assert {unit: rows.tolist() for unit, rows in listed.items()} == {
        "document": [1, 0, 0],
        "paragraph": [1, 0, 1],
        "segment": [1, 1, 1],
    }


def nee_rows(texts: list[str], metric: NamedEntityEvaluator) -> np.ndarray:
    return metric.fit(texts).statistics(texts, texts)


def test_a_fitted_metric_stays_with_its_segments() -> None:
    corpus = corpus_of(("a", "a", "b"))
    metric = NamedEntityEvaluator().bind(corpus)
    assert metric.fit(corpus.references).members == metric.members
    with pytest.raises(InputError, match="references: 1 segment, expected 3"):
        metric.statistics(["a"], [REFERENCES[0]])


def test_spec_and_signature_parse_back() -> None:
    metric = NamedEntityEvaluator(
        unit="segment", types=("PER", "LOC"), annotations="a b.jsonl", partial=True, language="de"
    )
    assert parse_metric(metric.spec) == metric
    assert parse_metric(f"nee|{metric.signature('var')}") == metric
    with pytest.raises(OptionError, match="found annotations and ner, expected one of them"):
        metric.with_options(ner="spacy:x")


# ---- the oracle -----------------------------------------------------------------------------

WORDS = st.sampled_from(["ann", "lee", "york", "new", "bank", "of"])
SENTENCES = st.lists(WORDS, max_size=7)


@st.composite
def segments(draw: st.DrawFn) -> tuple[list[str], list[AnnotatedText]]:
    """A hypothesis and references whose names are whole words."""
    references = []
    for _ in range(2):
        words = draw(st.lists(WORDS, min_size=1, max_size=7))
        starts = [len(" ".join(words[:k])) + (k > 0) for k in range(len(words))]
        spans = draw(
            st.lists(st.tuples(st.integers(0, len(words) - 1), st.integers(1, 3)), max_size=2)
        )
        names = {
            (starts[first], starts[last] + len(words[last]))
            for first, size in spans
            if (last := min(first + size, len(words)) - 1) >= first
        }
        nested = sorted(names, key=lambda span: span[1] - span[0])[:1]
        entities = tuple(Entity(start=a, end=b, label="X") for a, b in nested)
        references.append(AnnotatedText(text=" ".join(words), entities=entities))
    return draw(SENTENCES), references


@given(
    st.lists(st.tuples(segments(), st.sampled_from("ab")), min_size=1, max_size=6),
    st.booleans(),
    st.integers(1, 2),
)
def test_equals_the_oracle(
    rows: list[tuple[tuple[list[str], list[AnnotatedText]], str]], partial: bool, columns: int
) -> None:
    chosen = [references[:columns] for (_, references), _ in rows]
    if not any(one.entities for some in chosen for one in some):
        return
    references = References.of([list(map(to_muc, some)) for some in chosen])
    documents = tuple(document for _, document in rows)
    corpus = Corpus(references=references, name="ref", documents=documents)
    metric = NamedEntityEvaluator(partial=partial).bind(corpus)
    total = metric.statistics([" ".join(words) for (words, _), _ in rows], references).sum(axis=0)
    expected = [Fraction(0), Fraction(0)]
    for document in sorted(set(documents)):
        inside = [k for k, other in enumerate(documents) if other == document]
        texts = [rows[k][0][0] for k in inside]
        lists = [
            [chosen[k][c].surface(e).split() for k in inside for e in chosen[k][c].entities]
            for c in range(columns)
        ]
        counted = oracle.counts(texts, lists, partial=partial)
        expected = [a + b for a, b in zip(expected, counted, strict=True)]
    assert total[:2] == pytest.approx([float(one) for one in expected])


@given(st.lists(segments(), min_size=1, max_size=5))
def test_a_reference_has_all_its_names(rows: list[tuple[list[str], list[AnnotatedText]]]) -> None:
    texts = [references[0] for _, references in rows]
    if any(one.entities for one in texts):
        assert nee([one.text for one in texts], list(map(to_muc, texts))) == 100.0


@given(st.lists(segments(), min_size=1, max_size=5))
def test_partial_is_never_less(rows: list[tuple[list[str], list[AnnotatedText]]]) -> None:
    references = [to_muc(some[0]) for _, some in rows]
    hypotheses = [" ".join(words) for words, _ in rows]
    if any(some[0].entities for _, some in rows):
        strict, kind = (nee(hypotheses, references, partial=p) for p in (False, True))
        assert 0 <= strict <= kind <= 100


# ---- annotations of files and pipelines -----------------------------------------------------


def test_a_file_of_columns_annotates_detokenised_text(tmp_path: Path) -> None:
    path = tmp_path / "names.conll"
    path.write_text("McDonald B-ORG\n's I-ORG\n, O\nYork B-LOC\n", encoding="utf-8")
    metric = NamedEntityEvaluator(annotations=str(path))
    assert tertium.score(["McDonald's"], ["McDonald's, York"], metric).value == 50.0
    with pytest.raises(InputError, match=r"names\.conll: segment 1: annotated text 'McDonald 's"):
        tertium.score(["a"], ["Burger, York"], metric)
    with pytest.raises(InputError, match=r"names\.conll: 1 segment, expected 2 \(references\)"):
        tertium.score(["a", "b"], ["a", "b"], metric)


@pytest.fixture
def pipeline(tmp_path: Path) -> str:
    """A real spaCy pipeline with rules, saved and loaded like any other."""
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    made = spacy.blank("en")
    ruler = made.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "Ann Lee", "id": "ann"},
            {"label": "GPE", "pattern": [{"LOWER": "gdańsk"}]},
        ]
    )
    made.to_disk(tmp_path / "rules")
    return f"spacy:{tmp_path / 'rules'}"


@pytest.mark.slow
def test_names_of_a_spacy_pipeline(pipeline: str) -> None:
    metric = NamedEntityEvaluator(ner=pipeline)
    references = References.of([["Ann Lee left Gdańsk.", None], ["Who? Ann Lee!", "A. Lee"]])
    fitted = metric.fit(references)
    assert fitted.labels == ("GPE", "PERSON")
    [column, other] = fitted.annotated(references)
    assert column[0] == AnnotatedText(
        text="Ann Lee left Gdańsk.",
        entities=(
            Entity(start=0, end=7, label="PERSON", attributes={"id": "ann"}),
            Entity(start=13, end=19, label="GPE"),
        ),
    )
    assert other[0] is None
    rows = fitted.statistics(["Lee left Gdansk", "ann lee"], references)
    assert rows.tolist() == [[1, 2, 1, 1, 0, 1], [1, 1, 0, 0, 1, 1]]
    assert parse_metric(metric.spec) == metric


@pytest.mark.slow
def test_a_pipeline_that_is_not_there() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    with pytest.raises(MissingExtraError, match="expected an installed pipeline") as error:
        nee(["a"], ["a"], ner="spacy:no_such_pipeline")
    assert "\n" not in str(error.value)
