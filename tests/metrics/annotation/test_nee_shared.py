"""Entity annotations and NEE on real data: Europarl, PUD and the EA-MT shared task."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tertium._native import Texts
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.annotation.nee_report import NameReport, name_report
from tertium.text.annotations import (
    AnnotatedText,
    Entity,
    annotation_lines,
    read_annotations,
    to_muc,
    write_annotations,
)
from tertium.text.corpus import Corpus, System
from tertium.text.references import References
from tests.oracles import nee as oracle

pytestmark = pytest.mark.shared

LANGUAGES = ["en", "de", "es", "it"]


def europarl(shared_data: Path, language: str) -> tuple[AnnotatedText, ...]:
    return read_annotations(shared_data / "ner/europarl" / f"{language}-europarl.test.conll02")


@pytest.mark.parametrize("language", LANGUAGES)
def test_europarl_passes_through_every_format(
    shared_data: Path, tmp_path: Path, language: str
) -> None:
    texts = europarl(shared_data, language)
    assert len(texts) == 799
    path = shared_data / "ner/europarl" / f"{language}-europarl.test.conll02"
    again = "".join(annotation_lines(texts, "conll"))
    assert again.strip("\n") == path.read_text(encoding="utf-8").strip("\n")
    for name in ("a.muc", "b.jsonl", "c.conll", "d.muc"):
        write_annotations(tmp_path / name, texts)
        assert read_annotations(tmp_path / name) == texts


def pud(shared_data: Path) -> tuple[AnnotatedText, ...]:
    return read_annotations(shared_data / "ner/uner-en-pud/en_pud-ud-test.iob2")


def test_pud_has_the_names_that_its_authors_counted(shared_data: Path, tmp_path: Path) -> None:
    texts = pud(shared_data)
    stats = json.loads((shared_data / "ner/uner-en-pud/en_pud-ud-test.stats").read_text())
    labels = Counter(one.label for text in texts for one in text.entities)
    assert labels == stats["label_distribution"]
    assert len(texts) == stats["num_sentences"]
    assert len({text.document for text in texts}) == stats["num_documents"]
    assert sum(len(text.tokens) for text in texts) == stats["num_tokens"]
    for name in ("a.jsonl", "b.conll"):  # with documents, sentence ids and the exact text
        write_annotations(tmp_path / name, texts)
        assert read_annotations(tmp_path / name) == texts
    bare = tuple(text.bare() for text in texts)
    write_annotations(tmp_path / "c.muc", bare)
    assert read_annotations(tmp_path / "c.muc") == bare


def test_pud_by_document(shared_data: Path) -> None:
    texts = pud(shared_data)
    corpus = Corpus(
        references=References.of([to_muc(text.bare()) for text in texts]),
        name="pud",
        documents=tuple(text.document or "" for text in texts),
    )
    # One name less: every occurrence in one document.
    first = next(text for text in texts if text.entities)
    name = first.surface(first.entities[0])
    fewer = [t.text.replace(name, "…") if t.document == first.document else t.text for t in texts]
    systems = {"same": [text.text for text in texts], "one less": fewer}
    report = report_on(corpus, systems)
    same, less = report.systems
    assert (same.total.score, same.missed) == (100.0, ())
    assert [missed.text for missed in less.missed] == [name]
    listed = same.total.listed
    assert listed < sum(len(text.entities) for text in texts)
    assert less.total.score == 100 * (listed - 1) / listed
    assert {k for k, one in less.documents.items() if one.score < 100} == {first.document}


def report_on(
    corpus: Corpus, systems: dict[str, list[str]], metric: NamedEntityEvaluator | None = None
) -> NameReport:
    made = [System(name=name, hypotheses=Texts(texts)) for name, texts in systems.items()]
    return name_report(corpus, made, metric)


def test_names_that_languages_share(shared_data: Path) -> None:
    corpus = Corpus(
        references=References.of(list(map(to_muc, europarl(shared_data, "en")))), name="en"
    )
    others = {k: [text.text for text in europarl(shared_data, k)] for k in LANGUAGES}
    report = report_on(corpus, others)
    same, *translations = report.systems
    assert same.total.score == 100.0
    for one in translations:
        # Persons keep their names in another language, organisations are translated.
        assert one.types["PER"].score > 90
        assert one.types["ORG"].score < 20


class EntityAware:
    """One language of EA-MT: references with the gold mention, and two systems."""

    def __init__(self, folder: Path) -> None:
        self.records = [json.loads(line) for line in lines(folder / "references.jsonl")]
        self.systems = {
            name: self.ordered(lines(folder / f"{name}.jsonl"))
            for name in ("gpt-4o", "gpt-4o-mini")
        }
        self.corpus = Corpus(
            references=References.of([list(map(to_muc, row)) for row in self.annotated]),
            name=folder.name,
            documents=tuple(record["wikidata_id"] for record in self.records),
        )

    def ordered(self, lines: list[str]) -> list[str]:
        read = map(json.loads, lines)
        predictions = {one["id"]: one["prediction"] for one in read}
        return [predictions[record["id"]] for record in self.records]

    @property
    def annotated(self) -> list[list[AnnotatedText]]:
        return [
            [self.target(one, record["entity_types"][0]) for one in record["targets"]]
            for record in self.records
        ]

    def target(self, one: dict[str, str], label: str) -> AnnotatedText:
        """The mention may differ in case from the translation; a few are not in it at all."""
        text, mention = one["translation"], one["mention"]
        start = text.lower().find(mention.lower())
        entities = (Entity(start=start, end=start + len(mention), label=label),)
        return AnnotatedText(text=text, entities=entities if start >= 0 else ())

    def share_of_mentions(self, system: str) -> float:
        """M-ETA's rule: some mention is part of the prediction, without regard to case."""
        pairs = zip(self.records, self.systems[system], strict=True)
        found = [
            any(one["mention"].lower() in text.lower() for one in record["targets"])
            for record, text in pairs
        ]
        return 100 * sum(found) / len(found)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("locale", ["de_DE", "es_ES", "fr_FR"])
def test_entity_aware_translation(shared_data: Path, locale: str) -> None:
    data = EntityAware(shared_data / "ner/ea-mt" / locale)
    language = locale[:2]
    metric = NamedEntityEvaluator(unit="segment", language=language)
    report = report_on(data.corpus, data.systems, metric)
    large, small = report.systems
    assert large.total.score > small.total.score
    for one in report.systems:
        # A substring is found in a longer word too ("Felsendom" in "Felsendoms"), and NEE finds
        # "1. Brief" in "Ersten Brief" and "Suleiman" in "Suleimán".
        assert one.total.score == pytest.approx(data.share_of_mentions(one.system), abs=2)
        assert len(one.types) > 10
        assert sum(part.listed for part in one.types.values()) == one.total.listed
        assert sum(part.found for part in one.types.values()) == pytest.approx(one.total.found)
        assert len(one.missed) == one.total.listed - one.total.found


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_entity_aware_translation_equals_the_oracle(shared_data: Path, unit: str) -> None:
    data = EntityAware(shared_data / "ner/ea-mt" / "de_DE")
    metric = NamedEntityEvaluator(unit=unit, language="de")  # type: ignore[arg-type]
    report = report_on(data.corpus, data.systems, metric)
    tokens = metric.normalization.tokens
    annotated = data.annotated
    keys = data.corpus.documents if unit == "document" else range(len(annotated))
    assert keys is not None
    members: dict[object, list[int]] = {}
    for segment, key in enumerate(keys):
        members.setdefault(key, []).append(segment)
    sets = max(map(len, annotated))
    for one in report.systems:
        total = [0.0, 0.0]
        for inside in members.values():
            texts = [tokens(data.systems[one.system][k]) for k in inside]
            lists = [
                [
                    tokens(annotated[k][c].surface(e))
                    for k in inside
                    if c < len(annotated[k])
                    for e in annotated[k][c].entities
                ]
                for c in range(sets)
            ]
            counted = oracle.counts(texts, lists)
            total = [a + float(b) for a, b in zip(total, counted, strict=True)]
        assert [one.total.found, one.total.listed] == pytest.approx(total)


def test_entity_aware_documents(shared_data: Path) -> None:
    data = EntityAware(shared_data / "ner/ea-mt" / "es_ES")
    report = report_on(data.corpus, data.systems, NamedEntityEvaluator(language="es"))
    assert report.metric.unit == "document"
    [large, small] = report.systems
    assert len(large.documents) == len(set(data.corpus.documents or ()))
    assert large.total.score > small.total.score
    assert sum(one.found for one in large.documents.values()) == pytest.approx(large.total.found)


@pytest.mark.parametrize("locale", ["de_DE", "es_ES", "fr_FR"])
def test_entity_aware_aliases(shared_data: Path, tmp_path: Path, locale: str) -> None:
    """One reference whose name has all accepted forms finds what any of the references finds."""
    data = EntityAware(shared_data / "ner/ea-mt" / locale)
    references = []
    for record, row in zip(data.records, data.annotated, strict=True):
        first = next((one for one in row if one.entities), row[0])
        forms = {"aliases": [target["mention"] for target in record["targets"]]}
        entities = tuple(replace(one, attributes=forms) for one in first.entities)
        references.append(replace(first, entities=entities))
    path = tmp_path / "names.jsonl"
    write_annotations(path, references)
    metric = NamedEntityEvaluator(
        unit="segment", language=locale[:2], annotations=str(path), quantities=False
    )
    corpus = Corpus(references=[one.text for one in references], name=locale)
    any_form = report_on(corpus, data.systems, metric)
    any_reference = report_on(data.corpus, data.systems, replace(metric, annotations="inline"))
    for one, other in zip(any_form.systems, any_reference.systems, strict=True):
        # A few mentions are not in their own translation, so only the list of forms has them.
        assert one.total.score == pytest.approx(data.share_of_mentions(one.system), abs=2)
        assert 0 <= one.total.score - other.total.score < 1
    path = tmp_path / "one form.jsonl"
    write_annotations(path, list(map(without_forms, references)))
    one_form = report_on(corpus, data.systems, replace(metric, annotations=str(path)))
    for one, other in zip(any_form.systems, one_form.systems, strict=True):
        assert one.total.score > other.total.score


def without_forms(text: AnnotatedText) -> AnnotatedText:
    return replace(text, entities=tuple(replace(one, attributes={}) for one in text.entities))
