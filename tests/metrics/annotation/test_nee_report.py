"""What became of each name, in each system and for people."""

from dataclasses import replace
from pathlib import Path

import pytest

import tertium
from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.annotation.nee_report import name_report
from tertium.text.annotations import read_annotations
from tertium.text.corpus import Corpus, System
from tertium.text.references import References
from tests.support.names import PLAIN, REFERENCES, corpus_of, marked
from tests.support.places import SAMPLE


def system(name: str, texts: list[str]) -> System:
    return System(name=name, hypotheses=Texts(texts))


def test_missed_names_say_where_and_what() -> None:
    report = name_report(corpus_of(("a", "a", "b")), [system("s", ["ANN", "Lee 1000", "else"])])
    [one] = report.systems
    assert [
        (name.segment, name.document, name.labels, name.text, name.part) for name in one.missed
    ] == [
        (1, "a", ("PERSON",), "Ann Lee", "ann"),
        (1, "a", ("LOCATION",), "Gdańsk", ""),
        (2, "a", ("MONEY",), "$1,000", "1000"),
    ]
    assert one.missed[2].reference == PLAIN[1]
    assert one.missed[2].hypothesis == "Lee 1000"
    assert (one.total.found, one.total.listed, one.total.score) == (1, 4, 25.0)
    assert {label: count.score for label, count in one.types.items()} == {
        "DATE": 100.0,
        "LOCATION": 0.0,
        "MONEY": 0.0,
        "PERSON": 0.0,
    }
    assert {label: count.score for label, count in one.documents.items()} == {"a": 0.0, "b": 100.0}
    assert report.humans == ()


def test_parts_of_a_report_add_up() -> None:
    corpus, systems = sample()
    report = name_report(corpus, systems, NamedEntityEvaluator(annotations=ENTITIES))
    for one in report.rows:
        assert sum(part.listed for part in one.documents.values()) == one.total.listed
        assert sum(part.found for part in one.documents.values()) == one.total.found
        # no name of the sample has two types
        assert sum(part.found for part in one.types.values()) == one.total.found
        assert len(one.missed) == one.total.listed - one.total.found
    evaluated = tertium.evaluate(corpus, systems, [report.metric])
    for one, scores in zip(report.systems, evaluated.systems, strict=True):
        assert one.total.score == scores.scores[0].value
        assert scores.scores[0].signature == report.signature


ENTITIES = str(SAMPLE / "entities.jsonl")


def sample() -> tuple[Corpus, list[System]]:
    def lines(path: Path) -> list[str]:
        return path.read_text(encoding="utf-8").splitlines()

    references = [lines(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
    documents = [line.split("\t")[0] for line in lines(SAMPLE / "documents.tsv")[1:]]
    corpus = Corpus(
        references=References(map(Texts, references)), name="sample", documents=tuple(documents)
    )
    systems = [system(path.stem, lines(path)) for path in sorted(SAMPLE.glob("systems/*.txt"))]
    return corpus, systems


def test_humans_are_scored_against_each_other() -> None:
    corpus, _ = sample()
    report = name_report(corpus, [], NamedEntityEvaluator(annotations=ENTITIES))
    [human] = report.humans  # only the first reference has names to look for
    assert (human.system, human.human) == ("reference 2", True)
    second = corpus.references.columns[1].to_list()
    alone = replace(corpus, references=References(corpus.references.columns[:1]))
    [same] = name_report(
        alone, [system("x", [text or "" for text in second])], report.metric
    ).systems
    assert human.total == same.total
    assert human.missed == same.missed


def test_humans_with_names_on_both_sides() -> None:
    references = [
        [marked("Ann and Bob", A="Ann", B="Bob"), marked("Ann and Rob", A="Ann")],
        [marked("Bob", A="Bob"), marked("Bob", A="Bob")],
    ]
    corpus = Corpus(references=References.of(references), name="ref")
    report = name_report(corpus, [], reference_names=["x", "y"])
    assert [(one.system, one.total.found, one.total.listed) for one in report.humans] == [
        ("x", 2, 2),  # Ann and Bob of y
        ("y", 2, 3),  # of x, Bob is missed in the first segment
    ]


def test_a_system_of_another_length() -> None:
    with pytest.raises(InputError, match=r"s: 2 segments, expected 3 \(references\)"):
        name_report(corpus_of(None), [system("s", ["a", "b"])])


def test_trace_tells_what_became_of_each_name() -> None:
    metric = NamedEntityEvaluator().fit(REFERENCES)
    assert metric.trace("Lee of Gdansk", REFERENCES[:1]) == [
        "PERSON 'Ann Lee': missed, longest part 'lee'",
        "LOCATION 'Gdańsk': found",
    ]
    [line] = NamedEntityEvaluator(annotations=ENTITIES).trace("a", ["b"])
    assert "the names are in a file" in line


def test_the_sample_has_as_many_names_as_its_file_says() -> None:
    texts = read_annotations(ENTITIES)
    unique = {(one.document, one.surface(e).casefold()) for one in texts for e in one.entities}
    corpus, systems = sample()
    report = name_report(corpus, systems[:1], NamedEntityEvaluator(annotations=ENTITIES))
    assert report.systems[0].total.listed == len(unique)
