"""Papineni et al. (HLT 2002), Table 2 once more, on names that people annotated."""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from experiments.data import Data
from experiments.hlt2002.annotated_names import FILES, annotated_lexicon, annotated_texts
from experiments.hlt2002.names import known_names
from experiments.hlt2002.table2 import COLUMNS, PAPER, SETS, nee_scores, scores_of
from experiments.running import main
from experiments.sections import MISSING, Claim, Section, Table, number
from tertium import Corpus, References, System
from tertium.meta.ratings.judgments import MetricScores
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.text.annotations import AnnotatedText, Entity, to_muc
from tertium.text.references import column_of

LANGUAGES: Final = {"de_DE": "German", "es_ES": "Spanish", "fr_FR": "French"}
SYSTEMS: Final = ("gpt-4o", "gpt-4o-mini")


class EntityScores(NamedTuple):
    """NEE of a system, and the share of outputs with an accepted form of the name."""

    nee: float
    accepted: float


def run(data: Data) -> Section:
    """Correlations with looked-up names, the rule held against annotation, and EA-MT."""
    lexicon = annotated_lexicon(data)
    rows, values = [], {}
    for name, criteria in SETS.items():
        loaded = data.test_set(name)
        nee = scores_of(lexicon, loaded.corpus, loaded.systems)
        scores = MetricScores(metric="nee", systems=loaded.names, values=np.array(nee))
        for one in criteria:
            values[name, one] = data.agreement(name, one, scores, "pearson")
        texts = [text or "" for text in loaded.corpus.references.columns[0].to_list()]
        found = sum(len(lexicon.annotated(text).entities) for text in texts)
        cells = [number(values.get((name, one)), 2) for one in COLUMNS]
        rows.append([name, str(found), *cells, MISSING])
    by_rule = {
        key: data.agreement(key[0], key[1], nee_scores(data, key[0]), "pearson") for key in values
    }
    translated = {
        (code, system): _entity_scores(data.folder / "ner" / "ea-mt" / code, system)
        for code in LANGUAGES
        for system in SYSTEMS
    }
    return Section(
        title="Papineni et al. (HLT 2002), Table 2 again: annotated names",
        blocks=[
            (
                "No rated systems with annotated references are at hand. So the names that people "
                f"annotated in other English texts, {len(lexicon.names)} different ones of the "
                "parallel treebank PUD (Universal NER) and of Europarl, are looked up in the "
                "references of Table 2. Pearson's r of NEE on these names, which are far fewer "
                "than those of the rule:"
            ),
            Table(
                columns=[
                    "source",
                    "names",
                    "adequacy",
                    "fluency",
                    "DA",
                    "rank",
                    "MQM",
                    "informativeness",
                ],
                rows=[*rows, *([one[0], MISSING, *one[1:]] for one in PAPER)],
            ),
            Claim(
                whose="Put to the test here",
                text="names that people annotated give a higher correlation than those found by "
                "the rule of Table 2 above.",
                outcomes={
                    f"{name} {one}": value > by_rule[name, one]
                    for (name, one), value in values.items()
                },
            ),
            (
                "How good is the rule? Its names held against those that people annotated, equal "
                "where first and last letter are the same; numbers, which are not annotated "
                "there, left out:"
            ),
            Table(
                columns=["annotated text", "names", "found by the rule", "precision", "recall"],
                rows=[_against_rule(data, file) for file in FILES],
            ),
            (
                "Names annotated in the references themselves: EA-MT, questions with one name "
                "each in English, translated by two systems. NEE against the first accepted "
                "translation of the name, and the share of outputs that have any accepted one, "
                "which is what the task reports (M-ETA):"
            ),
            Table(
                columns=["into", "system", "NEE", "any accepted form, %"],
                rows=[
                    [LANGUAGES[code], system, number(one.nee), number(one.accepted)]
                    for (code, system), one in translated.items()
                ],
            ),
            Claim(
                whose="Put to the test here",
                text="NEE with one form of each name orders the two systems as all accepted forms "
                "do.",
                outcomes={
                    LANGUAGES[code]: (first.nee > second.nee) == (first.accepted > second.accepted)
                    for code in LANGUAGES
                    for first, second in [[translated[code, system] for system in SYSTEMS]]
                },
            ),
        ],
    )


def _against_rule(data: Data, file: str) -> list[str]:
    names = known_names(data)
    annotated = found = right = 0
    for text in annotated_texts(data, file):
        expected = {(one.start, one.end) for one in text.entities}
        made = {
            (one.start, one.end)
            for one in names.annotated(text.text).entities
            if one.label != "NUMBER"
        }
        annotated, found = annotated + len(expected), found + len(made)
        right += len(expected & made)
    title = file.split("/")[1]
    shares = (number(100 * right / found), number(100 * right / annotated))
    return [title, str(annotated), str(found), *shares]


def _entity_scores(folder: Path, system: str) -> EntityScores:
    """One system of EA-MT in one language."""
    gold = _lines(folder / "references.jsonl")
    outputs = {one["id"]: one["prediction"] for one in _lines(folder / f"{system}.jsonl")}
    hypotheses = [outputs[one["id"]] for one in gold]
    marked = [to_muc(_marked(one["targets"][0])) for one in gold]
    corpus = Corpus(references=References.of(marked), name="ea-mt")
    metric = NamedEntityEvaluator(numbers=False).bind(corpus)
    one = System(name=system, hypotheses=column_of(hypotheses, system))
    rows = metric.statistics(one.hypotheses, corpus.references)
    accepted = [
        any(target["mention"].lower() in text.lower() for target in each["targets"])
        for text, each in zip(hypotheses, gold, strict=True)
    ]
    return EntityScores(float(metric.score(rows.sum(axis=0))), 100 * float(np.mean(accepted)))


def _marked(target: dict[str, str]) -> AnnotatedText:
    text, mention = target["translation"], target["mention"]
    start = text.find(mention)
    if start < 0:  # the mention is in its base form, the text inflects it
        return AnnotatedText(
            text=mention, entities=(Entity(start=0, end=len(mention), label="NAME"),)
        )
    entity = Entity(start=start, end=start + len(mention), label="NAME")
    return AnnotatedText(text=text, entities=(entity,))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main(run)
