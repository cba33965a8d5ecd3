"""Rankings with the texts that were judged: JCML, ``<judgedsentence>`` with a ``<tgt>`` per system.

``id`` is the sentence's number in the test set, from 1; ``rank`` is lower for better output and −1
for what was not ranked; ``_ref`` is the reference, judged among the systems.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import UNRANKED, OmissionCounts, Ranking, read_segment
from tertium.meta.ratings.languages import language_pair
from tertium.meta.spans.segments import RatedCorpus, locate
from tertium.meta.spans.span import Annotation, Annotations, ItemKey
from tertium.text.files import TextFile
from tertium.text.formats.xml_events import scan_xml
from tertium.text.lines import numbered_lines

_PAIR: Final = re.compile(r"(?:^|[._-])([a-z]{2,3}-[a-z]{2,3})(?=[._-]|$)")
_LOOK_AT: Final = 20
"""Lines at the top of a file among which its first element stands."""


def is_judged_texts(file: TextFile) -> bool:
    """Whether a file begins as JCML does."""
    for number, line in numbered_lines(file):
        text = line.strip()
        if text.startswith("<jcml"):
            return True
        if number > _LOOK_AT or (text and not text.startswith("<")):
            return False
    return False


def judged_texts(file: TextFile) -> list[Ranking]:
    """Every judged sentence, with the texts."""
    found = _PAIR.search(Path(file.name).name)
    reader = _JcmlReader(file.name, language_pair(found[1]) if found else "")
    scan_xml(file, reader.start, reader.end, reader.text)
    return reader.rankings


class _JcmlReader:
    """Puts the elements of a file together."""

    def __init__(self, name: str, pair: str) -> None:
        self._name = name
        self._pair = pair
        self._place = ""
        self._attributes: Mapping[str, str] = {}
        self._texts: list[tuple[str, str, int]] = []
        self._source = ""
        self._output: tuple[str, int] | None = None
        self._written: list[str] = []
        self.rankings: list[Ranking] = []

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        place = f"{self._name}:{line}"
        self._written = []
        if tag == "judgedsentence":
            self._place, self._attributes, self._texts, self._source = place, attributes, [], ""
        elif tag == "tgt":
            self._output = (attributes.get("system", ""), _rank(attributes.get("rank", ""), place))

    def text(self, text: str) -> None:
        self._written.append(text)

    def end(self, tag: str) -> None:
        written = " ".join("".join(self._written).split())
        if tag == "src":
            self._source = written
        elif tag == "tgt" and self._output is not None:
            self._texts.append((self._output[0], written, self._output[1]))
            self._output = None
        elif tag == "judgedsentence":
            self.rankings.append(
                Ranking(
                    place=self._place,
                    pair=self._pair,
                    segment=read_segment(self._attributes.get("id", ""), self._place),
                    judge=self._attributes.get("judge_id", ""),
                    systems=tuple(system for system, _, _ in self._texts),
                    ranks=tuple(rank for _, _, rank in self._texts),
                    texts=tuple(text for _, text, _ in self._texts),
                    source=self._source,
                )
            )


def _rank(text: str, place: str) -> int:
    try:
        rank = int(text)
    except ValueError:
        rank = 0
    if rank < 1 and rank != UNRANKED:
        raise InputError(f"{place}: rank '{text}', expected a number from 1 on, or -1 for none")
    return rank


def located_rankings(
    rankings: Sequence[Ranking],
    texts: RatedCorpus,
    tally: OmissionCounts,
    *,
    pair: str | None = None,
) -> list[Ranking]:
    """Rankings on the segments that have their texts; those without texts stay where they are."""
    asked = [one for one in rankings if one.texts and (pair is None or one.pair in {"", pair})]
    here = texts.by_rated_name(list(dict.fromkeys(name for one in asked for name in one.systems)))
    if not here:
        return list(rankings)
    items = Annotations(
        name=asked[0].pair or "rankings",
        annotations=tuple(
            Annotation(
                segment=one.segment,
                system=system,
                rater=one.judge,
                place=one.place,
                hypothesis=text,
                source=one.source or None,
                key=ItemKey(name=str(one.segment + 1), number=one.segment + 1),
            )
            for one in asked
            for system, text in zip(one.systems, one.texts, strict=True)
            if system in here
        ),
    )
    segments: dict[str, set[int | None]] = {}
    for item, segment in zip(items, locate(items, texts), strict=True):
        segments.setdefault(item.place, set()).add(segment)
    found = []
    for one in rankings:
        there = segments.get(one.place)
        if there is None:
            found.append(one)
        elif len(there) == 1 and (segment := next(iter(there))) is not None:
            found.append(one._replace(segment=segment))
        else:
            tally.add("rankings of texts that the systems do not have", one.place, pair=one.pair)
    if rankings and not found:
        raise InputError(f"{asked[0].place}: found no ranked text among the outputs, expected some")
    return found
