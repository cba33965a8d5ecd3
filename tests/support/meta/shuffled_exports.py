"""Campaigns on a small test set and on real ones: exports whose order is not the test set's."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from tertium.meta.ratings.files import read_judgments
from tertium.meta.ratings.judgments import Judgments
from tertium.meta.spans.segments import RatedCorpus
from tertium.text.corpus import Corpus, System
from tests.support.meta.span_files import (
    pearmut_row,
)
from tests.support.ratings import write

DOCUMENTS = ["one", "one", "one", "two", "three", "three", "four", "four"]

OUTPUTS = {
    "A": [f"output {number} of A" + " and more" * number for number in range(8)],
    "B": [f"output {number} of B" + " of it" * (8 - number) for number in range(8)],
}

SOURCES = [f"source {number}" for number in range(8)]

SHUFFLED = [5, 2, 7, 0, 4, 1, 6, 3]
"""The order in which a campaign shows the segments, which is not that of the test set."""


def rated_corpus(*, documents: bool = True, sources: bool = False) -> RatedCorpus:
    corpus = Corpus(
        references=[f"reference {number}" for number in range(8)],
        documents=DOCUMENTS if documents else None,
        sources=SOURCES if sources else None,
    )
    systems = [System(name=name, hypotheses=texts) for name, texts in OUTPUTS.items()]
    return RatedCorpus(corpus, tuple(systems))


def points(system: str, segment: int) -> int:
    """The score that a segment of a system gets: each its own."""
    return 10 * segment + (system == "B")


def appraise_row(
    system: str, item: int, document: str, score: float, **more: Any
) -> tuple[Any, ...]:
    kind, marks = more.get("kind", "TGT"), more.get("marks", [])
    target, end = more.get("target", "deu"), more.get("end", 2.0)
    user = more.get("user", "u")
    return (user, system, item, kind, "eng", target, score, document, True, marks, 1.0, end)


def by_lines(base: int = 0, *, marks: bool = False) -> list[tuple[Any, ...]]:
    """An export whose items are numbered by lines of the test set, in the order of a campaign."""
    return [
        appraise_row(
            system,
            segment + base,
            DOCUMENTS[segment],
            points(system, segment),
            marks=[last_mark(OUTPUTS[system][segment])] if marks else [],
        )
        for system in OUTPUTS
        for segment in SHUFFLED
    ]


def last_mark(text: str) -> dict[str, Any]:
    return {"start_i": len(text) - 2, "end_i": len(text) - 1, "severity": "minor"}


def by_tasks(starts: Sequence[int] = (0,)) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """Tasks that number their items; of document ``one`` each shows two sentences, from a start."""
    rows, batches = [], []
    for number, start in enumerate(starts):
        shown = [4, 5, start, start + 1, *([3] if number > 1 else [6, 7])]
        items = []
        for item, segment in enumerate(shown, 7):
            system = "AB"[number % 2]
            document = f"{DOCUMENTS[segment]}#{system}"
            rows.append(
                appraise_row(
                    f"wmt23.{system}", item, document, points(system, segment), user=f"u{number}"
                )
            )
            items.append(
                {
                    "itemID": item,
                    "itemType": "TGT",
                    "documentID": document,
                    "targetID": f"wmt23.{system}",
                    "sourceText": SOURCES[segment],
                    "targetText": OUTPUTS[system][segment],
                }
            )
        batches.append({"items": items, "task": {"batchNo": number}})
    return rows, batches


def judged(path: Path | list[Path], texts: RatedCorpus, criterion: str = "da") -> Judgments:
    (one,) = read_judgments(path, texts=texts, criteria=[criterion])
    return one


def assert_each_on_its_segment(one: Judgments, expected: set[int] | None = None) -> None:
    assert one.located
    assert one.segments is not None
    for system, row in zip(one.systems, one.segments, strict=True):
        rated = {segment: value for segment, value in enumerate(row) if not np.isnan(value)}
        assert rated == {segment: points(system, segment) for segment in rated}
        assert expected is None or set(rated) == expected


def pearmut_item(system: str, segment: int, **more: Any) -> dict[str, Any]:
    return {"src": SOURCES[segment], "tgt": {system: OUTPUTS[system][segment]}, **more}


def pearmut_answers(user: str, item: int, segments: Sequence[int], **more: Any) -> dict[str, Any]:
    """A document of a contrastive campaign: both systems side by side."""
    return pearmut_row(
        user_id=user,
        item_i=item,
        item=[
            {"src": SOURCES[one], "tgt": {name: OUTPUTS[name][one] for name in OUTPUTS}}
            for one in segments
        ],
        annotation=[
            {
                name: {"score": points(name, one), "error_spans": more.get("marks", [])}
                for name in OUTPUTS
            }
            for one in segments
        ],
    )


JCML = """<?xml version="1.0" ?>
<jcml>
{sentences}
</jcml>"""


def jcml_file(folder: Path, segments: Sequence[int], base: int = 1) -> Path:
    """Sentences with their texts, on which A beats B where the number is even."""
    sentences = "".join(
        f"""
 <judgedsentence document_id="d" id="{segment + base}" judge_id="j" segment_id="1">
  <src>{SOURCES[segment]}</src>
  <tgt rank="{1 + segment % 2}" system="A">
     {OUTPUTS["A"][segment]}
  </tgt>
  <tgt rank="{2 - segment % 2}" system="B">{OUTPUTS["B"][segment]}</tgt>
  <tgt rank="-1" system="_ref">none</tgt>
 </judgedsentence>"""
        for segment in segments
    )
    return write(folder, "de-en-public.jcml", JCML.format(sentences=sentences))


WMT08 = [
    "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,SCORE_1_B",
    "WMT08 German-English News,RANK,0,1,9,A,2,,B,1,",
    "WMT08 German-English News,RANK,7,1,9,A,1,,B,1,",
    "WMT08 German-English News,CONSTITUENT,900,1,9,A,1,,B,2,",
    "WMT08 German-English News,CONSTITUENT_ACCEPT,901,1,9,A,1,,B,2,",
    "WMT08 German-English News,CONSTITUENT_ACCEPT,902,1,9,A,3,,",
    "WMT08 German-English News,FLUENCY_ADEQUACY,4,1,9,A,5,4,B,2,1",
    "WMT08 German-English Europarl,RANK,1,1,9,A,1,,B,2,",
    "WMT08 Czech-English News,RANK,1,1,9,A,1,,B,2,",
]


def shared_corpus(folder: Path, pair: str, *, documents: bool = True) -> RatedCorpus:
    labels = (folder / "documents" / f"{pair}.docs").read_text(encoding="utf-8").splitlines()
    references = (folder / "references" / f"{pair}.refA.txt").read_text(encoding="utf-8")
    systems = tuple(
        System(name=one.stem, hypotheses=one.read_text(encoding="utf-8").splitlines())
        for one in sorted((folder / "system-outputs" / pair).glob("*.txt"))
    )
    corpus = Corpus(
        references=references.splitlines(),
        documents=[line.split("\t")[1] for line in labels] if documents else None,
    )
    return RatedCorpus(corpus, systems)


def shuffled_campaign(
    said: Judgments, texts: RatedCorpus, sources: Sequence[str]
) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """An export of Appraise and its batches: five sentences of a document at most at a time."""
    assert said.segments is not None
    outputs = {one.name: one.hypotheses.to_list() for one in texts.systems}
    documents: dict[str, list[int]] = {}
    for number, document in enumerate(texts.corpus.documents or ()):
        documents.setdefault(document, []).append(number)
    parts = []
    for system, values in zip(said.systems, said.segments, strict=True):
        for document, segments in documents.items():
            rated = [one for one in segments if not np.isnan(values[one])]
            parts += [(system, document, rated[at : at + 5]) for at in range(0, len(rated), 5)]
    Random(1).shuffle(parts)
    rows: list[tuple[Any, ...]] = []
    batches = []
    for task in range(0, len(parts), 30):
        # A task has a document of a system once.
        chosen = {(system, document): part for system, document, part in parts[task : task + 30]}
        items: list[dict[str, Any]] = []
        for (system, document), part in chosen.items():
            for segment in part:
                item, label = 7 + len(items), f"{document}#{system}"
                value = float(said.segments[said.systems.index(system)][segment])
                user = f"zhoeng{task:04x}"
                row = appraise_row(f"wmt23.{system}", item, label, value, user=user, target="eng")
                rows.append(row)
                items.append(
                    {
                        "itemID": item,
                        "itemType": "TGT",
                        "documentID": label,
                        "targetID": f"wmt23.{system}",
                        "sourceText": sources[segment],
                        "targetText": outputs[system][segment],
                    }
                )
        batches.append({"items": items, "task": {"batchNo": task}})
    return rows, batches


def mqm_rows(segments: Sequence[int], numbers: Sequence[int]) -> list[str]:
    """Rows of a table of MQM, with as many errors as the segment's number says."""
    return [
        f"A|d|1|{number}|r|s|<v>{OUTPUTS['A'][segment]}</v>|Style|Minor"
        for segment, number in zip(segments, numbers, strict=True)
        for _ in range(segment)
    ]
