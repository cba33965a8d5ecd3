"""Systems side by side: hand-computed small cases for each section, and what always holds."""

import json
from typing import Any

import pytest

import tertium
from tertium.compare import SECTIONS, Comparison, compare
from tertium.errors import InputError, OptionError, TertiumError
from tests.support.commands import printed
from tests.support.comparisons import BASE, NEW, REFERENCES, shown
from tests.support.corpora import corpus_of, systems_of


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
        ({"test": "t"}, "test: found 't', expected randomization, bootstrap, sign or all"),
        (
            {"correction": "x"},
            "correction: found 'x', expected max-t, holm, benjamini-hochberg, none",
        ),
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


@pytest.mark.slow
@pytest.mark.parametrize("first", ["", "import tertium.compare; ", "tertium.compare; "])
def test_the_package_is_the_function(first: str) -> None:
    # A fresh interpreter: what was imported before decides whose name 'compare' is.
    code = f"import tertium; {first}print(callable(tertium.compare), tertium.compare.__name__)"
    assert printed("-c", code).split()[0] == "True"
    assert tertium.compare(corpus_of(REFERENCES), systems_of(BASE, NEW), trials=9).segments == 3


def test_equal_outputs_are_noticed() -> None:
    corpus = corpus_of(REFERENCES)
    same = compare(corpus, systems_of(BASE, BASE), ["wer"], trials=20, sections=["scores"])
    assert same.identical == ("new",)
    # The same words in another case are the same to WER without case, and no equal output.
    upper = [line.upper() for line in BASE]
    folded = ["wer[lowercase=yes]"]
    alike = compare(corpus, systems_of(BASE, upper), folded, trials=20, sections=["scores"])
    assert alike.identical == ()
